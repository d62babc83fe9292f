"""Careful draws about the numbers with which a program compares an input, and about the bounds of inputs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import bits_of, bounds_of
from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.bench.wire.generator import BLENDS, UNEVEN, DrawnRow, OddPlace
from passnet.graph.values import thresholds as graph_thresholds
from passnet.graph.values.constants import stored

if TYPE_CHECKING:
    from passnet.graph import Graph, TensorSpec
    from passnet.graph.values.thresholds import Threshold

# How many draws hold a few of one number, and how many more where an input has few elements. Of an input's numbers so
# many are taken.
_FEW_DRAWS, _MORE_DRAWS, _MOST = 2, 4, 16
# Factors of numbers that lie about a threshold and beyond it. They are drawn, so that none is a tie of rounding.
_PARTS = ((0.7, 0.95), (1.05, 1.3), (1.5, 2.5), (3.0, 6.0))
# An input of fewer elements would hold next to no number in most calls.
_FEW_ELEMENTS = 8
# So many elements are left where all others are one number, and no distance between them is that of rows on purpose.
_FEW_LEFT, _SEVERAL = 32, 7
# Not so near that a narrow dtype, or one that flushes small numbers, has zero for it.
_NEAR_ZERO = 2.0**-12


def thresholds(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Draws that hold the numbers with which a program compares an input, and such beside them and beyond: all of them
    in half of the elements, and then a few of one number in one element of many, with rows that are alike but for one.

    In the first draw no row is alike. An input of few rows would hold next to no number in most calls. One of few
    elements has nothing else than one number in each draw, from the farthest on.
    """
    found, first = dict[int, list[torch.Tensor]](), next(usual)
    for index, known in graph_thresholds.thresholds(graph, rng).items():
        spec, bounds = graph.specs[index], bounds_of(graph, index)
        if bounds is None or (spec.is_integer and bounds[1] - bounds[0] <= 1):
            continue  # of two numbers none is rare
        if spec.numel and not first[index].same and not first[index].row.length:
            values = [_beside(spec, each, bounds, rng) for each in _some_of(known, rng)]
            if some := [each for each in values if len(each)]:
                found[index] = some
    if not found:
        return []
    kept = [as_stored(*each) for each in zip(graph.specs, first, strict=True)]
    stays = {index: each for index, (each, own) in enumerate(zip(kept, first, strict=True)) if each is not own}
    small = {index for index in found if graph.specs[index].numel < _FEW_ELEMENTS}
    count = _FEW_DRAWS + _MORE_DRAWS * bool(small)
    many, *few = ([stays.get(n, each) for n, each in enumerate(next(usual))] for _ in range(1 + count))
    for index, values in found.items():
        spec, each = graph.specs[index], many[index]
        many[index] = each.mixed(torch.cat(values), 2)
        if index in small:
            for row, value in zip(few, _farthest_first(values), strict=False):
                row[index] = each.of_these(value.reshape(1))
            continue
        for row in few[:_FEW_DRAWS]:
            chosen, own = rng.choice(values), _own(spec, row[index])
            row[index] = _with_even_rows(spec, row[index].mixed(chosen, 64), own, chosen, rng)
    return [many, *few, *_all_but_some(graph, usual, found, rng), *_lone(graph, usual, found, rng)]


