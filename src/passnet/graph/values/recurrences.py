"""Finds chains of steps that each meet one input again: a forward algorithm, an unrolled cell, a power iteration.

Its steps are related by that input alone, and by data that lasts from one step to the next.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, Ref, SliceValue, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.indexing import known_forms
from passnet.graph.values.paired_rows import dims_after
from passnet.graph.values.writes import renewed
from passnet.op_classes import PERMUTATIONS, PRODUCTS, RESHAPES, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# How a step meets what all steps meet. These add it, and the others multiply by it.
_ADDING = word_set("add sub rsub maximum minimum")
_BY_ELEMENTS = _ADDING | word_set("mul addcmul lerp")
_MEETING = _BY_ELEMENTS | PRODUCTS | word_set("mv addmv")
# So often in a row at least. A product comes back to its factor in the second one.
_LEAST, _LEAST_OF_PRODUCTS = 3, 2
# Data joins a chain in so many of its steps at least.
_STEPS = 3
_SMALLEST = 4
_TURNED, _SWAPPING = word_set("t T mT H mH adjoint"), word_set("transpose swapaxes swapdims")
_PERMUTING = _TURNED | _SWAPPING | word_set("permute unsqueeze")
_PLAIN = (
    RESHAPES
    | PERMUTATIONS
    | _PERMUTING
    | word_set("""
