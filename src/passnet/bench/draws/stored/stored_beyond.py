"""Careful draws in which stored integers are those of another call: padded where a table is looked up by them, and
later or larger where a program reckons with them.

No number of padding is among the ids of a call that has none, and the positions of a short text are the first ones.
What is compared and not looked up has draws of its own, see `stored_met`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.bench.draws.integers.beyond_bounds import (
    Change,
    NumbersBeyond,
    half_of_all,
    held_by_draws,
    held_everywhere,
    looked_for,
)
from passnet.bench.draws.integers.later_places import LEAST, places
from passnet.bench.draws.values.about_thresholds import as_stored
from passnet.graph.values.constants import stored
from passnet.graph.values.indexing import reckoning, writing_indices
from passnet.graph.values.integer_bits import bits_by_degree

if TYPE_CHECKING:
    from passnet.graph import Graph

# So many of an input's numbers are taken.
_MOST = 16
# By how many powers of two the numbers of a draw are larger than the stored ones. In the last draw they have up to so
# many bits at least: a long text's places. All of a draw are of one size, or eager computes other slices well in each
# call. Each number up to the largest size may come.
_NEXT, _LATER, _FAR = (0.3, 3.0), (3.0, 6.0), (6.0, 8.0)
_BITS, _ALIKE, _EACH = 17.0, 0.8, 8


def stored_beyond(graph: Graph, usual: Backgrounds, rng: Random, met: Collection[int] = ()) -> list[list[InputSource]]:
    """The draws, or none where no stored integer is compared and looked up, and none is reckoned with. `met`: the
    inputs that meet the numbers of the program in other draws.
    """
    recorded = _recorded(graph)
    if not recorded:
        return []
    freed = _with_bounds(graph, recorded)
    sources = {index: InputSource.of_these(content) for index, content in recorded.items()}

    def rows(held: Collection[int]) -> Backgrounds:
        for row in usual:
            # Where floats are others in each call, eager computes other slices well.
            others = [as_stored(*each) for each in zip(graph.specs, row, strict=True)]
            yield [sources[index] if index in held else each for index, each in enumerate(others)]

    sought = {index: each for index, each in _sought(freed, rng).items() if index in recorded and index not in met}
    later = _later(freed, recorded, rng)
    made = held_everywhere(sought, rows(sought), rng) if sought else []
    return made + held_by_draws(later, rows({index for found, _ in later for index in found}), rng)


def _recorded(graph: Graph) -> dict[int, torch.Tensor]:
    """The stored content of inputs of integers. None by which something is written: of equal ones one is left by
    chance.
    """
    found, written = dict[int, torch.Tensor](), writing_indices(graph)
    for index, spec in enumerate(graph.specs):
        content = stored(spec) if spec.is_integer and spec.numel and index not in written else None
        if content is not None:
            found[index] = content
    return found


def _with_bounds(graph: Graph, recorded: Mapping[int, torch.Tensor]) -> Graph:
    """The graph as if this content had not been stored, but its least and its largest number."""
    specs = list(graph.specs)
    for index, content in recorded.items():
        numbers = content.flatten().tolist()
        ends = min(numbers), max(numbers)
        specs[index] = replace(specs[index], data=None, mean=None, std=None, min_val=ends[0], max_val=ends[1])
    return replace(graph, specs=tuple(specs))


def _sought(freed: Graph, rng: Random) -> dict[int, NumbersBeyond]:
    """The numbers with which a program compares integers, as far as all that is looked up by these has such entries."""
    found = dict[int, NumbersBeyond]()
    for index, numbers in looked_for(freed).items():
        ends = torch.iinfo(getattr(torch, freed.specs[index].dtype))
        held = sorted(number for number in numbers if ends.min <= number <= min(ends.max, torch.iinfo(torch.int64).max))
        known = NumbersBeyond.of(freed, index, rng.sample(held, min(_MOST, len(held))))
        if known is not None:
            found[index] = known
    return found


def _later(freed: Graph, recorded: Collection[int], rng: Random) -> list[tuple[dict[int, NumbersBeyond], Change]]:
    """For each draw the numbers behind those stored, of inputs with which a graph reckons, and where they are."""
    kinds: list[tuple[tuple[float, float], Change]] = [
        (_NEXT, half_of_all), (_NEXT, half_of_all), (_LATER, half_of_all), (_LATER, half_of_all), (_FAR, _all),
    ]  # fmt: skip
    made: list[tuple[dict[int, NumbersBeyond], Change]] = [({}, change) for _, change in kinds]
    for index in sorted(places(freed) & set(recorded)):
        end = int(freed.specs[index].max_val or 0) + 1
        if end <= LEAST or reckoning(freed, index) is None:
            continue
        most = (1 << bits_by_degree(freed, index)) - 1
        for (powers, _), (found, _) in zip(kinds, made, strict=True):
            held = NumbersBeyond.of(freed, index, _behind(end, powers, most, rng))
            if held is not None and len(held.anywhere):
                found[index] = held
    return made


def _behind(end: int, powers: tuple[float, float], most: int, rng: Random) -> list[int]:
    """Numbers of one size, from the end on. None where what follows from them would overflow."""
    least_power, power = powers
    if powers is _FAR:
        power = max(power, _BITS - math.log2(end))
    size = min(most, round(end * 2 ** rng.uniform(least_power, power)))
    least = max(end, round(_ALIKE * size))
    return sorted({rng.randint(least, size) for _ in range(_EACH if least <= size else 0)})


def _all(known: NumbersBeyond, source: InputSource, rng: Random) -> InputSource:
    return source.of_these(known.one(rng) if known.few else known.anywhere)
