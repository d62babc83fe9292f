"""What each rule did in one graph, counted, and how long it took."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class RuleStats:
    """Counts of one rule in one graph.

    `tried` are the places where a search was begun, `rejected_early` the calls of the right operation that a look at
    their operands ruled out, `matched` the matches that do not overlap, `refused` complete matches that may not be
    replaced, `replaced` those that were. `us` is the time for finding and replacing, without preparing the graph.
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
