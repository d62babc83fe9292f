"""How two indices are related in careful draws: equal, near, in one block, or each with a partner of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum, auto
from random import Random

import torch

# A table of so many numbers says of each key what it has of its own. Of more keys some have the same.
KEYS = 65521
# Near numbers differ by so much at most, as a share of all.
_NEAR = 1 / 48
# So often entries of one block lie anywhere, if there are no more entries.
_ANYWHERE, _SCATTERED = 0.75, 1 << 31


class Kind(Enum):
    """Of two related indices."""

    EQUAL = auto()
    NEAR = auto()
    PARTNERS = auto()
    BLOCKS = auto()


@dataclass(frozen=True)
class Entries:
    """What an index addresses: `count` entries from number `least` on, of which those behind the first `again` are of
    the same kinds in the same order. `step`: how far entries of one block are apart, as numbers modulo `again`.
    """

    least: int
    count: int
    again: int
    step: int = 1

    @classmethod
    def drawn(cls, least: int, count: int, again: int, rng: Random) -> Entries:
        """Some whose blocks are next to each other, or anywhere."""
        step = rng.randrange(1, again) if 2 < again <= _SCATTERED and rng.random() < _ANYWHERE else 1
        return cls(least, count, again, step if math.gcd(step, again) == 1 else 1)

    def block_of(self, given: torch.Tensor, blocks: int) -> torch.Tensor:
        """In which of so many blocks indices are, that are counted from 0 on."""
        place = given % self.again * pow(self.step, -1, self.again) % self.again
        return (place.double() * (blocks / self.again)).long().clamp_(0, blocks - 1)

    def within_block(self, block: torch.Tensor, blocks: int, drawn: torch.Generator) -> torch.Tensor:
        """An index in each of these blocks."""
        part = torch.rand(block.shape, generator=drawn, dtype=torch.float64)
        place = ((block + part) * (self.again / blocks)).long().clamp_(0, self.again - 1)
        turn = torch.randint(max(1, self.count // self.again), block.shape, generator=drawn)
        return place * self.step % self.again + turn * self.again


@dataclass(frozen=True)
class Relation:
    """Between indices into `first` entries and those into `second`. Of other numbers of entries they are as far through
    all of them. `blocks`: into how many parts both are cut. `factor`, `shift`: which partner an entry has.
    """

    kind: Kind
    first: Entries
    second: Entries
    blocks: int
    factor: int
    shift: int

    @classmethod
    def drawn(cls, kind: Kind, first: Entries, second: Entries, blocks: int, rng: Random) -> Relation:
        """One of a kind, with partners by chance."""
        return cls(kind, first, second, blocks, rng.randrange(1, KEYS), rng.randrange(KEYS))

    def related(self, given: torch.Tensor, drawn: torch.Generator) -> torch.Tensor:
        """For each of these indices one that is related to it. `given`: int64, from 0 on."""
        centre = self._centre(given)
        if self.kind is Kind.NEAR:
            reach = self._reach
            centre = centre + torch.randint(-reach, reach + 1, given.shape, generator=drawn)
        elif self.kind is Kind.BLOCKS:
            return self.second.within_block(self.first.block_of(given, self.blocks), self.blocks, drawn)
        return centre.clamp(0, self.second.count - 1)

    def hold(self, one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        """Whether indices are related, as booleans."""
        if self.kind is Kind.BLOCKS:
            return self.first.block_of(one, self.blocks) == self.second.block_of(other, self.blocks)
        reach = self._reach if self.kind is Kind.NEAR else 0
        return (self._centre(one) - other).abs() <= reach

    @property
    def _reach(self) -> int:
        return max(1, int(self.second.count * _NEAR))

    def _centre(self, given: torch.Tensor) -> torch.Tensor:
        if self.kind is Kind.PARTNERS:
            return (given % KEYS * self.factor + self.shift) % self.second.count
        one, other = self.first.count, self.second.count
        return given if one == other else (given.double() * (other / one)).long()


def skewed(entries: int, count: int, drawn: torch.Generator, rng: Random) -> torch.Tensor:
    """So many indices from 0 on: a few are most of them, their shares fall as a power does, and many are none."""
    power = rng.uniform(2.0, 5.0)
    ranks = torch.rand(count, generator=drawn, dtype=torch.float64).pow_(power).mul_(entries).long()
    return (ranks + rng.randrange(entries)) % entries


def in_runs(given: torch.Tensor) -> torch.Tensor:
    """The same indices in order: each entry's are a run."""
    return given.sort().values
