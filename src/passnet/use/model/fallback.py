"""A program that may fail, with the way in which the same graph runs without passes behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import fx
from torch.utils import _pytree as pytree

from passnet.rewrite import changes_inputs
from passnet.use.model.agreement import require_agreement
from passnet.use.model.copies import copy_of, same_bytes, written_once
from passnet.use.model.truth import following, in_float64
from passnet.use.model.untouched import ArgumentWritten, untouched

Call = Callable[..., object]


def with_fallback(
    fast: Call,
    original: fx.GraphModule,
    without: Callable[[Sequence[object], BaseException], Call],
    tell: Callable[[BaseException], None],
    *,
    check: bool = True,
    settle: Callable[[Sequence[object]], object] = lambda inputs: None,
) -> Call:
    """Calls `fast` until it raises where the original does not. Then it calls `tell`, and the original from then on.

    `without` makes the original's program from the inputs and the exception. With `check`, the results of the first
    call are compared with the original's. A difference beyond rounding (`Disagreement`) counts as an exception.
    `settle` is called once, with the inputs of the first call that succeeded. A graph that changes its inputs has no
    fallback, because a call that failed half-way has already changed them.
    """
    if changes_inputs(original):
        return fast
    instead: Call | None = None
    settled = False

    def call(*inputs: Any) -> Any:
        nonlocal instead, settled
        if instead is not None:
            return instead(*inputs)
        try:
            if settled:
                return fast(*inputs)
            result = _checked(fast, original, inputs) if check else fast(*inputs)
            settle(inputs)
            settled = True
            return result
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  kernels raise anything; what the model itself raises comes again below
            slow = without(inputs, error)
            result = slow(*inputs)
            instead = slow
            tell(error)
            return result

    return call


def _checked(fast: Call, original: fx.GraphModule, inputs: Sequence[object]) -> object:
    """The result of a call, checked against the original's. Raises `Disagreement`, and any error of either.

    A plain input that `fast` wrote into gets its content back, and then `ArgumentWritten` is raised. Parameters are not
    looked at: copies of them all would take the memory of a second model.
    """
    with torch.no_grad(), untouched(None, inputs):
        expected = original.forward(*inputs)
        before = {place: copy_of(value) for place, value in enumerate(inputs) if type(value) is torch.Tensor}
    result = fast(*inputs)
    for place, kept in before.items():
        given = inputs[place]
        assert isinstance(given, torch.Tensor), "only tensors are kept"
        if not same_bytes(kept, given):
            with torch.no_grad():
                written_once(given).copy_(written_once(kept))
            raise ArgumentWritten(place)
    leaves, found = pytree.tree_leaves(expected), pytree.tree_leaves(result)
    follow = partial(following, original, inputs)
    require_agreement(leaves, found, lambda: in_float64(original, inputs), follow)
    return result
