"""Two careful draws: some inputs are far larger than usual in one, the others in the other.

Where all inputs are large, what one of them does is little beside the others, and a form may leave it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import holds, size_of
from passnet.bench.draws.content.input_source import Backgrounds
from passnet.bench.draws.sizes.far_floats import largest_power
from passnet.graph.values.inputs import hardened

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph

Sources = Sequence["InputSource"]
# An input that is large has an RMS of so many powers of two.
_POWER = (13.0, 17.0)


def one_large(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws, or none where fewer than two inputs may be large."""
    power, base = rng.uniform(*_POWER), next(usual)
    sizes = {index: size_of(graph.specs[index], base[index]) for index in hardened(graph)}
    chosen = [
        index
        for index, size in sorted(sizes.items())
        if size
        and holds(graph.specs[index], base[index], 2.0**power / size)
        and power <= largest_power(graph, graph.specs[index])
    ]
    if len(chosen) < 2:
        return []
    first = set(rng.sample(chosen, len(chosen) // 2))
    made = []
    for each, some in ((base, first), (next(usual), {*chosen} - first)):
        made.append([_large(graph, source, n, power) if n in some else source for n, source in enumerate(each)])
    return made


def _large(graph: Graph, source: InputSource, index: int, power: float) -> InputSource:
    """An input whose RMS is this power of two, and that has no zeros."""
    values = source.table.flatten().double()
    values = values[values != 0.0]
    values = values * (2.0**power / (float(values.square().mean().sqrt()) or 1.0))
    return source.of_values(values.to(getattr(torch, graph.specs[index].part_dtype)))
