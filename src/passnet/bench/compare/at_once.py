"""The numbers of many comparisons by one wait, where all values of an output are finite and of one group.

Each number that the host asks of a device costs a wait, and each operation costs a launch: a comparison of one output
took 70 waits and up to 300 operations, 10 ms on an H200. Most operations take no longer for an output of many calls
than for that of one. So the same output of several calls is one table, with a row for each call, and all its numbers
are fetched together. Where they show that elements must be told apart, `errors` and `farthest` ask one by one. Both
ways give the same numbers.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import torch

from passnet.bench.compare import measures, on_host
from passnet.bench.compare.parts import may_have_parts
from passnet.graph.tensors.measure import dtype_name
from passnet.score import T_RANGE, tolerance
from passnet.score.tolerances import T_MIN

# An output that is compared whole has no more elements than this: on a device, and on a host. There larger ones are
# bound by memory, and one by one less is asked of them. There a call alone gains nothing either.
_MOST, _MOST_ON_HOST = 1 << 22, 1 << 12
# A table has no more elements. About ten of its size in float64 are in memory at the same time.
_TABLE, _TABLE_ON_HOST = 1 << 23, 1 << 17
_T = TypeVar("_T")


@dataclass(frozen=True)
class Values:
    """An output of one call, as the candidate, eager and float64 have it. `wide` is None where there is no float64.

    `hard`: whether the call was on a hard draw. `drawn`: the elements were drawn at random, so there are no slices.
    """

    output: torch.Tensor
    eager: torch.Tensor
    wide: torch.Tensor | None
    hard: bool
    drawn: bool = False

    @functools.cached_property
    def dtype(self) -> str:
        return dtype_name(self.eager.dtype)

    @property
    def is_plain(self) -> bool:
        """Whether they are real numbers that may differ."""
        plain = not self.output.is_complex() and not self.eager.is_complex() and not tolerance(self.dtype, 0).exact
        return plain and self.output.numel() > 0

    @property
    def placed(self) -> Values:
        """The same where they are compared one by one."""
        wide = None if self.wide is None else on_host.placed(self.wide)
        return replace(self, output=on_host.placed(self.output), eager=on_host.placed(self.eager), wide=wide)

    def flat(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The elements of all three in flat float64. Eager's are the truth where there is no float64."""
        base = measures.real(self.eager)
        return measures.real(self.output), base, base if self.wide is None else measures.real(self.wide)

    @property
    def kind(self) -> tuple[object, ...]:
        """Outputs of one kind go into one table."""
        sorts = self.wide is None, self.hard, self.drawn
        return self.eager.shape, self.dtype, self.output.dtype, self.output.device, *sorts


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


@dataclass(frozen=True)
class WholeOutput:
    """The numbers over all elements of an output. `even`: no slice of it is far smaller than the others."""

    numbers: Numbers
    even: bool


def values_of(
    outputs: Sequence[torch.Tensor],
    eager: Sequence[torch.Tensor],
    wide: Sequence[torch.Tensor] | None,
    *,
    hard: bool,
    drawn: Sequence[bool] | None = None,
) -> list[Values]:
    """The outputs of one call with their references."""
    truths: Sequence[torch.Tensor | None] = wide or [None] * len(eager)
    by_chance = drawn or [False] * len(eager)
    rows = zip(outputs, eager, truths, by_chance, strict=True)
    return [Values(output, base, truth, hard, chance) for output, base, truth, chance in rows]


def wholes(asked: Sequence[Values]) -> list[WholeOutput | None]:
    """The numbers over all elements of each output. None where `errors` must look at them one by one."""
    most = {True: _MOST_ON_HOST, False: _MOST}
    return _by_tables(asked, lambda values: values.output.numel() <= most[_is_on_host(values)], _wholes)


def farthest(asked: Sequence[Values], most: int) -> list[tuple[Levels, torch.Tensor] | None]:
    """The levels of the elements that are farthest from eager's for their size, at most so many, and which they are.

    None where `farthest` must look at the elements one by one.
    """
    return _by_tables(asked, lambda values: not _is_on_host(values), lambda some: _farthest(some, most))


