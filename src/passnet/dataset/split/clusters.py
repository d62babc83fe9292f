"""Graphs that a split may not tear apart: a sequence of operators or a structure hash ties them together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from passnet.dataset.split.grouping import Group
from passnet.dataset.tables.cards import Card


@dataclass
class Cluster:
    """`groups` are the tasks of the wanted kinds among its graphs. `families` are those of every origin of
    every graph.
    """

    families: set[str] = field(default_factory=set)
    sequences: set[tuple[str, ...]] = field(default_factory=set)
    structures: set[str] = field(default_factory=set)
    groups: list[Group] = field(default_factory=list)


def clusters_of(cards: Sequence[Card], kinds: Collection[str]) -> list[Cluster]:
    """The clusters, each by its first sequence in order."""
    joined = _join(cards)
    found: dict[tuple[str, ...], Cluster] = {}
    for card in cards:
        cluster = found.setdefault(joined[card.op_names], Cluster())
        cluster.families.update(card.families, [card.family])
        cluster.sequences.add(card.op_names)
        cluster.structures.add(card.structure_hash)
    for group in sorted({card.group for card in cards if card.kind in kinds}):
        found[joined[group[1]]].groups.append(group)
    return [found[name] for name in sorted(found)]


def _join(cards: Iterable[Card]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Sequence -> the least sequence of its cluster: sequences that share a structure hash are joined."""
    parent: dict[tuple[str, ...], tuple[str, ...]] = {}

    def root(ops: tuple[str, ...]) -> tuple[str, ...]:
        parent.setdefault(ops, ops)
        while parent[ops] != ops:
            parent[ops] = parent[parent[ops]]
            ops = parent[ops]
        return ops

    owner: dict[str, tuple[str, ...]] = {}
    for card in cards:
        first = owner.setdefault(card.structure_hash, card.op_names)
        low, high = sorted((root(first), root(card.op_names)))
        parent[high] = low
    return {ops: root(ops) for ops in parent}
