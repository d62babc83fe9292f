"""Finds the numbers of a program with which its inputs are compared: an end token, a bound of a clamp, a bucket's edge.

What a graph does beyond such a number is seen in no draw that does not know it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, Ref, TorchConstant, Value, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import TensorForm, constants, known_values
from passnet.graph.values.solving import OTHER, InputForm
from passnet.graph.values.writes import renewed
from passnet.op_classes import PERMUTATIONS, RESHAPES, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph
    from passnet.graph.tensors.spec import TensorSpec

# The second argument of a loss holds numbers of classes.
LOSSES = word_set("cross_entropy nll_loss multi_margin_loss multilabel_margin_loss")
# The exponential of their first argument is taken. Of the last one that of its negative is.
EXPONENTIALS = word_set("exp exp2 expm1 softmax log_softmax logsumexp cross_entropy softmin")
# An operation's argument -> with what it is compared: other arguments, what is computed of them, numbers of its own.
_Own = Mapping[str, tuple[float | str, ...]]
_BOTH: _Own = {"input": ("other",), "other": ("input",)}
_ZERO: _Own = {"input": (0.0,), "other": (0.0,)}
_COMPARISONS = word_set("eq ne lt le gt ge equal")
_LIMITS = word_set("maximum minimum max min fmax fmin")
# Two values meet in these.
COMPARING = _COMPARISONS | _LIMITS | word_set("isin isclose allclose heaviside")
# These ask of each number whether it is 0.
_ASKING_FOR_ZERO = word_set("""
bool logical_not logical_and logical_or logical_xor nonzero argwhere count_nonzero any all sign sgn heaviside
""")
_OWN: Mapping[str, _Own] = {
    **dict.fromkeys(_COMPARISONS | _LIMITS, _BOTH),
    **dict.fromkeys(_ASKING_FOR_ZERO, _ZERO),
    "clamp": {"input": ("min", "max")},
    "clamp_min": {"input": ("min",)},
    "clamp_max": {"input": ("max",)},
    "hardtanh": {"input": ("min_val", "max_val")},
    "threshold": {"input": ("threshold",)},
    "hardshrink": {"input": ("lambd", "-lambd")},
    "softshrink": {"input": ("lambd", "-lambd")},
    "isin": {"elements": ("test_elements", "test_element"), "test_elements": ("elements", "element")},
    "bucketize": {"input": ("boundaries",)},
    "searchsorted": {"input": ("sorted_sequence",)},
    "histc": {"input": ("min", "max")},
    "logit": {"input": ("eps", "1-eps", 0.0, 1.0)},
    "binary_cross_entropy": {"input": (0.0, 1.0), "target": (0.0, 1.0)},
    "hinge_embedding_loss": {"input": ("margin",), "target": (1.0, -1.0)},
    "cosine_embedding_loss": {"target": (1.0, -1.0)},
    "margin_ranking_loss": {"target": (1.0, -1.0)},
    "cross_entropy": {"target": ("ignore_index",)},
    "nll_loss": {"target": ("ignore_index",)},
    "multilabel_margin_loss": {"target": (-1.0,)},
    "embedding_bag": {"input": ("padding_idx",), "indices": ("padding_idx",)},
}
_SAME = RESHAPES | PERMUTATIONS | word_set("clone contiguous detach repeat getitem select narrow t flip")
# Each element of the result is one of these arguments' elements.
_CHOOSING: Mapping[str, tuple[str, ...]] = {
    "where": ("input", "other"),
    "masked_fill": ("input", "value"),
    "setitem": ("input", "value"),
    "copy": ("src",),
    "pad": ("input", "value"),
    **dict.fromkeys(word_set("cat concat concatenate stack"), ("tensors",)),
}
_PARTS = word_set("real imag view_as_real view_as_complex conj conj_physical resolve_conj resolve_neg")
_PART_NAMES = frozenset((name,) for name in ("real", "imag", "T", "mT", "H", "mH", "data"))
# Casts that keep every number of some kind of input.
_CASTS: Mapping[str, bool | None] = {"float": None, "double": None, "long": True, "int": True}
_WIDE_ENOUGH = frozenset({"float32", "float64", "int64", "int32"})
# A table of more numbers than this is data, unless an operation takes nothing but tables.
_FEW = 64
_TABLES = word_set("isin bucketize searchsorted")


@dataclass(frozen=True)
class Threshold:
    """A number near which an input is compared. `exact`: a value is compared there that follows from the input
    without rounding. Otherwise only about there. `mark`: the number is allowed whatever the input's bounds
    are, and no other one beyond them.
    """

    value: float
    exact: bool
    mark: bool = False


@dataclass(frozen=True)
class Compared:
    """A value that an operation compares with a number, which may be infinite. `forms`: what it is of each input."""

    op: Op
    value: int
    number: float
    forms: Mapping[int, InputForm]


Forms = dict[int, InputForm]
Numbers = Mapping[int, Sequence[float]]


def thresholds(graph: Graph, rng: Random | None = None) -> dict[int, tuple[Threshold, ...]]:
    """Input -> the numbers with which it is compared, or a value that follows from it. Stored numbers count too.

    `rng`: decides which are taken where very many numbers of an input lead to the compared one.
    """
    rng = rng or Random(0)
    found: dict[int, dict[Threshold, None]] = {}
    for each in comparisons(graph):
        for index, form in each.forms.items():
            numbers = form.inputs(each.number, rng)
            if graph.specs[index].is_complex:  # what is added to a number, or turns it, leaves one of its parts
                numbers = list(dict.fromkeys(sign * one for one in (*numbers, each.number) for sign in (1, -1)))
            for number in numbers:
                if math.isfinite(number):
                    threshold = Threshold(number, form.exact, mark=each.op.leaf in LOSSES)
                    found.setdefault(index, {})[threshold] = None
    return {index: tuple(each) for index, each in found.items()}


def comparisons(graph: Graph, *, places: bool = False, forms: Mapping[int, Forms] | None = None) -> Iterator[Compared]:
    """All comparisons of what follows from inputs with what is the same in every call. `places`: some of the whole
    numbers of a long table are such, as the places of a row are with which its length is compared. `forms`: of all
    values, where they are not those of `forms_of`.
    """
    known, forms = constants(graph), forms_of(graph, choosing=True) if forms is None else forms
    for op in renewed(graph).statements:
        for value, number in _compared(op, known, known_values(graph), places=places):
            if forms.get(value):
                yield Compared(op, value, number, forms[value])


def forms_of(graph: Graph, *, choosing: bool = False) -> dict[int, Forms]:
    """Value -> what it is of each input. Nothing for constants. What is written in part is what it was.

    `choosing`: what is one of several values in each element is each of them. What is known of one, such as that it is
    never zero, need not hold for the other.
    """
    known = constants(graph)
    forms, partly = _of_inputs(graph, without=known), renewed(graph).partly
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        made = _chosen(op, forms) if choosing else {}
        made = made or followed(op, forms, graph.specs, known) | forms.get(partly.get(place, -1), {})
        forms[place] = {} if place in known else made
    return forms


def _chosen(op: Op, forms: Mapping[int, Forms]) -> Forms:
    """The forms of what one of several values is in each element, as it is. Nothing for other operations.

    Whatever else stands beside it: a number with which the result is compared is met where the value was chosen.
    """
    places = _CHOOSING.get(plain_name(op))
    if places is None:
        return {}
    given = arguments(op)
    every = dict.fromkeys((index for ref in refs_of(list(given.values())) for index in forms.get(ref.index, {})), OTHER)
    return every | _either([ref.index for place in places for ref in refs_of([given.get(place)])], forms)


def _either(values: Sequence[int], forms: Mapping[int, Forms]) -> Forms:
    """The forms of what is one of these values in each element."""
    found = Forms()
    for each in values:
        for index, form in forms.get(each, {}).items():
            found[index] = form if found.get(index, form) == form else OTHER
    return found


def exponents(graph: Graph) -> dict[int, float]:
    """Input -> the factor with which it comes into an exponential, the one of the largest size where it does so more
    than once. Only inputs that come into exponentials as linear functions of themselves, and with one sign.
    """
    forms, partly = _of_inputs(graph), renewed(graph).partly
    found: dict[int, list[float]] = {}
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        if op.leaf in EXPONENTIALS and op.args and isinstance(op.args[0], Ref):
            sign = -1.0 if op.leaf == "softmin" else 1.0
            for index, form in forms.get(op.args[0].index, {}).items():
                found.setdefault(index, []).append(sign * form.factor if form.linear else 0.0)
        forms[place] = followed(op, forms, graph.specs) | forms.get(partly.get(place, -1), {})
    return {index: max(each, key=abs) for index, each in found.items() if min(each) > 0 or max(each) < 0}


def _of_inputs(graph: Graph, without: Collection[int] = ()) -> dict[int, Forms]:
    """Each input as it follows from itself."""
    return {
        index: {index: InputForm(whole=spec.is_integer)}
        for index, spec in enumerate(graph.specs)
        if index not in without
    }


def _numbers(value: Value, known: Numbers) -> Iterator[float]:
    """The numbers of an argument."""
    if isinstance(value, Ref):
        yield from known.get(value.index, ())
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _numbers(item, known)
    elif isinstance(value, complex):
        yield from (value.real, value.imag)
    elif isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value):
        yield float(value)


def _compared(op: Op, known: Numbers, values: Sequence[object], *, places: bool) -> Iterator[tuple[int, float]]:
    """(value, number with which it is compared). `values`: the forms of all values."""
    name = "bool" if _makes(op, "bool") else plain_name(op)
    if name not in _OWN:
        return
    given = _from_the_first(arguments(op), values)
    if name == "histc" and given.get("min") == given.get("max"):
        return
    for argument, others in _OWN[name].items():
        value = given.get(argument)
        if isinstance(value, Ref):
            numbers = [number for other in others for number in _told(other, given, known)]
            if len(numbers) > _FEW and name not in _TABLES:
                numbers = _of_many(numbers) if places else []
            yield from ((value.index, number) for number in numbers)


def _of_many(numbers: Sequence[float]) -> list[float]:
    """Some of a table's whole numbers, with both ends. Others are data."""
    if not all(map(float.is_integer, numbers)):
        return []
    ordered = sorted(numbers)
    return [ordered[round(place * (len(ordered) - 1) / (_FEW - 1))] for place in range(_FEW)]


