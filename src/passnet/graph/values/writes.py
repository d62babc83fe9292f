"""The statements of a graph as if nothing was written over: a write makes a new value, to which later statements refer.

For what is found out about a graph alone. The graph that runs stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import torch
from torch import fx
from torch._subclasses.fake_tensor import FakeTensor

from passnet.graph.text.program import Op, Ref, SliceValue, Value, refs_of
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.bounded import BoundedInterpreter
from passnet.graph.values.propagation import fake_inputs, restored_state
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# These write some elements only.
_PARTLY = word_set("setitem masked_fill masked_scatter index_put index_fill index_copy scatter put fill_diagonal")


@dataclass(frozen=True)
class Renewed:
    """The statements, and those of them that write over their first argument: they give what it is then.

    `partly`: those that leave some of its elements as they are, with the value that it was before.
    """

    statements: tuple[Op, ...]
    writes: frozenset[int] = frozenset()
    partly: Mapping[int, int] = field(default_factory=dict)


def renewed(graph: Graph) -> Renewed:
    """The statements in which what was written is a value of its own. Computed once.

    A tensor that is read through an older view after a write is left as it is, and so is all that shares its memory.
    The other graphs keep their own statements, above all those in which nobody reads what was written over.
    """
    if "_renewed" not in graph.__dict__:
        count, statements = len(graph.specs), graph.statements()
        found = Renewed(statements)
        if _reads_what_was_written(statements, graph.program.outputs, count):
            found = _renewed(statements, _simple_writes(graph), count)
        graph.__dict__["_renewed"] = found
    known: Renewed = graph.__dict__["_renewed"]
    return known


def _reads_what_was_written(statements: Sequence[Op], outputs: Value, count: int) -> bool:
    """Whether a value may be used under its old name behind a write. Most graphs need no more than this question."""
    last = _last_uses(statements, outputs, count)
    return any(
        last.get(op.args[0].index, -1) > place
        for place, op in enumerate(statements, start=count)
        if _may_write(op) and isinstance(op.args[0], Ref)
    )


def _may_write(op: Op) -> bool:
    """Whether an operation may write into its first argument, as its name says it."""
    if not op.args or op.leaf.startswith("__"):
        return False
    if op.target.startswith("operator."):
        return op.leaf == "setitem" or (op.leaf.startswith("i") and op.leaf not in ("invert", "is_", "is_not"))
    return (
        op.leaf.endswith("_") or dict(op.kwargs).get("inplace") is True or any(value is True for value in op.args[1:])
    )


def _last_uses(statements: Sequence[Op], outputs: Value, count: int) -> dict[int, int]:
    """Value -> the last statement that uses it. The outputs are behind all statements."""
    found: dict[int, int] = {}
    for place, op in enumerate(statements, start=count):
        found.update((ref.index, place) for ref in _given(op))
    found.update((ref.index, count + len(statements)) for ref in refs_of(outputs))
    return found


def _given(op: Op) -> Iterator[Ref]:
    return refs_of((*op.args, *(value for _, value in op.kwargs)))


def _simple_writes(graph: Graph) -> dict[int, int]:
    """Statement that writes -> the value that it writes over, where later statements read no older view of it. Empty
    where the shapes of a statement depend on data.
    """
    count, statements = len(graph.specs), graph.statements()
    seen = _Watching(graph.module(propagated=False), graph.name)
    inputs = fake_inputs(graph.specs)
    mode = next((each.fake_mode for each in inputs if isinstance(each, FakeTensor)), None)
    if mode is None:
        return {}
    with restored_state(), torch.no_grad(), mode:
        try:
            seen.run(*inputs)
        except Exception:  # noqa: BLE001  fake kernels raise whatever they like: nothing is known then
            return {}
    last, found, unclear = _last_uses(statements, graph.program.outputs, count), dict[int, int](), set[int]()
    same = list(range(count + len(statements)))  # the first value that is the very same tensor
    for place, op in enumerate(statements, start=count):
        touched = seen.written[place]
        if not touched:
            continue
        first = op.args[0].index if op.args and isinstance(op.args[0], Ref) else None
        if first is None or touched != seen.memory[first] or len(touched) != 1 or not _gives_it(seen, place, first):
            unclear |= touched
            continue
        same[place], found[place] = same[first], first
        older = (value for value in range(place) if seen.memory[value] & touched and same[value] != same[first])
        if any(last.get(value, -1) > place for value in older):
            unclear |= touched
    return {place: first for place, first in found.items() if not seen.memory[first] & unclear}


def _gives_it(seen: _Watching, place: int, first: int) -> bool:
    """Whether a write gives nothing, or the tensor itself that it wrote into."""
    return seen.results[place] is None or seen.results[place] is seen.results[first]


class _Watching(BoundedInterpreter):
    """Notes for each value the memory in which it lies, and for each statement the memory into which it writes.

    No counter shows what a view that was detached from all records writes: memory tells that, and nobody follows it.
    """

    def __init__(self, gm: fx.GraphModule, name: str | None) -> None:
        super().__init__(gm, name)
        self.results: list[object] = []
        self.memory: list[frozenset[int]] = []
        self.written: list[set[int]] = []

    def run_node(self, n: fx.Node) -> Any:
        given = [tensor for value in n.all_input_nodes for tensor in _tensors(self.env[value])]
        before = [tensor._version for tensor in given]
        result = super().run_node(n)
        if n.op != "output":
            moved = (each for each, version in zip(given, before, strict=True) if each._version != version)
            self.written.append({_memory(each) for each in moved})
            self.results.append(result)
            self.memory.append(frozenset(map(_memory, _tensors(result))))
        return result


def _tensors(value: object) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _tensors(item)


def _memory(tensor: torch.Tensor) -> int:
    found: int = tensor.untyped_storage()._cdata
    return found


def _renewed(statements: Sequence[Op], writes: Mapping[int, int], count: int) -> Renewed:
    newest: dict[int, int] = {}
    same: dict[int, int] = {}
    made, partly = list[Op](), dict[int, int]()
    for place, op in enumerate(statements, start=count):
        args = tuple(_newest(value, newest, same) for value in op.args)
        kwargs = tuple((name, _newest(value, newest, same)) for name, value in op.kwargs)
        made.append(op if (args, kwargs) == (op.args, op.kwargs) else replace(op, args=args, kwargs=kwargs))
        if place in writes:
            own = same[place] = same.get(writes[place], writes[place])
            if plain_name(op) in _PARTLY:
                partly[place] = newest.get(own, own)
            newest[own] = place
    return Renewed(tuple(made), frozenset(writes), partly)


def _newest(value: Value, newest: Mapping[int, int], same: Mapping[int, int]) -> Value:
    """An argument with what was written last in place of each value."""
    if isinstance(value, Ref):
        own = same.get(value.index, value.index)
        return Ref(newest.get(own, value.index))
    if isinstance(value, tuple):
        return tuple(_newest(item, newest, same) for item in value)
    if isinstance(value, list):
        return [_newest(item, newest, same) for item in value]
    if isinstance(value, SliceValue):
        return SliceValue(*(_newest(part, newest, same) for part in (value.start, value.stop, value.step)))
    return value
