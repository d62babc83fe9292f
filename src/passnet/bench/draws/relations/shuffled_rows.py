"""Careful draws in which rows of an input are those of another one in another order, as anagrams and sets are.

Where each number is drawn by itself, no two rows are of the same numbers, unless these are few: so several different
ones tell that a comparison of sorted rows finds nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import (
    ALL_BUT_ONE,
    OTHER,
    RUN,
    Content,
    Contents,
    Turn,
    content_draws,
    rows_in_turn,
    some_rows,
)
from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.graph.values.shuffled import Shuffled, shuffled_of

if TYPE_CHECKING:
    from passnet.graph import Graph


def shuffled_rows(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws. Some rows are others as a whole, some but for a number or two, and some hold a part of another one."""
    return content_draws(graph, usual, rng, shuffled_of(graph), _write)


def _write(contents: Contents, each: Shuffled, turn: Turn, rng: Random) -> None:
    one, other = _sides(contents, each)
    into, given = (_rows(contents[index].values, along) for index, along in (one, other))
    own = one[0] == other[0]
    order = some_rows(len(into), rng)
    halves = rng.sample(order, len(order)) if own else []
    takers, givers = (halves[::2], halves[1::2]) if own else (order, list(range(len(given))))
    for place, kind in rows_in_turn(len(takers), turn, rng) if givers else ():
        row = takers[place]
        source = given[givers[place % len(givers)] if own else row % len(given)]
        made = contents[one[0]].within(source[_order(len(source), into.shape[1], rng)], into[row])
        if kind == RUN:
            kept = rng.sample(range(len(made)), len(made) // 2)
            made[kept] = into[row, kept]
        elif kind == ALL_BUT_ONE:
            _spoil(made, into[row], contents[one[0]], rng)
        if kind != OTHER:
            into[row] = made
    target = contents[one[0]].values
    moved = _last(target, one[1])
    moved.copy_(into.reshape(moved.shape))


def _sides(contents: Contents, each: Shuffled) -> tuple[tuple[int, tuple[int, ...]], tuple[int, tuple[int, ...]]]:
    """The input that takes, and the one that gives, with the dimensions of their rows: who has more rows takes, and of
    as many who may hold more.
    """
    sides = ((each.one, each.along), (each.other, each.beside))
    known = [(len(_rows(contents[index].values, along)), contents[index].width) for index, along in sides]
    return sides if known[0] >= known[1] else sides[::-1]


def _rows(values: torch.Tensor, along: Sequence[int]) -> torch.Tensor:
    """The rows along these dimensions, copied."""
    moved = _last(values, along)
    return moved.reshape(-1, math.prod(moved.shape[-len(along) :])).clone()


def _last(values: torch.Tensor, along: Sequence[int]) -> torch.Tensor:
    """The same elements with these dimensions last."""
    rank = values.dim()
    return values.permute(*(dim for dim in range(rank) if dim not in along), *along)


def _order(numbers: int, places: int, rng: Random) -> list[int]:
    """Which of so many numbers is at each place: all in another order, turned, or two of them exchanged. Not all where
    there are fewer places, and some again where there are more.
    """
    way, order = rng.randrange(4), list(range(numbers))
    if way == 0 and numbers == places:
        one, other = rng.sample(order, 2)
        order[one], order[other] = other, one
        return order
    if way == 1 and numbers == places:
        begin = rng.randrange(1, numbers)
        return order[begin:] + order[:begin]
    some = rng.sample(order, numbers)
    return rng.sample([some[place % numbers] for place in range(places)], places)


def _spoil(row: torch.Tensor, own: torch.Tensor, content: Content, rng: Random) -> None:
    """Change one number: to one that was drawn, or to another one of the row. Or two, and their sum stays."""
    one, other = rng.sample(range(len(row)), 2)
    way = rng.randrange(3)
    if way == 0 and not row.is_floating_point() and row[one] < content.ends[1] and row[other] > content.ends[0]:
        row[one] += 1
        row[other] -= 1
    elif way == 1:
        row[one] = row[other].clone()
    else:
        row[one] = own[one]
