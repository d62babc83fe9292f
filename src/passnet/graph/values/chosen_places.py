"""Finds integer inputs that a graph compares with the place of a largest or least number, as an accuracy does."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, Ref, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.indexing import SAME_VALUES, known_forms
from passnet.graph.values.solving import InputForm
from passnet.graph.values.thresholds import COMPARING, forms_of
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

_PLACES = word_set("argmax argmin argsort")
# Of their results the second one is of places.
_WITH_PLACES = word_set("max min topk sort kthvalue median mode cummax cummin")
_LEAST_FIRST = word_set("argmin min cummin")
_MOVING = SAME_VALUES | word_set("getitem select narrow split chunk unbind t flip swapaxes movedim")


@dataclass(frozen=True)
class PlaceChoice:
    """A place among `classes` along one dimension of a value. `axes`: the inputs of floats from which the value
    follows, and their dimension of that size. `least`: the least number is chosen.
    """

    classes: int
    axes: Mapping[int, int]
    least: bool


@dataclass(frozen=True)
class ComparedLabel:
    """An input that is compared with a chosen place. `form`: what is compared, as it follows from the input."""

    index: int
    form: InputForm
    choice: PlaceChoice


def labels_of(graph: Graph) -> list[ComparedLabel]:
    """All of them, in the order of the program."""
    return list(_labels(graph))


def _labels(graph: Graph) -> Iterator[ComparedLabel]:
    forms, made, tuples = forms_of(graph), dict[int, PlaceChoice](), dict[int, PlaceChoice]()
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        name, refs = plain_name(op), refs_of((*op.args, *(value for _, value in op.kwargs)))
        first = op.args[0].index if op.args and isinstance(op.args[0], Ref) else -1
        if name in _PLACES | _WITH_PLACES:
            choice = _choice(graph, op, name)
            if choice is not None:
                (made if name in _PLACES else tuples)[place] = choice
        elif first in tuples and op.args[1:] in ((1,), (("indices",),), ("indices",)):
            made[place] = tuples[first]
        elif first in made and op.leaf in _MOVING:
            made[place] = made[first]
        elif name in COMPARING:
            for one, other in itertools.permutations(refs, 2):
                for index, form in forms.get(other.index, {}).items() if one.index in made else ():
                    if graph.specs[index].is_integer:
                        yield ComparedLabel(index, form, made[one.index])


def _choice(graph: Graph, op: Op, name: str) -> PlaceChoice | None:
    """What an operation chooses from. None where nobody knows along which dimension, or from no input."""
    given = arguments(op)
    operand, dim = given.get("input"), given.get("dim")
    shape = known_forms(graph)[operand.index][0] if isinstance(operand, Ref) else None
    if not isinstance(operand, Ref) or not shape or not isinstance(dim, int) or not -len(shape) <= dim < len(shape):
        return None
    classes, axes = shape[dim], dict[int, int]()
    for index in forms_of(graph).get(operand.index, {}):
        spec = graph.specs[index]
        if spec.is_inexact and classes in spec.shape:
            axes[index] = len(spec.shape) - 1 - spec.shape[::-1].index(classes)
    return PlaceChoice(classes, axes, name in _LEAST_FIRST) if axes and classes > 1 else None
