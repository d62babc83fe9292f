"""Rows of the leaderboard, each scored again from the records of its run, and the boards on which rows may be ranked.

Rows are ranked together only where everything but the system is the same: tasks and graphs, device, hardware, and all
settings of the protocol. A row that breaks a condition of `submission` stands below, without a rank.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from passnet.bench.record.conventions import MeasuredMean
from passnet.report.recorded import RecordedGraph, RecordedRun, text_of
from passnet.report.submission import (
    OtherSetting,
    Submission,
    limit_in_words,
    other_settings,
    protocol_of,
    submission_problems,
)
from passnet.score import FIGURES, Figure, ScoreError, geometric_means, score_benchmark, solved_figures

NO_FIGURE: Final = Figure(None, None, None)
UNKNOWN: Final = "not recorded"
# Figures of a row: name in the documents -> its words.
SHOWN: Final[Mapping[str, str]] = {
    "AS_gmean": "AS, geometric mean over tasks",
    "AS_pooled": "AS over all graphs",
    "solved": "share of graphs solved",
    "subgraph_correct": "share of graphs correct",
    "speedup_gmean": "geometric mean speedup of correct graphs",
    "slower": "share of graphs slower than eager",
}


# Speedups of right graphs by other conventions. Older records, and quick protocols, may lack them.
CALLED: Final[Mapping[str, str]] = {
    "deployed": "geometric mean speedup behind the guard that a model of a user needs",
    "cold": "geometric mean speedup on data that no cache holds",
}


@dataclass(frozen=True)
class LeaderboardRow:
    """One run. `scored`: graphs that count. `problems`: why it is not ranked.

    `called`: means by the conventions of `CALLED`, over the right graphs that have them.
    """

    run: RecordedRun
    figures: Mapping[str, Figure]
    scored: int
    problems: tuple[str, ...]
    called: Mapping[str, MeasuredMean]

    @property
    def name(self) -> str:
        return self.run.name

    @property
    def system(self) -> str:
        """The author and its model, or the compiler."""
        if self.author is None:
            return self.compiler
        return f"{self.author}, {self.model}" if self.model is not None else self.author

    @property
    def by(self) -> str | None:
        """What the row was made by, in words. None where its name says that already."""
        if self.system == self.name:
            return None
        return f"{'compiler' if self.author is None else 'author'} {self.system}"

    @cached_property
    def other(self) -> tuple[OtherSetting, ...]:
        """Settings of its protocol that are not today's."""
        return tuple(other_settings(self.run))

    @cached_property
    def protocol_key(self) -> str:
        """What two runs have alike whose protocols are the same."""
        protocol = protocol_of(self.run)
        return protocol.content_hash if protocol is not None else json.dumps(self.run.protocol, sort_keys=True)

    @property
    def limit(self) -> str | None:
        """That its tasks were judged in part, in words. `submit check` refuses such a run."""
        return limit_in_words(self.run.settings)

    @property
    def report(self) -> str | None:
        """The report that lies beside the run, as a path from here. What the run itself holds may be a stranger's."""
        place = self.run.path.parent / f"{self.run.path.name}.html"
        return str(place) if self.run.path.name and place.is_file() and not place.is_symlink() else None

    @property
    def chosen(self) -> str | None:
        """How an author's figures were chosen among several, in words. None where they were not, or nobody says."""
        attempts, words = self.run.settings.get("attempts"), []
        if isinstance(attempts, int) and attempts > 1:
            words.append(f"the best of {attempts} attempts at each task")
        if self.run.settings.get("confirm") is False:
            words.append("pass sets chosen by these figures")
        return ", ".join(words) or None

    @property
    def author(self) -> str | None:
        return text_of(self.run.settings.get("author"))

    @property
    def model(self) -> str | None:
        settings = self.run.settings.get("author_settings")
        return text_of(settings.get("model")) if isinstance(settings, dict) else None

    @property
    def compiler(self) -> str:
        return text_of(self.run.settings.get("compiler")) or UNKNOWN

    @property
    def device(self) -> str:
        return text_of(self.run.settings.get("device")) or UNKNOWN

    @property
    def hardware(self) -> str:
        """The GPU of a run on one, else the processor."""
        return self.fact("gpu" if self.device == "cuda" else "cpu")

    @property
    def integrity(self) -> str:
        """How far the figures can be trusted, in words."""
        if all(graph.tamper_proof for graph in self.run.graphs):
            return "tamper-proof"
        published = self.run.protocol.get("preset") == "paper"
        return "not tamper-proof: published protocol" if published else "not tamper-proof: no sandbox"

    @property
    def tasks(self) -> int:
        return len({graph.task for graph in self.run.graphs})

    @cached_property
    def task_set(self) -> str:
        """Hash of all tasks and graphs, with what they compute."""
        lines = sorted(f"{graph.task}\n{graph.graph}\n{graph.graph_hash}" for graph in self.run.graphs)
        return hashlib.sha256("\n\n".join(lines).encode("utf-8", "backslashreplace")).hexdigest()[:16]

    @property
    def precision(self) -> float | None:
        found = self.run.protocol.get("precision")
        return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None

    @property
    def right(self) -> int:
        """The right graphs."""
        return sum(graph.result.correct for graph in self.run.graphs)

    def setting(self, name: str) -> str:
        """A setting of the protocol as text."""
        found = self.run.protocol.get(name)
        return UNKNOWN if found is None else str(found)

    def fact(self, name: str) -> str:
        """A fact of the environment as text."""
        return text_of((self.run.environment or {}).get(name)) or UNKNOWN

    def to_json(self) -> dict[str, Any]:
        """The row in `leaderboard.json`. Shares are of 1."""
        return {
            "run": self.name,
            "system": self.system,
            "chosen": self.chosen,
            "limit": self.limit,
            "author": self.author,
            "model": self.model,
            "compiler": self.compiler,
            "protocol": self.setting("preset"),
            "policy": self.setting("policy"),
            "precision": self.precision,
            "threads": self.setting("threads"),
            "device": self.device,
            "hardware": self.hardware,
            "torch": self.fact("torch"),
            "passnet": self.fact("passnet"),
            "revision": self.fact("revision"),
            "date": self.fact("date"),
            "integrity": self.integrity,
            "graphs": len(self.run.graphs),
            "scored": self.scored,
            "tasks": self.tasks,
            "task_set": self.task_set,
            **{name: {"value": own.value, "low": own.low, "high": own.high} for name, own in self.figures.items()},
            **{
                name: {"value": own.value, "low": own.low, "high": own.high, "graphs": mean.graphs}
                for name, mean in self.called.items()
                for own in (mean.figure,)
            },
            "problems": list(self.problems),
        }


