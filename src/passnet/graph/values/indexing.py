"""Finds which integer inputs are indices and into how many entries, and which may have any value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import TYPE_CHECKING

import torch

from passnet.graph.tensors.measure import dtype_name
from passnet.graph.text.program import Op, Ref, Value, refs_of
from passnet.graph.values.constants import TensorForm, known_values
from passnet.graph.values.solving import InputForm
from passnet.graph.values.thresholds import LOSSES, Forms, followed
from passnet.op_classes import ASSOCIATIVE, PERMUTATIONS, RESHAPES, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph
    from passnet.graph.tensors.spec import TensorSpec

# Operation -> (position of the indexed tensor, position of the index, position of the dimension or None).
_INDEXING: Mapping[str, tuple[int, int, int | None]] = {
    "embedding": (1, 0, None),
    "index_select": (0, 2, 1),
    "gather": (0, 2, 1),
    "take_along_dim": (0, 1, 2),
    "scatter_add": (0, 2, 1),
    "scatter_add_": (0, 2, 1),
    "scatter": (0, 2, 1),
    "scatter_": (0, 2, 1),
    "scatter_reduce": (0, 2, 1),
    "scatter_reduce_": (0, 2, 1),
    "index_add": (0, 2, 1),
    "index_add_": (0, 2, 1),
    "index_copy": (0, 2, 1),
    "index_copy_": (0, 2, 1),
    "index_fill": (0, 2, 1),
    "index_fill_": (0, 2, 1),
    "embedding_bag": (1, 0, None),
    "one_hot": (1, 0, None),
}
# Operations whose result is an index into the same tensor as their first operand.
_SAME_VALUES = RESHAPES | PERMUTATIONS | word_set("to long int clone contiguous repeat detach")
# Operations whose first argument may be any number, and whose second one must be positive.
_BY_A_POSITIVE = word_set("floor_divide floordiv fmod mod pow remainder rshift")
# Operations that are defined for all numbers, in every one of their arguments but that one.
_COMPUTING = (
    ASSOCIATIVE
    | _BY_A_POSITIVE
    | word_set("""
