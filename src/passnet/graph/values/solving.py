"""Follows values back to an input: which numbers an input must be so that what is computed of it is a given one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from passnet.op_classes import word_set

# What a value was before a step: (number that it is now, the step's other number, whether it is an integer, chance).
Backwards = Callable[[float, float, bool, Random], Iterable[float]]
# Where a step maps many numbers to one, a few of them are drawn, of all sizes up to so many bits.
_DRAWN, _BITS = 3, 20
# No more numbers are followed back through several steps.
_MOST_NUMBERS = 12
# These give an exact number back for every kind of number, and the others for integers alone.
_EXACT = word_set("neg abs floor ceil round trunc relu")
_NO_INTEGERS = word_set("div square sqrt")
_COMMUTING = word_set("add mul bitwise_and bitwise_or bitwise_xor")


@dataclass(frozen=True)
class SolvedStep:
    """One operation on a value and on a number that is the same in every call."""

    name: str
    number: float = 0.0

    def back(self, result: float, rng: Random, *, whole: bool) -> list[float]:
        """What the value may have been, some of it where there is much."""
        try:
            return list(_BACKWARDS[self.name](result, self.number, whole, rng))
        except (ArithmeticError, ValueError):
            return []


@dataclass(frozen=True)
class InputForm:
    """A value as it follows from one input.

    `factor`, `shift`: it is factor * input + shift, where it is `linear`. `exact`: no step rounds. `whole`: it is an
    integer. `steps`: how it came about, one way or several. None where nobody knows.
    """

    factor: float = 1.0
    shift: float = 0.0
    exact: bool = True
    linear: bool = True
    whole: bool = False
    steps: tuple[tuple[SolvedStep, ...], ...] | None = field(default=())

    def inputs(self, number: float, rng: Random) -> list[float]:
        """What the input may be where the value is this number. The number itself where nobody knows."""
        found = [number]
        for several in reversed(self.steps or ()):
            back = dict.fromkeys(
                each for now in found for step in several for each in step.back(now, rng, whole=self.whole)
            )
            found = list(back) if len(back) <= _MOST_NUMBERS else rng.sample(list(back), _MOST_NUMBERS)
        return [each for each in found if not math.isnan(each)]

    def after(self, name: str, numbers: Sequence[float], *, from_right: bool = False) -> InputForm:
        """The form of what an operation makes of this value and a number, of one of several in each of its elements.

        `from_right`: the number is the operation's first argument.
        """
        if from_right and name not in _COMMUTING:
            name = {"sub": "rsub"}.get(name, "")
        if name not in _BACKWARDS or not 0 < len(numbers) <= _MOST_NUMBERS or self.steps is None:
            return OTHER
        integers = self.whole and name not in _NO_INTEGERS and all(map(float.is_integer, numbers))
        if name.startswith("bitwise") and not integers:
            return OTHER
        steps = (*self.steps, tuple(SolvedStep(name, number) for number in numbers))
        scaled = self._scaled(name, numbers) if self.linear and len(numbers) == 1 else None
        exact = self.exact and (integers or name in _EXACT)
        factor, shift = scaled or (1.0, 0.0)
        return InputForm(factor, shift, exact, scaled is not None, integers, steps)

    def _scaled(self, name: str, numbers: Sequence[float]) -> tuple[float, float] | None:
        """Factor and shift of the result. None where it is no linear function."""
        number = numbers[0]
        if name in ("mul", "div"):
            factor = number if name == "mul" else 1 / number if number else 0.0
            return (self.factor * factor, self.shift * factor) if factor else None
        ways = {"add": (1.0, number), "sub": (1.0, -number), "rsub": (-1.0, number), "neg": (-1.0, 0.0)}
        if name not in ways:
            return None
        sign, more = ways[name]
        return sign * self.factor, sign * self.shift + more


# Any other function of an input.
OTHER = InputForm(exact=False, linear=False, steps=None)


def _sizes(rng: Random) -> Iterable[int]:
    """Integers of all sizes, of both signs."""
    return (rng.choice((1, -1)) * int(2 ** rng.uniform(0, _BITS)) for _ in range(_DRAWN))


def _quotient(now: float, number: float, whole: bool, rng: Random) -> Iterable[float]:
    """The least and the largest of all that are divided to this, and one between."""
    first, last = now * number, now * number + (number - math.copysign(1, number) if whole else number)
    return (first, last, *((first + rng.randrange(int(abs(number))) * math.copysign(1, number),) if whole else ()))


def _shifted(now: float, number: float, whole: bool, rng: Random) -> Iterable[float]:
    return _quotient(now, 2.0**number, whole, rng)


def _masked(now: float, number: float, whole: bool, rng: Random) -> Iterable[float]:
    """Any bits beside those of the mask."""
    kept = int(now) & int(number)
    return (now, *(float(kept | (each & ~int(number))) for each in _sizes(rng)))


def _joined(now: float, number: float, whole: bool, rng: Random) -> Iterable[float]:
    """Any of the mask's bits are there already."""
    kept = int(now) & ~int(number)
    return (now, float(kept), *(float(kept | (each & int(number))) for each in _sizes(rng)))


_BACKWARDS: Mapping[str, Backwards] = {
    "add": lambda now, number, whole, rng: (now - number,),
    "sub": lambda now, number, whole, rng: (now + number,),
    "rsub": lambda now, number, whole, rng: (number - now,),
    "neg": lambda now, number, whole, rng: (-now,),
    "mul": lambda now, number, whole, rng: (now / number,),
    "div": lambda now, number, whole, rng: (now * number,),
    "floor_divide": _quotient,
    "remainder": lambda now, number, whole, rng: (now, *(now + number * each for each in _sizes(rng))),
    "bitwise_and": _masked,
    "bitwise_or": _joined,
    "bitwise_xor": lambda now, number, whole, rng: (float(int(now) ^ int(number)),),
    "bitwise_not": lambda now, number, whole, rng: (-now - 1,),
    "bitwise_left_shift": lambda now, number, whole, rng: (now / 2.0**number,),
    "bitwise_right_shift": _shifted,
    "abs": lambda now, number, whole, rng: (now, -now),
    "relu": lambda now, number, whole, rng: (now,),
    "square": lambda now, number, whole, rng: (math.sqrt(now), -math.sqrt(now)),
    "sqrt": lambda now, number, whole, rng: (now * now,),
    "floor": lambda now, number, whole, rng: (now, now + 1),
    "ceil": lambda now, number, whole, rng: (now, now - 1),
    "round": lambda now, number, whole, rng: (now - 0.5, now + 0.5),
    "trunc": lambda now, number, whole, rng: (now, now + math.copysign(1, now)),
}