@dataclass(frozen=True)
class Board:
    """Rows over the same graphs on the same hardware by the same settings of the protocol. `ranked`: best AS first."""

    ranked: tuple[LeaderboardRow, ...]
    unranked: tuple[LeaderboardRow, ...]

    @property
    def first(self) -> LeaderboardRow:
        return self.rows[0]

    @property
    def rows(self) -> tuple[LeaderboardRow, ...]:
        return (*self.ranked, *self.unranked)

    @property
    def notes(self) -> list[str]:
        """What holds of all rows and must be known before their ranks, in sentences."""
        one, notes = self.first, []
        if one.other:
            other = "; ".join(map(str, one.other))
            notes.append(f"Settings that are not today's defaults, alike in all rows of this board: {other}.")
        if one.setting("policy") not in ("strict", UNKNOWN):
            notes.append(f"Policy {one.setting('policy')}, which allows more than the default, strict.")
        if self.limited is not None:
            notes.append(f"In all rows, {self.limited}. passnet submit check refuses such runs as not complete.")
        return notes

    @property
    def limited(self) -> str | None:
        """What all rows say of graphs that were left out. None where they differ, or say nothing."""
        said = {row.limit for row in self.rows}
        return said.pop() if len(said) == 1 else None

    @property
    def shared_problems(self) -> tuple[str, ...]:
        """What is against every row without a rank."""
        found = [row.problems for row in self.unranked]
        return tuple(problem for problem in found[0] if all(problem in own for own in found)) if found else ()

    def own_problems(self, row: LeaderboardRow) -> list[str]:
        """What is against this row and not against every other one without a rank."""
        return [problem for problem in row.problems if problem not in self.shared_problems]

    @property
    def reasons_differ(self) -> bool:
        """Whether a row has a reason of its own for having no rank."""
        return any(self.own_problems(row) for row in self.unranked)

    @property
    def integrity(self) -> str | None:
        """How far all rows can be trusted. None where they differ."""
        said = {row.integrity for row in self.rows}
        return said.pop() if len(said) == 1 else None

    def to_json(self) -> dict[str, Any]:
        one = self.first
        return {
            "device": one.device,
            "hardware": one.hardware,
            "protocol": one.setting("preset"),
            "policy": one.setting("policy"),
            "precision": one.precision,
            "threads": one.setting("threads"),
            "other_settings": {setting.name: [setting.value, setting.today] for setting in one.other},
            "notes": self.notes,
            "task_set": one.task_set,
            "tasks": one.tasks,
            "graphs": len(one.run.graphs),
            "ranked": [{"rank": rank, **row.to_json()} for rank, row in enumerate(self.ranked, 1)],
            "not_ranked": [row.to_json() for row in self.unranked],
        }