abs add_ all amax amin and_ any bfloat16 bitwise_not bmm bool cat clamp clamp_max clamp_min clip concat cos cumsum div
double eq exp expand_as float ge gelu greater greater_equal gt half iadd imul int invert isub layer_norm le less
less_equal linear log_softmax logical_not long lt masked_fill matmul max mean min mm mul_ multiply ne neg negative
not_equal or_ prod relu rsub sigmoid sign silu sin softmax softplus square stack sub sub_ subtract sum tanh to
tril triu true_divide truediv type_as where xor
""")
)
# Operations whose first argument may be any number. Their other arguments are places, sizes or keys.
_MOVING = _SAME_VALUES | word_set("getitem select narrow split chunk unbind movedim swapaxes t flip roll index_select")
# These have no result for zero or for negative numbers.
_POSITIVE_ONLY = word_set("log log1p log2 lshift rsqrt sqrt")
# Of these, two have a result for zero.
_FROM_ZERO = word_set("log1p sqrt")
_UNBOUNDED_POWERS = word_set("prod cumprod exp lshift")
_MULTIPLYING = word_set("mul multiply imul mul_ matmul mm bmm linear")
# What these make of a number tells nothing of its sign.
_WITHOUT_SIGN = word_set("""
abs square exp sigmoid softmax softplus relu eq ne lt le gt ge equal not_equal less less_equal greater greater_equal
logical_not bitwise_not invert
""")
# Few forms know what these make of a number that is far out.
REPEATING = word_set("sin cos tan fmod remainder mod floordiv floor_divide")
# Their results are places, and no numbers.
_CHOOSING = word_set("argmax argmin argsort max min sort topk")
# The results of these are larger than their arguments, by so much as is known.
_ADDING = word_set("add sub subtract rsub iadd isub")
_TIMES = word_set("mul multiply imul")
_SUMMING = word_set("sum cumsum")
_GROWING = _ADDING | _TIMES | _SUMMING
# On integers these leave no number that their dtype does not hold, whatever numbers they are given.
_WITHIN_RANGE = _SAME_VALUES | word_set("""
and_ or_ xor rshift bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_right_shift invert logical_not clamp
clamp_min clamp_max clip eq ne lt le gt ge equal not_equal less less_equal greater greater_equal where masked_fill
float double half bfloat16 bool getitem select narrow split chunk unbind stack cat concat flip roll tril triu type_as
maximum minimum amax amin max min any
""")


def index_bounds(graph: Graph) -> dict[int, int]:
    """Input -> number of entries that it may index, from its uses. With several uses, the smallest number.

    An index may be a multiple of an input and a number more: a position behind those of padding. An input from which
    another index is computed in any other way is left out: no bound for it follows.
    """
    shapes = [shape for shape, _ in known_forms(graph)]
    origin = {index: index for index in range(len(graph.specs))}
    following = {index: 1 << index for index in range(len(graph.specs))}  # a bit for each input
    forms: dict[int, Forms] = {index: {index: InputForm()} for index in range(len(graph.specs))}
    bounds: dict[int, int] = {}
    unclear = 0
    for place, op in enumerate(graph.statements(), start=len(graph.specs)):
        first = op.args[0] if op.args else None
        if op.leaf in _SAME_VALUES and isinstance(first, Ref) and first.index in origin:
            origin[place] = origin[first.index]
        found = _indexed(op, shapes)
        for index, size in found:
            known, entries = (origin[index], size) if index in origin else _solved(forms[index], size)
            if known is not None and entries > 0:
                bounds[known] = min(entries, bounds.get(known, entries))
            else:
                unclear |= following[index]
        # The result of a lookup is not an index any more.
        refs = () if found else refs_of((*op.args, *(value for _, value in op.kwargs)))
        following[place] = reduce(or_, (following[ref.index] for ref in refs), 0)
        # What follows from several inputs is no linear function of one: two of them tell that.
        forms[place] = {} if found else dict(islice(followed(op, forms, graph.specs).items(), 2))
    clear = (index for index, spec in enumerate(graph.specs) if spec.is_integer and not unclear >> index & 1)
    return {index: bounds[index] for index in clear if index in bounds}


def known_forms(graph: Graph) -> Sequence[tuple[tuple[int, ...] | None, torch.dtype | None]]:
    """Shape and dtype of each input and of each statement's result. None where nobody knows. Computed once."""
    if "_known_forms" not in graph.__dict__:
        made = known_values(graph)
        found = [(value.shape, value.dtype) if isinstance(value, TensorForm) else (None, None) for value in made]
        # Of inputs they are known even if the propagation stopped early.
        found[: len(graph.specs)] = [(spec.shape, getattr(torch, spec.dtype)) for spec in graph.specs]
        graph.__dict__["_known_forms"] = found
    known: Sequence[tuple[tuple[int, ...] | None, torch.dtype | None]] = graph.__dict__["_known_forms"]
    return known


def _solved(forms: Forms, size: int) -> tuple[int | None, int]:
    """The input of which an index into so many entries is a linear function, and how many numbers from 0 on it may be.
    None where it is of several inputs, falls with it, or is below 0 for an input of 0.
    """
    if len(forms) != 1:
        return None, 0
    ((index, form),) = forms.items()
    if (
        not form.linear
        or form.factor < 1
        or form.shift < 0
        or not (form.factor.is_integer() and form.shift.is_integer())
    ):
        return None, 0
    return index, (size - 1 - int(form.shift)) // int(form.factor) + 1


