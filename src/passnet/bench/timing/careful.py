"""Hard draws that not every graph survives: a reference looks first, and those on which eager fails do not count.

Each is a usual draw in which some inputs are what a naive form may not expect. They are made once for a graph, and go
with its other hard draws as siblings of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING

from passnet.graph.values.inputs import hardened

if TYPE_CHECKING:
    from passnet.bench.timing.draws import InputSource
    from passnet.graph import Distribution, Graph

Sources = Sequence["InputSource"]
# Draws inputs from a hard distribution, weights and statistics too.
DrawHard = Callable[["Distribution"], Sources]


def weights(
    graph: Graph, usual: Sources, hard: Sequence[Distribution], draw: DrawHard, rng: Random
) -> list[list[InputSource]]:
    """Draws in which some weights and statistics are hard, and all data is ordinary: one for each distribution.

    A name may be wrong, and what a graph calls a bias may be what a softmax is of. Some, because all at once are more
    than a narrow dtype holds.
    """
    chosen = [
        index
        for index in sorted(hardened(graph, every=True) - hardened(graph))
        if graph.specs[index].is_floating and graph.specs[index].numel > 1
    ]
    if not chosen:
        return []
    made = []
    for name in hard:
        some = {rng.choice(chosen), *(index for index in chosen if rng.random() < 0.5)}
        pairs = enumerate(zip(usual, draw(name), strict=True))
        made.append([other if index in some else each for index, (each, other) in pairs])
    return made
