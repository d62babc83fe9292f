"""The table of outcomes: from which t each failure is forgiven, and whose failure it is."""

from __future__ import annotations

import math

import pytest

from passnet.score import (
    OUTCOME_RULES,
    UPSTREAM_STATUS,
    GraphResult,
    Interpretation,
    Outcome,
    Owner,
    ScoreParams,
    forgiven,
    forgiven_from,
    score_results,
)

THRESHOLDS = {
    "accuracy": (1, 1),
    "dtype_mismatch": (3, 2),
    "shape_mismatch": (3, 2),
    "nan_inf": (3, 2),
    "runtime_error": (3, 3),
    "timeout": (3, 3),
    "compile_error": (3, 4),
    "no_match": (None, None),
    "integrity": (None, None),
    "reference_error": (None, None),
}


def test_every_outcome_has_a_row():
    assert set(OUTCOME_RULES) == set(Outcome)
    assert {str(outcome) for outcome in Outcome} == {
        *THRESHOLDS,
        "correct",
        "unstable",
        "out_of_memory",
        "infrastructure",
    }


@pytest.mark.parametrize("interpretation", Interpretation)
@pytest.mark.parametrize("name", THRESHOLDS)
def test_threshold(name, interpretation):
    expected = THRESHOLDS[name][interpretation is Interpretation.MISMATCH_EXTENDED]
    assert forgiven_from(Outcome(name), interpretation) == expected
    for t in interpretation.levels:
        assert forgiven(Outcome(name), t, interpretation) == (expected is not None and t >= expected)


@pytest.mark.parametrize("interpretation", Interpretation)
@pytest.mark.parametrize("name", THRESHOLDS)
def test_outcome_in_both_scores_at_every_level(name, interpretation):
    """One failed graph: S is b everywhere, ES is b below its threshold and 1 from there on."""
    params = ScoreParams(b=0.2, interpretation=interpretation, keep_reference_errors=True)
    score = score_results([GraphResult("g", Outcome(name))], params)
    threshold = THRESHOLDS[name][interpretation is Interpretation.MISMATCH_EXTENDED]
    for t in interpretation.levels:
        assert score.s[t] == pytest.approx(0.2, rel=1e-12)
        assert score.es[t] == pytest.approx(1.0 if threshold is not None and t >= threshold else 0.2, rel=1e-12)


def test_owners():
    assert {outcome for outcome in Outcome if OUTCOME_RULES[outcome].owner is not Owner.CANDIDATE} == {
        Outcome.UNSTABLE,
        Outcome.REFERENCE_ERROR,
        Outcome.OUT_OF_MEMORY,
        Outcome.INFRASTRUCTURE,
    }


def test_reference_error_is_apart_by_default_and_b_as_upstream():
    results = [GraphResult("ok", Outcome.CORRECT, 4.0, -10), GraphResult("bad", Outcome.REFERENCE_ERROR)]
    apart = score_results(results)
    assert apart.aggregated == pytest.approx(4.0)
    assert [result.name for result in apart.excluded] == ["bad"]
    assert apart.outcomes == {Outcome.CORRECT: 1, Outcome.REFERENCE_ERROR: 1}
    kept = score_results(results, ScoreParams(keep_reference_errors=True))
    assert kept.aggregated == pytest.approx(math.sqrt(4.0 * 0.1))
    assert kept.excluded == ()


@pytest.mark.parametrize("keep", [False, True])
def test_unstable_is_never_scored(keep):
    results = [GraphResult("ok", Outcome.CORRECT, 2.0, -10), GraphResult("noisy", Outcome.UNSTABLE, 9.0, -10)]
    score = score_results(results, ScoreParams(keep_reference_errors=keep))
    assert score.aggregated == pytest.approx(2.0)
    assert [result.name for result in score.excluded] == ["noisy"]


def test_upstream_statuses():
    assert UPSTREAM_STATUS == {
        "eager_fail": "reference_error",
        "compile_fail": "compile_error",
        "shape_mismatch": "shape_mismatch",
        "type_mismatch": "dtype_mismatch",
        "runtime_fail": "runtime_error",
        "correct": "correct",
    }
