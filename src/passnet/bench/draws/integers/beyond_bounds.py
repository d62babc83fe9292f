"""Careful draws of the numbers that a program looks for and that no recorded call had.

The bounds of a task are those of its recorded calls. A call without a picture has no word that stands for one, and
labels of nothing are in no batch that has none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import bits_of
from passnet.bench.draws.content.input_source import SPANS, Backgrounds, InputSource
from passnet.bench.draws.content.row_content import extremes
from passnet.bench.wire.generator import KEPT, LEFT, RIGHT, SHARED_ROWS, UNEVEN
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.indexing import writing_indices
from passnet.graph.values.looked_up import may_be
from passnet.graph.values.thresholds import comparisons
from passnet.graph.values.turns import BOUNDING, ORDERING

if TYPE_CHECKING:
    from passnet.graph import Graph, TensorSpec

# So many of an input's numbers are taken. An input of fewer elements holds one of them alone.
_MOST, _FEW_ELEMENTS = 16, 8
# In one draw so many elements of an input hold such a number, and it is one of so many at most.
_RARELY, _MOST_APART = 8, SPANS // 2
_ENDS = (RIGHT, LEFT)
Change = Callable[["NumbersBeyond", InputSource, Random], InputSource]


def beyond_bounds(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws, in which integers with bounds hold such numbers: half of all elements, a few of them, the ends of rows
    and their beginnings, and whole rows. None where nothing looks for any.
    """
    numbers = {index: _beyond(graph.specs[index], each, rng) for index, each in looked_for(graph).items()}
    found = {index: known for index, each in numbers.items() if (known := NumbersBeyond.of(graph, index, each))}
    return held_everywhere(found, usual, rng)


def held_everywhere(found: Mapping[int, NumbersBeyond], usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws in which such numbers are amid rows, at their ends, at their beginnings, and all of them."""
    kinds: list[Change] = [half_of_all, in_a_few, *(partial(_padded, kind=kind) for kind in _ENDS), whole_rows]
    return held_by_draws([(found, change) for change in kinds], usual, rng)


def held_by_draws(
    changes: Iterable[tuple[Mapping[int, NumbersBeyond], Change]], usual: Backgrounds, rng: Random
) -> list[list[InputSource]]:
    """A draw for each of these in which inputs hold such numbers."""
    made = []
    for found, change in changes:
        base = next(usual)
        row = list(base)
        for index, known in found.items():
            if not base[index].same and not base[index].row.length:
                row[index] = change(known, base[index], rng)
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


@dataclass(frozen=True)
class NumbersBeyond:
    """Numbers beyond an input's bounds: those that it may hold anywhere, and those only behind others."""

    spec: TensorSpec
    anywhere: torch.Tensor
    behind: torch.Tensor

    @classmethod
    def of(cls, graph: Graph, index: int, numbers: Sequence[int]) -> NumbersBeyond | None:
        """Those of some numbers that it may hold. None where there are none."""
        spec = graph.specs[index]
        if not spec.numel or index in writing_indices(graph):
            return None
        anywhere = [number for number in numbers if may_be(graph, index, number)]
        behind = [number for number in numbers if number in anywhere or may_be(graph, index, number, behind=True)]
        values = (torch.tensor(some, dtype=getattr(torch, spec.dtype)) for some in (anywhere, behind))
        return cls(spec, *values) if behind else None

    @property
    def few(self) -> bool:
        return self.spec.numel < _FEW_ELEMENTS

    def one(self, rng: Random) -> torch.Tensor:
        return self.anywhere[rng.randrange(len(self.anywhere))].reshape(1)


def half_of_all(known: NumbersBeyond, source: InputSource, rng: Random) -> InputSource:
    if not len(known.anywhere):
        return source
    return source.of_these(known.one(rng)) if known.few else source.mixed(known.anywhere, 2)


def in_a_few(known: NumbersBeyond, source: InputSource, rng: Random) -> InputSource:
    """One number in a few elements. Who looks at some of them does not know the others."""
    if known.few or not len(known.anywhere):
        return source
    return source.mixed(known.one(rng), max(2, min(known.spec.numel // _RARELY, _MOST_APART)))


def _padded(known: NumbersBeyond, source: InputSource, rng: Random, *, kind: int) -> InputSource:
    numbers = known.behind if kind == RIGHT else known.anywhere
    row = extremes(known.spec.shape, source.values)
    if row is None or not len(numbers):
        return source
    padding = bits_of(numbers[rng.randrange(len(numbers))].reshape(1))
    return replace(source, row=replace(row, last=padding, uneven=kind | KEPT | rng.choice((0, SHARED_ROWS))))


def whole_rows(known: NumbersBeyond, source: InputSource, rng: Random) -> InputSource:
    """Some rows are one number, others an own one, and in half of these one element is the other one."""
    row = extremes(known.spec.shape, source.values)
    if row is None or not len(known.anywhere):
        return source
    return replace(source, row=replace(row, last=bits_of(known.one(rng)), uneven=UNEVEN))


def looked_for(graph: Graph) -> dict[int, set[int]]:
    """Input of integers -> the numbers with which a program compares it, or a sum of it and a number. Where it asks for
    an order by one number, or clamps, those next to it too: what is below zero is what `ids < 0` asks for.

    What leads to a number by a quotient or a remainder is left out: no word says that a count may be below zero.
    """
    found, sides = dict[int, set[int]](), dict[tuple[int, int, bool], set[int]]()
    for each in comparisons(graph, places=True):
        for index, form in each.forms.items():
            number = (each.number - form.shift) / form.factor if form.exact and form.linear else math.nan
            if graph.specs[index].is_integer and number.is_integer():
                found.setdefault(index, set()).add(int(number))
                if (name := plain_name(each.op)) in BOUNDING or name in ORDERING:
                    sides.setdefault((index, id(each.op), name in BOUNDING), set()).add(int(number))
    for (index, _, bounding), numbers in sides.items():
        if len(numbers) <= 1 + bounding:
            found[index] |= {number + step for number in numbers for step in (-1, 1)}
    return found


def _beyond(spec: TensorSpec, numbers: Collection[int], rng: Random) -> list[int]:
    """Those which an input's dtype has and its bounds do not have."""
    if spec.min_val is None or spec.max_val is None:
        return []
    ends = torch.iinfo(getattr(torch, spec.dtype))
    most = min(ends.max, torch.iinfo(torch.int64).max)
    beyond = sorted(n for n in numbers if ends.min <= n <= most and not spec.min_val <= n <= spec.max_val)
    return rng.sample(beyond, min(_MOST, len(beyond)))
