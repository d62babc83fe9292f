"""Compare a candidate's outputs with eager's and with float64's: the published tolerances and the data's own scale.

Two conditions must hold at tolerance t.

(1) Published: all elements are within atol(t) + rtol(t) * |expected|. The expected values are eager's outputs or the
float64 ones. So a kernel nearer to the truth than eager is not punished.

From the strict t on, (1) also holds in another case. The error against float64 is then about eager's own, and small
beside the outputs' spread and the element's own size. The reason is half precision: after a chain of roundings two
results can be equally near the truth and not near each other. In a single call it is chance which of two equally
good results has the larger error. So all calls together are judged.

(2) Scale: the root-mean-square error against the truth is measured in units of the outputs' own spread. It is at
most the larger of two numbers: eager's own error times a factor, or the tolerance of t. It is never above a cap.
Where outputs are small, an absolute tolerance lets zeros, constants and guesses through. They fail this condition.

An infinity or NaN that eager and float64 agree on is due. A mask of -inf is a result like any other. An output that
differs there is right at no tolerance. Where they disagree, the element says nothing: a narrow dtype overflowed on
the way, or an operator's kernel has a quirk. Without a float64 reference only eager is known, for these values as
for all others.

Draws of a hard distribution are far larger than the model's own data. There an absolute tolerance is a multiple of
it in units of the outputs' spread. These draws tell forms that break from forms that hold, whatever either rounds.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

import torch

from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.levels import Part, is_strict, latest, level
from passnet.bench.compare.measures import (
    HARD_GROUP,
    HARD_ROOM,
    finite,
    first_level,
    groups,
    hard_unit,
    largest,
    max_relative,
    mean,
    nearer_level,
    precise,
    real,
    scaled_error,
    sized,
    spread_of,
    usable_of,
)
from passnet.bench.compare.neighbours import without_luck
from passnet.graph.tensors.equality import same, same_values
from passnet.graph.tensors.measure import dtype_name
from passnet.score import STRICT_T, T_RANGE, tolerance
from passnet.score.tolerances import T_MIN

SAMPLE = 1 << 15
# Eager's infinity is due where the truth is beyond the dtype's range by this factor. So is any value that lies so near
# to it, such as an exponential that saturates. Nearer to the range's end rounding decides.
_OVERFLOW, _SATURATED = 1.5, 0.25
_FARTHEST = 64
# By chance an error on a hard draw in bfloat16 is so many times eager's, where that is large. Zeros err by 1.
_CHANCE, _KNOWS_NOTHING = 2.0, 0.9


@dataclass(frozen=True)
class Comparison:
    """The worst of one or more outputs, each kind of error separately.

    `parts`: the objections to an output in a call.
    `published_at`: smallest t at which all are right against eager alone and without the scale condition. None at
    none.
    `fp64_ratio`: how many times farther from float64 than eager is. None without a float64 reference or where eager
    rounds nothing.
    `followed`: the number of calls that are right by other choices than eager's.
    """

    parts: tuple[Part, ...] = ()
    published_at: int | None = T_MIN
    max_abs: float = 0.0
    max_rel: float = 0.0
    scaled_error: float = 0.0
    fp64_ratio: float | None = None
    non_finite: bool = False
    followed: int = 0

    @functools.cached_property
    def correct_at(self) -> int | None:
        """Smallest t at which all are right, None at none."""
        return level(self.parts)

    @property
    def strict(self) -> bool:
        return self.correct_at is not None and self.correct_at <= STRICT_T


@dataclass(frozen=True)
class Criteria:
    """The two numbers of the scale condition, see `Protocol`, and what is known of the draw and of eager.

    `hard`: whether the draw's distribution is a hard one. `coarse`: whether eager stores bfloat16 on the way, whatever
    its outputs are.
    """

    fp64_factor: float
    scale_cap: float
    hard: bool = False
    coarse: bool = False


def worst(comparisons: Iterable[Comparison]) -> Comparison:
    """One comparison that is as bad as the worst of each kind. The parts are kept, because all calls together judge
    them.
    """
    rows = list(comparisons)
    return Comparison(
        parts=tuple(part for row in rows for part in row.parts),
        published_at=latest(row.published_at for row in rows),
        max_abs=max(row.max_abs for row in rows),
        max_rel=max(row.max_rel for row in rows),
        scaled_error=max(row.scaled_error for row in rows),
        fp64_ratio=max((row.fp64_ratio for row in rows if row.fp64_ratio is not None), default=None),
        non_finite=any(row.non_finite for row in rows),
        followed=sum(row.followed for row in rows),
    )


def _hopeless(output: int, dtype: str, distance: float = math.inf, *, non_finite: bool = False) -> Comparison:
    """An output that is right at no tolerance."""
    return Comparison((Part(output, dtype, None, None),), None, distance, math.inf, math.inf, non_finite=non_finite)


def wrong_indices(output: int, level: int | None) -> Comparison:
    """The objection to indices in an output that are right from a level on."""
    return Comparison((Part(output, "index", level, T_MIN, group="index"),))


def compare(
    outputs: Sequence[torch.Tensor],
    eager: Sequence[torch.Tensor],
    wide: Sequence[torch.Tensor] | None,
    criteria: Criteria,
    near: Sequence[Errors] | None = None,
) -> Comparison:
    """Compare all outputs of one call. Shapes and dtypes have been checked when the outputs were delivered.

    `near`: eager's errors on the neighbours of a hard draw. The larger ones count, see `neighbours`.
    """
    truths = wide if wide is not None else [None] * len(eager)
    each = enumerate(zip(outputs, eager, truths, near or [Errors()] * len(eager), strict=True))
    return worst(_compare_one(number, *values, criteria) for number, values in each)


def sample(
    outputs: Sequence[torch.Tensor], eager: Sequence[torch.Tensor], wide: Sequence[torch.Tensor] | None, rng: Random
) -> tuple[list[torch.Tensor], list[torch.Tensor], list[torch.Tensor] | None]:
    """The same random elements of each output and its references, at most `SAMPLE` of each."""
    rows = [list(outputs), list(eager), list(wide) if wide is not None else []]
    for index, output in enumerate(outputs):
        if output.numel() > SAMPLE:
            generator = torch.Generator(output.device).manual_seed(rng.getrandbits(48))
            chosen = torch.randint(output.numel(), (SAMPLE,), generator=generator, device=output.device)
            for row in rows:
                if row:
                    row[index] = row[index].reshape(-1)[chosen]
    return rows[0], rows[1], rows[2] if wide is not None else None


def compare_farthest(
    outputs: Sequence[torch.Tensor],
    eager: Sequence[torch.Tensor],
    wide: Sequence[torch.Tensor] | None,
    criteria: Criteria,
    near: Sequence[Errors] | None = None,
) -> Comparison:
    """Compare all elements of each output. The elements farthest from eager's, for their size, are inspected.

    A result that is stale in one element is wrong nowhere else, and a random sample would miss it.
    """
    truths = wide if wide is not None else [None] * len(eager)
    each = enumerate(zip(outputs, eager, truths, near or [Errors()] * len(eager), strict=True))
    return worst(_farthest(number, *values, criteria) for number, values in each)


def _farthest(
    number: int,
    output: torch.Tensor,
    eager: torch.Tensor,
    wide: torch.Tensor | None,
    near: Errors,
    criteria: Criteria,
) -> Comparison:
    if output.numel() <= SAMPLE:  # these are compared whole
        return Comparison()
    dtype = dtype_name(eager.dtype)
    if tolerance(dtype, 0).exact:
        return _compare_exact(number, dtype, output, eager, wide)
    stray = _stray(number, dtype, output, eager, wide, criteria.hard)
    if stray is not None:
        return stray
    got, base, truth = (t.reshape(-1) for t in (output, eager, eager if wide is None else wide))
    if finite(base, truth):
        size = base.abs().to(precise(base.dtype))
    else:
        size = torch.where(torch.isfinite(base) & torch.isfinite(truth), base, 0).abs().to(precise(base.dtype))
    return worst(
        _farthest_values(
            Part(number, dtype, None, T_MIN, group=group, coarse=criteria.coarse),
            got[of],
            base[of],
            truth[of],
            near if wide is not None else None,
        )
        for group, of in groups(size, hard=criteria.hard)
    )


def _farthest_values(
    part: Part, got: torch.Tensor, base: torch.Tensor, truth: torch.Tensor, near: Errors | None
) -> Comparison:
    """Compare the farthest elements of one group. `part` says which they are. `near` is None without float64."""
    kind = precise(base.dtype)
    usable = usable_of(got, base, truth, base.dtype)
    size = (base if usable is None else torch.where(usable, base, 0)).abs().to(kind)
    distance = (got - base).abs().to(kind)
    if not finite(got):
        distance = torch.nan_to_num(distance, nan=math.inf, posinf=math.inf)
    distance /= size + max(mean(size), torch.finfo(kind).tiny)
    if usable is None:
        chosen = largest(distance, _FARTHEST)
    else:
        distance[~usable] = 0.0
        chosen = largest(distance, _FARTHEST)
        chosen = chosen[usable[chosen]]
    all_base, all_truth = base, truth
    got, base, truth = real(got[chosen]), real(base[chosen]), real(truth[chosen])
    if not bool(torch.isfinite(got).all()):
        return _hopeless(part.output, part.dtype, non_finite=True)
    if got.numel() == 0:
        return Comparison()
    difference, size = (got - base).abs_(), base.abs()
    unit = hard_unit(spread_of(real(_of(all_base, usable)))) if part.group == HARD_GROUP else 1.0
    published = first_level(difference / unit, size / unit, part.dtype)
    nearest = nearer_level(published, got / unit, truth / unit, part.dtype)
    errors = None
    if near is not None and not is_strict(nearest):
        whole, exact = real(_of(all_base, usable)), real(_of(all_truth, usable))
        spread = spread_of(exact, hard=part.group == HARD_GROUP)
        farthest, eagers = (float(each.max()) for each in (sized(got, truth, spread), sized(whole, exact, spread)))
        errors = Errors(farthest=farthest, eagers_farthest=without_luck(eagers, near.eagers_farthest))
    return Comparison(
        parts=(replace(part, elements=nearest, errors=errors),),
        published_at=published,
        max_abs=float(difference.max()),
        max_rel=max_relative(difference, size),
    )


def _of(values: torch.Tensor, usable: torch.Tensor | None) -> torch.Tensor:
    return values if usable is None else values[usable]


def _compare_one(
    number: int,
    output: torch.Tensor,
    eager: torch.Tensor,
    wide: torch.Tensor | None,
    near: Errors,
    criteria: Criteria,
) -> Comparison:
    dtype = dtype_name(eager.dtype)
    if tolerance(dtype, 0).exact:
        return _compare_exact(number, dtype, output, eager, wide)
    stray = _stray(number, dtype, output, eager, wide, criteria.hard)
    if stray is not None:
        return stray
    got, base = real(output), real(eager)
    truth = real(wide) if wide is not None else base
    usable = usable_of(got, base, truth, eager.dtype.to_real())
    if usable is not None:
        got, base, truth = got[usable], base[usable], truth[usable]
    if not finite(got) and not bool(torch.isfinite(got).all()):
        return _hopeless(number, dtype, non_finite=True)
    if got.numel() == 0:
        return Comparison()
    return worst(
        _compare_values(
            Part(number, dtype, None, None, group=group, coarse=criteria.coarse),
            got[of],
            base[of],
            truth[of],
            near if wide is not None else None,
            criteria,
        )
        for group, of in groups(truth.abs(), hard=criteria.hard)
    )


def _compare_values(
    part: Part, got: torch.Tensor, base: torch.Tensor, truth: torch.Tensor, near: Errors | None, criteria: Criteria
) -> Comparison:
    """Compare the finite elements of one group. `part` says which they are. `near` is None without float64."""
    dtype = part.dtype
    difference, size = (got - base).abs_(), base.abs()
    spread = spread_of(truth, hard=criteria.hard)
    unit = hard_unit(spread) if criteria.hard else 1.0
    published = first_level(difference / unit, size / unit, dtype)
    nearest = nearer_level(published, got / unit, truth / unit, dtype) if near is not None else published
    scaled = scaled_error(got, truth, spread)
    eager_scaled = scaled_error(base, truth, spread) if near is not None else None
    known, errors = 0.0, None
    if near is not None and eager_scaled is not None:
        known, peaks = without_luck(eager_scaled, near.eagers), (0.0, 0.0)
        if not is_strict(nearest):
            eagers = float(sized(base, truth, spread).max())
            peaks = (float(sized(got, truth, spread).max()), without_luck(eagers, near.eagers_farthest))
        errors = Errors(scaled, known, *peaks)
    scale = _first_scale_level(scaled, known, dtype, criteria)
    part = replace(part, elements=nearest, scale=scale, errors=errors)
    return Comparison(
        parts=(part,),
        published_at=published,
        max_abs=float(difference.max()),
        max_rel=max_relative(difference, size),
        scaled_error=scaled,
        fp64_ratio=scaled / eager_scaled if eager_scaled else None,
    )


def _stray(
    number: int, dtype: str, output: torch.Tensor, eager: torch.Tensor, wide: torch.Tensor | None, hard: bool
) -> Comparison | None:
    """The error where an infinity or NaN is due, searched at all elements. None where there is no error.

    A finite number in its place is a wrong value. Another infinity or NaN is one that should not be there.
    """
    wrong = instead_of_due(output, eager, wide, hard=hard)
    return _hopeless(number, dtype, non_finite=not bool(torch.isfinite(wrong).all())) if wrong.numel() else None


def instead_of_due(
    output: torch.Tensor, eager: torch.Tensor, wide: torch.Tensor | None, *, hard: bool = False
) -> torch.Tensor:
    """The float64 values that a floating output has where an infinity or NaN is due and is missing.

    A saturated value is right where the truth is a finite number, and on hard draws, where float64 overflows too.
    """
    if finite(eager):
        return torch.empty(0, dtype=torch.float64)
    odd = ~torch.isfinite(eager)
    if not bool(odd.any()):
        return torch.empty(0, dtype=torch.float64)
    got, base, truth = (real(tensor[odd]) for tensor in (output, eager, eager if wide is None else wide))
    largest = torch.finfo(eager.dtype).max
    infinite = torch.isinf(base) & (base.sign() == truth.sign()) & (truth.abs() / _OVERFLOW > largest)
    due = infinite | (torch.isnan(base) & torch.isnan(truth))
    saturated = infinite & (got * base.sign() >= _SATURATED * largest) & (torch.isfinite(truth) | hard)
    return got[due & ~same(got, base) & ~saturated]


def _compare_exact(
    number: int, dtype: str, output: torch.Tensor, eager: torch.Tensor, wide: torch.Tensor | None
) -> Comparison:
    """Integers must be eager's. A truth value may be that of float64: whether x < 0.5 is a matter of eager's roundings,
    and a kernel that rounds less says what is true.
    """
    if torch.equal(output, eager):
        return Comparison()
    if wide is not None and wide.dtype is output.dtype is torch.bool and bool((output ^ eager <= wide ^ eager).all()):
        return Comparison(published_at=None, max_abs=1.0)
    if eager.is_floating_point() and same_values(output.float(), eager.float()):  # NaN in eight bits
        return Comparison()
    distance = float((output.double() - eager.double()).abs().max()) if output.numel() else math.inf
    return _hopeless(number, dtype, distance)


def _first_scale_level(scaled: float, known: float, dtype: str, criteria: Criteria) -> int | None:
    # If eager is itself far from the truth, a candidate may be equally far, but not several times as far.
    most = max(criteria.scale_cap, known)
    if criteria.hard and (criteria.coarse or dtype == "bfloat16"):
        # Near a tie its three digits decide which of two errors a form has.
        most = max(most, min(_CHANCE * known, _KNOWS_NOTHING))
    if scaled <= min(criteria.fp64_factor * known, most):
        return T_MIN
    for t in T_RANGE:
        bound = tolerance(dtype, t)
        if scaled <= min(criteria.scale_cap, max(bound.rtol, bound.atol * (HARD_ROOM if criteria.hard else 1.0))):
            return t
    return None
