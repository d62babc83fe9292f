"""A careful draw of rows that are about as far from zero, for their spread, as a narrow dtype can hold.

A deviation is a few steps of the dtype there. So the mean square minus the squared mean cancels in float32 too. With a
deviation of one step a mean of thousands of numbers that are added one by one would be too rough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import bounds_of, size_of
from passnet.bench.wire.generator import RowSizes
from passnet.graph.values.inputs import hardened
from passnet.graph.values.means import takes_means

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph

_ENTRIES, _NARROW = 2048, 2
_STEPS = 4.0
# Rows have sizes between these powers of two.
_LEAST, _SPAN = 3.0, 6.0


def near_resolution(graph: Graph, usual: Sequence[InputSource], rng: Random) -> list[list[InputSource]]:
    """The draw, or none where a graph takes no mean from its numbers, or none of them is narrow."""
    if not takes_means(graph):
        return []
    row, sign = list(usual), rng.choice((1.0, -1.0))
    generator = torch.Generator().manual_seed(rng.getrandbits(48))
    most = 2.0 ** (_LEAST + _SPAN + 1)
    for index in sorted(hardened(graph)):
        spec, each = graph.specs[index], usual[index]
        dtype = getattr(torch, spec.dtype)
        if not spec.is_floating or dtype.itemsize != _NARROW or not size_of(spec, each):
            continue
        low, high = bounds_of(graph, index) or (0.0, 0.0)
        if low <= min(0.0, sign * most) and max(0.0, sign * most) <= high:
            normal = torch.randn(_ENTRIES, generator=generator, dtype=torch.float64)
            values = sign * (1.5 + _STEPS * torch.finfo(dtype).eps * normal)
            sizes = RowSizes(max(1, *spec.shape[-1:]), _LEAST, _SPAN)
            row[index] = replace(each.of_these(values.to(dtype)), sizes=sizes)
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []
