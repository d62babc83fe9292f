"""Finds labels of which one number stands for none: what a loss leaves out, and what is replaced before a lookup.

A recorded bound that is such a number bounds no class. Between it and the classes there is nothing: no call of a model
has a label of -37, and a loss refuses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import torch

from passnet.graph.values.arguments import plain_name
from passnet.graph.values.indexing import is_counted, writing_indices
from passnet.graph.values.looked_up import is_within, lookups_of
from passnet.graph.values.thresholds import LOSSES, comparisons
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

_ASKING = word_set("eq ne")
# One element of so many is such a number. An input of fewer elements might hold nothing else.
SHARE = 8


@dataclass(frozen=True)
class Labels:
    """The least and the largest class of an input, and the recorded numbers beside these that stand for no class.

    `numbers` is empty where something is written at these labels: of equal ones it is chance which one wins.
    """

    low: int
    high: int
    numbers: tuple[int, ...]


def labels_left_out(graph: Graph) -> Mapping[int, Labels]:
    """Input -> its labels, where a recorded bound of it is a number that stands for none. Computed once."""
    if "_left_out" not in graph.__dict__:
        graph.__dict__["_left_out"] = _labels_left_out(graph)
    found: Mapping[int, Labels] = graph.__dict__["_left_out"]
    return found


def with_classes_alone(graph: Graph) -> Graph:
    """The graph whose bounds of labels are those of their classes."""
    found = labels_left_out(graph)
    if not found:
        return graph
    specs = [
        replace(spec, min_val=found[index].low, max_val=found[index].high) if index in found else spec
        for index, spec in enumerate(graph.specs)
    ]
    return replace(graph, specs=tuple(specs))


def _labels_left_out(graph: Graph) -> dict[int, Labels]:
    bounded = [i for i, spec in enumerate(graph.specs) if spec.is_integer and None not in (spec.min_val, spec.max_val)]
    if not bounded:
        return {}
    of_losses, asked = dict[int, set[int]](), dict[int, set[int]]()
    for each in comparisons(graph):
        is_loss = each.op.leaf in LOSSES
        if not (is_loss or plain_name(each.op) in _ASKING) or not each.number.is_integer():
            continue
        if is_loss:
            of_losses.setdefault(each.value, set()).add(int(each.number))
        for index, form in each.forms.items():
            number = (each.number - form.shift) / form.factor if form.exact and form.linear else 0.5
            if index in bounded and number.is_integer():
                asked.setdefault(index, set()).add(int(number))
    found = {}
    for index, numbers in asked.items():
        ends = {int(graph.specs[index].min_val or 0), int(graph.specs[index].max_val or 0)}
        if numbers & ends and (labels := _labels(graph, index, sorted(numbers), of_losses)):
            found[index] = labels
    return found


def _labels(graph: Graph, index: int, numbers: list[int], of_losses: Mapping[int, set[int]]) -> Labels | None:
    """The labels of an input that is compared with these numbers. None where no bound of it is one beside classes."""
    lookups, spec = lookups_of(graph, index), graph.specs[index]
    taken = [each for several in lookups.values() for each in several]
    low, high = int(spec.min_val or 0), int(spec.max_val or 0)
    if not taken or is_counted(graph, index, lookups):
        return None
    if low < 0 and any(each.wraps and low >= -each.entries for each in taken):
        return None  # what is below zero counts from the end
    most = graph.index_bounds().get(index, min(each.entries for each in taken)) - 1
    beside = [number for number in numbers if low <= number <= high and not 0 <= number <= most]
    if not {low, high} & set(beside) or most < 0:
        return None
    first, last = (end if 0 <= end <= most else other for end, other in ((low, 0), (high, most)))
    if index in graph.index_bounds() and all(each.value in of_losses for each in taken):
        # All lookups are losses, of labels as they are: what is no class must be what all of these leave out.
        admitted = [number for number in beside if all(number in of_losses[each.value] for each in taken)]
    else:
        dtype = getattr(torch, spec.dtype)
        within = partial(is_within, graph, index, left_out=of_losses)
        if not all(within(partial(torch.full, spec.shape, number, dtype=dtype)) for number in (first, last)):
            return None
        admitted = [n for n in beside if within(partial(torch.full, spec.shape, n, dtype=dtype))]
    if not {low, high} & set(admitted):
        return None
    return Labels(first, last, () if index in writing_indices(graph) else tuple(admitted))
