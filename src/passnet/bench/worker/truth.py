"""Requests for the reference worker only: the results of eager and float64, and the choices behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from passnet.bench.compare.float64_twin import WideReference, tuple_of
from passnet.bench.compare.indices.follow import Follower
from passnet.bench.compare.rough_twin import Look, run_rough
from passnet.bench.wire.replies import ChoicesFollowed, Done, Dullness, NotFinite, OutputForm, Probed
from passnet.bench.wire.requests import AskDull, Expect, Follow, Probe, Roughen
from passnet.bench.worker import calls, heap
from passnet.bench.worker.asked_of_eager import asked_of_eager
from passnet.bench.worker.memory_order import MemoryOrders
from passnet.bench.worker.state import WorkerState
from passnet.bench.worker.wrapper_guard import output_facts
from passnet.graph import dtype_name
from passnet.graph.tensors.equality import same_values

_MOST_GAPS = 4
_WORDS: Mapping[str, NotFinite] = {"nan": "nan", "inf": "inf", "-inf": "-inf"}


def probe(state: WorkerState, request: Probe) -> Probed:
    """Describe eager. The inputs come from a public seed."""
    assert state.graph is not None and state.module is not None
    inputs = state.examples(request.seed)
    before, versions = [t.clone() for t in inputs], [t._version for t in inputs]
    taken = heap.watch(state.device)
    outputs = tuple_of(state.module.forward(*inputs))
    peak = taken()
    others = [t.clone() for t in before]
    with _Operators() as seen:
        again = tuple_of(state.module.forward(*others))
    # Values may stay as they are by chance: x /= x of ones. What wrote to a tensor has counted its version up.
    mutated = tuple(
        index
        for index, (old, new, version) in enumerate(zip(before, inputs, versions, strict=True))
        if new._version != version or not same_values(old, new)
    )
    taken = heap.watch(state.device)
    state.wide = WideReference.build(state.module, before, outputs, mutated)
    state.follower = Follower.of(state.module, wide=state.wide is not None)
    twin = taken()
    state.large = max(peak, twin) > heap.LARGE_BYTES
    asked = _asked(state, request.seed)
    return Probed(
        outputs=tuple(
            OutputForm(shape=tuple(t.shape), dtype=dtype_name(t.dtype), stride=_stride(t), ordered=ordered)
            for t, ordered in zip(outputs, map(seen.is_ordered, again), strict=True)
        ),
        mutated=mutated,
        wide=state.wide is not None,
        steady=all(map(same_values, outputs, again)),
        choosers=len(state.follower.choosers),
        coarse=torch.bfloat16 in seen.dtypes,
        asked=asked,
        facts=output_facts(outputs, again, inputs),
        peak=peak,
        twin=twin if state.wide is not None else 0,
    )


def _asked(state: WorkerState, seed: int) -> tuple[tuple[int, NotFinite], ...]:
    """The pairs of an input and a number that is not finite and that eager tells from others."""
    assert state.graph is not None and state.module is not None
    module = state.module if state.device == "cpu" else state.graph.module(propagated=False)
    found = asked_of_eager(state.graph, module, seed)
    if state.large:
        heap.give_back(state.device)
    return tuple((index, _WORDS[str(number)]) for index, numbers in found.items() for number in numbers)


class _Operators(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch annotates it so
    """Watches in which dtypes and in which orders the results of operators are stored."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.dtypes: set[torch.dtype] = set()
        self.orders = MemoryOrders()

    def is_ordered(self, output: torch.Tensor) -> bool:
        """Whether an output lies in an order that whoever reads it next may count on."""
        return output.is_contiguous() or self.orders.made(output)

    def __torch_dispatch__(
        self, func: Any, types: Sequence[type], args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        self.orders.saw(func, args, kwargs or {}, result)
        if not func.is_view:  # a view of an input rounds nothing
            self.dtypes.update(leaf.dtype for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor))
        return result


def _stride(tensor: torch.Tensor) -> tuple[int, ...]:
    """The strides of a slot for this tensor. They are the tensor's own, gaps included, if gaps are few and no elements
    share memory.
    """
    reach = 1
    for step, size in sorted(zip(tensor.stride(), tensor.shape, strict=True)):
        if size > 1 and step < reach:
            return torch.empty_like(tensor).stride()
        reach += (size - 1) * step
    return tensor.stride() if reach <= _MOST_GAPS * tensor.numel() else torch.empty_like(tensor).stride()


def expect(state: WorkerState, request: Expect) -> Done:
    """Eager and float64 outputs for the inputs in the buffers `expected`, and what both make of changed inputs."""
    for number in range(request.count):
        _answer(state, number)
    state.synchronise()
    if state.large:
        heap.give_back(state.device)
    return Done()


def _answer(state: WorkerState, number: int) -> None:
    """The answer to the inputs in one place, in the slot and the float64 copies of the same number."""
    assert state.module is not None
    buffers = state.lent["expected"]
    inputs = [t.clone() for t in buffers.places[number]]
    if state.wide is not None:  # before eager, which may change its inputs
        for value, target in zip(state.wide(inputs), buffers.wide[number], strict=True):
            target.copy_(value)
        if state.large:
            heap.give_back(state.device)
    calls.deliver(tuple_of(state.module.forward(*inputs)), buffers.slots[number])
    for source, target in zip(inputs, buffers.places[number], strict=True):
        target.copy_(source)  # shows what eager did to its inputs


def roughen(state: WorkerState, request: Roughen) -> Done:
    """The outputs of one look for the inputs in the buffers `expected`, in the float64 copies."""
    assert state.module is not None
    buffers = state.lent["expected"]
    made = run_rough(state.module, buffers.places[0], Look(request.look), request.seed)
    for value, target in zip(made, buffers.wide[0][: len(made)], strict=True):
        target.copy_(value)
    state.synchronise()
    if state.large:
        heap.give_back(state.device)
    return Done()


def dull(state: WorkerState, request: AskDull) -> Dullness:
    """Whether the inputs in the buffers leave the choosers nothing to tell apart."""
    assert state.follower is not None
    return Dullness(dull=state.follower.dull([t.clone() for t in state.lent["expected"].places[0]]))


def follow(state: WorkerState, request: Follow) -> ChoicesFollowed:
    """The outputs by the choices behind a candidate's outputs, which lie in the last slot of the buffers."""
    assert state.follower is not None
    buffers = state.lent["expected"]
    inputs = [t.clone() for t in buffers.places[0]]
    found = state.follower.follow(
        inputs, buffers.slots[-1], hard=request.hard, hidden=request.hidden, ties=request.ties, seconds=request.seconds
    )
    if found is None:
        return ChoicesFollowed(levels=None)
    calls.deliver(tuple(found.eager), buffers.slots[0])
    if found.wide is not None:
        for value, target in zip(found.wide, buffers.wide[0][: len(found.eager)], strict=True):
            target.copy_(value)
    state.synchronise()
    return ChoicesFollowed(levels=tuple(found.levels.items()), unknown=found.unknown, late=found.late)
