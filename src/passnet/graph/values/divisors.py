"""What a graph divides by: which inputs, and products of how many of their numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, Ref, Value, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import never_zero
from passnet.graph.values.thresholds import Forms, forms_of
from passnet.graph.values.writes import renewed
from passnet.op_classes import GEMMS, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# What of their first argument, or of what they divide by, may not be 0.
_NEVER_OF_ZERO = word_set("reciprocal rsqrt log log2 log10")
_DIVIDING = word_set("div floor_divide remainder fmod")
# Products of their arguments, sums of such products, and squares of differences.
_MULTIPLYING = GEMMS | word_set("mul matmul linear einsum dot outer")
_SQUARING = word_set("square var var_mean")
# Of small numbers these make none that is small.
_FROM_ONE = word_set("exp exp2 cos cosh softmax log_softmax sigmoid softplus rsqrt reciprocal")


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


def degree_of_divisors(graph: Graph, inputs: Collection[int]) -> float:
    """Of how many numbers of these inputs products are at most by which a graph divides. 0 where it divides by none.

    What a number is added to, as an epsilon is, or what is clamped above zero, is no product of small numbers.
    """
    degrees, most = dict.fromkeys(inputs, 1.0), 0.0
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        divided_by = [degrees.get(value.index, 0.0) for value in _divisors(op) if isinstance(value, Ref)]
        most = max(most, *divided_by, 0.0)
        degrees[place] = _degree(op, degrees)
    return most


def _degree(op: Op, degrees: Mapping[int, float]) -> float:
    """Of how many numbers a result is a product, see `degree_of_divisors`."""
    given = [degrees.get(ref.index, 0.0) for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))]
    name, largest = plain_name(op), max(given, default=0.0)
    if name in _FROM_ONE or _is_lifted(op, name):
        return 0.0
    if name in _MULTIPLYING:
        return sum(given)
    if name == "pow":
        power = op.args[1] if len(op.args) > 1 else None
        return largest * max(0.0, float(power)) if isinstance(power, int | float) else largest
    factors = {"sqrt": 0.5} | dict.fromkeys(_SQUARING, 2.0)
    return largest * factors.get(name, 1.0)


def _is_lifted(op: Op, name: str) -> bool:
    """Whether a number above zero is added, or is the least that a result may be."""
    least = op.args[:2] if name == "add" else [arguments(op).get("min")] if name in ("clamp", "clamp_min") else []
    return any(isinstance(number, int | float) and number > 0 for number in least)


def _divisors(op: Op) -> Iterator[Value]:
    name = plain_name(op)
    if name in _NEVER_OF_ZERO:
        yield arguments(op).get("input")
    elif name in _DIVIDING:
        yield arguments(op).get("other")


def _of_each(forms: dict[int, Forms], value: Value) -> set[int]:
    known = forms.get(value.index, {}) if isinstance(value, Ref) else {}
    return {index for index, form in known.items() if form.steps is not None}
