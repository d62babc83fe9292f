"""Of which inputs the values of a graph are made, whose numbers they hold in their order, and whose in any order.

For draws in which one input is made of another one's numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import torch

from passnet.graph.text.program import Op, Ref, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.indexing import SAME_VALUES, is_fraction, known_forms
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# These move numbers, and these make one number of each, whatever its place is.
_MOVING = SAME_VALUES | word_set("""
getitem select narrow split chunk unbind t flip fliplr flipud roll unfold as_strided swapaxes movedim float double half
bfloat16 expand_as view_as tile index_select
""")
_EACH_ALONE = word_set("""
add sub rsub mul div floor_divide remainder bitwise_and bitwise_or bitwise_xor bitwise_right_shift bitwise_left_shift
neg abs clamp clamp_min clamp_max
""")
# Numbers of a row in an order of their own, or one or some of these. Their second result is of places.
_ORDERING = word_set("sort msort topk kthvalue median nanmedian mode amax amin max min")
# What these make of a row is the same in any order, if nothing rounds.
_ADDING_UP, _HISTOGRAMS = word_set("sum prod any all count_nonzero"), word_set("bincount histc histogram")
# They add up at places, so the order of the places does not matter.
_ADDING_AT = word_set("scatter_add index_add scatter_reduce")


@dataclass(frozen=True)
class InputPart:
    """An input, or one of the two places along one of its dimensions. `dim`: -1 for all of the input."""

    index: int
    dim: int = -1
    place: int = 0


@dataclass(frozen=True)
class Origin:
    """`parts`: of which a value is made. `own`: the only one, of whose elements each of its own is one, or follows from
    one alone. `step`: the distance of the windows that it holds. `loose`: the inputs whose order does not matter, and
    along which of their dimensions.
    """

    parts: frozenset[InputPart] = frozenset()
    own: InputPart | None = None
    step: int = 1
    loose: Mapping[int, tuple[int, ...]] = field(default_factory=dict)


_NONE = Origin()


def origins(graph: Graph) -> Sequence[Origin]:
    """The origin of each value. Computed once."""
    if "_origins" not in graph.__dict__:
        graph.__dict__["_origins"] = _origins(graph)
    known: Sequence[Origin] = graph.__dict__["_origins"]
    return known


def given_to(graph: Graph, op: Op) -> list[int]:
    """The values that an operation is given, without those that are the same in every call."""
    known = constants(graph)
    refs = refs_of((*op.args, *(value for _, value in op.kwargs)))
    return [index for index in dict.fromkeys(ref.index for ref in refs) if index not in known]


def forms_all_pairs(graph: Graph, refs: Sequence[int], place: int) -> bool:
    """Whether each of two operands is repeated along a dimension."""
    forms = known_forms(graph)
    whole, shapes = forms[place][0], [forms[ref][0] for ref in refs]
    return len(whole or ()) > 1 and all(shape and shape != whole for shape in shapes)


def _origins(graph: Graph) -> list[Origin]:
    known = constants(graph)
    found = [
        Origin(frozenset({InputPart(index)}), InputPart(index)) if spec.shape and index not in known else _NONE
        for index, spec in enumerate(graph.specs)
    ]
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        refs = given_to(graph, op) if place not in known else []
        given = [found[ref] for ref in refs]
        parts = frozenset[InputPart]().union(*(each.parts for each in given))
        loose = {index: dims for each in given for index, dims in each.loose.items()}
        made = Origin(parts, loose=loose | _loosened(graph, place, op, refs, found))
        if len(given) == 1:
            made = _of_one(graph, op, refs[0], given[0], made)
        found.append(_without_places(graph, op, made))
    return found


def _of_one(graph: Graph, op: Op, ref: int, given: Origin, made: Origin) -> Origin:
    """The origin of what follows from one value alone."""
    name, own = plain_name(op), given.own
    if own is None or name not in _MOVING | _EACH_ALONE | _ORDERING:
        return made
    part = _part(graph, op, ref, own)
    step = arguments(op).get("step") if name == "unfold" else 1
    step = given.step * step if isinstance(step, int) and step > 0 else given.step
    return replace(made, parts=frozenset({part}), own=part, step=step)


def _part(graph: Graph, op: Op, ref: int, own: InputPart) -> InputPart:
    """The place that an operation takes of a dimension of size 2 of a whole input."""
    shape, values = graph.specs[own.index].shape, renewed(graph).statements
    if own.dim >= 0 or known_forms(graph)[ref][0] not in (shape, None):
        return own
    name, given = plain_name(op), arguments(op)
    dim, place = given.get("dim"), given.get("index")
    if name == "getitem" and known_forms(graph)[ref][0] is None:
        before = values[ref - len(graph.specs)]
        unbound = plain_name(before) == "unbind" and before.args and before.args[0] == Ref(own.index)
        dim, place = (arguments(before).get("dim", 0), op.args[1]) if unbound else (None, None)
    elif name == "getitem":
        keys = op.args[1] if isinstance(op.args[1], tuple) else (op.args[1],)
        at = [number for number, key in enumerate(keys) if isinstance(key, int)]
        if len(at) != 1 or None in keys:
            return own
        dim, place = (at[0] - len(keys) if Ellipsis in keys[: at[0]] else at[0]), keys[at[0]]
    elif name != "select":
        return own
    if isinstance(dim, int) and isinstance(place, int) and -len(shape) <= dim < len(shape) and shape[dim] == 2:
        return InputPart(own.index, dim % len(shape), place % 2)
    return own


def _loosened(
    graph: Graph, place: int, op: Op, refs: Sequence[int], found: Sequence[Origin]
) -> dict[int, tuple[int, ...]]:
    """The inputs whose order an operation forgets, and the dimensions along which it does."""
    name, given = plain_name(op), arguments(op)
    if name in _ADDING_AT:
        index = given.get("index")
        ref = index.index if isinstance(index, Ref) else -1
        dims = _dims(graph, ref, given.get("dim")) if ref in refs else ()
    else:
        ref = refs[0] if len(refs) == 1 else -1
        counts = name in _ADDING_UP | _HISTOGRAMS and not is_fraction(_result(graph, place))
        if ref < 0 or not (counts or (name in _ORDERING and found[ref].own is not None)):
            return {}
        dims = _dims(graph, ref, 0 if name == "msort" else _dim(op, name))
    made = {}
    for part in found[ref].parts if dims else ():
        along = _along(graph.specs[part.index].shape, known_forms(graph)[ref][0] or (), dims)
        if along:
            made[part.index] = along
    return made


def _dim(op: Op, name: str) -> object:
    """The dimensions along which an operation orders or counts. None for all of them."""
    dim = arguments(op).get("dim")
    if dim is None and name in _ADDING_UP and len(op.args) > 1:
        dim = op.args[1]  # a signature of fewer arguments has another one there
    return None if dim in ((), []) else dim


def _result(graph: Graph, place: int) -> torch.dtype | None:
    """The dtype of a result. A histogram counts, whatever that is."""
    op = renewed(graph).statements[place - len(graph.specs)]
    return torch.int64 if plain_name(op) in _HISTOGRAMS else known_forms(graph)[place][1]


def _dims(graph: Graph, ref: int, dim: object) -> tuple[int, ...]:
    """The dimensions of a value that an argument names. All of them where it names none."""
    rank = len(known_forms(graph)[ref][0] or ())
    if dim is None:
        return tuple(range(rank))
    dims = dim if isinstance(dim, tuple | list) else (dim,)
    return tuple(sorted(each % rank for each in dims if isinstance(each, int) and -rank <= each < rank))


def _along(own: tuple[int, ...], shape: tuple[int, ...], dims: Sequence[int]) -> tuple[int, ...]:
    """The dimensions of an input that are some of a value: by their place, by their size, or as many last ones."""
    if own == shape or len(dims) == len(shape):
        return tuple(dims) if own == shape else tuple(range(len(own)))
    size = math.prod(shape[dim] for dim in dims)
    if size in own:
        return (len(own) - 1 - own[::-1].index(size),)
    return next((tuple(range(dim, len(own))) for dim in range(len(own)) if math.prod(own[dim:]) == size), ())


def _without_places(graph: Graph, op: Op, made: Origin) -> Origin:
    """What an operation makes. Of the places that an ordering gives beside its numbers nothing is known."""
    first = op.args[0].index - len(graph.specs) if op.args and isinstance(op.args[0], Ref) else -1
    before = plain_name(renewed(graph).statements[first]) if first >= 0 else ""
    places = op.leaf in ("getitem", "getattr") and op.args[1:] in ((1,), ("indices",))
    return Origin(made.parts) if places and before in _ORDERING else made
