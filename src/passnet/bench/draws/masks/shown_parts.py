"""Which parts of masks are shown in careful draws: all up to padding, a run, a few elements, or a region of a matrix.

Where each element of a mask is drawn by itself, half of a row is shown and no place tells anything of the next one. The
masks of real models are padding, the same for ids beside them. No draw is made for most of it: masks that are ordinary
in a draw of something else are padded in it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import bits_of, number_of
from passnet.bench.draws.content.integer_ranges import ranges_of
from passnet.bench.draws.content.row_content import are_two, extremes
from passnet.bench.wire.generator import ALIKE_ROWS, BLENDS, KEPT, LEFT, MIXED, REGIONS, RIGHT, SHARED_ROWS, DrawnRow
from passnet.graph.values.indexing import writing_indices

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph, TensorSpec

Sources = Sequence["InputSource"]
_PADDING = (RIGHT, LEFT, RIGHT | ALIKE_ROWS, LEFT | ALIKE_ROWS)
# So many draws hold each kind, because one of them may be of data on which masks change nothing.
_TIMES = 3


@dataclass(frozen=True)
class ShownParts:
    """Gives masks, and ids beside them, parts that are shown.

    `marks`: inputs that are drawn and take two numbers, and their rows. `ids`: integers that take more, and theirs,
    with the least and the largest number that they may be padded with.
    """

    graph: Graph
    usual: Sequence[Sources]
    marks: Mapping[int, DrawnRow]
    ids: Mapping[int, tuple[DrawnRow, tuple[int, int]]]

    @classmethod
    def of(cls, graph: Graph, usual: Sequence[Sources], others: Sequence[Sources] = ()) -> ShownParts:
        """Of these usual draws. `others`: what is in them of those in which masks hide nothing is ordinary too."""
        marks, ids = dict[int, DrawnRow](), dict[int, tuple[DrawnRow, tuple[int, int]]]()
        for index, (spec, each) in enumerate(zip(graph.specs, usual[0], strict=True)):
            row = _row_of_marks(spec, each)
            if row is not None and row.length > 1:
                marks[index] = row
        for index, ends in ranges_of(graph, usual[0]).items():
            row = extremes(graph.specs[index].shape, usual[0][index].values)
            if row is not None and index not in marks and index not in writing_indices(graph):
                ids[index] = row, ends
        return cls(graph, [*usual, *others], marks, ids)

    def own_draws(self, backgrounds: Iterator[Sources], others: Sequence[Sources]) -> list[list[InputSource]]:
        """Draws of these alone: of regions, of two masks that are the same, opposite or apart, and as many as are
        lacking among the others. Where a graph lets two masks hide together, eager may have no number if these are
        apart. So no other draw has such.
        """
        made = []
        heights = {index: height for index in self.marks if (height := self._height(index)) > 1}
        if heights:
            made.append(self._shown(next(backgrounds), REGIONS, heights))
        if len(self.marks) > 1:
            made += [self._shown(next(backgrounds), MIXED | SHARED_ROWS | more, self.marks) for more in (0, ALIKE_ROWS)]
        lacking = len(self._kinds()) - sum(map(self._is_free, others))
        return made + [list(next(backgrounds)) for _ in range(lacking)]

    def in_others(self, draws: Sequence[Sources], rng: Random) -> list[list[InputSource]]:
        """These draws, of which some have masks with a part that is shown, and ids with padding: every other one, or
        two of three where they are few, in a secret order.
        """
        made = [list(row) for row in draws]
        kinds = rng.sample(self._kinds(), len(self._kinds()))
        free = [number for number, row in enumerate(draws) if kinds and self._is_free(row)]
        least = max(len(kinds), min(_TIMES * len(kinds), 2 * len(free) // 3))
        count = min(len(free), max(least, len(free) // 2))
        for turn, number in enumerate(rng.sample(free, count)):
            kind = kinds[turn % len(kinds)]
            if kind & ~ALIKE_ROWS != MIXED:
                kind |= rng.choice((0, SHARED_ROWS))
            own = [index for index in self.marks if self._is_own(draws[number], index)]
            # Of scores with a mask in them what is shown may stay as it is drawn.
            scores = [index for index in own if draws[number][index].kind in BLENDS.values()]
            kept = scores if rng.random() < 0.5 else ()
            made[number] = self._shown(draws[number], kind, own, kept)
            for index, (row, (low, high)) in self.ids.items() if kind & ~ALIKE_ROWS != MIXED else ():
                if self._is_own(draws[number], index):
                    padding = rng.choice((low, low, high, rng.randint(low, high)))
                    made[number][index] = self._padded(draws[number][index], index, replace(row, uneven=kind), padding)
        return made

    def _kinds(self) -> list[int]:
        """A run and scattered elements only where no other mask can hide what one shows."""
        if not self.marks and not self.ids:
            return []
        return [*_PADDING, *((MIXED, MIXED | ALIKE_ROWS) if len(self.marks) == 1 else ())]

    def _is_free(self, draw: Sources) -> bool:
        """Whether a draw has its masks from a usual one, or its ids where there are no masks."""
        return all(self._is_own(draw, index) for index in self.marks or self.ids)

    def _is_own(self, draw: Sources, index: int) -> bool:
        return any(draw[index] is row[index] for row in self.usual)

    def _shown(
        self, draw: Sources, kind: int, indices: Mapping[int, object] | Sequence[int], kept: Sequence[int] = ()
    ) -> list[InputSource]:
        made = list(draw)
        for index in indices:
            height, more = self._height(index) if kind == REGIONS else 1, KEPT if index in kept else 0
            made[index] = replace(draw[index], row=replace(self.marks[index], uneven=kind | more, height=height))
        return made

    def _padded(self, source: InputSource, index: int, row: DrawnRow, padding: int) -> InputSource:
        bits = bits_of(torch.tensor([padding], dtype=getattr(torch, self.graph.specs[index].dtype)))
        return replace(source, row=replace(row, last=bits, uneven=row.uneven | KEPT))

    def _height(self, index: int) -> int:
        """How many rows a matrix of a mask has. One where there are no matrices, or where a row that hides all would
        leave no number.
        """
        shape, row = self.graph.specs[index].shape, self.marks[index]
        dims = next(dims for dims in range(1, len(shape) + 1) if math.prod(shape[-dims:]) == row.length)
        dtype = getattr(torch, self.graph.specs[index].dtype)
        infinite = dtype.is_floating_point and math.isinf(number_of(row.last, dtype))
        return shape[-dims - 1] if len(shape) > dims and not infinite else 1


def _row_of_marks(spec: TensorSpec, source: InputSource) -> DrawnRow | None:
    """The row of an input that is drawn and takes two numbers. None of any other."""
    if source.same or spec.is_complex or spec.numel < 2:
        return None
    if source.row.length:
        return replace(source.row, uneven=0)
    row = extremes(spec.shape, source.values) if are_two(source.values) else None
    return row and replace(row, first=row.last, last=row.first)  # 1 is shown, and 0 of numbers that hide
