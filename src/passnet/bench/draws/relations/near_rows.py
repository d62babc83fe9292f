"""Careful draws in which a secret share of rows lies near one row, or near some, and all others are as usual.

Rows that are drawn by themselves are nearly orthogonal, at every size. So the mean and the variance of the products of
all pairs of rows tell what follows from these, and a form that computes no more is right. Where all rows are alike, one
of them tells so. These draws are for graphs in which rows of data are multiplied with each other, see `paired_rows`.

A form that screens pairs by a part of their elements, or roughly, loses those that are alike elsewhere, or not much. So
in some draws rows are near one of several, hardly or nearly all of the way, and some in a part of their elements alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from passnet.bench.draws.relations.alike_lines import fits, in_sorted_order, of_one_kind
from passnet.bench.draws.relations.near_weights import CENTRES, lines_of, toward_weight
from passnet.bench.wire.generator import AlikeLines
from passnet.graph.values.paired_rows import paired_rows
from passnet.graph.values.paired_weights import paired_weights
from passnet.graph.values.weight_rows import met_rows, weight_rows

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph

Sources = Sequence["InputSource"]
# The shares of near rows in each draw, in what is multiplied first and in what by. A look at some rows sees none of few
# ones, yet many in the other input are near these. Fewer change a mean by less than its room on a hard draw.
_FEW, _SOME, _MANY = (0.025, 0.04), (0.055, 0.07), (0.1, 0.2)
# Two draws have a few near rows alone. A look at many pairs finds none of them, and outputs of one row each show them.
# The third number of each draw: so many rows of an input are near at least, as far as chance tells.
_NONE = (1e-9, 1e-9)
_ABOUT_ONE = ((_FEW, _MANY, 2), (_SOME, _FEW, 2), (_SOME, _SOME, 2), (_NONE, _NONE, 4))
_ABOUT_SOME = ((_NONE, _NONE, 8), (_FEW, _FEW, 8), (_SOME, _SOME, 8))
_DRAWS = (*((False, each) for each in _ABOUT_ONE), *((True, each) for each in _ABOUT_SOME))
# How far from their centre near rows lie at most, as a share of the way through the table. Two of the first have a
# cosine above 0.94. Of the others some lie a sixteenth as far as others, so it is anything from 0.1 to 0.99.
_NOISE, _WIDE_NOISE = (0.0, 0.125), (0.25, 0.75)
# No more rows are near than this share.
_MOST = 0.5
# So many rows have a partner of their own in two more draws. Weights behind them are so far from each other at most, as
# near rows are.
_PARTNERS, _APART = (0.25, 0.4), ((0.0, 0.3), (0.3, 0.5))
# A share that leaves out no line.
_ALL = 1.0 - 2.0**-32


def near_rows(graph: Graph, usual: Iterator[Sources], rng: Random) -> list[list[InputSource]]:
    """The draws. None where no rows of data are multiplied with each other.

    Inputs that are drawn freely share a table in them, if they may. So what is near in one is near in the next. In
    every other draw it is near rows of a weight too, where there is one. In the others two weights of one shape behind
    what is multiplied are one: rows that are near each other are so behind them, too.
    """
    made: list[list[InputSource]] = []
    paired = paired_rows(graph)
    for some, (*ranges, least) in _DRAWS if paired else ():
        base = next(usual)
        row, noise, part = list(base), rng.uniform(*(_WIDE_NOISE if some else _NOISE)), rng.random()
        first, others = (math.exp(rng.uniform(*map(math.log, ends))) for ends in ranges)
        shares = dict.fromkeys(paired, others) | {next(iter(paired)): first}
        for index, source in _tables(graph, base, paired, rng).items():
            shape, dim = graph.specs[index].shape, paired[index]
            if dim <= len(shape) and shape[-dim] > 1:
                rows = math.prod(shape) / shape[-dim]
                share = min(max(shares[index], least / rows), _MOST)
                own = noise if graph.specs[index].is_inexact else 0.0  # no integer lies on the way
                centres = int(max(1.0, share * rows / 4) ** part) if some else 0  # few, or one of about two rows
                lines = AlikeLines(shape[-dim], math.prod(shape[len(shape) - dim + 1 :]), share, own, centres)
                row[index] = replace(source, lines=lines)
        if len(made) % 2 == 0:
            _toward_weights(graph, row, paired, rng)
        else:
            behind_one_weight(graph, row, 0.0)
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made + _partners(graph, usual, paired, rng)


def _partners(
    graph: Graph, usual: Iterator[Sources], paired: Mapping[int, int], rng: Random
) -> list[list[InputSource]]:
    """Draws in which many rows of one input are near rows of another, each near one of its own, behind like weights.

    So are images and their texts in a trained model. Where they are few, or all near one row, moments tell so. They
    tell where two weights are one, too: both have the same rows that are long. So these are nearly one.
    """
    made: list[list[InputSource]] = []
    for ends in _APART if paired_weights(graph) else ():
        base = next(usual)
        row, tables = list(base), _tables(graph, base, paired, rng)
        first, *rest = paired
        lengths = {index: graph.specs[index].shape[-paired[index]] for index in tables}
        others = [index for index in rest if lengths.get(index) == lengths.get(first) and lengths.get(index, 1) > 1]
        for other in rng.sample(others, min(1, len(others))):
            lines = lines_of(graph, first, paired[first], rng.uniform(*_PARTNERS), rng.uniform(*_NOISE), CENTRES)
            row[first], row[other] = replace(tables[first], lines=replace(lines, entirely=True)), tables[other]
            if toward_weight(graph, row, met_rows(graph, first, paired[first], other, paired[other])):
                behind_one_weight(graph, row, rng.uniform(*ends))
                made.append(row)
    return made


def _toward_weights(graph: Graph, row: list[InputSource], paired: Mapping[int, int], rng: Random) -> None:
    """Let what is near in these inputs be near rows of a weight by which they are multiplied: one for all rows of a
    length.
    """
    found = [each for each in weight_rows(graph) if paired.get(each.data) == each.dim and row[each.data].lines]
    for each in rng.sample(found, len(found)):
        length = graph.specs[each.data].shape[-each.dim]
        alike = [index for index in paired if (lines := row[index].lines) is not None and lines.length == length]
        if all(lines.others == 0 for index in alike if (lines := row[index].lines) is not None):
            toward_weight(graph, row, each, [index for index in alike if index != each.data])


def behind_one_weight(graph: Graph, row: list[InputSource], noise: float) -> None:
    """Let each second one of two weights hold the numbers of the first, or nearly, where it may: it is one line near
    that.
    """
    for first, second in paired_weights(graph):
        one, other, size = row[first], row[second], graph.specs[first].numel
        free = one.is_plain and other.is_plain and not (one.same or other.same)
        if free and one.kind == other.kind and fits(graph.specs[second], other, one):
            row[first] = in_sorted_order(one)
            lines = AlikeLines(size, 1, _ALL, noise, 1, entirely=True, other=first, others=1)
            row[second] = replace(row[first], lines=lines)


def _tables(graph: Graph, usual: Sources, paired: Mapping[int, int], rng: Random) -> dict[int, InputSource]:
    """The tables of these inputs: that of one of their kind, where they may hold its numbers."""
    made = {}
    for indices in of_one_kind(graph, usual):
        some = [index for index in indices if index in paired]
        for table in rng.sample([usual[index] for index in some], min(1, len(some))):
            for index in some:
                own = usual[index]
                made[index] = in_sorted_order(table if fits(graph.specs[index], own, table) else own)
    return made
