"""What an input may hold: its range, its usual size, the bits of a number; and what draws of several kinds share."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.input_source import InputSource
from passnet.bench.wire.generator import BLENDS
from passnet.graph.values.indexing import reckoning
from passnet.graph.values.roles import Role

if TYPE_CHECKING:
    from passnet.graph import Graph, TensorSpec

# Of fewer rows, of which a third is free, all may be free by chance: in one call of 6,500 with so many.
MANY_ROWS = 8
# What a graph adds to its data, or takes from it, goes with it: it is zero with it, and as small.
ADDED = frozenset({Role.BIAS, Role.MEAN})


def bounds_of(graph: Graph, index: int) -> tuple[float, float] | None:
    """What an input may hold: its own bounds, all that it may index, or far less than its dtype can. None where that
    is not known.
    """
    spec = graph.specs[index]
    low, high = spec.min_val, spec.max_val
    if spec.is_inexact:
        most = float(torch.finfo(getattr(torch, spec.dtype)).max) / 8
        return float(-most if low is None else low), float(most if high is None else high)
    if not spec.is_integer:
        return None
    if low is not None and high is not None and low != high:
        return float(low), float(high)
    if index in graph.index_bounds():
        return 0.0, graph.index_bounds()[index] - 1.0
    positive = reckoning(graph, index)
    most = float(torch.iinfo(getattr(torch, spec.dtype)).max // 2)
    if positive is None:
        return None
    return 1.0 if positive else float(-most if low is None else low), float(most if high is None else high)


def size_of(spec: TensorSpec, source: InputSource) -> float:
    """The RMS of an input that is drawn and is no mask, and 0 of others."""
    if getattr(torch, spec.part_dtype) not in BLENDS or spec.numel < 2 or source.same or source.row.length:
        return 0.0
    found = float(source.table.to(torch.float64).square().mean().sqrt())
    return found if math.isfinite(found) else 0.0


def holds(spec: TensorSpec, source: InputSource, factor: float) -> bool:
    """Whether an input's values are within its bounds when they are so many times as large."""
    low, high = float(source.table.min()) * factor, float(source.table.max()) * factor
    return (spec.min_val is None or spec.min_val <= min(low, 0.0)) and (spec.max_val is None or high <= spec.max_val)


def bits_of(value: torch.Tensor) -> int:
    """The bits of one number."""
    return int.from_bytes(bytes(value.reshape(1).view(torch.uint8).tolist()), "little")


def number_of(bits: int, dtype: torch.dtype) -> float:
    """The float that has these bits."""
    return float(torch.tensor(list(bits.to_bytes(dtype.itemsize, "little")), dtype=torch.uint8).view(dtype))


def within(spec: TensorSpec, pool: Collection[float]) -> torch.Tensor:
    """The numbers that an input's dtype holds and its bounds allow. What is never below zero has no negative zero."""
    values = torch.tensor([*pool], dtype=torch.float64)
    values = values[values.to(getattr(torch, spec.part_dtype)).double() == values]
    low = -math.inf if spec.min_val is None else spec.min_val
    high = math.inf if spec.max_val is None else spec.max_val
    fit = (values >= low) & (values <= high)
    return values[fit & ~torch.signbit(values) | fit & (low < 0)]
