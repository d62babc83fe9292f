"""Merges graphs that are one: the best of them stands for all, with the places of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
# Origin -> ranges there, as in `Graph.sources`.
Places = dict[str, list[Any]]
Rank = tuple[Any, ...]


@dataclass
class Merged:
    """The graph of the lowest rank for each identity, and where all graphs of it occur."""

    best: dict[str, tuple[Rank, str, Json]] = field(default_factory=dict)
    places: dict[str, Places] = field(default_factory=dict)

    def add(self, identity: str, rank: Rank, name: str, data: Json, places: Mapping[str, list[Any]]) -> None:
        """One more graph. Two graphs of one identity never have the same rank."""
        if identity not in self.best or rank < self.best[identity][0]:
            self.best[identity] = rank, name, data
        known = self.places.setdefault(identity, {})
        for origin, ranges in places.items():
            at = known.setdefault(origin, [])
            at += [found for found in ranges if found not in at]

    def graphs(self, places: Mapping[str, Places] | None = None) -> dict[str, Json]:
        """Name -> graph with all its places, or with the given ones. Sorted by name."""
        known = self.places if places is None else places
        found = {
            name: {**data, "sources": dict(sorted(known[identity].items()))}
            for identity, (_, name, data) in self.best.items()
        }
        return dict(sorted(found.items()))


def alone(data: Json) -> Json:
    """A graph without its many other origins, because the work on it does not depend on them."""
    return {**data, "sources": dict([min(data["sources"].items())]) if data["sources"] else data["sources"]}


def spread(places: Mapping[str, list[Any]] | None, parent: Mapping[str, Any]) -> Places:
    """A piece's ranges at every origin of its parent. All origins have the same nodes."""
    ranges = [found for own in (places or {}).values() for found in own]
    return {origin: list(ranges) for origin in parent}