def _is_on_host(values: Values) -> bool:
    return values.output.device.type == "cpu"


def _by_tables(
    asked: Sequence[Values],
    applies: Callable[[Values], bool],
    answer: Callable[[Sequence[Values]], Sequence[_T | None]],
) -> list[_T | None]:
    """What `answer` says of each output, asked of tables of one kind."""
    kinds: dict[tuple[object, ...], list[int]] = {}
    for index, values in enumerate(asked):
        if values.is_plain and applies(values):
            kinds.setdefault(values.kind, []).append(index)
    found: list[_T | None] = [None] * len(asked)
    for indices in kinds.values():
        one = asked[indices[0]]
        if _is_on_host(one) and len(indices) == 1:
            continue
        rows = max(1, (_TABLE_ON_HOST if _is_on_host(one) else _TABLE) // one.output.numel())
        for first in range(0, len(indices), rows):
            some = indices[first : first + rows]
            for index, each in zip(some, answer([asked[index] for index in some]), strict=True):
                found[index] = each
    return found


def _wholes(asked: Sequence[Values]) -> list[WholeOutput | None]:
    one = asked[0]
    got, base = (_table([getattr(each, side) for each in asked]).double() for side in ("output", "eager"))
    truth = base if one.wide is None else _table([each.wide for each in asked if each.wide is not None]).double()
    difference, size = (got - base).abs_(), base.abs()
    error, true_size = (difference, size) if one.wide is None else ((got - truth).abs_(), truth.abs())
    spread = _spreads(truth, hard=one.hard)
    unit = measures.HARD_ROOM * spread.clamp(min=1.0) if one.hard else None
    columns = [
        *_kinds(got, base, truth, true_size),
        *(spread, _rms(error), _rms(base - truth), difference.amax(1), measures.max_relative(difference, size)),
        _first_levels(difference, size, unit, one.dtype),
        _first_levels(error, true_size, unit, one.dtype),
        torch.zeros_like(spread) if one.wide is None or one.drawn else may_have_parts(truth, one.eager.shape),
    ]
    found: list[WholeOutput | None] = []
    for row in _fetched(columns):
        kinds, (width, own, eagers, max_abs, max_rel, published, nearer, uneven) = row[:6], row[6:]
        if not _is_one_group(kinds, got.shape[1], hard=one.hard):
            found.append(None)
            continue
        levels = _levels(published, nearer)
        scaled = [measures.in_spreads(each, width) for each in (own, eagers)]
        found.append(WholeOutput(Numbers(*levels, max_abs, max_rel, width, *scaled), not uneven))
    return found


def _farthest(asked: Sequence[Values], most: int) -> list[tuple[Levels, torch.Tensor] | None]:
    one = asked[0]
    got, base = (_table([getattr(each, side) for each in asked]) for side in ("output", "eager"))
    truth = base if one.wide is None else _table([each.wide for each in asked if each.wide is not None])
    kind, count = measures.precise(base.dtype), got.shape[1]
    size = base.abs().to(kind)
    total = size.sum(1).double()
    distance = (got - base).abs_().to(kind)
    distance /= size + (total / count).clamp(min=torch.finfo(kind).tiny).to(kind)[:, None]
    chosen = measures.largest(distance, most)
    near, eagers, truths = (each.gather(1, chosen).double() for each in (got, base, truth))
    unit = measures.HARD_ROOM * _spreads(base.double(), hard=False).clamp(min=1.0) if one.hard else None
    difference, own = (near - eagers).abs_(), eagers.abs()
    columns = [
        *_kinds(got, base, truth, size),
        *(total, difference.amax(1), measures.max_relative(difference, own)),
        _first_levels(difference, own, unit, one.dtype),
        _first_levels((near - truths).abs_(), truths.abs(), unit, one.dtype),
    ]
    found: list[tuple[Levels, torch.Tensor] | None] = []
    for places, row in zip(chosen, _fetched(columns), strict=True):
        kinds, (sum_of_sizes, max_abs, max_rel, published, nearer) = row[:6], row[6:]
        if not _is_one_group(kinds, count, hard=one.hard) or not math.isfinite(sum_of_sizes):
            found.append(None)
            continue
        found.append((Levels(*_levels(published, nearer), max_abs, max_rel), places))
    return found


def _table(rows: Sequence[torch.Tensor]) -> torch.Tensor:
    """One row for each tensor. Nobody writes to it: a single one, which may be very large, is not copied."""
    if len(rows) == 1:
        return rows[0].reshape(1, -1)
    return torch.stack([row.reshape(-1) for row in rows])


def _fetched(columns: Sequence[torch.Tensor]) -> Iterator[list[float]]:
    """The rows of these columns, by one wait."""
    return iter(torch.stack([column.double() for column in columns], dim=1).tolist())


def _rms(table: torch.Tensor) -> torch.Tensor:
    norm: torch.Tensor = torch.linalg.vector_norm(table, dim=1)
    return norm / math.sqrt(table.shape[1])


def _spreads(table: torch.Tensor, *, hard: bool) -> torch.Tensor:
    """Each row's `spread_of`."""
    spread, magnitude = _rms(table - table.mean(dim=1, keepdim=True)), _rms(table)
    found = torch.where(spread <= 1e-12 * magnitude, magnitude, spread)
    return found.clamp(min=measures.NOTHING) if hard else found


def _kinds(got: torch.Tensor, base: torch.Tensor, truth: torch.Tensor, size: torch.Tensor) -> list[torch.Tensor]:
    """What says whether all of a row is finite, and whether some elements are far below others."""
    top = size.amax(1)
    low = torch.lt(size, measures.TOP * top[:, None], out=torch.empty_like(size))
    sums = [measures.sums_of(each) for each in (got, base, truth)]
    return [*sums, top, *measures.count_and_norm(size, low)]


def _is_one_group(kinds: list[float], count: int, *, hard: bool) -> bool:
    *sums, top, low, norm = kinds
    far = measures.far_below(int(low), norm, top)
    return all(map(math.isfinite, sums)) and not measures.are_told_apart(top, far=far, hard=hard)


def _first_levels(error: torch.Tensor, size: torch.Tensor, unit: torch.Tensor | None, dtype: str) -> torch.Tensor:
    """For each row the number of the first level that allows all its errors. The number of levels where none does.

    The search is on the device, so that nobody waits for it.
    """
    rtol, atol = _bounds(dtype, error.device)
    low = torch.zeros(len(error), dtype=torch.long, device=error.device)
    high = torch.full_like(low, len(T_RANGE))
    room = torch.empty_like(error)
    scale = 1.0 if unit is None else unit
    for _ in range(len(T_RANGE).bit_length()):
        middle = ((low + high) // 2).clamp_(max=len(T_RANGE) - 1)
        excess = torch.addcmul(error, size, rtol[middle][:, None], value=-1.0, out=room).amax(1)
        within, open_yet = excess <= atol[middle] * scale, low < high
        high = torch.where(open_yet & within, middle, high)
        low = torch.where(open_yet & ~within, middle + 1, low)
    return low


@functools.cache
def _bounds(dtype: str, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """The relative and absolute tolerances of all levels."""
    rows = torch.tensor([tolerance(dtype, t) for t in T_RANGE], dtype=torch.float64, device=device)
    return rows[:, 0], rows[:, 1]


def _levels(published: float, nearer: float) -> tuple[int | None, int | None]:
    """The first level against eager, and that against float64 where it is earlier."""
    first, other = (_level(number) for number in (published, nearer))
    if first == T_MIN or other is None or (first is not None and other >= first):
        return first, first
    return first, other


def _level(number: float) -> int | None:
    return T_RANGE[int(number)] if number < len(T_RANGE) else None
