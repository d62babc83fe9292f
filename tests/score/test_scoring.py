"""S, ES and AS: properties of the definition, values by hand, and agreement with the closed form."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.score import (
    GraphResult,
    Interpretation,
    Outcome,
    ScoreError,
    ScoreParams,
    cross_checked,
    macro_form,
    score_results,
)
from tests.score.score_oracle import WEIGHTS, expected_aggregate, rectified
from tests.score.score_strategies import CANDIDATE_OUTCOMES, PARAMS, graph_results, result_lists

REL = 1e-11
NEVER_FORGIVEN = (Outcome.NO_MATCH, Outcome.INTEGRITY)


def correct(speedup: float, correct_at: int = -10) -> GraphResult:
    return GraphResult("g", Outcome.CORRECT, speedup, correct_at)


def values(curve):
    return [curve[t] for t in sorted(curve)]


# By hand


def test_a_graph_by_hand():
    """Right from t = -3 on with a speedup of 3, beside one that fails at run time."""
    results = [GraphResult("a", Outcome.ACCURACY, 3.0, -3), GraphResult("b", Outcome.RUNTIME_ERROR)]
    score = score_results(results)
    low, right, forgiven = 0.1, math.sqrt(3.0 * 0.1), math.sqrt(3.0)
    assert values(score.s) == pytest.approx([low] * 7 + [right] * 8)
    assert values(score.es) == pytest.approx([low] * 7 + [right] * 6 + [forgiven] * 2)
    weights = [WEIGHTS[t] for t in sorted(WEIGHTS)]
    logs = [math.log(0.1)] * 7 + [math.log(right)] * 6 + [math.log(forgiven)] * 2
    expected = math.exp(sum(w * x for w, x in zip(weights, logs, strict=True)) / 5.957424)
    assert score.aggregated == pytest.approx(expected, rel=REL)


def test_right_only_beyond_one_is_forgiven_but_earns_nothing_in_es():
    """Right from t = 2 on: ES keeps the verdict at t = 1 (wrong, forgiven), S goes on comparing at its own t."""
    score = score_results([GraphResult("a", Outcome.ACCURACY, 5.0, 2)])
    assert [score.s[t] for t in (0, 1, 2, 3, 4)] == pytest.approx([0.1, 0.1, 5.0, 5.0, 5.0])
    assert [score.es[t] for t in (0, 1, 2, 3, 4)] == pytest.approx([0.1, 1.0, 1.0, 1.0, 1.0])


def test_foreign_verdicts_that_are_not_monotone():
    """Right at -5 and 4 only. At t = 1 it is an accuracy failure, and ES keeps that."""
    result = GraphResult("a", Outcome.CORRECT, 5.0, right_levels=frozenset({-5, 4}))
    score = score_results([result])
    assert [score.s[t] for t in (-6, -5, -4, 1, 4)] == pytest.approx([0.1, 5.0, 0.1, 0.1, 5.0])
    assert [score.es[t] for t in (-6, -5, -4, 1, 4)] == pytest.approx([0.1, 5.0, 0.1, 1.0, 1.0])


@pytest.mark.parametrize(
    ("speedup", "p", "expected"), [(2.0, 0, 2.0), (2.0, 3, 2.0), (1.0, 3, 1.0), (0.5, 0, 0.5), (0.5, 1, 0.25)]
)
def test_slowdown_penalty(speedup, p, expected):
    assert values(score_results([correct(speedup)], ScoreParams(p=p)).s) == pytest.approx([expected] * 15)


def test_extended_point_is_outside_the_default_weights():
    params = ScoreParams(interpretation=Interpretation.MISMATCH_EXTENDED)
    score = score_results([GraphResult("a", Outcome.COMPILE_ERROR), correct(2.0)], params)
    assert max(score.es) == 5
    assert score.aggregated == pytest.approx(expected_aggregate(score.es, WEIGHTS), rel=REL)


# Invariants of the aggregate


@pytest.mark.parametrize("interpretation", Interpretation)
@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_all_eager_is_one(size, interpretation):
    score = score_results([correct(1.0)] * size, ScoreParams(p=2.5, interpretation=interpretation))
    assert score.aggregated == 1.0
    assert set(score.s.values()) == set(score.es.values()) == {1.0}


@given(st.lists(st.sampled_from(NEVER_FORGIVEN), min_size=1, max_size=9), PARAMS)
def test_all_never_forgiven_is_b(outcomes, params):
    score = score_results([GraphResult("g", outcome) for outcome in outcomes], params)
    assert score.aggregated == pytest.approx(params.b, rel=REL)
    assert values(score.es) == pytest.approx([params.b] * len(params.levels), rel=REL)


@pytest.mark.parametrize("interpretation", Interpretation)
def test_empty_set_is_an_error(interpretation):
    with pytest.raises(ScoreError, match="empty set has no score"):
        score_results([], ScoreParams(interpretation=interpretation))


def test_nothing_left_is_an_error_that_says_what_was_left_out():
    results = [GraphResult("a", Outcome.UNSTABLE), GraphResult("b", Outcome.REFERENCE_ERROR)]
    with pytest.raises(ScoreError, match="1 reference_error, 1 unstable"):
        score_results(results)


# Properties


@given(result_lists(), PARAMS)
def test_bounds(results, params):
    terms = [rectified(r.speedup, params.p) for r in results if r.speedup is not None] + [params.b]
    score = score_results(results, params)
    for value in score.s.values():
        assert min(terms) * (1 - REL) <= value <= max(terms) * (1 + REL)
    for value in [*score.es.values(), score.aggregated]:
        assert min(terms) * (1 - REL) <= value <= max(*terms, 1.0) * (1 + REL)


@given(result_lists(), PARAMS)
def test_es_equals_s_below_one(results, params):
    score = score_results(results, params)
    assert all(score.es[t] == score.s[t] for t in params.levels if t < 1)


@given(result_lists(), PARAMS)
def test_es_never_falls_from_one_on(results, params):
    curve = values(score_results(results, params).es)[11:]
    assert all(after >= before * (1 - REL) for before, after in pairwise(curve))


@given(result_lists(speedups=st.floats(1.0, 1e3)), PARAMS)
def test_both_curves_never_fall_when_being_right_beats_b(results, params):
    score = score_results(results, params)
    for curve in (values(score.s), values(score.es)):
        assert all(after >= before * (1 - REL) for before, after in pairwise(curve))


def test_a_curve_falls_when_being_right_is_worth_less_than_b():
    """Why the property above needs its condition: a right graph at 0.05 is worth less than a failure."""
    score = score_results([GraphResult("a", Outcome.ACCURACY, 0.05, 0)])
    assert score.s[0] == pytest.approx(0.05)
    assert score.s[0] < score.s[-1]


@given(result_lists(), PARAMS, st.randoms(use_true_random=False))
def test_permutation_invariance(results, params, rng):
    shuffled = list(results)
    rng.shuffle(shuffled)
    first, second = score_results(results, params), score_results(shuffled, params)
    assert (first.s, first.es, first.aggregated) == (second.s, second.es, second.aggregated)


@given(result_lists(), PARAMS, st.integers(2, 5))
def test_copies_change_nothing(results, params, copies):
    once, often = score_results(results, params), score_results(results * copies, params)
    assert often.aggregated == pytest.approx(once.aggregated, rel=REL)
    assert values(often.es) == pytest.approx(values(once.es), rel=REL)


@given(st.lists(st.floats(1, 100), min_size=1, max_size=8), st.floats(1, 10))
def test_scaling_all_speedups_scales_the_score(speedups, factor):
    before = score_results([correct(speedup) for speedup in speedups])
    after = score_results([correct(speedup * factor) for speedup in speedups])
    assert after.aggregated == pytest.approx(before.aggregated * factor, rel=REL)


@given(result_lists(min_size=2), PARAMS, st.data())
def test_a_faster_correct_graph_never_lowers_the_score(results, params, data):
    timed = [i for i, r in enumerate(results) if r.speedup is not None]
    if not timed:
        return
    chosen = data.draw(st.sampled_from(timed))
    faster = replace(results[chosen], speedup=results[chosen].speedup * 1.5)
    improved = [*results[:chosen], faster, *results[chosen + 1 :]]
    before, after = score_results(results, params), score_results(improved, params)
    assert after.aggregated >= before.aggregated * (1 - REL)


@given(result_lists(), PARAMS)
def test_micro_equals_macro(results, params):
    score = cross_checked(results, params, rtol=1e-10)
    for t, value in score.es.items():
        assert macro_form(score.scored, t, params).value(params.p) == pytest.approx(value, rel=1e-10)


def test_macro_numbers_by_hand():
    results = [correct(4.0), correct(0.25), GraphResult("x", Outcome.TIMEOUT), GraphResult("y", Outcome.NO_MATCH)]
    params = ScoreParams(p=1.0)
    below, from_three = macro_form(results, 0, params), macro_form(results, 3, params)
    assert (below.alpha, below.beta) == pytest.approx((1.0, 0.25))
    assert (below.share_right, below.share_slow, below.gamma) == pytest.approx((0.5, 0.5, 0.1))
    assert from_three.gamma == pytest.approx(0.1**0.5)


@given(result_lists(), PARAMS)
def test_aggregate_is_the_weighted_geometric_mean(results, params):
    score = score_results(results, params)
    assert score.aggregated == pytest.approx(expected_aggregate(score.es), rel=1e-10)


@given(result_lists(), st.dictionaries(st.integers(-10, 4), st.floats(0.01, 10), min_size=1), st.floats(0.5, 7))
def test_weights_count_by_their_share(results, weights, factor):
    plain = score_results(results, ScoreParams(weights=weights))
    scaled = score_results(results, ScoreParams(weights={t: w * factor for t, w in weights.items()}))
    assert scaled.aggregated == pytest.approx(plain.aggregated, rel=REL)
    assert plain.aggregated == pytest.approx(expected_aggregate(plain.es, weights), rel=1e-10)


@given(graph_results(outcomes=CANDIDATE_OUTCOMES), PARAMS)
def test_one_graph_by_the_definition(result, params):
    """The rows of the definition, written out once more."""
    score = score_results([result], params)
    for t in params.levels:
        right = result.correct_at is not None and t >= result.correct_at
        assert score.s[t] == pytest.approx(rectified(result.speedup, params.p) if right else params.b, rel=REL)
        if t >= 1 and result.correct_at is not None and result.correct_at <= 1:
            assert score.es[t] == pytest.approx(rectified(result.speedup, params.p), rel=REL)
        elif t >= 1:
            assert score.es[t] in (pytest.approx(1.0), pytest.approx(params.b))


def test_extreme_speedups_stay_finite():
    results = [correct(1e300), correct(1e-300), correct(1e300)]
    score = cross_checked(results, ScoreParams(p=0.0))
    assert score.aggregated == pytest.approx(1e100, rel=1e-9)
    tiny = cross_checked([correct(1e-300)], ScoreParams(p=3.0))
    assert tiny.s[-5] == 0.0
