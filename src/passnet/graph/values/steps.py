"""Finds the inputs whose roundings decide on which side of a step a value lies: of a floor, a comparison, a branch cut.

An input of few exact numbers puts values exactly at such steps. Where something rounds before the step, it is chance on
which side an honest form is.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

import torch

from passnet.graph.text.program import Op, TorchConstant, refs_of
from passnet.graph.values.arguments import arguments
from passnet.graph.values.indexing import known_forms
from passnet.graph.values.thresholds import takes_part
from passnet.op_classes import PERMUTATIONS, RESHAPES, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

_COMPARISONS = word_set(
    "eq ne lt le gt ge equal not_equal less less_equal greater greater_equal isclose logical_not logical_and logical_or"
)
_STEPS = _COMPARISONS | word_set("""
floor ceil round trunc frac fix sign sgn signbit copysign heaviside isin bucketize searchsorted histc histogram
bincount floordiv floor_divide fmod remainder mod int long short char byte bool hardshrink atan2 angle one_hot nonzero
""")
_SAMPLING = word_set("grid_sample grid_sampler grid_sampler_2d grid_sampler_3d")
# Of complex numbers these have a branch cut, on which the sign of a zero decides.
_CUTS = word_set("log log2 log10 log1p sqrt rsqrt pow float_power acos asin atan acosh asinh atanh angle sgn")
# These give some of the numbers that they are given.
_CHOOSING = (
    RESHAPES
    | PERMUTATIONS
    | word_set("""
