"""Finds inputs of integers of whose rows a graph counts in how many places they are equal, as codes are compared."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.indexing import known_forms
from passnet.graph.values.origins import Origin, forms_all_pairs, given_to, origins
from passnet.graph.values.thresholds import COMPARING
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

_MEETING = word_set("eq ne bitwise_xor")
_COUNTING = word_set("sum mean count_nonzero")


@dataclass(frozen=True)
class CountedRows:
    """Rows of `one` and of `other` are compared place by place, rows of all numbers with all where `pairs`. Both may be
    one input. `differing`: in how many places rows differ that are at a number with which the graph compares the count.
    """

    one: int
    other: int
    pairs: bool
    differing: tuple[int, ...]

    @property
    def inputs(self) -> frozenset[int]:
        return frozenset((self.one, self.other))

    def rows(self, graph: Graph) -> int:
        """How many rows may be like others. None where the inputs are of two kinds or lengths."""
        one, other = (graph.specs[index] for index in (self.one, self.other))
        if one.dtype != other.dtype or one.shape[-1] != other.shape[-1] or one.shape[-1] < 2:
            return 0
        counts = [math.prod(spec.shape[:-1]) for spec in (one, other)]
        return max(counts) // (2 if self.one == self.other else 1)


def counted_of(graph: Graph) -> list[CountedRows]:
    """All of them, each once."""
    return list(dict.fromkeys(_found(graph)))


def _found(graph: Graph) -> Iterator[CountedRows]:
    met, counted = dict[int, tuple[int, int, bool]](), dict[int, tuple[int, int, bool]]()
    numbers, known = dict[tuple[int, int, bool], set[float]](), origins(graph)
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        name, refs = plain_name(op), given_to(graph, op)
        if name in _MEETING and (pair := _pair(graph, refs, place, known)) is not None:
            met[place] = pair
        elif len(refs) == 1 and refs[0] in met:
            whole = known_forms(graph)[refs[0]][0] or ()
            if name in _COUNTING and _along_the_last(op, len(whole)):
                counted[place] = met[refs[0]]
                numbers.setdefault(met[refs[0]], set())
            elif known_forms(graph)[place][0] == whole:
                met[place] = met[refs[0]]
        elif len(refs) == 1 and refs[0] in counted:
            if name in COMPARING:
                numbers[counted[refs[0]]].update(_numbers(graph, op))
            else:
                counted[place] = counted[refs[0]]
    for (one, other, pairs), found in numbers.items():
        differing = _differing(found, graph.specs[one].shape[-1])
        if pairs or differing:
            yield CountedRows(one, other, pairs, differing)


def _pair(graph: Graph, refs: list[int], place: int, known: Sequence[Origin]) -> tuple[int, int, bool] | None:
    """The two inputs of integers whose rows are compared, and whether all pairs of rows are."""
    if len(refs) != 2:
        return None
    one, other = (known[ref].own for ref in refs)
    shapes = [known_forms(graph)[ref][0] or () for ref in refs]
    if one is None or other is None or one.dim >= 0 or other.dim >= 0:
        return None
    specs = [graph.specs[part.index] for part in (one, other)]
    last = [shape[-1:] for shape in (*shapes, *(spec.shape for spec in specs))]
    pairs = forms_all_pairs(graph, refs, place)
    if not all(spec.is_integer for spec in specs) or len(set(last)) > 1 or (one.index == other.index and not pairs):
        return None
    return min(one.index, other.index), max(one.index, other.index), pairs


def _along_the_last(op: Op, rank: int) -> bool:
    dim = arguments(op).get("dim")
    dim = op.args[1] if dim is None and len(op.args) > 1 else dim
    dims = dim if isinstance(dim, tuple | list) else (dim,)
    return any(each in (-1, rank - 1) for each in dims)


def _numbers(graph: Graph, op: Op) -> Iterator[float]:
    """The numbers with which an operation compares."""
    for value in itertools.chain(op.args, (value for _, value in op.kwargs)):
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield float(value)
        for ref in refs_of(value):
            yield from constants(graph).get(ref.index, ())[:1]


def _differing(numbers: set[float], length: int) -> tuple[int, ...]:
    """In how many places rows differ that are at one of these numbers: it counts places or is a share of all, of those
    that differ or of those that do not.
    """
    found = set[int]()
    for number in numbers:
        count = number * length if 0 < number < 1 else number
        found |= {math.floor(count), length - math.ceil(count)} if 0 <= count <= length else set()
    return tuple(sorted(found))
