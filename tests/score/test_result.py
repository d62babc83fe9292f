"""Impossible results and settings cannot be made, and say what was expected."""

from __future__ import annotations

import math

import pytest

from passnet.score import DEFAULT_WEIGHTS, GraphResult, Interpretation, Outcome, ScoreError, ScoreParams


@pytest.mark.parametrize("speedup", [0, 0.0, -1.0, math.nan, math.inf, -math.inf, True, "1.5", 10**400])
def test_speedup_is_finite_and_positive(speedup):
    with pytest.raises(ScoreError, match="expected a finite number above 0"):
        GraphResult("g", Outcome.CORRECT, speedup, -5)
    with pytest.raises(ScoreError, match="'g': impossible speedup"):
        GraphResult("g", Outcome.TIMEOUT, speedup)


@pytest.mark.parametrize(
    ("outcome", "speedup", "correct_at", "message"),
    [
        (Outcome.CORRECT, None, -5, "without a speedup"),
        (Outcome.CORRECT, 1.0, None, "contradict"),
        (Outcome.CORRECT, 1.0, -4, "contradict"),
        (Outcome.ACCURACY, 1.0, -5, "contradict"),
        (Outcome.ACCURACY, None, -4, "without a speedup"),
        (Outcome.CORRECT, 1.0, 6, "unknown tolerance level"),
        (Outcome.CORRECT, 1.0, -11, "unknown tolerance level"),
        (Outcome.CORRECT, 1.0, -5.0, "unknown tolerance level"),
        ("great", 1.0, -5, "unknown outcome"),
    ],
)
def test_truth_table(outcome, speedup, correct_at, message):
    with pytest.raises(ScoreError, match=message):
        GraphResult("g", outcome, speedup, correct_at)


def test_correctness_is_given_once():
    with pytest.raises(ScoreError, match="given twice"):
        GraphResult("g", Outcome.CORRECT, 1.0, -5, frozenset({-5}))


def test_accuracy_needs_no_speedup_when_wrong_everywhere():
    assert GraphResult("g", Outcome.ACCURACY).speedup is None


def test_outcome_may_come_as_text():
    result = GraphResult("g", "correct", 1.5, -6)  # type: ignore[arg-type]
    assert result.outcome is Outcome.CORRECT
    assert result.correct


@pytest.mark.parametrize("outcome", [Outcome.INTEGRITY, Outcome.UNSTABLE, Outcome.RUNTIME_ERROR])
def test_other_outcomes_may_keep_measurements_that_do_not_count(outcome):
    result = GraphResult("g", outcome, 30.0, -10)
    assert not any(result.right_at(t) for t in range(-10, 6))
    assert not result.correct


def test_explicit_levels_need_not_be_monotone():
    result = GraphResult("g", Outcome.CORRECT, 1.0, right_levels=frozenset({-5, 3}))
    assert [t for t in range(-10, 6) if result.right_at(t)] == [-5, 3]


def test_weights_sum():
    assert math.fsum(DEFAULT_WEIGHTS.values()) == pytest.approx(5.957424, rel=1e-12)
    assert list(DEFAULT_WEIGHTS) == list(range(-10, 5))


@pytest.mark.parametrize("b", [0, -0.1, 1.1, math.nan, math.inf, True, "0.1"])
def test_bad_b(b):
    with pytest.raises(ScoreError, match=r"0 < b <= 1"):
        ScoreParams(b=b)


@pytest.mark.parametrize("p", [-0.1, math.nan, math.inf, True, "0"])
def test_bad_p(p):
    with pytest.raises(ScoreError, match="slowdown penalty"):
        ScoreParams(p=p)


@pytest.mark.parametrize(
    "weights",
    [
        {},
        {-5: 0.0},
        {-5: -1.0},
        {-5: math.nan},
        {-5: math.inf},
        {-5: True},
        {-11: 1.0},
        {5: 1.0},
        {"-5": 1.0},
        {-5: 1e308, -4: 1e308},
        {-5: 1e307},
    ],
)
def test_bad_weights(weights):
    with pytest.raises(ScoreError, match="weight"):
        ScoreParams(weights=weights)


def test_extra_level_may_be_weighted_where_it_exists():
    extended = ScoreParams(interpretation=Interpretation.MISMATCH_EXTENDED, weights={5: 1.0})
    assert list(extended.levels)[-1] == 5


def test_params_are_frozen_against_their_source():
    weights = {-5: 1.0}
    params = ScoreParams(weights=weights)
    weights[-5] = 7.0
    assert params.weights == {-5: 1.0}
    assert hash(params) == hash(ScoreParams(weights={-5: 1.0}))


def test_unknown_interpretation():
    with pytest.raises(ScoreError, match="expected default or mismatch_extended; found 'kind'"):
        ScoreParams(interpretation="kind")  # type: ignore[arg-type]
