"""Draws the inputs that bound a clamp in order: its least number is below its largest one.

Two numbers that are drawn by themselves are in order in half of the calls. In all others a clamp gives a constant, as
in no call of the model: who reads nothing there would gain what no user has.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.input_source import InputSource, Sources
from passnet.bench.wire.generator import DrawKind
from passnet.graph.values.clamp_bounds import ClampBound, ClampBounds, clamp_bounds

if TYPE_CHECKING:
    from passnet.graph import Graph, TensorSpec

# Where fewer of an input's numbers are in order, the recorded call may have had them in no order.
_LEAST_SHARE = 1 / 16


def in_order(graph: Graph, row: Sources) -> list[InputSource]:
    """A draw whose clamps have their bounds in order, as far as each of their elements is drawn by itself."""
    made = list(row)
    for clamp in clamp_bounds(graph):
        if _are_in_order(made, clamp) or (between := _between(made, clamp)) is None:
            continue
        parts = dict[int, InputSource | None]()
        free = [(each, above) for each, above in _sides(clamp) if each.index is not None and made[each.index].is_plain]
        for bound, above in free:
            assert bound.index is not None
            number, upwards = (between - bound.shift) / bound.factor, above == (bound.factor > 0)
            own = graph.specs[bound.index], made[bound.index]
            parts[bound.index] = _part(*own, number, above=upwards, folded=len(free) == 1)
        if None not in parts.values():
            made = [parts.get(index) or each for index, each in enumerate(made)]
    return made


def out_of_order(graph: Graph, usual: Sources) -> list[list[InputSource]]:
    """A draw in which the least number of each clamp is above its largest one. None where no clamp has such inputs.

    Both are as far beyond the number between them as they were before it.
    An operator behind the clamp may say little of a far number that all elements are, so the nearer half is taken.
    """
    row = list(usual)
    for clamp in clamp_bounds(graph):
        if not _are_in_order(row, clamp) or (between := _between(row, clamp)) is None:
            continue
        for bound, above in _sides(clamp):
            if bound.index is not None and row[bound.index].is_plain:
                known = _numbers(row, bound).sort(descending=not above).values
                beyond = 2 * between - known[: max(1, len(known) // 2)]
                wanted = (beyond - bound.shift) / bound.factor
                row[bound.index] = _of_these(graph.specs[bound.index], wanted) or row[bound.index]
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def _sides(clamp: ClampBounds) -> list[tuple[ClampBound, bool]]:
    """Each bound, and whether it belongs above the middle. Of two that follow from one input, their difference."""
    least, most = clamp.least, clamp.most
    if least.index is None or least.index != most.index:
        return [(least, False), (most, True)]
    difference = ClampBound(least.index, most.factor - least.factor, most.shift - least.shift)
    return [(difference, True)] if difference.factor else []


def _are_in_order(row: Sequence[InputSource], clamp: ClampBounds) -> bool:
    """Whether no number of the least bound is above one of the largest bound."""
    least, most = _ends(row, clamp)
    return not len(least) or not len(most) or bool(least.max() < most.min())


def _between(row: Sequence[InputSource], clamp: ClampBounds) -> float | None:
    """The number below which one bound is drawn, and above which the other one is. None where there is none."""
    least, most = _ends(row, clamp)
    if len(_sides(clamp)) == 1:
        return 0.0
    if not len(least) or not len(most):
        return None
    free = [bound.index is not None and row[bound.index].is_plain for bound in (clamp.least, clamp.most)]
    middle = (least.median() + most.median()) / 2
    between = middle if all(free) else most.min() if free[0] else least.max()
    return float(between) if bool(between.isfinite()) else None


def _ends(row: Sequence[InputSource], clamp: ClampBounds) -> tuple[torch.Tensor, torch.Tensor]:
    """What the bounds may be. Where both follow from one input, 0 and what their difference may be."""
    sides = _sides(clamp)
    if len(sides) == 1:
        return torch.zeros(1), _numbers(row, sides[0][0])
    return _numbers(row, clamp.least), _numbers(row, clamp.most)


def _numbers(row: Sequence[InputSource], bound: ClampBound) -> torch.Tensor:
    """What a bound may be in a draw. Nothing where an element's place decides that."""
    if bound.index is None:
        return torch.tensor([bound.shift], dtype=torch.float64)
    source = row[bound.index]
    if not source.is_plain and source.kind is not DrawKind.COPY:
        return torch.empty(0, dtype=torch.float64)
    return bound.factor * source.values.double() + bound.shift


def _part(spec: TensorSpec, source: InputSource, number: float, *, above: bool, folded: bool) -> InputSource | None:
    """An input with its numbers above one, or below it. Where these are few, all others are `folded` over to them, or
    there is none.
    """
    table = source.table
    if source.kind is DrawKind.RANGE:
        first, last = table[:, 0], table[:, 0] + table[:, 1] - 1
        first = first.clamp(min=math.floor(number) + 1) if above else first
        last = last if above else last.clamp(max=math.ceil(number) - 1)
        kept = torch.stack([first, last - first + 1], 1)[last >= first]
        few = len(kept) < _LEAST_SHARE * len(table)
        return None if few else replace(source, table=kept.contiguous(), entries=len(kept))
    wide = table.double()
    kept = wide[wide > number if above else wide < number]
    few = len(kept) < _LEAST_SHARE * len(table)
    if few and folded:
        beyond = (wide[wide != number] - number).abs()
        kept = number + (beyond if above else -beyond)
    part = None if few and not folded else _of_these(spec, kept)
    return part and replace(part, roughly=source.roughly)


def _of_these(spec: TensorSpec, values: torch.Tensor) -> InputSource | None:
    """An input that is drawn like these numbers, as far as it may hold them."""
    dtype = getattr(torch, spec.part_dtype)
    low = -math.inf if spec.min_val is None else spec.min_val
    high = math.inf if spec.max_val is None else spec.max_val
    if spec.is_integer:
        values, low, high = values.round(), max(low, torch.iinfo(dtype).min), min(high, torch.iinfo(dtype).max)
    kept = values[(values >= low) & (values <= high)].to(dtype)
    if not len(kept):
        return None
    return InputSource.of_these(kept) if spec.is_integer else InputSource.of_values(kept)