def _from_the_first(given: dict[str, Value], values: Sequence[object]) -> dict[str, Value]:
    """The arguments with the index of a padding that counts from the first entry."""
    padding, table = given.get("padding_idx"), given.get("weight")
    form = values[table.index] if isinstance(table, Ref) else None
    if isinstance(padding, int) and padding < 0 and isinstance(form, TensorForm) and form.shape:
        return given | {"padding_idx": padding + form.shape[0]}
    return given


def _told(other: float | str, given: Mapping[str, Value], known: Numbers) -> Iterator[float]:
    """The numbers that an entry of the table stands for."""
    if not isinstance(other, str):
        yield other
        return
    prefix, name = ("", other) if other.isidentifier() else (other.rpartition("-")[0] + "-", other.rpartition("-")[2])
    for number in _numbers(given.get(name), known):
        yield {"": number, "-": -number, "1-": 1 - number}[prefix]


def followed(op: Op, forms: Mapping[int, Forms], specs: Sequence[TensorSpec], known: Numbers | None = None) -> Forms:
    """What the result of an operation is of each input. Nothing for truth values."""
    name, known = plain_name(op), known or {}
    if name in _COMPARISONS or name == "isin":
        return {}
    values = [*op.args, *(value for _, value in op.kwargs)]
    refs = [ref for ref in refs_of(values) if ref.index not in known]
    if len(refs) == 1 and refs[0] in values:
        own = forms.get(refs[0].index, {})
        return {index: _after(op, name, refs[0], form, specs[index], known) for index, form in own.items()}
    return dict.fromkeys((index for ref in refs for index in forms.get(ref.index, {})), OTHER)


