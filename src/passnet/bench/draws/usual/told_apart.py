"""Draws no number twice where a graph chooses among equal numbers in any order, or inverts what may have no inverse."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.input_source import InputSource, Sources
from passnet.bench.wire.generator import BLENDS
from passnet.graph.values.distinct import distinct

if TYPE_CHECKING:
    from passnet.graph import Graph

# What was one number is spread over this part of the largest number, to both sides.
_SPREAD = 1 / 16


def told_apart(graph: Graph, row: Sources) -> list[InputSource]:
    """A usual draw in which equal numbers of such inputs differ. Zeros become small numbers."""
    found = distinct(graph)
    return [_spread(each) if index in found else each for index, each in enumerate(row)]


def _spread(source: InputSource) -> InputSource:
    """The same numbers, but for those that come several times. They are spread about where they were, within the ends
    of the others.
    """
    if source.kind not in BLENDS.values():
        return source
    table = source.table.clone()
    values, counts = torch.unique_consecutive(table.sort().values, return_counts=True)
    room = _SPREAD * float(table.abs().max())
    for value in values[counts > 2].tolist():
        here = table == value
        low, high = max(value - room, float(table.min())), min(value + room, float(table.max()))
        table[here] = torch.linspace(low, high, int(here.sum()), dtype=table.dtype)
    return source if torch.equal(table, source.table) else replace(source, table=table.sort().values)
