"""By what each task loses against eager, in words. They filter the table of tasks, and sentences count them.

One rule for all: a task is slower by a way of calling if the geometric mean of its right graphs is below 1. A graph is
`surely slower` if its whole interval is below 1. An AS below 1 without a graph that fails or is surely slower is noise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from passnet.bench.record.records import GraphRecord
from passnet.report.run.figures import SLOWER, task_scores, verdict
from passnet.report.run.measured import speed_of
from passnet.report.run.reading import RunData
from passnet.score import OUTCOME_RULES, Outcome, Owner

# The ways of calling of a summary, in words.
WAYS: Final = {
    "direct": "called directly",
    "deployed": "behind the guard of a model (deployed)",
    "captured": "as CUDA graphs (captured)",
    "device": "by device time",
    "cold": "on data that no cache holds (cold)",
}
BELOW: Final = "AS below 1"
FAILS: Final = "graphs fail, AS below 1"
SLOW: Final = "surely slower, AS below 1"
NOISE: Final = "within noise, AS below 1"
PARTLY: Final = "AS of 1 and more, but not all well"
UNSCORED: Final = "no score"
Speeds = dict[tuple[str, str], float]


def column_of(run: RunData) -> str:
    """The key of the column of the table of tasks that has these words for a run."""
    return f"loses {run.name}"


def slower_by(way: str) -> str:
    return f"slower, {way}"


def lost_by(run: RunData) -> dict[str, list[str]]:
    """Task -> by what it loses. Empty for a task that wins by everything."""
    scores = task_scores(run.records)
    means = {way: task_means(run, way) for way in WAYS}
    found = {}
    for task, records in run.by_task.items():
        slower = [slower_by(way) for way in WAYS if means[way].get(task, 0.0) < 0]
        found[task] = [*_by_score(scores[task]["AS"], records), *slower]
    return found


def _by_score(score: float | None, records: Sequence[GraphRecord]) -> Iterator[str]:
    if score is None:
        yield UNSCORED
    elif score < 1:
        yield BELOW
        yield FAILS if failures(records) else SLOW if SLOWER in map(verdict, records) else NOISE
    elif {"not right", "cheats", SLOWER} & set(map(verdict, records)):
        yield PARTLY


def failures(records: Sequence[GraphRecord]) -> list[str]:
    """The outcomes of graphs at which the candidate failed."""
    failed = (record.outcome for record in records if record.outcome is not Outcome.CORRECT)
    return [outcome.value for outcome in failed if OUTCOME_RULES[outcome].owner is Owner.CANDIDATE]


def log_speeds(run: RunData, way: str) -> Speeds:
    """The logarithm of each right graph's speedup by a way of calling."""
    found = ((record, speed_of(record, way)) for record in run.records if record.outcome is Outcome.CORRECT)
    return {(record.task, record.graph): math.log(speed) for record, speed in found if speed is not None}


def by_task(graphs: Speeds) -> dict[str, list[float]]:
    tasks: dict[str, list[float]] = {}
    for (task, _), log in graphs.items():
        tasks.setdefault(task, []).append(log)
    return tasks


def task_means(run: RunData, way: str) -> dict[str, float]:
    """Task -> the mean logarithm of its right graphs' speedups by a way of calling."""
    return {task: math.fsum(logs) / len(logs) for task, logs in by_task(log_speeds(run, way)).items()}
