"""What is compared of one call, beside what it should be. Many calls are measured together, see `at_once`."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import torch

from passnet.bench.compare import at_once
from passnet.bench.compare.at_once import WholeOutput, values_of
from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.comparison import Comparison, Criteria, worst
from passnet.bench.compare.errors import compare
from passnet.bench.compare.farthest import Chosen, compare_farthest, farthest_of, is_sampled, sample
from passnet.bench.compare.well_slices import Judged
from passnet.bench.verdict.answers import Expected
from passnet.bench.verdict.survival import Sides, only_judged, renumbered

Tensors = Sequence[torch.Tensor]


@dataclass(frozen=True)
class Placing:
    """Where tensors are compared: in their place, or on the host where the device has no room for comparing.

    `changed`: the numbers of the inputs that eager changes.
    """

    on_host: bool
    changed: Sequence[int]

    def outputs(self, outputs: Tensors, expected: Expected) -> Sides:
        """The outputs of a call, none for those of eager alone, with what is expected of them."""
        if not self.on_host:
            return outputs, expected.eager, expected.wide
        wide = self.placed(expected.wide) if expected.wide is not None else None
        return self.placed(outputs), self.placed(expected.eager), wide

    def left(self, now: Tensors, expected: Expected) -> Sides:
        """The inputs that eager changes: as they are now, as eager and as float64 leave them."""
        left = Expected(*expected.left(self.changed), [])
        return self.outputs([now[index] for index in self.changed] if now else (), left)

    def placed(self, tensors: Tensors) -> Tensors:
        return [tensor.cpu() for tensor in tensors] if self.on_host else tensors


@dataclass
class CallCase:
    """The tensors of one call that are compared. `first`: the number of the first one, which is not 0 where they are
    inputs that the call changed. `only`: the numbers of those that are judged, None where all are. With `rng`, elements
    are drawn at random. `known`, `known_farthest`: what `measure` found.
    """

    sides: Sides
    criteria: Criteria
    first: int = 0
    only: Judged | None = None
    rng: Random | None = None
    known: list[WholeOutput | None] | None = field(default=None, repr=False)
    known_farthest: list[Chosen | None] | None = field(default=None, repr=False)

    @functools.cached_property
    def judged(self) -> tuple[Sides, list[int]]:
        """The sides as far as they are judged, and their places among all."""
        if self.only is None:
            return self.sides, list(range(len(self.sides[1])))
        return only_judged(self.sides, self.only, self.first)

    @functools.cached_property
    def chosen(self) -> Sides:
        """The elements that are compared."""
        sides, _ = self.judged
        return sides if self.rng is None else sample(*sides, self.rng)

    @property
    def drawn(self) -> list[bool]:
        """Of each tensor that is judged, whether its elements are drawn."""
        return [self.rng is not None and is_sampled(output) for output in self.judged[0][1]]

    @property
    def whole(self) -> list[bool]:
        """Of each tensor that is judged, whether all of it is."""
        return [self.only is None or self.only[self.first + place] is None for place in self.judged[1]]

    def with_sides(self, sides: Sides) -> CallCase:
        """The same call with other tensors."""
        return CallCase(sides, self.criteria, self.first, self.only, self.rng)

    def near(self, errors: Sequence[Errors]) -> list[Errors]:
        """Eager's errors on neighbours of the draw, for each tensor that is judged. None where only slices are."""
        return [errors[place] if whole else Errors() for place, whole in zip(self.judged[1], self.whole, strict=True)]

    def compared(self, near: Sequence[Errors] | None = None) -> Comparison:
        """`near`: eager's errors on neighbours of the draw, for each tensor that is judged."""
        sides, places = self.judged
        if not places:
            return Comparison()
        found = compare(*self.chosen, self.criteria, near, self.first, self.known, self.drawn)
        if self.rng is not None:
            found = worst([found, compare_farthest(*sides, self.criteria, near, self.first, self.known_farthest)])
        return found if self.only is None else renumbered(found, places, self.first)


def measure(cases: Sequence[CallCase]) -> None:
    """Ask for the numbers of all these calls together."""
    chosen = [values_of(*case.chosen, hard=case.criteria.hard, drawn=case.drawn) for case in cases]
    large = [[] if case.rng is None else values_of(*case.judged[0], hard=case.criteria.hard) for case in cases]
    wholes = iter(at_once.wholes([values for some in chosen for values in some]))
    farthest = iter(farthest_of([values for some in large for values in some]))
    for case, some, others in zip(cases, chosen, large, strict=True):
        case.known, case.known_farthest = [next(wholes) for _ in some], [next(farthest) for _ in others]
