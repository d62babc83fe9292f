"""A model as its user calls it: the rewritten graph behind a guard, and the model itself for everything else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

import torch
from torch import fx, nn
from torch.autograd import forward_ad
from torch.utils import _pytree as pytree
from torch.utils._device import DeviceContext

from passnet.errors import UsageError
from passnet.rewrite import CallReport, Rewritten, deployed
from passnet.rewrite.program.frozen import FrozenProgram
from passnet.use.model.agreement import Disagreement, require_agreement
from passnet.use.model.changes import ModelWatch
from passnet.use.model.copies import copied, in_other_order, same_bytes
from passnet.use.model.cuda_graph import CapturedProgram
from passnet.use.model.traced import Flat, Values
from passnet.use.model.truth import following, in_float64
from passnet.use.model.untouched import ArgumentWritten, untouched

Call = tuple[Values, Mapping[str, Any]]


class Applied:
    """A callable with the model's own signature.

    - `replacements`: number of matches by rule.
    - `near_misses`: why the other rules found nothing.
    - `calls`: which wrappers' calls are replayed, and why others are not.
    - `left`: why places that match were left.
    - `captured`: the CUDA graph, if there is one.
    - `evidence`: what `passnet.optimize` measured, if it made this.

    Without any match (`replaced` is 0) every call is the model's own. A mode of `torch.compile` has no `graph` of ours.
    """

    def __init__(
        self,
        model: nn.Module,
        flat: Flat | None,
        result: Rewritten | None,
        calls: Sequence[CallReport] = (),
        left: Sequence[str] = (),
        *,
        otherwise: Callable[..., Any] | None = None,
        values: bool = False,
    ) -> None:
        """`otherwise` runs the calls that are not like the example; the model itself when None.

        `values`: the program holds copies of weights, so a weight that is written in place ends its use.
        """
        self.model = model
        self.evidence: object = None
        self.left = tuple(left)
        self.calls = tuple(calls)
        self.captured = flat.module if flat is not None and isinstance(flat.module, CapturedProgram) else None
        self.graph = result.gm if result is not None else None
        self.replacements: Mapping[str, int] = result.replacements if result is not None else {}
        self.near_misses = result.near_misses if result is not None else ()
        # Compiled code reads the parameters' memory by the dtype that it had.
        compiled = flat is not None and not isinstance(flat.module, (fx.GraphModule, FrozenProgram))
        other = model if otherwise is None else otherwise
        if flat is None:
            self._call = other
            return
        watch = ModelWatch(model, every=compiled, values=values, rebound=flat.rebound)
        self._call = _guarded(model, flat, watch, other, apart=flat.writes)

    @property
    def replaced(self) -> int:
        """Number of subgraphs that a pass replaced."""
        return sum(self.replacements.values())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(*args, **kwargs)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """A copy would go on calling the parameters of this model."""
        raise UsageError("passes applied to a model cannot be copied", hint="apply them to a copy of the model")

    def check(self, traced: Flat, args: Values, kwargs: Mapping[str, Any]) -> None:
        """Compares the call with the model's own, and with `traced` in float64 where they differ.

        The same is done for its values in another order, if the model takes these. Where the model keeps something of
        its first call, the second one is made after it too. Errors: UsageError when a tensor of the result differs by
        more than rounding can explain, and when an argument is changed that the model leaves as it is.
        """
        example = (args, dict(kwargs))
        other = in_other_order(example, torch.Generator().manual_seed(0))
        self._check(traced, self._leaves(self.model, example), example)
        try:
            expected = self._leaves(self.model, other)
        except Exception:  # noqa: BLE001  values in another order are not the user's: a model may refuse them
            return
        self._check(traced, expected, other)
        if traced.rebound:
            self._check(traced, self._leaves(self.model, example, other), example, other)

    def _check(self, traced: Flat, models: tuple[list[Any], list[torch.Tensor]], *calls: Call) -> None:
        """Compares the last of some calls with what the model gives for it."""
        (expected, left), (found, ours) = models, self._leaves(self._call, *calls)
        used = ", ".join(name for name, count in self.replacements.items() if count) or None
        for place, (given, by_model, by_us) in enumerate(zip(_tensors(calls[-1]), left, ours, strict=True)):
            if same_bytes(given, by_model) and not same_bytes(given, by_us):
                raise UsageError(str(ArgumentWritten(place)), field=used)
        inputs = copied(pytree.tree_leaves(calls[-1]))
        try:
            with untouched(self.model, inputs):
                follow = partial(following, traced.module, inputs)
                require_agreement(expected, found, lambda: in_float64(traced.module, inputs), follow)
        except Disagreement as difference:
            if len(calls) > 1:
                what = f"later results follow from {traced.rebound[0]}, which the model binds in its first call"
                raise UsageError(what, field=type(self.model).__name__) from None
            raise UsageError(str(difference), field=used) from None

    def _leaves(self, program: Any, *calls: Call) -> tuple[list[Any], list[torch.Tensor]]:
        """The results of the last call, each made on copies of its arguments, and these copies afterwards."""
        result: list[Any] = []
        given: Any = ()
        with torch.no_grad(), untouched(self.model, calls):
            for call in calls:
                given = copied(call)
                result = pytree.tree_leaves(copied(program(*given[0], **given[1])))
            return result, _tensors(given)


def _tensors(arguments: object) -> list[torch.Tensor]:
    return [leaf for leaf in pytree.tree_leaves(arguments) if isinstance(leaf, torch.Tensor)]


def _if_apart(fast: Callable[..., Any], refuse: Callable[..., Any]) -> Callable[..., Any]:
    """The same for calls whose tensors share no memory: what a graph writes into one is then in no other."""

    def call(*inputs: Any) -> Any:
        memory = [value.untyped_storage().data_ptr() for value in inputs if type(value) is torch.Tensor]
        return fast(*inputs) if len(set(memory)) == len(memory) else refuse(*inputs)

    return call


def _guarded(
    model: nn.Module, flat: Flat, watch: ModelWatch, otherwise: Callable[..., Any], *, apart: bool = False
) -> Any:
    """The call: positional tensors go straight to the graph, other arguments are flattened first.

    `apart`: tensors of a call must share no memory.
    """
    refused = object()
    refuse: Any = _Refuse(refused)
    fast = deployed(flat.module, refuse, flat.inputs)
    if apart:
        fast = _if_apart(fast, refuse.forward)
    count, training = len(flat.inputs), model.training
    plain = flat.given == pytree.tree_structure((tuple(range(count)), {}))
    single, is_tuple = _shape_of(flat.returned)
    autocast, grad, changed = torch._C._is_any_autocast_enabled, torch.is_grad_enabled, watch.changed
    watched = _is_watched()

    def call(*args: Any, **kwargs: Any) -> Any:
        # Kernels are not differentiable, and were matched in the mode and at the dtypes of the example.
        if model.training is training and not grad() and not autocast() and not watched() and not changed():
            if plain and not kwargs and len(args) == count:
                result = fast(*args)
            else:
                values, given = pytree.tree_flatten((args, kwargs))
                result = fast(*values) if given == flat.given else refused
            if result is not refused:
                if single:
                    return result[0]
                return tuple(result) if is_tuple else pytree.tree_unflatten(result, flat.returned)
        return otherwise(*args, **kwargs)

    return call


def _is_watched() -> Callable[[], bool]:
    """A function that says whether somebody sees or changes each operator: forward derivatives, or a mode of torch's
    that records or replaces calls. The mode of `torch.set_default_device` does neither.
    """
    dispatch, functions = torch._C._len_torch_dispatch_stack, torch._C._len_torch_function_stack

    def watched() -> bool:
        if dispatch() or forward_ad._current_level >= 0:
            return True
        return functions() > 0 and _are_watched()

    return watched


def _are_watched() -> bool:
    modes = map(torch._C._get_function_stack_at, range(torch._C._len_torch_function_stack()))
    return not all(type(mode) is DeviceContext for mode in modes)


class _Refuse:
    """Stands where a guarded program has its original graph: the model itself is called instead."""

    def __init__(self, answer: object) -> None:
        self.forward = lambda *inputs: answer


def _shape_of(returned: pytree.TreeSpec) -> tuple[bool, bool]:
    """Two answers: whether the result is one value, and whether it is a plain tuple of values."""
    if returned.is_leaf():
        return True, False
    return False, returned == pytree.tree_structure(tuple(range(returned.num_leaves)))