def _after(op: Op, name: str, value: Ref, form: InputForm, spec: TensorSpec, known: Numbers) -> InputForm:
    """The form of an operation's result of which one value follows from an input, and all else is constant."""
    is_first = value in (*op.args[:1], dict(op.kwargs).get("input"))
    if is_first and (op.leaf in _SAME or takes_part(op) or _keeps(op, spec)):
        return form
    if any(_makes(op, kind) for kind in ("int64", "int32", "int16", "int8")):
        return form.after("trunc", (0.0,))
    given = arguments(op)
    others = {argument: each for argument, each in given.items() if each != value}
    if name == "div" and others.get("rounding_mode") is not None:
        name = "floor_divide"
    if others.keys() <= {"rounding_mode", "inplace"}:
        return form.after(name, (0.0,))
    scale = others.get("alpha", 1)
    if not others.keys() <= {"input", "other", "alpha", "rounding_mode"} or not isinstance(scale, int | float):
        return OTHER
    from_right = "input" in others
    numbers = tuple(_numbers(others["input" if from_right else "other"], known))
    return form.after(name, tuple(number * scale for number in numbers), from_right=from_right)


def _kinds(op: Op) -> list[str]:
    """The dtypes that an operation is given."""
    return [value.name for value in (*op.args[1:], *(v for _, v in op.kwargs)) if isinstance(value, TorchConstant)]


def _makes(op: Op, dtype: str) -> bool:
    """Whether an operation is a cast to a dtype."""
    own = {"int64": "long", "int32": "int", "int16": "short", "int8": "char"}
    aliases = {own.get(dtype, dtype), dtype}
    return op.leaf in aliases or (op.leaf in ("to", "type", "_to_copy") and not aliases.isdisjoint(_kinds(op)))


def takes_part(op: Op) -> bool:
    """Whether an operation takes parts of complex numbers as they are, makes such of parts, or turns a tensor."""
    return op.leaf in _PARTS or (op.leaf == "getattr" and op.args[1:] in _PART_NAMES)


def _keeps(op: Op, spec: TensorSpec) -> bool:
    """Whether an operation is a cast that keeps all numbers of an input."""
    if op.leaf in _CASTS:
        return _CASTS[op.leaf] in (None, spec.is_integer) and not (op.leaf == "float" and spec.dtype == "float64")
    kinds = _kinds(op)
    narrow = spec.dtype == "float64" and "float32" in kinds
    same = all(kind == spec.dtype or (kind in _WIDE_ENOUGH and not narrow) for kind in kinds)
    return op.leaf == "to" and same and (spec.is_integer or not any(kind.startswith("int") for kind in kinds))