getattr to float double half bfloat16 type type_as contiguous clone detach mul div neg expand expand_as repeat
""")
)
_IN_PARTS = word_set("unbind chunk split tensor_split")
# An input, and one of its dimensions counted from the end.
Along = tuple[int, int]
# Input -> which of its dimensions, counted from the end, each dimension of a value is. 0 where nobody knows.
_Labels = Mapping[int, tuple[int, ...]]


@dataclass(frozen=True)
class Recurrence:
    """An input that the state of a chain meets in each of its steps.

    `table`: all of a state meets all of what follows in it. `factor`: the state is multiplied by it. `turned`: its
    columns stand for what a step begins with, and its rows for what follows. `steps`: the data that joins, and the
    dimension along which each step takes the next of it.
    """

    met: int
    table: bool
    factor: bool
    turned: bool
    steps: tuple[Along, ...]


@dataclass(frozen=True)
class _Alone:
    """A value that follows from one input alone. `plain`: its numbers are those of the input, or so many times."""

    index: int
    plain: bool = True
    turned: bool = False


@dataclass
class StepWalk:
    """What each value is of the inputs. `alone`: what follows from one. `depth`: in how many steps one was met before.
    `at`: at which step of an input a value is, None where it is at several. `parts`: what was split, and along what.
    """

    graph: Graph
    shapes: Sequence[tuple[int, ...] | None]
    alone: dict[int, _Alone] = field(default_factory=dict)
    depth: dict[int, dict[int, int]] = field(default_factory=dict)
    labels: dict[int, _Labels] = field(default_factory=dict)
    at: dict[int, dict[Along, int | None]] = field(default_factory=dict)
    parts: dict[int, tuple[int, int, bool]] = field(default_factory=dict)
    how: dict[int, tuple[bool, bool, bool]] = field(default_factory=dict)
    joined: dict[int, dict[Along, set[int]]] = field(default_factory=dict)

    def begin(self) -> None:
        """The inputs that may be met: floats that no text knows."""
        known = constants(self.graph)
        for index, spec in enumerate(self.graph.specs):
            if spec.is_inexact and spec.shape and index not in known:
                self.alone[index] = _Alone(index)
                self.labels[index] = {index: tuple(range(len(spec.shape), 0, -1))}

    def met(self, op: Op, refs: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """The inputs that an operation meets as a whole: each with its place among the operands and the state's."""
        if plain_name(op) not in _MEETING:
            return
        for place, ref in enumerate(refs):
            one = self.alone.get(ref)
            shape = self.shapes[ref]
            spec = self.graph.specs[one.index] if one else None
            if one is None or spec is None or shape is None or math.prod(shape) < max(_SMALLEST, spec.numel):
                continue
            others = [at for at, each in enumerate(refs) if (a := self.alone.get(each)) is None or a.index != one.index]
            if others:
                deepest = max(others, key=lambda at: self.depth.get(refs[at], {}).get(one.index, 0))
                yield one.index, place, deepest

    def followed(self, place: int, op: Op, refs: Sequence[int]) -> None:
        """What the result of a statement is of the inputs, chains aside."""
        name = plain_name(op)
        one = self.alone.get(refs[0]) if refs else None
        if one is not None and all((each := self.alone.get(ref)) and each.index == one.index for ref in refs):
            turns = name in _SWAPPING or name in _TURNED or (name == "getattr" and op.args[1] in _TURNED)
            plain = one.plain and name in _PLAIN and len(set(refs)) == 1
            self.alone[place] = replace(one, plain=plain, turned=one.turned ^ turns)
        if name in _IN_PARTS and refs:
            dim = arguments(op).get("dim", 0)
            self.parts[place] = (refs[0], dim if isinstance(dim, int) else 0, name == "unbind")
            return
        taken = self._taken(op, refs)
        made = dict[int, tuple[int, ...]]()
        at = dict[Along, int | None]()
        for ref in refs if taken is None else [taken[0]]:
            for key, step in self.at.get(ref, {}).items():
                at[key] = step if at.get(key, step) == step else None
            for index, labels in self.labels.get(ref, {}).items():
                if taken is None:
                    made[index] = self._labels_after(op, labels, ref, place)
                else:
                    made[index] = tuple(labels[dim] if dim >= 0 else 0 for dim in taken[2])
                    at |= {(index, labels[dim]): step for dim, step in taken[1].items() if labels[dim] > 0}
        self.labels[place], self.at[place] = {i: each for i, each in made.items() if any(each)}, at

    def _labels_after(self, op: Op, labels: tuple[int, ...], ref: int, place: int) -> tuple[int, ...]:
        before, after = self.shapes[ref], self.shapes[place]
        if before is None or after is None or len(before) != len(labels):
            return ()
        if plain_name(op) not in _PERMUTING | {"getattr"} and len(before) == len(after):
            return tuple(own if a == b else 0 for own, a, b in zip(labels, before, after, strict=True))
        return dims_after(op, labels, before, after) or ()

    def _taken(self, op: Op, refs: Sequence[int]) -> tuple[int, dict[int, int], list[int]] | None:
        """Of which value an operation takes which step along which dimension, and the dimensions that are left, -1 for
        a new one. None for other operations.
        """
        name, given = plain_name(op), arguments(op)
        if not refs:
            return None
        if refs[0] in self.parts and name == "getitem" and isinstance(op.args[1], int):
            whole, dim, gone = self.parts[refs[0]]
            return self._one(whole, dim, op.args[1], gone=gone)
        if name == "getitem":
            return self._indexed(op, refs[0])
        along, at = given.get("dim"), given.get("index" if name == "select" else "start")
        if name in ("select", "narrow") and isinstance(along, int) and isinstance(at, int):
            return self._one(refs[0], along, at, gone=name == "select") if given.get("length", 1) == 1 else None
        return None

    def _one(self, whole: int, dim: int, at: int, *, gone: bool) -> tuple[int, dict[int, int], list[int]] | None:
        shape = self.shapes[whole]
        if not shape or not -len(shape) <= dim < len(shape):
            return None
        dim %= len(shape)
        return whole, {dim: at % max(1, shape[dim])}, [each for each in range(len(shape)) if each != dim or not gone]

    def _indexed(self, op: Op, whole: int) -> tuple[int, dict[int, int], list[int]] | None:
        shape = self.shapes[whole]
        keys = list(op.args[1]) if isinstance(op.args[1], tuple) else [op.args[1]]
        if not shape or any(isinstance(key, Ref | list) for key in keys):
            return None
        own = sum(key is not None and key is not Ellipsis for key in keys)
        at = keys.index(Ellipsis) if Ellipsis in keys else len(keys)
        keys[at : at + 1] = [SliceValue(None, None, None)] * max(0, len(shape) - own)
        steps, left, dim = dict[int, int](), list[int](), 0
        for key in keys:
            if key is None:
                left.append(-1)
                continue
            if dim >= len(shape):
                return None
            if isinstance(key, int):
                steps[dim] = key % max(1, shape[dim])
            elif isinstance(key, SliceValue):
                left.append(dim)
                start, stop = key.start, key.stop
                if isinstance(start, int) and isinstance(stop, int) and stop - start == 1:
                    steps[dim] = start % max(1, shape[dim])
            dim += 1
        return whole, steps, left

    def chained(self, place: int, op: Op, refs: Sequence[int], wanted: frozenset[int]) -> None:
        """How deep the result is in each chain, and what data joined in this step."""
        depth = dict[int, int]()
        for ref in refs:
            for index, count in self.depth.get(ref, {}).items():
                depth[index] = max(count, depth.get(index, 0))
        for index in depth:
            for ref in refs:
                if index not in self.depth.get(ref, {}):
                    known = self.joined.setdefault(index, {})
                    for key, step in self.at.get(ref, {}).items():
                        if step is not None:
                            known.setdefault(key, set()).add(step)
        for index in {each: None for each, _, _ in self.met(op, refs) if each in wanted}:
            depth[index] = depth.get(index, 0) + 1
        for index, own, state in self.met(op, refs):
            self.how[index] = self._how(op, self.alone[refs[own]], (own, state), self.shapes[refs[state]])
        if depth:
            self.depth[place] = depth

    def _how(
        self, op: Op, own: _Alone, places: tuple[int, int], state: tuple[int, ...] | None
    ) -> tuple[bool, bool, bool]:
        """Whether an input is a table of all pairs, whether the state is multiplied, and whether columns of the input
        stand for what the step begins with.
        """
        name, state = plain_name(op), state or ()
        table = name not in _BY_ELEMENTS or len(state) == 1 or 1 in state[-2:]
        by_columns = state[-1:] != (1,) if name in _BY_ELEMENTS else name == "linear" or places[0] < places[1]
        return table, own.plain and name not in _ADDING, own.turned ^ by_columns


