"""Careful draws of integers beyond the largest recorded ones, from where on a program computes something else of them.

A text was no longer than a clamp asks, no position reached the next step of a floor, and no key was farther from its
query than a window. Just beyond that a logarithm has no effect yet, so most of these numbers lie far beyond.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.integers.beyond_bounds import NumbersBeyond, half_of_all, held_by_draws, in_a_few, whole_rows
from passnet.graph.values.turns import turns

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import Backgrounds, InputSource
    from passnet.graph import Graph, TensorSpec
    from passnet.graph.values.turns import TurningPoint

# A far number is so many times as far. Of each turn there are so many of them, and so many turns at most.
_NEAREST, _FARTHEST, _EACH, _MOST_TURNS = 1.05, 6.0, 4, 4
# A mask is compared with no larger number, and none that is drawn needs more than 32 bits.
_LEAST, _LARGEST = 2, 2**31 - 1
# Nearer than this part of what lies between two turns it is chance on which side an honest form is.
_BESIDE = 0.02


def beyond_turns(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws: half of all elements are numbers next to such turns in one, and far ones in another. In two more a few
    elements are far, and whole rows. None where no input has a turn beyond its bounds.
    """
    near, far = dict[int, NumbersBeyond](), dict[int, NumbersBeyond]()
    for index, known in turns(graph, rng).items():
        spec = graph.specs[index]
        some = [each for each in known if each.surely >= _LEAST and each.surely * _NEAREST > (spec.max_val or 0)]
        some = rng.sample(some, min(_MOST_TURNS, len(some)))
        for made, numbers in ((near, _near(some, rng)), (far, _far(some, rng))):
            held = NumbersBeyond.of(graph, index, _held(spec, numbers))
            if held is not None and len(held.anywhere):
                made[index] = held
    changes = [(near, half_of_all), (far, half_of_all), (far, in_a_few), (far, whole_rows)]
    return held_by_draws(changes, usual, rng)


def _near(known: Sequence[TurningPoint], rng: Random) -> Iterator[int]:
    """The whole numbers next to turns, and one between where other inputs decide. Not where something rounds before."""
    for turn in known:
        if turn.exact:
            first, surely = math.ceil(turn.first), math.ceil(turn.surely)
            yield from (end + step for end in (first, surely) for step in (-1, 0, 1))
            yield rng.randint(first, surely)


def _far(known: Sequence[TurningPoint], rng: Random) -> Iterator[int]:
    """Some numbers far beyond each turn."""
    for turn in known:
        times = [rng.uniform(_NEAREST, _FARTHEST) for _ in range(2 * _EACH)]
        numbers = [max(round(turn.surely * each), math.floor(turn.surely) + 1) for each in times]
        yield from [number for number in numbers if _is_clear(turn, number)][:_EACH]


def _is_clear(turn: TurningPoint, number: int) -> bool:
    return turn.apart is None or abs(math.remainder(number - turn.surely, turn.apart)) > _BESIDE * turn.apart


def _held(spec: TensorSpec, numbers: Iterator[int]) -> list[int]:
    """Those beyond the largest recorded number which the dtype has."""
    most = min(torch.iinfo(getattr(torch, spec.dtype)).max, _LARGEST)
    low = math.inf if spec.max_val is None else spec.max_val
    return sorted({number for number in numbers if low < number <= most})
