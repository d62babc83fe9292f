"""From interleaved blocks to one ratio with an interval: pure arithmetic over numbers, seeded."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


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
        return math.exp(statistics.median(_log_ratios(self).tolist()))


@dataclass(frozen=True)
class Estimate:
    """A ratio eager / candidate with its bootstrap interval over processes and groups."""

    ratio: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the interval relative to the ratio."""
        return (self.high - self.low) / 2 / self.ratio


def candidate_side(quads: Sequence[Quad]) -> Process:
    return Process(tuple(q.eager for q in quads), tuple(q.candidate for q in quads))


def control_side(quads: Sequence[Quad]) -> Process:
    return Process(tuple(q.eager for q in quads), tuple(q.control for q in quads))


def estimate(processes: Sequence[Process], *, confidence: float, resamples: int, seed: int) -> Estimate:
    """The centre over processes of each process's median ratio over groups. The interval resamples processes, then
    groups.

    A group's ratio compares blocks that ran within milliseconds of each other. So a longer slowdown of the machine
    slows both sides. The median ignores preemption. The centre drops the lowest and the highest process, so one
    slow process does no harm. Resampling processes puts their spread into the interval.
    """
    if not processes or any(not process.eager for process in processes):
        raise ValueError("every process needs at least one group of blocks")
    rng = np.random.default_rng(seed)
    draws = [_resampled_ratios(process, resamples, rng) for process in processes]
    # One row per resample, one column per drawn process. Every column is an independent draw of its process.
    chosen = rng.integers(len(processes), size=(resamples, len(processes)))
    table = np.stack(draws, axis=1)
    centres = _centre(np.take_along_axis(table, chosen, axis=1))
    tail = (1.0 - confidence) / 2
    low, high = np.quantile(centres, [tail, 1.0 - tail])
    found = _centre(np.array([[process.ratio for process in processes]]))
    return Estimate(float(found[0]), float(low), float(high))


def _centre(ratios: np.ndarray) -> np.ndarray:
    """Geometric mean along the last axis without its lowest and highest entry. With fewer than three, all count."""
    ordered = np.sort(np.log(ratios), axis=-1)
    kept = ordered[..., 1:-1] if ordered.shape[-1] > 2 else ordered
    centres: np.ndarray = np.exp(kept.mean(axis=-1))
    return centres


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


def _resampled_ratios(process: Process, resamples: int, rng: np.random.Generator) -> np.ndarray:
    logs = _log_ratios(process)
    picks = rng.integers(len(logs), size=(resamples, len(logs)))
    ratios: np.ndarray = np.exp(np.median(logs[picks], axis=1))
    return ratios


def _log_ratios(process: Process) -> np.ndarray:
    """Per group: log of the geometric mean of eager's two blocks over that of the candidate's two."""
    eager, candidate = np.log(np.asarray(process.eager)), np.log(np.asarray(process.candidate))
    ratios: np.ndarray = (eager - candidate).mean(axis=1)
    return ratios
