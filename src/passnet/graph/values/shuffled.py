"""Finds inputs that a graph compares whatever the order of their numbers, as words and their anagrams, and sets."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.moves import MEETING
from passnet.graph.values.origins import Origin, forms_all_pairs, given_to, origins
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# Where all pairs of numbers of two rows are compared in these, their order does not matter.
_EQUALITY = word_set("eq ne isin")


@dataclass(frozen=True)
class Shuffled:
    """Rows of input `one` and of input `other` may be of the same numbers in another order. Rows are along these
    dimensions of each. Both may be one input.
    """

    one: int
    other: int
    along: tuple[int, ...]
    beside: tuple[int, ...]

    @property
    def inputs(self) -> frozenset[int]:
        return frozenset((self.one, self.other))

    def rows(self, graph: Graph) -> int:
        """How many rows the one has that has more. None where the inputs are of two kinds or rows of one number."""
        shapes = [graph.specs[index].shape for index in (self.one, self.other)]
        lengths = [
            math.prod(shape[dim] for dim in dims) for shape, dims in zip(shapes, (self.along, self.beside), strict=True)
        ]
        alike = graph.specs[self.one].dtype == graph.specs[self.other].dtype and min(lengths) > 1
        counts = [math.prod(shape) // length for shape, length in zip(shapes, lengths, strict=True) if length]
        return max(counts) // (2 if self.one == self.other else 1) if alike else 0


def shuffled_of(graph: Graph) -> list[Shuffled]:
    """All of them, each once."""
    return list(dict.fromkeys(_found(graph)))


def _found(graph: Graph) -> Iterator[Shuffled]:
    known = origins(graph)
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        refs = given_to(graph, op) if plain_name(op) in MEETING else []
        for one, other in itertools.combinations(refs, 2):
            pairs = itertools.product(known[one].loose.items(), known[other].loose.items())
            for (index, dims), (beside, its) in pairs:
                if index != beside or forms_all_pairs(graph, (one, other), place):
                    (first, along), (last, across) = sorted(((index, dims), (beside, its)))
                    yield Shuffled(first, last, along, across)
            yield from _members(graph, op, place, (one, other), known)


def _members(graph: Graph, op: Op, place: int, refs: Sequence[int], known: Sequence[Origin]) -> Iterator[Shuffled]:
    """Two inputs of integers of which each number of one is compared with each number of the other."""
    one, other = (known[ref].own for ref in refs)
    name = plain_name(op)
    if one is None or other is None or one.index == other.index or name not in _EQUALITY:
        return
    specs = [graph.specs[part.index] for part in (one, other)]
    if not all(spec.is_integer for spec in specs) or not (name == "isin" or forms_all_pairs(graph, refs, place)):
        return
    along, beside = (tuple(range(len(spec.shape))) if name == "isin" else (len(spec.shape) - 1,) for spec in specs)
    yield Shuffled(one.index, other.index, along, beside)