def _indexed(op: Op, shapes: Sequence[tuple[int, ...] | None]) -> list[tuple[int, int]]:
    """(index tensor, entries it chooses from) for each index of one operation."""
    leaf = op.leaf
    if leaf in {"getitem", "setitem"} and isinstance(op.args[0], Ref):
        return _subscripts(shapes[op.args[0].index], op.args[1])
    if leaf in LOSSES or leaf == "take":
        return _chosen(op, shapes)
    row = _INDEXING.get(leaf)
    if row is None:
        return []
    values = dict(enumerate(op.args)) | {key: value for key, value in op.kwargs if isinstance(key, int)}
    named = dict(op.kwargs)
    table, index = values.get(row[0], named.get("input")), values.get(row[1], named.get("index"))
    dim = 0 if row[2] is None else values.get(row[2], named.get("dim"))
    if isinstance(table, int) and isinstance(index, Ref):
        return [(index.index, table)] if table > 0 else []
    shape = shapes[table.index] if isinstance(table, Ref) else None
    if shape and isinstance(index, Ref) and isinstance(dim, int) and -len(shape) <= dim < len(shape):
        return [(index.index, shape[dim])]
    return []


def _chosen(op: Op, shapes: Sequence[tuple[int, ...] | None]) -> list[tuple[int, int]]:
    """Labels of a loss and the number of classes, or indices of `take` and the number of elements.

    Scores have their classes in the second dimension, or in the only one.
    """
    named = dict(op.kwargs)
    first = op.args[0] if op.args else named.get("input")
    index = op.args[1] if len(op.args) > 1 else named.get("target", named.get("index"))
    shape = shapes[first.index] if isinstance(first, Ref) else None
    if not shape or not isinstance(index, Ref):
        return []
    return [(index.index, math.prod(shape) if op.leaf == "take" else shape[min(1, len(shape) - 1)])]


def _subscripts(shape: tuple[int, ...] | None, key: object) -> list[tuple[int, int]]:
    """For `x[key]`: each index tensor and the length of its dimension."""
    keys = list(key) if isinstance(key, tuple) else [key]
    keys = [item for item in keys if item is not None]  # these add a dimension
    if shape is None or len(keys) > len(shape) + (Ellipsis in keys) or keys.count(Ellipsis) > 1:
        return []
    if Ellipsis in keys:
        place = keys.index(Ellipsis)
        keys[place : place + 1] = [slice(None)] * (len(shape) - len(keys) + 1)
    return [(item.index, size) for item, size in zip(keys, shape, strict=False) if isinstance(item, Ref)]


def free_integers(graph: Graph) -> dict[int, bool]:
    """Integer inputs that have no known bounds and that only take part in arithmetic.

    Input -> whether it must be positive, as a divisor must.
    """
    unknown = [index for index, spec in enumerate(graph.specs) if spec.is_integer and _says_nothing(spec)]
    found = ((index, reckoning(graph, index)) for index in unknown)
    return {index: positive for index, positive in found if positive is not None}


def reckoning(graph: Graph, index: int) -> bool | None:
    """Whether an input of integers or booleans must be positive, where it only takes part in arithmetic. None where an
    index, a size or a count follows from it.
    """
    kinds = list(_kinds(graph, index))
    return None if index in graph.index_bounds() or None in kinds else any(kinds)


