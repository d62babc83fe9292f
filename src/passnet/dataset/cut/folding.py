"""Recursive folding: finds the operator sequences that models have in common, over a whole corpus at once.  No torch.

All operator names of all models are one stream of tokens. A window is 2 to `window` tokens and never crosses a model's
border. Each fold takes the window with the largest saving, (occurrences - 1) x (length - 1) tokens. This is the saving
of writing the window once and naming it at each place. The fold replaces its disjoint occurrences by a new token, and
the next fold works on the shorter stream. A new token may contain earlier ones, so it stands for a tree. The most
frequent window alone would always be a pair. The longest repeated one would always be from twin models. The saving
balances the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Range = tuple[int, int]
Tokens = NDArray[np.int64]
_Hashes = NDArray[np.uint64]


@dataclass(frozen=True)
class FoldedPattern:
    """One fold: the tokens it replaced (of earlier folds too), how often, and how many operators it covers."""

    token: int
    parts: tuple[int, ...]
    count: int
    ops: int


def fold(
    sequences: Sequence[Sequence[str]],
    *,
    window: int = 64,
    folds: int = 16,
    min_ops: int = 4,
    max_ops: int = 64,
) -> list[list[Range]]:
    """Typical ranges of each sequence: disjoint, sorted, half-open, of `min_ops` to `max_ops` operators.

    The ranges are the folded subtrees of fitting size. Of overlapping ones, the one that starts first is kept. Of those
    that start together, the shortest is kept, as published. A window of more than `max_ops` operators is never folded,
    since no range could come of it. Deterministic.
    """
    stream = _Stream(sequences, window=window, max_ops=max_ops)
    patterns = _patterns(stream, folds)
    parts = {pattern.token: pattern.parts for pattern in patterns}
    sizes = {pattern.token: pattern.ops for pattern in patterns}
    return [_disjoint(_wanted(_subtrees(tokens, parts, sizes), min_ops, max_ops)) for tokens in stream.split()]


def _patterns(stream: _Stream, folds: int) -> list[FoldedPattern]:
    """The folded models, in order."""
    found: list[FoldedPattern] = []
    while len(found) < folds:
        pattern = stream.fold_once()
        if pattern is None:
            break
        found.append(pattern)
    return found


@dataclass(frozen=True)
class _Candidate:
    """A window that recurs. Windows are ordered by saving, then length, then first place."""

    length: int
    starts: Tokens

    @property
    def rank(self) -> tuple[int, int, int]:
        return ((len(self.starts) - 1) * (self.length - 1), self.length, -int(self.starts[0]))


class _Stream:
    """The corpus as one array of tokens. A separator of its own ends each model, so no window recurs across one.

    Windows are compared by polynomial hashes modulo 2^64 of random token values. Windows that are folded are compared
    token by token. For each length, a bound on the number of occurrences is kept from fold to fold. Most lengths
    therefore need no counting: a replacement only makes old windows rarer, and no new window is more frequent than the
    new token.
    """

    _BASE = np.uint64(0x9E3779B97F4A7C15)

    def __init__(self, sequences: Sequence[Sequence[str]], *, window: int, max_ops: int) -> None:
        names = sorted({name for sequence in sequences for name in sequence})
        number = {name: place for place, name in enumerate(names)}
        self.next_token = len(names)
        pieces = [[*(number[name] for name in sequence), -1 - place] for place, sequence in enumerate(sequences)]
        self.tokens: Tokens = np.array([token for piece in pieces for token in piece], dtype=np.int64)
        self.sizes: Tokens = np.ones(len(self.tokens), dtype=np.int64)
        self.window, self.max_ops = window, max_ops
        self.values = np.random.Generator(np.random.PCG64(0))
        self.bounds = dict.fromkeys(range(2, window + 1), len(self.tokens))
        self.hashed: _Hashes = self._draw(len(names) + len(sequences))[self.tokens + len(sequences)]

    def _draw(self, count: int) -> _Hashes:
        return self.values.integers(1, 2**63, size=count, dtype=np.uint64) * np.uint64(2) + np.uint64(1)

    def split(self) -> Iterator[Tokens]:
        """The tokens of each sequence as they are now."""
        ends = np.flatnonzero(self.tokens < 0)
        start = 0
        for end in ends.tolist():
            yield self.tokens[start:end]
            start = end + 1

    def fold_once(self) -> FoldedPattern | None:
        """Replace the window that saves most, or None when nothing recurs."""
        best = self._best()
        if best is None:
            return None
        first = int(best.starts[0])
        parts = tuple(self.tokens[first : first + best.length].tolist())
        ops = int(self.sizes[first : first + best.length].sum())
        pattern = FoldedPattern(self.next_token, parts, len(best.starts), ops)
        self._replace(best, ops)
        return pattern

    def _best(self) -> _Candidate | None:
        best: _Candidate | None = None
        powers = self._powers()
        sums = self._sums(powers)
        for length in sorted(self.bounds, key=lambda size: (-(self.bounds[size] - 1) * (size - 1), -size)):
            if best is not None and (self.bounds[length] - 1) * (length - 1) < best.rank[0]:
                break
            best = max(filter(None, (best, self._best_of(length, powers, sums))), key=lambda c: c.rank, default=None)
        return best

    def _powers(self) -> _Hashes:
        """Powers of the base, one per place and one more."""
        powers = np.empty(len(self.tokens) + 1, dtype=np.uint64)
        powers[0] = 1
        powers[1:] = self._BASE
        return np.multiply.accumulate(powers)

    def _sums(self, powers: _Hashes) -> _Hashes:
        sums = np.zeros(len(self.tokens) + 1, dtype=np.uint64)
        np.cumsum(self.hashed * powers[:-1], out=sums[1:])
        return sums

    def _windows(self, length: int, powers: _Hashes, sums: _Hashes) -> tuple[Tokens, _Hashes]:
        """The places where a window of this length may start, and its hash there, independent of the place."""
        count = len(self.tokens) - length + 1
        if count < 2:
            return np.empty(0, np.int64), np.empty(0, np.uint64)
        inside = np.concatenate([[0], np.cumsum(self.tokens < 0)])
        spans = np.concatenate([[0], np.cumsum(self.sizes)])
        fits = (inside[length:] == inside[:count]) & (spans[length:] - spans[:count] <= self.max_ops)
        starts = np.flatnonzero(fits)
        # Scaled to the same power everywhere instead of divided by the power of the place.
        hashes = (sums[starts + length] - sums[starts]) * powers[len(self.tokens) - starts]
        return starts, hashes

    def _best_of(self, length: int, powers: _Hashes, sums: _Hashes) -> _Candidate | None:
        """The window of this length with most disjoint occurrences, the earliest of several. Updates the bound."""
        starts, hashes = self._windows(length, powers, sums)
        values, counts = _counted(hashes)
        self.bounds[length] = int(counts.max(initial=1))
        best: _Candidate | None = None
        for count in sorted(set(counts[counts > 1].tolist()), reverse=True):
            saving = (count - 1) * (length - 1)
            if best is not None and best.rank[0] > saving:
                break
            # Only windows that overlap themselves have fewer disjoint occurrences. The first one therefore nearly
            # always ends it.
            for place in _first_places(hashes, values[counts == count]):
                if best is not None and best.rank >= (saving, length, -int(starts[place])):
                    break
                candidate = _Candidate(length, _disjoint_starts(starts[hashes == hashes[place]], length))
                if len(candidate.starts) > 1 and (best is None or candidate.rank > best.rank):
                    best = candidate
        return best

    def _replace(self, found: _Candidate, ops: int) -> None:
        first = self.tokens[found.starts[0] : found.starts[0] + found.length]
        windows = self.tokens[found.starts[:, None] + np.arange(found.length)]
        assert (windows == first).all(), "two windows with one hash"
        keep = np.ones(len(self.tokens), dtype=bool)
        keep[(found.starts[:, None] + np.arange(1, found.length)).reshape(-1)] = False
        self.tokens[found.starts] = self.next_token
        self.sizes[found.starts] = ops
        self.hashed[found.starts] = self._draw(1)[0]
        self.tokens, self.sizes, self.hashed = self.tokens[keep], self.sizes[keep], self.hashed[keep]
        self.next_token += 1
        for length, bound in self.bounds.items():
            self.bounds[length] = max(bound, len(found.starts))


def _counted(hashes: _Hashes) -> tuple[_Hashes, Tokens]:
    """The different hashes and how often each occurs (`np.unique` hashes or sorts more slowly)."""
    ordered = np.sort(hashes)
    ends = np.flatnonzero(np.concatenate([ordered[1:] != ordered[:-1], np.ones(min(1, len(ordered)), bool)]))
    return ordered[ends], np.diff(ends, prepend=-1)


def _first_places(hashes: _Hashes, wanted: _Hashes) -> list[int]:
    """The first place of each of these hashes, in order."""
    places = np.flatnonzero(np.isin(hashes, wanted))
    _, first = np.unique(hashes[places], return_index=True)
    return sorted(places[first].tolist())


def _disjoint_starts(starts: Tokens, length: int) -> Tokens:
    """From left to right, each start that does not overlap the previous one taken."""
    if len(starts) < 2 or int(np.diff(starts).min()) >= length:
        return starts
    taken = [int(starts[0])]
    for start in starts[1:].tolist():
        if start >= taken[-1] + length:
            taken.append(start)
    return np.array(taken, dtype=np.int64)


def _subtrees(tokens: Tokens, parts: dict[int, tuple[int, ...]], sizes: dict[int, int]) -> Iterator[Range]:
    """Ranges of the folded tokens and of all folded tokens inside them."""
    place = 0
    for token in tokens.tolist():
        if token in parts:
            yield from _tree(token, place, parts, sizes)
        place += sizes.get(token, 1)


def _tree(token: int, place: int, parts: dict[int, tuple[int, ...]], sizes: dict[int, int]) -> Iterator[Range]:
    yield place, place + sizes[token]
    for part in parts[token]:
        if part in parts:
            yield from _tree(part, place, parts, sizes)
        place += sizes.get(part, 1)


def _wanted(ranges: Iterable[Range], min_ops: int, max_ops: int) -> list[Range]:
    return sorted({(start, end) for start, end in ranges if min_ops <= end - start <= max_ops})


def _disjoint(ranges: Iterable[Range]) -> list[Range]:
    kept: list[Range] = []
    for start, end in ranges:
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept
