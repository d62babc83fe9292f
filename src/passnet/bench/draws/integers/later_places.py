"""Careful draws of integers beyond the largest recorded ones where the program computes what it always does: a longer
text has later positions, and a position that was kept in eight bits is another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.integers.beyond_bounds import NumbersBeyond, half_of_all, held_by_draws, whole_rows
from passnet.graph.text.program import refs_of
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.indexing import reckoning
from passnet.graph.values.thresholds import forms_of
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import Backgrounds, InputSource
    from passnet.graph import Graph, TensorSpec

# A later number is up to so many times as large. So many are drawn, and none needs more than so many bits.
_TIMES, _EACH, _BITS = (2, 8, 64), 4, 20
# Numbers that were all 0 or 1 may be marks.
LEAST = 2
_RECKONING = word_set(
    "add sub rsub mul div floor_divide remainder pow matmul mm bmm outer einsum sin cos exp sqrt square prod sum cumsum"
)
_ASKING = word_set("eq ne isin sort argsort topk msort unique kthvalue median mode bincount histc one_hot")


def later_places(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws: half of all elements are later ones, and whole rows. None where each integer is a mark, a word, an
    index, a size or a count, or has no bounds: these have draws of their own.
    """
    found, known = dict[int, NumbersBeyond](), places(graph)
    for index, spec in enumerate(graph.specs):
        if _may_be_later(spec) and index in known and reckoning(graph, index) is not None:
            held = NumbersBeyond.of(graph, index, sorted(set(_later(spec, rng))))
            if held is not None and len(held.anywhere):
                found[index] = held
    return held_by_draws([(found, half_of_all), (found, whole_rows)], usual, rng)


def places(graph: Graph) -> set[int]:
    """The inputs with which a graph reckons. None that are asked for one number or sorted: these are words or kinds,
    and there is none beyond the last one. An honest pass counts them in a table.
    """
    forms, reckoned, words = forms_of(graph), set[int](), set[int]()
    for op in renewed(graph).statements:
        name = plain_name(op)
        found = reckoned if name in _RECKONING else words if name in _ASKING else set[int]()
        for ref in refs_of((*op.args, *(value for _, value in op.kwargs))):
            found.update(forms.get(ref.index, {}))
    return reckoned - words


def _may_be_later(spec: TensorSpec) -> bool:
    recorded = spec.is_integer and spec.data is None and spec.min_val is not None
    return recorded and spec.max_val is not None and spec.max_val >= LEAST


def _later(spec: TensorSpec, rng: Random) -> Iterator[int]:
    end, largest = int(spec.max_val or 0) + 1, torch.iinfo(getattr(torch, spec.dtype)).max
    for times in _TIMES:
        most = min(times * end, 1 << _BITS, largest)
        yield from (rng.randint(end, most) for _ in range(_EACH if end <= most else 0))
