"""Finds products of rows of data by rows of weights: heads, gates, distances to the entries of a codebook.

A product of which every element is an output by itself is none: whoever computes no more than its moments is wrong.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, refs_of
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.constants import constants, known_values
from passnet.graph.values.indexing import known_forms, writing_indices
from passnet.graph.values.inputs import hardened
from passnet.graph.values.paired_rows import Follows, dims_after, row_of
from passnet.graph.values.thresholds import LOSSES
from passnet.graph.values.tied_sizes import tied_sizes
from passnet.graph.values.writes import renewed
from passnet.op_classes import ATTENTION, REDUCTIONS, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# What a weight has one row of each class for. Filters of more dimensions are for neighbours.
_FACTOR_RANKS = (2, 3)
# What makes one number, or one row, of all products of a row of data.
_OF_ALL = (
    LOSSES
    | REDUCTIONS
    | ATTENTION
    | word_set("""
argsort argmax argmin aminmax cummax cummin cumsum cumprod cumulative_trapezoid gumbel_softmax kthvalue layer_norm
log_softmax logcumsumexp logsumexp max median min mode normalize norm quantile rms_norm softmax softmin sort topk
vector_norm msort histc unique multinomial
""")
)


@dataclass(frozen=True)
class WeightRows:
    """An input of data whose rows a graph multiplies by those of a weight, each along a dimension counted from the end.

    `labels`: the inputs of integers that may be numbers of such rows, one for each row of data, or for one of several.
    """

    data: int
    dim: int
    weight: int
    weight_dim: int
    labels: tuple[int, ...] = ()


def weight_rows(graph: Graph) -> list[WeightRows]:
    """All of them, each once, in the order of the program. Computed once."""
    if "_weight_rows" not in graph.__dict__:
        graph.__dict__["_weight_rows"] = list(dict.fromkeys(_found(graph)))
    found: list[WeightRows] = graph.__dict__["_weight_rows"]
    return found


def _found(graph: Graph) -> Iterator[WeightRows]:
    shapes, flows = [shape for shape, _ in known_forms(graph)], hardened(graph)
    floats = [index for index, spec in enumerate(graph.specs) if spec.is_inexact and index not in constants(graph)]
    weights = {i for i in floats if i not in flows and len(graph.specs[i].shape) in _FACTOR_RANKS}
    data = {index for index in floats if index in flows and graph.specs[index].shape}
    if not weights or not data:
        return
    follows: Follows = {index: {index: tuple(range(len(graph.specs[index].shape), 0, -1))} for index in weights | data}
    reduced = _reduced(graph)
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        refs = [ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))]
        made = {
            index: dims_after(op, dims, shapes[ref], shapes[place])
            for ref in refs
            for index, dims in follows.get(ref, {}).items()
        }
        follows[place] = {index: dims for index, dims in made.items() if dims is not None}
        kinds = [{index in flows for index in follows.get(ref, {})} for ref in refs]
        ends = (place in reduced or plain_name(op) in _OF_ALL) and not plain_name(op).startswith("conv")
        products = list(_products(graph, place, refs, follows, kinds)) if ends else []
        follows[place] = {} if products else follows[place]
        yield from products


def _products(
    graph: Graph, place: int, refs: list[int], follows: Follows, kinds: list[set[bool]]
) -> Iterator[WeightRows]:
    """The inputs whose rows meet in one operation. `kinds`: whether operands follow from data or from a weight."""
    if {True} not in kinds or {False} not in kinds:
        return
    forms, nodes = known_values(graph), [n for n in graph.module(propagated=False).graph.nodes if n.op != "output"]
    made = tied_sizes(nodes[place], [forms[ref] for ref in refs])
    ones, others = ([at for at, kind in enumerate(kinds) if kind == {flows}] for flows in (True, False))
    for one, other in itertools.product(ones, others) if made else ():
        row = row_of(graph, place, *made, one, other) if made else None
        if row is None:
            continue
        at = {
            each: len(shape) - row.dims[each] for each in (one, other) if (shape := known_forms(graph)[refs[each]][0])
        }
        for index, weight in itertools.product(follows[refs[one]], follows[refs[other]]):
            dims = [(follows[refs[each]][i] or ())[-at[each]] for each, i in ((one, index), (other, weight))]
            if min(dims) > 0 and graph.specs[index].shape[-dims[0]] == graph.specs[weight].shape[-dims[1]] > 1:
                yield met_rows(graph, index, dims[0], weight, dims[1])


def met_rows(graph: Graph, data: int, dim: int, weight: int, weight_dim: int) -> WeightRows:
    """The rows of two inputs that meet, with the labels that may name them."""
    return WeightRows(data, dim, weight, weight_dim, _labels(graph, data, dim, weight, weight_dim))


def _labels(graph: Graph, data: int, dim: int, weight: int, weight_dim: int) -> tuple[int, ...]:
    """The integers that may be numbers of rows of this weight, as one for each row of data or for one of several."""
    rows, entries = (
        math.prod(shape) // shape[-along]
        for shape, along in ((graph.specs[data].shape, dim), (graph.specs[weight].shape, weight_dim))
    )
    free = {index: bound for index, bound in graph.index_bounds().items() if index not in writing_indices(graph)}
    return tuple(i for i, bound in free.items() if bound == entries and rows % max(1, graph.specs[i].numel) == 0)


def _reduced(graph: Graph) -> Collection[int]:
    """The statements from whose results something follows that is made of many of them together."""
    count, found = len(graph.specs), set[int]()
    for place in reversed(range(count, count + len(renewed(graph).statements))):
        op: Op = renewed(graph).statements[place - count]
        if place in found or plain_name(op) in _OF_ALL:
            found |= {ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))}
    return found
