"""From interleaved blocks to one ratio with an interval: pure arithmetic over numbers.

A process's figure is the Hodges-Lehmann estimate of its groups' log ratios: the median of the means of every two. It
is as sure from three quarters of the groups as their median, and a spoilt group does not move it far. The figures of
several processes differ by noise within a process and by the process itself, whose memory lies elsewhere. The interval
is a t interval over processes. Its variance is the one that was seen, moderated by what is known of processes of this
device: a few processes tell little of their own spread.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np

from passnet.bench.record.records import TRIMMED_FROM

# A trimmed mean of a few normal figures varies about so much more than their mean.
_TRIMMED_COST = 1.12
# The median of absolute differences of two normal numbers, in units of their standard deviation.
_MEDIAN_DIFFERENCE = 0.9538726
# The variance of a process's figure of n normal numbers, times n. Larger counts: nearly pi / 3.
_FIGURE_VARIANCE = {1: 1.0, 2: 1.0, 3: 1.346, 4: 1.098, 5: 1.069, 6: 1.075, 7: 1.08}
_OF_MANY = 1.065
# With fewer groups, one that is spoilt would move the means of two.
_FEWEST_FOR_MEANS = 4
# The variance of the median of n normal numbers, times n. Larger counts: nearly pi / 2.
_MEDIAN_VARIANCE = {1: 1.0, 2: 1.0, 3: 1.346, 4: 1.193, 5: 1.434, 6: 1.288, 7: 1.474, 8: 1.343, 9: 1.494, 10: 1.380}
# A robust spread of m differences tells about as much as a classical one of half as many.
_ROBUST_SHARE = 0.5
# Figures whose variance is more than so many times the known one contradict it.
_CONTRADICTED = 3.0
# Where an end of an interval is cut off, as a log ratio. A candidate that takes a second now and a microsecond then has
# one beyond all numbers, and a record holds none beyond 1e100.
_FURTHEST = 200.0
_ANGLES, _FEW_DOF = 3200, 16


class Prior(Protocol):
    """What is known of a process before it is measured: the standard deviation of its log ratio, and how surely."""

    @property
    def process_sd(self) -> float: ...

    @property
    def process_sd_dof(self) -> float: ...


@dataclass(frozen=True)
class Quad:
    """Per-call times (us, harness cost already subtracted) of the six blocks of one group, two a side."""

    eager: tuple[float, float]
    candidate: tuple[float, float]
    control: tuple[float, float]


@dataclass(frozen=True)
class Process:
    """All blocks of one pair of processes: arrays of shape (groups, 2), us per call, in the order measured."""

    eager: tuple[tuple[float, float], ...]
    candidate: tuple[tuple[float, float], ...]

    @property
    def ratio(self) -> float:
        return math.exp(figure_of(self.logs))

    @cached_property
    def logs(self) -> np.ndarray:
        """Per group: log of the geometric mean of eager's two blocks over that of the candidate's two."""
        eager, candidate = (np.log(np.asarray(side).reshape(-1, 2)) for side in (self.eager, self.candidate))
        ratios: np.ndarray = (eager - candidate).mean(axis=1)
        return ratios


@dataclass(frozen=True)
class Estimate:
    """A ratio eager / candidate with its interval."""

    ratio: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the interval relative to the ratio."""
        return (self.high - self.low) / 2 / self.ratio


@dataclass(frozen=True)
class Spread:
    """The log ratio over processes, and the two parts of its variance.

    `centre`: the log ratio. `variance`: of the centre, with `dof` degrees of freedom.
    `group_sd`: of the log ratio of one group within its process. `within`: the part of a process's variance that more
    groups would lessen. `figure`: the whole variance of one process's figure, `within` included.
    """

    processes: int
    centre: float
    variance: float
    dof: float
    group_sd: float
    within: float
    figure: float

    def estimate(self, confidence: float) -> Estimate:
        half = t_quantile(confidence, self.dof) * math.sqrt(self.variance)
        low, high = max(self.centre - half, -_FURTHEST), min(self.centre + half, _FURTHEST)
        return Estimate(math.exp(self.centre), math.exp(low), math.exp(high))


def candidate_side(quads: Sequence[Quad]) -> Process:
    return Process(tuple(q.eager for q in quads), tuple(q.candidate for q in quads))


def control_side(quads: Sequence[Quad]) -> Process:
    return Process(tuple(q.eager for q in quads), tuple(q.control for q in quads))


def estimate(processes: Sequence[Process], *, confidence: float, prior: Prior) -> Estimate:
    """The centre over processes of each process's figure, with its t interval.

    A group's ratio compares blocks that ran within milliseconds of each other. So a longer slowdown of the machine
    slows both sides. The figure ignores preemption.
    """
    return spread([process.logs for process in processes], prior).estimate(confidence)


