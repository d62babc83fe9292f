"""Careful draws of integers: some of all that they may be, with the ends, and some of few numbers that meet.

Integers that are drawn one by one from a wide range are never equal, hardly ever small, and never the last one that
their dtype holds. What a form makes of these is seen in no usual draw.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import within
from passnet.bench.draws.content.integer_ranges import Range, ranges_of
from passnet.graph.text.program import refs_of
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.indexing import free_integers, is_fraction, known_forms, writing_indices
from passnet.graph.values.thresholds import COMPARING, forms_of
from passnet.graph.values.writes import renewed

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph

Sources = Sequence["InputSource"]
# Makes a row of so many numbers from zero on, if there are so many.
Order = Callable[[int, int, Random], list[int]]
# How many integers of a table are of all sizes, anywhere, near each end, and at each end.
_OF_ALL_SIZES, _ANYWHERE, _NEAR_ENDS, _AT_ENDS = 1024, 512, 128, 128
# A range of no more numbers has each of them often enough in usual draws.
_MANY = 256
# So many numbers of each input and of each constant may meet, and an input takes up to so many: one of so many of its
# elements, and two at least.
_POOL, _FEW, _SHARE = 8, 8, 8
# Of more integers a table of all of them would be too large: so many are in rows of their own, and these come again.
MOST_COUNTED = 1 << 20
# So many rows are in orders of their own, and then the same orders come again. A row has up to so many pieces.
_PATTERNS, _PIECES = 96, 8


def far(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """A draw of integers of all that they may be. Of all sizes are half of them, and the ends are among them."""
    row = list(usual)
    for index, (low, high) in ranges_of(graph, usual).items():
        if index in free_integers(graph) or high - low >= _MANY:
            row[index] = usual[index].of_integers(_tensor(graph, index, _of_a_range(low, high, rng)))
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def meeting(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """A draw in which integers are of few numbers from all of their ranges, the same in all inputs that may hold them.

    So elements are equal within an input, between inputs, and to stored numbers. Floats that a graph compares with
    integers hold the same ones in half of their elements. Not so where of two equal indices it
    is chance which one wins.
    """
    ranges = {index: each for index, each in ranges_of(graph, usual).items() if index not in writing_indices(graph)}
    lists = [rng.sample(numbers, min(_POOL, len(numbers))) for numbers in _stored_integers(graph)]
    if not lists and sum(graph.specs[index].numel for index in ranges) < 2:
        return []
    lists += [_pool(*each, rng) for each in ranges.values()]
    held = {value: sum(low <= value <= high for low, high in ranges.values()) for each in lists for value in each}
    for value in (value for each in lists[: len(lists) - len(ranges)] for value in each):
        held[value] += 1
    in_turn = itertools.chain.from_iterable(itertools.zip_longest(*rng.sample(lists, len(lists))))
    ordered = sorted(dict.fromkeys(each for each in in_turn if each is not None), key=lambda value: -held[value])
    row = list(usual)
    for index, (low, high) in ranges.items():
        most = max(2, min(_FEW, graph.specs[index].numel // _SHARE))
        some = [value for value in ordered if low <= value <= high][:most]
        if len(some) > 1:
            row[index] = usual[index].of_these(_tensor(graph, index, some))
    for index, others in _floats_beside(graph, ranges.keys()).items():
        spec, each = graph.specs[index], usual[index]
        met = [float(value) for other in others for value in dict.fromkeys(row[other].values.tolist())]
        values = within(spec, met).to(getattr(torch, spec.part_dtype))
        if len(values) and not each.same and not each.row.length:
            row[index] = each.mixed(values, 2)
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def counting(graph: Graph, usual: Iterator[Sources], rng: Random) -> list[list[InputSource]]:
    """Draws of rows that count, as positions do. In the first each row counts up from a number of its own, but for one
    row that leaves out a number. In the next one rows count down, begin again within a row, or hold each number several
    times, in turn: as many draws as give one row each of these. No index at which is written, since rows share numbers.
    """
    base = next(usual)
    counted = dict[int, tuple[int, int, Range]]()
    for index, ends in ranges_of(graph, base).items():
        spec = graph.specs[index]
        length = spec.shape[-1] if spec.shape else 1
        if 1 < length <= MOST_COUNTED and index not in writing_indices(graph):
            counted[index] = min(spec.numel, MOST_COUNTED) // length, length, ends
    made = []
    if up := {index: each for index, each in counted.items() if each[2][1] - each[2][0] >= each[1]}:
        made.append(_of_rows(graph, base, {index: _counting_up(*each, rng) for index, each in up.items()}))
    fewest, turns = min((rows for rows, _, _ in counted.values()), default=0), rng.sample(_ORDERS, len(_ORDERS))
    for _ in range(-(-len(_ORDERS) // fewest) if counted else 0):
        rows = {index: _in_orders(*each, turns, rng) for index, each in counted.items()}
        made.append(_of_rows(graph, next(usual), rows))
        turns.append(turns.pop(0))
    return made


def _of_rows(graph: Graph, usual: Sources, values: Mapping[int, torch.Tensor]) -> list[InputSource]:
    row = list(usual)
    for index, each in values.items():
        spec = graph.specs[index]
        row[index] = row[index].of_repeated(each.to(getattr(torch, spec.dtype)), spec.numel)
    return row


def _counting_up(rows: int, length: int, ends: Range, rng: Random) -> torch.Tensor:
    low, high = ends
    values = torch.tensor(_firsts(low, [high - length] * rows, rng))[:, None] + torch.arange(length)
    if rows > 1:
        values[rng.randrange(rows), rng.randrange(1, length) :] += 1
    return values


def _in_orders(rows: int, length: int, ends: Range, turns: Sequence[Order], rng: Random) -> torch.Tensor:
    """Rows that begin somewhere in a range and hold numbers in these orders, one after another."""
    low, high = ends
    some = [turns[number % len(turns)](length, high - low + 1, rng) for number in range(min(rows, _PATTERNS))]
    lasts = [high - max(pattern) for pattern in some]
    which = [number % len(some) for number in range(rows)]
    firsts = _firsts(low, [lasts[number] for number in which], rng)
    return torch.tensor(some)[which] + torch.tensor(firsts)[:, None]


def _down(length: int, numbers: int, rng: Random) -> list[int]:
    """From so many numbers down, again and again where there are fewer than places."""
    return [-(place + 1) % min(length, numbers) for place in range(length)]


def _again(length: int, numbers: int, rng: Random) -> list[int]:
    """Up, and again from the beginning at a few places, which are as far from each other or anywhere."""
    return [place - begin for begin, end in _pieces(length, numbers, rng) for place in range(begin, end)]


def _repeated(length: int, numbers: int, rng: Random) -> list[int]:
    """Up, with each number as often as another, or as it comes: two or more times for most of them."""
    pieces = _pieces(length, length, rng)
    if rng.random() < 0.5:
        often = rng.randint(2, max(2, length // 4))
        pieces = [(begin, begin + often) for begin in range(0, length, often)]
    held = [number for number, (begin, end) in enumerate(pieces) for _ in range(begin, min(end, length))]
    return [number % numbers for number in held]


def _pieces(length: int, longest: int, rng: Random) -> list[Range]:
    """A row in pieces, none of them longer than this."""
    count = max(-(-length // longest), 2 if rng.random() < 0.5 else rng.randint(2, min(length, _PIECES)))
    size = -(-length // count)
    cuts = [0, *range(size, length, size), length]
    if rng.random() < 0.5:
        anywhere = [0, *sorted(rng.sample(range(1, length), min(count, length) - 1)), length]
        cuts = anywhere if max(end - begin for begin, end in itertools.pairwise(anywhere)) <= longest else cuts
    return list(itertools.pairwise(cuts))


_ORDERS: Sequence[Order] = (_down, _again, _repeated)


def _firsts(low: int, lasts: Sequence[int], rng: Random) -> list[int]:
    """Where rows begin: at the least number, or anywhere up to their last one."""
    return [low if rng.random() < 0.5 else rng.randint(low, last) for last in lasts]


def _tensor(graph: Graph, index: int, values: Sequence[int]) -> torch.Tensor:
    return torch.tensor(values, dtype=getattr(torch, graph.specs[index].dtype))


def _floats_beside(graph: Graph, integers: Collection[int]) -> dict[int, set[int]]:
    """Input of floats -> the integers that it is compared with, or what follows from them."""
    forms, found = forms_of(graph), dict[int, set[int]]()
    for op in renewed(graph).statements:
        if plain_name(op) in COMPARING:
            for one, other in itertools.permutations(refs_of((*op.args, *(value for _, value in op.kwargs))), 2):
                beside = forms.get(other.index, {}).keys() & integers
                for index in forms.get(one.index, {}) if beside else ():
                    if graph.specs[index].is_inexact:
                        found.setdefault(index, set()).update(beside)
    return found


def _stored_integers(graph: Graph) -> Iterator[list[int]]:
    """The numbers of each list of integers that are the same in every call."""
    known = known_forms(graph)
    for place, numbers in constants(graph).items():
        dtype = known[place][1]
        if dtype is not None and not is_fraction(dtype) and len(numbers) > 1:
            yield [int(number) for number in numbers if math.isfinite(number)]


def _of_a_range(low: int, high: int, rng: Random) -> list[int]:
    """Integers of a range, half of them of all sizes: from zero, or from the end that is nearest to it."""
    middle = min(max(0, low), high)
    found = [low, high] * _AT_ENDS
    found += [rng.randint(low, high) for _ in range(_ANYWHERE)]
    found += [low + _of_any_size(high - low, rng) for _ in range(_NEAR_ENDS)]
    found += [high - _of_any_size(high - low, rng) for _ in range(_NEAR_ENDS)]
    sides = [side for side in (low - middle, high - middle) if side]
    for _ in range(_OF_ALL_SIZES):
        side = rng.choice(sides)
        found.append(middle + (_of_any_size(side, rng) if side > 0 else -_of_any_size(-side, rng)))
    return found


def _pool(low: int, high: int, rng: Random) -> list[int]:
    """Integers of a range that may meet. Every other one lies anywhere: most of the rest are near zero or an end."""
    found = rng.sample(_of_a_range(low, high, rng), _POOL)
    found[::2] = [rng.randint(low, high) for _ in found[::2]]
    return found


def _of_any_size(most: int, rng: Random) -> int:
    """From 0 on, and one power of two as often as another."""
    return min(most, int(2 ** rng.uniform(0.0, math.log2(most + 1))) - 1)
