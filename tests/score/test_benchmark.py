"""Figures over tasks: values by hand, pooled AS from task sums, and intervals that are seeded and contain the value."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.score import (
    FIGURES,
    Bootstrap,
    GraphResult,
    Outcome,
    ScoreError,
    ScoreParams,
    geometric_means,
    score_benchmark,
    score_document,
)
from passnet.score.scoring import score_results
from tests.score.score_strategies import result_lists

FEW = Bootstrap(resamples=50, seed=7)
TASKS = st.sampled_from(["a", "b", "c"])


def correct(task: str, speedup: float) -> GraphResult:
    return GraphResult("g", Outcome.CORRECT, speedup, -10, task=task)


def sample():
    return [
        correct("a", 2.0),
        correct("a", 0.5),
        correct("b", 1.0),
        GraphResult("g", Outcome.NO_MATCH, task="b"),
        GraphResult("g", Outcome.UNSTABLE, task="b"),
        correct("c", 1.25),
        GraphResult("g", Outcome.REFERENCE_ERROR, task="d"),
    ]


def test_by_hand():
    result = score_benchmark(sample(), bootstrap=FEW)
    value = {name: figure.value for name, figure in result.figures.items()}
    b = math.sqrt(0.1)
    assert list(result.tasks) == ["a", "b", "c"]
    assert result.unscored == ("d",)
    assert value["AS_gmean"] == pytest.approx((1.0 * b * 1.25) ** (1 / 3))
    assert value["AS_mean"] == pytest.approx((1.0 + b + 1.25) / 3)
    assert value["AS_pooled"] == pytest.approx((2.0 * 0.5 * 1.0 * 0.1 * 1.25) ** (1 / 5))
    assert value["speedup_gmean"] == pytest.approx(1.25 ** (1 / 4))
    assert value["subgraph_correct"] == pytest.approx(4 / 5)
    assert value["task_correct"] == pytest.approx(2 / 3)
    assert value["fast_1"] == pytest.approx(3 / 5)
    assert value["fast_1_2"] == pytest.approx(2 / 5)
    assert value["slower"] == pytest.approx(1 / 5)


@settings(max_examples=40)
@given(result_lists(tasks=TASKS))
def test_pooled_is_the_score_of_the_pool(results):
    result = score_benchmark(results, bootstrap=FEW)
    assert result.figures["AS_pooled"].value == pytest.approx(score_results(results).aggregated, rel=1e-10)


@settings(max_examples=40)
@given(result_lists(tasks=TASKS, min_size=3))
def test_intervals_are_ordered_and_shares_are_shares(results):
    figures = score_benchmark(results, bootstrap=FEW).figures
    assert set(figures) == set(FIGURES)
    for name, figure in figures.items():
        assert (figure.low is None) == (figure.high is None)
        if figure.low is not None:
            assert figure.low <= figure.high
        if name in ("subgraph_correct", "task_correct", "fast_1", "fast_1_2", "slower"):
            assert all(0 <= x <= 1 for x in (figure.value, figure.low, figure.high) if x is not None)


@settings(max_examples=20)
@given(result_lists(tasks=TASKS), st.randoms(use_true_random=False))
def test_order_changes_nothing(results, rng):
    shuffled = list(results)
    rng.shuffle(shuffled)
    first, second = score_benchmark(results, bootstrap=FEW), score_benchmark(shuffled, bootstrap=FEW)
    for name in FIGURES:
        one, two = first.figures[name], second.figures[name]
        for field in ("value", "low", "high"):
            left, right = getattr(one, field), getattr(two, field)
            assert left == (None if right is None else pytest.approx(right, rel=1e-12))


def test_interval_is_seeded():
    many = [correct(str(i), 1 + i / 7) for i in range(12)]
    first, again = score_benchmark(many, bootstrap=FEW), score_benchmark(many, bootstrap=FEW)
    other = score_benchmark(many, bootstrap=replace(FEW, seed=8))
    assert first.figures == again.figures
    assert first.figures["AS_mean"].low != other.figures["AS_mean"].low


def test_interval_contains_the_value_and_narrows_with_more_tasks():
    def width(tasks):
        figure = score_benchmark([correct(str(i), 1 + (i % 4)) for i in range(tasks)]).figures["AS_mean"]
        assert figure.low < figure.value < figure.high
        return figure.high - figure.low

    assert width(160) < width(10) / 2


def test_interval_of_a_mean_agrees_with_the_normal_approximation():
    tasks = [correct(f"{i:03}", 1 + (i % 10) / 10) for i in range(100)]
    figure = score_benchmark(tasks, bootstrap=Bootstrap(resamples=4000, seed=1)).figures["AS_mean"]
    error = 1.96 * math.sqrt(sum((i / 10 - 0.45) ** 2 for i in range(10)) / 10 / 100)
    assert figure.high - figure.value == pytest.approx(error, rel=0.1)
    assert figure.value - figure.low == pytest.approx(error, rel=0.1)


def test_missing_figures_are_none():
    alone = score_benchmark([correct("only", 2.0)], bootstrap=FEW).figures["AS_mean"]
    assert (alone.value, alone.low, alone.high) == (pytest.approx(2.0), None, None)
    wrong = [GraphResult("g", Outcome.NO_MATCH, task=task) for task in "ab"]
    assert score_benchmark(wrong, bootstrap=FEW).figures["speedup_gmean"].value is None
    assert score_benchmark(wrong, bootstrap=FEW).figures["subgraph_correct"].value == 0.0


def test_accuracy_graphs_are_not_correct():
    results = [GraphResult("g", Outcome.ACCURACY, 9.0, -4, task="a"), correct("a", 1.0)]
    figures = score_benchmark(results, bootstrap=FEW).figures
    assert figures["subgraph_correct"].value == 0.5
    assert figures["speedup_gmean"].value == pytest.approx(1.0)
    assert figures["fast_1"].value == 0.5


def test_reference_errors_can_be_kept():
    kept = score_benchmark(sample(), ScoreParams(keep_reference_errors=True), FEW)
    assert list(kept.tasks) == ["a", "b", "c", "d"]
    assert kept.figures["subgraph_correct"].value == pytest.approx(4 / 6)


@pytest.mark.parametrize("results", [[], [GraphResult("g", Outcome.UNSTABLE)]])
def test_nothing_to_score_is_an_error(results):
    with pytest.raises(ScoreError, match="no figures"):
        score_benchmark(results)


@pytest.mark.parametrize("bad", [{"resamples": 0}, {"level": 0.0}, {"level": 1.0}])
def test_bad_bootstrap(bad):
    with pytest.raises(ScoreError):
        Bootstrap(**bad)


@pytest.mark.parametrize("speedup", [1.7e308, 5e-324, 1e-301])
def test_a_speedup_with_which_sums_overflow_is_refused(speedup):
    with pytest.raises(ScoreError, match="impossible speedup"):
        correct("a", speedup)


@pytest.mark.parametrize("params", [ScoreParams(), ScoreParams(b=5e-324, p=1e6, weights={-5: 1e100, 4: 1e100})])
def test_the_largest_and_smallest_numbers_have_a_score(params):
    results = [correct(task, speedup) for task in "abc" for speedup in (1e300, 1e-300)]
    figures = score_benchmark([*results, GraphResult("g", Outcome.NO_MATCH, task="d")], params, FEW).figures
    assert all(figure.value is not None and math.isfinite(figure.value) for figure in figures.values())
    assert score_document(results, params)["graphs"] == len(results)


def test_many_tasks_have_fewer_resamples_and_few_tasks_the_usual_number():
    assert [Bootstrap.for_tasks(tasks).resamples for tasks in (1, 2_000, 8_000, 10**6)] == [2_000, 2_000, 500, 100]
    results = [GraphResult("g", Outcome.CORRECT, 1.2, -6, task=str(task)) for task in range(3)]
    assert score_benchmark(results).bootstrap == Bootstrap()


def test_geometric_means_weigh_graphs_and_resample_tasks():
    graphs = [("a", {"x": 2.0, "y": 3.0}), ("b", {"x": 0.5}), ("a", {"x": 2.0}), ("c", {"x": 0.5, "z": 4.0})]
    found = geometric_means([*graphs, ("d", {"z": 1.0})], FEW)
    assert found["x"].value == pytest.approx(1.0)
    assert found["x"].low == pytest.approx(0.5) and found["x"].high > 1.0
    # Only task a has y, and its resampling would say nothing of other tasks.
    assert (found["y"].value, found["y"].low, found["y"].high) == (pytest.approx(3.0), None, None)
    assert (found["z"].value, found["z"].low, found["z"].high) == pytest.approx((2.0, 1.0, 4.0))
    assert geometric_means([*graphs, ("d", {"z": 1.0})], FEW) == found


@given(st.lists(st.tuples(TASKS, st.floats(0.01, 100.0)), min_size=1, max_size=12))
@settings(deadline=None)
def test_a_geometric_mean_is_that_of_the_benchmark(values):
    """Every task has a right graph, so both resample the same."""
    benchmark = score_benchmark([correct(task, speedup) for task, speedup in values], bootstrap=FEW)
    expected = benchmark.figures["speedup_gmean"]
    found = geometric_means([(task, {"speedup": speedup}) for task, speedup in values], FEW)["speedup"]
    assert found.value == pytest.approx(expected.value, rel=1e-9)
    if len(benchmark.tasks) == 1:
        assert (found.low, found.high) == (None, None) == (expected.low, expected.high)
    else:
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_there_is_no_mean_of_nothing():
    assert geometric_means([]) == {}
    assert geometric_means([("a", {})]) == {}
