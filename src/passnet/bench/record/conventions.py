"""Speedups by convention of calling, split by what limits eager: every summary takes its groups from here.

A convention that was not measured has no figure, and no other convention stands in for it. Imports no torch.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from passnet.bench.record.records import GraphRecord
from passnet.graph.bundled import REGIMES, Regime
from passnet.score import MOST_SPEEDUP, Bootstrap, Figure, Outcome, geometric_means

# A convention of calling, and the field of a timing that holds its speedup. `published` is the dispatch of the
# published protocol, whose figure has the field of `direct`.
CONVENTIONS: Final[Mapping[str, str]] = {
    "direct": "speedup",
    "deployed": "deployed_speedup",
    "captured": "captured_speedup",
    "device": "busy_speedup",
    "cold": "cold_speedup",
    "published": "speedup",
}
# Those that a summary always has a line for.
SUMMARY: Final = ("direct", "deployed", "captured", "device")
# The least time of the work over what eager and the candidate took.
BOUND_SHARES: Final = ("eager_bound_share", "bound_share")
EVERYTHING: Final = "all"
UNKNOWN: Final = "unknown"
_NONE: Final = Figure(None, None, None)


@dataclass(frozen=True, slots=True)
class MeasuredGraph:
    """A right graph: what limits eager on its device, and those of its figures that were measured.

    Figures are speedups by convention, and shares of the bound.
    """

    task: str
    regime: Regime | None
    figures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class MeasuredMean:
    """A geometric mean with its interval over tasks, and the number of graphs that have the figure."""

    graphs: int
    figure: Figure


@dataclass(frozen=True)
class RegimeSummary:
    """The right graphs of one regime: their number, and the mean of each figure."""

    graphs: int
    means: Mapping[str, MeasuredMean]

    def to_json(self) -> dict[str, Any]:
        means = {
            name: {"graphs": mean.graphs, "value": own.value, "low": own.low, "high": own.high}
            for name, mean in self.means.items()
            for own in (mean.figure,)
        }
        return {"graphs": self.graphs, **means}


def convention_of(record: GraphRecord, name: str) -> float | None:
    """A record's speedup by a convention. None where it was not measured, or is none that can be scored."""
    timing = record.timing
    if timing is None or (name in ("direct", "published") and timing.as_published != (name == "published")):
        return None
    return _scorable(getattr(timing, CONVENTIONS[name]))


def measured_graphs(records: Iterable[GraphRecord]) -> list[MeasuredGraph]:
    """The right graphs among these records, with what was measured of each."""
    return [_measured(record) for record in records if record.outcome is Outcome.CORRECT and record.timing is not None]


def by_regime(graphs: Iterable[MeasuredGraph], bootstrap: Bootstrap | None = None) -> dict[str, RegimeSummary]:
    """Regime -> its summary; that of all graphs comes first. Graphs of which no regime is known are `unknown`."""
    groups: dict[str, list[MeasuredGraph]] = {EVERYTHING: list(graphs), **{name: [] for name in (*REGIMES, UNKNOWN)}}
    for graph in groups[EVERYTHING]:
        groups[graph.regime or UNKNOWN].append(graph)
    return {name: _summary(members, bootstrap) for name, members in groups.items()}


def conventions_document(graphs: Iterable[MeasuredGraph]) -> dict[str, Any]:
    """The summaries as JSON: regime -> {"graphs", and for each figure {"graphs", "value", "low", "high"}}."""
    return {name: summary.to_json() for name, summary in by_regime(graphs).items()}


def _measured(record: GraphRecord) -> MeasuredGraph:
    found = {name: convention_of(record, name) for name in CONVENTIONS}
    found |= dict(zip(BOUND_SHARES, map(_scorable, record.bound_shares), strict=True))
    regime = record.timing.regime if record.timing is not None else None
    return MeasuredGraph(record.task, regime, {name: value for name, value in found.items() if value is not None})


def _summary(members: Sequence[MeasuredGraph], bootstrap: Bootstrap | None) -> RegimeSummary:
    found = geometric_means([(graph.task, graph.figures) for graph in members], bootstrap)
    counts = Counter(name for graph in members for name in graph.figures)
    names = (*CONVENTIONS, *BOUND_SHARES)
    return RegimeSummary(len(members), {name: MeasuredMean(counts[name], found.get(name, _NONE)) for name in names})


def _scorable(value: float | None) -> float | None:
    """The figure, if a mean can be taken over it."""
    ok = value is not None and math.isfinite(value) and 1 / MOST_SPEEDUP <= value <= MOST_SPEEDUP
    return value if ok else None
