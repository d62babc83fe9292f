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
Where outputs hardly vary, eager itself may be above the cap by its roundings. Then chance decides which of two equally
good results has the larger error, as long as it is below that of a constant.

An infinity or NaN that eager and float64 agree on is due. A mask of -inf is a result like any other. An output that
differs there is right at no tolerance. Where only eager has one, because a narrow dtype overflowed on the way or an
operator's kernel has a quirk, it is right, and so is a number that is near float64's. Where only float64 has one, the
element says nothing. Without a float64 reference only eager is known, for these values as for all others.

Draws of a hard distribution are far larger than the model's own data. There an absolute tolerance is a multiple of
it in units of the outputs' spread. These draws tell forms that break from forms that hold, whatever either rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import torch

from passnet.bench.compare import at_once
from passnet.bench.compare.at_once import Numbers, Values, WholeOutput
from passnet.bench.compare.closeness import GRAPH, Errors
from passnet.bench.compare.comparison import Comparison, Criteria, worst
from passnet.bench.compare.due import stray_values, without_error
from passnet.bench.compare.levels import Part, is_strict
from passnet.bench.compare.measures import (
    HARD_ROOM,
    finite,
    first_level,
    group_of_all,
    groups,
    hard_unit,
    has_neighbours,
    in_spreads,
    in_units,
    max_relative,
    nearer_level,
    rms,
    scaled_error,
    sized,
    spread_of_group,
    usable_of,
)
from passnet.bench.compare.neighbours import without_luck
from passnet.bench.compare.on_host import placed_errors
from passnet.bench.compare.parts import compare_parts
from passnet.score import T_RANGE, tolerance
from passnet.score.tolerances import T_MIN

# By chance an error is so many times eager's: on a draw of few elements that vary, and on a hard one in bfloat16. Zeros
# and constants err by 1.
_AS_LARGE, _CHANCE, _KNOWS_NOTHING = GRAPH.rms, 2.0, 0.9
# Outputs of a hard draw may vary by no more than their dtype tells apart: a few far numbers, or a softmax of what is
# nearly alike. An RMS error of so many steps of the dtype is right there, since sums round more than once. A narrow
# dtype is rounded to once: there only eager's errors tell what is due. Where bfloat16 is stored on the way, one step of
# it is right if eager knows nothing of how the outputs vary.
_STEPS, _NARROW = 4.0, torch.finfo(torch.float16).eps
# Where eager errs by more than so many spreads, any guess is as near to the truth as eager, so only its own elements
# tell. A mask swallows what is added to it.
_SWALLOWED = 2.0


def compare(
    outputs: Sequence[torch.Tensor],
    eager: Sequence[torch.Tensor],
    wide: Sequence[torch.Tensor] | None,
    criteria: Criteria,
    near: Sequence[Errors] | None = None,
    first: int = 0,
    known: Sequence[WholeOutput | None] | None = None,
    drawn: Sequence[bool] | None = None,
) -> Comparison:
    """Compare all outputs of one call. Shapes and dtypes have been checked when the outputs were delivered.

    `near`: eager's errors on the neighbours of the draw. The larger ones count, see `neighbours`. `first`: the
    number of the first output. `known`: what `wholes` says of them, where that was asked for other calls too.
    `drawn`: of which outputs these are some elements, drawn at random.
    """
    asked = at_once.values_of(outputs, eager, wide, hard=criteria.hard, drawn=drawn)
    rows = zip(asked, near or [Errors()] * len(eager), known or at_once.wholes(asked), strict=True)
    return worst(_compare_one(number, *row, criteria) for number, row in enumerate(rows, first))


def _compare_one(
    number: int, values: Values, near: Errors, known: WholeOutput | None, criteria: Criteria
) -> Comparison:
    if known is not None:
        part = Part(number, values.dtype, None, None, group=group_of_all(hard=criteria.hard), coarse=criteria.coarse)
        judged = _judged(part, known.numbers, values.flat, None if values.wide is None else near, criteria)
        return judged if known.even else worst([judged, _parts(number, values, None, criteria, near)])
    values, near = values.placed, placed_errors(near)
    output, eager, wide = values.output, values.eager, values.wide
    found = without_error(number, output, eager, wide, hard=criteria.hard)
    if found is not None:
        return found
    got, base, truth = values.flat()
    usable = usable_of(got, base, truth, eager.dtype.to_real())
    if usable is not None:
        got, base, truth = got[usable], base[usable], truth[usable]
    if not finite(got) and not bool(torch.isfinite(got).all()):
        return stray_values(number, values.dtype, got, hard=criteria.hard)
    if got.numel() == 0:
        return Comparison()
    parts = _parts(number, values, usable, criteria, near)
    of_groups = (
        _compare_values(
            Part(number, values.dtype, None, None, group=group, coarse=criteria.coarse),
            got[of],
            base[of],
            truth[of],
            None if wide is None else near if has_neighbours(group) else Errors(),
            criteria,
        )
        for group, of in groups(truth.abs(), hard=criteria.hard)
    )
    return worst([*of_groups, parts])


