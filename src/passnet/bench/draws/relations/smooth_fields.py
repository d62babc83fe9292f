"""Careful draws in which floats resemble their neighbours, as pixels, samples of sound and steps of time do, for graphs
that mix neighbours, see `mixed_dims`.

Where elements are drawn one by one, a convolution's results have the variance that its filters' norms tell, and so do
sums, differences and spectra: whoever takes a mean of these need not compute them. In real data they have not.

Each input is a field of its own, through its own table: so it has the usual values, and within its bounds. Filters are
smooth too, or they sum to zero, as those of edges do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import through_table
from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.bench.draws.relations.field_kinds import (
    Field,
    FieldBlock,
    content_source,
    field_source,
    is_drawn_freely,
    long_means,
    of_one_channel,
    short_means,
    signs_in_turn,
    torch_generator,
    turning,
    waves,
)
from passnet.graph.values.mixed_dims import mixed_dims

if TYPE_CHECKING:
    from passnet.graph import Graph, TensorSpec

# How far a filter's taps are from their mean where it is smooth.
_ROUGH = 0.25
Filter = Callable[[torch.Tensor, tuple[int, ...]], torch.Tensor]


def smooth_fields(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Three draws: of means of a few neighbours, with filters that sum to zero; of longer means or of waves, in which
    channels are nearly one; and of numbers that turn their sign at each step. None where no neighbours are mixed.
    """
    known = mixed_dims(graph)
    if not known.fields:
        return []
    made: list[list[InputSource]] = []
    for kind, by in _draws(rng):
        base = next(usual)
        row = list(base)
        for index, dims in known.fields.items():
            if is_drawn_freely(graph.specs[index], base[index]):
                row[index] = field_source(graph.specs[index], base[index], dims, kind, rng)
        if all(each is other for each, other in zip(row, base, strict=True)):
            continue
        for index, dims in known.filters.items() if by else ():
            if by and index not in known.fields and is_drawn_freely(graph.specs[index], base[index]):
                row[index] = filters_source(graph.specs[index], base[index], dims, by, rng)
        made.append(row)
    return made


def _draws(rng: Random) -> Iterator[tuple[Field, Filter | None]]:
    """What each draw has as fields and as filters. None are as usual."""
    yield short_means, without_mean
    yield of_one_channel(rng.choice((long_means, waves))), rng.choice((without_mean, None))
    yield turning, rng.choice((_nearly_one, _turned, None))


def filters_source(spec: TensorSpec, source: InputSource, taps: Sequence[int], by: Filter, rng: Random) -> InputSource:
    """Filters of the usual size, of which each is changed."""
    block = FieldBlock.of(spec.shape, taps)
    own = through_table(source, block.noise(block.shape, torch_generator(rng))).to(torch.float64)
    made = by(own, tuple(taps))
    made = made * (own.square().mean().sqrt() / made.square().mean().sqrt().clamp(min=1e-30))
    low, high = float(source.table.min()), float(source.table.max())
    return content_source(spec, source, made.clamp(low, high), spec.numel)


def without_mean(own: torch.Tensor, taps: tuple[int, ...]) -> torch.Tensor:
    """Filters that sum to zero, as those of edges do."""
    return own - own.mean(taps, keepdim=True)


def _nearly_one(own: torch.Tensor, taps: tuple[int, ...]) -> torch.Tensor:
    """Filters of which all taps are nearly their mean."""
    mean = own.mean(taps, keepdim=True)
    rest = own - mean
    return mean + _ROUGH * mean.abs() * rest / rest.square().mean(taps, keepdim=True).sqrt().clamp(min=1e-30)


def _turned(own: torch.Tensor, taps: tuple[int, ...]) -> torch.Tensor:
    """The same, whose signs turn at each tap."""
    made = _nearly_one(own, taps)
    for dim in taps:
        made = made * signs_in_turn(own.shape, dim)
    return made
