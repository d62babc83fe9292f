"""A careful draw in which rows of one input are those of another, opposite to them, multiples of them, or sums of two.

Where each input is drawn by itself, no difference, sum or scaled difference of two inputs is ever nearly zero, and no
two rows point in opposite directions. What a form loses there, or leaves out, is seen in no such draw.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from passnet.bench.draws.content.held_values import bounds_of
from passnet.bench.draws.relations.alike_lines import ends_of, of_one_kind
from passnet.bench.wire.generator import NO_ROLE, RelatedRows
from passnet.graph.text.program import refs_of
from passnet.graph.values.constants import constants
from passnet.graph.values.thresholds import forms_of
from passnet.graph.values.writes import renewed

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph, TensorSpec

Sources = Sequence["InputSource"]
# So many inputs are two that are added up, and their sum.
_ROLES = 3
# A factor of a program counts up to this size, and down to its inverse.
_MOST = 256.0


def related_rows(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """The draw, or none where no two inputs of floats are of one kind and of rows of one length."""
    row, units = list(usual), _units(graph, rng)
    for indices in of_one_kind(graph, usual):
        floats = [index for index in indices if graph.specs[index].is_inexact and graph.specs[index].shape[-1] > 1]
        for length in sorted({graph.specs[index].shape[-1] for index in floats}):
            some = [index for index in floats if graph.specs[index].shape[-1] == length]
            some, table = _sharing(graph, some, usual)
            roles = _roles(graph, some, table, rng)
            for index in some if len(some) > 1 else ():
                spec, unit = graph.specs[index], units.get(index, 1.0)
                unit = unit if _holds(graph, index, table, unit, -unit) else 1.0
                block = math.prod(spec.shape[1:-1]) if len(spec.shape) > 1 else 1
                related = RelatedRows(length, block, unit, _centre(graph, index, table), roles.get(index, NO_ROLE))
                row[index] = replace(table, related=related)
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def _sharing(graph: Graph, indices: Sequence[int], usual: Sources) -> tuple[list[int], InputSource]:
    """The table of one of these inputs that most of them may hold, and which do. Of several the narrowest."""
    ways = [([i for i in indices if _holds(graph, i, usual[index])], usual[index]) for index in indices]
    return max(ways, key=lambda way: (len(way[0]), -ends_of(way[1])[1]))


def _holds(graph: Graph, index: int, table: InputSource, *times: float) -> bool:
    """Whether an input may hold all numbers of a table, and these multiples of them."""
    low, high = bounds_of(graph, index) or (0.0, 0.0)
    return all(low <= end * each <= high for end in ends_of(table) for each in (1.0, *times))


def _centre(graph: Graph, index: int, table: InputSource) -> float | None:
    """What opposite numbers add up to: both bounds, or zero. None where there is no such number."""
    spec = graph.specs[index]
    if _is_finite(spec):
        return float(spec.min_val or 0.0) + float(spec.max_val or 0.0)
    return 0.0 if _holds(graph, index, table, -1.0) else None


def _is_finite(spec: TensorSpec) -> bool:
    """Whether an input has two finite bounds. No part of a complex number has one of its own."""
    bounds = (spec.min_val, spec.max_val)
    return not spec.is_complex and all(each is not None and math.isfinite(each) for each in bounds)


def _roles(graph: Graph, indices: Collection[int], table: InputSource, rng: Random) -> dict[int, int]:
    """The parts that inputs take in sums, by chance. None where too few inputs may hold a sum."""
    some = [index for index in indices if _holds(graph, index, table, 2.0)]
    if len(some) < _ROLES:
        return {}
    return {index: place % _ROLES for place, index in enumerate(rng.sample(some, len(some)))}


def _units(graph: Graph, rng: Random) -> dict[int, float]:
    """By what an input is multiplied so that it is as large as what meets it: a graph may take a third of it first."""
    found: dict[int, set[float]] = {}
    for index, factor in _factors(graph):
        if factor and abs(factor) != 1.0 and 1.0 / _MOST <= abs(factor) <= _MOST:
            found.setdefault(index, set()).add(1.0 / abs(factor))
    return {index: rng.choice(sorted(each)) for index, each in found.items()}


def _factors(graph: Graph) -> Iterator[tuple[int, float]]:
    """Inputs and the factors with which they meet other values."""
    forms, known = forms_of(graph), constants(graph)
    for op in renewed(graph).statements:
        scale = dict(op.kwargs).get("alpha", 1)
        refs = [ref for ref in refs_of((*op.args, *(value for _, value in op.kwargs))) if ref.index not in known]
        for place, ref in enumerate(refs if len(refs) > 1 else ()):
            for index, form in forms.get(ref.index, {}).items():
                if form.linear:
                    yield index, form.factor * (scale if place and isinstance(scale, int | float) else 1.0)
