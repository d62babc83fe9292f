"""Careful draws of evenly spaced rows, for graphs that take differences of neighbours: regular time stamps, offsets of
blocks of one size.

Where elements are drawn one by one, or count, neighbours never differ by the number for which a program asks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import bounds_of
from passnet.bench.draws.content.input_source import Backgrounds, InputSource, Sources
from passnet.bench.draws.content.integer_ranges import ranges_of
from passnet.bench.draws.integers.whole_numbers import MOST_COUNTED
from passnet.bench.wire.generator import BLENDS
from passnet.graph.values.indexing import writing_indices
from passnet.graph.values.neighbours import Neighbours, neighbours

if TYPE_CHECKING:
    from passnet.graph import Graph, TensorSpec

# So many draws, and so many where an input has few rows, of which each is of one kind.
_DRAWS, _OF_FEW, _FEW = 2, 3, 8
# In the last draw one row of so many is evenly spaced. So many steps of an input are secret ones.
_LONE, _SECRET = 16, 2
# So many lines are of steps of their own, and then the same ones come again.
_PATTERNS = 96
# A step of floats is so many of the smallest ones at least, at the size of a row's numbers.
_LEAST_STEP = 16.0
# A run of a line is evenly spaced, of so many of its places at least.
_LEAST_RUN = 2
# The numbers of a line's places, as if each counted up from zero, and which of them are evenly spaced.
Places = tuple[torch.Tensor, slice]
Shape = Callable[[int, Random], Places]


@dataclass(frozen=True)
class _Lines:
    """The lines of an input along one dimension, and what they may hold. `outer`: as many blocks of lines as are drawn.
    More of them come again.
    """

    spec: TensorSpec
    source: InputSource
    low: float
    high: float
    outer: int
    length: int
    inner: int
    steps: tuple[float, ...]

    @classmethod
    def of(cls, spec: TensorSpec, source: InputSource, ends: tuple[float, float], known: Neighbours) -> _Lines | None:
        """None where a dimension is too long, or has no neighbours."""
        length, inner = spec.shape[known.dim], math.prod(spec.shape[known.dim + 1 :])
        outer = min(math.prod(spec.shape[: known.dim]), MOST_COUNTED // (length * inner) if length * inner else 0)
        return cls(spec, source, *ends, outer, length, inner, known.steps) if outer and length > 1 else None

    @property
    def count(self) -> int:
        return self.outer * self.inner

    def drawn(self, turn: int, rng: Random, *, lone: bool) -> InputSource | None:
        """Lines that are evenly spaced, each in a way of its own: all, or a few of them. None where no step fits."""
        steps = [*self.steps, *(self._secret(rng) for _ in range(_SECRET))]
        ways = [(shape, step) for shape in (_whole, _with_a_gap, _run) for step in steps if self._window(abs(step))]
        if not ways:
            return None
        lines = self._own(torch.Generator().manual_seed(rng.getrandbits(48)))
        patterns = [self._pattern(*ways[(turn + each) % len(ways)], rng) for each in range(min(self.count, _PATTERNS))]
        chosen = rng.sample(range(self.count), -(-self.count // _LONE)) if lone else range(self.count)
        for number, line in enumerate(chosen):
            values, places = patterns[number % len(patterns)]
            lines[line, places] = values[places]
        content = lines.clamp(self.low, self.high).reshape(self.outer, self.inner, self.length).transpose(1, 2)
        return self.source.of_repeated(content.to(getattr(torch, self.spec.dtype)), self.spec.numel)

    def _own(self, generator: torch.Generator) -> torch.Tensor:
        """Lines as they are usually drawn: of whole numbers from anywhere, or of the table."""
        shape = (self.count, self.length)
        if self.spec.is_integer:
            last = min(int(self.high), torch.iinfo(torch.int64).max - 1)
            return torch.randint(int(self.low), last + 1, shape, generator=generator)
        table = self.source.table.double()
        return table[torch.randint(len(table), shape, generator=generator)]

    def _secret(self, rng: Random) -> float:
        """A step of which nobody knows, of either sign. A line is no wider with it than the input's numbers are."""
        sign = rng.choice((1.0, -1.0))
        if self.spec.is_integer:
            most = max(2, (int(self.high) - int(self.low)) // (self.length - 1))
            return sign * min(most, int(2 ** rng.uniform(1, math.log2(most + 1))))
        wide = float(self.source.table.max()) - float(self.source.table.min())
        return sign * wide * rng.uniform(0.25, 1.0) / self.length

    def _window(self, size: float) -> tuple[float, float] | None:
        """Between which numbers a line of such steps is. None where it has no room. The differences of floats do not
        round there.
        """
        if self.spec.is_integer:
            return (self.low, self.high) if size <= self.high - self.low else None
        reach = size / (_LEAST_STEP * torch.finfo(getattr(torch, self.spec.dtype)).eps)
        low, high = max(self.low, -reach), min(self.high, reach)
        return (low, high) if high - low >= size else None

    def _pattern(self, shape: Shape, step: float, rng: Random) -> Places:
        """A line, and which of its places are evenly spaced. Where it would leave the range it begins again."""
        places, which = shape(self.length, rng)
        size = abs(int(step)) if self.spec.is_integer else abs(step)
        low, high = self._window(size) or (self.low, self.high)
        fits = int(min(int(places.max()) + 1, (high - low) // size + 1))
        last = high - size * (fits - 1)
        begin = low if self.low >= 0 else min(max(0, low), last)
        if self.spec.is_integer:
            begin = begin if rng.random() < 0.5 else rng.randint(int(low), int(last))
        else:
            own = float(self.source.table[rng.randrange(len(self.source.table))])
            begin = begin if rng.random() < 0.5 else min(max(own, low), last)
            most = max(abs(begin), abs(begin + size * (fits - 1)))
            unit = 2.0 ** math.frexp(most)[1] * torch.finfo(getattr(torch, self.spec.dtype)).eps
            begin, size = round(begin / unit) * unit, round(size / unit) * unit
        at = places % fits if self.spec.is_integer else (places % fits).double()
        return begin + (at if step > 0 else fits - 1 - at) * size, which


def even_steps(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws: in one all rows are evenly spaced, or all but one place of them, or a run amid them. In the next one
    this is so of a few rows, if the program compares differences with numbers. Of few rows there is another draw in
    place of that. None where a graph takes no difference of neighbours. No index at which is written.
    """
    known = neighbours(graph, rng)
    base = next(usual) if known else ()
    ends = _ends(graph, known, base) if known else {}
    made: list[list[InputSource]] = []
    for draw in range(_OF_FEW if ends else 0):
        row, more = list(next(usual) if made else base), False
        for index, each in ends.items():
            some = known[index][draw % len(known[index])]
            lines = _Lines.of(graph.specs[index], row[index], each, some)
            few = lines is not None and lines.count < _FEW
            if lines is None or draw >= (_DRAWS + few if some.steps else 1):
                continue
            drawn = lines.drawn(draw * lines.count if few else 0, rng, lone=draw > 0 and not few)
            if drawn is not None:
                row[index], more = drawn, True
        if more:
            made.append(row)
    return made


def _ends(graph: Graph, known: Collection[int], usual: Sources) -> dict[int, tuple[float, float]]:
    """What inputs may hold whose neighbours are compared, of those that are drawn."""
    writing, found = writing_indices(graph), dict[int, tuple[float, float]]()
    ranges = ranges_of(graph, usual)
    for index in sorted(known):
        spec, each = graph.specs[index], usual[index]
        if index in ranges and index not in writing and not each.rises:
            found[index] = ranges[index]
        elif spec.is_floating and each.kind in BLENDS.values() and each.is_plain and spec.data is None:
            found[index] = bounds_of(graph, index) or (0.0, 0.0)
    return found


def _whole(length: int, rng: Random) -> Places:
    return torch.arange(length), slice(0, length)


def _with_a_gap(length: int, rng: Random) -> Places:
    places = torch.arange(length)
    places[rng.randrange(1, length) :] += 1
    return places, slice(0, length)


def _run(length: int, rng: Random) -> Places:
    """A run anywhere, and as often short as long."""
    size = int(2 ** rng.uniform(math.log2(min(_LEAST_RUN, length)), math.log2(length)))
    first = rng.randint(0, length - size)
    return torch.arange(length), slice(first, first + size)
