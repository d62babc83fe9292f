"""Parts of an output that are far smaller than the whole: judged by their own size, and by eager's error there.

Class scores beside the corners of boxes are such a part. What eager rounds in the corners would hide any error of
theirs. Parts are found by size alone: rows and columns, or slices of other dimensions, of which each has elements
enough to show that it is small. Those of about one size are judged together.

A part tells something where eager computes it well. In one that a sum almost cancels, the rounding of what was summed
is left.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.comparison import Comparison, Criteria, worst
from passnet.bench.compare.levels import Part
from passnet.bench.compare.measures import HARD_PART, HARD_ROOM, NOTHING, SMALL_PART, real, rms, sized
from passnet.bench.compare.neighbours import without_luck
from passnet.bench.compare.on_host import placed
from passnet.graph.tensors.measure import dtype_name
from passnet.score import STRICT_T, T_RANGE, tolerance
from passnet.score.tolerances import T_MIN

# A slice of fewer elements may be small by chance. A part has at least twice as many, and its size is not that of a few
# of them: by chance eager rounds these well.
_SLICE, _PART = 16, 32
# Each of these factors below the largest slice is a size of its own, up to so many.
_FACTOR, _MOST = 8.0, 8
# The squares of slices that differ by less show that there is no small part.
_UNEVEN = _FACTOR**2
# A long row is cut into so many elements, and into every so many-th one.
_CUTS = (64, 48)
# Eager knows a part where it errs by less than this share of its size, and than so many steps of the dtype. What is
# left of larger numbers that cancel, as the tail of a `gelu` is, differs in honest forms.
_KNOWN, _KNOWN_STEPS = 0.05, 64.0
# An RMS error of a part may be so many times eager's own, and that of an element on usual draws and on hard ones.
_TIMES, _PEAK, _HARD_PEAK = 4.0, 6.0, 12.0
# An element may always be as far off as this, in the part's size and its own. On hard draws two logits may tie, and in
# bfloat16 one of them gets all.
_NEAR, _HARD_NEAR = 0.1, 0.25
# Where eager and float64 have zeros, this share of the largest slice's size may be left over.
_LEFT = 1e-4
# What is farther off is right at no tolerance.
_MOST_OFF = 0.1


@dataclass(frozen=True)
class Slices:
    """A view of an output as (outer, count, inner): each of `count` places has outer times inner elements, a slice."""

    outer: int
    count: int
    inner: int

    def cut(self, values: torch.Tensor) -> torch.Tensor:
        """Flat values as this view of them."""
        return values[: self.outer * self.count * self.inner].view(self.outer, self.count, self.inner)

    def cut_rows(self, table: torch.Tensor) -> torch.Tensor:
        """The same of each row of a table, which holds one output: (rows, outer, count, inner)."""
        return table[:, : self.outer * self.count * self.inner].view(len(table), self.outer, self.count, self.inner)

    def sums(self, squares: torch.Tensor) -> torch.Tensor:
        return self.cut(squares).sum(dim=(0, 2))

    def chosen(self, values: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        return self.cut(values).index_select(1, places.to(values.device)).reshape(-1)


def compare_parts(
    number: int,
    output: torch.Tensor,
    eager: torch.Tensor,
    wide: torch.Tensor | None,
    usable: torch.Tensor | None,
    criteria: Criteria,
    near: Errors | None = None,
) -> Comparison:
    """The objections to the small parts of an output. None of them where it has no such parts, or where there is no
    float64 reference: then nobody knows what eager rounds in a part.

    `usable`: the flat elements that say something, None where all do. `near`: eager's outputs on the
    neighbours of the draw, on which it may be less lucky in a part.
    """
    shape = (*eager.shape, 2) if eager.is_complex() else tuple(eager.shape)
    if wide is None or math.prod(shape) < _PART:
        return Comparison()
    rule = _Rule(number, dtype_name(eager.dtype), criteria)
    truth = _flat(wide, usable)
    squares, seen = truth.square(), None if usable is None else usable.to(truth.dtype)
    sides: tuple[torch.Tensor, torch.Tensor] | None = None
    base: torch.Tensor | None = None
    found = []
    for slices in slices_of(shape):
        known = placed(slices.sums(squares))
        if seen is None:
            low, high = known.aminmax()
            if bool(low * _UNEVEN >= high):
                continue
        counts = torch.full_like(known, slices.outer * slices.inner) if seen is None else placed(slices.sums(seen))
        parts, top = _parts(known, counts, NOTHING if criteria.hard else 0.0)
        if not parts:
            continue
        if sides is None:
            got = _flat(output, usable)
            sides = got, (got - truth).abs_()
        got, error = sides
        wrong, farthest = placed(slices.sums(error.square())), placed(slices.cut(error).amax(dim=(0, 2)))
        for places in parts:
            count = float(counts[places].sum())
            size, own = (math.sqrt(float(each[places].sum()) / count) for each in (known, wrong))
            if rule.surely_right(own, float(farthest[places].max()), size):
                continue
            base = base if base is not None else _flat(eager, usable)
            values = [slices.chosen(each, places) for each in (got, base, truth)]
            if usable is not None:
                values = [each[slices.chosen(usable, places)] for each in values]
            pairs = near.neighbours if near else ()
            neighbours = [(slices.chosen(real(a), places), slices.chosen(real(b), places)) for a, b in pairs]
            found += rule.judged(values[0], values[1], values[2], neighbours, size=size, top=top)
    return worst(found) if found else Comparison()


def may_have_parts(truth: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """For each row of a table, which holds one output of this shape, whether some slices are so much smaller than
    others that they may be small parts.
    """
    found = torch.zeros(len(truth), dtype=torch.bool, device=truth.device)
    if math.prod(shape) < _PART:
        return found
    squares = truth.square()
    for slices in slices_of(shape):
        low, high = slices.cut_rows(squares).sum(dim=(1, 3)).aminmax(dim=1)
        found |= ~(low * _UNEVEN >= high)
    return found


def slices_of(shape: tuple[int, ...]) -> Iterator[Slices]:
    """The slices of an output of this shape that are looked at.

    Rows of the last dimension hold whatever consists of rows. Where they are short, several of them are a slice, and
    all other dimensions have slices too. Where there are few rows, they are cut.
    """
    numel, last = math.prod(shape), shape[-1] if shape else 1
    rows = numel // last
    if last >= _SLICE:
        yield Slices(1, rows, last)
    else:
        several = -(-_SLICE // last)
        yield Slices(1, rows // several, several * last)
        for place, size in enumerate(shape[:-1]):
            inner = math.prod(shape[place + 1 :])
            if size > 1 and numel // size >= _SLICE:
                yield Slices(numel // size // inner, size, inner)
    if rows >= _SLICE:
        yield Slices(rows, last, 1)
        return
    for cut in _CUTS:
        if last >= _SLICE * cut and (rows == 1 or last % cut == 0):
            yield Slices(rows, last // cut, cut)
            yield Slices(numel // cut, cut, 1)


@dataclass(frozen=True)
class _Rule:
    """How far off the parts of one output may be."""

    number: int
    dtype: str
    criteria: Criteria

    @functools.cached_property
    def coarse(self) -> bool:
        return self.criteria.coarse or self.dtype == "bfloat16"

    @functools.cached_property
    def least(self) -> float:
        """An RMS error of this share of a part's size is always forgiven. On hard draws sums almost cancel."""
        dtype = "bfloat16" if self.coarse else self.dtype
        bound, step = tolerance(dtype, STRICT_T), torch.finfo(getattr(torch, dtype)).eps
        least = max(bound.rtol, 2 * step)
        if self.criteria.hard:
            return max(_TIMES * least, 10 * HARD_ROOM * bound.atol)
        return max(least, 10 * bound.atol)

    @property
    def known(self) -> float:
        """Where eager errs by more than this share of a part's size, nobody knows the part."""
        return min(
            _KNOWN, _KNOWN_STEPS * torch.finfo(torch.bfloat16 if self.coarse else getattr(torch, self.dtype)).eps
        )

    @property
    def near(self) -> float:
        """So far off an element may always be, in the part's size and its own."""
        if not self.criteria.hard:
            return _NEAR
        return math.inf if self.coarse else _HARD_NEAR

    def surely_right(self, own: float, farthest: float, size: float) -> bool:
        """Whether an RMS error and that of the farthest element say so."""
        return own <= self.least * size and farthest <= self.near * size

    def judged(
        self,
        got: torch.Tensor,
        base: torch.Tensor,
        truth: torch.Tensor,
        neighbours: Sequence[tuple[torch.Tensor, torch.Tensor]],
        *,
        size: float,
        top: float,
    ) -> list[Comparison]:
        """The objection to the elements of one part, if there is one. `top`: the size of the largest slice.

        `neighbours`: eager's elements and float64's on the neighbours of the draw. Where all elements are one number,
        luck has no bound: so what errs no more than eager does on a neighbour is right, unless eager is exact.
        """
        own, eagers = rms(got - truth), rms(base - truth)
        if size == 0.0:
            left = _LEFT * top
            return [self._refused(own, 0.0, left, math.inf)] if eagers == 0.0 and own > left else []
        if eagers > self.known * size or _of_few(truth / size):
            return []
        others = [(rms(near - true), rms(true)) for near, true in neighbours]
        near = max((each / least * size for each, least in others if least), default=0.0) if eagers else 0.0
        eagers = without_luck(eagers, near)
        allowed = max(_TIMES * eagers, self.least * size, near)
        if own > allowed:
            return [self._refused(own / size, eagers / size, allowed / size, top / size)]
        farthest, eagers_farthest = (float(sized(each, truth, size).max()) for each in (got, base))
        near = max((float(sized(*pair, size).max()) for pair in neighbours), default=0.0)
        eagers_farthest = without_luck(eagers_farthest, near)
        allowed = max((_HARD_PEAK if self.criteria.hard else _PEAK) * eagers_farthest, self.near)
        if farthest > allowed:
            return [self._refused(farthest, eagers_farthest, allowed, top / size, "an element")]
        return []

    def _refused(self, own: float, eagers: float, allowed: float, ratio: float, what: str = "the RMS") -> Comparison:
        said = (
            f"{what} is {own:.3g} of its size off, and {allowed:.3g} is allowed in a part that is {ratio:.3g} times "
            f"smaller than the largest; eager is {eagers:.3g} off"
        )
        level = next(
            (t for t in T_RANGE if t > STRICT_T and own <= min(max(tolerance(self.dtype, t)), _MOST_OFF)), None
        )
        group = HARD_PART if self.criteria.hard else SMALL_PART
        part = Part(self.number, self.dtype, T_MIN, level, Errors(own, eagers), group, self.criteria.coarse, said)
        return Comparison((part,))


