"""Careful draws in which sums and differences of inputs that a graph takes nearly cancel, in every element.

Each input lies about a level of its own, and the levels are such that nothing is left of them in the result. A form
that multiplies a sum out loses there what the inputs differ by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import bounds_of, size_of
from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.graph.text.program import Op, refs_of
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.inputs import hardened
from passnet.graph.values.solving import InputForm
from passnet.graph.values.thresholds import followed

if TYPE_CHECKING:
    from passnet.graph import Graph

# Input -> the factor with which it comes into a sum.
Factors = Mapping[int, float]
# So many draws at most, each of another sum.
_DRAWS = 2
# A level in units of what inputs differ by. A narrow dtype can still tell numbers apart there.
_LEVELS = {"float64": 256.0, "float32": 128.0, "float16": 32.0, "bfloat16": 4.0}


def cancelling_levels(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws. None of a difference of two inputs, which is nearly zero wherever both have the same level."""
    made: list[list[InputSource]] = []
    known = [each for each in sums_of(graph) if len(each) > 1 and sorted(each.values()) != [-1.0, 1.0]]
    for factors in rng.sample(known, len(known)):
        if len(made) < _DRAWS and (row := _about_levels(graph, next(usual), factors, rng)):
            made.append(row)
    return made


def _about_levels(graph: Graph, usual: Sequence[InputSource], factors: Factors, rng: Random) -> list[InputSource]:
    """A draw about levels that cancel with these factors. Nothing where an input may not have its level."""
    row, sizes = list(usual), [size_of(graph.specs[index], usual[index]) for index in factors]
    kept, sign, last = hardened(graph), rng.choice((1.0, -1.0)), rng.choice(sorted(factors))
    if not all(sizes) or not kept.issuperset(factors):
        return []
    level = sign * max(sizes) * min(_LEVELS.get(graph.specs[index].part_dtype, 0.0) for index in factors)
    for index, factor in factors.items():
        spec, own = graph.specs[index], usual[index].table.flatten().double()
        times = (-float(len(factors) - 1) if index == last else 1.0) / factor
        values = times * level + own - own.mean()
        low, high = bounds_of(graph, index) or (0.0, 0.0)
        if not level or float(values.min()) < low or high < float(values.max()):
            return []
        row[index] = usual[index].of_values(values.to(getattr(torch, spec.part_dtype)))
    return row


def sums_of(graph: Graph) -> list[Factors]:
    """The sums of floats that a graph takes, as the factors of inputs in them. No sum that is part of another one."""
    known, floats = constants(graph), [index for index, spec in enumerate(graph.specs) if spec.is_floating]
    sums: dict[int, dict[int, float]] = {index: {index: 1.0} for index in floats if index not in known}
    found: dict[int, None] = {}
    for place, op in enumerate(graph.statements(), start=len(graph.specs)):
        terms = [(ref, factor) for ref, factor in _terms(graph, op) if ref not in known]
        made: dict[int, float] = {}
        for ref, factor in terms if all(ref in sums for ref, _ in terms) else ():
            found.pop(ref, None)
            for index, own in sums[ref].items():
                made[index] = made.get(index, 0.0) + factor * own
        if made:
            sums[place] = {index: factor for index, factor in made.items() if factor}
            found[place] = None
    return [dict(each) for each in dict.fromkeys(tuple(sorted(sums[place].items())) for place in found)]


def _terms(graph: Graph, op: Op) -> Iterator[tuple[int, float]]:
    """The values of which an operation's result is a sum, and their factors. Nothing where it is none."""
    values = [*op.args, *(value for name, value in op.kwargs if name in ("input", "other"))]
    refs = [ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))]
    scale, name = dict(op.kwargs).get("alpha", 1), plain_name(op)
    if name in ("add", "sub") and len(refs) == len(values) == 2 and isinstance(scale, int | float):
        yield refs[0], 1.0
        yield refs[1], float(scale) * (1.0 if name == "add" else -1.0)
        return
    for ref in refs if refs else ():
        forms = followed(op, {ref: {0: InputForm()}}, graph.specs, constants(graph))
        if 0 in forms and forms[0].linear:
            yield ref, forms[0].factor
