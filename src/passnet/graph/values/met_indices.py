"""Finds drawn indices that meet what lies along them: values, other indices, and the rows that they look up.

A graph adds values up by their group, looks up what two labels cost together, or scores the rows at both ends of an
edge. What comes out there depends on how the one is related to the other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

import torch

from passnet.graph.text.program import Op, refs_of
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.indexing import indices_of, known_forms, writing_indices
from passnet.graph.values.origins import InputPart
from passnet.graph.values.thresholds import LOSSES
from passnet.graph.values.writes import renewed
from passnet.op_classes import ATTENTION, CONVOLUTIONS, PRODUCTS, REDUCTIONS, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

Shape = tuple[int, ...]
# Of fewer indices nothing follows for all of them together.
_LEAST = 16
# So many indices may lie beside each other in one input: both ends of an edge, or a relation too.
_BESIDE = (2, 3)
_INDICES = word_set("int32 int64")
_FLOATS = word_set("float16 bfloat16 float32 float64")
_DTYPES = frozenset(getattr(torch, name) for name in _FLOATS)
# What makes few numbers of many.
_TOGETHER = (
    LOSSES
    | REDUCTIONS
    | PRODUCTS
    | CONVOLUTIONS
    | ATTENTION
    | word_set("""
aminmax argmax argmin batch_norm binary_cross_entropy binary_cross_entropy_with_logits bincount bucketize corrcoef cov
cosine_embedding_loss cosine_similarity count_nonzero cummax cummin cumprod cumsum diff dist dot embedding_bag equal
gaussian_nll_loss group_norm hinge_embedding_loss histc histogram huber_loss index_add index_put index_reduce
instance_norm kl_div kthvalue l1_loss layer_norm log_softmax logcumsumexp margin_ranking_loss max median min mode
mse_loss nonzero norm normalize poisson_nll_loss prod put quantile rms_norm scatter_add scatter_reduce segment_reduce
smooth_l1_loss soft_margin_loss softmax softmin sort topk triplet_margin_loss unique vdot vector_norm
""")
)


@dataclass(frozen=True)
class MetIndices:
    """Inputs of integers, or parts of one, that lie along each other and meet. The first one has the fewest elements.

    `values`: inputs of floats that lie along a part, each with the number of that part. `tables`: those whose rows a
    part looks up, in the same way.
    """

    parts: tuple[InputPart, ...]
    values: tuple[tuple[int, int], ...] = field(default=())
    tables: tuple[tuple[int, int], ...] = field(default=())


def met_indices(graph: Graph) -> list[MetIndices]:
    """All of them, no input of indices in two. Computed once."""
    if "_met_indices" not in graph.__dict__:
        graph.__dict__["_met_indices"] = list(_found(graph))
    known: list[MetIndices] = graph.__dict__["_met_indices"]
    return known


def shape_of(graph: Graph, part: InputPart) -> Shape:
    """The shape of an input, or of one place along a dimension of it."""
    shape = graph.specs[part.index].shape
    return shape if part.dim < 0 else shape[: part.dim] + shape[part.dim + 1 :]


def along(rows: Shape, shape: Shape) -> tuple[int, int] | None:
    """How often all rows come in an input one after another, and how many of its elements each of them has there. None
    where its dimensions are no such ones.
    """
    core, own = [size for size in rows if size != 1], [size for size in shape if size != 1]
    for at in range(len(own) - len(core) + 1):
        if own[at : at + len(core)] == core:
            return math.prod(own[:at]), math.prod(own[at + len(core) :])
    return None


def _found(graph: Graph) -> Iterator[MetIndices]:
    fixed = constants(graph).keys() | writing_indices(graph)
    integers = [i for i, spec in enumerate(graph.specs) if spec.is_integer and spec.numel >= _LEAST and i not in fixed]
    floats = [i for i, spec in enumerate(graph.specs) if spec.dtype in _FLOATS and spec.numel > 1 and i not in fixed]
    if not integers:
        return
    pairs = _meetings(graph, integers)
    looked_up = _looked_up(graph)
    parts = sorted((part for index in integers for part in _parts(graph, index)), key=lambda part: _size(graph, part))
    taken: set[InputPart] = set()
    for one in parts:
        if one in taken:
            continue
        others = [
            other
            for other in parts
            if other != one and other not in taken and along(shape_of(graph, one), shape_of(graph, other)) is not None
            if other.index == one.index or (one.index, other.index) in pairs
        ]
        some = (one, *others)
        values = _beside(graph, some, [index for index in floats if index not in looked_up], pairs)
        tables = dict[int, int]()
        for (number, part), index in itertools.product(enumerate(some), floats):
            if part.index in looked_up.get(index, ()):
                tables.setdefault(index, number)
        if others or values or tables:
            taken.update(some)
            yield MetIndices(some, tuple(values.items()), tuple(tables.items()))


def _beside(
    graph: Graph, parts: Sequence[InputPart], floats: Sequence[int], pairs: set[tuple[int, int]]
) -> dict[int, int]:
    """The inputs of floats that lie along one of these parts and meet it, each with the number of the first of them."""
    found: dict[int, int] = {}
    for (number, part), index in itertools.product(enumerate(parts), floats):
        lies = along(shape_of(graph, part), graph.specs[index].shape) is not None
        if lies and (part.index, index) in pairs:
            found.setdefault(index, number)
    return found


def _size(graph: Graph, part: InputPart) -> int:
    return math.prod(shape_of(graph, part))


def _parts(graph: Graph, index: int) -> list[InputPart]:
    """An input as a whole, or the two or three places along its first or its last dimension."""
    shape = graph.specs[index].shape
    wide = graph.specs[index].dtype in _INDICES
    dims = [dim for dim in (0, len(shape) - 1) if wide and len(shape) > 1 and shape[dim] in _BESIDE]
    for dim in dims:
        if graph.specs[index].numel // shape[dim] >= _LEAST:
            return [InputPart(index, dim, place) for place in range(shape[dim])]
    return [InputPart(index)]


def _meetings(graph: Graph, integers: Sequence[int]) -> set[tuple[int, int]]:
    """Each of these inputs with each other one, where they come from different operands into one operation, and many of
    its results are put together.
    """
    count, statements = len(graph.specs), renewed(graph).statements
    behind = [1 << index for index in range(count)]
    given = [_given(op) for op in statements]
    for refs in given:
        behind.append(reduce(or_, (behind[ref] for ref in refs), 0))
    together = {place for place, op in enumerate(statements, start=count) if plain_name(op) in _TOGETHER}
    for place in reversed(range(count, count + len(statements))):
        if place in together:
            together.update(given[place - count])
    own = sum(1 << index for index in integers)
    found: set[tuple[int, int]] = set()
    seen: set[tuple[int, int]] = set()
    for place, refs in enumerate(given, start=count):
        for one, other in itertools.permutations(refs, 2) if place in together else ():
            key = behind[one] & own, behind[other]
            if key[0] and key not in seen:
                seen.add(key)
                found.update(itertools.product(_bits(key[0]), _bits(key[1])))
    return found


def _looked_up(graph: Graph) -> dict[int, set[int]]:
    """Input of floats -> the inputs of indices into its first dimension."""
    count, statements = len(graph.specs), renewed(graph).statements
    shapes = [shape for shape, _ in known_forms(graph)]
    behind = [1 << index for index in range(count)]
    found: dict[int, set[int]] = {}
    for op in statements:
        refs = _given(op)
        taken = {each.value: each.entries for each in indices_of(op, shapes)}
        for ref in refs:
            shape = shapes[ref]
            if ref in taken or not shape or not taken or known_forms(graph)[ref][1] not in _DTYPES:
                continue
            for value, entries in taken.items():
                for index, number in itertools.product(_bits(behind[ref]), _bits(behind[value])):
                    spec = graph.specs[index]
                    if entries == shape[0] and spec.shape[:1] == shape[:1] and spec.dtype in _FLOATS:
                        found.setdefault(index, set()).add(number)
        behind.append(reduce(or_, (behind[ref] for ref in refs), 0))
    return found


def _given(op: Op) -> list[int]:
    refs = refs_of((*op.args, *(value for _, value in op.kwargs)))
    return list(dict.fromkeys(ref.index for ref in refs))


def _bits(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]
