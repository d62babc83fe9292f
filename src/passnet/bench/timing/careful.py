"""Hard draws that not every graph survives: a reference looks first, and those on which eager fails do not count.

Each is a usual draw in which some inputs are what a naive form may not expect. They are made once for a graph, and go
with its other hard draws as siblings of these.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.wire.generator import UNEVEN, DrawnRow
from passnet.graph.values.inputs import hardened
from passnet.graph.values.roles import Role, roles_of

if TYPE_CHECKING:
    from passnet.bench.timing.draws import InputSource
    from passnet.graph import Distribution, Graph, TensorSpec

# What a graph adds to its data, or takes from it, is zero with it.
_ADDED = frozenset({Role.BIAS, Role.MEAN})
Sources = Sequence["InputSource"]
# Draws inputs from a hard distribution, weights and statistics too.
DrawHard = Callable[["Distribution"], Sources]


def weights(
    graph: Graph, usual: Sources, hard: Sequence[Distribution], draw: DrawHard, rng: Random
) -> list[list[InputSource]]:
    """Draws in which some weights and statistics are hard, and all data is ordinary: one for each distribution.

    A name may be wrong, and what a graph calls a bias may be what a softmax is of. Some, because all at once are more
    than a narrow dtype holds.
    """
    chosen = [
        index
        for index in sorted(hardened(graph, every=True) - hardened(graph))
        if graph.specs[index].is_floating and graph.specs[index].numel > 1
    ]
    if not chosen:
        return []
    made = []
    for name in hard:
        some = {rng.choice(chosen), *(index for index in chosen if rng.random() < 0.5)}
        pairs = enumerate(zip(usual, draw(name), strict=True))
        made.append([other if index in some else each for index, (each, other) in pairs])
    return made


def zeros(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """Draws in which rows, blocks or whole inputs are zero, and so are some elements of a variance.

    The epsilon of a norm is all that is left there, or the least that a graph divides by. They are zeros, because the
    mean of other constants rounds, and a small epsilon magnifies that.
    """
    roles, flows = roles_of(graph.program, graph.specs), hardened(graph)
    may = [_may_be_zero(spec, each) for spec, each in zip(graph.specs, usual, strict=True)]
    rows = [each and (index in flows or roles[index] in _ADDED) for index, each in enumerate(may)]
    deepest = max((len(spec.shape) for spec, each in zip(graph.specs, rows, strict=True) if each), default=1)
    if not any(rows) and not any(each and role is Role.VARIANCE for each, role in zip(may, roles, strict=True)):
        return []
    made = []
    for dims in sorted({1, rng.randint(1, deepest), deepest}):
        row = list(usual)
        for index, (spec, each) in enumerate(zip(graph.specs, usual, strict=True)):
            if rows[index]:
                row[index] = replace(each, row=DrawnRow(math.prod(spec.shape[-dims:]), 0, 0, UNEVEN))
            elif may[index] and roles[index] is Role.VARIANCE:
                values = each.table.to(getattr(torch, spec.dtype))
                row[index] = each.of_these(torch.cat([values, torch.zeros_like(values)]))
        made.append(row)
    return made


def _may_be_zero(spec: TensorSpec, source: InputSource) -> bool:
    """Whether an input is drawn, is no mask, and is not bounded away from zero."""
    bounds = (spec.min_val or 0) <= 0 <= (spec.max_val or 0)
    return spec.is_floating and spec.numel > 1 and bounds and not source.same and not source.row.length
