"""How large the integers of a graph's inputs may be so that nothing that a graph makes of them overflows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from passnet.graph.tensors.measure import dtype_name
from passnet.graph.text.program import Op, Ref, Value, refs_of
from passnet.graph.values.arguments import arguments
from passnet.graph.values.indexing import REPEATING, SAME_VALUES, free_integers, is_fraction, known_forms
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph
    from passnet.graph.tensors.spec import TensorSpec

_UNBOUNDED_POWERS = word_set("cumprod exp lshift bitwise_left_shift")
_MULTIPLYING = word_set("mul multiply imul mul_ matmul mm bmm linear")
# Their results are places, and no numbers.
_CHOOSING = word_set("argmax argmin argsort max min sort topk")
# The results of these are larger than their arguments, by so much as is known.
_ADDING = word_set("add sub subtract rsub iadd isub")
_TIMES = word_set("mul multiply imul")
_SUMMING = word_set("sum cumsum")
_GROWING = _ADDING | _TIMES | _SUMMING | word_set("diff")
# Of the least number of a dtype these make one that the dtype does not hold.
_TURNING = word_set("abs absolute neg negative")
_MOVING = word_set("getitem select narrow split chunk unbind flip roll tril triu diagonal unfold swapaxes movedim")
# What they make has nothing to do with the size of what they are given.
_TELLING = word_set("argmax argmin argsort searchsorted bucketize all any isin")
_DIVIDING = word_set("floordiv floor_divide remainder mod fmod")
# On integers these leave no number that their dtype does not hold, whatever numbers they are given, but for the least
# one.
_WITHIN_RANGE = (
    SAME_VALUES
    | _TURNING
    | word_set("""
and_ or_ xor rshift bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_right_shift invert logical_not clamp
clamp_min clamp_max clip eq ne lt le gt ge equal not_equal less less_equal greater greater_equal where masked_fill
float double half bfloat16 bool getitem select narrow split chunk unbind stack cat concat flip roll tril triu type_as
maximum minimum amax amin max min any all sign sgn relu sort topk kthvalue median mode cummax cummin aminmax pad gather
take take_along_dim index_select scatter tile hstack vstack dstack constant_pad_nd broadcast_to expand_as view_as unfold
diagonal diag isin logical_and logical_or logical_xor bucketize searchsorted argmax argmin argsort swapaxes movedim
short char byte
""")
)


def integer_bits(graph: Graph, index: int) -> int:
    """How many bits an input of integers may have so that nothing that a graph makes of it in its dtype overflows.

    All free inputs have so many, or as many as their dtypes have. Where nobody knows what an operation makes of them,
    these are half of the dtype's at most, and fewer where numbers are multiplied more often than once.
    """
    low, high = 0, _bits_of(graph.specs[index].dtype)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _fits(graph, index, middle) else (low, middle - 1)
    return max(low, bits_by_degree(graph, index))


def takes_all(graph: Graph, index: int) -> bool:
    """Whether an input of integers may hold every number of its dtype: no integer that a graph makes of it leaves the
    range of the dtype in which it is made. What a number is beyond that is no value.

    As integers, numbers are compared, moved, masked and cast, or added and multiplied in a wide enough dtype. No
    integer is made of a fraction again, and none goes to what repeats at every turn: few forms know that far out.
    """
    return _fits(graph, index, torch.iinfo(torch.uint64).bits)


def takes_lowest(graph: Graph) -> bool:
    """Whether inputs may hold the least number of a dtype, of which the negative is none of its numbers."""
    return not {op.leaf for op in graph.program.ops} & _TURNING


def _fits(graph: Graph, index: int, most: int) -> bool:
    """See `takes_all`. `most`: free inputs have no more bits than these."""
    known, following, fractions = known_forms(graph), {index}, set[int]()
    sizes = _whole_bits(graph, most)
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        refs = {ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))}
        dtype = known[place][1]
        whole = not is_fraction(dtype) and dtype != torch.bool
        if following & refs:
            within = op.leaf in _WITHIN_RANGE or (whole and _divides(op))
            if within or (whole and op.leaf in _GROWING and sizes[place] is not None):
                (following if whole else fractions).add(place)
            elif is_fraction(dtype) and op.leaf not in REPEATING:
                fractions.add(place)
            else:
                return False
        elif fractions & refs:
            if op.leaf in REPEATING or (whole and op.leaf not in _CHOOSING):
                return False
            fractions.add(place)
    return True


def _divides(op: Op) -> bool:
    """Whether integers are divided by a number above zero that the program has, and stay integers."""
    divisor = op.args[1] if len(op.args) > 1 else None
    rounds = op.leaf in _DIVIDING or (op.leaf in ("div", "divide") and bool(dict(op.kwargs).get("rounding_mode")))
    return rounds and isinstance(divisor, int) and divisor > 0


def bits_by_degree(graph: Graph, index: int) -> int:
    """The bits by how often numbers are multiplied. The input need not be free."""
    room = torch.iinfo(getattr(torch, graph.specs[index].dtype)).bits - 2
    sums = max((math.prod(spec.shape) for spec in graph.specs), default=1).bit_length()
    degrees = {index: 1}
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        values: list[Value] = [*op.args, *(value for _, value in op.kwargs)]
        known = [degrees.get(ref.index, 0) for value in values for ref in refs_of(value)]
        if not any(known):
            continue
        if op.leaf in _UNBOUNDED_POWERS:
            return 0
        if op.leaf == "prod":
            degrees[place] = max(known) * max(1, _multiplied(op, graph))
        elif op.leaf in ("pow", "square"):
            power = op.args[1] if op.leaf != "square" and len(op.args) > 1 else 2
            if not isinstance(power, int):
                return 0
            degrees[place] = max(known) * max(1, power)
        else:
            literals = any(isinstance(value, int) and not isinstance(value, bool) for value in op.args[1:])
            multiplied = op.leaf in _MULTIPLYING
            degrees[place] = sum(known) + literals if multiplied else max(known)
    return max(0, min(room // 2, (room - sums) // max(degrees.values())))


def _multiplied(op: Op, graph: Graph) -> int:
    """How many numbers a product is of, at most."""
    given = arguments(op)
    first, dim = given.get("input"), given.get("dim")
    shape = known_forms(graph)[first.index][0] if isinstance(first, Ref) else None
    if shape is None:
        return torch.iinfo(torch.int64).bits
    return shape[dim] if isinstance(dim, int) and -len(shape) <= dim < len(shape) else math.prod(shape)


def _whole_bits(graph: Graph, most: int) -> list[int | None]:
    """For each value of integers the bits that hold every number that it may be. None where its dtype has fewer, and
    for values that are no integers. `most`: free inputs have no more.
    """
    known, free = known_forms(graph), free_integers(graph)
    bits = [_of_input(spec, most if index in free else None) for index, spec in enumerate(graph.specs)]
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        dtype = known[place][1]
        if dtype is None or is_fraction(dtype):
            bits.append(None)
            continue
        room, values = _bits_of(dtype_name(dtype)), [*op.args, *(value for _, value in op.kwargs)]
        given = [each for value in values for ref in refs_of(value) if (each := bits[ref.index]) is not None]
        if op.leaf in _GROWING:
            needed = _grown(op, given, graph)
            bits.append(needed if needed is not None and needed <= room else None)
        else:
            bits.append(min(room, _kept(op, given, room)) if dtype.is_signed else room)
    return bits


def _kept(op: Op, given: Sequence[int], room: int) -> int:
    """How many bits a number has that an operation takes from others, of so many, or makes smaller."""
    others = op.args[1:]
    literals = [abs(value).bit_length() for value in others if isinstance(value, int)]
    if not given or op.leaf in _TELLING:
        return room
    if op.leaf in ("and_", "bitwise_and") and len(others) == 1 and isinstance(others[0], int) and others[0] >= 0:
        return literals[0]
    if op.leaf in ("rshift", "bitwise_right_shift") and len(others) == 1 and isinstance(others[0], int):
        return max(1, max(given) - others[0])
    if _divides(op):
        return literals[0] if op.leaf in ("remainder", "mod", "fmod") else max(given)
    if op.leaf in SAME_VALUES | _MOVING:
        return max(given)
    known = all(isinstance(value, int | Ref) for value in others) and not op.kwargs
    return max((*given, *literals)) if op.leaf in _WITHIN_RANGE and known else room


def _of_input(spec: TensorSpec, most: int | None) -> int | None:
    if not spec.is_integer and spec.dtype != "bool":
        return None
    own = _bits_of(spec.dtype)
    return own if most is None else min(own, most)


def _grown(op: Op, given: Sequence[int], graph: Graph) -> int | None:
    """How many bits a sum, a difference or a product of numbers of so many bits may need. None where nobody knows."""
    literals = [abs(value).bit_length() for value in op.args[1:] if isinstance(value, int)]
    if op.leaf == "diff":
        return given[0] + 1 if len(given) == 1 and not op.args[1:] and not dict(op.kwargs).keys() - {"dim"} else None
    if op.leaf in _ADDING | _TIMES:
        if len(given) + len(literals) != 2 or op.kwargs:
            return None
        return sum((*given, *literals)) if op.leaf in _TIMES else max((*given, *literals)) + 1
    first = op.args[0]
    shape = known_forms(graph)[first.index][0] if isinstance(first, Ref) else None
    return None if shape is None or len(given) != 1 else given[0] + math.prod(shape).bit_length()


def _bits_of(dtype: str) -> int:
    """The bits of a dtype of integers that tell their size, and 1 of truth values."""
    kind: torch.dtype = getattr(torch, dtype)
    return 1 if kind == torch.bool else torch.iinfo(kind).max.bit_length()
