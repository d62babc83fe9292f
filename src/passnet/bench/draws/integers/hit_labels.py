"""Careful draws in which labels are what a graph chooses: a few classes are far above all others, and labels are these.

Of very many classes none is ever both drawn as a label and the largest of its row. So whoever leaves the comparison
out is right in all other draws.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import bounds_of, size_of
from passnet.bench.draws.content.input_source import PICKED, SPANS, Backgrounds, InputSource
from passnet.bench.draws.content.integer_ranges import ranges_of
from passnet.bench.wire.generator import OddPlace
from passnet.graph.values.chosen_places import ComparedLabel, PlaceChoice, labels_of
from passnet.graph.values.scored_labels import scored_labels

if TYPE_CHECKING:
    from passnet.graph import Graph

# Classes that are far above others together, where the number of all is a multiple.
_TOGETHER = (4, 3, 2)
# Far ones are so many times as large as an input's usual size, and within a factor of two. Both signs come.
_TIMES = 64.0
# Among so many labels one is a hit, or more. Of fewer labels each may be one, and there are two draws.
_LABELS_A_HIT = 16
# Of an input with bounds these parts of its values are the far ones and all others.
_FAR_SHARE, _OTHER_SHARE = 1 / 8, 3 / 4


def hit_labels(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws, or none where no label is compared with a chosen place."""
    labels = labels_of(graph) + [each.label for each in scored_labels(graph) if each.scores is None]
    if not labels:
        return []
    made = []
    few = any(graph.specs[label.index].numel < _LABELS_A_HIT for label in labels)
    for _ in range(2 if few else 1):
        base = next(usual)
        row = list(base)
        for label in labels:
            _hit(graph, label, base, row, rng)
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def _hit(graph: Graph, label: ComparedLabel, usual: Sequence[InputSource], row: list[InputSource], rng: Random) -> None:
    """Let one input of labels and those from which classes are chosen meet."""
    choice, count = label.choice, graph.specs[label.index].numel
    together = next((each for each in _TOGETHER if choice.classes % each == 0 and choice.classes > each), 1)
    apart = choice.classes // together
    first = min(apart, max(1, count // (_LABELS_A_HIT * together)))
    classes = [place + apart * each for place in range(first) for each in range(together)]
    low, high = ranges_of(graph, usual).get(label.index, (1, 0))
    met = [number for each in rng.sample(classes, min(len(classes), PICKED)) for number in label.form.inputs(each, rng)]
    values = torch.tensor([number for number in met if low <= number <= high])
    if not len(values):
        return
    values = values.to(getattr(torch, graph.specs[label.index].dtype))
    each = usual[label.index]
    row[label.index] = each.mixed(values, 2) if count >= _LABELS_A_HIT else each.of_these(values)
    for index, axis in choice.axes.items():
        spec = graph.specs[index]
        at = OddPlace(math.prod(spec.shape[axis + 1 :]), apart, first)
        row[index] = _with_far(graph, index, usual[index], choice, at)


def _with_far(graph: Graph, index: int, source: InputSource, choice: PlaceChoice, at: OddPlace) -> InputSource:
    """An input with larger values at these places, of both signs if its bounds allow that."""
    spec, size = graph.specs[index], size_of(graph.specs[index], source)
    kind, (low, high) = getattr(torch, spec.part_dtype), bounds_of(graph, index) or (0.0, 0.0)
    if not size:
        return source
    if low <= -2 * _TIMES * size and high >= 2 * _TIMES * size:
        far = torch.linspace(1.0, 2.0, SPANS, dtype=torch.float64).mul_(_TIMES * size)
        far[::2].neg_()
        return replace(source, odd=source.of_values(far.to(kind)), at=at)
    own = source.table.flatten().sort(descending=choice.least).values
    far, others = own[-max(1, int(len(own) * _FAR_SHARE)) :], own[: max(1, int(len(own) * _OTHER_SHARE))]
    return replace(source.of_values(others.to(kind)), odd=source.of_values(far.to(kind)), at=at)
