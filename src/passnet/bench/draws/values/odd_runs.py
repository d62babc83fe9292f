"""Careful draws in which a run amid each row is unlike the row's ends: larger or smaller, or the same in two inputs.

Where all elements of a row are of one kind, its ends tell what most of it does. A form could read the ends alone, and
the rest where these show something.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import bounds_of
from passnet.bench.draws.content.input_source import SPANS, Backgrounds, InputSource, Sources
from passnet.bench.draws.content.integer_ranges import ranges_of
from passnet.bench.wire.generator import OddRuns
from passnet.graph.values.indexing import writing_indices
from passnet.graph.values.inputs import hardened
from passnet.graph.values.thresholds import thresholds

if TYPE_CHECKING:
    from passnet.graph import Graph, TensorSpec

# A shorter row has no middle that its ends could hide.
_LEAST = 8
# Of an input's values, in order, those of the larger part begin here at the earliest, and the others end here.
_LARGER, _SMALLER = 0.9, 0.5
# Integers are drawn from up to so many on either side of zero, where few of them are usual.
_MANY = 1 << 15
# What an input may hold.
Ends = tuple[float, float]


def odd_runs(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Draws whose rows have runs of larger values, in matrices and then in rows or in the whole, and one in which two
    inputs of one kind and shape hold the same numbers in runs, and others else.
    """
    base = next(usual)
    chosen = _with_rows(graph, base)
    made = []
    for turn in range(2 if chosen else 0):
        row, numbers = list(next(usual) if turn else base), _numbers(graph, rng)
        for index, ends in chosen.items():
            larger, smaller = _parts(graph, index, _widely(graph, index, row[index], ends), numbers.get(index))
            runs = OddRuns(graph.specs[index].shape[-1], _height(graph.specs[index].shape, turn), False)
            row[index] = replace(smaller, odd=larger, runs=runs)
        made.append(row)
    return made + _meeting(graph, next(usual), chosen)


def _meeting(graph: Graph, usual: Sources, chosen: Mapping[int, Ends]) -> list[list[InputSource]]:
    """The draw in which inputs of one kind and shape hold the same numbers in runs, none that one of them may not hold.
    None where there are no two.
    """
    row, groups = list(usual), dict[tuple[object, ...], list[int]]()
    for index in chosen:
        groups.setdefault((graph.specs[index].dtype, graph.specs[index].shape), []).append(index)
    for group in groups.values():
        own = {index: _widely(graph, index, usual[index], chosen[index]) for index in group}
        lows, highs = zip(*(chosen[index] for index in group), strict=True)
        for one in sorted(group, key=lambda index: float(own[index].values.double().max())):
            spec, shape = graph.specs[one], graph.specs[one].shape
            values = _in_order(spec, own[one].values)
            values = values[(values >= max(lows)) & (values <= min(highs))]
            if len(group) > 1 and len(values) > 1:
                met, runs = _of(spec, own[one], values), OddRuns(shape[-1], _height(shape, 0), True)
                row = [replace(own[n], odd=met, runs=runs) if n in own else each for n, each in enumerate(row)]
                break
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def _with_rows(graph: Graph, usual: Sources) -> dict[int, Ends]:
    """The inputs of data and of integers that are drawn and have rows, and what they may hold."""
    found: dict[int, Ends] = {}
    for index in hardened(graph):
        bounds = bounds_of(graph, index) if graph.specs[index].is_inexact else None
        found |= {index: bounds} if bounds is not None else {}
    found |= {index: ends for index, ends in ranges_of(graph, usual).items() if index not in writing_indices(graph)}
    return {
        index: found[index]
        for index in sorted(found)
        if graph.specs[index].shape and graph.specs[index].shape[-1] >= _LEAST
        if graph.specs[index].numel and not usual[index].same and not usual[index].row.length
    }


def _widely(graph: Graph, index: int, source: InputSource, ends: Ends) -> InputSource:
    """An input of integers that are usually few of many as any of these, up to a size."""
    if graph.specs[index].is_inexact:
        return source
    low, high = max(int(ends[0]), -_MANY), min(int(ends[1]), _MANY)
    own = _in_order(graph.specs[index], source.values)
    if int(own[-1]) - int(own[0]) >= high - low:
        return source
    return source.of_range(low, high, getattr(torch, graph.specs[index].dtype))


def _height(shape: Sequence[int], turn: int) -> int:
    """How many rows a matrix has: of inputs of two dimensions one or all, and of others the last ones, or else one or
    all but the first.
    """
    if len(shape) < 3:
        height = math.prod(shape[:-1]) if turn else 1
    elif turn:
        height = 1 if len(shape) == 3 else math.prod(shape[1:-1])
    else:
        height = shape[-2]
    return height if height >= _LEAST else 1


def _numbers(graph: Graph, rng: Random) -> dict[int, float]:
    """One of the numbers with which a program compares an input."""
    found = {
        index: [each.value for each in known if math.isfinite(each.value)]
        for index, known in thresholds(graph, rng).items()
    }
    return {index: rng.choice(values) for index, values in found.items() if values}


def _parts(graph: Graph, index: int, source: InputSource, number: float | None) -> tuple[InputSource, InputSource]:
    """An input of larger values and one of smaller ones. No value of one part is on the other's side of a number."""
    spec, number = graph.specs[index], math.nan if number is None else number
    own = _in_order(spec, source.values)
    below, up_to = len(own), len(own)  # those below a number, and those that are not above it
    if math.isfinite(number):
        sides = (number, number) if spec.is_inexact else (math.ceil(number), math.floor(number))
        below, up_to = int((own < sides[0]).sum()), int((own <= sides[1]).sum())
    larger = own[min(len(own) - 1, max(up_to % len(own), int(_LARGER * len(own)))) :]
    smaller = own[: max(1, min(below or len(own), int(_SMALLER * len(own))))]
    bounds = bounds_of(graph, index)
    if math.isfinite(number) and bounds is not None:
        away = max(abs(number), float(own.double().abs().max()))
        larger = larger if up_to < len(own) else _between(number, number + away, bounds, larger)
        smaller = smaller if below else _between(number - away, number, bounds, smaller)
    return _of(spec, source, larger), _of(spec, source, smaller)


def _in_order(spec: TensorSpec, values: torch.Tensor) -> torch.Tensor:
    """An input's values in order. No zeros: a part of nothing but these would hide what is left out."""
    own = values.flatten().to(torch.float64 if spec.is_inexact else torch.int64).sort().values
    return own[own != 0] if spec.is_inexact and bool(own.any()) else own


def _between(low: float, high: float, bounds: tuple[float, float], otherwise: torch.Tensor) -> torch.Tensor:
    """Values of an open interval, as far as an input may hold them. The other ones where it may not."""
    values = torch.linspace(low, high, SPANS + 2, dtype=torch.float64)[1:-1]
    values = values if otherwise.is_floating_point() else values.round()
    values = values[(low < values) & (values < high) & (values >= bounds[0]) & (values <= bounds[1])]
    return values.to(otherwise.dtype) if len(values) else otherwise


def _of(spec: TensorSpec, source: InputSource, values: torch.Tensor) -> InputSource:
    kind: torch.dtype = getattr(torch, spec.part_dtype)
    return source.of_values(values.to(kind)) if spec.is_inexact else source.of_integers(values.to(kind))
