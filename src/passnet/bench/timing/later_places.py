"""Careful draws of integers beyond the largest recorded ones where the program computes what it always does: a longer
text has later positions, and a position that was kept in eight bits is another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.timing.beyond_bounds import NumbersBeyond, half_of_all, held_by_draws, whole_rows
from passnet.graph.values.indexing import reckoning

if TYPE_CHECKING:
    from passnet.bench.timing.input_source import Backgrounds, InputSource
    from passnet.graph import Graph, TensorSpec

# A later number is up to so many times as large. So many are drawn, and none needs more than so many bits.
_TIMES, _EACH, _BITS = (2, 8, 64), 4, 20
# Numbers that were all 0 or 1 may be marks.
_LEAST = 2


def later_places(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws: half of all elements are later ones, and whole rows. None where each integer is a mark, an index, a
    size or a count, or has no bounds: these have draws of their own.
    """
    found = dict[int, NumbersBeyond]()
    for index, spec in enumerate(graph.specs):
        if _may_be_later(spec) and reckoning(graph, index) is not None:
            held = NumbersBeyond.of(graph, index, sorted(set(_later(spec, rng))))
            if held is not None and len(held.anywhere):
                found[index] = held
    return held_by_draws([(found, half_of_all), (found, whole_rows)], usual, rng)


def _may_be_later(spec: TensorSpec) -> bool:
    bounded = spec.is_integer and spec.data is None and spec.min_val is not None and spec.max_val is not None
    return bounded and spec.max_val is not None and spec.max_val >= _LEAST


def _later(spec: TensorSpec, rng: Random) -> Iterator[int]:
    end, largest = int(spec.max_val or 0) + 1, torch.iinfo(getattr(torch, spec.dtype)).max
    for times in _TIMES:
        most = min(times * end, 1 << _BITS, largest)
        yield from (rng.randint(end, most) for _ in range(_EACH if end <= most else 0))