def recurrences(graph: Graph) -> list[Recurrence]:
    """All of them, in the order of their inputs. Computed once."""
    if "_recurrences" not in graph.__dict__:
        graph.__dict__["_recurrences"] = list(_found(graph))
    found: list[Recurrence] = graph.__dict__["_recurrences"]
    return found


def _found(graph: Graph) -> Iterator[Recurrence]:
    walk = StepWalk(graph, [shape for shape, _ in known_forms(graph)])
    walk.begin()
    statements, counts = list(enumerate(renewed(graph).statements, start=len(graph.specs))), dict[int, int]()
    given = {place: [r.index for r in refs_of((*op.args, *(v for _, v in op.kwargs)))] for place, op in statements}
    for place, op in statements:
        walk.followed(place, op, given[place])
        for index in {each for each, _, _ in walk.met(op, given[place])}:
            counts[index] = counts.get(index, 0) + 1
    wanted = frozenset(index for index, count in counts.items() if count >= _LEAST_OF_PRODUCTS)
    for place, op in statements if wanted else ():
        walk.chained(place, op, given[place], wanted)
    deepest = dict[int, int]()
    for depth in walk.depth.values():
        deepest |= {index: max(count, deepest.get(index, 0)) for index, count in depth.items()}
    for index, count in sorted(deepest.items()):
        table, factor, turned = walk.how[index]
        if count >= (_LEAST_OF_PRODUCTS if factor else _LEAST):
            steps = (key for key, at in walk.joined.get(index, {}).items() if len(at) >= _STEPS)
            yield Recurrence(index, table, factor, turned, tuple(sorted(steps)))
