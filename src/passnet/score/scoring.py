"""S(t), ES(t) and AS of a set of graphs: geometric means, computed through logarithms with exact sums."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from passnet.score.errors import ScoreError
from passnet.score.outcome import OUTCOME_RULES, Outcome, Owner, forgiven
from passnet.score.params import ScoreParams
from passnet.score.result import GraphResult

FREEZE_T = 1
"""From this level on, ES keeps each graph's verdict and speedup at this level. It only forgives failures."""

_DEFAULTS = ScoreParams()


@dataclass(frozen=True, slots=True)
class Score:
    """The scores of a set of graphs. `s` and `es` map every level t to a geometric mean. `aggregated` is AS."""

    s: Mapping[int, float]
    es: Mapping[int, float]
    log_aggregated: float
    scored: tuple[GraphResult, ...]
    excluded: tuple[GraphResult, ...]

    @property
    def aggregated(self) -> float:
        return math.exp(self.log_aggregated)

    @property
    def outcomes(self) -> dict[Outcome, int]:
        """Number of graphs of each outcome, excluded graphs included, in the order of `Outcome`."""
        counts = Counter(result.outcome for result in (*self.scored, *self.excluded))
        return {outcome: counts[outcome] for outcome in Outcome if counts[outcome]}


def log_s(result: GraphResult, t: int, params: ScoreParams) -> float:
    """Natural logarithm of what one graph contributes to S(t)."""
    return _log_rectified(result, params) if result.right_at(t) else params.log_b


def log_es(result: GraphResult, t: int, params: ScoreParams) -> float:
    """Natural logarithm of what one graph contributes to ES(t)."""
    if t < FREEZE_T:
        return log_s(result, t, params)
    if result.right_at(FREEZE_T):
        return _log_rectified(result, params)
    return 0.0 if forgiven(result.outcome, t, params.interpretation) else params.log_b


def split_scored(
    results: Iterable[GraphResult], params: ScoreParams
) -> tuple[tuple[GraphResult, ...], tuple[GraphResult, ...]]:
    """The graphs that count, and the graphs whose failure does not belong to the candidate."""
    scored: list[GraphResult] = []
    excluded: list[GraphResult] = []
    for result in results:
        (scored if _counts(result, params) else excluded).append(result)
    return tuple(scored), tuple(excluded)


def score_results(results: Iterable[GraphResult], params: ScoreParams = _DEFAULTS) -> Score:
    """Score a set of graphs. Raises ScoreError when nothing is left to score: an empty set has no score."""
    scored, excluded = split_scored(results, params)
    if not scored:
        raise _nothing_to_score(excluded)
    log_curve = {t: _mean([log_es(result, t, params) for result in scored]) for t in params.levels}
    return Score(
        s={t: math.exp(_mean([log_s(result, t, params) for result in scored])) for t in params.levels},
        es={t: math.exp(value) for t, value in log_curve.items()},
        log_aggregated=_log_aggregate(log_curve, params.weights),
        scored=scored,
        excluded=excluded,
    )


def _log_aggregate(log_curve: Mapping[int, float], weights: Mapping[int, float]) -> float:
    return math.fsum(weight * log_curve[t] for t, weight in weights.items()) / math.fsum(weights.values())


def _log_rectified(result: GraphResult, params: ScoreParams) -> float:
    """The speedup itself. A slowdown s is punished: it becomes s^(p+1)."""
    log_speedup = math.log(result.known_speedup)
    return (params.p + 1) * log_speedup if log_speedup < 0 else log_speedup


def _counts(result: GraphResult, params: ScoreParams) -> bool:
    owner = OUTCOME_RULES[result.outcome].owner
    return owner is Owner.CANDIDATE or (owner is Owner.REFERENCE and params.keep_reference_errors)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _nothing_to_score(excluded: tuple[GraphResult, ...]) -> ScoreError:
    if not excluded:
        return ScoreError("an empty set has no score", expected="at least one graph", found="none")
    counts = Counter(result.outcome.value for result in excluded)
    return ScoreError(
        "no graph is left to score",
        expected="at least one graph whose outcome is the candidate's",
        found=", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())),
        hint="run these graphs again: their failures are the reference's or the harness's",
    )
