"""Counts of each rule in one graph, and its time."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class RuleStats:
    """Counts of one rule in one graph.

    - `tried`: places where a search began.
    - `rejected_early`: calls of the right operation that were ruled out by their operands.
    - `matched`: matches that do not overlap.
    - `refused`: complete matches that may not be replaced.
    - `replaced`: matches that were replaced.
    - `us`: microseconds for finding and replacing, without preparing the graph.
    """

    rule: str
    tried: int
    rejected_early: int
    matched: int
    refused: int
    replaced: int
    us: float

    def to_json(self) -> dict[str, str | int | float]:
        """Plain numbers by name."""
        return asdict(self)
