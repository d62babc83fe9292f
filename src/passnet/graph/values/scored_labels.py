"""Finds labels by which a graph looks up a score, to compare it with others of its row: is it among the best?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, Ref, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.chosen_places import ComparedLabel, PlaceChoice
from passnet.graph.values.constants import constants
from passnet.graph.values.indexing import indices_of, known_forms
from passnet.graph.values.thresholds import COMPARING, Forms, forms_of
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

_LOOKING_UP = word_set("gather take_along_dim getitem index index_select")
_ALONG_A_DIM = word_set("gather take_along_dim index_select")
_MEETING = COMPARING | word_set("sub rsub")
# No program asks whether something is among more of the best.
_MOST_RANKS = 256
Shapes = Sequence[tuple[int, ...] | None]


@dataclass(frozen=True)
class ScoredLabel:
    """A label whose score is compared with others of its row. `scores`: the input that these are, or of which each
    follows by itself, with its classes along `dim`. None where they follow from more.
    """

    label: ComparedLabel
    scores: int | None
    dim: int


def scored_labels(graph: Graph) -> list[ScoredLabel]:
    """All of them, each once, in the order of the program."""
    if not any(plain_name(op) in _LOOKING_UP for op in graph.statements()):
        return []
    found = dict[tuple[int, int | None, int], ScoredLabel]()
    for each in _found(graph):
        found.setdefault((each.label.index, each.scores, each.dim), each)
    return list(found.values())


def ranks_of(graph: Graph) -> list[int]:
    """How many of the best a program asks for: the whole numbers with which it compares, and 1."""
    found, known = {1}, constants(graph)
    for op in renewed(graph).statements:
        if plain_name(op) in COMPARING:
            values = [*op.args, *(value for _, value in op.kwargs)]
            numbers = [
                each for value in values for each in ([value] if not isinstance(value, Ref) else _one(value, known))
            ]
            found |= {int(each) for each in numbers if isinstance(each, int | float) and 1 <= each <= _MOST_RANKS}
    return sorted(found)


def _one(value: Ref, known: Mapping[int, tuple[float, ...]]) -> Sequence[float]:
    numbers = known.get(value.index, ())
    return numbers if len(numbers) == 1 else ()


def _found(graph: Graph) -> Iterator[ScoredLabel]:
    forms, shapes = forms_of(graph), [shape for shape, _ in known_forms(graph)]
    scores = dict[int, list[ScoredLabel]]()
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        name = plain_name(op)
        refs = [ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))]
        own = list(_looked_up(graph, op, name, forms, shapes)) if name in _LOOKING_UP else []
        followed = [each for ref in refs for each in scores.get(ref, ())]
        if own or (followed and len([ref for ref in refs if forms.get(ref)]) == 1):
            scores[place] = own or followed
        if name not in _MEETING:
            continue
        for each in followed:
            others = [forms.get(ref, {}) for ref in refs if each not in scores.get(ref, ())]
            if any(index in other for index in each.label.choice.axes for other in others):
                yield each


def _looked_up(graph: Graph, op: Op, name: str, forms: Mapping[int, Forms], shapes: Shapes) -> Iterator[ScoredLabel]:
    """The labels by which one operation looks up scores."""
    given = arguments(op)
    table = op.args[0] if op.args else given.get("input")
    shape = shapes[table.index] if isinstance(table, Ref) else None
    if not isinstance(table, Ref) or not shape:
        return
    for taken in indices_of(op, shapes):
        dims = [dim for dim, size in enumerate(shape) if size == taken.entries]
        along = given.get("dim")
        dim = along % len(shape) if name in _ALONG_A_DIM and isinstance(along, int) else dims[-1] if dims else None
        labels = [(index, form) for index, form in forms.get(taken.value, {}).items() if graph.specs[index].is_integer]
        if dim is None or len(labels) != 1 or taken.entries < 2:
            continue
        axes = dict[int, int]()
        for index in forms.get(table.index, {}):
            spec = graph.specs[index]
            if spec.is_inexact and taken.entries in spec.shape:
                axes[index] = len(spec.shape) - 1 - spec.shape[::-1].index(taken.entries)
        if axes:
            label = ComparedLabel(*labels[0], PlaceChoice(taken.entries, axes, least=False))
            alone = [index for index in axes if graph.specs[index].shape == shape]
            yield ScoredLabel(label, alone[0] if len(axes) == len(alone) == 1 else None, dim)
