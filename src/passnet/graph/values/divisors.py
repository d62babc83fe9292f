"""What a graph divides by: which inputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, Ref, Value
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import never_zero
from passnet.graph.values.thresholds import Forms, forms_of
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# What of their first argument, or of what they divide by, may not be 0.
_NEVER_OF_ZERO = word_set("reciprocal rsqrt log log2 log10")
_DIVIDING = word_set("div floor_divide remainder fmod")


def divisors(graph: Graph) -> set[int]:
    """The inputs by which elements are divided, or of which there is no result at 0, without a sum of several between.
    None of stored ones, which are constants.
    """
    forms, found = forms_of(graph), set[int]()
    for op in renewed(graph).statements:
        for value in _divisors(op):
            found |= _of_each(forms, value)
    return found


def stored_divisors(graph: Graph) -> set[int]:
    """The same of stored integers, of those without a zero."""
    known = {index for index, spec in enumerate(graph.specs) if spec.is_integer and never_zero(spec)}
    if not known:
        return known
    specs = [replace(spec, data=None) if index in known else spec for index, spec in enumerate(graph.specs)]
    return divisors(replace(graph, specs=tuple(specs))) & known


def _divisors(op: Op) -> Iterator[Value]:
    name = plain_name(op)
    if name in _NEVER_OF_ZERO:
        yield arguments(op).get("input")
    elif name in _DIVIDING:
        yield arguments(op).get("other")


def _of_each(forms: dict[int, Forms], value: Value) -> set[int]:
    known = forms.get(value.index, {}) if isinstance(value, Ref) else {}
    return {index for index, form in known.items() if form.steps is not None}
