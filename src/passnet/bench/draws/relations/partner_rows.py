"""Careful draws in which rows of data have a partner of their own in what they are multiplied with.

So are a picture and its text, a question and its answer, a key and the query that looks for it. Rows that are drawn by
themselves are nearly orthogonal, and near rows of one centre are many or none. So no score by itself stands out, and
the moments of both inputs tell what follows from all scores. A trained model's scores are of just one partner.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from passnet.bench.draws.content.held_values import holds, size_of
from passnet.bench.draws.relations.alike_lines import fits, in_sorted_order
from passnet.bench.draws.relations.near_rows import behind_one_weight
from passnet.bench.draws.relations.near_weights import CENTRES, lines_of, rows_of, toward_weight
from passnet.graph.values.paired_rows import paired_inputs, paired_rows
from passnet.graph.values.weight_rows import met_rows

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph

Sources = Sequence["InputSource"]
# What a graph divides scores by, that nobody asks it for: nothing, or the root of a row's length.
_BY_NOTHING, _BY_ROOT = 0.0, 0.5
# Of each draw: the share of rows that have a partner, how many have one at least, whether it is the row of the same
# number, as on the diagonal of all scores, or any row, and by what scores are taken to be divided.
_MANY, _FEW = (0.25, 0.4), (1e-9, 0.02)
_DRAWS = (
    (_MANY, 1, True, _BY_ROOT),
    (_MANY, 1, False, _BY_ROOT),
    (_MANY, 1, False, _BY_NOTHING),
    (_FEW, 3, False, _BY_ROOT),
)
# How far from its partner a row lies at most, as a share of the way through the table.
_NOISE = (0.0, 0.125)
# How far weights behind partners are from each other at most, in the same way.
_APART = (0.0, 0.4)
# No more rows have one.
_MOST_SHARE = 0.75
# By how much a partner's score is above the logarithm of how many there are, where it is scaled so.
_ABOVE = (2.0, 10.0)


def partner_rows(graph: Graph, usual: Iterator[Sources], rng: Random) -> list[list[InputSource]]:
    """The draws, up to four. None where no two rows of data are multiplied with each other.

    Where an input has no such other one, two and two of its rows are partners. Scores of partners stand out from the
    logarithm of their number: as products themselves in one draw, and divided by
    the root of their length in the others. Two weights of one shape behind them are nearly one, as of two towers.
    """
    paired = paired_rows(graph)
    made: list[list[InputSource]] = []
    for shares, least, own, power in _DRAWS if paired else ():
        base, share = next(usual), math.exp(rng.uniform(*map(math.log, shares)))
        row = list(base)
        pairs, met = paired_inputs(graph), set[int]()
        for first, second in rng.sample(pairs, len(pairs)):
            if not {first, second} & met and _pair(graph, row, (first, second), (share, least, own), rng):
                met |= {first, second}
        for index in sorted(paired.keys() - met):
            _among_themselves(graph, row, index, (share, least), rng)
        for index in paired:
            if row[index].lines is not None:
                _scale(graph, row, index, power, rng)
        behind_one_weight(graph, row, rng.uniform(*_APART))
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def _pair(
    graph: Graph, row: list[InputSource], pair: tuple[int, int], how: tuple[float, int, bool], rng: Random
) -> bool:
    """Let rows of one of two inputs be near rows of the other. False where they cannot be."""
    paired = paired_rows(graph)
    first, second = rng.sample(pair, 2)
    dims = [paired[index] for index in (first, second)]
    shapes = [graph.specs[index].shape for index in (first, second)]
    if any(dim > len(shape) for dim, shape in zip(dims, shapes, strict=True)):
        return False
    if shapes[0][-dims[0]] != shapes[1][-dims[1]] or shapes[0][-dims[0]] < 2 or not row[first].is_plain:
        return False
    share, least, own = how
    known, shared = (row[first], row[second]), row[first]
    if known[0].kind == known[1].kind and fits(graph.specs[first], *known):
        shared = known[1]
    counts = [_rows_of_one(shape, dim) for shape, dim in zip(shapes, dims, strict=True)]
    share = min(max(share, least / rows_of(graph, first, dims[0])), _MOST_SHARE)
    noise = rng.uniform(*_NOISE) if graph.specs[first].is_inexact else 0.0
    lines = replace(lines_of(graph, first, dims[0], share, noise, CENTRES), entirely=True)
    if counts[0] == counts[1]:
        within = -1 if own else counts[0] if rows_of(graph, first, dims[0]) > counts[0] else 0
        lines = replace(lines, within=within)
    row[first] = replace(in_sorted_order(shared), lines=lines)
    if not toward_weight(graph, row, met_rows(graph, first, dims[0], second, dims[1])):
        row[first], row[second] = known
        return False
    return True


def _rows_of_one(shape: Sequence[int], dim: int) -> int:
    """How many rows one matrix of an input has."""
    return math.prod(shape[len(shape) - dim + 1 :]) if dim > 1 else shape[-2] if len(shape) > 1 else 1


def _among_themselves(graph: Graph, row: list[InputSource], index: int, how: tuple[float, int], rng: Random) -> None:
    """Let rows of an input be near each other, about two and two."""
    (share, least), dim, shape = how, paired_rows(graph)[index], graph.specs[index].shape
    if dim > len(shape) or shape[-dim] < 2 or not row[index].is_plain:
        return
    rows = rows_of(graph, index, dim)
    share = min(max(share, least / rows), _MOST_SHARE)
    noise = rng.uniform(*_NOISE) if graph.specs[index].is_inexact else 0.0
    lines = lines_of(graph, index, dim, share, noise, max(1, int(share * rows / 2)))
    row[index] = replace(in_sorted_order(row[index]), lines=replace(lines, entirely=True))


def _scale(graph: Graph, row: list[InputSource], index: int, power: float, rng: Random) -> None:
    """Scale an input so that a partner's score, divided by a power of its length, stands out from all others."""
    spec, dim = graph.specs[index], paired_rows(graph)[index]
    size, length = size_of(spec, row[index]), spec.shape[-dim]
    score = size * size * length ** (1.0 - power)
    wanted = math.log(max(2, _rows_of_one(spec.shape, dim))) + rng.uniform(*_ABOVE)
    if score and (score < wanted or power == _BY_NOTHING) and holds(spec, row[index], wanted / score):
        row[index] = replace(row[index], table=row[index].table * (wanted / score))
