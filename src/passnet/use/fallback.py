"""A program that may fail, with the way in which the same graph runs without passes behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import fx

from passnet.rewrite import changes_inputs

Call = Callable[..., Any]


def with_fallback(
    fast: Call, original: fx.GraphModule, without: Callable[[Sequence[Any]], Call], tell: Callable[[Exception], None]
) -> Call:
    """`fast`, until it raises where the original does not: then `tell`, and the original for good.

    `without` makes the original's program for given inputs. A graph that changes its inputs has none: a call that
    failed half-way has changed them already.
    """
    if changes_inputs(original):
        return fast
    instead: Call | None = None

    def call(*inputs: Any) -> Any:
        nonlocal instead
        if instead is not None:
            return instead(*inputs)
        try:
            return fast(*inputs)
        except Exception as error:  # noqa: BLE001  kernels raise anything; what the model itself raises comes again below
            slow = without(inputs)
            result = slow(*inputs)
            instead = slow
            tell(error)
            return result

    return call
