"""Arithmetic of paired comparisons: Student's t, a mean that respects tasks, and Holm's correction.  No torch.

The mean over graphs has a t interval whose variance is that of the mean when one task at a time is left out. Graphs of
a task share a computation and a pass, so they move together: the task is what was sampled. Where all tasks have as
many graphs, this is the t interval over the means of tasks. A bootstrap over tasks is not used, because the percentiles
of few tasks are too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from passnet.bench.timing.stats import t_quantile

LEVEL = 0.95


@dataclass(frozen=True)
class ClusteredMean:
    """A mean over graphs. The interval and the p-value (of "the mean is 0") are None with a single task."""

    mean: float
    low: float | None
    high: float | None
    p_value: float | None
    graphs: int
    tasks: int


def clustered_mean(values: Mapping[str, Sequence[float]], level: float = LEVEL) -> ClusteredMean:
    """The mean of all values, with an interval over tasks. `values`: task -> its graphs, none of them empty."""
    tasks, graphs = len(values), sum(map(len, values.values()))
    sums = {task: math.fsum(own) for task, own in values.items()}
    total = math.fsum(sums.values())
    mean = total / graphs
    if tasks < 2:
        return ClusteredMean(mean, None, None, None, graphs, tasks)
    without = [(total - sums[task]) / (graphs - len(own)) for task, own in values.items()]
    variance = (tasks - 1) / tasks * math.fsum((other - mean) ** 2 for other in without)
    deviation = math.sqrt(variance)
    half = t_quantile(level, tasks - 1) * deviation
    return ClusteredMean(mean, mean - half, mean + half, two_sided(mean, deviation, tasks - 1), graphs, tasks)


def two_sided(difference: float, deviation: float, dof: int) -> float:
    """How likely a difference at least as large is if there is none, by Student's t."""
    if deviation <= 0:
        return 1.0 if difference == 0 else 0.0
    return 1.0 - _middle(abs(difference) / deviation, dof)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given.

    Graphs below 5 % hold a false alarm in at most 5 % of comparisons, however many graphs there are and however they
    depend on each other.
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    found, largest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, p_values[place] * (len(p_values) - rank)))
        found[place] = largest
    return found


def _middle(t: float, dof: int) -> float:
    """The probability between -t and t, by the finite sums that exist for whole degrees of freedom."""
    angle = math.atan2(t, math.sqrt(dof))
    sine, cosine = math.sin(angle), math.cos(angle)
    first = 1 if dof % 2 == 0 else 2
    term, total = (1.0, 0.0) if dof % 2 == 0 else (cosine, 0.0)
    for step in range(first, dof, 2):
        total += term
        term *= cosine * cosine * step / (step + 1)
    found = sine * total if dof % 2 == 0 else 2 / math.pi * (angle + sine * total)
    return min(1.0, max(0.0, found))
