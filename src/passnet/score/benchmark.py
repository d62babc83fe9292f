"""Figures of a whole benchmark: scores over tasks and shares of graphs. Each has a bootstrap interval over tasks."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from passnet.score.errors import ScoreError
from passnet.score.params import ScoreParams
from passnet.score.result import GraphResult
from passnet.score.scoring import Score, score_results, split_scored

_RESAMPLES: Final = 2000
_LEAST_RESAMPLES: Final = 100
_MOST_DRAWS: Final = 4_000_000
"""Tasks drawn in all resamples together, about. A run of a million records would take hours otherwise."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How the intervals are drawn: tasks resampled with replacement, percentiles of the figures. Seeded, recorded."""

    resamples: int = _RESAMPLES
    seed: int = 0
    level: float = 0.95

    def __post_init__(self) -> None:
        if self.resamples < 1:
            raise ScoreError("no resamples", expected="at least 1", found=self.resamples)
        if not 0 < self.level < 1:
            raise ScoreError("bad confidence level", expected="a number between 0 and 1", found=self.level)

    @classmethod
    def for_tasks(cls, tasks: int) -> Bootstrap:
        """The default: 2,000 resamples, fewer for more than 2,000 tasks, whose figures hardly vary."""
        return cls(resamples=max(_LEAST_RESAMPLES, min(_RESAMPLES, _MOST_DRAWS // max(1, tasks))))


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its interval. A field is None when no data gives it (no correct graph, or a single task)."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """`tasks`: the score of each task. `unscored`: tasks with no graph that counts. `figures`: see `FIGURES`."""

    tasks: Mapping[str, Score]
    unscored: tuple[str, ...]
    figures: Mapping[str, Figure]
    bootstrap: Bootstrap


class TaskSums(NamedTuple):
    """The sums of one task. Every figure is a function of one quotient: a sum over tasks divided by another."""

    task: float
    graphs: float
    correct: float
    all_correct: float
    fast_1: float
    fast_1_2: float
    slower: float
    log_speedup: float
    log_aggregated: float
    aggregated: float
    pooled_log_aggregated: float


class _Quotient(NamedTuple):
    over: str
    under: str
    read: Callable[[float], float] = float


# The AS of a pool is the mean of log AS over tasks, weighted by their number of graphs. This holds because log ES is a
# mean over graphs at every t, and the weights of t do not depend on the set.
FIGURES: Final[dict[str, _Quotient]] = {
    "AS_gmean": _Quotient("log_aggregated", "task", math.exp),
    "AS_mean": _Quotient("aggregated", "task"),
    "AS_pooled": _Quotient("pooled_log_aggregated", "graphs", math.exp),
    "speedup_gmean": _Quotient("log_speedup", "correct", math.exp),
    "subgraph_correct": _Quotient("correct", "graphs"),
    "task_correct": _Quotient("all_correct", "task"),
    "fast_1": _Quotient("fast_1", "graphs"),
    "fast_1_2": _Quotient("fast_1_2", "graphs"),
    "slower": _Quotient("slower", "graphs"),
}
"""Name of a figure -> how it is computed. Shares are of all scored graphs (or tasks).

`fast_1` and `fast_1_2`: correct at t = -5 with a speedup of at least 1 and 1.2. `slower`: correct with a speedup below
1.
"""


def group_by_task(results: Iterable[GraphResult]) -> dict[str, list[GraphResult]]:
    """Results grouped by task. Tasks are sorted by name, so that a seed always draws the same resamples."""
    tasks: dict[str, list[GraphResult]] = {}
    for result in results:
        tasks.setdefault(result.task, []).append(result)
    return dict(sorted(tasks.items()))


def score_benchmark(
    results: Iterable[GraphResult], params: ScoreParams | None = None, bootstrap: Bootstrap | None = None
) -> Benchmark:
    """Figures over all tasks of `results`. Raises ScoreError when no task has a graph that counts."""
    params = params or ScoreParams()
    tasks = group_by_task(results)
    scorable = {task: graphs for task, graphs in tasks.items() if split_scored(graphs, params)[0]}
    if not scorable:
        raise ScoreError(
            "a benchmark without a scored task has no figures",
            expected="at least one task with a graph whose outcome is the candidate's",
            found=f"{len(tasks)} tasks without one",
        )
    scores = {task: score_results(graphs, params) for task, graphs in scorable.items()}
    bootstrap = bootstrap or Bootstrap.for_tasks(len(scores))
    return Benchmark(
        tasks=scores,
        unscored=tuple(task for task in tasks if task not in scorable),
        figures=_figures([task_sums(score) for score in scores.values()], bootstrap),
        bootstrap=bootstrap,
    )


def geometric_means(
    graphs: Iterable[tuple[str, Mapping[str, float]]], bootstrap: Bootstrap | None = None
) -> dict[str, Figure]:
    """The geometric mean of each named figure over the graphs that have it, with its interval over tasks.

    `graphs`: the task of each, and its positive figures. A figure that one task alone has gets no interval.
    """
    logs: dict[str, dict[str, list[float]]] = {}
    for task, figures in graphs:
        known = logs.setdefault(task, {})
        for name, value in figures.items():
            known.setdefault(name, []).append(math.log(value))
    tasks = [known for _, known in sorted(logs.items())]
    names = list(dict.fromkeys(name for known in tasks for name in known))
    rows = [
        tuple(part for name in names for own in (known.get(name, []),) for part in (math.fsum(own), len(own)))
        for known in tasks
    ]
    bootstrap = bootstrap or Bootstrap.for_tasks(len(rows))
    rng = random.Random(bootstrap.seed)
    draws = [_means(rng.choices(rows, k=len(rows))) for _ in range(bootstrap.resamples if len(rows) > 1 else 0)]
    several = [sum(name in known for known in tasks) > 1 for name in names]
    return {
        name: _figure(value, (draw[place] for draw in draws) if several[place] else (), bootstrap.level)
        for place, (name, value) in enumerate(zip(names, _means(rows), strict=True))
    }


def _means(rows: Sequence[tuple[float, ...]]) -> list[float | None]:
    """The mean of each figure. Two columns belong to it: sums of logarithms, and numbers of graphs."""
    sums = list(map(math.fsum, zip(*rows, strict=True)))
    return [math.exp(total / count) if count else None for total, count in zip(sums[::2], sums[1::2], strict=True)]


def task_sums(score: Score) -> TaskSums:
    """The sums of one scored task."""
    graphs = len(score.scored)
    speedups = [result.known_speedup for result in score.scored if result.correct]
    return TaskSums(
        task=1,
        graphs=graphs,
        correct=len(speedups),
        all_correct=len(speedups) == graphs,
        fast_1=sum(speedup >= 1 for speedup in speedups),
        fast_1_2=sum(speedup >= 1.2 for speedup in speedups),
        slower=sum(speedup < 1 for speedup in speedups),
        log_speedup=math.fsum(map(math.log, speedups)),
        log_aggregated=score.log_aggregated,
        aggregated=score.aggregated,
        pooled_log_aggregated=graphs * score.log_aggregated,
    )


def _figures(rows: Sequence[TaskSums], bootstrap: Bootstrap) -> dict[str, Figure]:
    values = _evaluate(rows)
    draws = list(_resample(rows, bootstrap)) if len(rows) > 1 else []
    return {name: _figure(value, [draw[name] for draw in draws], bootstrap.level) for name, value in values.items()}


def _resample(rows: Sequence[TaskSums], bootstrap: Bootstrap) -> Iterable[dict[str, float | None]]:
    rng = random.Random(bootstrap.seed)
    for _ in range(bootstrap.resamples):
        yield _evaluate(rng.choices(rows, k=len(rows)))


def _evaluate(rows: Sequence[TaskSums]) -> dict[str, float | None]:
    sums = dict(zip(TaskSums._fields, map(math.fsum, zip(*rows, strict=True)), strict=True))
    return {
        name: quotient.read(sums[quotient.over] / sums[quotient.under]) if sums[quotient.under] else None
        for name, quotient in FIGURES.items()
    }


def _figure(value: float | None, draws: Iterable[float | None], level: float) -> Figure:
    known = sorted(draw for draw in draws if draw is not None)
    if value is None or not known:
        return Figure(value, None, None)
    return Figure(value, _quantile(known, (1 - level) / 2), _quantile(known, (1 + level) / 2))


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Linear interpolation between the two nearest of the ordered values."""
    position = share * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])
