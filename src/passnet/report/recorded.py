"""A run directory as comparisons and boards read it: settings, environment, and of each record only what they need."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from sys import intern
from typing import Any

from passnet import authored
from passnet.bench.record.conventions import convention_of
from passnet.bench.record.records import GraphRecord, Timing
from passnet.bench.record.run import each_record, no_records, read_environment, read_settings
from passnet.errors import UsageError, counted
from passnet.score import OUTCOME_RULES, GraphResult, Outcome, Owner

# No clock tells such ratios, and their products stay far from where floats end.
_FAR = 1e30
_HINT = "the line was written by another tool, or by hand"


@dataclass(frozen=True, slots=True)
class Interval:
    """A ratio with the interval of its record. `centre`: the ratio itself, also where a lower end is scored."""

    centre: float
    low: float
    high: float

    @property
    def log_half(self) -> float:
        """Half of the interval on the scale of logarithms."""
        return math.log(self.high / self.low) / 2


@dataclass(frozen=True, slots=True)
class RecordedGraph:
    """One graph of a run. `speed` is None where nothing was timed. `processes`: pairs that were measured.

    `regime`: what limits eager on its device. None: not measured. `precision`: the one that was asked for, if known.
    `deployed` and `cold`: speedups by these conventions.
    """

    result: GraphResult
    graph_hash: str
    pass_set_hash: str | None
    protocol_hash: str
    compiler: str
    device: str
    speed: Interval | None
    processes: int
    tamper_proof: bool
    sandbox: tuple[str, ...] | None
    regime: str | None
    ended: str | None
    precision: float | None
    deployed: float | None
    cold: float | None

    @property
    def task(self) -> str:
        return self.result.task

    @property
    def graph(self) -> str:
        return self.result.name

    @property
    def outcome(self) -> Outcome:
        return self.result.outcome

    @property
    def name(self) -> str:
        """Task and graph, as tables name it."""
        return f"{self.task}/{self.graph}"


@dataclass(frozen=True)
class RecordedRun:
    """One run. `environment` is None where the run does not say on what machine it was made.

    `judged_again`: graphs with an earlier verdict on the same candidate, which the last one replaced.
    """

    path: Path
    settings: Mapping[str, Any]
    environment: Mapping[str, Any] | None
    graphs: tuple[RecordedGraph, ...]
    judged_again: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return authored.as_text(Path(os.path.realpath(self.path)).name)

    @property
    def results(self) -> list[GraphResult]:
        return [graph.result for graph in self.graphs]

    @property
    def protocol(self) -> Mapping[str, Any]:
        """The settings of its protocol as they were written. Empty where there are none."""
        found = self.settings.get("protocol")
        return found if isinstance(found, dict) else {}

    def repeated(self) -> list[str]:
        """Graphs with several records: the pass set was changed between two evaluations of one run."""
        counts = Counter(graph.name for graph in self.graphs)
        return [name for name, count in counts.items() if count > 1]

    def refuse_repeated(self) -> None:
        """UsageError when a graph has several records, of which nobody can say which one counts."""
        found = self.repeated()
        if found:
            raise UsageError(
                f"{counted(len(found), 'graph', ('has', 'have'))} several records, {found[0]} first", path=self.path,
                expected="one pass set for each task", hint="`passnet eval --run NAME` evaluates them again",
            )  # fmt: skip


def read_recorded(path: Path) -> RecordedRun:
    """Read a run.

    Errors: `UsageError` for a path that is no run, for another version, an impossible record, and a run without
    records.
    """
    settings = read_settings(path)
    graphs: dict[tuple[str, ...], RecordedGraph] = {}
    again: dict[str, None] = {}
    for record in each_record(path):
        key = tuple(map(intern, record.key()))
        before = graphs.get(key)
        if before is not None and OUTCOME_RULES[before.outcome].owner is Owner.CANDIDATE:
            again[before.name] = None
        graphs[key] = _kept(record, path)
    if not graphs:
        raise no_records(path)
    return RecordedRun(path, settings, _environment(path), tuple(graphs.values()), tuple(again))


def text_of(value: object) -> str | None:
    """A text of settings or of an environment. None where it is not one."""
    return value if isinstance(value, str) and value else None


def _environment(path: Path) -> Mapping[str, Any] | None:
    try:
        return read_environment(path)
    except (OSError, ValueError):
        return None


def _kept(record: GraphRecord, path: Path) -> RecordedGraph:
    timing = record.timing
    return RecordedGraph(
        result=record.result(),
        graph_hash=intern(record.graph_hash),
        pass_set_hash=intern(record.pass_set_hash) if record.pass_set_hash is not None else None,
        protocol_hash=intern(record.protocol_hash),
        compiler=intern(record.compiler),
        device=intern(record.device),
        speed=_interval(timing, record, path) if timing is not None else None,
        processes=len(timing.processes) if timing is not None else 0,
        tamper_proof=record.tamper_proof,
        sandbox=record.sandbox,
        regime=timing.regime if timing is not None else None,
        ended=timing.ended if timing is not None else None,
        precision=timing.precision if timing is not None else None,
        deployed=convention_of(record, "deployed"),
        cold=convention_of(record, "cold"),
    )


def _interval(timing: Timing, record: GraphRecord, path: Path) -> Interval:
    low, high = timing.speedup_ci
    if not 1 / _FAR < low <= high < _FAR or not 1 / _FAR < timing.speedup < _FAR:
        raise UsageError(
            f"an impossible record of {record.task}/{record.graph}", path=path, field="timing",
            expected="a speedup and an interval, the lower end first", found=f"{timing.speedup}, [{low}, {high}]",
            hint=_HINT,
        )  # fmt: skip
    centre = timing.speedup if timing.scored_at == "centre" else math.sqrt(low * high)
    return Interval(centre, low, high)
