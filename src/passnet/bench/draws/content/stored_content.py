"""Stored content in draws: drawn from between its own numbers, and altered where it is constant."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from passnet.bench.draws.content.input_source import InputSource
from passnet.bench.draws.content.integer_ranges import all_of
from passnet.bench.wire.generator import DrawnRow
from passnet.graph import Graph, TensorSpec
from passnet.graph.values.divisors import stored_divisors
from passnet.graph.values.indexing import reckoning
from passnet.graph.values.inputs import RowStructure
from passnet.graph.values.roles import Role, roles_of


def is_drawn(spec: TensorSpec) -> bool:
    """Whether stored content is drawn from its own values in timed calls. One number would stay as it is."""
    return spec.is_inexact and spec.numel > 1


def between_stored(values: torch.Tensor, role: Role) -> InputSource:
    """Numbers like stored ones, and not those themselves: who has them could have what follows from them. Whole ones
    stay whole, since they may count or index something. What is in order stays so: edges may be searched.
    """
    ordered = is_ordered(values, role)
    values = torch.view_as_real(values) if values.is_complex() else values
    wide = values.double()  # no narrow dtype of eight bits can be rounded itself
    whole = bool((wide == wide.round()).all())
    if ordered:
        return InputSource.in_order(values, between=not whole, from_first=False)
    return InputSource.of_these(values) if whole else InputSource.of_values(values)


def is_ordered(values: torch.Tensor, role: Role) -> bool:
    """Whether the rows of stored content rise: edges, or the offsets of bags. Two numbers may do so by chance, and no
    weight or statistic is searched.
    """
    if (
        role is not Role.DATA
        or values.is_complex()
        or values.dtype == torch.bool
        or not values.shape
        or values.shape[-1] <= 2
    ):
        return False
    wide = values.double() if values.is_floating_point() else values.long()
    return bool((wide[..., 1:] >= wide[..., :-1]).all()) and not _is_constant(values)


def altered_content(
    graph: Graph,
    structures: Sequence[RowStructure],
    samples: Sequence[torch.Tensor],
    rows: Sequence[DrawnRow | None],
) -> list[InputSource]:
    """A draw of the values of stored content, with more of them where it is constant, and of both signs in the scale of
    a norm. `rows`: what the rows of the other inputs hold.

    A constant index takes all that it may index. Constant masks and integers that only take part in arithmetic are
    others too. What a size follows from keeps its value. Other integers are drawn from between the stored ones. Those
    in order stay so, and a first one of 0 stays too: offsets count from there.
    """
    roles = roles_of(graph.program, graph.specs)
    constant = [each.literal and _is_constant(values) for each, values in zip(structures, samples, strict=True)]
    integers = any(each and spec.is_integer for each, spec in zip(constant, graph.specs, strict=True))
    bounds, never_zero = (graph.index_bounds(), stored_divisors(graph)) if integers else ({}, set[int]())
    made = []
    for index, (spec, values, row) in enumerate(zip(graph.specs, samples, rows, strict=True)):
        if structures[index].literal and is_ordered(values, roles[index]):
            from_first = spec.is_integer and not bool(values[..., 0].any())
            made.append(InputSource.in_order(values, between=True, from_first=from_first))
            continue
        altered = torch.view_as_real(values) if values.is_complex() and constant[index] else values
        if constant[index] and spec.is_inexact:
            altered = _around(altered)
        elif constant[index] and spec.is_integer and index in bounds:
            made.append(all_of(bounds[index], values.dtype))
            continue
        elif constant[index] and (spec.is_integer or spec.dtype == "bool"):
            positive = reckoning(graph, index)
            altered = _marks_around(values, True if positive is False and index in never_zero else positive)
        if structures[index].literal and roles[index] is Role.NORM_SCALE:
            altered = torch.cat([altered.flatten(), -altered.flatten()])
        whole = spec.is_integer and structures[index].literal
        made.append(InputSource.of_integers(altered, row) if whole else InputSource.of_values(altered, row))
    return made


def _is_constant(values: torch.Tensor) -> bool:
    return bool(values.numel()) and bool((values == values.flatten()[0]).all())


def _around(values: torch.Tensor) -> torch.Tensor:
    """Numbers up to a quarter larger or smaller than the constant, or than zero."""
    middle = float(values.flatten()[0])
    if not math.isfinite(middle):
        return values
    return torch.linspace(middle - (abs(middle) or 1.0) / 4, middle + (abs(middle) or 1.0) / 4, 64).to(values.dtype)


def _marks_around(values: torch.Tensor, positive: bool | None) -> torch.Tensor:
    """A constant of integers or booleans with the numbers next to it: 0 and 1 for a mask, the next one for one number.

    `positive`: see `reckoning`. A factor of 0 would leave nothing to compare.
    """
    middle = int(values.flatten()[0])
    if positive is None:
        return values
    if values.dtype == torch.bool:
        return torch.tensor([not middle] if values.numel() == 1 else [False, True])
    near = [0, 1] if middle in (0, 1) and not positive else [middle - 1, middle, middle + 1]
    bounds = torch.iinfo(values.dtype)
    known = near if values.numel() > 1 else [middle + 1 if middle < bounds.max else middle - 1]
    known = [number for number in known if bounds.min <= number <= bounds.max and (number > 0 or not positive)]
    return torch.tensor(known).to(values.dtype)
