"""Runs of one page against each other, in sentences: paired by graph, over tasks, for each way of calling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from passnet.bench.record.conventions import convention_of
from passnet.report.compare.statistics import clustered_mean
from passnet.report.run.sections import RunView
from passnet.report.words import counted
from passnet.score import Outcome

# So many pairs of runs are told in sentences. `passnet compare` has a table for more.
_MOST_PAIRS: Final = 3
# The conventions of a summary, in words.
_WAYS: Final = {
    "direct": "called directly",
    "deployed": "behind the guard of a model (deployed)",
    "captured": "as CUDA graphs (captured)",
    "device": "by device time",
    "cold": "on data that no cache holds (cold)",
}
Speeds = dict[tuple[str, str], float]


def against_eager(views: Sequence[RunView]) -> list[str]:
    """For each run: on how many tasks it is slower than eager by each way of calling that was measured."""
    found = []
    for view in views:
        parts = []
        for name, way in _WAYS.items():
            tasks = _by_task(_speeds(view, name))
            slower = sum(math.fsum(logs) < 0 for logs in tasks.values())
            parts += [f"{slower} of {counted(len(tasks), 'task')} {way}"] if tasks else []
        if parts:
            found.append(f"{view.run.name}: right graphs are slower than eager on {', '.join(parts)}.")
    return found


def against_each_other(views: Sequence[RunView]) -> list[str]:
    """For each two runs that share graphs: how many times as fast one is as the other."""
    found = []
    for one, other in list(combinations(views, 2))[:_MOST_PAIRS]:
        parts = [
            words for name, way in _WAYS.items() if (words := _ratio(_speeds(one, name), _speeds(other, name), way))
        ]
        if parts:
            found.append(
                f"{one.run.name} against {other.run.name}, paired over the graphs that are right in both: "
                f"{'; '.join(parts)}."
            )
    return found


def _ratio(ours: Speeds, theirs: Speeds, way: str) -> str | None:
    shared = {graph: ours[graph] - theirs[graph] for graph in ours if graph in theirs}
    if not shared:
        return None
    tasks = _by_task(shared)
    mean = clustered_mean(tasks)
    faster = sum(math.fsum(logs) > 0 for logs in tasks.values())
    interval = ""
    if mean.low is not None and mean.high is not None:
        interval = f" [{math.exp(mean.low):.2f}, {math.exp(mean.high):.2f}]"
    return (
        f"{math.exp(mean.mean):.2f}{interval} times as fast {way}, faster on {faster} of {counted(len(tasks), 'task')}"
    )


def _speeds(view: RunView, name: str) -> Speeds:
    """The logarithm of each right graph's speedup by a convention."""
    found = ((record, convention_of(record, name)) for record in view.run.records if record.outcome is Outcome.CORRECT)
    return {(record.task, record.graph): math.log(speed) for record, speed in found if speed is not None}


def _by_task(graphs: Speeds) -> dict[str, list[float]]:
    tasks: dict[str, list[float]] = {}
    for (task, _), log in graphs.items():
        tasks.setdefault(task, []).append(log)
    return tasks
