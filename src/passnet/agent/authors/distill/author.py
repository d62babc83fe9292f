"""The embedded author: it makes passes of Inductor's kernels in several ways, and keeps the best for each variant.

It acts only through the tools of the environment, so its episodes are recorded like those of any author.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from passnet.agent.authors.distill.candidates import Candidates, Place
from passnet.agent.authors.distill.readings import (
    EQUAL,
    halves,
    is_unknown,
    loses,
    loses_alone,
    right,
    unmatched,
    worth,
)
from passnet.agent.authors.distill.recipes import KernelRecipe, exact, recipes
from passnet.agent.authors.distill.rules import MANIFEST
from passnet.agent.authors.distill.tuning import Tuner, with_fewer_launches
from passnet.agent.env.env import PassEnv
from passnet.agent.record.figures import VariantFigures
from passnet.agent.record.names import ExitReason
from passnet.score import Outcome

# An unsteady machine may give no answer for some variants. Their full evaluation is repeated at most so many times.
_REPEATS = 2
# Up to so many regions are tried one by one. More regions are kept or dropped together.
_MOST_REGIONS = 6
# The search for the right regions of a wrong variant takes at most so many quick looks. If a full evaluation finds the
# result wrong again, the search is repeated. In all there are at most so many searches.
_MOST_LOOKS, _MOST_REPAIRS = 6, 3
# Up to so many looks try other launch settings. Without device times a look tells about all kernels together, and less
# is worth trying.
_MOST_TUNINGS, _MOST_BLIND = 8, 2
# Looks end when so much of the time is used. The rest is for evaluations.
_LOOKING = 0.5
# The parts that can be left out. Each is a setting of the author.
PARTS = ("regions", "configurations")
# Settings with less device time are taken, unless the wall time of a quick look falls below this share.
_CLOSE = 0.9


class DistillAuthor:
    """Needs no model, no network, no key.

    Two of its parts can be left out, to see what they bring. Without `regions` a graph becomes one kernel function as
    a whole, or gets none. Without `configurations` the first recipe stands as it is: kernels are written in one way
    and launched with the likely settings. A wrong variant still gets the exact recipe.
    """

    default_steps = 0
    # It lowers graphs in this process, and evaluations are serial in any case.
    concurrent = False
    resumes = False

    def __init__(self, *, regions: bool = True, configurations: bool = True) -> None:
        self.regions, self.configurations = regions, configurations
        left_out = [f"no-{part}" for part in PARTS if not getattr(self, part)]
        self.name = f"distill:{','.join(left_out)}" if left_out else "distill"

    def settings(self) -> dict[str, object]:
        """The settings that would make another run of it."""
        names = {device: [recipe.name for recipe in recipes(device)] for device in ("cpu", "cuda")}
        return {"recipes": names, **{part: getattr(self, part) for part in PARTS}}

    def play(self, env: PassEnv) -> ExitReason | None:
        """One episode, from the first draft to `submit`."""
        _Episode.begin(env, regions=self.regions, configurations=self.configurations).play()
        return None


@dataclass
class _Episode:
    """`alone` is the speedup of a region alone, for each variant for which it was measured.

    `first` has the findings of the first look at each variant.
    """

    env: PassEnv
    candidates: Candidates
    configurations: bool = True
    alone: dict[Place, float] = field(default_factory=dict)
    first: dict[int, VariantFigures] = field(default_factory=dict)

    @classmethod
    def begin(cls, env: PassEnv, *, regions: bool = True, configurations: bool = True) -> _Episode:
        graphs = [graph for _, _, graph in env.task.graphs]
        candidates = Candidates(graphs, env.device, env.policy, parted=regions)
        if candidates.notes:
            env.message("assistant", "Inductor has no kernels of its own for\n" + "\n".join(candidates.notes))
        return cls(env, candidates, configurations)

    def play(self) -> None:
        tried: dict[KernelRecipe, Mapping[int, float]] = {}
        for recipe in self.recipes():
            if not tried or self.may_look():
                tried[recipe] = self.measure(recipe)
        if self.configurations and self.candidates.device != "cpu" and any(tried.values()):
            tried = self.launched_better(tried)
        self.final(self.without_losses(self.best_of(tried), tried))
        measured = self.env.state.measured.values()
        if measured:
            self.env.submit(max(measured, key=worth).step)

    # --- choosing ----------------------------------------------------------------------------------------------

    def recipes(self) -> Iterator[KernelRecipe]:
        """The recipes that give at least one kernel: all of them, or the first one."""
        known = recipes(self.candidates.device)
        for recipe in known if self.configurations else known[:1]:
            if self.candidates.kernels(dict.fromkeys(self.candidates.plans, recipe)):
                yield recipe

    def may_look(self) -> bool:
        """Whether there is time for more looks. Evaluations need the rest."""
        left = self.env.left_s()
        return left is None or left > self.env.budget.wall_s * (1 - _LOOKING)

    def measure(self, recipe: KernelRecipe) -> dict[int, float]:
        """The speedup by variant of a pass set of this recipe alone. Only right variants have one."""
        found = self.look(dict.fromkeys(self.candidates.plans, recipe))
        self.first = found | self.first
        return right(found)

    def launched_better(
        self, tried: Mapping[KernelRecipe, Mapping[int, float]]
    ) -> dict[KernelRecipe, Mapping[int, float]]:
        """The first recipe with better launch settings, and recipes with fewer launches, beside what was tried."""
        (recipe, first), *_ = tried.items()
        representatives = {variant: self.candidates.representative(variant, first) for variant in first}
        tuner = Tuner(self.candidates, recipe, representatives)
        tuner.note(self.first)
        found = dict(tried)
        for number in range(_MOST_TUNINGS):
            more = self.may_look() and (tuner.knows_times or number < _MOST_BLIND)
            other = tuner.next() if more else None
            if other is None:
                break
            found[other] = self.tuned(other, first, tuner)
        best = tuner.best() if tuner.knows_times else None
        looked = dict(found)
        if tuner.knows_times:
            found = {recipe: first}
        if best is not None:
            speeds = looked.get(best) or self.tuned(best, first, tuner)
            better = {variant: speed for variant, speed in speeds.items() if speed >= _CLOSE * first[variant]}
            found = {best: better, recipe: {variant: first[variant] for variant in set(first) - set(better)}}
        for fewer in with_fewer_launches(self.candidates, best or recipe):
            if self.may_look():
                found[fewer] = self.tuned(fewer, first)
        return found

    def tuned(self, recipe: KernelRecipe, first: Mapping[int, float], tuner: Tuner | None = None) -> dict[int, float]:
        """The same as `measure`, given the speedups of the first recipe. The `tuner` takes the device times.

        It measures only one of the variants that are alike.
        """
        representatives = {variant: self.candidates.representative(variant, first) for variant in first}
        records = self.look({place: recipe for place in self.candidates.plans if place[1] in representatives.values()})
        if tuner is not None:
            tuner.note(records)
        gains = {variant: speed / first[variant] for variant, speed in right(records).items()}
        return {
            variant: first[variant] * gains[representative]
            for variant, representative in representatives.items()
            if representative in gains
        }

    def best_of(self, tried: Mapping[KernelRecipe, Mapping[int, float]]) -> dict[Place, KernelRecipe]:
        """The fastest recipe for each variant. The exact recipe if none was right."""
        chosen: dict[Place, KernelRecipe] = {}
        careful = exact(self.candidates.device)
        for place in self.candidates.plans:
            _, variant = place
            known = {recipe: speeds[variant] for recipe, speeds in tried.items() if variant in speeds}
            found = [(speed, recipe) for recipe, speed in known.items() if self.candidates.kernel(place, recipe)]
            if found:
                chosen[place] = max(found, key=lambda pair: pair[0])[1]
            else:
                chosen[place] = next(iter(tried)) if tried and self.is_unknown(variant) else careful
        return chosen

    def is_unknown(self, variant: int) -> bool:
        """Whether the first look gave no answer about a variant, because of the machine. That is no "no"."""
        record = self.first.get(variant)
        return record is not None and is_unknown(record)

    def without_losses(
        self, chosen: dict[Place, KernelRecipe], tried: Mapping[KernelRecipe, Mapping[int, float]]
    ) -> dict[Place, KernelRecipe]:
        """Leave out regions that slow their graph down.

        Each is measured alone. A region without a clear figure stays. What is kept is measured together. A variant for
        which all regions are faster keeps all.
        """
        numbers = sorted({number for number, _ in set(chosen) - self.candidates.unmatched})
        if not 1 < len(numbers) <= _MOST_REGIONS:
            return chosen
        kept: dict[Place, KernelRecipe] = {}
        for number in numbers:
            alone = {place: recipe for place, recipe in chosen.items() if place[0] == number}
            lost = self.lost(alone) if self.may_look() else set()
            kept |= {place: recipe for place, recipe in alone.items() if place[1] not in lost}
        fewer = {variant for _, variant in set(chosen) - set(kept)} & {variant for _, variant in kept}
        if not fewer or not self.may_look():
            return kept
        speeds = right(self.look_at(kept, fewer))
        for variant in fewer:
            every = max((known[variant] for known in tried.values() if variant in known), default=0.0)
            if variant in speeds and speeds[variant] < EQUAL * every:
                kept |= {place: recipe for place, recipe in chosen.items() if place[1] == variant}
        return kept

    def lost(self, alone: Mapping[Place, KernelRecipe]) -> set[int]:
        """The variants that one region makes wrong or measurably slower.

        One representative is measured for all variants of its shapes. If it loses, one variant of each precision is
        measured too. The reason: the region's share of the time differs with the precision.
        """
        variants = [variant for _, variant in alone]
        representatives = {variant: self.candidates.representative(variant, variants) for variant in variants}
        records = self.look_at(alone, set(representatives.values()))
        kinds = {variant: (representatives[variant], self.candidates.is_half(variant)) for variant in variants}
        measured_for = {
            variant: min(other for other in variants if kinds[other] == kinds[variant])
            if representative in records and loses_alone(records[representative])
            else representative
            for variant, representative in representatives.items()
        }
        records |= self.look_at(alone, set(measured_for.values()) - set(records))
        known = {variant: records[measured] for variant, measured in measured_for.items() if measured in records}
        speeds = {place: known[place[1]].speedup for place in alone if place[1] in known}
        self.alone |= {place: speed for place, speed in speeds.items() if speed is not None}
        return {variant for variant, record in known.items() if loses_alone(record)}

    def look_at(self, chosen: Mapping[Place, KernelRecipe], variants: Container[int]) -> dict[int, VariantFigures]:
        """A quick look at some of the variants."""
        return self.look({place: recipe for place, recipe in chosen.items() if place[1] in variants})

    def final(self, chosen: dict[Place, KernelRecipe]) -> None:
        """Evaluate in full, and replace the parts that are wrong or slow.

        A wrong variant keeps only its right regions. A losing variant keeps only its gaining regions, or gets smaller
        regions. A variant that still loses gets a rule that changes nothing.
        """
        unchanged: set[int] = set()
        settled: set[int] = set()
        repaired: Counter[int] = Counter()
        records = self.evaluate(self.candidates.files(chosen))
        losing = self.losing(records) if records else set(range(len(self.candidates.graphs)))
        while losing:
            for variant in sorted(losing):
                wrong = not records or records[variant].outcome is not Outcome.CORRECT
                kept = {} if wrong else self.gaining(chosen, variant) or self.narrower(chosen, variant)
                if not wrong and not kept and self.candidates.identity_rule(variant) is None:
                    settled.add(variant)
                    continue
                if wrong and repaired[variant] < _MOST_REPAIRS:
                    kept = dict.fromkeys(self.right_part(chosen, variant), exact(self.candidates.device))
                chosen = {place: recipe for place, recipe in chosen.items() if place[1] != variant} | kept
                repaired[variant] += 1
                if not kept:
                    unchanged.add(variant)
            files = self.candidates.files(chosen, unchanged=sorted(unchanged))
            if not files or losing <= settled:
                return
            records = self.evaluate(files)
            losing = self.losing(records) - unchanged - settled

    def gaining(self, chosen: Mapping[Place, KernelRecipe], variant: int) -> dict[Place, KernelRecipe]:
        """For a variant that is right and loses: the places that gained alone. Empty if all places did."""
        own = {place: recipe for place, recipe in chosen.items() if place[1] == variant}
        kept = {place: recipe for place, recipe in own.items() if self.alone.get(place, 1.0) >= 1.0}
        return kept if len(kept) < len(own) else {}

    def narrower(self, chosen: Mapping[Place, KernelRecipe], variant: int) -> dict[Place, KernelRecipe]:
        """The same variant with smaller regions, if they can be smaller. Empty if none can."""
        own = {place: recipe for place, recipe in chosen.items() if place[1] == variant}
        parts = {place: self.candidates.narrowed(place) for place in own}
        kept = {part: recipe for place, recipe in own.items() for part in parts[place] or [place]}
        return kept if any(parts.values()) else {}

    @staticmethod
    def losing(records: Sequence[VariantFigures]) -> set[int]:
        return {number for number, record in enumerate(records) if loses(record)}

    def right_part(self, chosen: Mapping[Place, KernelRecipe], variant: int) -> list[Place]:
        """Places of a variant whose exact kernels together are right and gain: all of them, or some found by halving.

        If no identity rule can be made, the result may lose.
        """
        careful = exact(self.candidates.device)
        places = list(self.candidates.kernels({place: careful for place in chosen if place[1] == variant}))
        tried = all(chosen[place] == careful for place in places)
        kept: list[Place] = []
        best = 1.0 if self.candidates.identity_rule(variant) is not None else 0.0
        parts = halves(places) if tried else [places]
        for _ in range(_MOST_LOOKS):
            if not parts:
                break
            part = parts.pop(0)
            known = tried and len(kept) + len(part) == len(places)
            speed = 0.0 if known else self.speeds(dict.fromkeys([*kept, *part], careful)).get(variant, 0.0)
            if speed > best:
                kept, best = [*kept, *part], speed
            else:
                parts += halves(part)
        return kept

    def write(self, files: Mapping[str, str]) -> None:
        known = self.env.files()
        for name in known:
            if name not in files:
                self.env.delete(name)
        for name, text in sorted(files.items(), key=lambda item: item[0] == MANIFEST):
            if known.get(name) != text:
                self.env.create(name, text)

    # --- measuring ---------------------------------------------------------------------------------------------

    def speeds(self, chosen: Mapping[Place, KernelRecipe]) -> dict[int, float]:
        """A quick look: the speedup by variant, for right variants only."""
        return right(self.look(chosen))

    def look(self, chosen: Mapping[Place, KernelRecipe]) -> dict[int, VariantFigures]:
        """A quick look: the findings by variant."""
        files = self.candidates.files(chosen)
        if not files:
            return {}
        self.write(files)
        places = list(self.candidates.kernels(chosen))
        numbers = sorted({variant for _, variant in places})
        found = self.quick_look(numbers)
        unknown = [number for number in numbers if number not in found or is_unknown(found[number])]
        if unknown and self.may_look():
            found |= self.quick_look(unknown)
        for number, record in found.items():
            self.candidates.unmatched |= unmatched([place for place in places if place[1] == number], record)
        return found

    def quick_look(self, numbers: Sequence[int]) -> dict[int, VariantFigures]:
        """A quick look at the files as they are, by variant."""
        seen = self.env.evaluate(",".join(map(str, numbers)), quick=True).evaluation
        return dict(zip(numbers, seen.graphs, strict=True)) if seen is not None else {}

    def evaluate(self, files: Mapping[str, str]) -> Sequence[VariantFigures]:
        if not files:
            return ()
        self.write(files)
        for _ in range(1 + _REPEATS):
            seen = self.env.evaluate().evaluation
            records = seen.graphs if seen is not None else ()
            if records and not any(is_unknown(record) for record in records):
                break
        return records
