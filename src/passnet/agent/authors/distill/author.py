"""The embedded author: Inductor's kernels as passes, tried in several ways, the best for each variant kept.

It acts through the tools of the environment alone, so its episodes are recorded like those of any author.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from passnet.agent.authors.distill.drafts import Drafts, Place, prefix
from passnet.agent.authors.distill.recipes import KernelRecipe, exact, recipes
from passnet.agent.authors.distill.rules import MANIFEST
from passnet.agent.env.env import PassEnv
from passnet.agent.env.episode import MeasuredStep
from passnet.agent.record.names import ExitReason
from passnet.score import OUTCOME_RULES, Outcome, Owner

# A full evaluation is repeated up to so many times for the variants of which an unsteady machine could tell nothing.
_REPEATS = 2
# Regions are tried one by one up to so many; beyond, they stand or fall together.
_MOST_REGIONS = 6
# What is right of a wrong variant is looked for so long; and anew, where that is found wrong in full, so often.
_MOST_LOOKS, _MOST_MENDS = 6, 3


class DistillAuthor:
    """Needs no model, no network, no key."""

    name = "distill"
    default_steps = 0
    # It lowers graphs in this process, and evaluations are serial anyway.
    concurrent = False
    resumes = False

    def settings(self) -> dict[str, Any]:
        """What would make another run of it."""
        return {"recipes": {device: [recipe.name for recipe in recipes(device)] for device in ("cpu", "cuda")}}

    def play(self, env: PassEnv) -> ExitReason | None:
        """One episode, from the first draft to `submit`."""
        _Episode.begin(env).play()
        return None


@dataclass
class _Episode:
    """`alone`: what a region brought alone, where that was measured, as far as it is known of a variant."""

    env: PassEnv
    drafts: Drafts
    alone: dict[Place, float] = field(default_factory=dict)

    @classmethod
    def begin(cls, env: PassEnv) -> _Episode:
        drafts = Drafts([graph for _, _, graph in env.task.graphs], env.device)
        if drafts.notes:
            env.message("assistant", "Inductor has no kernels of its own for\n" + "\n".join(drafts.notes))
        return cls(env, drafts)

    def play(self) -> None:
        tried: dict[KernelRecipe, dict[int, float]] = {}
        for recipe in self.recipes():
            tried[recipe] = self.tuned(recipe, next(iter(tried.values()))) if recipe.tunes else self.measure(recipe)
        self.final(self.without_losses(self.best_of(tried)))
        if self.env.measured:
            self.env.submit(max(self.env.measured.values(), key=_worth).step)

    # --- choosing ----------------------------------------------------------------------------------------------

    def recipes(self) -> Iterator[KernelRecipe]:
        """The recipes that give a kernel anywhere."""
        for recipe in recipes(self.drafts.device):
            if self.drafts.kernels(dict.fromkeys(self.drafts.plans, recipe)):
                yield recipe

    def measure(self, recipe: KernelRecipe) -> dict[int, float]:
        """Speedup by variant of a pass set of this recipe alone, where it is right."""
        return self.speeds(dict.fromkeys(self.drafts.plans, recipe))

    def tuned(self, recipe: KernelRecipe, first: Mapping[int, float]) -> dict[int, float]:
        """The same, given what the first recipe brought: measured on one of the variants that are alike."""
        leaders = {variant: self.drafts.leader(variant, first) for variant in first}
        speeds = self.speeds({place: recipe for place in self.drafts.plans if place[1] in leaders.values()})
        gains = {leader: speed / first[leader] for leader, speed in speeds.items()}
        return {variant: first[variant] * gains[leader] for variant, leader in leaders.items() if leader in gains}

    def best_of(self, tried: Mapping[KernelRecipe, Mapping[int, float]]) -> dict[Place, KernelRecipe]:
        """For each variant the recipe that was fastest; the exact one where none was right."""
        chosen: dict[Place, KernelRecipe] = {}
        careful = exact(self.drafts.device)
        for place in self.drafts.plans:
            _, variant = place
            known = {recipe: speeds[variant] for recipe, speeds in tried.items() if variant in speeds}
            found = [(speed, recipe) for recipe, speed in known.items() if self.drafts.kernel(place, recipe)]
            if found:
                chosen[place] = max(found, key=lambda pair: pair[0])[1]
            else:
                chosen[place] = careful
        return chosen

    def without_losses(self, chosen: dict[Place, KernelRecipe]) -> dict[Place, KernelRecipe]:
        """Regions that slow their graph down left out, each measured alone; what cannot be told stays."""
        numbers = sorted({number for number, _ in set(chosen) - self.drafts.unmatched})
        if not 1 < len(numbers) <= _MOST_REGIONS:
            return chosen
        kept: dict[Place, KernelRecipe] = {}
        for number in numbers:
            alone = {place: recipe for place, recipe in chosen.items() if place[0] == number}
            lost = self.lost(alone)
            kept |= {place: recipe for place, recipe in alone.items() if place[1] not in lost}
        return kept

    def lost(self, alone: Mapping[Place, KernelRecipe]) -> set[int]:
        """Variants that one region makes wrong or measurably slower: a leader speaks for those of its shapes, and where
        it loses, one of each precision for its own, whose share of the time is another."""
        variants = [variant for _, variant in alone]
        leaders = {variant: self.drafts.leader(variant, variants) for variant in variants}
        records = self.look_at(alone, set(leaders.values()))
        kinds = {variant: (leaders[variant], self.drafts.is_half(variant)) for variant in variants}
        speakers = {
            variant: min(other for other in variants if kinds[other] == kinds[variant])
            if leader in records and _loses(records[leader])
            else leader
            for variant, leader in leaders.items()
        }
        records |= self.look_at(alone, set(speakers.values()) - set(records))
        known = {variant: records[speaker] for variant, speaker in speakers.items() if speaker in records}
        speeds = {place: known[place[1]]["speedup"] for place in alone if place[1] in known}
        self.alone |= {place: float(speed) for place, speed in speeds.items() if speed is not None}
        return {variant for variant, record in known.items() if _loses(record)}

    def look_at(self, chosen: Mapping[Place, KernelRecipe], variants: Container[int]) -> dict[int, dict[str, Any]]:
        """A quick look at some of the variants."""
        return self.look({place: recipe for place, recipe in chosen.items() if place[1] in variants})

    def final(self, chosen: dict[Place, KernelRecipe]) -> None:
        """Evaluate in full; what is wrong is replaced by what is right of it, what loses by what gains of it or by
        smaller regions, and what still loses by a tie."""
        tied: set[int] = set()
        settled: set[int] = set()
        mended: Counter[int] = Counter()
        records = self.evaluate(self.drafts.files(chosen))
        losing = self.losing(records) if records else set(range(len(self.drafts.graphs)))
        while losing:
            for variant in sorted(losing):
                wrong = not records or records[variant]["outcome"] != Outcome.CORRECT
                kept = {} if wrong else self.gaining(chosen, variant) or self.narrower(chosen, variant)
                if not wrong and not kept and self.drafts.tie(variant) is None:
                    settled.add(variant)
                    continue
                if wrong and mended[variant] < _MOST_MENDS:
                    kept = dict.fromkeys(self.right_part(chosen, variant), exact(self.drafts.device))
                chosen = {place: recipe for place, recipe in chosen.items() if place[1] != variant} | kept
                mended[variant] += 1
                if not kept:
                    tied.add(variant)
            files = self.drafts.files(chosen, ties_for=sorted(tied))
            if not files or losing <= settled:
                return
            records = self.evaluate(files)
            losing = self.losing(records) - tied - settled

    def gaining(self, chosen: Mapping[Place, KernelRecipe], variant: int) -> dict[Place, KernelRecipe]:
        """Of a variant that is right and loses, the places that brought something alone; none if these are all."""
        own = {place: recipe for place, recipe in chosen.items() if place[1] == variant}
        kept = {place: recipe for place, recipe in own.items() if self.alone.get(place, 1.0) >= 1.0}
        return kept if len(kept) < len(own) else {}

    def narrower(self, chosen: Mapping[Place, KernelRecipe], variant: int) -> dict[Place, KernelRecipe]:
        """Of a variant the same with smaller regions where they can be smaller; none if none of them can."""
        own = {place: recipe for place, recipe in chosen.items() if place[1] == variant}
        parts = {place: self.drafts.narrowed(place) for place in own}
        kept = {part: recipe for place, recipe in own.items() for part in parts[place] or [place]}
        return kept if any(parts.values()) else {}

    @staticmethod
    def losing(records: Sequence[Mapping[str, Any]]) -> set[int]:
        return {number for number, record in enumerate(records) if _loses(record)}

    def right_part(self, chosen: Mapping[Place, KernelRecipe], variant: int) -> list[Place]:
        """Places of a variant at which the exact recipe is together right and gains: all, or found by halving.

        It may lose where a tie is not to be had.
        """
        careful = exact(self.drafts.device)
        places = list(self.drafts.kernels({place: careful for place in chosen if place[1] == variant}))
        tried = all(chosen[place] == careful for place in places)
        kept: list[Place] = []
        best = 1.0 if self.drafts.tie(variant) is not None else 0.0
        parts = _halves(places) if tried else [places]
        for _ in range(_MOST_LOOKS):
            if not parts:
                break
            part = parts.pop(0)
            known = tried and len(kept) + len(part) == len(places)
            speed = 0.0 if known else self.speeds(dict.fromkeys([*kept, *part], careful)).get(variant, 0.0)
            if speed > best:
                kept, best = [*kept, *part], speed
            else:
                parts += _halves(part)
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
        """A quick look: speedup by variant, of those that are right."""
        right = {n: record for n, record in self.look(chosen).items() if record["outcome"] == Outcome.CORRECT}
        return {n: float(record["speedup"]) for n, record in right.items() if record["speedup"] is not None}

    def look(self, chosen: Mapping[Place, KernelRecipe]) -> dict[int, dict[str, Any]]:
        """A quick look: what was found, by variant."""
        files = self.drafts.files(chosen)
        if not files:
            return {}
        self.write(files)
        places = list(self.drafts.kernels(chosen))
        numbers = sorted({variant for _, variant in places})
        data = self.env.evaluate(",".join(map(str, numbers)), quick=True).data or {}
        found = dict(zip(numbers, data.get("graphs", ()), strict=False))
        for number, record in found.items():
            self.drafts.unmatched |= _unmatched([place for place in places if place[1] == number], record)
        return found

    def evaluate(self, files: Mapping[str, str]) -> list[dict[str, Any]]:
        if not files:
            return []
        self.write(files)
        for _ in range(1 + _REPEATS):
            data = self.env.evaluate().data or {}
            records = list(data.get("graphs", ()))
            if all(record["outcome"] != Outcome.UNSTABLE for record in records):
                break
        return records


def _worth(measured: MeasuredStep) -> tuple[int, float]:
    """Of pass sets that of which most variants are right, then by score."""
    return sum(graph["outcome"] == Outcome.CORRECT for graph in measured.graphs), measured.score


def _unmatched(places: Sequence[Place], record: Mapping[str, Any]) -> set[Place]:
    """Places of a variant whose rules replaced nothing in its graph."""
    replaced: Mapping[str, int] = record.get("replacements") or {}
    counts = {place: sum(n for rule, n in replaced.items() if rule.startswith(prefix(place[0]))) for place in places}
    return {place for place, count in counts.items() if count == 0} if replaced else set()


def _halves(places: Sequence[Place]) -> list[Sequence[Place]]:
    """Nothing of a single one."""
    middle = len(places) // 2
    return [places[:middle], places[middle:]] if middle else []


def _loses(record: Mapping[str, Any]) -> bool:
    """Wrong, or slower than eager by more than the interval; a machine too unsteady to tell says nothing."""
    if OUTCOME_RULES[Outcome(record["outcome"])].owner is not Owner.CANDIDATE:
        return False
    interval = record.get("speedup_ci")
    return record["outcome"] != Outcome.CORRECT or (interval is not None and interval[1] < 1.0)
