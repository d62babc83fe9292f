"""Compare all elements of large outputs, and inspect the farthest ones; or compare elements drawn at random."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import torch

from passnet.bench.compare import at_once
from passnet.bench.compare.at_once import Levels
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
    sized,
    spread_of,
    usable_of,
)
from passnet.bench.compare.neighbours import without_luck
from passnet.graph.tensors.measure import dtype_name
from passnet.score.tolerances import T_MIN

SAMPLE = 1 << 15
_FARTHEST = 64


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
    first: int = 0,
) -> Comparison:
    """Compare all elements of each output. The elements farthest from eager's, for their size, are inspected.

    A result that is stale in one element is wrong nowhere else, and a random sample would miss it.
    """
    truths = wide if wide is not None else [None] * len(eager)
    each = enumerate(zip(outputs, eager, truths, near or [Errors()] * len(eager), strict=True), first)
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
    part = Part(number, dtype, None, T_MIN, group=group_of_all(hard=criteria.hard), coarse=criteria.coarse)
    got, base, truth = (_flat(tensor) for tensor in (output, eager, eager if wide is None else wide))
    if at_once.applies(output, eager, dtype):
        measured = at_once.farthest(got, base, truth, dtype, _FARTHEST, hard=criteria.hard)
        if measured is not None:
            return _judged(part, *measured, (got, base, truth), None, None if wide is None else near)
    found = without_error(number, output, eager, wide, hard=criteria.hard)
    if found is not None:
        return found
    plain = finite(base, truth)
    if plain:
        size = base.abs().to(precise(base.dtype))
    else:
        size = torch.where(torch.isfinite(base) & torch.isfinite(truth), base, 0).abs().to(precise(base.dtype))
    told_apart = groups(size, hard=criteria.hard)
    known = size if plain and len(told_apart) == 1 else None
    return worst(
        _farthest_values(
            replace(part, group=group),
            got[of],
            base[of],
            truth[of],
            None if wide is None else near if has_neighbours(group) else Errors(),
            known,
        )
        for group, of in told_apart
    )


def _farthest_values(
    part: Part,
    got: torch.Tensor,
    base: torch.Tensor,
    truth: torch.Tensor,
    near: Errors | None,
    known: torch.Tensor | None = None,
) -> Comparison:
    """Compare the farthest elements of one group. `part` says which they are. `near` is None without float64.

    `known`: the sizes of the base where it and the truth are finite. They are used up.
    """
    kind, plain = precise(base.dtype), finite(got)
    usable = None if plain and known is not None else usable_of(got, base, truth, base.dtype)
    if known is not None and usable is None:
        size = known
    else:
        size = (base if usable is None else torch.where(usable, base, 0)).abs().to(kind)
    distance = (got - base).abs_().to(kind)
    if not plain:
        distance = torch.nan_to_num(distance, nan=math.inf, posinf=math.inf)
    distance /= size.add_(max(mean(size), torch.finfo(kind).tiny))
    if usable is None:
        chosen = largest(distance, _FARTHEST)
    else:
        distance[~usable] = 0.0
        chosen = largest(distance, _FARTHEST)
        chosen = chosen[usable[chosen]]
    all_got, all_base, all_truth = got, base, truth
    got, base, truth = real(got[chosen]), real(base[chosen]), real(truth[chosen])
    if not bool(torch.isfinite(got).all()):
        return stray_values(part.output, part.dtype, got)
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
        errors = Errors(farthest=farthest, eagers_farthest=without_luck(eagers, near.eagers_farthest))
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
