"""Chooses evaluation tasks, long tail first, so that training and evaluation share nothing.

Whole model families are held out.  A *cluster* is everything that operators or a structure hash tie together, whatever
its kind.  Evaluation tasks come only from clusters all of whose origins belong to held-out families.  Everything else
is for training. A graph of a held-out family's own model leaves training. A graph of another model stays but loses its
held-out origins, exactly as if the held-out models had never been captured.  Graphs in neither list are the *reserve*.

The families are chosen step by step. Each step takes the family that makes most new tasks possible for each graph that
training loses. The steps end when there are `slack` times as many tasks as wanted, or when training would lose more
than `max_lost`.  From those tasks the published rule takes the wanted number, greedily the largest (newly covered
transitions) x (1 + rarity). When nothing new is left to cover, covering starts again.  Families of which no task was
taken go back to training.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from passnet.dataset import layout
from passnet.dataset.split.clusters import Cluster, clusters_of
from passnet.dataset.split.grouping import Group
from passnet.dataset.split.rarity import ALPHA, Transition, rarities, transitions
from passnet.dataset.tables.cards import Card
from passnet.errors import UsageError

TRAIN, EVAL, RESERVE = "train", "eval", "reserve"
_WANTED = MappingProxyType({layout.FUSIBLE: 200, layout.TYPICAL: 200})


@dataclass(frozen=True)
class SplitSettings:
    """`wanted`: kind -> evaluation tasks. `slack`: how many times more tasks than wanted to choose from. `max_lost`:
    largest share of the graphs that training may lose. `alpha`: Laplace smoothing of the Markov model.
    """

    wanted: Mapping[str, int] = field(default_factory=lambda: dict(_WANTED))
    slack: float = 1.5
    max_lost: float = 0.35
    alpha: float = ALPHA

    def __post_init__(self) -> None:
        unknown = sorted(set(self.wanted) - set(layout.TASK_KINDS))
        if unknown:
            raise UsageError(f"unknown kind {unknown[0]!r}", expected=f"one of {', '.join(layout.TASK_KINDS)}")
        if self.slack < 1 or not 0 <= self.max_lost <= 1 or min(self.wanted.values(), default=0) < 0:
            raise UsageError("impossible split", expected="slack >= 1, 0 <= max_lost <= 1, no negative number of tasks")


@dataclass(frozen=True)
class Split:
    """The choice: `ranks` are the evaluation tasks with their order, `held_out` the families kept from training.

    `sequences` and `structures` are those of the clusters of evaluation tasks.
    """

    held_out: frozenset[str]
    ranks: Mapping[Group, int]
    sequences: frozenset[tuple[str, ...]]
    structures: frozenset[str]
    rarities: Mapping[tuple[str, ...], float]

    def label(self, card: Card) -> str:
        """The split of a graph."""
        if card.group in self.ranks:
            return EVAL
        if card.family in self.held_out or card.op_names in self.sequences or card.structure_hash in self.structures:
            return RESERVE
        return TRAIN


def choose(cards: Sequence[Card], settings: SplitSettings | None = None) -> Split:
    """The split of these graphs.  The same graphs in any order give the same split."""
    settings = settings or SplitSettings()
    scale = rarities({card.op_names for card in cards if card.kind in layout.TASK_KINDS}, settings.alpha)
    clusters = clusters_of(cards, settings.wanted)
    held_out = _hold_out(clusters, _Costs.of(cards), settings)
    possible = [cluster for cluster in clusters if cluster.families <= held_out]
    ranks: dict[Group, int] = {}
    for kind in sorted(settings.wanted):
        sequences = [ops for cluster in possible for group, ops in cluster.groups if group == kind]
        chosen = select(sequences, scale, settings.wanted[kind])
        ranks |= {(kind, ops): place for place, ops in enumerate(chosen)}
    taken = [cluster for cluster in possible if any(group in ranks for group in cluster.groups)]
    return Split(
        held_out=frozenset(family for cluster in taken for family in cluster.families),
        ranks=ranks,
        sequences=frozenset(ops for cluster in taken for ops in cluster.sequences),
        structures=frozenset(structure for cluster in taken for structure in cluster.structures),
        rarities=scale,
    )


@dataclass(frozen=True)
class _Costs:
    """Family -> graphs of its own models, which training loses when it is held out."""

    graphs: Mapping[str, int]
    total: int

    @classmethod
    def of(cls, cards: Sequence[Card]) -> _Costs:
        return cls(Counter(card.family for card in cards), len(cards))


def _hold_out(clusters: Sequence[Cluster], costs: _Costs, settings: SplitSettings) -> set[str]:
    """The families to hold out, one after the other by tasks won per graph lost."""
    pool = _Pool(clusters, settings)
    lost = 0
    while not pool.satisfied():
        offers = [
            (gain / max(costs.graphs[family], 1), gain, family)
            for family, gain in pool.gains().items()
            if lost + costs.graphs[family] <= settings.max_lost * costs.total
        ]
        if not offers:
            break
        # The best ratio, then the larger gain, then the name that comes first.
        family = min(offers, key=lambda offer: (-offer[0], -offer[1], offer[2]))[2]
        lost += costs.graphs[family]
        pool.hold_out(family)
    return pool.held_out


class _Pool:
    """The clusters that may become evaluation tasks, by what keeps each of them from it."""

    def __init__(self, clusters: Sequence[Cluster], settings: SplitSettings) -> None:
        # A graph of unknown family can never be proved to be held out.
        self._clusters = [cluster for cluster in clusters if cluster.groups and "" not in cluster.families]
        self._missing = [set(cluster.families) for cluster in self._clusters]
        self._need = {kind: math.ceil(count * settings.slack) for kind, count in settings.wanted.items()}
        self.held_out: set[str] = set()
        self._with: dict[str, list[int]] = defaultdict(list)
        self._next: dict[str, Counter[str]] = defaultdict(Counter)
        for index, cluster in enumerate(self._clusters):
            for family in cluster.families:
                self._with[family].append(index)
            self._note_single(index)

    def satisfied(self) -> bool:
        return all(need <= 0 for need in self._need.values())

    def gains(self) -> dict[str, int]:
        """Family -> tasks still needed that become possible when it is held out next."""
        found = {
            family: sum(min(count, max(self._need[kind], 0)) for kind, count in kinds.items())
            for family, kinds in self._next.items()
            if family not in self.held_out
        }
        return {family: gain for family, gain in found.items() if gain > 0}

    def hold_out(self, family: str) -> None:
        self.held_out.add(family)
        for kind, count in self._next.pop(family).items():
            self._need[kind] -= count
        for index in self._with[family]:
            self._missing[index].discard(family)
            self._note_single(index)

    def _note_single(self, index: int) -> None:
        if len(self._missing[index]) == 1:
            (family,) = self._missing[index]
            self._next[family].update(kind for kind, _ in self._clusters[index].groups)


def select(
    sequences: Iterable[tuple[str, ...]], scale: Mapping[tuple[str, ...], float], count: int
) -> list[tuple[str, ...]]:
    """Greedily `count` sequences by (newly covered transitions) x (1 + rarity). Ties are broken by rarity, then by
    name.

    The newly covered part of a sequence can only shrink. Only an old entry that is still on top of the heap is
    therefore computed again.
    """
    left = sorted(set(sequences))
    chosen: list[tuple[str, ...]] = []
    while left and len(chosen) < count:
        taken = _cover(left, scale, count - len(chosen))
        # No sequence has a transition: nothing can be covered, rarity is all that is left, and it is the same.
        chosen += taken or left[: count - len(chosen)]
        left = sorted(set(left).difference(chosen))
    return chosen


def _cover(
    sequences: Sequence[tuple[str, ...]], scale: Mapping[tuple[str, ...], float], count: int
) -> list[tuple[str, ...]]:
    """One round of covering. It ends when `count` are chosen or no sequence covers a new transition."""
    covered: set[Transition] = set()
    pairs = {ops: frozenset(transitions(ops)) for ops in sequences}

    def entry(ops: tuple[str, ...]) -> tuple[float, float, tuple[str, ...]]:
        rarity = scale.get(ops, 0.0)
        return -len(pairs[ops] - covered) * (1 + rarity), -rarity, ops

    heap = [entry(ops) for ops in sequences]
    heapq.heapify(heap)
    chosen: list[tuple[str, ...]] = []
    while heap and len(chosen) < count:
        stale = heapq.heappop(heap)
        fresh = entry(stale[2])
        if fresh[0] == 0:
            continue
        if heap and fresh > heap[0]:
            heapq.heappush(heap, fresh)
            continue
        chosen.append(stale[2])
        covered |= pairs[stale[2]]
    return chosen
