"""Which launch settings are tried, in which order, and which won: a descent for each kernel, all of them at once.

A look tries one new setting of every kernel. The profile of a look has the device time of each kernel by its name, so
one look tells about all of them. Where a look has no such times, the settings are told apart by wall time, all kernels
together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from passnet.agent.authors.distill import triton
from passnet.agent.authors.distill.candidates import Candidates, Place
from passnet.agent.authors.distill.plan import KernelPlan
from passnet.agent.authors.distill.recipes import KernelRecipe, triton_kernel
from passnet.agent.authors.distill.rules import RuleKernel
from passnet.agent.lowering.launch_model import LaunchSettings
from passnet.agent.lowering.launches import KernelHeuristics, heuristics
from passnet.agent.lowering.pieces import LoweredPiece
from passnet.agent.record.figures import VariantFigures
from passnet.score import Outcome

# A setting is better if it takes at most this share of the time. Profiles of the same kernel differ by less.
_BETTER = 0.98
# Kernels of fewer microseconds take as long as an empty one. No setting helps.
_LEAST_US = 2.0
# Nor is a kernel worth a look that takes less than this share of its graph.
_LEAST_SHARE = 0.05
# Settings of Inductor by which fewer kernels are launched: kernels that do not depend on each other as one, and a long
# reduction in one step.
_FEWER: Mapping[str, Mapping[str, object]] = {
    "joined launches": {"combo_kernels": True},
    "unsplit reductions": {"split_reductions": False},
}
# A kernel: the place in its graph, and its number in the plan of that place.
KernelKey = tuple[Place, int]
Picks = Mapping[KernelKey, LaunchSettings]


@dataclass
class KernelDescent:
    """Coordinate descent for one kernel: the likeliest setting, what Inductor would try, the neighbours of the best."""

    known: KernelHeuristics
    times: dict[LaunchSettings, float] = field(default_factory=dict)
    _waiting: list[LaunchSettings] = field(default_factory=list)
    _centre: LaunchSettings | None = None

    def __post_init__(self) -> None:
        self._waiting = [row for row in self.known.ordered(self.known.settings) if row != self.known.likely[0]]

    @property
    def best(self) -> LaunchSettings:
        """The fastest setting. The one that was the likeliest if none is clearly faster."""
        first = self.known.likely[0]
        fastest = min(self.times, key=self.times.__getitem__, default=first)
        limit = _BETTER * self.times.get(first, math.inf)
        return fastest if self.times.get(fastest, math.inf) <= limit else first

    @property
    def least_us(self) -> float:
        """The time of the best setting. 0 if it is not known."""
        found = self.times.get(self.best, 0.0)
        return found if found < math.inf else 0.0

    def next(self) -> LaunchSettings | None:
        """A setting that was not tried. None if the descent has ended, or if there is nothing to gain."""
        if self.times.get(self.best, math.inf) < _LEAST_US:
            return None
        if not self._waiting and self.times and self._centre != self.best:
            self._centre = self.best
            near = (row for row in self.known.neighbours(self.best) if row not in self.times)
            self._waiting = self.known.ordered(near)
        return self._waiting.pop(0) if self._waiting else None


class Tuner:
    """The descents of all kernels of a recipe's plans.

    `measured` are the variants that looks measure. Other variants take the settings of the variant that represents
    them, where the kernels are cut alike.
    """

    def __init__(self, candidates: Candidates, recipe: KernelRecipe, representatives: Mapping[int, int]) -> None:
        self.candidates = candidates
        self.representatives = dict(representatives)
        self.descents = {
            (place, number): KernelDescent(known)
            for place in candidates.kernels(dict.fromkeys(candidates.plans, recipe))
            if place[1] in set(self.representatives.values())
            for number, known in enumerate(known_of(candidates.plans[place]))
        }
        self.tried: Picks = {}
        self._looked: list[tuple[dict[KernelKey, LaunchSettings], KernelRecipe]] = []

    def next(self) -> KernelRecipe | None:
        """The next settings of all kernels as a recipe. None when every descent has ended."""
        picks, new = {}, False
        totals: dict[int, float] = {}
        for (place, _), descent in self.descents.items():
            totals[place[1]] = totals.get(place[1], 0.0) + descent.least_us
        for key, descent in self.descents.items():
            small = descent.least_us < _LEAST_SHARE * totals[key[0][1]]
            settings = None if small else descent.next()
            new |= settings is not None
            picks[key] = settings or descent.best
        return self._recipe(picks, f"settings {len(self._looked) + 1}") if new else None

    def best(self) -> KernelRecipe | None:
        """The best settings of all kernels as a recipe. None where that is what a first draft takes."""
        picks = {key: descent.best for key, descent in self.descents.items()}
        if all(picks[key] == descent.known.likely[0] for key, descent in self.descents.items()):
            return None
        return self._recipe(picks, "best settings")

    def note(self, records: Mapping[int, VariantFigures]) -> None:
        """Keep the times of a look at the settings that were proposed last. A look that is wrong tells nothing good."""
        for (place, number), descent in self.descents.items():
            record = records.get(place[1])
            if record is None:
                continue
            settings = self.tried.get((place, number), descent.known.likely[0])
            us = record.kernel_us.get(triton.name_of(number, self.suffix(place)))
            if record.outcome is not Outcome.CORRECT:
                descent.times.setdefault(settings, math.inf)
            elif us is not None:
                descent.times[settings] = min(us, descent.times.get(settings, math.inf))

    @property
    def knows_times(self) -> bool:
        """Whether looks have device times."""
        return any(us < math.inf for descent in self.descents.values() for us in descent.times.values())

    def suffix(self, place: Place) -> str:
        """What the names of a place's kernels end with (`Candidates.kernel`)."""
        return f"_{list(self.candidates.plans).index(place)}"

    def _recipe(self, picks: dict[KernelKey, LaunchSettings], name: str) -> KernelRecipe:
        """A recipe that launches with these settings. The same settings give the same recipe."""
        self.tried = picks
        found = next((recipe for known, recipe in self._looked if known == picks), None)
        if found is None:
            places = list(self.candidates.plans)

            def make(piece: LoweredPiece, plan: KernelPlan, number: int) -> RuleKernel:
                region, variant = places[number]
                source = (region, self.representatives.get(variant, variant))

                def choose(kernel: int, known: KernelHeuristics) -> LaunchSettings:
                    descent = self.descents.get((source, kernel))
                    alike = descent is not None and _alike(descent.known, known)
                    return picks[source, kernel] if alike else known.likely[0]

                return triton_kernel(choose)(piece, plan, number)

            found = KernelRecipe(name, make, tunes=True)
            self._looked.append((picks, found))
        return found


