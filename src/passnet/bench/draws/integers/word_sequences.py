"""A careful draw of integers in which words that a graph looks for side by side come in their order.

In usual draws each word comes somewhere, but several of them one after another do so in no call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.integer_ranges import ranges_of
from passnet.bench.draws.integers.whole_numbers import MOST_COUNTED
from passnet.graph.text.program import Op, Ref, SliceValue, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.indexing import writing_indices
from passnet.graph.values.thresholds import comparisons
from passnet.graph.values.writes import renewed

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph

# Places of a row from its first one on, and the words there.
Words = Mapping[int, int]
# These hold where all of their terms do, or hold the terms of one value as they are.
_JOINING = frozenset(("and", "logical_and", "bitwise_and", "mul", "stack", "cat", "all", "prod"))
_KEEPING = frozenset(("to", "int", "long", "float", "bool", "contiguous", "clone"))
# Of so many rows two hold words in order, one all but one of them, and one none.
_TURNS = 4


def word_sequences(graph: Graph, usual: Sequence[InputSource], rng: Random) -> list[list[InputSource]]:
    """The draw, and one in which one of many rows holds words in order. None where a graph looks for no words in order.
    No index at which is written.
    """
    row, ranges = list(usual), ranges_of(graph, usual)
    alone = list(usual)
    for index, found in sequences(graph).items():
        spec = graph.specs[index]
        if index not in ranges or index in writing_indices(graph) or spec.shape[-1] > MOST_COUNTED:
            continue
        low, high = ranges[index]
        length, fits = spec.shape[-1], [each for each in found if all(low <= word <= high for word in each.values())]
        if not fits:
            continue
        drawn = torch.Generator().manual_seed(rng.getrandbits(48))
        shape = min(spec.numel, MOST_COUNTED) // length, length  # these rows come again if there are more
        rows = torch.randint(low, min(high, torch.iinfo(torch.int64).max - 1) + 1, shape, generator=drawn)
        one = rows.clone()
        _write(one[rng.randrange(len(one))], rng.choice(fits), rng)
        alone[index] = usual[index].of_repeated(one.to(getattr(torch, spec.dtype)), spec.numel)
        for number, at in enumerate(rng.sample(range(len(rows)), len(rows))):
            if number % _TURNS < _TURNS - 1:
                words = dict(fits[number // _TURNS % len(fits)])
                if number % _TURNS == 1:
                    words.pop(rng.choice(sorted(words)))
                _write(rows[at], words, rng)
        row[index] = usual[index].of_repeated(rows.to(getattr(torch, spec.dtype)), spec.numel)
    return [row, alone] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def _write(row: torch.Tensor, words: Words, rng: Random) -> None:
    """Words in their order: where the graph has them first, or anywhere behind it, or at the row's end."""
    last = len(row) - 1 - max(words)
    begin = rng.choice((0, last, rng.randint(0, last), rng.randint(0, last)))
    for place, word in words.items():
        row[begin + place] = word


def sequences(graph: Graph) -> dict[int, list[Words]]:
    """Input of integers -> the words that have to be at several of its places at once, for each such condition."""
    shifts = {index: (index, 0) for index, spec in enumerate(graph.specs) if spec.is_integer and spec.shape}
    compared = {id(each.op): each for each in comparisons(graph) if plain_name(each.op) == "eq"}
    terms, whole = dict[int, dict[tuple[int, int], int]](), dict[int, None]()
    view = renewed(graph)
    for value, op in enumerate(view.statements, start=len(graph.specs)):
        refs = [ref.index for ref in refs_of((*op.args, *(each for _, each in op.kwargs)))]
        known = compared.get(id(op))
        if known is not None and known.value in shifts and known.number % 1 == 0:
            terms[value] = {shifts[known.value]: int(known.number)}
        elif value in view.writes and refs[0] in shifts:
            shifts[value] = shifts[refs[0]]
        elif refs and refs[0] in shifts and (by := _shift(graph, op, shifts[refs[0]])) is not None:
            shifts[value] = by
        elif plain_name(op) in _JOINING | _KEEPING and any(ref in terms for ref in refs):
            terms[value] = {key: word for ref in refs for key, word in terms.get(ref, {}).items()}
            for ref in refs:
                whole.pop(ref, None)
            whole[value] = None
    found = dict[int, list[Words]]()
    for value in whole:
        for index in sorted({index for index, _ in terms[value]}):
            words = {place: word for (owner, place), word in terms[value].items() if owner == index}
            if len(words) > 1 and max(words) < graph.specs[index].shape[-1] and words not in found.get(index, []):
                found.setdefault(index, []).append(words)
    return found


def _shift(graph: Graph, op: Op, before: tuple[int, int]) -> tuple[int, int] | None:
    """The input of which a value holds the last dimension from a place on, and the place. None of any other value."""
    (index, place), name = before, plain_name(op)
    shape = graph.specs[index].shape
    if name in _KEEPING:
        return before
    if name == "narrow":
        given = arguments(op)
        start, dim = given.get("start"), given.get("dim")
        return (index, place + start) if isinstance(start, int) and start >= 0 and dim in (-1, len(shape) - 1) else None
    if name != "getitem" or len(op.args) < 2 or not isinstance(op.args[0], Ref):
        return None
    keys = op.args[1] if isinstance(op.args[1], tuple) else (op.args[1],)
    if not keys or None in keys or (len(keys) < len(shape) and Ellipsis not in keys):
        return before if all(isinstance(key, SliceValue) for key in keys) else None
    key = keys[-1]
    start = key.start or 0 if isinstance(key, SliceValue) and key.step in (None, 1) else key
    if not isinstance(start, int) or isinstance(start, bool):
        return None
    return index, start + (shape[-1] if start < 0 else place)
