"""Careful draws in which rows of integers are others but for a few places, as codes of nearly the same things are.

Rows that are drawn one by one are equal hardly anywhere, and rows that are equal are so in all places. What a form
makes of those between is seen in no other draw.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import Contents, Turn, content_draws, some_rows
from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.graph.values.counted_rows import CountedRows, counted_of

if TYPE_CHECKING:
    from passnet.graph import Graph

# Such a share of the rows is left as it is drawn.
_LEFT = 0.25
# Rows differ in so many places more or less than the program's number, or in none, or in few of any number.
_BESIDE = (-1, 0, 0, 1)


def near_codes(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws, or none where a graph counts no places in which rows of integers are equal."""
    return content_draws(graph, usual, rng, counted_of(graph), _write)


def _write(contents: Contents, each: CountedRows, turn: Turn, rng: Random) -> None:
    one, other = sorted((each.one, each.other), key=lambda index: -len(_rows(contents[index].values)))
    into, given, own = _rows(contents[one].values), _rows(contents[other].values).clone(), one == other
    order = some_rows(len(into), rng)
    halves = rng.sample(order, len(order)) if own else []
    takers, givers = (halves[::2], halves[1::2]) if own else (order, list(range(len(given))))
    few = len(takers) <= 1 / _LEFT
    for row in takers if givers else ():
        if not few and (row % turn[1] != turn[0] or rng.random() < _LEFT):
            continue
        source = given[rng.choice(givers) if each.pairs else row % len(given)]
        made = contents[one].within(source, into[row])
        at = rng.sample(range(len(made)), _differing(each, len(made), rng))
        made[at] = _others(source[at], into[row][at], contents[one].ends)
        into[row] = made


def _rows(values: torch.Tensor) -> torch.Tensor:
    return values.view(-1, values.shape[-1])


def _differing(each: CountedRows, length: int, rng: Random) -> int:
    """In how many places a row differs from another one: about the program's number in most rows, any in the others."""
    if each.differing and rng.random() < 0.75:
        return min(max(0, rng.choice(each.differing) + rng.choice(_BESIDE)), length)
    return min(int(2 ** rng.uniform(0.0, length.bit_length())) - 1, length)


def _others(numbers: torch.Tensor, drawn: torch.Tensor, ends: tuple[float, float]) -> torch.Tensor:
    """Those that were drawn, or the next ones where these are the same."""
    beside = torch.where(drawn < int(ends[1]), drawn + 1, drawn - 1)
    return torch.where(drawn == numbers, beside, drawn)
