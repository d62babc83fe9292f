"""The embedded author: Inductor's kernels as passes, tried in several ways, the best for each variant kept.

It acts through the tools of the environment alone, so its episodes are recorded like those of any author.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from passnet.agent.distill import regions, ties
from passnet.agent.distill.inductor import NotGenerated, generate
from passnet.agent.distill.plan import Plan, parse
from passnet.agent.distill.recipes import Recipe, exact, language, recipes
from passnet.agent.distill.regions import Region
from passnet.agent.distill.rules import MANIFEST, Variant, manifest, pass_files
from passnet.agent.env import PassEnv
from passnet.agent.names import ExitReason
from passnet.graph import Graph
from passnet.score import OUTCOME_RULES, Outcome, Owner

# A full evaluation is repeated up to so many times for the variants of which an unsteady machine could tell nothing.
_REPEATS = 2
# Regions are tried one by one up to so many; beyond, they stand or fall together.
_MOST_REGIONS = 6
# A place where a kernel may stand: the number of the region and of the variant.
Place = tuple[int, int]


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
        _Episode(env).play()
        return None


@dataclass
class _Episode:
    env: PassEnv
    graphs: list[Graph] = field(init=False)
    regions: list[Region] = field(init=False)
    plans: dict[Place, Plan] = field(init=False)
    made: dict[tuple[Place, Recipe], Variant | None] = field(default_factory=dict)
    unmatched: set[Place] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.graphs = [graph for _, _, graph in self.env.task.graphs]
        self.regions = regions.find(self.graphs, self.env.device)
        self.plans = dict(self._plans())

    def _plans(self) -> Iterator[tuple[Place, Plan]]:
        notes = []
        for number, region in enumerate(self.regions):
            for variant in region.pieces:
                try:
                    yield (number, variant), self.plan((number, variant), {})
                except NotGenerated as error:
                    notes.append(f"statements {region.first} to {region.last} of variant {variant}: {error}")
        if notes:
            self.env.message("assistant", "Inductor has no kernels of its own for\n" + "\n".join(notes))

    def plan(self, place: Place, settings: Mapping[str, Any]) -> Plan:
        """Errors: NotGenerated."""
        piece = self.regions[place[0]].pieces[place[1]]
        return parse(generate(piece.graph, self.env.device, strides=piece.strides, **settings))

    def play(self) -> None:
        tried: dict[Recipe, dict[int, float]] = {}
        for recipe in self.drafts():
            tried[recipe] = self.tuned(recipe, next(iter(tried.values()))) if recipe.tunes else self.measure(recipe)
        self.final(self.without_losses(self.best_of(tried)))
        if self.env.best is not None:
            self.env.submit()

    # --- choosing ----------------------------------------------------------------------------------------------

    def drafts(self) -> Iterator[Recipe]:
        """The recipes that give a kernel anywhere."""
        for recipe in recipes(self.env.device):
            if self.kernels(dict.fromkeys(self.plans, recipe)):
                yield recipe

    def measure(self, recipe: Recipe) -> dict[int, float]:
        """Speedup by variant of a pass set of this recipe alone, where it is right."""
        return self.speeds(dict.fromkeys(self.plans, recipe))

    def tuned(self, recipe: Recipe, first: Mapping[int, float]) -> dict[int, float]:
        """The same, given what the first recipe brought: measured on one of the variants that are alike."""
        leaders = {variant: self.leader(variant, first) for variant in first}
        speeds = self.speeds({place: recipe for place in self.plans if place[1] in leaders.values()})
        gains = {leader: speed / first[leader] for leader, speed in speeds.items()}
        return {variant: first[variant] * gains[leader] for variant, leader in leaders.items() if leader in gains}

    def leader(self, variant: int, among: Iterable[int]) -> int:
        """The first of these variants that says on a GPU as much of this one: of equal shapes. On the CPU half
        precision is a case of its own."""
        if self.env.device == "cpu":
            return variant
        shapes = [spec.shape for spec in self.graphs[variant].specs]
        return min(other for other in among if [spec.shape for spec in self.graphs[other].specs] == shapes)

    def best_of(self, tried: Mapping[Recipe, Mapping[int, float]]) -> dict[Place, Recipe]:
        """For each variant the recipe that was fastest; the exact one where none was right."""
        chosen: dict[Place, Recipe] = {}
        careful = exact(self.env.device)
        for place in self.plans:
            _, variant = place
            known = {recipe: speeds[variant] for recipe, speeds in tried.items() if variant in speeds}
            found = [(speed, recipe) for recipe, speed in known.items() if self.kernel(place, recipe) is not None]
            if found:
                chosen[place] = max(found, key=lambda pair: pair[0])[1]
            else:
                chosen[place] = careful
        return chosen

    def without_losses(self, chosen: dict[Place, Recipe]) -> dict[Place, Recipe]:
        """Regions that slow their graph down left out, each measured alone."""
        numbers = sorted({number for number, _ in set(chosen) - self.unmatched})
        if not 1 < len(numbers) <= _MOST_REGIONS:
            return chosen
        kept: dict[Place, Recipe] = {}
        for number in numbers:
            alone = {place: recipe for place, recipe in chosen.items() if place[0] == number}
            leaders = {place: self.leader(place[1], [variant for _, variant in alone]) for place in alone}
            speeds = self.speeds({place: alone[place] for place in alone if place[1] in leaders.values()})
            kept |= {place: recipe for place, recipe in alone.items() if speeds.get(leaders[place], 0.0) > 1.0}
        return kept

    def final(self, chosen: Mapping[Place, Recipe]) -> None:
        """Evaluate in full; a variant that is wrong is rounded like eager, and what still loses becomes a tie."""
        records = self.evaluate(self.files(chosen))
        losing = {number for number, record in enumerate(records) if _loses(record)}
        wrong = {number for number in losing if records[number]["outcome"] != Outcome.CORRECT}
        careful = self.carefully(chosen, wrong)
        tied = losing - {variant for _, variant in careful} if records else set(range(len(self.graphs)))
        while tied or careful:
            kept = {place: recipe for place, recipe in {**chosen, **careful}.items() if place[1] not in tied}
            files = self.files(kept, ties_for=sorted(tied))
            if not files:
                return
            records = self.evaluate(files)
            losing = {number for number, record in enumerate(records) if _loses(record)} - tied
            if not losing:
                return
            tied |= losing

    def carefully(self, chosen: Mapping[Place, Recipe], wrong: set[int]) -> dict[Place, Recipe]:
        """The exact recipe for those of these variants on which it is right and gains."""
        careful = exact(self.env.device)
        other = {place: careful for place, recipe in chosen.items() if place[1] in wrong and recipe != careful}
        gains = {variant for variant, speed in self.speeds(other).items() if speed > 1.0}
        return {place: careful for place in other if place[1] in gains}

    # --- pass sets ---------------------------------------------------------------------------------------------

    def kernels(self, chosen: Mapping[Place, Recipe]) -> dict[Place, Variant]:
        """The kernels of those places for which the recipe has one."""
        made = {place: self.kernel(place, chosen[place]) for place in sorted(set(chosen) - self.unmatched)}
        return {place: variant for place, variant in made.items() if variant is not None}

    def kernel(self, place: Place, recipe: Recipe) -> Variant | None:
        """What a recipe makes of a place, once; None where it has no kernel."""
        if (place, recipe) not in self.made:
            piece, number = self.regions[place[0]].pieces[place[1]], list(self.plans).index(place)
            try:
                plan = self.plan(place, recipe.settings) if recipe.settings else self.plans[place]
                self.made[place, recipe] = Variant(piece, plan, recipe.make(piece, plan, number))
            except NotGenerated:
                self.made[place, recipe] = None
        return self.made[place, recipe]

    def files(self, chosen: Mapping[Place, Recipe], ties_for: Sequence[int] = ()) -> dict[str, str]:
        """A pass directory: the rules of every region, then the ties."""
        kernels = self.kernels(chosen)
        spoken = language(self.env.device)
        files: dict[str, str] = {}
        for number in range(len(self.regions)):
            own = [variant for place, variant in kernels.items() if place[0] == number]
            if own:
                files |= pass_files(own, spoken, prefix=_prefix(number))
        texts = dict.fromkeys(ties.tie(self.graphs[number], spoken) for number in ties_for)
        files |= {f"Unchanged{number}.py": text for number, text in enumerate(filter(None, texts))}
        return manifest(files) if files else {}

    def write(self, files: Mapping[str, str]) -> None:
        known = self.env.files()
        for name in known:
            if name not in files:
                self.env.delete(name)
        for name, text in sorted(files.items(), key=lambda item: item[0] == MANIFEST):
            if known.get(name) != text:
                self.env.create(name, text)

    # --- measuring ---------------------------------------------------------------------------------------------

    def speeds(self, chosen: Mapping[Place, Recipe]) -> dict[int, float]:
        """A quick look: speedup by variant, of those that are right."""
        files = self.files(chosen)
        if not files:
            return {}
        self.write(files)
        places = list(self.kernels(chosen))
        numbers = sorted({variant for _, variant in places})
        data = self.env.evaluate(",".join(map(str, numbers)), quick=True).data or {}
        found = {}
        for number, record in zip(numbers, data.get("graphs", ()), strict=False):
            self.unmatched |= _unmatched([place for place in places if place[1] == number], record)
            if record["outcome"] == Outcome.CORRECT and record["speedup"] is not None:
                found[number] = float(record["speedup"])
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


def _unmatched(places: Sequence[Place], record: Mapping[str, Any]) -> set[Place]:
    """Places of a variant whose rules replaced nothing in its graph."""
    replaced: Mapping[str, int] = record.get("replacements") or {}
    counts = {place: sum(n for rule, n in replaced.items() if rule.startswith(_prefix(place[0]))) for place in places}
    return {place for place, count in counts.items() if count == 0} if replaced else set()


def _prefix(region: int) -> str:
    return f"Fused{region}_"


def _loses(record: Mapping[str, Any]) -> bool:
    """Wrong, or slower than eager by more than the interval; a machine too unsteady to tell says nothing."""
    if OUTCOME_RULES[Outcome(record["outcome"])].owner is not Owner.CANDIDATE:
        return False
    interval = record.get("speedup_ci")
    return record["outcome"] != Outcome.CORRECT or (interval is not None and interval[1] < 1.0)
