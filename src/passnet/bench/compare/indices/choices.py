"""Whether a choice is as good as the right one. Indices are judged by the values that they point to.

An index is right at tolerance t in either of two cases. First: its float64 score is within the tolerance of the
score at the true index. Second, from the strict t on: its score is within the error of eager's own scores in that
row, or in another one in which eager errs up to twice as much. Over all rows together the scores must not be farther
off than eager's own either. So ties and near ties are free among scores that were rounded.

A place is settled where no score near the right one was rounded: eager has them as float64 does, and the graph says
that this is no chance. There only eager's own index is right if the operator promises the first of equal values, or a
stable order. Otherwise any index is right whose score is exactly as large, and none that is near.

A tolerance that would admit a large part of a row tells nothing there. In such a row only the few best are right,
and the choices that eager's own scores hold equal to its choice. So neither a constant nor another row's index is
right by a wide tolerance. A dtype has one number for scores within a step of it, and not each form rounds a score to
the same one. Where eager's scores are rounded so, a choice within a step of the best is right too, within four in
float32.

On hard draws eager may know nothing: large equal parts cancel in its scores, and it takes one of many by its rounding.
Where its choices in such rows are often none of the best, others that fall no farther short are right.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch

from passnet.graph.tensors.equality import same
from passnet.score import STRICT_T, T_RANGE, tolerance

# If more than this part of a row's candidates is admitted, the row is not telling. The second number sets how many are
# always the few best: one, and this part of the row.
_PART, _FEW = 4, 64
# Two forms that round differ by so many steps of a dtype where they choose. A form in float32 rounds a score more than
# once: an exponential and a quotient are each off by about one.
STEPS = {"bfloat16": 1.0, "float16": 1.0, "float32": 4.0}
# Candidates so many times as large as the right choice, and as the distance to the so-many-th next one, are far off.
_LARGER, _NEXT = 4.0, 3
# Rows in which eager errs by up to so many times as much are of one kind.
_ALIKE = 2.0
# Scores that float64 itself cannot tell apart.
_EQUAL = 1e-12
# Eager knows nothing of its rows of a kind where more than this part of its own choices are none of the best.
_LUCK = 1 / 8
# There others may fall short by 1.25 times as much as eager in all rows together, and by twice its most in one row.
_AS_GOOD, _CHANCE = 1.25, 2.0
# A draw is dull where a random candidate would equal the right choice this often.
_DULL = 0.75
# Shares below so many of the least normal number are taken for zero. An exponential may end at -86 instead of -87.4.
_VANISHED = 4.0
# Scores that are looked at together.
_MOST_AT_ONCE = 1 << 23


@dataclass(frozen=True)
class Scores:
    """The scores that a choice is made from: float64's and eager's, of (rows, candidates), in eager's dtype.

    `sizes`: the tolerance is relative to these, where that is not the score itself. A search has them. `first`: the
    operator promises which of equal scores it chooses. `clear`: no operator of the graph hides a rounding from float64.
    """

    truth: torch.Tensor
    eager: torch.Tensor
    dtype: str
    sizes: torch.Tensor | None = None
    first: bool = False
    clear: bool = False

    @property
    def width(self) -> int:
        return self.truth.shape[1]

    @functools.cached_property
    def shows_rounding(self) -> bool:
        """Whether a score that eager has as float64 does was not rounded. Only a float64 twin can tell: without one,
        eager's scores stand for the truth. A search shows it too where all scores are the same.
        """
        if self.truth is self.eager:
            return False
        return self.clear or (self.sizes is not None and bool(same(self.truth, self.eager).all()))

    @property
    def quarter(self) -> int:
        return max(1 if self.width < 3 else 2, self.width // _PART)

    def off(self, values: torch.Tensor) -> torch.Tensor:
        """The error of eager's scores in each row, (rows, 1). It is the largest error, after the common part is
        removed. `values`: the right choices' scores, (rows, places).

        Rounding errs in proportion to the size. Where a mask of -1e9 hides candidates, theirs is no error of the
        others: an error counts as what it would be at the size of the right choices and of what is near them.
        """
        error = torch.where(same(self.truth, self.eager), 0.0, self.eager - self.truth)
        near = self._nearness(values)
        seen = near == 1.0
        common = torch.where(seen, error.nan_to_num(nan=0.0, posinf=0.0, neginf=0.0), 0.0).sum(-1, keepdim=True)
        error = (error - common / seen.sum(-1, keepdim=True).clamp(min=1)) * near
        return error.abs().nan_to_num(nan=math.inf, posinf=math.inf).amax(-1, keepdim=True)

    def _nearness(self, values: torch.Tensor) -> torch.Tensor:
        """What share of its error each candidate counts with, (rows, candidates): 1 for those that are not far larger
        than the right choices, nor than the distance to the next ones.
        """
        known = values.nan_to_num(nan=0.0, posinf=0.0, neginf=0.0)
        distance = _distance(self.truth, values[:, :1])
        rank = min(self.width, _NEXT)
        around = distance.kthvalue(rank, dim=-1, keepdim=True).values.nan_to_num(posinf=0.0)
        size = torch.maximum(known.abs().amax(-1, keepdim=True), around)
        return (_LARGER * size / self.truth.abs()).nan_to_num(nan=1.0, posinf=1.0).clamp(max=1.0)


@dataclass(frozen=True)
class Judged:
    """The judgement on some choices: from which t on they are right, None at none, and whether the draw tells."""

    level: int | None
    telling: bool


def judge(
    scores: Scores, chosen: torch.Tensor, wanted: torch.Tensor, own: torch.Tensor, *, hard: bool = False
) -> Judged:
    """Judge indices of (rows, places) beside those that float64's scores give, and those that eager's give.

    Indices must be in range. Where the order of a row's places is free, all three come in order of score. `hard`: the
    draw's distribution is a hard one.
    """
    found = [_Looked.at(*part, hard=hard) for part in _parts(scores, chosen, wanted, own)]
    regret, off = (
        math.sqrt(sum(squares)) for squares in zip(*((each.regret, each.off) for each in found), strict=True)
    )
    level = None
    for number, t in enumerate(T_RANGE):
        published = math.sqrt(sum(each.published[number] for each in found))
        near = regret <= (max(published, off) if t >= STRICT_T else published)
        if near and all(each.right[number] for each in found):  # a right choice is right at every larger t
            level = t
            break
    alike = sum(each.alike for each in found) / max(1, chosen.numel())
    return Judged(level, alike <= _DULL * scores.width)


@dataclass(frozen=True)
class _Looked:
    """The figures of some rows.

    They are sums of squares: of the choices' shortfall, of eager's error, and of the room that each t allows. There
    is also whether all are right at each t. `alike` is how many candidates are equal to the right choice, over all
    places.
    """

    regret: float
    off: float
    published: tuple[float, ...]
    right: tuple[bool, ...]
    alike: float

    @classmethod
    def at(
        cls, scores: Scores, chosen: torch.Tensor, wanted: torch.Tensor, own: torch.Tensor, *, hard: bool
    ) -> _Looked:
        truth = _Beside(scores, wanted)
        regret = _distance(scores.truth.gather(1, chosen), truth.values)
        near = truth.few_between(chosen) | _equal_to_eager(scores, chosen, own) | truth.within_a_step(regret, own)
        settled = truth.settled(own)
        fits = chosen == own if scores.first else regret == 0
        unknown = truth.unknown(regret, own) if hard else torch.zeros_like(near)
        right = []
        for t in T_RANGE:
            room = truth.room(t)
            wide = truth.within(room) > scores.quarter
            good = (regret <= room) & (~wide | near)
            if t >= STRICT_T and not bool((good | settled).all()):
                room = torch.maximum(room, 2 * truth.off_alike)
                good |= (regret <= room) & ((truth.within(room) <= scores.quarter) | unknown)
            right.append(bool(torch.where(settled, fits, good).all()))
        published = tuple(_squares(truth.published(t).expand_as(regret)) for t in T_RANGE)
        off = _squares(truth.off.expand_as(regret))
        return cls(_squares(regret), off, published, tuple(right), float(truth.alike().double().sum()))


def _parts(scores: Scores, *tables: torch.Tensor) -> Iterator[tuple[Any, ...]]:
    """The same, a few rows at a time, so that intermediate results stay small."""
    step = max(1, _MOST_AT_ONCE // scores.width)
    for start in range(0, len(scores.truth), step):
        of = slice(start, start + step)
        sizes = None if scores.sizes is None else scores.sizes[of]
        part = replace(scores, truth=scores.truth[of], eager=scores.eager[of], sizes=sizes, clear=scores.shows_rounding)
        yield part, *(table[of] for table in tables)


def alternatives(scores: Scores, wanted: torch.Tensor, chosen: torch.Tensor, place: int, most: int) -> torch.Tensor:
    """For one place of each row, other candidates that are also right at the strict tolerance. `chosen`: eager's own.

    There are up to `most`, nearest first: (rows, most). -1 where there are no more.
    """
    column = slice(place, place + 1)
    return torch.cat([_others(most, *part) for part in _parts(scores, wanted[:, column], chosen[:, column])])


def _others(most: int, scores: Scores, wanted: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    truth = _Beside(scores, wanted)
    distance = _distance(scores.truth, truth.values).scatter(1, chosen, math.inf)
    nearest = distance.topk(min(most, scores.width), largest=False)
    fits = nearest.values <= truth.room(STRICT_T)
    wide = truth.within(truth.room(STRICT_T)) > scores.quarter
    few = truth.few_between(nearest.indices) | truth.within_a_step(nearest.values, chosen)
    fits &= (~wide | few) & nearest.values.isfinite()
    equal = torch.zeros_like(fits) if scores.first else nearest.values == 0
    fits &= ~truth.settled(chosen) | equal
    return torch.where(fits, nearest.indices, -1)


def telling(scores: Scores, wanted: torch.Tensor) -> bool:
    """Whether most scores differ, so that a choice says something."""
    alike = sum(float(_Beside(*part).alike().double().sum()) for part in _parts(scores, wanted))
    return alike <= _DULL * scores.width * wanted.numel()


class _Beside:
    """The values of the right choices, and how many candidates lie near them."""

    def __init__(self, scores: Scores, wanted: torch.Tensor) -> None:
        self.scores = scores
        self.values = scores.truth.gather(1, wanted)
        self.sizes = (self.values.abs() if scores.sizes is None else scores.sizes).nan_to_num(posinf=0.0)
        self.off = scores.off(self.values)
        self.sorted = scores.truth.sort(-1).values.contiguous()

    @functools.cached_property
    def off_alike(self) -> torch.Tensor:
        """Eager's largest error in the rows in which it errs by up to twice as much as in each row, (rows, 1).

        The farthest of few scores is chance, and that of another form is another one.
        """
        ordered = self.off.reshape(-1).sort().values
        last = torch.searchsorted(ordered, _ALIKE * self.off, right=True) - 1
        return torch.where(self.off.isfinite(), ordered[last.clamp(min=0)], self.off)

    def published(self, t: int) -> torch.Tensor:
        bound = tolerance(self.scores.dtype, t)
        return bound.atol + bound.rtol * self.sizes

    def room(self, t: int) -> torch.Tensor:
        """The amount by which a choice may be worse. Two scores may each be off: one up and one down."""
        room = self.published(t)
        return torch.maximum(room, 2 * self.off) if t >= STRICT_T else room

    def within(self, room: torch.Tensor) -> torch.Tensor:
        """The number of candidates within `room` of each value."""
        first, last = self._ends(self.values - room, self.values + room)
        return last - first

    def settled(self, own: torch.Tensor) -> torch.Tensor:
        """Where no score was rounded that the tolerance would admit, (rows, places). `own`: eager's choices."""
        truth, eager = self.scores.truth, self.scores.eager
        if not self.scores.clear:
            return torch.zeros_like(own, dtype=torch.bool)
        rounded = (~same(truth, eager)).gather(1, truth.argsort(-1)).cumsum(-1)
        room = self.published(STRICT_T)
        first, last = self._ends(self.values - room, self.values + room)
        rounded = torch.nn.functional.pad(rounded, (1, 0))
        return (rounded.gather(1, first) == rounded.gather(1, last)) & same(eager.gather(1, own), self.values)

    def few_between(self, chosen: torch.Tensor) -> torch.Tensor:
        """Whether few candidates lie between a chosen score and the right one."""
        got = self.scores.truth.gather(1, chosen)
        low, high = torch.minimum(got, self.values).contiguous(), torch.maximum(got, self.values).contiguous()
        between = torch.searchsorted(self.sorted, high) - torch.searchsorted(self.sorted, low, right=True)
        return between <= 1 + self.scores.width // _FEW

    def within_a_step(self, regret: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
        """Where scores are worse than the right ones by no more than a step of their dtype, or a few of float32.

        Only in rows in which eager's own scores are rounded by a good part of one, or are one number where float64's
        are several. Just below a power of two the next number is only half of `eps` away, for its size.
        """
        if self.scores.dtype not in STEPS:
            return torch.zeros_like(regret, dtype=torch.bool)
        eps = torch.finfo(getattr(torch, self.scores.dtype)).eps
        step, gap = eps * self.sizes, eps * torch.ldexp(torch.ones_like(self.sizes), self.sizes.frexp().exponent - 1)
        rounds = (self.off >= gap / 4) | (_alike_to_eager(self.scores, own) > self.alike())
        return (regret <= STEPS[self.scores.dtype] * step) & rounds

    def unknown(self, regret: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
        """Where eager's error admits a large part of a row, its own choices in such rows tell nothing, and others are
        about as good there.
        """
        wide = self.within(2 * self.off_alike) > self.scores.quarter
        eagers = _distance(self.scores.truth.gather(1, own), self.values)
        best = self.few_between(own) | self.within_a_step(eagers, own)
        if not bool((wide & ~best).sum() > _LUCK * wide.sum()):
            return torch.zeros_like(wide)
        most = float(eagers[wide].max())
        as_good = _squares(regret[wide]) <= _AS_GOOD**2 * _squares(eagers[wide]) + (_CHANCE * most) ** 2
        return wide & (regret <= _CHANCE * most) & as_good

    def alike(self) -> torch.Tensor:
        """The number of candidates that are equal to each value."""
        return self.within(_EQUAL * self.values.abs().nan_to_num(posinf=0.0))

    def _ends(self, low: torch.Tensor, high: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Of the sorted scores, the first one that is not below, and the first one above."""
        first = torch.searchsorted(self.sorted, low.contiguous())
        return first, torch.searchsorted(self.sorted, high.contiguous(), right=True)


def _equal_to_eager(scores: Scores, chosen: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
    """Where eager's own scores hold the choice as good as eager's, or both are too small to tell from zero.

    These may be most of a row, as shares that vanish beside the largest: who rounds as eager does knows no order of
    them. Of numbers that overflow float64 knows it.
    """
    rounded = without_vanished(scores)
    best = rounded.gather(1, own)
    few = _alike_to_eager(scores, own) <= max(scores.quarter, scores.width // 2)
    return same(rounded.gather(1, chosen), best) & (best.isfinite() | few)


def without_vanished(scores: Scores) -> torch.Tensor:
    """Eager's scores with zeros for those that float32 has few digits for. Many kernels take them for zero."""
    least = _VANISHED * torch.finfo(torch.float64 if scores.dtype == "float64" else torch.float32).tiny
    return torch.where(scores.eager.abs() < least, 0.0, scores.eager)


def _alike_to_eager(scores: Scores, own: torch.Tensor) -> torch.Tensor:
    """How many candidates eager's own scores hold as good as its choices, (rows, places)."""
    best = scores.eager.gather(1, own).contiguous()
    ordered = scores.eager.sort(-1).values.contiguous()
    return torch.searchsorted(ordered, best, right=True) - torch.searchsorted(ordered, best)


def _distance(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    return torch.where(same(left, right), 0.0, (left - right).abs()).nan_to_num(nan=math.inf, posinf=math.inf)


def _squares(values: torch.Tensor) -> float:
    return float(values.square().sum())
