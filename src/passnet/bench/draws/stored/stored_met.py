"""Careful draws in which stored content is other content: numbers with which a program compares it, and those of other
inputs that it is compared with.

A tensor of few elements is stored as one call had it: a step, kinds, labels, short lists of ids. Another call of the
model has others, and takes the branch that this one did not take.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.bench.draws.integers import whole_numbers
from passnet.bench.draws.stored.one_stored import one_stored
from passnet.bench.draws.stored.stored_beyond import stored_beyond
from passnet.bench.draws.values import about_thresholds
from passnet.graph.text.program import refs_of
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.constants import stored
from passnet.graph.values.indexing import reckoning, writing_indices
from passnet.graph.values.thresholds import COMPARING, forms_of, thresholds
from passnet.graph.values.writes import renewed

if TYPE_CHECKING:
    from passnet.graph import Graph, TensorSpec


# How many times the draws about thresholds are made, beside other values of the other inputs.
_TIMES = 2


def stored_met(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws, or none where nothing that is stored may be others. Where it is compared, they are those of
    `thresholds`, `marks` and `meeting`, as if it were drawn. Content from which a size or a count follows stays.
    Indices are drawn where they are compared with another input, and labels for their marks. Other numbers of the
    program have draws of their own for indices.
    """
    free = _Freed.of(graph)
    if free is None:
        return stored_beyond(graph, usual, rng) + one_stored(graph, usual, rng)
    rows = free.backgrounds(usual)
    # What is stored is few: one draw may hold a number not once, or beside inputs with which it decides nothing.
    made = [each for _ in range(_TIMES) for each in about_thresholds.thresholds(free.graph, rows, rng)]
    made += about_thresholds.marks(free.graph, rows, rng)
    made += whole_numbers.meeting(free.graph, next(rows), rng)
    made = [row for row in made if any(row[index] is not own for index, own in free.sources.items())]
    return made + stored_beyond(graph, usual, rng, met=free.sources.keys()) + one_stored(graph, usual, rng)


@dataclass(frozen=True)
class _Freed:
    """A graph of which some stored inputs are not stored, and from where these are drawn: from their own numbers."""

    graph: Graph
    sources: Mapping[int, InputSource]

    @classmethod
    def of(cls, graph: Graph) -> _Freed | None:
        """Frees the stored inputs that are compared. None where there are none."""
        known = {index: each for index, spec in enumerate(graph.specs) if (each := _may_be_others(graph, index, spec))}
        freed = _without(graph, known)
        compared = _compared(freed, known) if known else set()
        if not compared:
            return None
        return cls(_without(graph, compared), {index: known[index] for index in sorted(compared)})

    def backgrounds(self, usual: Backgrounds) -> Iterator[list[InputSource]]:
        for row in usual:
            yield [self.sources.get(index, each) for index, each in enumerate(row)]


def _may_be_others(graph: Graph, index: int, spec: TensorSpec) -> InputSource | None:
    """From where a stored input is drawn that may hold other numbers."""
    content = None if spec.is_complex or spec.dtype == "bool" or not spec.numel else stored(spec)
    if content is None or not bool(torch.isfinite(content.double()).all()):
        return None
    is_a_size = spec.is_integer and reckoning(graph, index) is None and index not in graph.index_bounds()
    return None if is_a_size else InputSource.of_these(content)


def _without(graph: Graph, indices: Collection[int]) -> Graph:
    """The graph without the stored content of these inputs."""
    specs = [
        replace(spec, data=None, mean=None, std=None) if index in indices else spec
        for index, spec in enumerate(graph.specs)
    ]
    return replace(graph, specs=tuple(specs))


def _compared(freed: Graph, indices: Collection[int]) -> set[int]:
    """Which of these inputs meet numbers of the program, or another input, without a rounding between."""
    bounds, written, found = freed.index_bounds(), writing_indices(freed), set[int]()
    for index, known in thresholds(freed).items():
        if index in indices and any(each.mark if index in bounds else each.exact for each in known):
            found.add(index)
    forms = forms_of(freed)
    for op in renewed(freed).statements:
        if plain_name(op) not in COMPARING:
            continue
        refs = refs_of((*op.args, *(value for _, value in op.kwargs)))
        for one, other in itertools.permutations(refs, 2):
            mine, theirs = forms.get(one.index, {}), forms.get(other.index, {})
            if theirs.keys() - mine.keys():
                exact = {index for index, form in mine.items() if form.exact and freed.specs[index].is_integer}
                found |= (exact & set(indices)) - written
    return found
