"""Finds which integer inputs are indices, into how many entries and from which end, and which may have any value."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import or_
from typing import TYPE_CHECKING

import torch

from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.text.program import Op, Ref, Value, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import TensorForm, known_values
from passnet.graph.values.solving import InputForm
from passnet.graph.values.thresholds import LOSSES, Forms, followed
from passnet.graph.values.writes import renewed
from passnet.op_classes import ASSOCIATIVE, PERMUTATIONS, RESHAPES, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# Operation -> (position of the indexed tensor, position of the index, position of the dimension or None).
_INDEXING: Mapping[str, tuple[int, int, int | None]] = {
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
    "one_hot": (1, 0, None),
    # Two spellings have these in another order, so they go by name.
    "embedding": (1, 0, None),
    "embedding_bag": (1, 0, None),
}
_BY_KEYS = word_set("getitem setitem index index_put index_put_ _unsafe_index")
_OF_ALL = word_set("take put put_")
# Of these -1 is the last entry, as it is where keys or all elements are indexed.
_WRAPPING = word_set("take_along_dim index_fill index_fill_")
# What is written twice has one of both numbers. Some take what is written as one number, at this place or by a name.
_WRITING = word_set("setitem index_put index_put_ put put_ scatter scatter_ index_copy index_copy_")
_OF_ONE_NUMBER = {"setitem": 2, "scatter": 3, "scatter_": 3}
# Operations whose result is an index into the same tensor as their first operand.
SAME_VALUES = (
    RESHAPES
    | PERMUTATIONS
    | word_set("""
to long int clone contiguous repeat detach slice alias _to_copy _unsafe_view
""")
)
# Operations whose first argument may be any number, and whose second one must be positive.
_BY_A_POSITIVE = word_set("floor_divide floordiv fmod mod pow remainder rshift bitwise_right_shift")
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
_MOVING = SAME_VALUES | word_set("getitem select narrow split chunk unbind movedim swapaxes t flip roll index_select")
# These have no result for zero or for negative numbers.
_POSITIVE_ONLY = word_set("log log1p log2 log10 lshift bitwise_left_shift rsqrt sqrt reciprocal")
# Of these, two have a result for zero.
_FROM_ZERO = word_set("log1p sqrt")
# What these make of a number tells nothing of its sign.
_WITHOUT_SIGN = word_set("""
abs square exp sigmoid softmax softplus relu eq ne lt le gt ge equal not_equal less less_equal greater greater_equal
logical_not bitwise_not invert
""")
# Of these arguments an operation computes, unless it is one of places.
_OPERANDS = word_set("""
input other tensors tensor min max condition self value src source values tensor1 tensor2 mat1 mat2 vec vec2 batch1
batch2 x1 x2 elements test_elements element test_element prepend append fill_value weight bias end
""")
_PLACES = word_set("""
embedding embedding_bag one_hot bincount item tolist _local_scalar_dense arange linspace logspace range full zeros ones
empty randint repeat_interleave nonzero argwhere masked_select unique unique_consecutive view_as_complex
""")
# Their results are several, of sizes that no data decides.
_SEVERAL = word_set("sort topk cummax cummin kthvalue mode median aminmax max min split chunk unbind meshgrid")
_WITH_PLACES = word_set("sort topk cummax cummin kthvalue mode median max min")
_TELLING_PLACES = word_set("argsort argmax argmin searchsorted bucketize")
# With a way of rounding the second argument must not be 0.
_DIVIDING = word_set("div divide")
# Few forms know what these make of a number that is far out.
REPEATING = word_set("sin cos tan fmod remainder mod floordiv floor_divide")


# Of these a result is between two numbers, if both are known.
_LIMITING = word_set("clamp clamp_min clamp_max")
_ANY_INTEGER = TensorSpec("", (), "int64")
# The least and the largest number.
_Range = tuple[float, float]


@dataclass(frozen=True)
class TakenIndex:
    """An index that a graph takes: into so many entries, what it may write twice, and whether -1 is the last entry."""

    value: int
    entries: int
    wraps: bool = False
    writes: bool = False


@dataclass(frozen=True)
class _Uses:
    """Inputs that index something, and into how many entries. `wrapping`: those of which -1 is the last entry.
    `writing`: those by which something is written, so that a second one at the same place may win.
    `kept`: the indices of each operation that are within what it indexes, whatever numbers the inputs are.
    """

    bounds: Mapping[int, int]
    wrapping: frozenset[int]
    writing: frozenset[int]
    kept: Mapping[int, frozenset[int]]


def index_bounds(graph: Graph) -> dict[int, int]:
    """Input -> number of entries that it may index, from its uses. With several uses, the smallest number.

    An index may be a multiple of an input and a number more: a position behind those of padding. An input from which
    another index is computed in any other way is left out: no bound for it follows. Nothing follows from truth values,
    and nothing from an index that a clamp keeps within what is indexed.
    """
    return dict(_uses(graph).bounds)


def wrapping_indices(graph: Graph) -> frozenset[int]:
    """The inputs of which a negative number counts from the end wherever they index something."""
    return _uses(graph).wrapping


def writing_indices(graph: Graph) -> frozenset[int]:
    """The inputs by which something is written over: of two at one place it is chance which one is left."""
    return _uses(graph).writing


def kept_indices(graph: Graph) -> Mapping[int, frozenset[int]]:
    """Statement -> those of its indices that a clamp or a remainder keeps within what is indexed."""
    return _uses(graph).kept


def _uses(graph: Graph) -> _Uses:
    shapes = [shape for shape, _ in known_forms(graph)]
    origin = {index: index for index in range(len(graph.specs))}
    following = {index: 1 << index for index in range(len(graph.specs))}  # a bit for each input
    forms: dict[int, Forms] = {index: {index: InputForm()} for index in range(len(graph.specs))}
    bounds: dict[int, int] = {}
    ranges: dict[int, _Range] = {}
    kept: dict[int, frozenset[int]] = {}
    unclear = plain = writing = 0
    partly = renewed(graph).partly
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        first = op.args[0] if op.args else None
        if (op.leaf in SAME_VALUES or place in partly) and isinstance(first, Ref) and first.index in origin:
            origin[place] = origin[first.index]
        found = indices_of(op, shapes)
        kept[place] = frozenset(each.value for each in found if _keeps_within(each, ranges))
        if (ends := _range_of(graph, op, ranges)) is not None:
            ranges[place] = ends
        for each in found:
            index = each.value
            if index in kept[place]:
                writing |= following[index] if each.writes else 0
                continue
            known, entries = (origin[index], each.entries) if index in origin else _solved(forms[index], each.entries)
            if known is not None and entries > 0:
                bounds[known] = min(entries, bounds.get(known, entries))
            else:
                unclear |= following[index]
            if not each.wraps or entries != each.entries:
                plain |= following[index]
            writing |= following[index] if each.writes else 0
        following[place] = reduce(or_, (following[value] for value in carried(graph, place, op, found)), 0)
        # What follows from several inputs is no linear function of one: two of them tell that.
        made = {} if found else dict(islice(followed(op, forms, graph.specs).items(), 2))
        if op.leaf == "pad" and isinstance(first, Ref):  # its number is the program's own, and right in every call
            made = forms[first.index]
        forms[place] = forms.get(partly.get(place, -1)) or made
    clear = {index for index in bounds if not unclear >> index & 1 and graph.specs[index].is_integer}
    wrapping = frozenset(index for index in clear if not plain >> index & 1)
    written = frozenset(index for index in range(len(graph.specs)) if writing >> index & 1)
    return _Uses({index: bounds[index] for index in clear}, wrapping, written, kept)


def carried(graph: Graph, place: int, op: Op, indices: Collection[TakenIndex]) -> Sequence[int]:
    """The values from which a result follows as a number that may be looked up again.

    The result of a lookup is not an index any more, and one of truth values is 0 or 1. What is written over may still
    be what it was.
    """
    given = [ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))]
    if known_forms(graph)[place][1] == torch.bool:
        return ()
    if place in renewed(graph).writes:
        return [*given[:1], *(value for value in given[1:] if value not in {each.value for each in indices})]
    return () if indices else given


def _keeps_within(index: TakenIndex, ranges: Mapping[int, _Range]) -> bool:
    """Whether an index is one of the entries, whatever it follows from."""
    low, high = ranges.get(index.value, (-math.inf, math.inf))
    return (-index.entries if index.wraps else 0) <= low and high < index.entries


def _range_of(graph: Graph, op: Op, ranges: Mapping[int, _Range]) -> _Range | None:
    """The least and the largest number that a result may be, where a clamp or a remainder says so."""
    name, refs = plain_name(op), [ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))]
    if len(refs) != 1:
        return None
    given, known = arguments(op), ranges.get(refs[0], (-math.inf, math.inf))
    if name in _LIMITING:
        limits = (given.get("min"), given.get("max"))
        low, high = (limit if isinstance(limit, int | float) else end for limit, end in zip(limits, known, strict=True))
        return min(max(known[0], low), high), min(max(known[1], low), high)
    if name == "remainder":
        by = given.get("other")
        return (0, by - 1) if isinstance(by, int) and by > 0 and "input" in given else None
    forms = followed(op, {refs[0]: {0: InputForm(whole=True)}}, [_ANY_INTEGER], {}) if refs[0] in ranges else {}
    if 0 not in forms or not forms[0].linear:
        return None
    ends = sorted(forms[0].factor * end + forms[0].shift for end in known)
    return ends[0], ends[1]


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


def indices_of(op: Op, shapes: Sequence[tuple[int, ...] | None]) -> list[TakenIndex]:
    """Each index of one operation."""
    leaf, first = op.leaf, op.args[0] if op.args else None
    writes = leaf in _WRITING and not _writes_one_number(op)
    if leaf in _BY_KEYS and isinstance(first, Ref) and len(op.args) > 1:
        found = _subscripts(shapes[first.index], op.args[1], skips=leaf not in ("getitem", "setitem"))
        return [TakenIndex(*each, wraps=True, writes=writes) for each in found]
    if leaf in LOSSES | _OF_ALL:
        return [TakenIndex(*each, wraps=leaf in _OF_ALL, writes=writes) for each in _chosen(op, shapes)]
    row = _INDEXING.get(leaf)
    if row is None:
        return []
    given = arguments(op)
    table: Value
    index: Value
    dim: Value
    if leaf.startswith("embedding"):
        table, index, dim = given.get("weight"), given.get("indices", given.get("input")), 0
    else:
        values, named = dict(enumerate(op.args)), dict(op.kwargs)
        table, index = (values.get(row[0], named.get("input")), values.get(row[1], named.get("index")))
        index = index if index is not None else named.get("indices")
        dim = 0 if row[2] is None else values.get(row[2], named.get("dim"))
    if isinstance(table, int) and isinstance(index, Ref):
        return [TakenIndex(index.index, table)] if table > 0 else []
    shape = shapes[table.index] if isinstance(table, Ref) else None
    if shape and isinstance(index, Ref) and isinstance(dim, int) and -len(shape) <= dim < len(shape):
        return [TakenIndex(index.index, shape[dim], wraps=leaf in _WRAPPING, writes=writes)]
    return []


def _writes_one_number(op: Op) -> bool:
    """Whether all that an operation writes is one number of the program: then it is no chance which one is left."""
    place, named = _OF_ONE_NUMBER.get(op.leaf), dict(op.kwargs)
    if place is None or named.get("reduce") is not None or len(op.args) > place + 1:
        return False
    written = op.args[place] if len(op.args) > place else named.get("value", named.get("src"))
    return isinstance(written, int | float)


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
    return [(index.index, math.prod(shape) if op.leaf in _OF_ALL else shape[min(1, len(shape) - 1)])]


def _subscripts(shape: tuple[int, ...] | None, key: object, *, skips: bool) -> list[tuple[int, int]]:
    """For `x[key]`: each index tensor and the length of its dimension. `skips`: no key is a dimension left as it is, as
    ATen has it. Otherwise it is a new one.
    """
    keys = list(key) if isinstance(key, tuple | list) else [key]
    keys = keys if skips else [item for item in keys if item is not None]
    if shape is None or len(keys) > len(shape) + (Ellipsis in keys) or keys.count(Ellipsis) > 1:
        return []
    if Ellipsis in keys:
        place = keys.index(Ellipsis)
        keys[place : place + 1] = [slice(None)] * (len(shape) - len(keys) + 1)
    return [(item.index, size) for item, size in zip(keys, shape, strict=False) if isinstance(item, Ref)]


def free_integers(graph: Graph) -> dict[int, bool]:
    """Integer inputs of which at most one bound is known, and of which no size, count or index is made. Computed once.

    Input -> whether it must be positive, as a divisor must.
    """
    if "_free_integers" not in graph.__dict__:
        unknown = [index for index, spec in enumerate(graph.specs) if spec.is_integer and _says_nothing(spec)]
        found = ((index, reckoning(graph, index)) for index in unknown)
        graph.__dict__["_free_integers"] = {index: positive for index, positive in found if positive is not None}
    known: dict[int, bool] = graph.__dict__["_free_integers"]
    return known


def reckoning(graph: Graph, index: int) -> bool | None:
    """Whether an input of integers or booleans must be positive. None where an index, a size or a count follows from
    it.
    """
    kinds = list(_kinds(graph, index))
    return None if index in graph.index_bounds() or None in kinds else any(kinds)


def is_counted(graph: Graph, index: int, lookups: Collection[int]) -> bool:
    """Whether a size or a count follows from an input, apart from what these statements look up by it."""
    return None in _kinds(graph, index, lookups)


def _says_nothing(spec: TensorSpec) -> bool:
    return spec.data is None and (spec.min_val is None or spec.max_val is None)


def _kinds(graph: Graph, origin: int, without: Collection[int] = ()) -> Iterator[bool | None]:
    """One entry for each use of an input or of a value that follows from it, but for these statements.

    True: it must be positive. False: any number will do. None: another kind of use. No size, count or index is made of
    numbers that are no integers.
    """
    known, following, signed, kept = known_forms(graph), {origin}, {origin}, _uses(graph).kept
    shapes, writes = [shape for shape, _ in known], renewed(graph).writes
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        values: list[Value] = [*op.args, *(value for _, value in op.kwargs)]
        given = [[ref.index for ref in refs_of(value) if ref.index in following] for value in values]
        used = [index for some in given for index in some]
        if place in writes and not following.isdisjoint(carried(graph, place, op, indices_of(op, shapes))):
            following.add(place)
        # Whatever a kept index is, it is right, and what it finds is no size.
        if not used or place in without or kept[place].issuperset(used):
            continue
        leaf = op.leaf
        if known[place][1] != torch.bool and not _tells_places(op, graph):
            following.add(place)
        if signed.intersection(used) and leaf not in _WITHOUT_SIGN:
            signed.add(place)
        divides = leaf in _BY_A_POSITIVE or (leaf in _DIVIDING and dict(op.kwargs).get("rounding_mode") is not None)
        positive = leaf in _POSITIVE_ONLY or (divides and any(given[1:]))
        if positive:
            yield leaf not in _FROM_ZERO or not signed.isdisjoint(used)
        elif leaf in _COMPUTING or (leaf in _MOVING and not any(given[1:])):
            yield False
        else:
            yield (
                False
                if all(is_fraction(known[index][1]) for index in used) or _is_data(op, graph, place, used)
                else None
            )


def _is_data(op: Op, graph: Graph, place: int, used: Sequence[int]) -> bool:
    """Whether an operation takes these values as numbers, whatever they are: no place, no size and no count."""
    known = known_forms(graph)
    others_own = op.target.startswith("torch.ops.") and not op.target.startswith("torch.ops.aten.")
    if op.leaf in _PLACES or others_own or any(known[index][1] is None for index in used):
        return False
    if known[place][0] is None and op.leaf not in _SEVERAL:
        return False  # data decides the size
    if op.leaf in ("getitem", "setitem"):
        return not any(ref.index in used for ref in refs_of(op.args[1]))
    others = [value for name, value in arguments(op).items() if name not in _OPERANDS]
    return not any(ref.index in used for value in others for ref in refs_of(value))


def _tells_places(op: Op, graph: Graph) -> bool:
    """Whether a result holds places in a row, which are right whatever the numbers are."""
    if op.leaf == "getitem" and isinstance(op.args[0], Ref) and op.args[1] == 1:
        place = op.args[0].index - len(graph.specs)
        return place >= 0 and renewed(graph).statements[place].leaf in _WITH_PLACES
    return op.leaf in _TELLING_PLACES


def is_fraction(dtype: torch.dtype | None) -> bool:
    return dtype is not None and (dtype.is_floating_point or dtype.is_complex)
