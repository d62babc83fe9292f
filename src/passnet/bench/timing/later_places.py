"""Careful draws of integers beyond the largest recorded ones where the program computes what it always does: a longer
text has later positions, and a position that was kept in eight bits is another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.timing.beyond_bounds import NumbersBeyond, half_of_all, held_by_draws, whole_rows
from passnet.graph.text.program import refs_of
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.indexing import reckoning
from passnet.graph.values.thresholds import forms_of
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.bench.timing.input_source import Backgrounds, InputSource
    from passnet.graph import Graph, TensorSpec

# A later number is up to so many times as large. So many are drawn, and none needs more than so many bits.
_TIMES, _EACH, _BITS = (2, 8, 64), 4, 20
# Numbers that were all 0 or 1 may be marks.
_LEAST = 2
_ASKING = word_set("eq ne isin")


def later_places(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws: half of all elements are later ones, and whole rows. None where each integer is a mark, a word, an
    index, a size or a count, or has no bounds: these have draws of their own.
    """
    found, words = dict[int, NumbersBeyond](), _words(graph)
    for index, spec in enumerate(graph.specs):
        if _may_be_later(spec) and index not in words and reckoning(graph, index) is not None:
            held = NumbersBeyond.of(graph, index, sorted(set(_later(spec, rng))))
            if held is not None and len(held.anywhere):
                found[index] = held
    return held_by_draws([(found, half_of_all), (found, whole_rows)], usual, rng)


def _words(graph: Graph) -> set[int]:
    """The inputs that are asked for one number: there is no word beyond the last one."""
    forms, found = forms_of(graph), set[int]()
    for op in renewed(graph).statements:
        if plain_name(op) in _ASKING:
            for ref in refs_of((*op.args, *(value for _, value in op.kwargs))):
                found |= forms.get(ref.index, {}).keys()
    return found


def _may_be_later(spec: TensorSpec) -> bool:
    bounded = spec.is_integer and spec.data is None and spec.min_val is not None and spec.max_val is not None
    return bounded and spec.max_val is not None and spec.max_val >= _LEAST


def _later(spec: TensorSpec, rng: Random) -> Iterator[int]:
    end, largest = int(spec.max_val or 0) + 1, torch.iinfo(getattr(torch, spec.dtype)).max
    for times in _TIMES:
        most = min(times * end, 1 << _BITS, largest)
        yield from (rng.randint(end, most) for _ in range(_EACH if end <= most else 0))
