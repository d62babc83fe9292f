"""Finds the inputs whose rows a graph multiplies with rows of other inputs, or with their own: scores, Gram matrices.

So are distances, and whatever else a graph makes of all pairs of rows. Products of data by weights: `weight_rows`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from torch import fx

from passnet.graph.text.program import Op, SliceValue, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import TensorForm, constants, known_values
from passnet.graph.values.indexing import known_forms
from passnet.graph.values.inputs import hardened
from passnet.graph.values.tied_sizes import Shape, Tied, tied_sizes
from passnet.graph.values.writes import renewed
from passnet.op_classes import ATTENTION, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# These multiply one row by one, or the rows of one tensor with each other. Their shapes do not tell so.
_BY_NAME = ATTENTION | word_set("dot vdot corrcoef cov pdist")
_MOST_NAMED = 3
_TURNED, _SWAPPING = word_set("t T mT H mH adjoint"), word_set("transpose swapaxes swapdims")
_REPEATING = word_set("expand expand_as broadcast_to repeat tile")
# Marks and places.
_NO_DATA = frozenset({"bool", "int64"})
# A dimension counted from the end.
_ROW = 1
# Input -> which of its dimensions, counted from the end, each dimension of a value is. It is 0 where nobody knows, and
# _REPEATED where one number is there again and again. None where nobody knows of any.
Dims = tuple[int, ...] | None
_REPEATED = -1
Follows = dict[int, dict[int, Dims]]


def paired_rows(graph: Graph) -> dict[int, int]:
    """The inputs that meet in such a product, and the dimension along which their numbers are added up there, counted
    from the end. It is the last one where nobody knows.
    """
    found: dict[int, int] = {}
    for given, follows in _meetings(graph):
        direct = all(dims is not None for ref, _ in given for dims in follows[ref].values())
        for ref, dim in given:
            for index, dims in follows[ref].items():
                own = dims[-dim] if direct and dims and dim <= len(dims) else 0
                found.setdefault(index, own if own > 0 else _ROW)
    return found


def paired_values(graph: Graph) -> list[tuple[int, int]]:
    """The values whose rows are multiplied with each other, two and two: places of statements, or inputs."""
    return [(given[0][0], given[1][0]) for given, _ in _meetings(graph) if len(given) > 1]


def paired_inputs(graph: Graph) -> list[tuple[int, int]]:
    """The inputs of data whose rows are multiplied with each other, two and two, in the order of the program."""
    found: dict[tuple[int, int], None] = {}
    for given, follows in _meetings(graph):
        if len(given) > 1:
            (one, _), (other, _) = given[:2]
            ways = ((min(pair), max(pair)) for pair in itertools.product(follows[one], follows[other]))
            found |= {(first, second): None for first, second in ways if first != second}
    return list(found)


def _meetings(graph: Graph) -> Iterator[tuple[list[tuple[int, int]], Follows]]:
    """The values that are multiplied row by row in each operation, with their dimensions, and what follows so far."""
    known, shapes = constants(graph), [shape for shape, _ in known_forms(graph)]
    flows = {index for index in hardened(graph) if graph.specs[index].dtype not in _NO_DATA and index not in known}
    follows: Follows = {index: {index: tuple(range(len(graph.specs[index].shape), 0, -1))} for index in flows}
    nodes = [node for node in graph.module(propagated=False).graph.nodes if node.op != "output"]
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        refs = [ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))]
        given = list(_operands(graph, place, nodes[place], refs, follows))
        if given:
            yield given, follows
        follows[place] = {
            index: None if given else dims_after(op, dims, shapes[ref], shapes[place])
            for ref in refs
            for index, dims in follows.get(ref, {}).items()
        }


def _operands(
    graph: Graph, place: int, node: fx.Node, refs: Sequence[int], follows: Follows
) -> Iterator[tuple[int, int]]:
    """The values that are multiplied row by row, and the dimension of each that is added up."""
    op = renewed(graph).statements[place - len(graph.specs)]
    data = [at for at, ref in enumerate(refs) if follows.get(ref)]
    if plain_name(op) in _BY_NAME:
        named = refs[:_MOST_NAMED] if plain_name(op) in ATTENTION else refs[:2]
        yield from ((ref, _ROW) for ref in named if all(follows.get(each) for each in named))
    elif len(data) > 1:
        forms = known_values(graph)
        ranks = {at: len(shape) for at in data if (shape := known_forms(graph)[refs[at]][0])}
        whole = [forms[ref] for ref in refs]
        once = [_once(forms[ref], follows.get(ref, {})) for ref in refs]
        for given in (once, whole) if once != whole else (whole,):
            made = tied_sizes(node, given)
            for one, other in itertools.combinations(data, 2):
                row = row_of(graph, place, *made, one, other) if made else None
                if row is not None:
                    yield from ((refs[at], ranks[at] - row.dims[at]) for at in (one, other))
                    return


def _once(form: object, follows: Mapping[int, Dims]) -> object:
    """The form without what is there again and again."""
    marks = next((dims for dims in follows.values() if dims and _REPEATED in dims), None)
    if not isinstance(form, TensorForm) or form.shape is None or marks is None or len(marks) != len(form.shape):
        return form
    return replace(form, shape=tuple(1 if m == _REPEATED else size for size, m in zip(form.shape, marks, strict=True)))


def row_of(graph: Graph, place: int, shape: Shape, ties: Sequence[Tied], one: int, other: int) -> Tied | None:
    """The dimension of rows, of which all pairs are formed: the result has dimensions of one of them alone."""
    own, others = ({at for tied in ties if each in tied.dims for at in tied.results} for each in (one, other))
    both = [tied for tied in ties if one in tied.dims and other in tied.dims]
    summed = [tied for tied in both if not tied.results]
    if summed:
        return summed[-1] if own != others else None
    if own <= others or others <= own:
        return None
    last = len(shape) - 1
    later = {last} | set(_summed_later(graph, place, shape))
    return next((tied for tied in reversed(both) if tied.results & later), None)


def _summed_later(graph: Graph, place: int, shape: Shape) -> Iterator[int]:
    """The dimensions that are gone, or of size 1, in what follows from a value by steps that keep its shape."""
    count, shapes, same = len(graph.specs), [form[0] for form in known_forms(graph)], {place}
    for at, op in enumerate(renewed(graph).statements[place + 1 - count :], start=place + 1):
        refs = {ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))}
        if refs & same:
            after = shapes[at]
            if after == shape:
                same.add(at)
            else:
                yield from (dim for dim in range(len(shape)) if after in _without(shape, dim))


def _without(shape: Shape, dim: int) -> tuple[Shape, Shape]:
    return (*shape[:dim], *shape[dim + 1 :]), (*shape[:dim], 1, *shape[dim + 1 :])


def dims_after(op: Op, dims: Dims, before: Shape | None, after: Shape | None) -> Dims:
    """Which dimensions of an input those of a result are. An operation that is not known here keeps them where it keeps
    the shape, or else the last one alone where it keeps its size. Others are 0.
    """
    if not dims or not before or not after or len(dims) != len(before):
        return None
    name, rank = plain_name(op), len(dims)
    if name in _TURNED or (name == "getattr" and op.args[1:] and op.args[1] in _TURNED):
        return (*dims[:-2], *reversed(dims[-2:]))
    if name in _SWAPPING | {"permute"}:
        order = _order(name, _integers(op), rank)
        return tuple(dims[at] for at in order) if order is not None else None
    if len(after) > rank and (added := _added(op, name, rank)) is not None:
        own = iter(dims)
        return tuple(0 if at in added else next(own) for at in range(len(after)))
    return _kept(dims, before, after, repeats=name in _REPEATING)


def _kept(dims: tuple[int, ...], before: Shape, after: Shape, *, repeats: bool) -> Dims:
    more = len(after) - len(before)
    if repeats and more >= 0:
        pairs = zip((1,) * more + before, after, (0,) * more + dims, strict=True)
        return tuple(_REPEATED if old == 1 < new else own for old, new, own in pairs)
    if before[-1] != after[-1]:
        return None
    return dims if before == after else (*(0 for _ in after[1:]), dims[-1])


def _added(op: Op, name: str, rank: int) -> list[int] | None:
    """The dimensions of size 1 that an operation adds, and does no more."""
    if name == "unsqueeze":
        dim = arguments(op).get("dim")
        return [dim % (rank + 1)] if isinstance(dim, int) else None
    keys = op.args[1] if name == "getitem" and isinstance(op.args[1], tuple) else ()
    whole = SliceValue(None, None, None)
    if None not in keys or any(key not in (None, Ellipsis, whole) for key in keys):
        return None
    places: list[int] = []
    at = 0
    for key in keys:
        places += [at] if key is None else []
        at += rank - keys.count(whole) if key is Ellipsis else 1
    return places


def _integers(op: Op) -> list[int]:
    """The integers that an operation is given, in order."""
    values = [*op.args, *(value for _, value in op.kwargs)]
    flat = [each for value in values for each in (value if isinstance(value, tuple | list) else (value,))]
    return [each for each in flat if type(each) is int]


def _order(name: str, numbers: Sequence[int], rank: int) -> list[int] | None:
    """The order of dimensions behind a permutation or a swap of two."""
    order = [each % rank for each in numbers] if rank else []
    if name == "permute":
        return order if sorted(order) == list(range(rank)) else None
    if len(order) != 2:
        return None
    one, other = order
    swapped = list(range(rank))
    swapped[one], swapped[other] = other, one
    return swapped
