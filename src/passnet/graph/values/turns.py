"""Finds from which numbers on an input of integers leads to something else: beyond a clamp, in the next step of a
floor, farther from another input than in any recorded call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.text.program import Op, Ref, Value
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.indexing import is_fraction, known_forms
from passnet.graph.values.solving import InputForm
from passnet.graph.values.thresholds import Forms, comparisons, followed
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

ORDERING = word_set("lt le gt ge")
# What is beyond the bounds of these is not what it seems.
BOUNDING = word_set("clamp clamp_min clamp_max hardtanh maximum minimum max min fmax fmin")
_STEPPING: Mapping[str, Callable[[float], int]] = {
    "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "round": lambda value: math.floor(value + 0.5),
}  # fmt: skip
_BY_NUMBERS = word_set("floor_divide remainder fmod bitwise_right_shift")
# What is computed otherwise may be a number again and again.
_ONCE = word_set(
    "add sub rsub neg mul div floor_divide abs relu square sqrt floor ceil round trunc bitwise_right_shift"
)
_ANY_INTEGER = TensorSpec("", (), "int64")
# With more numbers than this an operation compares places of a row, or edges.
_FEW_NUMBERS = 2


@dataclass(frozen=True)
class TurningPoint:
    """In some elements an input leads to something else from `first` on, and from `surely` on whatever other inputs
    are. `exact`: no step rounds before. `apart`: how far the next turns are from there, if near them roundings decide.
    """

    first: float
    surely: float
    exact: bool
    apart: float | None = None


@dataclass(frozen=True)
class _SumOfInputs:
    """A sum of inputs of integers with these factors, and a number."""

    specs: Sequence[TensorSpec]
    factors: Mapping[int, float]
    shift: float = 0.0

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the largest sum in recorded calls. Infinite where a bound is not known."""
        ends = [self._own(index) for index in self.factors]
        return self.shift + sum(low for low, _ in ends), self.shift + sum(high for _, high in ends)

    def turns(self, number: float, exact: bool, apart: float | None = None) -> Iterator[tuple[int, TurningPoint]]:
        """Where larger inputs lead the sum past a number that no recorded call passed."""
        low, high = self.ends
        if not (math.isfinite(low) and math.isfinite(high) and math.isfinite(number)) or low < number < high:
            return
        sign = 1 if number >= high else -1
        for index, factor in self.factors.items():
            if sign * factor > 0:
                own = self._own(index)
                first, surely = sorted((number - rest) / factor for rest in (low - own[0], high - own[1]))
                yield index, TurningPoint(first, surely, exact, apart)

    def _own(self, index: int) -> tuple[float, float]:
        spec, factor = self.specs[index], self.factors[index]
        low = -math.inf if spec.min_val is None else spec.min_val
        high = math.inf if spec.max_val is None else spec.max_val
        return (factor * low, factor * high) if factor > 0 else (factor * high, factor * low)


