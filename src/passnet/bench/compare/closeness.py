"""When a result is as near to the truth as eager's own: one rule, with settings for a graph and for a whole model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch

from passnet.score import STRICT_T


@dataclass(frozen=True)
class Errors:
    """One output of one call against float64: the RMS errors of both sides, and the farthest element of each.

    The farthest is in units of the outputs' spread and the element's own size. It is searched only where elements
    are not within the tolerance. `eagers_whole`: eager's RMS error where only the farthest elements are compared.
    `neighbours`: eager's outputs and float64's on the neighbours of the draw, where they are known.
    """

    own: float = 0.0
    eagers: float = 0.0
    farthest: float = 0.0
    eagers_farthest: float = 0.0
    eagers_whole: float = 0.0
    neighbours: tuple[tuple[torch.Tensor, torch.Tensor], ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Closeness:
    """The bounds on a result's distance from float64, compared with eager's.

    `level`: the t at which elements are right without this rule.
    `rms`: factor on the RMS error. Over several calls the geometric mean counts.
    `peak`: factor on the farthest element while it is below `near`. Beyond that, `far_peak` is the factor.
    `rms_cap`: where eager itself is farther off, it says nothing. `peak_cap`: where an element of eager's is farther
    off, an own one must be nearer than that. `peak_caps` are those of coarse dtypes. With these, where eager's RMS
    error is below `single`, an own element may be as far off as eager's farthest one.
    `steps`: an error of this many steps of the dtype is always forgiven.
    """

    level: int
    rms: float
    peak: float
    far_peak: float
    near: float = 0.1
    rms_cap: float = math.inf
    peak_cap: float = math.inf
    peak_caps: Mapping[str, float] = field(default_factory=dict)
    single: float = 0.0
    steps: int = 0

    def holds(self, calls: Sequence[Errors], beyond: Sequence[Errors], dtype: str) -> bool:
        """Whether the errors of all calls are about eager's. `beyond` are those of calls outside the tolerance.

        A call that is nearer to the truth than eager makes up for calls that are farther, but only up to the
        factor. So calls in which eager is poor excuse no others.
        """
        least = self._forgiven(dtype) / self.rms
        if any(errors.own > 0.0 == max(errors.eagers, least) for errors in beyond):
            return False
        logs = self._log_ratios(calls, dtype)
        return (
            max((errors.eagers for errors in calls), default=0.0) <= self.rms_cap
            and all(errors.farthest <= self.farthest_allowed(errors, beyond, dtype) for errors in beyond)
            and math.fsum(logs) <= len(logs) * math.log(self.rms)
        )

    def rms_ratio(self, calls: Sequence[Errors], dtype: str) -> float:
        """Own RMS errors over eager's: the geometric mean of all calls in which eager has an error."""
        logs = self._log_ratios(calls, dtype)
        return math.exp(math.fsum(logs) / len(logs)) if logs else 1.0

    def farthest_allowed(self, call: Errors, beyond: Sequence[Errors], dtype: str) -> float:
        """How far off an element of this call may be, in the units of `Errors`. `beyond`: all that may give it room."""
        room = max([call.eagers_farthest, *(each.eagers_farthest for each in beyond if not self._is_lost(each))])
        limit = min(self.peak * room, max(self.far_peak * room, self.near))
        cap = self.peak_caps.get(dtype, self.peak_cap)
        if dtype in self.peak_caps and not self._is_lost(call):
            cap = max(cap, room)
        return max(limit if room < cap else min(limit, cap), self._forgiven(dtype))

    def _is_lost(self, call: Errors) -> bool:
        """Whether eager is far from the truth in a call as a whole."""
        return max(call.eagers, call.eagers_whole) > self.single > 0.0

    def _log_ratios(self, calls: Sequence[Errors], dtype: str) -> list[float]:
        least = self._forgiven(dtype) / self.rms
        ratios = [_ratio(errors, least, dtype) for errors in calls if errors.eagers or least]
        return [math.log(max(ratio, 1 / self.rms)) for ratio in ratios]

    def _forgiven(self, dtype: str) -> float:
        return self.steps * torch.finfo(getattr(torch, dtype)).eps if self.steps else 0.0


# Who rounds numbers to a dtype errs by about so much of its step. Where eager errs less, its numbers are few, and it is
# lucky: one number that it has exactly says nothing of the others.
_ROUNDED = 0.25


def _ratio(errors: Errors, least: float, dtype: str) -> float:
    """An own RMS error over eager's, which counts as no less than `least`. Below a rounding it is 1 at most."""
    ratio = errors.own / max(errors.eagers, least)
    step = _ROUNDED * torch.finfo(getattr(torch, dtype)).eps
    return min(ratio, max(1.0, errors.own / step))


# Honest kernels of single graphs differ from eager in few roundings. The farthest of a few elements is chance, so it
# has more room than the RMS while it is small. With bfloat16's three digits a chain of operators errs more. In a
# softmax of large logits single elements of eager's are off by their own size there, and all the others are right.
GRAPH = Closeness(STRICT_T, rms=1.25, peak=3.0, far_peak=1.5, peak_cap=0.1, peak_caps={"bfloat16": 0.5}, single=0.05)
# On hard draws a few elements near a tie make the error, so by chance one side errs several times as much in a call.
# Where two logits are one number in bfloat16, eager gives each a half, and a kernel that rounds less gives one of them
# all. Forms that break there err by tens to thousands. In float16 two logits of some hundreds may be half a unit off,
# in one row of many, and eager's outputs may be float32: there an element may be as far off as eager's.
HARD = Closeness(
    STRICT_T,
    rms=2.0,
    peak=6.0,
    far_peak=2.5,
    peak_cap=0.1,
    peak_caps={"bfloat16": math.inf, "float16": 0.1, "float32": 0.1},
    single=0.1,
)
# A model adds up the roundings of all its layers, so its level is looser. Honest passes in whole models are measured at
# 0.9 to 1.1 times the model's own error, wrong ones at hundreds. A model whose outputs are all far from float64 says
# nothing about passes. In a few numbers its own error may be almost zero by chance, so two steps are forgiven.
MODEL = Closeness(-3, rms=2.0, peak=2.0, far_peak=2.0, rms_cap=0.1, steps=2)