amax amin aminmax max min maximum minimum fmax fmin topk sort kthvalue median mode cummax cummin clone contiguous detach
repeat getitem select narrow t flip roll split chunk unbind cat concat stack where masked_fill relu clamp clip float
double to half bfloat16 index_select gather take embedding max_pool1d max_pool2d max_pool3d tril triu
""")
)
# These give places. They are judged by what lies there.
_PLACES = word_set("""
argmax argmin argsort topk sort msort kthvalue median nanmedian mode cummax cummin nonzero argwhere unique
unique_consecutive bucketize searchsorted multinomial
""")
_PLACES_IN_PAIRS = word_set("max min")
# Of halves these make numbers that no dtype rounds.
_EXACT = word_set("add sub subtract rsub mul multiply iadd isub imul neg negative abs square")
_SCALING = word_set("mul multiply imul div truediv divide true_divide")
_DIVIDING = word_set("div truediv divide true_divide")
# Literals that are so many times a power of two keep products and sums exact.
_FINEST, _LARGEST = 16, 256


class _Way(Enum):
    """How a value jumps where a rounded one changes a little."""

    ROUNDING = auto()
    COMPARISON = auto()
    PLACE = auto()


@dataclass(frozen=True)
class _Form:
    """What a value is: `rounded` at which statement last, if anywhere, and whether it is a small multiple of a power of
    two. `inputs`: from which inputs it follows. `signed`: the sign of its zeros is certain.
    """

    inputs: frozenset[int] = frozenset()
    rounded: int | None = None
    small: bool = True
    signed: bool = True


def rounded_before_steps(graph: Graph, few: Collection[int], *, near: bool = False) -> frozenset[int]:
    """The inputs from which a value follows that is rounded and then meets a step. `few`: those that hold small
    multiples of a half.

    A rounded value may be compared with one of its own elements: equal numbers round alike. `near`: some numbers are
    nearly equal, and these may round to one.
    """
    forms = [_Form(frozenset({index}), small=index in few) for index in range(len(graph.specs))]
    found = set[int]()
    for _, rounded in _walked(graph, forms, near=near):
        found |= rounded
    return frozenset(found)


def outputs_of(graph: Graph) -> list[int] | None:
    """The value of each output. None where nobody knows which are tensors."""
    known, outputs = known_forms(graph), [ref.index for ref in refs_of(graph.program.outputs)]
    return outputs if all(index < len(known) and known[index][0] is not None for index in outputs) else None


def unclear(graph: Graph, few: Collection[int], held: Collection[int]) -> list[tuple[bool, frozenset[int]]]:
    """For each value whether it follows from a step that meets a rounded value, and from which inputs it follows.

    `few`: as above. `held`: the inputs that hold few numbers of any kind. Values of all others are clear.
    """
    forms = [_Form(frozenset({index}), small=index in few) for index in range(len(graph.specs))]
    found = [(False, form.inputs) for form in forms]
    for op, rounded in _walked(graph, forms):
        given = [found[ref.index][0] for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))]
        found.append((any(given) or not rounded.isdisjoint(held), forms[len(found)].inputs))
    return found


def behind_rounded_steps(graph: Graph) -> dict[int, bool]:
    """The outputs that follow from a step which meets a rounded value: a duration that is rounded from an exponential,
    a count of what is above a mean. For each whether all such steps are roundings to whole numbers, and no comparisons,
    also where inputs hold halves that sums and products keep.

    None that follow from places that were chosen by value, nor where nobody knows.
    """
    outputs = outputs_of(graph)
    if outputs is None or graph.mutated_inputs():
        return {}
    usual, halves = (_ways(graph, small=small) for small in (False, True))
    free = [number for number, value in enumerate(outputs) if usual[value] and _Way.PLACE not in usual[value]]
    return {number: usual[outputs[number]] == halves[outputs[number]] == {_Way.ROUNDING} for number in free}


def _ways(graph: Graph, *, small: bool) -> list[frozenset[_Way]]:
    """How each value jumps. `small`: inputs hold small multiples of a half."""
    known = known_forms(graph)
    forms = [_Form(frozenset({index}), small=small) for index in range(len(graph.specs))]
    found = [frozenset[_Way]()] * len(graph.specs)
    for op, rounded in _walked(graph, forms, near=True):
        given = (found[ref.index] for ref in refs_of((*op.args, *(value for _, value in op.kwargs))))
        ways = frozenset[_Way]().union(*given)
        if op.leaf in _PLACES or (op.leaf in _PLACES_IN_PAIRS and known[len(found)][1] is None):
            ways |= {_Way.PLACE}
        elif rounded:
            ways |= {_Way.COMPARISON if op.leaf in _COMPARISONS else _Way.ROUNDING}
        found.append(ways)
    return found


def _walked(graph: Graph, forms: list[_Form], *, near: bool = False) -> Iterator[tuple[Op, frozenset[int]]]:
    """Each statement with the inputs that round before it, if it is a step. `forms`: of the inputs, and then of each
    statement's result.
    """
    known = known_forms(graph)
    for place, op in enumerate(graph.statements(), start=len(graph.specs)):
        refs = list(refs_of((*op.args, *(value for _, value in op.kwargs))))
        given = [forms[ref.index] for ref in refs]
        inputs = frozenset[int]().union(*(form.inputs for form in given))
        rounded = {form.rounded for form in given if form.inputs}
        alike = op.leaf in _COMPARISONS and len(rounded) == 1 and not near
        dtype, from_complex = known[place][1], any(_is_complex(known[ref.index][1]) for ref in refs)
        forms.append(_Form(inputs, *_after(op, place, dtype, given, rounded, from_complex), _signed(op, dtype, given)))
        cut = from_complex and op.leaf in _CUTS
        if (_is_step(op, dtype) or cut) and not alike:
            unsure = (form.inputs for form in given if form.rounded is not None or (cut and not form.signed))
            yield op, frozenset[int]().union(*unsure)
        else:
            yield op, frozenset()


def _is_complex(dtype: torch.dtype | None) -> bool:
    return dtype is not None and dtype.is_complex


def _signed(op: Op, dtype: torch.dtype | None, given: list[_Form]) -> bool:
    """Whether the sign of a result's zeros is certain. In a complex product or sum it is not: the other part of a real
    number is a zero in one form and nothing in another.
    """
    moves = op.leaf in _CHOOSING or op.leaf == "complex" or takes_part(op)
    return all(form.signed for form in given) and (moves or not _is_complex(dtype))


def _after(
    op: Op, place: int, dtype: torch.dtype | None, given: list[_Form], rounded: set[int | None], from_complex: bool
) -> tuple[int | None, bool]:
    """Where the result of an operation was rounded last, and whether it is a small multiple."""
    small = all(form.small for form in given)
    if _is_step(op, dtype) or (dtype is not None and not dtype.is_floating_point and not dtype.is_complex):
        return place if is_nearest(op) and not rounded <= {None} else None, small
    if (op.leaf in _CHOOSING or op.leaf == "complex" or takes_part(op)) and len(rounded) <= 1:
        return next(iter(rounded), None), small
    literals = [value for value in op.args[1:] if isinstance(value, int | float)]
    if (op.leaf == "abs" and from_complex) or any(isinstance(value, complex) for value in op.args):
        return place, False
    exact = op.leaf in _EXACT or (op.leaf in _DIVIDING and len(given) == 1) or _is_of_exact_places(op)
    if exact and small and rounded <= {None} and all(_is_small(value, op.leaf) for value in literals):
        return None, True
    if len(given) == 1 and rounded <= {None} and op.leaf in _SCALING and len(literals) == 1 and _is_power(*literals):
        return None, False
    return place, False


def is_nearest(op: Op) -> bool:
    """Whether an operation takes the pixel that is nearest to a place: it rounds the place."""
    if op.leaf not in _SAMPLING:
        return False
    given = arguments(op)
    return given.get("mode", given.get("interpolation_mode")) in ("nearest", 1)


def _is_of_exact_places(op: Op) -> bool:
    """Whether the places of an affine grid are the same in all forms, where it is of small multiples."""
    given = arguments(op)
    size = given.get("size")
    if op.leaf != "affine_grid" or not given.get("align_corners") or not isinstance(size, tuple | list):
        return False
    return all(isinstance(each, int) and each > 1 and _is_power(each - 1) for each in size[2:])


def _is_power(value: float) -> bool:
    """Whether a factor leaves all digits of a number as they are."""
    return 2.0**-_FINEST <= abs(value) <= 2.0**_FINEST and math.frexp(abs(value))[0] == 0.5


def _is_small(value: float, leaf: str) -> bool:
    factors = (value, 1 / value) if leaf in _DIVIDING and value else (value,)
    return all(abs(number) <= _LARGEST and float(number * _FINEST).is_integer() for number in factors)


def _is_step(op: Op, dtype: torch.dtype | None) -> bool:
    named = dict(op.kwargs)
    casts = [value for value in (*op.args[1:], *named.values()) if isinstance(value, TorchConstant)]
    whole = dtype is not None and not dtype.is_floating_point and not dtype.is_complex
    return (
        op.leaf in _STEPS
        or is_nearest(op)
        or named.get("rounding_mode") is not None
        or (op.leaf in ("to", "type") and bool(casts) and whole)
    )