def spread(logs: Sequence[np.ndarray], prior: Prior) -> Spread:
    """Centre and variances of log ratios of groups, an array for each process. ValueError without two groups in one."""
    if not logs or any(not len(each) for each in logs) or all(len(each) < 2 for each in logs):
        raise ValueError("every process needs at least one group of blocks, and one of them two")
    of_groups = group_sd(logs)
    within = of_groups**2 * statistics.mean(figure_variance(len(each)) for each in logs)
    known, surely = _known(within, sum(len(each) - 1 for each in logs), prior)
    figures = np.sort([figure_of(each) for each in logs])
    count = len(figures)
    if count < TRIMMED_FROM:
        centre, seen, dof = float(figures.mean()), float(((figures - figures.mean()) ** 2).sum()), count - 1
    else:
        centre, seen, dof = _trimmed(figures)
    # `seen` is a sum of squares in units of one figure's variance, so that it adds up with the prior's. What is known
    # counts less the more the figures contradict it: one wild process of three is no matter of 1 %.
    surely *= min(1.0, _CONTRADICTED * known * dof / seen) if seen else 1.0
    figure = (surely * known + seen) / (surely + dof)
    return Spread(count, centre, centre_cost(count) * figure / count, surely + dof, of_groups, within, figure)


def centre_cost(processes: int) -> float:
    """The variance of the centre, in units of that of the mean of so many figures."""
    return 1.0 if processes < TRIMMED_FROM else _TRIMMED_COST


def figure_of(logs: np.ndarray) -> float:
    """A process's figure: the centre of its groups' log ratios."""
    if len(logs) < _FEWEST_FOR_MEANS:
        return float(np.median(logs))
    first, second = np.triu_indices(len(logs))
    return float(np.median((logs[first] + logs[second]) / 2))


def figure_variance(count: int) -> float:
    """The variance of the figure of so many normal numbers of variance 1."""
    return _FIGURE_VARIANCE.get(count, _OF_MANY) / count


def median_variance(count: int) -> float:
    """The variance of the median of so many normal numbers of variance 1."""
    return _MEDIAN_VARIANCE.get(count, math.pi / 2 if count % 2 else math.pi / 2 * (1 - 1 / count)) / count


@lru_cache(maxsize=4096)
def _t_quantile(confidence: float, dof: float) -> float:
    """By the substitution t = sqrt(dof) * tan(angle), the density is a power of the cosine."""
    angles = np.linspace(0.0, math.pi / 2, _ANGLES + 1)
    density = np.cos(angles) ** (dof - 1)
    steps = (density[1:] + density[:-1]) / 2
    mass = np.concatenate([[0.0], np.cumsum(steps)])
    return math.sqrt(dof) * math.tan(float(np.interp(confidence * mass[-1], mass, angles)))


def t_quantile(confidence: float, dof: float) -> float:
    """Half the width, in standard deviations, of the middle part of Student's t. Degrees of freedom are rounded down,
    which widens: few to a tenth, many to a whole number.
    """
    return _t_quantile(confidence, max(1.0, math.floor(10 * dof) / 10 if dof < _FEW_DOF else math.floor(dof)))


def ratio_of_medians(
    eager: Sequence[float], candidate: Sequence[float], *, confidence: float, resamples: int, seed: int
) -> Estimate:
    """The published figure for two series of trials that ran one after the other: unpaired."""
    rng = np.random.default_rng(seed)
    sides = [np.asarray(side)[rng.integers(len(side), size=(resamples, len(side)))] for side in (eager, candidate)]
    ratios = np.median(sides[0], axis=1) / np.median(sides[1], axis=1)
    tail = (1.0 - confidence) / 2
    low, high = np.quantile(ratios, [tail, 1.0 - tail])
    return Estimate(statistics.median(eager) / statistics.median(candidate), float(low), float(high))


def group_sd(logs: Sequence[np.ndarray]) -> float:
    """The standard deviation of a group within its process, by all differences of two groups of one process.

    Differences need no centre, so few groups give no bias. Their median ignores outliers.
    """
    parts = [np.abs(each[:, None] - each[None, :])[np.triu_indices(len(each), 1)] for each in logs]
    return float(np.median(np.concatenate(parts))) / _MEDIAN_DIFFERENCE


def _known(within: float, differences: int, prior: Prior) -> tuple[float, float]:
    """A figure's variance before figures are compared, and its degrees of freedom (Satterthwaite)."""
    process = prior.process_sd**2
    doubt = process**2 / prior.process_sd_dof + within**2 / max(1.0, _ROBUST_SHARE * differences)
    return process + within, (process + within) ** 2 / doubt


def _trimmed(figures: np.ndarray) -> tuple[float, float, int]:
    """Mean without the ends, the sum of squares with the ends drawn in, and its degrees of freedom (Yuen)."""
    count, kept = len(figures), len(figures) - 2
    drawn_in = np.clip(figures, figures[1], figures[-2])
    squares = float(((drawn_in - drawn_in.mean()) ** 2).sum())
    # Yuen's variance of the centre is squares / (kept * (kept - 1)); in units of one figure's variance it is times
    # count / cost.
    seen = squares / kept * count / _TRIMMED_COST
    return float(figures[1:-1].mean()), seen, kept - 1
