"""A careful draw of the numbers that a program looks for and that no recorded call had.

The bounds of a task are those of its recorded calls. A call without a picture has no word that stands for one, and
labels of nothing are in no batch that has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.timing.input_source import InputSource, Sources
from passnet.graph.values.indexing import writing_indices
from passnet.graph.values.looked_up import may_be
from passnet.graph.values.thresholds import Threshold, thresholds

if TYPE_CHECKING:
    from passnet.graph import Graph, TensorSpec

# So many of an input's numbers are taken. An input of fewer elements holds one of them alone.
_MOST, _FEW_ELEMENTS = 8, 8


def beyond_bounds(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """The draw: half of the elements of integers with bounds are such numbers. None where nothing looks for any."""
    row = list(usual)
    for index, known in thresholds(graph, rng).items():
        spec, each = graph.specs[index], usual[index]
        if not spec.numel or each.same or each.row.length or index in writing_indices(graph):
            continue
        numbers = [number for number in _beyond(spec, known, rng) if may_be(graph, index, number)]
        if numbers:
            values = torch.tensor(numbers, dtype=getattr(torch, spec.dtype))
            few = spec.numel < _FEW_ELEMENTS
            row[index] = each.of_these(values[rng.randrange(len(values))]) if few else each.mixed(values, 2)
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def _beyond(spec: TensorSpec, known: Sequence[Threshold], rng: Random) -> list[int]:
    """The numbers that an input meets exactly and those next to them, as far as they are beyond its bounds. A number
    below zero may be what a program asks for by a comparison with zero.
    """
    if not spec.is_integer or spec.min_val is None or spec.max_val is None:
        return []
    exact = sorted({int(each.value) for each in known if each.exact and each.value % 1 == 0})
    ends = torch.iinfo(getattr(torch, spec.dtype))
    most = min(ends.max, torch.iinfo(torch.int64).max)
    chosen = rng.sample(exact, min(_MOST, len(exact)))
    near = sorted({number + step for number in chosen for step in (-1, 0, 1)})
    return [each for each in near if ends.min <= each <= most and not spec.min_val <= each <= spec.max_val]