def _parts(squares: torch.Tensor, counts: torch.Tensor, nothing: float) -> tuple[list[torch.Tensor], float]:
    """The places of small slices, those of about one size together, and the size of the largest slice.

    `squares`: the sum of squares of each slice. `counts`: of how many elements. `nothing`: what is smaller than this
    share of the largest, and not zero, says nothing: a probability of 1e-38 is 0 in many kernels. So does an output
    that is smaller than this itself.
    """
    sizes = (squares / counts).nan_to_num_(nan=0.0).sqrt_()
    top = float(sizes.max())
    small = (sizes * _FACTOR < top) & (counts >= _SLICE) & ((sizes >= nothing * top) | (sizes == 0.0))
    if not nothing < top < math.inf or not bool(small.any()):
        return [], top
    powers = (top / sizes).log_().div_(math.log(_FACTOR)).clamp_(max=_MOST).floor()
    powers = torch.where(small, torch.where(sizes > 0.0, powers, _MOST + 1), 0)
    kinds = [(powers == power).nonzero().reshape(-1) for power in sorted(set(powers.tolist()) - {0.0})]
    return [places for places in kinds if float(counts[places].sum()) >= _PART], top


def _of_few(values: torch.Tensor) -> bool:
    """Whether the size of values, whose RMS is 1, is that of fewer elements than a slice has."""
    return values.numel() < _SLICE * float(values.pow(4).mean())


def _flat(tensor: torch.Tensor, usable: torch.Tensor | None) -> torch.Tensor:
    """Flat float64, with zeros for what says nothing."""
    values = real(tensor)
    return values if usable is None else torch.where(usable, values, 0.0)
