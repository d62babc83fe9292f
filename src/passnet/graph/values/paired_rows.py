"""Finds the inputs whose rows a graph multiplies with rows of other inputs, or with their own: scores, Gram matrices.

A product of data by a weight is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, refs_of
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.indexing import known_forms
from passnet.graph.values.inputs import hardened
from passnet.graph.values.writes import renewed
from passnet.op_classes import ATTENTION, GEMMS, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# Products of rows by columns, where the first operand of some is added to the product, and of rows by rows.
_BY_COLUMNS = GEMMS | word_set("matmul addbmm")
_ADDING = word_set("baddbmm addbmm addmm")
_BY_ROWS = word_set("inner dot vdot cdist linear")
# Where all pairs of two broadcast operands are formed: so many dimensions at least, of which the last holds a row.
_PAIRING, _RANK = word_set("mul sub"), 3
_TURNED, _SWAPPING = word_set("t T mT H mH adjoint"), word_set("transpose swapaxes swapdims")
# Marks and places.
_NO_DATA = frozenset({"bool", "int64"})
# A dimension counted from the end.
_ROW, _COLUMN = 1, 2
# Input -> which of its dimensions, counted from the end, each dimension of a value is. None where nobody knows.
_Dims = tuple[int, ...] | None
_Shape = tuple[int, ...] | None


def paired_rows(graph: Graph) -> dict[int, int]:
    """The inputs that meet in such a product, and the dimension along which their numbers are added up there, counted
    from the end. It is the last one where nobody knows.
    """
    known, shapes = constants(graph), [shape for shape, _ in known_forms(graph)]
    flows = {index for index in hardened(graph) if graph.specs[index].dtype not in _NO_DATA and index not in known}
    follows: dict[int, dict[int, _Dims]] = {
        index: {index: tuple(range(len(graph.specs[index].shape), 0, -1))} for index in flows
    }
    found: dict[int, int] = {}
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        refs = [ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))]
        operands = list(_operands(op, refs, shapes, place))
        given = [(follows.get(ref, {}), dim) for ref, dim in operands]
        if given and all(inputs for inputs, _ in given):
            direct = all(dims is not None for inputs, _ in given for dims in inputs.values())
            for inputs, dim in given:
                for index, dims in inputs.items():
                    found.setdefault(index, (dims[-dim] if direct and dims and dim <= len(dims) else 0) or _ROW)
        follows[place] = {
            index: None if operands else _after(op, dims, shapes[ref], shapes[place])
            for ref in refs
            for index, dims in follows.get(ref, {}).items()
        }
    return found


def _operands(op: Op, refs: Sequence[int], shapes: Sequence[_Shape], place: int) -> Iterator[tuple[int, int]]:
    """The values that are multiplied row by row, and the dimension of each that is added up."""
    name = plain_name(op)
    if name in _BY_COLUMNS and len(refs) > 1:
        one, other = refs[-2:] if name in _ADDING else refs[:2]
        yield from ((one, _ROW), (other, _COLUMN if len(shapes[other] or ()) > 1 else _ROW))
    elif name in _BY_ROWS:
        yield from ((ref, _ROW) for ref in refs[:2])
    elif name in ATTENTION:
        yield from ((ref, _ROW) for ref in refs[:3])
    elif name == "einsum" and isinstance(op.args[0], str):
        yield from _of_equation(op.args[0], refs)
    elif name in _PAIRING and len(set(refs)) > 1 and _form_all_pairs([shapes[ref] for ref in refs], shapes[place]):
        yield from ((ref, _ROW) for ref in refs)


def _form_all_pairs(shapes: Sequence[_Shape], whole: _Shape) -> bool:
    """Whether each of two operands is repeated along a dimension, and none along the last one."""
    return len(whole or ()) >= _RANK and all(shape and shape != whole and shape[-1] > 1 for shape in shapes)


def _of_equation(equation: str, refs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The two operands of a sum of products, by the letter that both have and the result has not."""
    terms, _, result = equation.replace(" ", "").partition("->")
    one, _, other = terms.partition(",")
    summed = [letter for letter in one if letter in other and letter not in result and letter.isalpha()]
    if summed and len(refs) == 2:
        yield from ((ref, len(term) - term.index(summed[-1])) for ref, term in zip(refs, (one, other), strict=True))


def _after(op: Op, dims: _Dims, before: _Shape, after: _Shape) -> _Dims:
    """Which dimensions of an input those of a result are. Other operations keep them where they keep the shape, or else
    the last one alone where they keep its size. Others are 0."""
    if not dims or not before or not after or len(dims) != len(before):
        return None
    name, rank = plain_name(op), len(dims)
    if name in _TURNED or (name == "getattr" and op.args[1:] and op.args[1] in _TURNED):
        return (*dims[:-2], *reversed(dims[-2:]))
    if name in _SWAPPING | {"permute"}:
        order = _order(name, _integers(op), rank)
        return tuple(dims[at] for at in order) if order is not None else None
    if before[-1] != after[-1]:
        return None
    return dims if before == after else (*(0 for _ in after[1:]), dims[-1])


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
