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

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.timing import sizing

# Elements of an input that somebody may look at in every call.
_LOOKED_AT = 64
# So many timed draws say what is usual, and so many calls of another draw whether it is. The weight says
# how often a draw is first.
_USUAL_DRAWS, _CALLS = 48, 3
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
        """The siblings that look like timed draws in some elements."""
        if self._plain is None:
            beside = sorted(self.given.beside)
            self._plain = plain_ones(self.given, beside, self.rng) if beside else frozenset()
        return self._plain


def plain_ones(given: SecretInputs, draws: Sequence[int], rng: random.Random) -> frozenset[int]:
    """The draws of which some elements of each input are such as those of timed draws are, in one of some calls.

    It takes no longer for large inputs.
    """
    places = [sorted(rng.sample(range(like.numel()), min(_LOOKED_AT, like.numel()))) for like in given.like]
    asked: list[int | None] = [*[None] * _USUAL_DRAWS, *(draw for draw in draws for _ in range(_CALLS))]
    seen = zip(*(given.some(given.key(draw), places) for draw in asked), strict=True)
    looks = torch.cat([_looks(torch.stack(values)) for values in seen], 1)
    usual, others = looks[:_USUAL_DRAWS], looks[_USUAL_DRAWS:]
    low, high = usual.amin(0), usual.amax(0)
    room = high - low + 1e-6 * torch.maximum(low.abs(), high.abs())
    plain = ((others >= low - room) & (others <= high + room)).all(1).reshape(len(draws), _CALLS).any(1)
    return frozenset(draw for draw, is_plain in zip(draws, plain.tolist(), strict=True) if is_plain)


def _looks(values: torch.Tensor) -> torch.Tensor:
    """What a few elements of an input show, a row for each call: ends, sizes, signs and how many are equal."""
    some = torch.view_as_real(values.resolve_conj()).flatten(1) if values.is_complex() else values
    some = some.double().nan_to_num(nan=1e300, posinf=1e301, neginf=-1e301)
    if not some.numel():
        return some.new_zeros(len(some), 0)
    sizes = some.abs()
    equal = (some[:, :, None] == some[:, None]).sum(1).amax(1)
    equal_to_next = (some[:, 1:] == some[:, :-1]).sum(1)
    found = [some.amin(1), some.amax(1), sizes.mean(1), sizes.median(1).values, sizes.amin(1)]
    found += [(some > 0).sum(1), (some < 0).sum(1), equal, equal_to_next]
    return torch.stack([each.double() for each in found], 1)
