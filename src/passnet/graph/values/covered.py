"""Finds where a graph marks entries by drawn indices and then asks of all entries: whether every one is met."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, Ref, Value, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import constants, stored
from passnet.graph.values.indexing import indices_of, known_forms
from passnet.graph.values.writes import renewed
from passnet.op_classes import FULL, ONES, REDUCTIONS, RESHAPES, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# These write one number at their indices where their source is one, and these always do.
_MARKING = word_set("scatter scatter_add scatter_reduce index_add index_put setitem index_fill put")
_COUNTING = word_set("one_hot bincount")
_ALONG_ONE = word_set("scatter scatter_add scatter_reduce")
_REDUCING = REDUCTIONS | word_set("prod min max argmin argmax count_nonzero nonzero equal")
_KEEPING = (RESHAPES - {"expand"}) | word_set("clone contiguous detach long int to")
Shape = tuple[int, ...]


@dataclass(frozen=True)
class IndexPart:
    """An input of integers, or one place of it along some dimensions: `path` holds the dimension and the place."""

    index: int
    path: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class LinearIndex:
    """The sum of some parts of inputs, each times its factor, and of `shift`."""

    factors: Mapping[IndexPart, int]
    shift: int = 0

    def scaled(self, factor: int, shift: int = 0) -> LinearIndex:
        """The same times a number, and then more by another one."""
        return LinearIndex({part: each * factor for part, each in self.factors.items()}, self.shift * factor + shift)

    def plus(self, other: LinearIndex) -> LinearIndex:
        """The sum of both."""
        parts = self.factors.keys() | other.factors.keys()
        factors = {part: self.factors.get(part, 0) + other.factors.get(part, 0) for part in parts}
        return LinearIndex(factors, self.shift + other.shift)


@dataclass(frozen=True)
class MarkedEntries:
    """Indices that address entries together, each with how many there are. In memory they are lines of `length`
    elements, `inner` apart, each of which marks entries of its own.
    """

    keys: tuple[LinearIndex, ...]
    entries: tuple[int, ...]
    length: int
    inner: int = field(default=1)


def marked_entries(graph: Graph) -> list[MarkedEntries]:
    """All of them in the order of the program, as far as their indices follow from drawn inputs."""
    if not any(plain_name(op) in _MARKING | _COUNTING for op in graph.statements()):
        return []
    return list(_found(graph))


def _found(graph: Graph) -> Iterator[MarkedEntries]:
    shapes, known = [shape for shape, _ in known_forms(graph)], _Known.of(graph)
    statements, count = renewed(graph).statements, len(graph.specs)
    for place, op in enumerate(statements, start=count):
        name = plain_name(op)
        if name not in _MARKING | _COUNTING or not _is_reduced(graph, place):
            continue
        if name in _MARKING and not known.is_one_number(_written(op, name)):
            continue
        if name == "bincount":
            given = arguments(op)
            value, least = given.get("input"), given.get("minlength")
            taken = [(value.index, least)] if isinstance(value, Ref) and isinstance(least, int) else []
        else:
            taken = [(each.value, each.entries) for each in indices_of(op, shapes)]
        keys = [(known.linear[value], entries) for value, entries in taken if value in known.linear]
        shape = next((shapes[value] for value, _ in taken if value in known.linear), None)
        constant = len(taken) - len(keys)
        if not keys or not shape or any(value not in known.linear and value not in known.numbers for value, _ in taken):
            continue
        rows = name in _ALONG_ONE or constant or name == "one_hot"
        dim = arguments(op).get("dim", -1) if name in _ALONG_ONE else -1
        at = dim % len(shape) if isinstance(dim, int) else len(shape) - 1
        inner = math.prod(shape[at + 1 :]) if rows else 1
        indices, entries = tuple(key for key, _ in keys), tuple(size for _, size in keys)
        yield MarkedEntries(indices, entries, shape[at] if rows else math.prod(shape), inner)


def _is_reduced(graph: Graph, place: int) -> bool:
    """Whether a reduction follows from this value."""
    following = {place}
    for later, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        used = following.intersection(ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs))))
        if used and plain_name(op) in _REDUCING:
            return True
        if used:
            following.add(later)
    return False


def _written(op: Op, name: str) -> Value:
    """What a marking operation writes, or None."""
    if name == "setitem":
        return op.args[2] if len(op.args) > 2 else None
    given, named = arguments(op), dict(op.kwargs)
    found = next((given[each] for each in ("src", "source", "values", "value") if given.get(each) is not None), None)
    return found if found is not None else (op.args[3] if len(op.args) > 3 else named.get("value"))


@dataclass(frozen=True)
class _Known:
    """What is known of values: the linear functions of drawn integers, and the numbers of constants."""

    numbers: Mapping[int, tuple[float, ...]]
    ones: frozenset[int]
    linear: dict[int, LinearIndex]

    @classmethod
    def of(cls, graph: Graph) -> _Known:
        """Those of a graph."""
        shapes, numbers = [shape for shape, _ in known_forms(graph)], constants(graph)
        linear = {
            index: LinearIndex({IndexPart(index): 1})
            for index, spec in enumerate(graph.specs)
            if spec.is_integer and stored(spec) is None and spec.shape
        }
        ones, count = set[int](), len(graph.specs)
        for place, op in enumerate(renewed(graph).statements, start=count):
            if op.leaf in ONES | FULL:
                ones.add(place)
            if (made := _linear(op, place, linear, numbers, shapes)) is not None:
                linear[place] = made
        return cls(numbers, frozenset(ones), linear)

    def is_one_number(self, value: Value) -> bool:
        """Whether a value is the same number at every place."""
        if isinstance(value, Ref):
            return value.index in self.ones or len(self.numbers.get(value.index, ())) == 1
        return isinstance(value, int | float)


def _linear(
    op: Op,
    place: int,
    linear: Mapping[int, LinearIndex],
    numbers: Mapping[int, tuple[float, ...]],
    shapes: Sequence[Shape | None],
) -> LinearIndex | None:
    """What a result is of parts of inputs. None where it is no linear function of them, element by element."""
    name = plain_name(op)
    values = [*op.args, *(value for _, value in op.kwargs)]
    used = [ref.index for ref in refs_of(values) if ref.index in linear]
    shape = shapes[place]
    if not used or not shape or any(math.prod(shapes[each] or ()) != math.prod(shape) for each in used):
        return _selected(op, name, linear, used)
    if name in _KEEPING:
        return linear[used[0]]
    if name not in ("add", "sub", "mul") or len(op.args) != 2:
        return None
    one, other = (_operand(each, linear, numbers) for each in op.args)
    if isinstance(one, LinearIndex) and isinstance(other, LinearIndex):
        alike = shapes[used[0]] == shapes[used[-1]]
        return one.plus(other.scaled(-1 if name == "sub" else 1)) if name != "mul" and alike else None
    return _with_a_number(name, one, other)


def _with_a_number(name: str, one: LinearIndex | int | None, other: LinearIndex | int | None) -> LinearIndex | None:
    """The sum, difference or product of an index and a number."""
    if isinstance(one, LinearIndex) and isinstance(other, int):
        return one.scaled(other) if name == "mul" else one.scaled(1, -other if name == "sub" else other)
    if isinstance(one, int) and isinstance(other, LinearIndex):
        return other.scaled(one) if name == "mul" else other.scaled(-1 if name == "sub" else 1, one)
    return None


def _operand(
    value: Value, linear: Mapping[int, LinearIndex], numbers: Mapping[int, tuple[float, ...]]
) -> LinearIndex | int | None:
    if isinstance(value, Ref):
        same = numbers.get(value.index, ())
        return linear.get(value.index) or (int(same[0]) if len(same) == 1 and same[0] % 1 == 0 else None)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _selected(op: Op, name: str, linear: Mapping[int, LinearIndex], used: Sequence[int]) -> LinearIndex | None:
    """One place of an input along a dimension: the sources of edges are the first row of these."""
    if len(used) != 1 or len(linear[used[0]].factors) != 1:
        return None
    before = linear[used[0]]
    ((part, factor),) = before.factors.items()
    if factor != 1 or before.shift:
        return None
    dim: Value = None
    at: Value = None
    if name == "select":
        dim, at = arguments(op).get("dim"), arguments(op).get("index")
    elif name == "getitem" and len(op.args) > 1:
        keys = list(op.args[1]) if isinstance(op.args[1], tuple) else [op.args[1]]
        places = [place for place, key in enumerate(keys) if isinstance(key, int) and not isinstance(key, bool)]
        if len(places) == 1 and (places[0] == 0 or keys[0] is Ellipsis) and len(keys) <= 2:
            dim, at = (0, keys[0]) if places[0] == 0 and len(keys) == 1 else (-1, keys[-1])
            at = at if keys[0] is Ellipsis or len(keys) == 1 else None
    if not isinstance(dim, int) or not isinstance(at, int):
        return None
    return LinearIndex({replace(part, path=(*part.path, (dim, at))): 1})
