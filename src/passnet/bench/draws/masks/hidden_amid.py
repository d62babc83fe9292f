"""What an input holds in careful draws that may be a mask, or scores to which one was added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.input_source import InputSource, Sources
from passnet.bench.wire.generator import BLENDS, DrawnRow
from passnet.graph.values.hiding import added
from passnet.graph.values.inputs import RowStructure

if TYPE_CHECKING:
    from passnet.graph import Graph


def ways_of(
    graph: Graph, structures: Sequence[RowStructure], usual: Sequence[Sources], plain: Sources, masks: Sources | None
) -> list[list[Sources]]:
    """The usual draws with such inputs as data that hide nothing, and as masks of two numbers alone. Only the first
    where none of them is added to anything: these are scores. A careful draw is of one of both ways.

    `plain`: a draw that has all of them amid ordinary elements. `masks`: one in which they are of two numbers.
    """
    hiding = {
        index
        for index, (spec, each) in enumerate(zip(graph.specs, structures, strict=True))
        if each.hides and getattr(torch, spec.part_dtype) in BLENDS and _is_ordinary(plain[index])
    }
    if not hiding or masks is None:
        return [list(usual)]
    data: list[Sources] = [
        _with(row, {index: _free(_one(row[index], plain[index], True)) for index in hiding}) for row in usual
    ]
    if hiding.isdisjoint(added(graph.program)):
        return [data]
    alone = {index: replace(masks[index], row=replace(masks[index].row, uneven=0)) for index in hiding}
    pure: list[Sources] = [_with(row, {i: _one(row[i], alone[i], False) for i in hiding}) for row in usual]
    return [data, pure]


def _one(own: InputSource, other: InputSource, ordinary: bool) -> InputSource:
    return own if _is_ordinary(own) is ordinary else other


def _free(source: InputSource) -> InputSource:
    return replace(source, row=DrawnRow(0, 0, 0))


def _with(row: Sources, others: dict[int, InputSource]) -> list[InputSource]:
    return [others.get(index, each) for index, each in enumerate(row)]


def _is_ordinary(source: InputSource) -> bool:
    """Whether an input's elements are ordinary, but for those that are hidden."""
    return source.kind in BLENDS.values()
