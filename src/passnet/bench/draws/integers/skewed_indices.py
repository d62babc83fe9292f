"""A careful draw in which indices are skewed, as words, users and members of groups are: few entries are most of them.

Where each index is drawn by itself, every entry is met about as often as any other one.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.input_source import PICKED, InputSource, Sources
from passnet.bench.draws.content.integer_ranges import ranges_of
from passnet.bench.draws.content.met_relations import skewed
from passnet.graph.values.indexing import writing_indices
from passnet.graph.values.met_indices import met_indices

if TYPE_CHECKING:
    from passnet.graph import Graph


def skewed_indices(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """The draw, or none where no drawn input indexes anything. None of those at which is written: of two that are equal
    it is chance which one is left.
    """
    row, drawn = list(usual), torch.Generator().manual_seed(rng.getrandbits(48))
    met = {part.index for each in met_indices(graph) for part in each.parts}
    indices = (graph.index_bounds().keys() | met) - writing_indices(graph)
    for index, (low, high) in ranges_of(graph, usual).items():
        if index in indices and usual[index].is_plain and high - low < torch.iinfo(torch.int64).max // 2:
            values = skewed(high - low + 1, PICKED, drawn, rng) + low
            row[index] = usual[index].of_these(values.to(getattr(torch, graph.specs[index].dtype)))
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []
