"""Careful draws for graphs that mix neighbours, in which each line has a structure of its own, in all lines or in some.

Real sound has a few tones, and real pictures have edges. And where a whole input resembles its neighbours, a look at a
few places sees it: a form could then take the right way, and the short one for all others. So in seven draws only some
lines or a region have any structure, from many to few, and all else is drawn one by one. No line's own numbers tell it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import through_table
from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.bench.draws.relations.field_kinds import (
    Field,
    FieldBlock,
    content_source,
    is_drawn_freely,
    torch_generator,
)
from passnet.bench.draws.relations.line_kinds import hidden, tones, uneven
from passnet.bench.draws.relations.smooth_fields import filters_source, without_mean
from passnet.graph.values.mixed_dims import mixed_dims

if TYPE_CHECKING:
    from passnet.graph import Graph

# Of each draw: what lines have, in which share of them, and whether in whole lines or else in such a share of each. The
# first two are of all lines, the next of some, of a few and of one or two, each twice, and the last of a region in all.
_DRAWS: Sequence[tuple[Field, tuple[float, float], bool]] = (
    (tones, (1.0, 1.0), True),
    (uneven, (1.0, 1.0), True),
    *[(hidden, (0.15, 0.4), True)] * 2,
    *[(hidden, (0.04, 0.12), True)] * 2,
    *[(hidden, (1e-9, 1e-9), True)] * 2,
    (hidden, (0.1, 0.3), False),
)
# A region is such a share of a line at least, and has so many places along each dimension.
_LEAST_SHARE, _LEAST_PLACES = 0.04, 8
# Where there are so many lines, one of them is few. So are all channels of one picture of so many.
_MANY_LINES = 8
# Where parts have a structure, filters are as usual in one draw of so many. In the others they sum to zero.
_AS_USUAL = 4


@dataclass(frozen=True)
class MarkedPart:
    """What has a structure in a field: some of its lines, and where in these along each mixed dimension."""

    lines: torch.Tensor
    places: tuple[slice, ...]

    @classmethod
    def of(cls, block: FieldBlock, share: float, rng: Random, *, whole: bool) -> MarkedPart:
        """Whole lines, which are scattered or one after another, or all channels of some pictures, or a region of all.
        Where there are few lines it is a region of one.
        """
        sizes = [block.shape[dim] for dim in block.dims]
        count = math.prod(block.shape) // math.prod(sizes)
        if whole and (count >= _MANY_LINES or share * count >= 1):
            together = 1 if block.channels is None else rng.choice((1, block.shape[block.channels]))
            together = together if count // together >= _MANY_LINES else 1
            groups = count // together
            number = min(groups, max(rng.randint(1, 2), round(share * groups)))
            chosen = (rng.randrange(groups) + torch.arange(number)) % groups
            scattered = torch.randperm(groups, generator=torch_generator(rng))[:number]
            chosen = rng.choice((chosen, scattered))
            lines = (chosen[:, None] * together + torch.arange(together)).flatten()
            return cls(lines, tuple(slice(0, size) for size in sizes))
        size = min(1.0, max(share * count if whole else share, _LEAST_SHARE)) ** (1 / len(sizes))
        lengths = [min(length, max(_LEAST_PLACES, round(size * length))) for length in sizes]
        first = [rng.randint(0, length - own) for own, length in zip(lengths, sizes, strict=True)]
        places = tuple(slice(at, at + own) for at, own in zip(first, lengths, strict=True))
        return cls(torch.tensor([rng.randrange(count)]) if whole else torch.arange(count), places)

    def field(self, block: FieldBlock, kind: Field, rng: Random) -> torch.Tensor:
        """Numbers that are drawn one by one but for this part."""
        generator = torch_generator(rng)
        order = [dim for dim in range(len(block.shape)) if dim not in block.dims] + list(block.dims)
        sizes = [block.shape[dim] for dim in order]
        lines = block.noise(sizes, generator).reshape(-1, *sizes[len(sizes) - len(block.dims) :])
        lengths = [each.stop - each.start for each in self.places]
        part = FieldBlock((len(self.lines), *lengths), tuple(range(1, len(lengths) + 1)), None)
        at: tuple[torch.Tensor | slice, ...] = (self.lines, *self.places)
        lines[at] = part.scaled(kind(part, generator, rng))
        return lines.reshape(sizes).permute([order.index(dim) for dim in range(len(sizes))])


def part_fields(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Nine draws: of tones, of levels, slopes and spikes, and seven in which parts have a structure. None where no
    neighbours are mixed.
    """
    known = mixed_dims(graph)
    made: list[list[InputSource]] = []
    for kind, shares, whole in _DRAWS if known.fields else ():
        base, share, seed = next(usual), math.exp(rng.uniform(*map(math.log, shares))), rng.getrandbits(48)
        row = list(base)
        for index, dims in known.fields.items():
            spec, own = graph.specs[index], base[index]
            block = FieldBlock.of(spec.shape, dims)
            if block.dims and is_drawn_freely(spec, own):
                part = MarkedPart.of(block, share, Random(seed), whole=whole)  # in one place of inputs of one shape
                values = through_table(own, part.field(block, kind, rng))
                row[index] = content_source(spec, own, values, spec.numel)
        if all(each is other for each, other in zip(row, base, strict=True)):
            continue
        for index, dims in known.filters.items() if kind is hidden and rng.randrange(_AS_USUAL) else ():
            if index not in known.fields and is_drawn_freely(graph.specs[index], base[index]):
                row[index] = filters_source(graph.specs[index], base[index], dims, without_mean, rng)
        made.append(row)
    return made
