"""A careful draw in which blocks of an input are near one end of what it may hold, one block at the least, one at the
largest.

Of many numbers that are drawn one by one the mean is always about the same, and a product of many probabilities is
nothing. What a form makes of a frame that is white, of gates that are all open and of bytes that hardly differ is seen
in no other draw.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.timing.few_values import takes_means
from passnet.bench.timing.input_source import SPANS
from passnet.bench.timing.whole_numbers import ranges_of
from passnet.bench.wire.generator import BLENDS, OddPlace
from passnet.graph.values.indexing import writing_indices
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.bench.timing.input_source import InputSource
    from passnet.graph import Graph, TensorSpec

Sources = Sequence["InputSource"]
# Floats lie within a share of their range from its end, of so many powers of two. It has so many steps of their dtype
# at least: a norm asks for more than one number. Integers lie within such a share, and one beside the end at least.
_POWERS, _STEPS, _OF_INTEGERS = (-8.0, -4.0), 16, (-12.0, -7.0)
# By this chance a whole input is one block.
_WHOLE = 0.25
# Where many are multiplied, only the end itself leaves anything.
_MULTIPLYING = word_set("prod cumprod")


def level_blocks(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """The draw, or none where no input has an end."""
    exact = bool({op.leaf for op in graph.program.ops} & _MULTIPLYING) and not takes_means(graph)
    share = 0.0 if exact else 2.0 ** rng.uniform(*_POWERS)
    ranges = ranges_of(graph, usual)
    row = list(usual)
    for index, (spec, each) in enumerate(zip(graph.specs, usual, strict=True)):
        only = spec.min_val is not None and spec.min_val == spec.max_val
        if only or spec.numel < 2 or each.same or each.row.length:
            continue
        if index in ranges and index not in writing_indices(graph):
            low, high = ranges[index]
            width, dtype = max(1, int((high - low) * 2.0 ** rng.uniform(*_OF_INTEGERS))), getattr(torch, spec.dtype)
            row[index] = _in_turn(
                spec, each.of_range(low, low + width, dtype), each.of_range(high - width, high, dtype), rng
            )
        elif spec.is_inexact and getattr(torch, spec.part_dtype) in BLENDS:
            least, largest = (_near(spec, each, share, largest=largest) for largest in (False, True))
            if least is not None or largest is not None:
                row[index] = _in_turn(spec, least or each, largest or each, rng)
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


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


def _in_turn(spec: TensorSpec, even: InputSource, odd: InputSource, rng: Random) -> InputSource:
    """Every other block from one source, and those between them from the other. One call begins with this, another
    with that. A block is all behind one index of the first dimension, so that whatever is reduced there is in it.
    """
    several = len(spec.shape) > 1 and spec.shape[0] > 1 and rng.random() > _WHOLE
    at = OddPlace(math.prod(spec.shape[1:]) if several else spec.numel, 2, 2)
    return replace(even, odd=odd, at=at, roughly=True)
