"""The closed form of ES(t) from five aggregate numbers. It computes the same value another way, as a cross-check."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from passnet.score.outcome import forgiven
from passnet.score.params import ScoreParams
from passnet.score.result import GraphResult
from passnet.score.scoring import FREEZE_T, Score, score_results


@dataclass(frozen=True, slots=True)
class MacroForm:
    """ES(t) = alpha^lambda * beta^(lambda*eta*p) * gamma^(1-lambda) (appendices B and C of the GraphNet report).

    - `alpha`: geometric mean speedup of the right graphs
    - `beta`: the same mean over the right graphs that are slower than eager
    - `share_right` (lambda): share of right graphs
    - `share_slow` (eta): share of slow graphs among the right ones
    - `gamma`: geometric mean of the value of each wrong graph

    A mean over no graphs is 1.
    """

    alpha: float
    beta: float
    share_right: float
    share_slow: float
    gamma: float

    def value(self, p: float) -> float:
        return float(
            self.alpha**self.share_right
            * self.beta ** (self.share_right * self.share_slow * p)
            * self.gamma ** (1 - self.share_right)
        )


def macro_form(results: Sequence[GraphResult], t: int, params: ScoreParams) -> MacroForm:
    """The five numbers of ES(t) over graphs that all count (`Score.scored`)."""
    level = min(t, FREEZE_T)
    right = [result.known_speedup for result in results if result.right_at(level)]
    slow = [speedup for speedup in right if speedup < 1]
    wrong = [result for result in results if not result.right_at(level)]
    punished = [result for result in wrong if not forgiven(result.outcome, t, params.interpretation)]
    return MacroForm(
        alpha=_geometric_mean(right),
        beta=_geometric_mean(slow),
        share_right=len(right) / len(results),
        share_slow=len(slow) / len(right) if right else 0.0,
        gamma=params.b ** (len(punished) / len(wrong)) if wrong else 1.0,
    )


def macro_disagreement(score: Score, params: ScoreParams) -> float:
    """Largest relative difference between a score's ES(t) and the closed form, over all levels."""
    pairs = ((value, macro_form(score.scored, t, params).value(params.p)) for t, value in score.es.items())
    return max(abs(micro - macro) / max(micro, macro, sys.float_info.min) for micro, macro in pairs)


def cross_checked(results: Iterable[GraphResult], params: ScoreParams, *, rtol: float = 1e-9) -> Score:
    """`score_results`, with a check that the closed form agrees. The check fails only if this room has a defect."""
    score = score_results(results, params)
    worst = macro_disagreement(score, params)
    assert worst <= rtol, f"ES and its closed form differ by {worst:.3g} (relative)"
    return score


def _geometric_mean(values: Sequence[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values)) if values else 1.0
