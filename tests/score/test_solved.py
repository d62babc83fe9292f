"""Ties are not solutions: the share of solved graphs, AS with the others floored, and AS itself untouched by both."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.score import (
    GraphResult,
    Outcome,
    ScoreError,
    ScoreParams,
    score_benchmark,
    score_document,
    score_results,
    solved_figures,
    solved_of,
)

FAST = GraphResult("fast", Outcome.CORRECT, 2.0, -10, task="a", solved=True)
TIE = GraphResult("tie", Outcome.CORRECT, 1.0, -10, task="a", solved=False)
FORGIVEN = GraphResult("crash", Outcome.RUNTIME_ERROR, task="b", solved=False)
UNSTEADY = GraphResult("unsteady", Outcome.UNSTABLE, task="b")
OLD = GraphResult("old", Outcome.CORRECT, 2.0, -10, task="b", unknown="the record is old")


def test_a_tie_is_worth_the_floor_at_every_level():
    assert score_results([TIE]).aggregated == pytest.approx(1.0)
    assert solved_of([TIE]).aggregated == pytest.approx(0.1)
    assert solved_of([TIE], ScoreParams(b=0.3)).aggregated == pytest.approx(0.3)


def test_the_share_is_of_the_graphs_that_count():
    found = solved_of([FAST, TIE, FORGIVEN, UNSTEADY])
    assert found.share == pytest.approx(1 / 3)
    assert found.aggregated == pytest.approx((2.0 * 0.1 * 0.1) ** (1 / 3))
    assert found.reason is None


def test_what_is_not_known_is_null_with_a_reason_and_never_zero():
    found = solved_of([FAST, OLD])
    assert (found.share, found.aggregated) == (None, None)
    assert found.reason == "1 of 2 graphs: the record is old"
    assert found.to_json() == {"solved": None, "AS_solved": None, "solved_reason": "1 of 2 graphs: the record is old"}
    assert solved_of([UNSTEADY]).reason == "no graph is left to score"
    assert {figure.value for figure in solved_figures([FAST, OLD]).values()} == {None}


def test_only_right_graphs_are_solved():
    with pytest.raises(ScoreError, match="solved but not right"):
        replace(FORGIVEN, solved=True)


def test_figures_over_tasks_have_intervals():
    other = replace(FAST, task="b")
    found = solved_figures([FAST, TIE, other])
    assert found["solved"].value == pytest.approx(2 / 3)
    assert found["solved"].low is not None and found["solved"].low <= 2 / 3
    assert found["AS_solved_gmean"].value == pytest.approx(((2.0 * 0.1) ** 0.5 * 2.0) ** 0.5)
    assert found["AS_solved_pooled"].value == pytest.approx((2.0 * 0.1 * 2.0) ** (1 / 3))


results = st.lists(
    st.builds(
        lambda speedup, level, solved, task: GraphResult(
            "g", Outcome.CORRECT, speedup, level, task=task, solved=solved
        ),
        st.floats(0.05, 20),
        st.integers(-10, -5),
        st.booleans(),
        st.sampled_from("ab"),
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.slow
@settings(deadline=None)
@given(results)
def test_the_score_does_not_know_of_solutions(rows):
    """AS, its curves and figures are the same whatever is said of solutions."""
    unsaid = [replace(row, solved=None) for row in rows]
    assert score_results(rows).log_aggregated == score_results(unsaid).log_aggregated
    assert score_benchmark(rows).figures == score_benchmark(unsaid).figures
    said, silent = score_document(rows), score_document(unsaid)
    assert {name: said[name] for name in ("AS", "ES", "S", "outcomes")} == {
        name: silent[name] for name in ("AS", "ES", "S", "outcomes")
    }


@given(results)
def test_flooring_never_raises_a_score_that_is_above_the_floor(rows):
    slow = any(not row.solved and row.speedup < 0.1 for row in rows)
    found = solved_of(rows)
    assert found.share == sum(row.solved for row in rows) / len(rows)
    assert slow or found.aggregated <= score_results(rows).aggregated * (1 + 1e-12)
    if all(row.solved for row in rows):
        assert found.aggregated == pytest.approx(score_results(rows).aggregated)
