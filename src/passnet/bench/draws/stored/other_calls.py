"""Careful draws of what another call of the model may have, where the recorded one leaves a single value or a few.

Bounds that leave one number, stored content and the size of a wave are those of one call. Sizes, counts and indices
stay what they are, or have draws of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import size_of
from passnet.bench.wire.generator import BLENDS
from passnet.graph.values.constants import stored
from passnet.graph.values.divisors import stored_divisors
from passnet.graph.values.indexing import reckoning
from passnet.graph.values.offsets import offsets

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph, TensorSpec

Sources = Sequence["InputSource"]
_ENTRIES = 2048
# Another number is larger or smaller than a known one by so many powers of two: none is near it.
_POWERS = (0.7, 2.0)
# Integers lie beyond the known ones, up to so many times as far and a few more.
_TIMES, _MORE = 4, 8
# What is larger than this hides something, or is a wave. A mask of one sign has a mean of this part of its deviation.
_HIDING, _ONE_SIGN = 1e4, 1e-3
_MOST_OF_A_WAVE = 1e9


def other_calls(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """A draw in which inputs of one number have others, and stored numbers are others. Large numbers that are taken for
    those of a mask are a wave of both signs there.
    """
    size, counted_from, never_zero = _size(graph, usual), offsets(graph), stored_divisors(graph)
    generator, row = torch.Generator().manual_seed(rng.getrandbits(48)), list(usual)
    for index, (spec, each) in enumerate(zip(graph.specs, usual, strict=True)):
        if not spec.numel:
            continue
        dtype = getattr(torch, spec.part_dtype)
        if spec.is_inexact and (each.row.length or spec.is_complex) and _may_be_a_wave(spec):
            row[index] = each.of_values(_wave(spec, generator).to(dtype))
        elif (known := _known(spec, size)) is None:
            continue
        elif spec.is_inexact and dtype in BLENDS:
            row[index] = each.of_these(_other_floats(known.double(), generator).to(dtype))
        elif spec.is_integer and (positive := reckoning(graph, index)) is not None:
            bounds = torch.iinfo(dtype)
            end = min(bounds.max, torch.iinfo(torch.int64).max)
            begins = index in counted_from and (spec.data is not None or spec.numel == 1)
            others = _other_integers(known, positive=positive or index in never_zero, begins=begins)
            ranges = [(max(low, bounds.min), min(high, end)) for low, high in others]
            if ranges := [(low, high) for low, high in ranges if low <= high]:
                row[index] = each.of_ranges(ranges, dtype)
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def _known(spec: TensorSpec, size: float) -> torch.Tensor | None:
    """The numbers that the metadata leave to an input: the only one that its bounds allow, or its content. None where
    they leave more, and where they hide something.

    Infinite ones are of this size, for a fresh model has bounds that a trained one has not.
    """
    only = spec.min_val if spec.min_val == spec.max_val else None
    known = torch.tensor([only]) if only is not None else stored(spec) if spec.max_val is None else None
    if known is None or bool(torch.isnan(known).any()):
        return None
    known = (torch.view_as_real(known) if known.is_complex() else known).flatten()
    infinite = torch.isinf(known)
    if bool(infinite.any()):
        known = known.double()
        known = torch.where(infinite, size * known.sign(), known) if bool((known != 0).all()) else known
    return None if spec.is_inexact and bool((known.abs() > _HIDING).any()) else known


def _size(graph: Graph, usual: Sources) -> float:
    """The usual size of the data, the largest where there is more."""
    sizes = [size_of(spec, each) for spec, each in zip(graph.specs, usual, strict=True)]
    return max(sizes, default=0.0) or 1.0


def _other_floats(known: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Numbers of the same signs that are larger or smaller. In the place of zeros there are some of both signs."""
    low, high = _POWERS
    powers = low + (high - low) * torch.rand(_ENTRIES, generator=generator, dtype=torch.float64)
    signs = 1 - 2 * torch.randint(2, (2, _ENTRIES), generator=generator)
    some = known[torch.randint(len(known), (_ENTRIES,), generator=generator)]
    return torch.where(some == 0, signs[0].double(), some) * (powers * signs[1]).exp2()


def _other_integers(known: torch.Tensor, *, positive: bool, begins: bool) -> list[tuple[int, int]]:
    """Ranges of integers beyond the known ones: 0 and 1 for marks, and else those behind the largest, and before the
    least down to zero. `begins`: a 0 or 1 is where a call begins, and another one begins later.
    """
    least, most = int(known.min()), int(known.max())
    behind = (most + 2, _TIMES * abs(most) + _MORE + most + 1)
    if (least, most) in ((0, 0), (1, 1)) and not positive:
        return [behind] if begins else [(0, 1)]
    return [behind, (1 if positive else min(0, least - _MORE), least - 2)]


def _may_be_a_wave(spec: TensorSpec) -> bool:
    """Whether large numbers may have both signs: nothing says that they hide something."""
    mean, std = spec.mean or 0.0, spec.std or 0.0
    both = (spec.min_val is None or spec.min_val < 0) and (spec.max_val is None or spec.max_val > 0)
    return both and abs(mean) < _MOST_OF_A_WAVE and _HIDING < std < _MOST_OF_A_WAVE


def _wave(spec: TensorSpec, generator: torch.Generator) -> torch.Tensor:
    values = (spec.mean or 0.0) + (spec.std or 0.0) * torch.randn(_ENTRIES, generator=generator, dtype=torch.float64)
    low = -torch.finfo(getattr(torch, spec.dtype)).max if spec.min_val is None else spec.min_val
    high = torch.finfo(getattr(torch, spec.dtype)).max if spec.max_val is None else spec.max_val
    return values.clamp(low, high)
