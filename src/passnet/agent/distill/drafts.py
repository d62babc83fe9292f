"""What can be made of a task: its regions, their plans, a kernel by every recipe, ties, pass directories of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from passnet.agent.distill import regions, ties
from passnet.agent.distill.inductor import NotGenerated, generate
from passnet.agent.distill.plan import Plan, parse
from passnet.agent.distill.recipes import Recipe, is_half, language
from passnet.agent.distill.regions import Region
from passnet.agent.distill.rules import Variant, manifest, pass_files
from passnet.graph import Graph

# A place where a kernel may stand: the number of the region and of the variant.
Place = tuple[int, int]


@dataclass
class Drafts:
    """Everything is made once. `notes` say for which statements Inductor has no kernels; `unmatched` are places whose
    rules were seen to replace nothing, which nothing is made for any more.
    """

    graphs: Sequence[Graph]
    device: str
    regions: list[Region] = field(init=False)
    plans: dict[Place, Plan] = field(init=False)
    notes: list[str] = field(default_factory=list)
    unmatched: set[Place] = field(default_factory=set)
    _made: dict[tuple[Place, Recipe], Variant | None] = field(default_factory=dict)
    _ties: dict[int, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.regions = regions.find(self.graphs, self.device)
        self.plans = dict(self._plans(0))

    def narrowed(self, place: Place) -> list[Place]:
        """The places of new regions: this one without what lays memory out anew; none where that cannot be."""
        known, (number, variant) = len(self.regions), place
        for first, last, piece in regions.narrower(self.graphs[variant], self.regions[number], self.device):
            self.regions.append(Region(first, last, {variant: piece}))
        made = dict(self._plans(known))
        self.plans |= made
        return list(made)

    def _plans(self, begin: int) -> Iterator[tuple[Place, Plan]]:
        for number, region in enumerate(self.regions[begin:], begin):
            for variant in region.pieces:
                try:
                    yield (number, variant), self._plan((number, variant), {})
                except NotGenerated as error:
                    self.notes.append(f"statements {region.first} to {region.last} of variant {variant}: {error}")

    def _plan(self, place: Place, settings: Mapping[str, Any]) -> Plan:
        """Errors: NotGenerated."""
        piece = self.regions[place[0]].pieces[place[1]]
        plan = parse(generate(piece.graph, self.device, strides=piece.strides, **settings))
        if not plan.calls:
            raise NotGenerated("Inductor launches nothing for it")
        return plan if piece.graph.specs else replace(plan, inputs=())  # it reads none of what it is generated with

    def kernels(self, chosen: Mapping[Place, Recipe]) -> dict[Place, Variant]:
        """The kernels of those places for which the recipe has one."""
        made = {place: self.kernel(place, chosen[place]) for place in sorted(set(chosen) - self.unmatched)}
        return {place: variant for place, variant in made.items() if variant is not None}

    def kernel(self, place: Place, recipe: Recipe) -> Variant | None:
        """What a recipe makes of a place, once; None where it has no kernel."""
        if (place, recipe) not in self._made:
            piece, number = self.regions[place[0]].pieces[place[1]], list(self.plans).index(place)
            try:
                plan = self._plan(place, recipe.settings) if recipe.settings else self.plans[place]
                self._made[place, recipe] = Variant(piece, plan, recipe.make(piece, plan, number))
            except NotGenerated:
                self._made[place, recipe] = None
        return self._made[place, recipe]

    def files(self, chosen: Mapping[Place, Recipe], ties_for: Sequence[int] = ()) -> dict[str, str]:
        """A pass directory: the rules of every region, larger ones first, for they may hold what others are; then the
        ties."""
        kernels = self.kernels(chosen)
        spoken = language(self.device)
        files: dict[str, str] = {}
        for number in sorted(range(len(self.regions)), key=lambda n: self.regions[n].first - self.regions[n].last):
            own = [variant for place, variant in kernels.items() if place[0] == number]
            if own:
                files |= pass_files(own, spoken, prefix=prefix(number))
        texts = dict.fromkeys(self.tie(number) for number in ties_for)
        files |= {f"Unchanged{number}.py": text for number, text in enumerate(filter(None, texts))}
        return manifest(files) if files else {}

    def tie(self, variant: int) -> str | None:
        """A pass that leaves this variant as it is; None where there is nothing to replace by itself."""
        if variant not in self._ties:
            self._ties[variant] = ties.tie(self.graphs[variant], language(self.device))
        return self._ties[variant]

    def leader(self, variant: int, among: Iterable[int]) -> int:
        """The first of these variants that says on a GPU as much of this one: of equal shapes. On the CPU half
        precision is a case of its own."""
        if self.device == "cpu":
            return variant
        shapes = [spec.shape for spec in self.graphs[variant].specs]
        return min(other for other in among if [spec.shape for spec in self.graphs[other].specs] == shapes)

    def is_half(self, variant: int) -> bool:
        """Whether a variant is in half precision."""
        return is_half(self.graphs[variant])


def prefix(region: int) -> str:
    """What the names of a region's rules begin with."""
    return f"Fused{region}_"
