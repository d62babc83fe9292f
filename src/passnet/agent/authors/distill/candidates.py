"""The candidates for a task: a kernel for each region, variant and recipe, and the pass directories made of them."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from passnet.agent.authors.distill import regions
from passnet.agent.authors.distill.identity_rule import identity_rule
from passnet.agent.authors.distill.plan import KernelPlan, parse
from passnet.agent.authors.distill.recipes import KernelRecipe, is_half, language
from passnet.agent.authors.distill.regions import Region
from passnet.agent.authors.distill.rules import RuleVariant, manifest, pass_files, pattern_of
from passnet.agent.lowering.inductor import NotGenerated, generate
from passnet.agent.lowering.pieces import LoweredPiece
from passnet.errors import UsageError
from passnet.graph import Graph
from passnet.rewrite import check_policy, read_pass_set
from passnet.rewrite.policy.names import Level


class NotLaunched(NotGenerated):
    """A piece for which nothing runs: views, or values that are known before it runs."""


# A place where a kernel may stand: the number of the region and of the variant.
Place = tuple[int, int]


@dataclass
class Candidates:
    """All candidates, each made once.

    `parted`: whether a graph may be cut into regions. Otherwise it is one as a whole. `notes` name the statements for
    which Inductor has no kernels. `unmatched` are places whose rules replaced nothing in a check. Nothing is made for
    them again.
    """

    graphs: Sequence[Graph]
    device: str
    policy: Level = "strict"
    parted: bool = True
    regions: list[Region] = field(init=False)
    plans: dict[Place, KernelPlan] = field(init=False)
    notes: list[str] = field(default_factory=list)
    unmatched: set[Place] = field(default_factory=set)
    _made: dict[tuple[Place, KernelRecipe], RuleVariant | None] = field(default_factory=dict)
    _refusals: dict[object, str | None] = field(default_factory=dict)
    _identity_rules: dict[int, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = regions.find if self.parted else regions.wholes
        self.regions = found(self.graphs, self.device)
        self.plans, refused = self._planned(0)
        if self.parted:
            self._leave_out_others(refused)

    def narrowed(self, place: Place) -> list[Place]:
        """The places of new regions: this region without the statements that change the memory layout.

        Empty if that is impossible, or if graphs are not parted.
        """
        if not self.parted:
            return []
        graph, region = self.graphs[place[1]], self.regions[place[0]]
        return self._part([place], regions.moves(graph, region, self.device))

    def _leave_out_others(self, refused: Iterable[Place]) -> None:
        """Add the parts of refused regions that have kernels. Inductor makes no kernel of such a region as a whole.

        The dtypes decide which parts have kernels.
        """
        alike: dict[tuple[int, tuple[str, ...]], list[Place]] = {}
        for number, variant in refused:
            dtypes = tuple(spec.dtype for spec in self.graphs[variant].specs)
            alike.setdefault((number, dtypes), []).append((number, variant))
        for (number, _), places in alike.items():
            graph, region = self.graphs[places[0][1]], self.regions[number]
            self._part(places, regions.others(graph, region, self.device, self._is_generated))

    def _part(self, places: Sequence[Place], borders: Collection[int]) -> list[Place]:
        """The places of new regions between some statements of one region, for some of its variants."""
        parts: dict[tuple[int, int], dict[int, LoweredPiece]] = {}
        for number, variant in places:
            for first, last, piece in regions.between(self.graphs[variant], self.regions[number], self.device, borders):
                parts.setdefault((first, last), {})[variant] = piece
        known = len(self.regions)
        self.regions += [Region(first, last, pieces) for (first, last), pieces in parts.items()]
        made, _ = self._planned(known)
        self.plans |= made
        return list(made)

    def _planned(self, begin: int) -> tuple[dict[Place, KernelPlan], list[Place]]:
        """The plans of the regions from a number on, and the places for which Inductor makes no kernels alone."""
        plans: dict[Place, KernelPlan] = {}
        refused = []
        for number, region in enumerate(self.regions[begin:], begin):
            for variant, piece in region.pieces.items():
                try:
                    plans[number, variant] = self._plan(piece, {})
                except NotGenerated as error:
                    self.notes.append(f"{self._named((number, variant))}: {error}")
                    if not isinstance(error, NotLaunched):
                        refused.append((number, variant))
        return plans, refused

    def _is_generated(self, piece: LoweredPiece) -> bool:
        try:
            self._plan(piece, {})
        except NotGenerated as error:
            return isinstance(error, NotLaunched)
        return True

    def _plan(self, piece: LoweredPiece, settings: Mapping[str, object]) -> KernelPlan:
        """The plan of a piece. Raises NotGenerated."""
        if piece.off_device:
            raise NotGenerated(f"{', '.join(piece.off_device)} do not lie on {self.device}")
        plan = parse(generate(piece.graph, self.device, strides=piece.strides, dead=piece.dead, **settings))
        if len(plan.inputs) > max(len(piece.graph.specs), 1):
            raise NotGenerated("it reads a constant of several numbers")
        if not plan.calls:
            raise NotLaunched("Inductor launches nothing for it")
        if not pattern_of(piece.graph, self.device, piece.dead).returns:
            raise NotGenerated("all that it does is to change its inputs through views")
        if self.device != "cpu" and any(kernel.language == "C++" for kernel in plan.kernels):
            raise NotGenerated(f"part of it is computed on the CPU, not on {self.device}")
        return plan if piece.graph.specs else replace(plan, inputs=())  # the graph itself reads no input

    def kernels(self, chosen: Mapping[Place, KernelRecipe]) -> dict[Place, RuleVariant]:
        """The kernels of those places for which the recipe has one."""
        made = {place: self.kernel(place, chosen[place]) for place in sorted(set(chosen) - self.unmatched)}
        return {place: variant for place, variant in made.items() if variant is not None}

    def kernel(self, place: Place, recipe: KernelRecipe) -> RuleVariant | None:
        """The kernel of a recipe for a place, made once. None if the recipe has no kernel there."""
        if (place, recipe) not in self._made:
            piece, number = self.regions[place[0]].pieces[place[1]], list(self.plans).index(place)
            try:
                plan = self._plan(piece, recipe.settings) if recipe.settings else self.plans[place]
                made = RuleVariant(piece, plan, recipe.make(piece, plan, number))
                # Other launch settings change numbers alone.
                problem = None if recipe.tunes else self._known_refusal(place, made, recipe)
                self._made[place, recipe] = made if problem is None else None
                if problem is not None:
                    self.notes.append(f"{self._named(place)}, {recipe.name}: {problem}")
            except NotGenerated:
                self._made[place, recipe] = None
        return self._made[place, recipe]

    def _known_refusal(self, place: Place, made: RuleVariant, recipe: KernelRecipe) -> str | None:
        """The same as `_refusal`, asked once for variants that differ in their shapes alone."""
        dtypes = tuple(spec.dtype for spec in made.graph.specs)
        key = (place[0], recipe, dtypes, len(made.plan.kernels))
        if key not in self._refusals:
            self._refusals[key] = self._refusal(place, made)
        return self._refusals[key]

    def _refusal(self, place: Place, made: RuleVariant) -> str | None:
        """Why the reader or the policy would refuse the rule of a kernel. Such a rule would stop all others."""
        with tempfile.TemporaryDirectory(prefix="passnet-") as directory:
            for name, text in manifest(pass_files([made], language(self.device), prefix=prefix(place[0]))).items():
                (Path(directory) / name).write_text(text)
            try:
                breaches = check_policy(read_pass_set(directory), self.policy)
            except UsageError as error:
                return f"it cannot be a pass: {str(error).split(': ', 1)[-1]}"
        return f"the policy forbids it: {breaches[0].what}" if breaches else None

    def _named(self, place: Place) -> str:
        region = self.regions[place[0]]
        return f"statements {region.first} to {region.last} of variant {place[1]}"

    def files(self, chosen: Mapping[Place, KernelRecipe], unchanged: Sequence[int] = ()) -> dict[str, str]:
        """A pass directory: the rules of every region, and then the identity rules.

        Larger regions come first, because they may contain others.
        """
        kernels = self.kernels(chosen)
        files: dict[str, str] = {}
        for number in sorted(range(len(self.regions)), key=lambda n: self.regions[n].first - self.regions[n].last):
            own = [variant for place, variant in kernels.items() if place[0] == number]
            if own:
                files |= pass_files(own, language(self.device), prefix=prefix(number))
        texts = dict.fromkeys(self.identity_rule(number) for number in unchanged)
        files |= {f"Unchanged{number}.py": text for number, text in enumerate(filter(None, texts))}
        return manifest(files) if files else {}

    def identity_rule(self, variant: int) -> str | None:
        """A pass that leaves this variant as it is. None if no statement can be replaced by itself."""
        if variant not in self._identity_rules:
            self._identity_rules[variant] = identity_rule(self.graphs[variant], language(self.device))
        return self._identity_rules[variant]

    def representative(self, variant: int, among: Iterable[int]) -> int:
        """The first of these variants that has the same shapes.

        On a GPU one variant tells as much as all. On the CPU a variant represents only itself, because half precision
        behaves differently there.
        """
        if self.device == "cpu":
            return variant
        shapes = [spec.shape for spec in self.graphs[variant].specs]
        return min(other for other in among if [spec.shape for spec in self.graphs[other].specs] == shapes)

    def is_half(self, variant: int) -> bool:
        """Whether a variant is in half precision."""
        return is_half(self.graphs[variant])


def prefix(region: int) -> str:
    """The prefix of the names of a region's rules."""
    return f"Fused{region}_"