def _lone(
    graph: Graph, usual: Backgrounds, found: Mapping[int, Sequence[torch.Tensor]], rng: Random
) -> list[list[InputSource]]:
    """Two draws in which one element of many is a number of a threshold, or one beyond it, and one in which half of one
    row are such. All others are usual, so whoever looks at some elements and finds none must not be right.
    """
    made = []
    for whole_row in (False, False, True):
        base = next(usual)
        row = list(base)
        for index, values in found.items():
            spec, each = graph.specs[index], base[index]
            size = spec.shape[-1] if spec.shape else 1
            if spec.numel < _SEVERAL * _FEW_LEFT or (whole_row and size == spec.numel) or each.odd or each.same:
                continue
            number = rng.choice(values)
            exact = len(number) > len(set(number.tolist()))
            odd = each.mixed(number, 2) if whole_row else each.of_these(_told(number) if exact else number)
            inner = size if whole_row else 1
            row[index] = replace(each, odd=odd, at=OddPlace(inner, spec.numel // inner, spec.numel // inner))
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def _told(values: torch.Tensor) -> torch.Tensor:
    """The threshold itself, which comes more than once among the numbers about it."""
    return values.mode().values.reshape(1) if not values.is_complex() else values


def _all_but_some(
    graph: Graph, usual: Backgrounds, found: Mapping[int, Sequence[torch.Tensor]], rng: Random
) -> list[list[InputSource]]:
    """A draw in which all but one element of many are one number of a threshold. In rows there are such in other draws.
    What is reduced over another dimension, such as whether a column is zero, is decided by one element in none of them.
    """
    base = next(usual)
    row = list(base)
    for index, values in found.items():
        spec, each = graph.specs[index], base[index]
        exact = [value for value in values if len(value) > len(set(value.tolist()))]
        if len(spec.shape) < 2 or spec.numel < _SEVERAL * _FEW_LEFT or not exact or not spec.is_floating:
            continue
        number = rng.choice(exact).mode().values.reshape(1)
        size = spec.numel // _FEW_LEFT - rng.randint(1, _SEVERAL)
        row[index] = replace(each.of_these(number), odd=each, at=OddPlace(1, size, size))
    return [row] if any(each is not other for each, other in zip(row, base, strict=True)) else []


def marks(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Two draws in which a mask is true as a whole, or false, and an input of integers that a program compares with
    numbers is one of these: no label counts, or all of a line is padding. Else something is always left.
    """
    numbers = dict[int, list[float]]()
    for index, known in graph_thresholds.thresholds(graph, rng).items():
        bounds, values = bounds_of(graph, index), (each for each in known if each.exact and each.value % 1 == 0)
        if graph.specs[index].is_integer and bounds:
            numbers[index] = [each.value for each in values if each.mark or bounds[0] <= each.value <= bounds[1]]
    made = []
    for whole in (True, False):
        base = next(usual)
        row = list(base)
        for index, (spec, each) in enumerate(zip(graph.specs, base, strict=True)):
            if spec.numel < 2 or each.same:
                continue
            if spec.dtype == "bool":
                row[index] = each.of_these(torch.tensor([whole]))
            elif numbers.get(index) and not each.row.length:
                value = torch.tensor([rng.choice(numbers[index])], dtype=torch.float64)
                row[index] = each.of_these(value.to(getattr(torch, spec.dtype)))
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def bounds(graph: Graph, usual: Backgrounds) -> list[list[InputSource]]:
    """Draws in which half of each float that has such a bound is its least number, and its largest one: a probability
    is 1 where a sigmoid saturates. Zeros are in draws of their own.

    A graph that clamps beside a bound rounds what it clamps to. So eager need not be exact there.
    """
    made = []
    for name in ("min_val", "max_val"):
        base = next(usual)
        row = list(base)
        for index, (spec, each) in enumerate(zip(graph.specs, base, strict=True)):
            bound, dtype = getattr(spec, name), getattr(torch, spec.part_dtype)
            if not bound or dtype not in BLENDS or spec.numel < 2 or each.same or each.row.length:
                continue
            value = torch.tensor([bound], dtype=dtype)
            if (spec.min_val is None or spec.min_val <= value) and (spec.max_val is None or value <= spec.max_val):
                mixed = each.mixed(value, 2)
                row[index] = replace(mixed, roughly=True)
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def _some_of(known: Sequence[Threshold], rng: Random) -> list[Threshold]:
    """As many thresholds as a draw takes. The first and the last bucket have an end that the others do not have."""
    if len(known) <= _MOST:
        return list(known)
    ordered = sorted(known, key=lambda each: each.value)
    return [ordered[0], ordered[-1], *rng.sample(ordered[1:-1], _MOST - 2)]


def as_stored(spec: TensorSpec, source: InputSource) -> InputSource:
    """The input with its stored content, where it has one: who is compared with it must meet it."""
    content = None if source.same else stored(spec)
    return source if content is None or spec.is_integer else source.of_content(content, held=False)


def _farthest_first(values: Sequence[torch.Tensor]) -> torch.Tensor:
    """Numbers about thresholds: of each the farthest one, then the next of each."""
    ordered = [value[(value.double() - value.double().median()).abs().argsort(descending=True)] for value in values]
    turns = itertools.zip_longest(*(each.tolist() for each in ordered))
    return torch.tensor([one for turn in turns for one in turn if one is not None], dtype=values[0].dtype)


def _own(spec: TensorSpec, source: InputSource) -> torch.Tensor:
    """Values of an input, in its dtype."""
    return source.values.to(getattr(torch, spec.dtype))


def _with_even_rows(
    spec: TensorSpec, source: InputSource, own: torch.Tensor, values: torch.Tensor, rng: Random
) -> InputSource:
    """The input with some rows that hold one of its own values, and one of the others in one element."""
    if not spec.shape or spec.shape[-1] < 2:
        return source
    one, other = own[rng.randrange(len(own))], values[rng.randrange(len(values))]
    return replace(source, row=DrawnRow(spec.shape[-1], bits_of(one), bits_of(other), UNEVEN))


def _beside(spec: TensorSpec, threshold: Threshold, bounds: tuple[float, float], rng: Random) -> torch.Tensor:
    """A number, its neighbours on both sides, and others farther from it, as far as an input may hold them.

    Where it rounds in the input's dtype, it is chance on which side of it a form is. Then it is left out. About numbers
    that are not exact there is none that is nearer than a twentieth.
    """
    dtype, number = getattr(torch, spec.part_dtype), threshold.value
    wanted = [number * sign * rng.uniform(*part) for sign in (1, -1) for part in _PARTS if number]
    if spec.is_integer:
        wanted = list(map(float, map(round, wanted)))
    if threshold.exact:
        wanted += _next_integers(number) if spec.is_integer else _neighbours(number, dtype)
    low, high = bounds
    found = sorted({each for each in wanted if low <= each <= high or (threshold.mark and each == number)})
    if number in found:  # what happens at the number itself, as at an end token, must be in every call
        found += [number] * len(found)
    if spec.is_complex:  # the size of a number is exact where one part is zero
        found += [0.0] * len(found)
    return torch.tensor(found, dtype=torch.float64).to(dtype)


def _next_integers(number: float) -> list[float]:
    below, above = float(math.floor(number)), float(math.ceil(number))
    return [below - 1, below, above, above + 1]


def _neighbours(number: float, dtype: torch.dtype) -> list[float]:
    if number == 0:
        return [0.0, _NEAR_ZERO, -_NEAR_ZERO]
    step = math.ldexp(torch.finfo(dtype).eps, math.frexp(number)[1] - 1)
    known = [number] if float(torch.tensor(number, dtype=dtype)) == number else []
    return [*known, number - step, number + step, number - 2 * step, number + 2 * step]
