"""Careful draws in which indices meet every entry that they address, all but one of them, or as many as they do.

Where each index is drawn by itself, some entry is left out as good as always: who never looks whether all are met is
right in all other draws.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import (
    ALL_BUT_ONE,
    WHOLE,
    content_of,
    draws_for,
    may_be_content,
    some_rows,
)
from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.bench.draws.content.integer_ranges import ranges_of
from passnet.graph.values.covered import IndexPart, LinearIndex, MarkedEntries, marked_entries

if TYPE_CHECKING:
    from passnet.graph import Graph

# More entries are no table.
_MOST = 1 << 20
# What the parts of an index are at an entry.
Ends = Mapping[int, tuple[int, int]]
Parts = dict[IndexPart, int]
_KINDS = (WHOLE, ALL_BUT_ONE)


def all_entries(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws: one, or two where there is one line of indices. None where a graph asks for nothing of all entries."""
    if not (found := marked_entries(graph)):
        return []
    base = next(usual)
    ends = {index: each for index, each in ranges_of(graph, base).items() if may_be_content(graph, index, base[index])}
    met = [(each, entries) for each in found if len(entries := _entries(each, ends)) > 1]
    made: list[list[InputSource]] = []
    fewest = min((_lines(graph, each) for each, _ in met), default=0)
    for turn in range(min(2, draws_for(fewest)) if fewest else 0):
        row = list(next(usual) if made else base)
        used = sorted({part.index for each, _ in met for part in _parts(each)})
        contents = {index: content_of(graph.specs[index], base[index], ends[index], rng) for index in used}
        changed = {part.index for each, entries in met for part in _meet(contents, each, entries, turn, rng)}
        for index in changed:
            row[index] = row[index].of_content(contents[index], held=False)
        made += [row] if changed else []
    return made


def _parts(each: MarkedEntries) -> list[IndexPart]:
    return list(dict.fromkeys(part for key in each.keys for part in key.factors))


def _lines(graph: Graph, each: MarkedEntries) -> int:
    part = _parts(each)[0]
    size = graph.specs[part.index].numel // math.prod(graph.specs[part.index].shape[dim] for dim, _ in part.path)
    return max(1, size // each.length)


def _entries(each: MarkedEntries, ends: Ends) -> list[Parts]:
    """For each entry that the inputs may address: what they are there. Nothing where a line has too few elements."""
    count = math.prod(each.entries)
    parts = _parts(each)
    shared = sum(len(key.factors) for key in each.keys) != len(parts)
    if count > min(_MOST, 4 * each.length) or shared or any(part.index not in ends for part in parts):
        return []
    alone = [
        [found for number in range(size) if (found := _solved(key, number, ends)) is not None]
        for key, size in zip(each.keys, each.entries, strict=True)
    ]
    if math.prod(map(len, alone)) > each.length:
        return []
    return [dict(itertools.chain.from_iterable(one.items() for one in some)) for some in itertools.product(*alone)]


def _solved(key: LinearIndex, number: int, ends: Ends) -> Parts | None:
    """What the parts of an index are where it is this number: those with large factors first. None where none are."""
    left, found = number - key.shift, Parts()
    ordered = sorted(key.factors, key=lambda part: -abs(key.factors[part]))
    for place, part in enumerate(ordered):
        factor, (low, high) = key.factors[part], ends[part.index]
        rest = sum(min(key.factors[one] * end for end in ends[one.index]) for one in ordered[place + 1 :])
        found[part] = max(low, min(high, (left - rest) // factor)) if factor else low
        left -= factor * found[part]
    return found if left == 0 else None


def _meet(
    contents: Mapping[int, torch.Tensor], each: MarkedEntries, entries: Sequence[Parts], turn: int, rng: Random
) -> list[IndexPart]:
    """Let lines of the inputs meet all entries, or all but one, in a secret order. Others stay as they are."""
    parts = _parts(each)
    views = {part: _view(contents[part.index], part) for part in parts}
    size = math.prod(next(iter(views.values())).shape)
    if any(view.numel() != size for view in views.values()) or size % (each.length * each.inner):
        return []
    tables = {part: torch.tensor([entry[part] for entry in entries]) for part in parts}
    drawn = torch.Generator().manual_seed(rng.getrandbits(48))
    lines = {part: view.reshape(-1, each.length, each.inner).clone() for part, view in views.items()}
    places = [(outer, inner) for outer in range(size // each.length // each.inner) for inner in range(each.inner)]
    kinds = len(_KINDS) + (len(places) > len(_KINDS))
    for number, (outer, inner) in enumerate(rng.sample(places, len(some_rows(len(places), rng)))):
        kind = (number + turn) % kinds
        if kind == len(_KINDS):
            continue
        kept = torch.randperm(len(entries), generator=drawn)
        kept = kept[1:] if _KINDS[kind] == ALL_BUT_ONE else kept
        more = torch.randint(len(kept), (each.length - len(kept),), generator=drawn)
        which = torch.cat([kept, kept[more]])[torch.randperm(each.length, generator=drawn)]
        for part in parts:
            lines[part][outer, :, inner] = tables[part][which].to(lines[part].dtype)
    for part, view in views.items():
        view.copy_(lines[part].reshape(view.shape))
    return parts


def _view(content: torch.Tensor, part: IndexPart) -> torch.Tensor:
    for dim, at in part.path:
        content = content.select(dim, at)
    return content
