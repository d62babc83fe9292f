"""Draws what a graph searches in order, and its ties in one careful draw: nobody knows what a search among other
numbers should find.
"""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import content_of, may_be_content
from passnet.bench.draws.content.held_values import bounds_of
from passnet.bench.draws.content.input_source import InputSource, Sources
from passnet.bench.wire.generator import AlikeLines, DrawKind
from passnet.graph.values.searched import SearchedLines, searched, sorted_lines

if TYPE_CHECKING:
    from passnet.graph import Graph

# A line of ties holds each of its numbers so often, on average. Lines are of these kinds in turn.
_AGAIN = (1, 2, 8)


def in_search_order(graph: Graph, row: Sources) -> list[InputSource]:
    """A draw in which all that is searched is in order, whatever else it was."""
    made = list(row)
    for index, lines in searched(graph).items():
        made[index] = _ordered(made[index], lines, graph.specs[index].shape)
    return made


def searched_ties(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """A draw in which lines that are searched hold numbers several times, and gaps between them. None where no line is
    searched.

    Where a line rises evenly, no two of its numbers are equal, and no part of it is empty.
    """
    row, drawn = list(usual), torch.Generator().manual_seed(rng.getrandbits(48))
    for index, lines in searched(graph).items():
        spec, own = graph.specs[index], replace(usual[index], lines=None)
        bounds = bounds_of(graph, index)
        if bounds is None or not may_be_content(graph, index, own):
            continue
        content = content_of(spec, own, bounds, rng).reshape(-1, lines.length, lines.inner)
        for number, line in enumerate(content):
            kept = max(1, math.ceil(lines.length / _AGAIN[number % len(_AGAIN)]))
            line.copy_(line[torch.randint(kept, (lines.length,), generator=drawn)])
        row[index] = own.of_content(sorted_lines(content.reshape(spec.shape), lines), held=False)
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def _ordered(source: InputSource, lines: SearchedLines, shape: tuple[int, ...]) -> InputSource:
    """The same numbers in order. What some of its places had of their own is left out."""
    even = AlikeLines.in_order(lines.length, inner=lines.inner, falls=lines.falls)
    how = source.lines if source.rises and source.lines else even  # of stored content a first number may stay
    if source.kind is not DrawKind.COPY:
        table = source.table[~source.table.isnan()] if source.kind is DrawKind.PICK else source.table
        entries = len(table) if source.kind is DrawKind.PICK else source.entries
        if len(table):
            source = InputSource(source.kind, table, entries, roughly=source.roughly)
        return source.in_lines(how)
    if source.entries:
        numel = math.prod(shape)
        table = source.table.repeat(-(-numel // source.entries))[:numel]
        return replace(source, table=sorted_lines(table, lines), entries=0)
    return replace(source, table=sorted_lines(source.table, lines))
