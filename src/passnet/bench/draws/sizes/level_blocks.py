"""Careful draws in which an input is near one end of what it may hold: every other block near the least number and the
others near the largest one, then all inputs near the least, then all near the largest.

Of many numbers that are drawn one by one the mean is always about the same, and a product of many probabilities is
nothing. What a form makes of a frame that is white, of gates that are all open and of bytes that hardly differ is seen
in no other draw.
"""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.input_source import SPANS, Backgrounds
from passnet.bench.draws.content.integer_ranges import Range, ranges_of
from passnet.bench.wire.generator import BLENDS, OddPlace
from passnet.graph.values.indexing import writing_indices
from passnet.graph.values.means import takes_means
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph, TensorSpec

# Floats lie within a share of their range from its end, of so many powers of two. It has so many steps of their dtype
# at least: a norm asks for more than one number. Integers lie within such a share, and one beside the end at least.
_POWERS, _STEPS, _OF_INTEGERS = (-8.0, -4.0), 16, (-12.0, -7.0)
# Where many are multiplied, only the end itself leaves anything.
_MULTIPLYING = word_set("prod cumprod")


def level_blocks(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws, or none where no input has an end. The first is missing where no input has several blocks.

    All of a block is behind one index of the first dimension, so that whatever is reduced there is in it.
    """
    exact = bool({op.leaf for op in graph.program.ops} & _MULTIPLYING) and not takes_means(graph)
    made = []
    for ends in ((False, True), (False,), (True,)):
        base, share = next(usual), 0.0 if exact else 2.0 ** rng.uniform(*_POWERS)
        ranges = ranges_of(graph, base)
        row = list(base)
        for index, (spec, each) in enumerate(zip(graph.specs, base, strict=True)):
            only = spec.min_val is not None and spec.min_val == spec.max_val
            several = len(spec.shape) > 1 and spec.shape[0] > 1
            if only or spec.numel < 2 or each.same or each.row.length or (len(ends) > 1 and not several):
                continue
            if index in ranges and index not in writing_indices(graph):
                width = 2.0 ** rng.uniform(*_OF_INTEGERS)
                found: list[InputSource | None] = [
                    _integers_near(spec, each, ranges[index], width, largest=largest) for largest in ends
                ]
            elif spec.is_inexact and getattr(torch, spec.part_dtype) in BLENDS:
                found = [_near(spec, each, share, largest=largest) for largest in ends]
            else:
                continue
            if any(source is not None for source in found):
                row[index] = _in_turn(spec, *(source or each for source in found))
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def _integers_near(spec: TensorSpec, source: InputSource, ends: Range, share: float, *, largest: bool) -> InputSource:
    """Integers within a share of their range from one end of it."""
    low, high = ends
    width = max(1, int((high - low) * share))
    low, high = (high - width, high) if largest else (low, low + width)
    return source.of_range(low, high, getattr(torch, spec.dtype))


def _near(spec: TensorSpec, source: InputSource, share: float, *, largest: bool) -> InputSource | None:
    """Numbers beside the least or the largest number that a float may be, within a share of its range. None where there
    is no such number.
    """
    end, other = (spec.max_val, spec.min_val) if largest else (spec.min_val, spec.max_val)
    if end is None or not math.isfinite(end):
        return None
    dtype = getattr(torch, spec.part_dtype)
    if not share:
        return source.of_these(torch.tensor([end], dtype=dtype))
    whole = abs(end) if other is None else abs(end - other)
    width = max(min(whole, torch.finfo(dtype).max / 2) * share, _STEPS * torch.finfo(dtype).eps * abs(end))
    width = width if other is None else min(width, whole)
    values = torch.linspace(0.0, width, SPANS, dtype=torch.float64)
    return source.of_values((end - values if largest else end + values).to(dtype))


def _in_turn(spec: TensorSpec, even: InputSource, odd: InputSource | None = None) -> InputSource:
    """One source, or every other block from it, and those between them from the other one. One call begins with this,
    another with that.
    """
    if odd is None:
        return replace(even, roughly=True)
    return replace(even, odd=odd, at=OddPlace(math.prod(spec.shape[1:]), 2, 2), roughly=True)