def known_of(plan: KernelPlan) -> Iterator[KernelHeuristics]:
    """What Inductor knows about the kernels of a plan, in order."""
    return (heuristics(kernel.text) for kernel in plan.kernels)


def _alike(one: KernelHeuristics, other: KernelHeuristics) -> bool:
    """Whether the settings of one kernel fit another one: the same axes and parameters."""
    names = [[name for name, _ in known.settings[0].values] for known in (one, other)]
    return (one.kind, one.facts.sizes) == (other.kind, other.facts.sizes) and names[0] == names[1]


def with_fewer_launches(candidates: Candidates, otherwise: KernelRecipe) -> Iterator[KernelRecipe]:
    """Recipes of other plans that launch fewer kernels in some places. Other places have the kernels of `otherwise`."""
    for name, settings in _FEWER.items():
        recipe, saving = _of_another_plan(candidates, otherwise, name, settings)
        several = [place for place, plan in candidates.plans.items() if len(plan.calls) > 1]
        candidates.kernels(dict.fromkeys(several, recipe))
        if saving:
            yield recipe


def _of_another_plan(
    candidates: Candidates, otherwise: KernelRecipe, name: str, settings: Mapping[str, object]
) -> tuple[KernelRecipe, set[Place]]:
    """A recipe with its own settings of Inductor, and the places where it saved a launch so far."""
    saving: set[Place] = set()
    places = list(candidates.plans)

    def make(piece: LoweredPiece, plan: KernelPlan, number: int) -> RuleKernel:
        place = places[number]
        if len(plan.calls) >= len(candidates.plans[place].calls):
            return otherwise.make(piece, candidates.plans[place], number)
        made = triton_kernel()(piece, plan, number)
        saving.add(place)
        return made

    return KernelRecipe(name, make, settings), saving
