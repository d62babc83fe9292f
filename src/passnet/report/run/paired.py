"""Runs of one page against each other, in sentences: paired by graph, over tasks, for each way of calling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from passnet.errors import counted
from passnet.report.compare.statistics import clustered_mean
from passnet.report.run.lost import WAYS, Speeds, by_task, log_speeds
from passnet.report.run.sections import RunView

# So many pairs of runs are told in sentences. `passnet compare` has a table for more.
_MOST_PAIRS: Final = 3


def against_each_other(views: Sequence[RunView]) -> list[str]:
    """For each two runs that share graphs: how many times as fast one is as the other."""
    found = []
    for one, other in list(combinations(views, 2))[:_MOST_PAIRS]:
        parts = [
            words
            for name, way in WAYS.items()
            if (words := _ratio(log_speeds(one.run, name), log_speeds(other.run, name), way))
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
    tasks = by_task(shared)
    mean = clustered_mean(tasks)
    faster = sum(math.fsum(logs) > 0 for logs in tasks.values())
    interval = ""
    if mean.low is not None and mean.high is not None:
        interval = f" [{math.exp(mean.low):.2f}, {math.exp(mean.high):.2f}]"
    return (
        f"{math.exp(mean.mean):.2f}{interval} times as fast {way}, faster on {faster} of {counted(len(tasks), 'task')}"
    )
