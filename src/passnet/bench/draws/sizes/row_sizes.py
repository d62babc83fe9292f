"""Careful draws in which rows have sizes of their own, and rows of a mask hide by numbers of their own."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import ADDED, bits_of, holds, number_of, size_of
from passnet.bench.draws.content.input_source import SPANS, Backgrounds, InputSource, Sources
from passnet.bench.draws.sizes.far_floats import ROOM, farthest, has_far, range_of
from passnet.bench.wire.generator import BLENDS, UNEVEN, DrawnRow, RowSizes
from passnet.graph.values.divisors import degree_of_divisors
from passnet.graph.values.inputs import hardened
from passnet.graph.values.roles import roles_of

if TYPE_CHECKING:
    from passnet.graph import Graph

# Powers of two between which rows have sizes of their own, one draw for each part. In a draw tolerances grow with the
# largest rows, so no part is wide where outputs grow with inputs. Far below 1 only what divides by a size tells
# anything. The edges move by up to half a power.
_SIZES, _EDGE = (-56.0, -40.0, -24.0, -10.0, -3.0, 3.0, 10.0, 17.0, 24.0), 0.5
# The largest numbers of a row are larger than its size by up to so many powers of two. Of so many blocks each may have
# one size.
_BEYOND, _BLOCKS = 3, 8
# The least power of two of a normal float32, and how far below a row's size its numbers and their differences are.
_NORMAL, _BELOW = -126.0, 16.0


def sizes(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Draws in which each row of an input has a size of its own, and all draws together leave out none.

    What is in other draws is of few sizes, or of all at once. Rows that may be added up are of one size. What has no
    rows, and what a graph adds to its data, is as small as the smallest row. In some draws a block of rows is a row.
    """
    roles = roles_of(graph.program, graph.specs)
    first = next(usual)
    chosen = {index for index in hardened(graph) if size_of(graph.specs[index], first[index])}
    if not chosen:
        return []
    known = [torch.finfo(getattr(torch, graph.specs[index].dtype)) for index in chosen]
    least = max(_least(graph, chosen), *(math.frexp(each.tiny)[1] for each in known))
    end = farthest(graph) - (_BEYOND if has_far(graph) else 0)
    most = min(_SIZES[-1], end, *(range_of(graph.specs[index]) - ROOM for index in chosen))
    edges = [least, *(edge + rng.uniform(-_EDGE, _EDGE) for edge in _SIZES if least + 1 < edge < most - 1), most]
    largest = max((graph.specs[index] for index in chosen), key=lambda spec: spec.numel)
    rows = [1, *(dims for dims in range(1, len(largest.shape)) if math.prod(largest.shape[:-dims]) >= _BLOCKS)]
    made = []
    for low, high in itertools.pairwise(edges):
        dims, base = rng.choice(rows), next(usual)
        row, several = list(base), largest.numel > math.prod(largest.shape[-dims:])
        for index, (spec, each) in enumerate(zip(graph.specs, base, strict=True)):
            size = size_of(spec, each) if index in chosen or roles[index] in ADDED else 0.0
            if size and holds(spec, each, 2.0**high / size):
                inner = math.prod(spec.shape[-dims:])
                alone = index not in chosen or (several and inner == spec.numel)
                row[index] = replace(each, sizes=RowSizes(inner, low - math.log2(size), 0.0 if alone else high - low))
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def _least(graph: Graph, chosen: Collection[int]) -> float:
    """The power of two of the smallest rows. Products by which a graph divides are normal numbers: a division by the
    least ones of all is infinite where a compiler makes a product with an inverse of it, as `-ffast-math` does.
    """
    degree = degree_of_divisors(graph, chosen)
    return min(0.0, max(_SIZES[0], _NORMAL / degree + _BELOW)) if degree else _SIZES[0]


def masks(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """A draw in which each row of an additive mask hides by a number of its own size, and no element is 0.

    One element hides least, by far less than all others, so that what the sums lose by rounding decides nothing. Of a
    mask of infinities some rows hide all, and some nothing.
    """
    row = list(usual)
    for index, (spec, each) in enumerate(zip(graph.specs, usual, strict=True)):
        dtype = getattr(torch, spec.dtype)
        if dtype not in BLENDS or not each.row.length or each.same:
            continue
        most = number_of(each.row.last, dtype)
        if math.isinf(most):
            row[index] = replace(each, row=replace(each.row, uneven=UNEVEN))
        elif abs(most) > 1.0:
            values = torch.linspace(2.0, 4.0, SPANS, dtype=torch.float64) * math.copysign(1.0, most)
            first, last = (bits_of((values[place] * factor).to(dtype)) for place, factor in ((0, 0.5), (-1, 1.0)))
            sized = RowSizes(spec.shape[-1], 0.0, math.log2(abs(most)) - 2.0)
            row[index] = replace(
                each.of_values(values.to(dtype)), row=DrawnRow(spec.shape[-1], first, last), sizes=sized
            )
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []
