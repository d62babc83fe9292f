"""Careful draws in which rows of data lie near rows of a weight by which a graph multiplies them.

In a trained model a hidden row points to the row of its next word, and a vector lies near the entry of a codebook that
stands for it. Rows of data that are drawn by themselves are nearly orthogonal to all rows of a weight. So no score
stands out, and the moments of both tell what follows from all scores. Labels name the row to which theirs points, or
not: some are those of the row before, as where labels are shifted by one.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from passnet.bench.draws.content.held_values import holds, size_of
from passnet.bench.draws.content.input_source import Sources
from passnet.bench.draws.content.integer_ranges import ranges_of
from passnet.bench.draws.relations.alike_lines import in_sorted_order
from passnet.bench.wire.generator import AlikeLines, DrawKind, NamedRows
from passnet.graph.values.paired_rows import paired_rows
from passnet.graph.values.weight_rows import WeightRows, weight_rows

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph

# Of these kinds an element follows from 64 bits, which no other one has.
_WIDE = (DrawKind.RANGE, DrawKind.BLEND_DOUBLE)
# Of each draw: the share of near rows, and how many there are at least; how far from its own row a near one lies at
# most, as a share of the way through the table, and whether all elements are near. Where all rows are so, as in a
# trained model, a look at a few sees it. These are many, some or few, and some rows of which outputs of one row tell.
_DRAWS = (
    ((0.15, 0.4), 1, (0.0, 0.125), True),
    ((0.06, 0.15), 1, (0.1, 0.5), True),
    ((0.03, 0.08), 2, (0.0, 0.25), True),
    ((1e-9, 1e-9), 4, (0.0, 0.125), False),
)
# No more rows than this share are near. So many rows of a weight may have near ones.
_MOST_SHARE, CENTRES = 0.75, 1 << 24
# By how much a near row's score is above the logarithm of how many there are, where an input is scaled to that.
_ABOVE = (5.0, 16.0)
# What is scaled in a draw: the rows, or the weight, which stays so behind a norm of rows. Or neither, unless scores of
# near rows do not stand out then.
_DATA, _WEIGHT, _NEITHER = range(3)


def near_weights(graph: Graph, usual: Iterator[Sources], rng: Random) -> list[list[InputSource]]:
    """The draws. None where rows of data meet no weight, or meet each other: then `near_rows` has both at once."""
    found = weight_rows(graph)
    if not found or paired_rows(graph):
        return []
    made: list[list[InputSource]] = []
    weights = sorted({each.weight for each in found})
    weights, ways = rng.sample(weights, len(weights)), rng.sample((_DATA, _WEIGHT, _NEITHER), 3)
    for number, (shares, least, noises, entirely) in enumerate(_DRAWS):
        base = next(usual)
        row, share = list(base), math.exp(rng.uniform(*map(math.log, shares)))
        for each in found:
            own, rows = base[each.data], rows_of(graph, each.data, each.dim)
            if each.weight != weights[number % len(weights)] or row[each.data] is not own or not own.is_plain:
                continue
            share = min(max(share, least / rows), _MOST_SHARE)
            lines = lines_of(graph, each.data, each.dim, share, rng.uniform(*noises), CENTRES)
            row[each.data] = replace(in_sorted_order(own), lines=replace(lines, entirely=entirely))
            if size_of(graph.specs[each.data], own) and toward_weight(graph, row, each):
                _scale(graph, row, each, ways[number % len(ways)], rng)
            else:
                row[each.data] = own
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def rows_of(graph: Graph, index: int, dim: int) -> int:
    """How many rows an input has along a dimension that is counted from the end."""
    shape = graph.specs[index].shape
    return math.prod(shape) // shape[-dim]


def lines_of(graph: Graph, index: int, dim: int, share: float, noise: float, centres: int) -> AlikeLines:
    """The rows of an input along a dimension, a share of which is near so many centres."""
    shape = graph.specs[index].shape
    return AlikeLines(shape[-dim], math.prod(shape[len(shape) - dim + 1 :]), share, noise, centres)


def toward_weight(graph: Graph, row: list[InputSource], each: WeightRows, others: Collection[int] = ()) -> bool:
    """Let the centres of lines of data be rows of a weight, and labels name these. False where they cannot be.

    `others`: inputs with lines that have the same centres then, too.
    """
    data, weight, spec = row[each.data], row[each.weight], graph.specs[each.weight]
    kinds = {row[index].kind in _WIDE for index in (each.data, each.weight, *others)}
    complexes = {graph.specs[index].is_complex for index in (each.data, each.weight, *others)}
    if data.lines is None or not weight.is_plain or weight.same or len(kinds) > 1 or len(complexes) > 1:
        return False
    entries, ranges = rows_of(graph, each.weight, each.weight_dim), ranges_of(graph, row)
    labels = [index for index in each.labels if row[index].is_plain and ranges.get(index, (1, 0))[0] <= 0]
    entries = min([entries, *(ranges[index][1] + 1 for index in labels)])
    between = math.prod(spec.shape[len(spec.shape) - each.weight_dim + 1 :])
    for index in (each.data, *others):
        lines = row[index].lines
        if lines is not None and entries > 0:
            met = replace(lines, other=each.weight, others=entries, between=between)
            row[index] = replace(row[index], lines=met)
    row[each.weight] = in_sorted_order(weight)
    count = rows_of(graph, each.data, each.dim)
    for index in labels:
        stride = count // graph.specs[index].numel
        names = NamedRows(each.data, count, stride, data.lines.share, data.lines.centres, entries, data.lines.within)
        row[index] = replace(row[index], names=names)
    return True


def _scale(graph: Graph, row: list[InputSource], each: WeightRows, way: int, rng: Random) -> None:
    """Scale one of both factors so that the score of a near row stands out, and is not all that there is."""
    sizes = [size_of(graph.specs[index], row[index]) for index in (each.data, each.weight)]
    score = graph.specs[each.data].shape[-each.dim] * math.prod(sizes)
    wanted = math.log(rows_of(graph, each.weight, each.weight_dim)) + rng.uniform(*_ABOVE)
    scaled = each.weight if way == _WEIGHT else each.data
    stays = way == _NEITHER and score >= wanted
    if score and not stays and holds(graph.specs[scaled], row[scaled], wanted / score):
        row[scaled] = replace(row[scaled], table=row[scaled].table * (wanted / score))
