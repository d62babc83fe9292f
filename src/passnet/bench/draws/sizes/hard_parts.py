"""Careful draws in which a part of the inputs, or a part of one, is hard or zero: weights, rows, blocks, halves.

Functions that make several take one usual draw after another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import ADDED
from passnet.bench.draws.content.input_source import Backgrounds, InputSource, Sources
from passnet.bench.wire.generator import ALL_UNEVEN, UNEVEN, DrawnRow, OddPlace
from passnet.graph.values.constants import never_zero
from passnet.graph.values.indexing import wrapping_indices
from passnet.graph.values.inputs import hardened
from passnet.graph.values.roles import Role, roles_of

if TYPE_CHECKING:
    from passnet.graph import Distribution, Graph, TensorSpec

# Of an input's values, in order, those of the larger part and those of the smaller one. They differ in sign and size.
_LARGER, _SMALLER = (0.75, 1.0), (0.25, 0.5)
# Draws inputs from a hard distribution, weights and statistics too.
DrawHard = Callable[["Distribution"], Sources]


def weights(
    graph: Graph, usual: Backgrounds, hard: Sequence[Distribution], draw: DrawHard, rng: Random
) -> list[list[InputSource]]:
    """Draws in which some weights and statistics are hard, and all data is ordinary: one for each distribution.

    A name may be wrong, and what a graph calls a bias may be what a softmax is of. Some, because all at once are more
    than a narrow dtype holds.
    """
    chosen = [
        index
        for index in sorted(hardened(graph, every=True) - hardened(graph))
        if graph.specs[index].is_inexact and graph.specs[index].numel
    ]
    if not chosen:
        return []
    made = []
    for name in hard:
        some = {rng.choice(chosen), *(index for index in chosen if rng.random() < 0.5)}
        pairs = enumerate(zip(next(usual), draw(name), strict=True))
        made.append([other if index in some else each for index, (each, other) in pairs])
    return made


def zeros(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Draws in which rows, blocks or whole inputs are zero, and so are some elements of a variance.

    By chance no row is, so in the last draw all inputs are. The epsilon of a norm is all that is left there, or the
    least that a graph divides by. They are zeros, because the mean of other constants rounds, and a small epsilon
    magnifies that. In the first draw some filters of weights are zero too.
    """
    roles, flows, first = roles_of(graph.program, graph.specs), hardened(graph), next(usual)
    may = [_may_be_zero(spec, each) for spec, each in zip(graph.specs, first, strict=True)]
    rows = [each and (index in flows or roles[index] in ADDED) for index, each in enumerate(may)]
    deepest = max((len(spec.shape) for spec, each in zip(graph.specs, rows, strict=True) if each), default=1)
    filters = [
        each and role is Role.WEIGHT and len(spec.shape) > 1
        for each, role, spec in zip(may, roles, graph.specs, strict=True)
    ]
    variances = [each and role is Role.VARIANCE for each, role in zip(may, roles, strict=True)]
    if not any(rows) and not any(variances) and not any(filters):
        return []
    made: list[list[InputSource]] = []
    by_chance = [(dims, UNEVEN) for dims in sorted({1, rng.randint(1, deepest), deepest})]
    for dims, uneven in [*by_chance, (deepest, ALL_UNEVEN)]:
        row = list(next(usual) if made else first)
        for index, (spec, each) in enumerate(zip(graph.specs, row, strict=True)):
            if rows[index]:
                row[index] = replace(each, row=DrawnRow(math.prod(spec.shape[-dims:]), 0, 0, uneven))
            elif filters[index] and not made:
                row[index] = replace(each, row=DrawnRow(math.prod(spec.shape[1:]), 0, 0, UNEVEN))
            elif variances[index]:
                values = each.table.to(getattr(torch, spec.part_dtype))
                row[index] = each.of_these(torch.cat([values, torch.zeros_like(values)]))
        made.append(row)
    return made


def indices(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """A draw in which whatever indexes something takes all that it may index.

    Stored content and bounds are those of recorded calls: another call of the model has others. Where eager counts
    negative ones from the end, half of them are negative, unless a bound says that none is.
    """
    row, wrapping = list(usual), wrapping_indices(graph)
    for index, size in graph.index_bounds().items():
        spec = graph.specs[index]
        if size > 1 and spec.numel:
            dtype, low = getattr(torch, spec.dtype), 0
            ends = torch.tensor([0, size - 1])
            if index in wrapping and spec.dtype.startswith("int") and (spec.min_val is None or spec.min_val < 0):
                low, ends = -size, torch.cat([ends, ends - size])
            row[index] = usual[index].of_range(low, size - 1, dtype).mixed(ends.to(dtype), 4)
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def parts(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Draws in which one part of an input has larger values of its own than the other: halves of rows, of blocks and of
    the whole, and every other element.

    Where all elements are of one kind, some of them tell what all of them do, as exactly as a narrow dtype asks.
    """
    first = next(usual)
    chosen = [
        index
        for index in sorted(hardened(graph))
        if graph.specs[index].is_inexact and graph.specs[index].numel > 1
        if not first[index].same and not first[index].row.length
    ]
    if not chosen:
        return []
    deepest = max(len(graph.specs[index].shape) for index in chosen)
    made: list[list[InputSource]] = []
    for dims in sorted({0, 1, rng.randint(1, deepest), deepest}):
        row = list(next(usual) if made else first)
        for index in chosen:
            spec, each = graph.specs[index], row[index]
            own = each.table.flatten().sort().values.to(getattr(torch, spec.part_dtype))
            own = own[own != 0] if bool(own.any()) else own  # a part of nothing but zeros would hide what is left out
            larger, smaller = (
                each.of_values(own[int(start * len(own)) : int(stop * len(own))]) for start, stop in (_LARGER, _SMALLER)
            )
            inner = max(1, math.prod(spec.shape[-dims:]) // 2) if dims else 1
            row[index] = replace(smaller, odd=larger, at=OddPlace(inner, 2, 2))
        made.append(row)
    return made


def _may_be_zero(spec: TensorSpec, source: InputSource) -> bool:
    """Whether an input is drawn, is no mask, and is not bounded away from zero. What is stored without a zero has none:
    it may be what a model divides by.
    """
    bounds = (spec.min_val or 0) <= 0 <= (spec.max_val or 0) and not never_zero(spec)
    return spec.is_inexact and spec.numel > 1 and bounds and not source.same and not source.row.length
