"""Finds inputs in which equal numbers leave a graph nothing that anybody could know: they decide a choice, or a matrix
that has no inverse.

An unstable sort or a `topk` takes equal scores in any order. Where no output shows its indices, nobody can tell which
it took. A matrix that is half zeros often has no inverse, and eager raises an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, Ref, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.writes import renewed
from passnet.op_classes import CONVOLUTIONS, PRODUCTS, VIEWS, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# These choose in any order among equal numbers. The first ones give indices alone.
_INDICES_ALONE = word_set("argsort")
_PAIRS = word_set("topk sort kthvalue median nanmedian")
# These raise an error, or give what is not finite, for a matrix without an inverse.
_INVERTING = word_set("""
inv inverse solve solve_triangular triangular_solve tensorinv tensorsolve cholesky cholesky_inverse cholesky_solve
lu lu_factor lu_solve lstsq matrix_power
""")
_MOVING = VIEWS | word_set("T contiguous clone detach getitem flip roll repeat tile broadcast_to to long int stack cat")
# Sums of products of equal numbers seldom are equal.
_MIXING = PRODUCTS | CONVOLUTIONS


def distinct(graph: Graph) -> frozenset[int]:
    """The inputs that hold no number twice in usual draws. Computed once."""
    if "_distinct" not in graph.__dict__:
        statements, count = renewed(graph).statements, len(graph.specs)
        found: set[int] = set()
        for place, op in enumerate(statements, start=count):
            source = arguments(op).get("input", op.args[0] if op.args else None)
            if not isinstance(source, Ref):
                continue
            if _inverts(op):
                found.update(_made_of(statements, count, [ref.index for ref in refs_of(op.args)], stops=False))
            elif _is_hidden(graph, statements, place, op):
                found.update(_made_of(statements, count, [source.index], stops=True))
        graph.__dict__["_distinct"] = frozenset(index for index in found if graph.specs[index].is_inexact)
    known: frozenset[int] = graph.__dict__["_distinct"]
    return known


def inverts(graph: Graph) -> bool:
    """Whether a graph inverts or factors a matrix."""
    return any(map(_inverts, graph.program.ops))


def _inverts(op: Op) -> bool:
    return plain_name(op).removeprefix("linalg_") in _INVERTING


def _is_hidden(graph: Graph, statements: Sequence[Op], place: int, op: Op) -> bool:
    """Whether an operation chooses in any order, and its indices are used and are no output."""
    name = plain_name(op)
    if (name not in _PAIRS and name not in _INDICES_ALONE) or arguments(op).get("stable"):
        return False
    shown = {ref.index for ref in refs_of(graph.program.outputs)}
    values = {place} if name in _INDICES_ALONE else set[int]()
    used = False
    for number, other in enumerate(statements, start=len(graph.specs)):
        given = [ref.index for ref in refs_of((*other.args, *(value for _, value in other.kwargs)))]
        if place in given and name in _PAIRS:
            if _takes_indices(other):
                values.add(number)
        elif values & set(given):
            if plain_name(other) in _MOVING and given[0] in values:
                values.add(number)
            else:
                used = True
    return used and not values & shown


def _takes_indices(op: Op) -> bool:
    name = plain_name(op)
    if name == "getitem":
        return len(op.args) > 1 and op.args[1] in (1, -1)
    return name in ("getattr", "indices") and "indices" in (name, *op.args[1:])


def _made_of(statements: Sequence[Op], count: int, values: Sequence[int], *, stops: bool) -> Iterator[int]:
    """The inputs of which values are made. `stops`: not through what mixes many numbers."""
    pending, seen = list(values), set[int]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if value < count:
            yield value
            continue
        op = statements[value - count]
        if not (stops and plain_name(op) in _MIXING):
            pending += [ref.index for ref in refs_of((*op.args, *(other for _, other in op.kwargs)))]
