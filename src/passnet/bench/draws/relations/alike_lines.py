"""Careful draws in which whole rows or columns are equal to others or in order, and square matrices are symmetric.

Where each element is drawn by itself, no row is another one, none is sorted, and no matrix is its own transpose. What a
graph does with these is seen in no such draw.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.values.few_pool import far_halves
from passnet.bench.wire.generator import BLENDS, AlikeLines, DrawKind
from passnet.graph.values.inputs import hardened
from passnet.graph.values.means import takes_means
from passnet.graph.values.roles import Role, roles_of

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph, TensorSpec

Sources = Sequence["InputSource"]
# Of fewer lines all may be one by chance, and where a mean is taken of them an honest form may differ.
_FEW_LINES = 8
# A number is common where one element of so many has it.
_COMMON = 8


def alike_lines(graph: Graph, usual: Iterator[Sources], rng: Random) -> list[list[InputSource]]:
    """A draw of rows, and one in which square matrices are symmetric, and lines along another dimension alike.

    Inputs of one kind share a table there, so that rows of one number may be equal in them. In the second draw those of
    which a floor is taken hold halves about a far number.
    """
    bases = [next(usual) for _ in range(2)]
    shared, turned = (_shared(graph, base) for base in bases)
    if not shared:
        return []
    few = _FEW_LINES if takes_means(graph) else 1
    rows, others = (list(base) for base in bases)
    far = {} if takes_means(graph) else far_halves(graph, shared, rng)
    depth = max(len(graph.specs[index].shape) for index in shared)
    dim = rng.randrange(2, depth + 1) if depth > 1 else 1
    for index, source in shared.items():
        shape = graph.specs[index].shape
        if shape[-1] > 1 and math.prod(shape) >= few * shape[-1]:
            rows[index] = replace(source, lines=AlikeLines(shape[-1], 1))
        if len(shape) > 1 and shape[-1] == shape[-2] > 1:
            others[index] = replace(far.get(index, turned[index]), lines=AlikeLines(shape[-1], 0))
        elif 1 < dim <= len(shape) and shape[-dim] > 1 and math.prod(shape) >= few * shape[-dim]:
            lines = AlikeLines(shape[-dim], math.prod(shape[1 - dim :]))
            others[index] = replace(far.get(index, turned[index]), lines=lines)
        elif index in far:
            others[index] = far[index]
    made = zip((rows, others), bases, strict=True)
    return [row for row, base in made if any(each is not other for each, other in zip(row, base, strict=True))]


def _shared(graph: Graph, usual: Sources) -> dict[int, InputSource]:
    """The inputs that may have such lines, with the table that they share: the narrowest one of their kind."""
    made = {}
    for indices in of_one_kind(graph, usual):
        table = min((usual[index] for index in indices), key=lambda source: ends_of(source)[1])
        for index in indices:
            own = table if fits(graph.specs[index], usual[index], table) else usual[index]
            made[index] = in_sorted_order(_without_the_common(graph.specs[index], own))
    return made


def _without_the_common(spec: TensorSpec, source: InputSource) -> InputSource:
    """A source of floats without the number that many of its elements are, unless that is zero.

    A line that comes again after two such elements is of one number, whose mean rounds in one form and not in the next.
    A norm's epsilon magnifies that.
    """
    if not spec.is_inexact:
        return source
    table = source.table.flatten().to(getattr(torch, spec.part_dtype))  # one of halves holds wider numbers
    wide = table.double()
    values, counts = wide.unique(return_counts=True)  # type: ignore[no-untyped-call]
    common = values[counts.argmax()]
    many = bool(counts.max() * _COMMON > len(table)) and len(values) > 1 and bool(common != 0)
    return source.of_values(table[wide != common]) if many else source


def of_one_kind(graph: Graph, usual: Sources) -> list[list[int]]:
    """The inputs that are drawn freely, those of one dtype together, and data apart from what is none."""
    roles, flows = roles_of(graph.program, graph.specs), hardened(graph)
    found: dict[tuple[str, bool], list[int]] = {}
    for index, (spec, each, role) in enumerate(zip(graph.specs, usual, roles, strict=True)):
        plain = each.kind in (DrawKind.PICK, DrawKind.RANGE) or getattr(torch, spec.part_dtype) in BLENDS
        fixed = each.same or each.row.length or role is Role.EPSILON or (role is Role.VARIANCE and index not in flows)
        if plain and not fixed and spec.shape and spec.numel > 1:
            found.setdefault((spec.dtype, index in flows), []).append(index)
    return list(found.values())


def ends_of(source: InputSource) -> tuple[float, float]:
    values = source.values.double()
    return float(values.min()), float(values.max())


def fits(spec: TensorSpec, own: InputSource, other: InputSource) -> bool:
    """Whether an input may hold the numbers of another one's table."""
    low, high = ends_of(other)
    least, most = spec.min_val, spec.max_val
    if not spec.is_inexact:  # what has no bounds may have those of what it indexes
        least, most = (own if bound is None else bound for bound, own in zip((least, most), ends_of(own), strict=True))
    return (least is None or least <= low) and (most is None or high <= most)


def in_sorted_order(source: InputSource) -> InputSource:
    """A source whose table is sorted, so that larger random words give larger elements."""
    if source.kind is not DrawKind.PICK:
        return source
    values = source.table.float() if source.table.dtype.itemsize == 1 else source.table
    return replace(source, table=source.table[values.argsort()])
