"""A careful draw in which one stored integer of many is another one of the stored numbers.

In other draws stored integers are others everywhere. So whoever keeps what follows from them could know them again by a
few, and be wrong for a call in which one of the others differs.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from passnet.bench.draws.content.drawn_content import with_content
from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.bench.draws.content.stored_content import is_ordered
from passnet.graph.values.constants import stored
from passnet.graph.values.indexing import reckoning, writing_indices
from passnet.graph.values.roles import roles_of

if TYPE_CHECKING:
    import torch

    from passnet.graph import Graph

# Of fewer integers all are looked at as quickly as a few.
_MANY = 256


def one_stored(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draw, or none where no many integers are stored that may be others. None by which something is written, none
    in order, and none from which a size follows.
    """
    contents = {
        index: changed
        for index, spec in enumerate(graph.specs)
        if spec.is_integer and spec.numel >= _MANY and (changed := _changed(graph, index, rng)) is not None
    }
    return [with_content(next(usual), contents)] if contents else []


def _changed(graph: Graph, index: int, rng: Random) -> torch.Tensor | None:
    """The stored content of an input with one element that is another one of its numbers."""
    content, roles = stored(graph.specs[index]), roles_of(graph.program, graph.specs)
    if content is None or index in writing_indices(graph) or is_ordered(content, roles[index]):
        return None
    if reckoning(graph, index) is None and index not in graph.index_bounds():
        return None
    changed = content.clone()
    flat = changed.view(-1)
    place = rng.randrange(len(flat))
    others = flat[flat != flat[place]]
    if not len(others):
        return None
    flat[place] = others[rng.randrange(len(others))]
    return changed
