"""How a literal of a graph follows its symbols: the rules, and their values for given sizes.  No torch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from passnet.dataset.vary.dims import Dims
from passnet.dataset.vary.literals import Path

Shape = Sequence[int | None]
# Value index -> its shape among the values made so far.
ShapeOf = Callable[[int], Shape]

PROBE_PRIMES: Mapping[str, tuple[int, ...]] = {"batch": (3,), "sequence": (2, 5), "plane": (2, 5)}


class VariantUnfit(Exception):
    """A rule gives no whole positive size for these symbol values."""


@dataclass(frozen=True)
class Scale:
    """The literal times a product of powers of (new value / original value) of the symbols."""

    powers: tuple[int, ...]


@dataclass(frozen=True)
class Size:
    """The product of some sizes of an earlier value."""

    value: int
    dims: tuple[int, ...]


@dataclass(frozen=True)
class Share:
    """One of `pieces` equal parts of a size of an earlier value."""

    value: int
    dim: int
    pieces: int


@dataclass(frozen=True)
class FromEnd:
    """A size of an earlier value less a scaled distance: the start of a slice that reaches to the end."""

    value: int
    dim: int
    distance: int
    powers: tuple[int, ...]


Rule = Scale | Size | Share | FromEnd
Choice = Mapping[Path, Rule]


@dataclass(frozen=True)
class Decision:
    """A decision about literals that belong together: its choices, the most likely first.  `key` names it in its
    operation.
    """

    key: Path
    choices: tuple[Choice, ...]


def evaluate(rule: Rule, literal: int, shape_of: ShapeOf, dims: Dims, targets: Sequence[int]) -> int:
    """The literal's value when the symbols take the values `targets`.  Errors: `VariantUnfit`."""
    match rule:
        case Scale(powers):
            return _whole(literal * dims.factor(powers, targets))
        case Size(value, places):
            return math.prod(_known(shape_of(value)[place]) for place in places)
        case Share(value, dim, pieces):
            return _whole(Fraction(_known(shape_of(value)[dim]), pieces))
        case FromEnd(value, dim, distance, powers):
            return _known(shape_of(value)[dim]) - _whole(distance * dims.factor(powers, targets))


def _known(size: int | None) -> int:
    if size is None:
        raise VariantUnfit("a size depends on data")
    return size


def _whole(value: Fraction) -> int:
    if value.denominator != 1 or value == 0:
        raise VariantUnfit(f"a literal would become {value}")
    return int(value)


class Units:
    """The symbols with the primes by which a probe multiplies them. The growth of a size shows which of
    them is in it.
    """

    def __init__(self, dims: Dims) -> None:
        self.dims = dims
        supply = {axis: iter(primes) for axis, primes in PROBE_PRIMES.items()}
        self.primes = tuple(next(supply[symbol.axis]) for symbol in dims.symbols)

    @property
    def probe(self) -> tuple[int, ...]:
        """The value of each symbol in the probe."""
        return tuple(symbol.value * prime for symbol, prime in zip(self.dims.symbols, self.primes, strict=True))

    def powers_of(self, growth: Fraction) -> tuple[int, ...] | None:
        """The power of each symbol that makes a size grow so, or None when no product of powers does."""
        found = []
        for prime in self.primes:
            power = 0
            while growth.numerator % prime == 0:
                growth, power = growth / prime, power + 1
            found.append(power)
        return tuple(found) if growth == 1 else None

    def products(self) -> list[tuple[tuple[int, ...], int]]:
        """Products of one or two symbols (squares too) with their value in the original. The simplest come first."""
        count = len(self.dims.symbols)
        picks = [(i,) for i in range(count)] + list(itertools.combinations_with_replacement(range(count), 2))
        powers = [tuple(pick.count(i) for i in range(count)) for pick in picks]
        return [(power, self.value(power)) for power in powers]

    def value(self, powers: Sequence[int]) -> int:
        """The value of a product of powers in the original."""
        return math.prod(symbol.value**power for symbol, power in zip(self.dims.symbols, powers, strict=True))

    def only_batch(self, powers: Sequence[int]) -> bool:
        """Whether the batch is the only symbol in the product."""
        return all(s.axis == "batch" for s, power in zip(self.dims.symbols, powers, strict=True) if power)
