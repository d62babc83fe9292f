"""Compare all elements of large outputs, and inspect the farthest ones; or compare elements drawn at random."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import torch

from passnet.bench.compare import at_once
from passnet.bench.compare.at_once import Levels, Values, values_of
from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.comparison import Comparison, Criteria, worst
from passnet.bench.compare.due import stray_values, without_error
from passnet.bench.compare.levels import Part, is_strict
from passnet.bench.compare.measures import (
    finite,
    first_level,
    group_of_all,
    groups,
    hard_unit,
    has_neighbours,
    is_of_hard_draw,
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
from passnet.score.tolerances import T_MIN

SAMPLE = 1 << 14
_FARTHEST = 64
# The levels of some elements, and which they are.
Chosen = tuple[Levels, torch.Tensor]


def sample(
    outputs: Sequence[torch.Tensor], eager: Sequence[torch.Tensor], wide: Sequence[torch.Tensor] | None, rng: Random
) -> tuple[list[torch.Tensor], list[torch.Tensor], list[torch.Tensor] | None]:
    """The same random elements of each output and its references, at most `SAMPLE` of each, see `is_sampled`."""
    rows = [list(outputs), list(eager), list(wide) if wide is not None else []]
    for index, output in enumerate(outputs):
        if is_sampled(output):
            generator = torch.Generator(output.device).manual_seed(rng.getrandbits(48))
            chosen = torch.randint(output.numel(), (SAMPLE,), generator=generator, device=output.device)
            for row in rows:
                if row:
                    row[index] = row[index].reshape(-1)[chosen]
    return rows[0], rows[1], rows[2] if wide is not None else None


def is_sampled(output: torch.Tensor) -> bool:
    """Whether there are too many elements to compare them all closely."""
    return output.numel() > SAMPLE


def compare_farthest(
    outputs: Sequence[torch.Tensor],
    eager: Sequence[torch.Tensor],
    wide: Sequence[torch.Tensor] | None,
    criteria: Criteria,
    near: Sequence[Errors] | None = None,
    first: int = 0,
    known: Sequence[Chosen | None] | None = None,
) -> Comparison:
    """Compare all elements of each output. The elements farthest from eager's, for their size, are inspected.

    A result that is stale in one element is wrong nowhere else, and a random sample would miss it. `known`: what
    `farthest_of` says of the outputs, where that was asked for other calls too.
    """
    asked = values_of(outputs, eager, wide, hard=criteria.hard)
    rows = zip(asked, near or [Errors()] * len(eager), known or farthest_of(asked), strict=True)
    return worst(_farthest(number, *row, criteria) for number, row in enumerate(rows, first))


def farthest_of(asked: Sequence[Values]) -> list[Chosen | None]:
    """The levels of the farthest elements of each output, as far as one wait tells them."""
    large = [index for index, values in enumerate(asked) if is_sampled(values.output)]
    told = dict(zip(large, at_once.farthest([asked[index] for index in large], _FARTHEST), strict=True))
    return [told.get(index) for index in range(len(asked))]


def _farthest(number: int, values: Values, near: Errors, known: Chosen | None, criteria: Criteria) -> Comparison:
    output, eager, wide = values.output, values.eager, values.wide
    if not is_sampled(output):  # these are compared whole
        return Comparison()
    part = Part(number, values.dtype, None, T_MIN, group=group_of_all(hard=criteria.hard), coarse=criteria.coarse)
    got, base, truth = (_flat(tensor) for tensor in (output, eager, eager if wide is None else wide))
    if known is not None:
        return _judged(part, *known, (got, base, truth), None, None if wide is None else near)
    without = without_error(number, output, eager, wide, hard=criteria.hard)
    if without is not None:
        return without
    plain = finite(base, truth)
    if plain:
        size = base.abs().to(precise(base.dtype))
    else:
        size = torch.where(torch.isfinite(base) & torch.isfinite(truth), base, 0).abs().to(precise(base.dtype))
    told_apart = groups(size, hard=criteria.hard)
    sizes = size if plain and len(told_apart) == 1 else None
    return worst(
        _farthest_values(
            replace(part, group=group),
            got[of],
            base[of],
            truth[of],
            None if wide is None else near if has_neighbours(group) else Errors(),
            sizes,
        )
        for group, of in told_apart
    )


def _farthest_values(
    part: Part,
    got: torch.Tensor,
    base: torch.Tensor,
    truth: torch.Tensor,
    near: Errors | None,
    sizes: torch.Tensor | None = None,
) -> Comparison:
    """Compare the farthest elements of one group. `part` says which they are. `near` is None without float64.

    `sizes`: those of the base where it and the truth are finite. They are used up.
    """
    kind, plain = precise(base.dtype), finite(got)
    usable = None if plain and sizes is not None else usable_of(got, base, truth, base.dtype)
    if sizes is not None and usable is None:
        size = sizes
    else:
        size = (base if usable is None else torch.where(usable, base, 0)).abs().to(kind)
    distance = (got - base).abs_().to(kind)
    if not plain:
        distance = torch.nan_to_num(distance, nan=math.inf, posinf=math.inf)
    distance /= size.add_(max(mean(size), torch.finfo(kind).tiny))
    if usable is None:
        chosen = largest(distance[None], _FARTHEST)[0]
    else:
        distance[~usable] = 0.0
        chosen = largest(distance[None], _FARTHEST)[0]
        chosen = chosen[usable[chosen]]
    all_got, all_base, all_truth = got, base, truth
    got, base, truth = real(got[chosen]), real(base[chosen]), real(truth[chosen])
    if not bool(torch.isfinite(got).all()):
        return stray_values(part.output, part.dtype, got, hard=is_of_hard_draw(part.group))
    if got.numel() == 0:
        return Comparison()
    difference, size = (got - base).abs_(), base.abs()
    unit = hard_unit(spread_of(real(_of(all_base, usable)))) if is_of_hard_draw(part.group) else 1.0
    published = first_level(difference / unit, size / unit, part.dtype)
    nearest = nearer_level(published, (got - truth).abs_() / unit, truth.abs() / unit, part.dtype)
    levels = Levels(published, nearest, float(difference.max()), float(max_relative(difference, size)))
    return _judged(part, levels, chosen, (all_got, all_base, all_truth), usable, near)


def _judged(
    part: Part,
    levels: Levels,
    chosen: torch.Tensor,
    values: tuple[torch.Tensor, torch.Tensor, torch.Tensor],
    usable: torch.Tensor | None,
    near: Errors | None,
) -> Comparison:
    """The comparison by the levels of the chosen elements of one group. `values`: all of its elements."""
    got, base, truth = values
    errors = None
    if near is not None and not is_strict(levels.nearest):
        whole, exact = real(_of(base, usable)), real(_of(truth, usable))
        spread = spread_of(exact, hard=is_of_hard_draw(part.group))
        farthest = float(sized(real(got[chosen]), real(truth[chosen]), spread).max())
        eagers = float(sized(whole, exact, spread).max())
        errors = Errors(
            farthest=farthest,
            eagers_farthest=without_luck(eagers, near.eagers_farthest),
            eagers_whole=without_luck(scaled_error(whole - exact, spread), near.eagers),
        )
    return Comparison(
        parts=(replace(part, elements=levels.nearest, errors=errors),),
        published_at=levels.published,
        max_abs=levels.max_abs,
        max_rel=levels.max_rel,
    )


def _flat(tensor: torch.Tensor) -> torch.Tensor:
    """The elements in a row, of complex numbers both parts."""
    return (torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor).reshape(-1)


def _of(values: torch.Tensor, usable: torch.Tensor | None) -> torch.Tensor:
    return values if usable is None else values[usable]
