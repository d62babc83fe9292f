"""A careful draw in which all floats are of a few numbers: halves and whole numbers of both signs, -0.0, and others.

Where floats are drawn from between others, no two are equal and none is whole. What a form makes of ties in a row, of
equal numbers in two inputs, of negative whole numbers, of halves and of a zero's sign is seen in no such draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import within
from passnet.bench.draws.values.few_pool import HALVES, TABLE, Secrets, is_bounded, secrets
from passnet.bench.draws.values.halfway import halfway
from passnet.bench.wire.generator import OddPlace
from passnet.graph.text.program import Op, Ref, refs_of
from passnet.graph.values.constants import never_zero
from passnet.graph.values.indexing import known_forms
from passnet.graph.values.means import CENTRING, takes_means
from passnet.graph.values.roles import Role, flowing, roles_of
from passnet.graph.values.steps import outputs_of, rounded_before_steps, unclear

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph, TensorSpec

Sources = Sequence["InputSource"]
Often = Callable[["TensorSpec", torch.Tensor], torch.Tensor]
Tables = dict[int, torch.Tensor]
_AT_BOUNDS = 2 ** (HALVES - 2)
# Numbers beyond the table are so often there, beside some two thousand others.
_SELDOM = 32
# Every other row holds so few of them, one as often as another.
_FEWEST, _MORE = 3, 4
_ROLES = frozenset({Role.DATA, Role.BIAS, Role.NORM_SCALE, Role.MEAN, Role.WEIGHT})
# The mean of equal numbers may round, and a small epsilon magnifies that. So a row of equal numbers must not come by
# chance where a graph takes a mean from its numbers, but as rarely as in one call of so many.
_RARELY = 1e-3


@dataclass(frozen=True)
class FewDraw:
    """The draw, and the outputs of which nobody knows there what is right: it is chance on which side of a step an
    honest form is.
    """

    row: list[InputSource]
    unclear: frozenset[int] = frozenset()


def few_values(graph: Graph, usual: Sources, rng: Random) -> list[FewDraw]:
    """The draw, or none where no input may take such numbers. Two where some outputs need what others must not have.

    Numbers are within an input's bounds. Those at the bounds of other inputs are among them, so that all share some.
    Every other row holds a few numbers, the same in all inputs, so that small inputs have ties too.
    """
    chosen = _chosen(graph, usual)
    free = chosen.keys() - rounded_before_steps(graph, ())
    near = chosen.keys() - rounded_before_steps(graph, (), near=True) if not takes_means(graph) else set[int]()
    drawn = secrets(graph, {index: usual[index] for index in chosen}, free, near, rng)
    tables = _tables(graph, chosen, usual, drawn, free, near)
    of_halves = {
        i for i, values in tables.items() if i not in free and bool((values * 2 == (values * 2).round()).all())
    }
    rounded = rounded_before_steps(graph, of_halves) & tables.keys()
    without = {index: values for index, values in tables.items() if index not in rounded}
    if not rounded:
        ways = [(tables, frozenset[int]())]
    else:
        outputs = _unclear_outputs(graph, of_halves, tables, rounded)
        ways = [(without, frozenset())] if outputs is None else [(tables, outputs), (without, frozenset())]
    made = [(way, _draw(graph, usual, drawn, *way, rng)) for way in ways if way[0]]
    found = [each for _, each in made if each is not None]
    # Outputs that are clear for other halves are so for these, if nothing follows from a mean.
    first = next((way for way, each in made if each is not None), None)
    row = halfway(graph, usual, first[0], rng) if first and not takes_means(graph) else None
    return found if row is None else [*found, FewDraw(row, found[0].unclear)]


def _draw(
    graph: Graph, usual: Sources, drawn: Secrets, tables: Tables, unclear: frozenset[int], rng: Random
) -> FewDraw | None:
    """One draw of these tables. None where no output would be judged."""
    outputs = outputs_of(graph)
    known = [(_differ(graph, tables, each, outputs), each) for each in (_often, _alike)]
    blurred, often = min(known, key=lambda each: len(each[0]))
    unclear |= blurred
    if unclear.issuperset(range(len(outputs or (0,)))):
        return None
    order = _order(tables, drawn, rng)
    fewest = {index: values[_by(order, values)][: _most(values)] for index, values in tables.items()}
    small = _differ(graph, fewest, _alike, outputs) <= unclear
    row = list(usual)
    for index, values in tables.items():
        spec, kind = graph.specs[index], getattr(torch, graph.specs[index].part_dtype)
        row[index] = usual[index].of_these(values.repeat_interleave(often(spec, values)).to(kind))
        if spec.numel > 1 and small:
            inner = spec.shape[-1] if spec.numel > spec.shape[-1] else 1
            row[index] = replace(
                row[index], odd=usual[index].of_these(fewest[index].to(kind)), at=OddPlace(inner, 2, 2)
            )
    return FewDraw(row, unclear)


def _often(spec: TensorSpec, values: torch.Tensor) -> torch.Tensor:
    """How often each number is in a table. Of the known ones each half as often as the one before: the largest of a row
    are few, however long the row is.
    """
    known = (values * 2 == (values * 2).round()) & (values.abs() * 2 <= HALVES)
    halves = (2 * values.abs()).clamp(min=2, max=HALVES)
    ends = (math.nan if bound is None else bound for bound in (spec.min_val, spec.max_val))
    bounds = torch.stack([values == bound for bound in ends]).any(0)
    return torch.where(known, 2 ** (HALVES - halves), torch.where(bounds, float(_AT_BOUNDS), float(_SELDOM))).long()


def _alike(spec: TensorSpec, values: torch.Tensor) -> torch.Tensor:
    """One number as often as another."""
    return torch.ones_like(values).long()


def _order(tables: Tables, drawn: Secrets, rng: Random) -> dict[float, int]:
    """The order in which inputs take their fewest numbers. Where some are secret, the largest and the least of them are
    first, so that they are the largest and the least of their rows, and then a known one between them.
    """
    shared = sorted({value for values in tables.values() for value in values.tolist()})
    firsts = [value for value in drawn.ends if value in set(shared)]
    known = [value for value in TABLE if firsts and min(firsts) < value < max(firsts)]
    firsts[2:2] = [rng.choice(known)] if known else []
    mixed = [*firsts, *rng.sample(shared, len(shared))]
    return {value: number for number, value in reversed(list(enumerate(mixed)))}


def _most(values: torch.Tensor) -> int:
    """How many numbers an input has in rows of the fewest."""
    return _FEWEST if bool((values * 2 == (values * 2).round()).all()) else _MORE


def _by(order: Mapping[float, int], values: torch.Tensor) -> torch.Tensor:
    return torch.tensor([order[value] for value in values.tolist()]).argsort()


def _chosen(graph: Graph, usual: Sources) -> dict[int, TensorSpec]:
    """The inputs that take such numbers. What merely is never negative may be the result of a `relu`."""
    roles, flows = roles_of(graph.program, graph.specs), flowing(graph.program, graph.specs)
    return {
        index: spec
        for index, (spec, each, role) in enumerate(zip(graph.specs, usual, roles, strict=True))
        if spec.is_inexact
        and spec.numel
        and (role in _ROLES or (role is Role.VARIANCE and index in flows and spec.min_val == 0))
        and not each.same
        and not each.row.length
    }


def _tables(
    graph: Graph,
    chosen: Mapping[int, TensorSpec],
    usual: Sources,
    drawn: Secrets,
    free: Collection[int],
    near: Collection[int],
) -> Tables:
    """The numbers that each input may take, in float64. An input of one element takes no zero, which may hide all, and
    none that is stored without a zero.

    Without bounds an input has none of the bounds of others. None is far beyond what an input usually is.
    """
    at_bounds, found = _at_bounds(chosen.values()), Tables()
    for index, spec in chosen.items():
        zero = spec.numel > 1 and not never_zero(spec)
        pool = [*TABLE, *(at_bounds if is_bounded(spec) else ())]
        if index in free:
            most = 2.0 * float(usual[index].table.double().abs().max())
            own = drawn.of(index, near=index in near)
            pool += [each for each in own if abs(each) <= most or each not in drawn.own]
        values = within(spec, list(dict.fromkeys(each for each in pool if each or zero)))
        if zero and (spec.min_val is None or spec.min_val < 0):
            values = torch.cat([values, torch.tensor([-0.0], dtype=torch.float64)])
        found[index] = values
    return {index: values for index, values in found.items() if len(values) > 1}


def _at_bounds(specs: Collection[TensorSpec]) -> list[float]:
    """The finite bounds of these inputs, and the whole numbers next to them."""
    bounds = {float(b) for spec in specs for b in (spec.min_val, spec.max_val) if b is not None and math.isfinite(b)}
    near = {float(turn(bound) + step) for bound in bounds for turn in (math.ceil, math.floor) for step in (-1, 0, 1)}
    return sorted((bounds | near) - set(TABLE))


def _unclear_outputs(
    graph: Graph, of_halves: Collection[int], tables: Collection[int], rounded: Collection[int]
) -> frozenset[int] | None:
    """The outputs that follow from a step behind a rounding. None where no other follows from these inputs, or where
    nobody knows.
    """
    outputs = outputs_of(graph)
    if outputs is None or graph.mutated_inputs():
        return None
    values = unclear(graph, of_halves, tables)
    found = frozenset(number for number, value in enumerate(outputs) if values[value][0])
    gained = any(not rounded_.isdisjoint(rounded) for odd, rounded_ in (values[value] for value in outputs) if not odd)
    return found if gained else None


def _differ(graph: Graph, tables: Tables, often: Often, outputs: Sequence[int] | None) -> frozenset[int]:
    """The outputs that follow from the mean of a row which is of one number too often. All of them where nobody knows
    which.
    """
    if not takes_means(graph):
        return frozenset()
    clear = outputs is not None and not graph.mutated_inputs()
    follows: list[tuple[bool, frozenset[int]]] = [(False, frozenset({index})) for index in range(len(graph.specs))]
    for place, op in enumerate(graph.statements(), start=len(graph.specs)):
        given = [follows[ref.index] for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))]
        inputs = frozenset[int]().union(*(each for _, each in given))
        bad = (op.leaf in CENTRING or op.leaf == "mean") and _too_often(graph, op, place, tables, often, inputs)
        follows.append((bad or any(each for each, _ in given), inputs))
    if not clear or outputs is None:
        count = len(list(refs_of(graph.program.outputs))) or 1
        return frozenset(range(count)) if any(bad for bad, _ in follows) else frozenset()
    return frozenset(number for number, value in enumerate(outputs) if follows[value][0])


def _too_often(graph: Graph, op: Op, place: int, tables: Tables, often: Often, inputs: Collection[int]) -> bool:
    """Whether rows of one number occur along what an operation takes a mean of, or along any dimension."""
    alike = 0.0
    for index in tables.keys() & set(inputs):
        spec = graph.specs[index]
        counts = often(spec, tables[index]).double()
        shares = counts / counts.sum()
        size = _reduced(graph, op, place)
        sizes = [size] if size else [each for each in spec.shape if each > 1]
        alike += sum(max(1.0, spec.numel / size) * float((shares**size).sum()) for size in sizes)
    return alike >= _RARELY


def _reduced(graph: Graph, op: Op, place: int) -> int:
    """Of how many elements a mean is. 0 where nobody knows."""
    first, known = op.args[0] if op.args else None, known_forms(graph)
    given = known[first.index][0] if isinstance(first, Ref) else None
    if given is None:
        return 0
    if op.leaf == "layer_norm":
        shape = op.args[1] if len(op.args) > 1 else dict(op.kwargs).get("normalized_shape")
        sizes = shape if isinstance(shape, tuple | list) else ()
        return math.prod(each for each in sizes if isinstance(each, int)) if sizes else 0
    left = known[place][0] if place < len(known) else None
    return math.prod(given) // math.prod(left) if op.leaf in ("mean", "var", "std") and left and math.prod(left) else 0
