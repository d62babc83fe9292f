"""Careful draws in which a short input stands in a longer one: as a whole, only its beginning, and but for one element.

A text of several words that are drawn one by one is in no other one, unless all words are few. So such words tell that
a search finds nothing.
"""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import (
    ALL_BUT_ONE,
    OTHER,
    RUN,
    Contents,
    Turn,
    content_draws,
    rows_in_turn,
    some_rows,
)
from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.graph.values.contained import Contained, contained_of

if TYPE_CHECKING:
    from passnet.graph import Graph


def contained_inputs(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws. Beside a whole block a beginning stands too, and one but for an element, where there is room."""
    return content_draws(graph, usual, rng, contained_of(graph), _write)


def _write(contents: Contents, each: Contained, turn: Turn, rng: Random) -> None:
    short, long = contents[each.short], contents[each.long]
    given, into, drawn = (_blocks(content.values, each.dims) for content in (short, long, long))
    order = some_rows(max(len(given), len(into)), rng)
    for place, kind in rows_in_turn(len(order), turn, rng):
        block, number = given[order[place] % len(given)], order[place] % len(into)
        beside = [] if len(given) > len(into) else [RUN, ALL_BUT_ONE]  # or else other blocks need the room
        for one in [] if kind == OTHER else [*beside, kind]:
            _stand(block, (into[number], drawn[number]), (one, each.step), rng)
    long.values.copy_(long.within(into, drawn).view_as(long.values))


def _stand(block: torch.Tensor, into: tuple[torch.Tensor, torch.Tensor], how: tuple[int, int], rng: Random) -> None:
    """Let a block stand somewhere in another one: at either end, or at any place between. `into`: what it is now, and
    as it was drawn. `how`: of which kind, and how far the places are from each other.
    """
    kind, step = how
    target, drawn = into
    for dim, (size, room) in enumerate(zip(block.shape, target.shape, strict=True)):
        begin = _begin(size, room, 1 if dim else step, rng)
        target, drawn = target.narrow(dim, begin, size), drawn.narrow(dim, begin, size)
    made = block.clone()
    if kind == RUN:
        kept = rng.randint(math.ceil(len(made) / 2), max(1, len(made) - 1))
        made[kept:] = drawn[kept:]
    elif kind == ALL_BUT_ONE:
        at = tuple(rng.randrange(size) for size in made.shape)
        made[at] = drawn[at]
    target.copy_(made)


def _begin(size: int, room: int, step: int, rng: Random) -> int:
    last = (room - size) // step
    return step * rng.choice((0, last, *(rng.randint(0, last) for _ in range(4))))


def _blocks(values: torch.Tensor, dims: int) -> torch.Tensor:
    """The blocks of so many last dimensions, copied."""
    return values.reshape(-1, *values.shape[values.dim() - dims :]).clone()
