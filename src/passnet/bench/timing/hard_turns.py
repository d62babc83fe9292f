"""Which hard draws lie amid the timed calls: a hard draw and some siblings in each block, all of them in turn.

A pass can keep a few numbers from call to call, in memory that nobody clears. Verified blocks have more hard calls than
timed ones have, so such a number may tell it when it is timed. Then it leaves out what looks at all elements for
something rare. What only that would have found is a sibling that looks like timed draws to whoever looks at some
elements, so such siblings come first more often.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import torch

from passnet.bench.timing import sizing
from passnet.bench.timing.draws import SecretInputs

# Elements of an input that somebody may look at in every call.
_LOOKED_AT = 64
# So many timed draws say what is usual. A draw is as often first as its weight says.
_USUAL_DRAWS = 12
_WEIGHT_OF_PLAIN = 12.0


@dataclass
class HardTurns:
    """All hard draws take turns, and so do all siblings, in a secret order, each until one of its blocks was compared.

    Who counts calls may otherwise be right on them while all are verified, and wrong once calls are timed. Siblings are
    no substitute for the hard draws: masks are ordinary in them.
    """

    given: SecretInputs
    rng: random.Random
    shape: sizing.GraphShape
    _left: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    _due: tuple[int, int] = (0, 0)
    _plain: frozenset[int] | None = None

    def amid(self, timed: int) -> list[int]:
        """The draws that are due in a block of so many timed calls."""
        hard, beside = self.given.hard, self.given.beside
        wanted = min(1, len(hard)), min(sizing.siblings_amid(timed, self.shape), len(beside))
        for left, draws, most in zip(self._left, (hard, beside), wanted, strict=True):
            if len(left) < most:
                left[:0] = self._in_turn(draws)
        self._due = wanted
        return [draw for left, most in zip(self._left, wanted, strict=True) for draw in left[len(left) - most :]]

    def were_compared(self) -> None:
        """The draws that were due were met and compared, so others are due."""
        for left, most in zip(self._left, self._due, strict=True):
            del left[len(left) - most :]

    def _in_turn(self, draws: Collection[int]) -> list[int]:
        """The draws in an order in which the last comes first."""
        plain = self._plain_ones()
        weights = {draw: _WEIGHT_OF_PLAIN if draw in plain else 1.0 for draw in sorted(draws)}
        return sorted(weights, key=lambda draw: self.rng.random() ** (1 / weights[draw]))

    def _plain_ones(self) -> frozenset[int]:
        """The siblings that look like timed draws in some elements. Of large inputs nobody asks for that."""
        if self._plain is None:
            asks = bool(self.given.beside) and sizing.more_compared(self.shape)
            self._plain = plain_ones(self.given, sorted(self.given.beside), self.rng) if asks else frozenset()
        return self._plain


def plain_ones(given: SecretInputs, draws: Sequence[int], rng: random.Random) -> frozenset[int]:
    """The draws of which some elements of each input are such as some elements of timed draws are."""
    places = [
        torch.tensor(sorted(rng.sample(range(like.numel()), min(_LOOKED_AT, like.numel())))) for like in given.like
    ]
    usual = torch.stack([_looks(given, None, places) for _ in range(_USUAL_DRAWS)])
    low, high = usual.amin(0), usual.amax(0)
    room = high - low + 1e-6 * torch.maximum(low.abs(), high.abs())
    looks = {draw: _looks(given, draw, places) for draw in draws}
    return frozenset(draw for draw, look in looks.items() if bool(((look >= low - room) & (look <= high + room)).all()))


def _looks(given: SecretInputs, draw: int | None, places: Sequence[torch.Tensor]) -> torch.Tensor:
    """What a few elements of each input of a call show: their ends, sizes, signs and how many are equal."""
    found = []
    for values, at in zip(given.values(given.key(draw)), places, strict=True):
        some = values.reshape(-1)[at.to(values.device)].cpu()
        if some.is_complex():
            some = torch.view_as_real(some.resolve_conj()).reshape(-1)
        some = some.double()
        if not some.numel():
            continue
        some = some.nan_to_num(nan=1e300, posinf=1e301, neginf=-1e301)
        sizes = some.abs()
        equal = (some[:, None] == some).sum(0).max()
        equal_to_next = (some[1:] == some[:-1]).sum()
        found += [some.min(), some.max(), sizes.mean(), sizes.median(), sizes.min(), (some > 0).sum(), (some < 0).sum()]
        found += [equal, equal_to_next]
    return torch.stack([value.double() for value in found]) if found else torch.zeros(0, dtype=torch.float64)