@dataclass
class _Walk:
    """What each value is of one sum of inputs. The inputs are the first sums."""

    graph: Graph
    sums: list[_SumOfInputs]
    forms: dict[int, Forms]
    found: dict[int, dict[TurningPoint, None]]

    @classmethod
    def of(cls, graph: Graph) -> _Walk:
        sums = [_SumOfInputs(graph.specs, {index: 1.0}) for index in range(len(graph.specs))]
        forms = {
            index: {index: InputForm(whole=True)} if spec.is_integer else Forms()
            for index, spec in enumerate(graph.specs)
        }
        walk = cls(graph, sums, forms, {})
        known, specs, view = constants(graph), list(graph.specs), renewed(graph)
        for place, op in enumerate(view.statements, start=len(graph.specs)):
            two, name = _two(op, known), plain_name(op)
            if two and name in ("add", "sub") and (made := walk._of_two(*two, 1 if name == "add" else -1)):
                walk.sums.append(made[0])
                specs.append(_ANY_INTEGER)
                forms[place] = {len(specs) - 1: InputForm(exact=made[1], whole=made[1])}
                continue
            if two and name in ORDERING | BOUNDING and (made := walk._of_two(*two, -1)):
                walk._turns(made[0].turns(0.0, made[1]))
            walk._turns(walk._of_steps(op, place, known))
            made_of = followed(op, forms, specs, known) | forms.get(view.partly.get(place, -1), {})
            forms[place] = Forms() if place in known else made_of
        return walk

    def _turns(self, found: Iterator[tuple[int, TurningPoint]]) -> None:
        for index, turn in found:
            self.found.setdefault(index, {})[turn] = None

    def _one(self, value: int) -> tuple[_SumOfInputs, InputForm] | None:
        """The sum from which alone a value follows, and how. None where it follows in ways that nobody knows."""
        forms = self.forms.get(value, {})
        if len(forms) != 1:
            return None
        ((number, form),) = forms.items()
        once = form.steps is not None and all(step.name in _ONCE for several in form.steps for step in several)
        return (self.sums[number], form) if once else None

    def _of_two(self, one: int, other: int, sign: float) -> tuple[_SumOfInputs, bool] | None:
        """The sum or the difference of two values, and whether it is exact. None where it is not of several inputs."""
        left, right = self._one(one), self._one(other)
        if left is None or right is None or not left[1].linear or not right[1].linear:
            return None
        factors, shift = dict[int, float](), 0.0
        for (known, form), times in ((left, 1.0), (right, sign)):
            shift += times * (form.factor * known.shift + form.shift)
            for index, factor in known.factors.items():
                factors[index] = factors.get(index, 0.0) + times * form.factor * factor
        factors = {index: factor for index, factor in factors.items() if factor}
        exact = left[1].exact and right[1].exact
        return (_SumOfInputs(self.graph.specs, factors, shift), exact) if len(factors) > 1 else None

    def _of_steps(self, op: Op, place: int, known: Mapping[int, Sequence[float]]) -> Iterator[tuple[int, TurningPoint]]:
        """Where a floor or its like has its next number, if it has only one in all recorded calls."""
        step = _stepped(op, place, self.graph, known)
        one = self._one(step[0]) if step else None
        if step is None or one is None or not one[1].linear:
            return
        (_, divisor, stepping), (known_sum, form) = step, one
        factor, shift = form.factor / divisor, form.shift / divisor
        whole = form.exact and form.whole and float(divisor).is_integer()
        sizes = [abs(factor * each) for each in known_sum.factors.values()]
        if not whole and len(sizes) > 1:
            return
        low, high = sorted(factor * end + shift for end in known_sum.ends)
        if max(sizes) >= 1 or not math.isfinite(low) or not math.isfinite(high) or stepping(low) != stepping(high):
            return
        half = 0.5 if stepping is _STEPPING["round"] else 0.0
        for number in (math.floor(high + half) + 1 - half, math.ceil(low - half) - 1 + half):
            yield from known_sum.turns((number - shift) / factor, whole, None if whole else 1 / sizes[0])


def turns(graph: Graph, rng: Random) -> dict[int, tuple[TurningPoint, ...]]:
    """Input of integers -> where it leads to something else beyond its largest recorded number."""
    walk = _Walk.of(graph)
    compared = dict[tuple[int, int], list[tuple[float, InputForm, _SumOfInputs]]]()
    for each in comparisons(graph, forms=walk.forms):
        one = walk._one(each.value) if plain_name(each.op) in ORDERING | BOUNDING else None
        if one is not None:
            compared.setdefault((id(each.op), each.value), []).append((each.number, one[1], one[0]))
    for several in compared.values():
        if len(several) <= _FEW_NUMBERS:
            for number, form, known in several:
                for before in form.inputs(number, rng):
                    walk._turns(known.turns(before, form.exact))
    return {index: tuple(each) for index, each in walk.found.items()}


def _two(op: Op, known: Mapping[int, object]) -> tuple[int, int] | None:
    """The two values of an operation that are not the same in every call. None where it has others."""
    given = arguments(op)
    one, other = given.get("input"), given.get("other")
    if not isinstance(one, Ref) or not isinstance(other, Ref) or given.get("alpha", 1) != 1:
        return None
    return None if one.index in known or other.index in known else (one.index, other.index)


def _stepped(
    op: Op, place: int, graph: Graph, known: Mapping[int, Sequence[float]]
) -> tuple[int, float, Callable[[float], int]] | None:
    """The value that an operation divides and rounds to a whole number, by what, and how. None for others."""
    name, given = plain_name(op), arguments(op)
    value, forms = given.get("input"), known_forms(graph)
    if not isinstance(value, Ref):
        return None
    if name in _STEPPING:
        return None if given.get("decimals") else (value.index, 1.0, _STEPPING[name])
    if name in _BY_NUMBERS or (name == "div" and given.get("rounding_mode") is not None):
        number = _number(given.get("other"), known)
        number = 2.0**number if number is not None and name == "bitwise_right_shift" and number < 63 else number
        down = name in _BY_NUMBERS - {"fmod"} or given.get("rounding_mode") == "floor"
        return (value.index, number, _STEPPING["floor" if down else "trunc"]) if number else None
    made, was = forms[place][1], forms[value.index][1]
    cast = made is not None and not made.is_floating_point and not made.is_complex and made.itemsize > 1
    return (value.index, 1.0, _STEPPING["trunc"]) if cast and is_fraction(was) else None


def _number(value: Value, known: Mapping[int, Sequence[float]]) -> float | None:
    if isinstance(value, Ref):
        numbers = known.get(value.index, ())
        return numbers[0] if len(numbers) == 1 else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
