"""Careful draws in which an input is another one moved by some places, or is the same from either end.

Labels are ids that were moved by one place, and windows are symmetric. Where each element is drawn by itself, a sample
of several different numbers tells that no such thing holds for a row.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import (
    OTHER,
    WHOLE,
    amid_others,
    content_of,
    draws_for,
    ends_of_content,
    mark,
    rows_in_turn,
    with_content,
)
from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.graph.values.moves import Meeting, meetings_of

if TYPE_CHECKING:
    from passnet.graph import Graph

# Rows that repeat after fewer places than this have a kind of their own, see `AlikeLines`.
_SHORTEST = {True: 2, False: 4}
Ends = tuple[float, float]


def moved_inputs(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws: one, or up to three where there are few rows, and one in which few of many rows are so. None where a
    graph compares no such inputs.
    """
    if not (found := meetings_of(graph)):
        return []
    base = next(usual)
    ends = ends_of_content(graph, base, {index for each in found for index in (each.one, each.other)})
    found = [each for each in found if _may_meet(graph, each, ends)]
    if not found:
        return []
    ends = {index: ends[index] for each in found for index in (each.one, each.other)}
    fewest = min(math.prod(graph.specs[each.one].shape[: _main(each)]) for each in found)
    made = []
    for turn in range(draws_for(fewest)):
        row = next(usual) if turn else base
        contents = {index: content_of(graph.specs[index], base[index], each, rng) for index, each in ends.items()}
        order = rng.sample(found, len(found))
        drawn = {index: each.clone() for index, each in contents.items()}
        for number, each in enumerate(order):
            _meet(contents, _from_narrower(each, ends), ends, (number, len(order), turn), rng)
        made.append(with_content(row, contents))
    each = _from_narrower(order[-1], ends)
    rows = math.prod(graph.specs[each.one].shape[: _main(each)])
    few = amid_others(drawn[each.one], contents[each.one], rows, rng)
    if few is not None:
        made.append(with_content(next(usual), {**drawn, each.one: few}))
    return made


def _may_meet(graph: Graph, each: Meeting, ends: Mapping[int, Ends]) -> bool:
    if each.one not in ends or each.other not in ends:
        return False
    one, other = (graph.specs[index] for index in (each.one, each.other))
    if one.dtype != other.dtype or len(one.shape) != len(other.shape):
        return False
    sizes = enumerate(zip(each.by, one.shape, other.shape, strict=True))
    if not all(abs(by) < min(mine, its) and (by or mine == its) for _, (by, mine, its) in sizes):
        return False
    if each.one != each.other or each.flips:
        return one.shape[_main(each)] > 1
    return sum(map(bool, each.by)) == 1 and abs(each.by[_main(each)]) >= _SHORTEST[one.is_integer]


def _main(each: Meeting) -> int:
    """The dimension along which rows are: the last one along which the inputs are moved or turned."""
    return max(dim for dim, by in enumerate(each.by) if by or dim in each.flips)


def _from_narrower(each: Meeting, ends: Mapping[int, Ends]) -> Meeting:
    """The meeting in which the input that may hold less gives its numbers."""
    (low, high), (least, most) = ends[each.one], ends[each.other]
    return each.back if high - low < most - least else each


def _meet(
    contents: Mapping[int, torch.Tensor],
    each: Meeting,
    ends: Mapping[int, Ends],
    turn: tuple[int, int, int],
    rng: Random,
) -> None:
    """Let rows of one input be those of another, as far as it may hold their numbers. `turn`: of so many meetings the
    which this is, and in which draw.
    """
    into, dim = contents[each.one], _main(each)
    if each.one == each.other and not each.flips:
        given = into.index_select(dim, torch.arange(into.shape[dim]) % abs(each.by[dim]))
    else:
        given = contents[each.other].flip(sorted(each.flips)) if each.flips else contents[each.other]
        sizes = enumerate(zip(each.by, into.shape, given.shape, strict=True))
        for along, (by, mine, its) in sizes:
            length = min(mine - max(by, 0), its - max(-by, 0))
            into, given = into.narrow(along, max(by, 0), length), given.narrow(along, max(-by, 0), length)
    length, rows = into.shape[dim], math.prod(into.shape[:dim])
    half = each.one == each.other and bool(each.flips)  # the other half is what this one is like
    opposite = bool(each.flips) and into.is_floating_point()
    met, signs = torch.zeros(rows, length, dtype=torch.bool), torch.ones(rows, 1, dtype=into.dtype)
    for row, kind in rows_in_turn(rows, turn, rng):
        signs[row] = -1 if kind == OTHER and opposite else 1
        mark(met[row, : length // 2 if half else length], WHOLE if kind == OTHER and opposite else kind, rng)
    inner = (1,) * (into.dim() - dim - 1)
    given = given * signs.reshape(*into.shape[:dim], 1, *inner) if opposite else given
    low, high = ends[each.one]
    fits = (given >= low) & (given <= high)
    into.copy_(torch.where(met.reshape(*into.shape[: dim + 1], *inner) & fits, given, into))
