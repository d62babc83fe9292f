"""The numbers of a comparison by one wait for the device, where all values are finite and of one group.

Each number that the host asks of a device costs a wait, and a comparison asks for 22 or more. Here the device works out
all of them, and they are fetched together. Where they show that elements must be told apart, `errors` and `farthest`
ask one by one. Both ways give the same numbers.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch

from passnet.bench.compare import measures
from passnet.bench.compare.measures import (
    HARD_ROOM,
    in_spreads,
    max_relative,
    precise,
    real,
    rms_on_device,
    spread_on_device,
)
from passnet.score import T_RANGE, tolerance
from passnet.score.tolerances import T_MIN

# Each level has a row of this many numbers at most, so an output that is compared whole has no more.
MOST = 1 << 18


@dataclass(frozen=True)
class Levels:
    """The level of elements against eager and, where that is earlier, against float64. Their largest errors."""

    published: int | None
    nearest: int | None
    max_abs: float
    max_rel: float


@dataclass(frozen=True)
class Numbers(Levels):
    """What a comparison of one group of one output measures, with the RMS errors of both sides in spreads."""

    spread: float
    scaled: float
    eager_scaled: float


def applies(output: torch.Tensor, eager: torch.Tensor, dtype: str) -> bool:
    """Whether waits cost much for this output, and its numbers may be all that is asked."""
    return output.device.type != "cpu" and is_plain(output, eager, dtype)


def is_plain(output: torch.Tensor, eager: torch.Tensor, dtype: str) -> bool:
    """Whether an output holds real numbers that may differ from eager's."""
    plain = not output.is_complex() and not eager.is_complex() and not tolerance(dtype, 0).exact
    return plain and output.numel() > 0


def whole(got: torch.Tensor, base: torch.Tensor, truth: torch.Tensor, dtype: str, *, hard: bool) -> Numbers | None:
    """The numbers over all elements, which are flat float64. None where `errors` must look at them one by one."""
    difference, size = (got - base).abs_(), base.abs()
    error, true_size = (got - truth).abs_(), truth.abs()
    spread = spread_on_device(truth, hard=hard)
    unit = HARD_ROOM * spread.clamp(min=1.0) if hard else torch.ones_like(spread)
    found = _fetched(
        _kinds(got, base, truth, true_size),
        torch.stack([spread, rms_on_device(error), rms_on_device(base - truth)]),
        torch.stack([difference.max(), max_relative(difference, size)]),
        _excess(difference / unit, size / unit, dtype),
        _excess(error / unit, true_size / unit, dtype),
    )
    if not _is_one_group(next(found), got.numel(), hard=hard):
        return None
    (width, own, eagers), (max_abs, max_rel), published, nearer = found
    levels = _levels(published, nearer, dtype)
    return Numbers(*levels, max_abs, max_rel, width, in_spreads(own, width), in_spreads(eagers, width))


def farthest(
    got: torch.Tensor, base: torch.Tensor, truth: torch.Tensor, dtype: str, most: int, *, hard: bool
) -> tuple[Levels, torch.Tensor] | None:
    """The levels of the elements that are farthest from eager's for their size, at most so many, and which they are.

    The tensors are flat. None where `farthest` must look at the elements one by one.
    """
    kind, count = precise(base.dtype), got.numel()
    size = base.abs().to(kind)
    total = size.sum().double()
    distance = (got - base).abs().to(kind)
    distance /= size + (total / count).clamp(min=torch.finfo(kind).tiny)
    chosen = measures.largest(distance, most)
    near, eagers, truths = real(got[chosen]), real(base[chosen]), real(truth[chosen])
    unit = HARD_ROOM * spread_on_device(real(base), hard=False).clamp(min=1.0) if hard else torch.ones_like(total)
    difference, own = (near - eagers).abs_(), eagers.abs()
    found = _fetched(
        _kinds(got, base, truth, size),
        torch.stack([total, difference.max(), max_relative(difference, own)]),
        _excess(difference / unit, own / unit, dtype),
        _excess((near - truths).abs_() / unit, truths.abs() / unit, dtype),
    )
    if not _is_one_group(next(found), count, hard=hard):
        return None
    (sum_of_sizes, max_abs, max_rel), published, nearer = found
    if not math.isfinite(sum_of_sizes):
        return None
    return Levels(*_levels(published, nearer, dtype), max_abs, max_rel), chosen


def _fetched(*rows: torch.Tensor) -> Iterator[list[float]]:
    """The rows as lists, by one wait."""
    numbers = iter(torch.cat([row.double() for row in rows]).tolist())
    return iter([[next(numbers) for _ in range(row.numel())] for row in rows])


def _kinds(got: torch.Tensor, base: torch.Tensor, truth: torch.Tensor, size: torch.Tensor) -> torch.Tensor:
    """What says whether all is finite, and whether some elements are far below others."""
    top = size.max()
    low = size < measures.TOP * top
    sums = [measures.sum_of(each).double() for each in (got, base, truth)]
    return torch.stack([*sums, top.double(), low.sum().double(), torch.linalg.vector_norm(size * low).double()])


def _is_one_group(kinds: list[float], count: int, *, hard: bool) -> bool:
    *sums, top, low, norm = kinds
    far = measures.far_below(int(low), norm, top)
    return all(map(math.isfinite, sums)) and not measures.are_told_apart(top, far=far, hard=hard)


def _excess(error: torch.Tensor, size: torch.Tensor, dtype: str) -> torch.Tensor:
    """For each level, by how much the worst element's error exceeds its share of the element's size."""
    return (error - _shares(dtype, error.device)[:, None] * size).amax(dim=1)


@functools.cache
def _shares(dtype: str, device: torch.device) -> torch.Tensor:
    return torch.tensor([tolerance(dtype, t).rtol for t in T_RANGE], dtype=torch.float64, device=device)


def _levels(published: list[float], nearer: list[float], dtype: str) -> tuple[int | None, int | None]:
    """The first level against eager, and that against float64 where it is earlier."""
    first, other = (_first(excess, dtype) for excess in (published, nearer))
    if first == T_MIN or other is None or (first is not None and other >= first):
        return first, first
    return first, other


def _first(excess: list[float], dtype: str) -> int | None:
    within = (t for t, each in zip(T_RANGE, excess, strict=True) if each <= tolerance(dtype, t).atol)
    return next(within, None)
