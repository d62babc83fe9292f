"""Finds inputs of integers that a graph compares with each other in both roles, as edges and their reverses are."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.indexing import known_forms
from passnet.graph.values.moves import MEETING, flipped_dims
from passnet.graph.values.origins import InputPart, Origin, forms_all_pairs, given_to, origins
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# One of two codes of a pair is looked for among the others.
_LOOKING = MEETING | word_set("searchsorted")
_EQUALITY = word_set("eq ne")
# Of fewer pairs none can be drawn, be another one's reverse, be the same again, and be half of a reverse.
LEAST_PAIRS = 4


@dataclass(frozen=True)
class Reversed:
    """At one place these hold two numbers, and at another place they may hold the same ones exchanged."""

    one: InputPart
    other: InputPart

    @property
    def inputs(self) -> frozenset[int]:
        return frozenset((self.one.index, self.other.index))

    def rows(self, graph: Graph) -> int:
        """One, if both are integers of one kind and shape and have several places. All of these are one row."""
        one, other = (graph.specs[part.index] for part in (self.one, self.other))
        mine, its = _shape(one.shape, self.one), _shape(other.shape, self.other)
        alike = one.is_integer and one.dtype == other.dtype and mine == its
        return int(alike and math.prod(mine) >= LEAST_PAIRS)


def reversed_of(graph: Graph) -> list[Reversed]:
    """All of them, each once."""
    return list(dict.fromkeys(_found(graph)))


def _found(graph: Graph) -> Iterator[Reversed]:
    known, seen, turned = origins(graph), dict[Reversed, bool](), dict[int, Reversed]()
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        name, refs = plain_name(op), given_to(graph, op)
        if len(refs) == 1 and (pair := turned.get(refs[0]) or _turned(graph, op, refs[0], known)) is not None:
            turned[place] = pair
        for one, other in itertools.combinations(refs, 2) if name in _LOOKING else ():
            parts = known[one].parts
            mine, its = known[one].own, known[other].own
            yield from (turned[ref] for ref in (one, other) if ref in turned and mine == its)
            if len(parts) == 2 and parts == known[other].parts:
                yield _pair(*parts)
            elif mine is not None and its is not None and mine != its and name in _EQUALITY:
                pair, before = _pair(mine, its), _is_before(graph, one, other) == (_pair(mine, its).one == mine)
                if forms_all_pairs(graph, (one, other), place) and seen.setdefault(pair, before) != before:
                    yield pair


def _pair(one: InputPart, other: InputPart) -> Reversed:
    return Reversed(*sorted((one, other), key=lambda part: (part.index, part.dim, part.place)))


def _is_before(graph: Graph, one: int, other: int) -> bool:
    """Which of two values is repeated along the earlier dimension."""
    forms = known_forms(graph)
    shapes = [forms[ref][0] or () for ref in (one, other)]
    rank = max(map(len, shapes))
    wide = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    return next((mine == 1 for mine, its in zip(*wide, strict=True) if mine != its), False)


def _turned(graph: Graph, op: Op, ref: int, known: Sequence[Origin]) -> Reversed | None:
    """Both places of a dimension along which an operation turns an input round."""
    own = known[ref].own
    shape = graph.specs[own.index].shape if own is not None and own.dim < 0 else ()
    if own is None or not shape or known_forms(graph)[ref][0] != shape:
        return None
    pairs = (dim for dim in flipped_dims(op, constants(graph), len(shape)) if shape[dim] == 2)
    return next((Reversed(InputPart(own.index, dim, 0), InputPart(own.index, dim, 1)) for dim in pairs), None)


def _shape(shape: tuple[int, ...], part: InputPart) -> tuple[int, ...]:
    return shape if part.dim < 0 else (*shape[: part.dim], *shape[part.dim + 1 :])
