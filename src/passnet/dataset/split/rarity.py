"""How unusual a sequence of operators is: a first-order Markov model over the transitions of all sequences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

Transition = tuple[str, str]
ALPHA = 1e-3


def transitions(ops: Sequence[str]) -> Iterator[Transition]:
    """The pairs of operators that follow one another."""
    return pairwise(ops)


class Markov:
    """P(next | current) = (count + alpha) / (total + alpha x operators), every distinct sequence counted once."""

    def __init__(self, sequences: Iterable[tuple[str, ...]], alpha: float = ALPHA) -> None:
        distinct = sorted(set(sequences))
        self._alpha = alpha
        self._counts = Counter(pair for ops in distinct for pair in transitions(ops))
        self._totals = Counter(first for ops in distinct for first, _ in transitions(ops))
        self._operators = len({op for ops in distinct for op in ops})

    def probability(self, current: str, following: str) -> float:
        """P(following | current). Operators that were never seen count as one of the known ones."""
        total = self._totals[current] + self._alpha * max(self._operators, 1)
        return (self._counts[current, following] + self._alpha) / total

    def surprise(self, ops: Sequence[str]) -> float:
        """Mean -log P over the transitions in nats. 0 for a single operator."""
        pairs = list(transitions(ops))
        return -math.fsum(math.log(self.probability(*pair)) for pair in pairs) / len(pairs) if pairs else 0.0


def rarities(sequences: Iterable[tuple[str, ...]], alpha: float = ALPHA) -> dict[tuple[str, ...], float]:
    """Sequence -> rarity between 0 (the most usual) and 1 (the most unusual of these). All 0 when all are alike.

    Single operators have no transitions. They have rarity 0 and do not change the scale.
    """
    distinct = sorted(set(sequences))
    model = Markov(distinct, alpha)
    surprise = {ops: model.surprise(ops) for ops in distinct if len(ops) > 1}
    if not surprise:
        return dict.fromkeys(distinct, 0.0)
    low, high = min(surprise.values()), max(surprise.values())
    width = high - low
    return {ops: (surprise[ops] - low) / width if ops in surprise and width > 0 else 0.0 for ops in distinct}