def integer_bits(graph: Graph, index: int) -> int:
    """How many bits an input of integers may have so that nothing that a graph makes of it in its dtype overflows.

    Half of the dtype's at most. Fewer where numbers are multiplied more often than once.
    """
    room = torch.iinfo(getattr(torch, graph.specs[index].dtype)).bits - 2
    sums = max((math.prod(spec.shape) for spec in graph.specs), default=1).bit_length()
    degrees = {index: 1}
    for place, op in enumerate(graph.statements(), start=len(graph.specs)):
        values: list[Value] = [*op.args, *(value for _, value in op.kwargs)]
        known = [degrees.get(ref.index, 0) for value in values for ref in refs_of(value)]
        if not any(known):
            continue
        if op.leaf in _UNBOUNDED_POWERS:
            return 0
        if op.leaf in ("pow", "square"):
            power = op.args[1] if op.leaf != "square" and len(op.args) > 1 else 2
            if not isinstance(power, int):
                return 0
            degrees[place] = max(known) * max(1, power)
        else:
            literals = any(isinstance(value, int) and not isinstance(value, bool) for value in op.args[1:])
            multiplied = op.leaf in _MULTIPLYING
            degrees[place] = sum(known) + literals if multiplied else max(known)
    return min(room // 2, (room - sums) // max(degrees.values()))


def _says_nothing(spec: TensorSpec) -> bool:
    return spec.data is None and spec.min_val is None and spec.max_val is None


def takes_all(graph: Graph, index: int) -> bool:
    """Whether an input of integers may hold every number of its dtype: no integer that a graph makes of it leaves the
    range of the dtype in which it is made. What a number is beyond that is no value.

    As integers, numbers are compared, moved, masked and cast, or added and multiplied in a wide enough dtype. No
    integer is made of a fraction again, and none goes to what repeats at every turn: few forms know that far out.
    """
    known, following, fractions = known_forms(graph), {index}, set[int]()
    sizes = _whole_bits(graph)
    for place, op in enumerate(graph.statements(), start=len(graph.specs)):
        refs = {ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))}
        dtype = known[place][1]
        whole = not _is_fraction(dtype) and dtype != torch.bool
        if following & refs:
            if op.leaf in _WITHIN_RANGE or (whole and op.leaf in _GROWING and sizes[place] is not None):
                (following if whole else fractions).add(place)
            elif _is_fraction(dtype) and op.leaf in _COMPUTING and op.leaf not in REPEATING:
                fractions.add(place)
            else:
                return False
        elif fractions & refs:
            if op.leaf in REPEATING or (whole and op.leaf not in _CHOOSING):
                return False
            fractions.add(place)
    return True


def _whole_bits(graph: Graph) -> list[int | None]:
    """For each value of integers the bits that hold every number that it may be. None where its dtype has fewer, and
    for values that are no integers.
    """
    known = known_forms(graph)
    bits = [_bits_of(spec.dtype) if spec.is_integer or spec.dtype == "bool" else None for spec in graph.specs]
    for place, op in enumerate(graph.statements(), start=len(graph.specs)):
        dtype = known[place][1]
        if dtype is None or _is_fraction(dtype):
            bits.append(None)
            continue
        room, values = _bits_of(dtype_name(dtype)), [*op.args, *(value for _, value in op.kwargs)]
        given = [each for value in values for ref in refs_of(value) if (each := bits[ref.index]) is not None]
        if op.leaf in _GROWING:
            needed = _grown(op, given, graph)
            bits.append(needed if needed is not None and needed <= room else None)
        else:
            bits.append(min([room, *given], default=room) if op.leaf in _SAME_VALUES else room)
    return bits


def _grown(op: Op, given: Sequence[int], graph: Graph) -> int | None:
    """How many bits a sum, a difference or a product of numbers of so many bits may need. None where nobody knows."""
    literals = [abs(value).bit_length() for value in op.args[1:] if isinstance(value, int)]
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


def _kinds(graph: Graph, origin: int) -> Iterator[bool | None]:
    """One entry for each use of an input or of a value that follows from it.

    True: it must be positive. False: any number will do. None: another kind of use. No size, count or index is made of
    numbers that are no integers.
    """
    known, following, signed = known_forms(graph), {origin}, {origin}
    for place, op in enumerate(graph.statements(), start=len(graph.specs)):
        values: list[Value] = [*op.args, *(value for _, value in op.kwargs)]
        given = [[ref.index for ref in refs_of(value) if ref.index in following] for value in values]
        used = [index for some in given for index in some]
        if not used:
            continue
        following.add(place)
        leaf = op.leaf
        if signed.intersection(used) and leaf not in _WITHOUT_SIGN:
            signed.add(place)
        positive = leaf in _POSITIVE_ONLY or (leaf in _BY_A_POSITIVE and any(given[1:]))
        if positive:
            yield leaf not in _FROM_ZERO or not signed.isdisjoint(used)
        elif leaf in _COMPUTING or (leaf in _MOVING and not any(given[1:])):
            yield False
        else:
            yield False if all(_is_fraction(known[index][1]) for index in used) else None


def _is_fraction(dtype: torch.dtype | None) -> bool:
    return dtype is not None and (dtype.is_floating_point or dtype.is_complex)
