"""Finds the numbers of a program with which its inputs are compared: an end token, a bound of a clamp, a bucket's edge.

What a graph does beyond such a number is seen in no draw that does not know it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, Ref, TorchConstant, refs_of
from passnet.op_classes import PERMUTATIONS, RESHAPES, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph
    from passnet.graph.tensors.spec import TensorSpec

_COMPARISONS = word_set(
    "eq ne lt le gt ge equal not_equal less less_equal greater greater_equal maximum minimum fmax fmin"
)
_CLAMPS = word_set("clamp clamp_ clip clip_ clamp_min clamp_max hardtanh hardtanh_ threshold threshold_ isin bucketize")
# The second argument of a loss holds numbers of classes.
LOSSES = word_set("cross_entropy nll_loss")
# The exponential of their first argument is taken. Of the last one that of its negative is.
EXPONENTIALS = word_set("exp exp2 expm1 softmax log_softmax logsumexp cross_entropy softmin")
_SAME = RESHAPES | PERMUTATIONS | word_set("clone contiguous detach repeat getitem select narrow t flip")
# Casts that keep every number of some kind of input.
_CASTS: Mapping[str, bool | None] = {"float": None, "double": None, "long": True, "int": True}
_WIDE_ENOUGH = frozenset({"float32", "float64", "int64", "int32"})
# A table of more numbers than this is data and no list of edges.
_FEW = 64


@dataclass(frozen=True)
class Threshold:
    """A number near which an input is compared. `exact`: the input itself is, or its negative, or its sum with an
    integer. Otherwise only about there. `mark`: the number is allowed whatever the input's bounds are, and no other
    one beyond them.
    """

    value: float
    exact: bool
    mark: bool = False


@dataclass(frozen=True)
class LinearForm:
    """A value as factor * input + shift. `exact`: no step rounds. `linear`: it is no other function of the input."""

    factor: float = 1.0
    shift: float = 0.0
    exact: bool = True
    linear: bool = True

    def solved(self, number: float) -> Threshold | None:
        """Where the input is when the value is this number. As near as is known where it is another function."""
        if not self.linear:
            return Threshold(number, exact=False)
        found = (number - self.shift) / self.factor if self.factor else math.nan
        return Threshold(found, self.exact) if math.isfinite(found) else None


LinearForms = dict[int, LinearForm]


def thresholds(graph: Graph) -> dict[int, tuple[Threshold, ...]]:
    """Input -> the numbers with which it is compared, or a value that follows from it. Stored numbers count too."""
    count = len(graph.specs)
    constants = {index: known for index, spec in enumerate(graph.specs) if (known := _stored(spec))}
    forms: dict[int, LinearForms] = {index: {index: LinearForm()} for index in range(count) if index not in constants}
    found: dict[int, dict[Threshold, None]] = {}
    for place, op in enumerate(graph.statements(), start=count):
        for value, number in _compared(op, constants):
            for index, form in forms.get(value, {}).items():
                if (threshold := form.solved(number)) is not None:
                    found.setdefault(index, {})[replace(threshold, mark=op.leaf in LOSSES)] = None
        forms[place] = followed(op, forms, graph.specs)
        if op.leaf in _SAME and isinstance(op.args[0], Ref) and op.args[0].index in constants:
            constants[place] = constants[op.args[0].index]
    return {index: tuple(each) for index, each in found.items()}


def exponents(graph: Graph) -> dict[int, float]:
    """Input -> the factor with which it comes into an exponential, the one of the largest size where it does so more
    than once. Only inputs that come into exponentials as linear functions of themselves, and with one sign.
    """
    count = len(graph.specs)
    forms: dict[int, LinearForms] = {index: {index: LinearForm()} for index in range(count)}
    found: dict[int, list[float]] = {}
    for place, op in enumerate(graph.statements(), start=count):
        if op.leaf in EXPONENTIALS and op.args and isinstance(op.args[0], Ref):
            sign = -1.0 if op.leaf == "softmin" else 1.0
            for index, form in forms.get(op.args[0].index, {}).items():
                found.setdefault(index, []).append(sign * form.factor if form.linear else 0.0)
        forms[place] = followed(op, forms, graph.specs)
    return {index: max(each, key=abs) for index, each in found.items() if min(each) > 0 or max(each) < 0}


def _stored(spec: TensorSpec) -> tuple[float, ...]:
    """The content of an input that is stored and short."""
    content = (spec.scalar,) if spec.scalar is not None else spec.data or ()
    numbers = tuple(float(item) for item in content if not isinstance(item, complex))
    return numbers if len(numbers) <= _FEW else ()


def _numbers(value: object, constants: Mapping[int, Sequence[float]]) -> Iterator[float]:
    """The finite numbers of an argument."""
    if isinstance(value, Ref):
        yield from constants.get(value.index, ())
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _numbers(item, constants)
    elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        yield float(value)


def _compared(op: Op, constants: Mapping[int, Sequence[float]]) -> Iterator[tuple[int, float]]:
    """(value, number with which it is compared)."""
    named = dict(op.kwargs)
    others = [*op.args[1:], *named.values()]
    if op.leaf in _COMPARISONS and len(op.args) == 2:
        pairs = [(op.args[0], op.args[1]), (op.args[1], op.args[0])]
    elif op.leaf in _CLAMPS and op.args:
        pairs = [(op.args[0], other) for other in others]
    elif op.leaf == "searchsorted" and len(op.args) > 1:
        pairs = [(op.args[1], op.args[0])]
    elif op.leaf in LOSSES and len(op.args) > 1:
        pairs = [(op.args[1], named.get("ignore_index", -100))]
    else:
        pairs = []
    for value, other in pairs:
        if isinstance(value, Ref):
            for number in _numbers(other, constants):
                yield value.index, number


def followed(op: Op, forms: Mapping[int, LinearForms], specs: Sequence[TensorSpec]) -> LinearForms:
    """What the result of an operation is of each input. Nothing for truth values."""
    if (op.leaf in _COMPARISONS and op.leaf not in ("maximum", "minimum", "fmax", "fmin")) or op.leaf == "isin":
        return {}
    refs = list(refs_of((*op.args, *(value for _, value in op.kwargs))))
    all_forms = {index: form for ref in refs for index, form in forms.get(ref.index, {}).items()}
    first = op.args[0] if op.args else None
    if isinstance(first, Ref) and len(refs) == 1:
        return {index: _after(op, form, specs[index]) for index, form in forms.get(first.index, {}).items()}
    return dict.fromkeys(all_forms, LinearForm(exact=False, linear=False))


def _after(op: Op, form: LinearForm, spec: TensorSpec) -> LinearForm:
    """The form of an operation's result whose only value is its first argument."""
    leaf, numbers = op.leaf, list(_numbers(op.args[1:], {}))
    if leaf in _SAME or _keeps(op, spec):
        return form
    whole = spec.is_integer and form.linear
    if leaf in ("neg", "negative"):
        return LinearForm(-form.factor, -form.shift, form.exact, form.linear)
    if leaf in ("add", "sub", "subtract") and len(op.args) == 2 and len(numbers) == 1 and not op.kwargs:
        number = numbers[0] if leaf == "add" else -numbers[0]
        return LinearForm(form.factor, form.shift + number, form.exact and whole and number.is_integer(), form.linear)
    if (
        leaf in ("mul", "multiply", "truediv", "div", "true_divide")
        and len(numbers) == 1
        and not op.kwargs
        and numbers[0]
    ):
        factor = numbers[0] if leaf.startswith("mul") else 1 / numbers[0]
        return LinearForm(form.factor * factor, form.shift * factor, False, form.linear)
    return LinearForm(exact=False, linear=False)


def _keeps(op: Op, spec: TensorSpec) -> bool:
    """Whether an operation is a cast that keeps all numbers of an input."""
    if op.leaf in _CASTS:
        return _CASTS[op.leaf] in (None, spec.is_integer) and not (op.leaf == "float" and spec.dtype == "float64")
    kinds = [value.name for value in (*op.args[1:], *(v for _, v in op.kwargs)) if isinstance(value, TorchConstant)]
    narrow = spec.dtype == "float64" and "float32" in kinds
    same = all(kind == spec.dtype or (kind in _WIDE_ENOUGH and not narrow) for kind in kinds)
    return op.leaf == "to" and same and (spec.is_integer or not any(kind.startswith("int") for kind in kinds))
