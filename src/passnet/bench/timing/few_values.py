"""A careful draw in which all floats are of one small table: halves and whole numbers of both signs, and -0.0.

Where floats are drawn from between others, no two are equal and none is whole. What a form makes of ties in a row, of
equal numbers in two inputs, of negative whole numbers, of halves and of a zero's sign is seen in no such draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.wire.generator import OddPlace
from passnet.graph.values.roles import Role, roles_of
from passnet.graph.values.steps import rounded_before_steps
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.bench.timing.draws import InputSource
    from passnet.graph import Graph, TensorSpec

Sources = Sequence["InputSource"]
Often = Callable[[torch.Tensor], torch.Tensor]
# Up to so many halves, each half as often as the one before: the largest of a row are few, however long the row is.
_HALVES = 10
_TABLE = (0.0, -0.0, *(sign * half / 2 for half in range(1, _HALVES + 1) for sign in (1, -1)))
_AT_BOUNDS = 2 ** (_HALVES - 2)
# Every other row holds so few of them, one as often as another.
_FEWEST = 3
_ROLES = frozenset({Role.DATA, Role.BIAS, Role.NORM_SCALE, Role.MEAN})
# The mean of equal numbers may round, and a small epsilon magnifies that. So a row of equal numbers must not come by
# chance where a graph takes a mean from its numbers, but as rarely as in one call of so many.
_CENTRING = word_set("layer_norm group_norm instance_norm batch_norm var std var_mean std_mean")
_SUBTRACTING = word_set("sub sub_ subtract rsub isub")
_RARELY = 1e-3


def few_values(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """The draw, or none where no input may take such numbers.

    Numbers are within an input's bounds. Those at the bounds of other inputs are among them, so that all share some.
    Every other row holds three numbers, the same in all inputs, so that small inputs have ties too.
    """
    tables = _tables(graph, usual)
    of_halves = {index for index, values in tables.items() if bool((values * 2 == (values * 2).round()).all())}
    for index in rounded_before_steps(graph, of_halves):
        tables.pop(index, None)
    often = next((each for each in (_often, _alike) if _differ(graph, tables, each)), None)
    if not tables or often is None:
        return []
    shared = sorted({value for values in tables.values() for value in values.tolist()})
    order, row = {value: number for number, value in enumerate(rng.sample(shared, len(shared)))}, list(usual)
    fewest = {index: values[_by(order, values)][:_FEWEST] for index, values in tables.items()}
    for index, values in tables.items():
        spec, kind = graph.specs[index], getattr(torch, graph.specs[index].dtype)
        row[index] = usual[index].of_these(values.repeat_interleave(often(values)).to(kind))
        if spec.numel > 1 and _differ(graph, fewest, _alike):
            inner = spec.shape[-1] if spec.numel > spec.shape[-1] else 1
            row[index] = replace(
                row[index], odd=usual[index].of_these(fewest[index].to(kind)), at=OddPlace(inner, 2, 2)
            )
    return [row]


def _often(values: torch.Tensor) -> torch.Tensor:
    """How often each number is in a table."""
    halves = (2 * values.abs()).clamp(min=2)
    return torch.where(halves <= _HALVES, 2 ** (_HALVES - halves), float(_AT_BOUNDS)).long()


def _alike(values: torch.Tensor) -> torch.Tensor:
    """One number as often as another."""
    return torch.ones_like(values).long()


def _by(order: Mapping[float, int], values: torch.Tensor) -> torch.Tensor:
    return torch.tensor([order[value] for value in values.tolist()]).argsort()


def _tables(graph: Graph, usual: Sources) -> dict[int, torch.Tensor]:
    """The numbers that each input may take, in float64. An input of one element takes no zero, which may hide all."""
    roles = roles_of(graph.program, graph.specs)
    chosen = {
        index: spec
        for index, (spec, each, role) in enumerate(zip(graph.specs, usual, roles, strict=True))
        if spec.is_floating and spec.numel and role in _ROLES and not each.same and not each.row.length
    }
    pool = [*_TABLE, *_at_bounds(chosen.values())]
    found = {index: _within(spec, [v for v in pool if v or spec.numel > 1]) for index, spec in chosen.items()}
    return {index: values for index, values in found.items() if len(values) > 1}


def _at_bounds(specs: Collection[TensorSpec]) -> list[float]:
    """The finite bounds of these inputs, and the whole numbers next to them."""
    bounds = {float(b) for spec in specs for b in (spec.min_val, spec.max_val) if b is not None and math.isfinite(b)}
    near = {float(turn(bound) + step) for bound in bounds for turn in (math.ceil, math.floor) for step in (-1, 0, 1)}
    return sorted((bounds | near) - set(_TABLE))


def _within(spec: TensorSpec, pool: Sequence[float]) -> torch.Tensor:
    """The numbers that an input's dtype holds and its bounds allow. What is never below zero has no negative zero.

    Without bounds it has those of the table alone.
    """
    values = torch.tensor(pool if _is_bounded(spec) else [v for v in pool if v in _TABLE], dtype=torch.float64)
    values = values[values.to(getattr(torch, spec.dtype)).double() == values]
    low = -math.inf if spec.min_val is None else spec.min_val
    high = math.inf if spec.max_val is None else spec.max_val
    fit = (values >= low) & (values <= high)
    return values[fit & ~torch.signbit(values) | fit & (low < 0)]


def _is_bounded(spec: TensorSpec) -> bool:
    return spec.min_val is not None or spec.max_val is not None


def _differ(graph: Graph, tables: Mapping[int, torch.Tensor], often: Often) -> bool:
    """Whether rows of one number hardly occur where they must not, along any dimension."""
    used = {op.leaf for op in graph.program.ops}
    if not (used & _CENTRING or ("mean" in used and used & _SUBTRACTING)):
        return True
    alike = 0.0
    for index, values in tables.items():
        shares = often(values).double() / often(values).sum()
        sizes = [size for size in graph.specs[index].shape if size > 1]
        alike += sum(graph.specs[index].numel / size * float((shares**size).sum()) for size in sizes)
    return alike < _RARELY