def _parts(number: int, values: Values, usable: torch.Tensor | None, criteria: Criteria, near: Errors) -> Comparison:
    if values.drawn:
        return Comparison()
    values, near = values.placed, placed_errors(near)
    return compare_parts(number, values.output, values.eager, values.wide, usable, criteria, near)


def _compare_values(
    part: Part, got: torch.Tensor, base: torch.Tensor, truth: torch.Tensor, near: Errors | None, criteria: Criteria
) -> Comparison:
    """Compare the finite elements of one group. `part` says which they are. `near` is None without float64."""
    dtype = part.dtype
    difference, size = (got - base).abs_(), base.abs()
    spread = spread_of_group(truth, part.group, dtype)
    unit = hard_unit(spread) if criteria.hard else 1.0
    published = nearest = first_level(in_units(difference, unit), in_units(size, unit), dtype)
    scaled, eager_scaled = scaled_error(difference, spread), 0.0
    if near is not None:
        error = (got - truth).abs_()
        nearest = nearer_level(published, in_units(error, unit), in_units(truth.abs(), unit), dtype)
        scaled, eager_scaled = scaled_error(error, spread), scaled_error(base - truth, spread)
    numbers = Numbers(
        published=published,
        nearest=nearest,
        spread=spread,
        scaled=scaled,
        eager_scaled=eager_scaled,
        max_abs=float(difference.max()),
        max_rel=float(max_relative(difference, size)),
    )
    return _judged(part, numbers, lambda: (got, base, truth), near, criteria)


def _judged(
    part: Part,
    numbers: Numbers,
    values: Callable[[], tuple[torch.Tensor, torch.Tensor, torch.Tensor]],
    near: Errors | None,
    criteria: Criteria,
) -> Comparison:
    """The comparison by the numbers of one group. `values`: its elements, the candidate's, eager's and float64's."""
    scaled, known, errors, peaks = numbers.scaled, 0.0, None, (0.0, 0.0)
    if near is not None:
        step = _step_on_the_way(part, numbers, values, near, criteria)
        known = without_luck(numbers.eager_scaled, near.eagers, step)
        if not is_strict(numbers.nearest):
            got, base, truth = values()
            eagers = float(sized(base, truth, numbers.spread).max())
            peaks = (float(sized(got, truth, numbers.spread).max()), without_luck(eagers, near.eagers_farthest, step))
        errors = Errors(scaled, known, *peaks)
    scale = _first_scale_level(scaled, known, part.dtype, criteria)
    if criteria.hard and near and not is_strict(scale) and is_strict(numbers.nearest):
        forgiven = _step_forgiven(part, known, criteria)
        if forgiven and scaled * numbers.spread <= forgiven * rms(values()[2]):
            scale, errors = T_MIN, Errors(min(scaled, known), known, *peaks)  # it says nothing of other calls
    part = replace(part, elements=numbers.nearest, scale=scale, errors=errors)
    return Comparison(
        parts=(part,),
        published_at=numbers.published,
        max_abs=numbers.max_abs,
        max_rel=numbers.max_rel,
        scaled_error=scaled,
        fp64_ratio=scaled / numbers.eager_scaled if numbers.eager_scaled else None,
    )


def _step_forgiven(part: Part, known: float, criteria: Criteria) -> float:
    """The RMS error that is right on a hard draw, for the size of the outputs. `known`: eager's, in spreads."""
    step = torch.finfo(getattr(torch, part.dtype)).eps
    if step < _NARROW:
        return _STEPS * step
    return torch.finfo(torch.bfloat16).eps if criteria.coarse and known >= _KNOWS_NOTHING else 0.0


def _step_on_the_way(
    part: Part,
    numbers: Numbers,
    values: Callable[[], tuple[torch.Tensor, torch.Tensor, torch.Tensor]],
    near: Errors,
    criteria: Criteria,
) -> float:
    """The error, in spreads, of a step of bfloat16 on the way to an output of more digits, on a hard draw. 0 elsewhere.

    Where all numbers of an input are one, eager rounds one number there, and may do so well by chance.
    """
    if not (criteria.hard and criteria.coarse) or near.eagers <= numbers.eager_scaled or part.dtype == "bfloat16":
        return 0.0
    return in_spreads(torch.finfo(torch.bfloat16).eps * rms(values()[2]), numbers.spread)


def _first_scale_level(scaled: float, known: float, dtype: str, criteria: Criteria) -> int | None:
    # If eager is itself far from the truth, a candidate may be equally far, but not several times as far.
    if known > 1.0:
        most = (_CHANCE if known > _SWALLOWED else _AS_LARGE) * known
    else:
        # Near a tie the three digits of bfloat16 decide which of two errors a form has.
        tied = criteria.hard and (criteria.coarse or dtype == "bfloat16")
        most = max(criteria.scale_cap, known, min((_CHANCE if tied else _AS_LARGE) * known, _KNOWS_NOTHING))
    if scaled <= min(criteria.fp64_factor * known, most):
        return T_MIN
    for t in T_RANGE:
        bound = tolerance(dtype, t)
        if scaled <= min(criteria.scale_cap, max(bound.rtol, bound.atol * (HARD_ROOM if criteria.hard else 1.0))):
            return t
    return None
