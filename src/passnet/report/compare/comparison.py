"""The comparison of two runs as a document and as rows of a CSV file.  Imports no torch.

The document, schema 1: {"schema", "runs", "a", "b", "graphs", "tasks", "threshold", "ratio": {"gmean", "ci",
"p_value", "level", "method"}, "regressions", "improvements", "undecided", "only_in_a", "only_in_b",
"different_graphs", "changes", "agreement", "notes", "further": the same of each further run against the first}.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from passnet.bench.record.run import given_twice
from passnet.errors import UsageError, counted
from passnet.report.compare.changes import RunChanges, changes
from passnet.report.compare.pairing import DEFAULT_THRESHOLD, PairedGraph, PairedRuns, PairVerdict, pair_runs
from passnet.report.compare.statistics import LEVEL, ClusteredMean, clustered_mean
from passnet.report.recorded import Interval, RecordedRun, read_recorded

SCHEMA = 1
_LARGEST_LOG = 700.0
METHOD = "Student's t over tasks, each left out once; graphs: Holm's correction"
COLUMNS = (
    "a", "b", "task", "graph", "verdict", "outcome_a", "outcome_b", "speedup_a", "low_a", "high_a", "speedup_b",
    "low_b", "high_b", "ratio", "low", "high", "p_value", "p_adjusted",
)  # fmt: skip


@dataclass(frozen=True)
class RunComparison:
    """Run B against run A."""

    a: RecordedRun
    b: RecordedRun
    paired: PairedRuns
    threshold: float

    @property
    def timed(self) -> list[PairedGraph]:
        """Graphs that are right and timed in both runs."""
        return [pair for pair in self.paired.pairs if pair.ratio is not None]

    @cached_property
    def ratio(self) -> ClusteredMean | None:
        """The mean log ratio over graphs. None when no graph is timed in both runs."""
        tasks: dict[str, list[float]] = {}
        for row in self.timed:
            tasks.setdefault(row.a.task, []).append(row.log_ratio)
        return clustered_mean(tasks) if tasks else None

    @cached_property
    def changes(self) -> RunChanges:
        return changes(self.a, self.b, self.paired.pairs)

    @property
    def regressions(self) -> list[PairedGraph]:
        """Worse outcomes first, then the slowest."""
        found = [pair for pair in self.paired.pairs if pair.verdict.regression]
        return sorted(found, key=lambda pair: pair.log_ratio if pair.ratio else -math.inf)

    @property
    def improvements(self) -> list[PairedGraph]:
        found = [pair for pair in self.paired.pairs if pair.verdict.improvement]
        return sorted(found, key=lambda pair: -pair.log_ratio if pair.ratio else -math.inf)

    @property
    def undecided(self) -> list[PairedGraph]:
        return [pair for pair in self.paired.pairs if pair.verdict is PairVerdict.UNDECIDED]

    def agreement(self) -> dict[str, float | None]:
        """The share of graphs with the same outcome, and of timed graphs whose interval of the ratio holds 1."""
        rows, timed = self.paired.pairs, self.timed
        within = sum(row.ratio.low <= 1 <= row.ratio.high for row in timed if row.ratio is not None)
        return {
            "same_outcome": sum(row.a.outcome == row.b.outcome for row in rows) / len(rows),
            "within_interval": within / len(timed) if timed else None,
        }

    def notes(self) -> list[str]:
        """What a reader should know beside the figures."""
        found = [f"{run.path} does not say on what machine it was made" for run in (self.a, self.b)
                 if run.environment is None]  # fmt: skip
        if self.changes.machines:
            found.append("the runs are of two machines: each speedup is over eager on its own machine")
        if self.changes.protocol:
            found.append("the runs have two protocols")
        if self.timed and all(pair.a.speed == pair.b.speed for pair in self.timed):
            found.append(
                "every timed graph has the same figures in both to the last digit, as no two measurements have"
            )
        for run in (self.a, self.b):
            hashes = {graph.protocol_hash for graph in run.graphs}
            found += [f"{run.path} mixes records of {len(hashes)} protocols"] if len(hashes) > 1 else []
            if not all(graph.tamper_proof for graph in run.graphs):
                found.append(f"{run.path} was measured by a protocol that is not tamper-proof")
        left = len(self.paired.only_in_a), len(self.paired.only_in_b), len(self.paired.different)
        if any(left):
            found.append(
                f"not compared: {counted(left[0], 'graph')} only in A, {left[1]} only in B, {left[2]} of other content"
            )
        return found

    def to_json(self) -> dict[str, Any]:
        """The document of the two runs, without `schema`, `runs` and `further`."""
        return {
            "a": str(self.a.path),
            "b": str(self.b.path),
            "graphs": len(self.timed),
            "paired": len(self.paired.pairs),
            "tasks": self.ratio.tasks if self.ratio else 0,
            "threshold": self.threshold,
            "ratio": _ratio_json(self.ratio),
            "regressions": [pair_json(pair) for pair in self.regressions],
            "improvements": [pair_json(pair) for pair in self.improvements],
            "undecided": [pair_json(pair) for pair in self.undecided],
            "only_in_a": list(self.paired.only_in_a),
            "only_in_b": list(self.paired.only_in_b),
            "different_graphs": list(self.paired.different),
            "changes": self.changes.to_json(),
            "agreement": {**self.agreement(), "two_machines": self.changes.machines},
            "notes": self.notes(),
        }

    def rows(self) -> Iterator[list[str | float | None]]:
        """All pairs for a CSV file, regressions first, by `COLUMNS`."""
        first = self.regressions
        for row in (*first, *(pair for pair in self.paired.pairs if not pair.verdict.regression)):
            yield [
                str(self.a.path), str(self.b.path), row.a.task, row.a.graph, row.verdict.value,
                row.a.outcome.value, row.b.outcome.value, *_three(row.a.speed), *_three(row.b.speed),
                *_three(row.ratio), row.p_value, row.adjusted,
            ]  # fmt: skip


def compare_runs(paths: Sequence[Path], threshold: float = DEFAULT_THRESHOLD) -> list[RunComparison]:
    """The first run against each of the others.  Errors: `UsageError`, also for a run that is given twice."""
    twice = given_twice(paths)
    if twice is not None:
        raise _same(twice, "the same run is given twice")
    first, *others = [read_recorded(path) for path in paths]
    copy = next((run for run in others if _copied(run, first)), None)
    if copy is not None:
        raise _same(copy.path, f"is a copy of {first.path}, every figure alike")
    return [RunComparison(first, other, pair_runs(first, other, threshold), threshold) for other in others]


def _copied(run: RecordedRun, first: RecordedRun) -> bool:
    """Whether a run says the same as another to the last digit. No two measurements do."""
    timed = any(graph.speed is not None for graph in run.graphs)
    said = [(one.graphs, one.settings, one.environment) for one in (run, first)]
    return timed and said[0] == said[1]


def _same(path: Path, what: str) -> UsageError:
    """The error for a run beside itself: it agrees with itself, and that says nothing of noise."""
    return UsageError(
        what,
        path=path,
        hint="give two runs; `passnet eval --run NAME` under another name shows how far two measurements differ",
    )


def comparison_document(found: Sequence[RunComparison]) -> dict[str, Any]:
    """The machine contract of `passnet compare`: the first two runs, and further runs below `further`."""
    runs = [str(found[0].a.path), *(str(one.b.path) for one in found)]
    return {
        "schema": SCHEMA,
        "runs": runs,
        **found[0].to_json(),
        "further": [one.to_json() for one in found[1:]],
    }


def pair_json(row: PairedGraph) -> dict[str, Any]:
    """One graph in the machine contract."""
    return {
        "graph": row.name,
        "task": row.a.task,
        "verdict": row.verdict.value,
        "a": row.a.speed.centre if row.a.speed else None,
        "b": row.b.speed.centre if row.b.speed else None,
        "ratio": row.ratio.centre if row.ratio else None,
        "ci": [row.ratio.low, row.ratio.high] if row.ratio else None,
        "p_value": row.p_value,
        "p_adjusted": row.adjusted,
        "outcome_a": row.a.outcome.value,
        "outcome_b": row.b.outcome.value,
    }


def _ratio_json(found: ClusteredMean | None) -> dict[str, Any]:
    ends = None
    if found is not None and found.low is not None and found.high is not None:
        ends = [_exp(found.low), _exp(found.high)]
    return {
        "gmean": _exp(found.mean) if found is not None else None,
        "ci": ends,
        "p_value": found.p_value if found is not None else None,
        "level": LEVEL,
        "method": METHOD,
    }


def _exp(value: float) -> float:
    """The ratio of a logarithm. Two tasks that contradict each other can have an end that no float holds."""
    return math.exp(min(value, _LARGEST_LOG))


def _three(found: Interval | None) -> tuple[float | None, float | None, float | None]:
    return (found.centre, found.low, found.high) if found is not None else (None, None, None)
