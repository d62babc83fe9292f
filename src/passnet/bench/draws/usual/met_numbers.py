"""The numbers of a program that integers of a wide range meet in every usual draw: a word that is looked for.

By chance they would meet them in one call of several. In all others such a graph gives a constant, and says nothing.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import bounds_of
from passnet.graph.values.indexing import writing_indices
from passnet.graph.values.left_out import SHARE
from passnet.graph.values.thresholds import thresholds

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph, TensorSpec
    from passnet.graph.values.left_out import Labels

# A range of no more numbers has each of them often enough. So many of a program's numbers are met, each time in one
# element of so many.
_MANY, _MOST, _SHARE = 256, 16, 64


def met_numbers(graph: Graph, rng: Random) -> dict[int, torch.Tensor]:
    """Input of integers -> the numbers with which it is compared, as far as it may hold them. No index at which is
    written: of equal ones it is chance which one wins.
    """
    wide, writing = {}, writing_indices(graph)
    for index, spec in enumerate(graph.specs):
        bounds = bounds_of(graph, index) if spec.is_integer and index not in writing else None
        if bounds is not None and bounds[1] - bounds[0] >= _MANY:
            wide[index] = bounds
    known, found = thresholds(graph, rng) if wide else {}, dict[int, torch.Tensor]()
    for index, (low, high) in wide.items():
        exact = (each.value for each in known.get(index, ()) if each.exact and low <= each.value <= high)
        numbers = list(dict.fromkeys(int(value) for value in exact if value % 1 == 0))
        if numbers:
            some = rng.sample(numbers, min(_MOST, len(numbers)))
            found[index] = torch.tensor(some, dtype=getattr(torch, graph.specs[index].dtype))
    return found


def meeting_them(source: InputSource, numbers: torch.Tensor | None) -> InputSource:
    """An input that holds these numbers too, if it is drawn element by element."""
    return source if numbers is None or source.same or source.row.length else source.mixed(numbers, _SHARE)


def leaving_out(source: InputSource, spec: TensorSpec, labels: Labels | None) -> InputSource:
    """An input of labels that holds what stands for none too, if it has so many that some are left."""
    if labels is None or not labels.numbers or spec.numel < SHARE or source.same or source.row.length:
        return source
    return source.mixed(torch.tensor(labels.numbers, dtype=getattr(torch, spec.dtype)), SHARE)