def leaderboard_row(run: RecordedRun) -> LeaderboardRow:
    """Score a run again. A run in which nothing counts is a row without figures."""
    run.refuse_repeated()
    problems = submission_problems(Submission(run, None))
    try:
        found = score_benchmark(run.results)
    except ScoreError as error:
        nothing = dict.fromkeys(CALLED, MeasuredMean(0, NO_FIGURE))
        return LeaderboardRow(run, dict.fromkeys(SHOWN, NO_FIGURE), 0, (*problems, f"score: {error}"), nothing)
    figures = {**found.figures, **solved_figures(run.results)}
    assert set(FIGURES) <= set(figures), "a benchmark has all of its figures"
    scored = sum(len(score.scored) for score in found.tasks.values())
    return LeaderboardRow(run, {name: figures[name] for name in SHOWN}, scored, tuple(problems), _called(run))


def _called(run: RecordedRun) -> dict[str, MeasuredMean]:
    right = [graph for graph in run.graphs if graph.result.correct]
    known = [(graph.task, _ways(graph)) for graph in right]
    means = geometric_means(known)
    return {name: MeasuredMean(sum(name in ways for _, ways in known), means.get(name, NO_FIGURE)) for name in CALLED}


def _ways(graph: RecordedGraph) -> dict[str, float]:
    found = {"deployed": graph.deployed, "cold": graph.cold}
    return {name: value for name, value in found.items() if value is not None}


def boards(rows: Sequence[LeaderboardRow]) -> list[Board]:
    """The boards, those with the most graphs first. Of as many graphs, those that rank more rows are first."""
    by_key: dict[tuple[str, ...], list[LeaderboardRow]] = {}
    for row in rows:
        key = (row.device, row.hardware, row.protocol_key, row.task_set)
        by_key.setdefault(key, []).append(row)
    found = [
        Board(
            tuple(sorted((row for row in own if not row.problems), key=_place)),
            tuple(sorted((row for row in own if row.problems), key=_place)),
        )
        for own in by_key.values()
    ]
    return sorted(found, key=_order)


def _order(board: Board) -> tuple[int, str, str, int]:
    one = board.first
    return -len(one.run.graphs), one.device, one.hardware, -len(board.ranked)


def _place(row: LeaderboardRow) -> tuple[float, str]:
    value = row.figures["AS_gmean"].value
    return (-value if value is not None else 0.0, row.name)
