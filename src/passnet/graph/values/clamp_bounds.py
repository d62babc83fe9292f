"""Finds the inputs that bound a clamp: from where its least and its largest number follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from passnet.graph.text.program import Ref, Value
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.solving import InputForm
from passnet.graph.values.thresholds import Forms, followed
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# What these round, they round in order. Views leave numbers as they are.
_IN_ORDER = word_set("""
to type type_as float half bfloat16 double expand_as view_as broadcast_to unflatten squeeze movedim swapaxes detach
""")


@dataclass(frozen=True)
class ClampBound:
    """One bound of a clamp: factor * input + shift. `index`: None where the bound is the number `shift` itself."""

    index: int | None
    factor: float = 0.0
    shift: float = 0.0


@dataclass(frozen=True)
class ClampBounds:
    """The least and the largest number of a clamp, of which at least one follows from an input."""

    least: ClampBound
    most: ClampBound


def clamp_bounds(graph: Graph) -> tuple[ClampBounds, ...]:
    """The bounds of each clamp that has two tensors, as far as each follows linearly from one input. Computed once."""
    if "_clamp_bounds" not in graph.__dict__:
        clamps = any(plain_name(op) == "clamp" for op in renewed(graph).statements)
        graph.__dict__["_clamp_bounds"] = _found(graph) if clamps else ()
    known: tuple[ClampBounds, ...] = graph.__dict__["_clamp_bounds"]
    return known


def _found(graph: Graph) -> tuple[ClampBounds, ...]:
    numbers, partly = constants(graph), renewed(graph).partly
    forms: dict[int, Forms] = {
        index: {index: InputForm(whole=spec.is_integer)} for index, spec in enumerate(graph.specs)
    }
    found: dict[ClampBounds, None] = {}
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        first = op.args[0] if op.args else None
        if op.leaf in _IN_ORDER and isinstance(first, Ref):
            forms[place] = forms[first.index]
        else:
            forms[place] = followed(op, forms, graph.specs) | forms.get(partly.get(place, -1), {})
        if plain_name(op) == "clamp":
            given = arguments(op)
            least = _bound(given.get("min"), forms, numbers, largest=True)
            most = _bound(given.get("max"), forms, numbers, largest=False)
            if least is not None and most is not None and (least.index, most.index) != (None, None):
                found[ClampBounds(least, most)] = None
    return tuple(found)


def _bound(
    value: Value, forms: Mapping[int, Forms], numbers: Mapping[int, tuple[float, ...]], *, largest: bool
) -> ClampBound | None:
    """What a bound follows from. Of numbers that are the same in every call the `largest` counts, or the least."""
    if not isinstance(value, Ref):
        return None
    known = forms.get(value.index, {})
    if not known and (same := numbers.get(value.index)):
        return ClampBound(None, shift=max(same) if largest else min(same))
    if len(known) != 1:
        return None
    ((index, form),) = known.items()
    return ClampBound(index, form.factor, form.shift) if form.linear and form.factor else None
