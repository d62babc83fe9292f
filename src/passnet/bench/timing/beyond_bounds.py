"""A careful draw of the numbers that a program looks for and that no recorded call had.

The bounds of a task are those of its recorded calls. A call without a picture has no word that stands for one, and
labels of nothing are in no batch that has none.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.timing.input_source import InputSource, Sources
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.indexing import writing_indices
from passnet.graph.values.looked_up import may_be
from passnet.graph.values.thresholds import comparisons
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph import Graph, TensorSpec

# So many of an input's numbers are taken. An input of fewer elements holds one of them alone.
_MOST, _FEW_ELEMENTS = 16, 8
_ORDERING = word_set("lt le gt ge")


def beyond_bounds(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """The draw: half of the elements of integers with bounds are such numbers. None where nothing looks for any."""
    row = list(usual)
    for index, known in _looked_for(graph).items():
        spec, each = graph.specs[index], usual[index]
        if not spec.numel or each.same or each.row.length or index in writing_indices(graph):
            continue
        numbers = [number for number in _beyond(spec, known, rng) if may_be(graph, index, number)]
        if numbers:
            values = torch.tensor(numbers, dtype=getattr(torch, spec.dtype))
            few = spec.numel < _FEW_ELEMENTS
            row[index] = each.of_these(values[rng.randrange(len(values))]) if few else each.mixed(values, 2)
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def _looked_for(graph: Graph) -> dict[int, set[int]]:
    """Input of integers -> the numbers with which a program compares it, or a sum of it and a number. Where it asks for
    an order by one number, those next to it too: what is below zero is what `ids < 0` asks for.

    What leads to a number by a quotient or a remainder is left out: no word says that a count may be below zero.
    """
    found, sides = dict[int, set[int]](), dict[tuple[int, int], set[int]]()
    for each in comparisons(graph):
        for index, form in each.forms.items():
            number = (each.number - form.shift) / form.factor if form.exact and form.linear else math.nan
            if graph.specs[index].is_integer and number.is_integer():
                found.setdefault(index, set()).add(int(number))
                if plain_name(each.op) in _ORDERING:
                    sides.setdefault((index, id(each.op)), set()).add(int(number))
    for (index, _), numbers in sides.items():
        if len(numbers) == 1:
            found[index] |= {number + step for number in numbers for step in (-1, 1)}
    return found


def _beyond(spec: TensorSpec, numbers: Collection[int], rng: Random) -> list[int]:
    """Those which an input's dtype has and its bounds do not have."""
    if spec.min_val is None or spec.max_val is None:
        return []
    ends = torch.iinfo(getattr(torch, spec.dtype))
    most = min(ends.max, torch.iinfo(torch.int64).max)
    beyond = sorted(n for n in numbers if ends.min <= n <= most and not spec.min_val <= n <= spec.max_val)
    return rng.sample(beyond, min(_MOST, len(beyond)))
