"""Hypothesis strategies for results and settings."""

from __future__ import annotations

from hypothesis import strategies as st

from passnet.score import OUTCOME_RULES, GraphResult, Interpretation, Outcome, Owner, ScoreParams

SPEEDUPS = st.one_of(st.floats(0.5, 2.0), st.floats(1e-3, 1e3))
ANY_OUTCOME = st.sampled_from(list(Outcome))
CANDIDATE_OUTCOMES = st.sampled_from([o for o in Outcome if OUTCOME_RULES[o].owner is Owner.CANDIDATE])
ONE_TASK = st.just("")


@st.composite
def graph_results(draw, speedups=SPEEDUPS, outcomes=ANY_OUTCOME, tasks=ONE_TASK):
    outcome = draw(outcomes)
    correct_at = speedup = None
    if outcome is Outcome.CORRECT:
        correct_at, speedup = draw(st.integers(-10, -5)), draw(speedups)
    elif outcome is Outcome.ACCURACY:
        correct_at, speedup = draw(st.one_of(st.none(), st.integers(-4, 5))), draw(speedups)
    name = draw(st.sampled_from("abcdefgh"))
    return GraphResult(name, outcome, speedup, correct_at, task=draw(tasks))


def result_lists(min_size=1, max_size=12, **kwargs):
    kwargs.setdefault("outcomes", CANDIDATE_OUTCOMES)
    return st.lists(graph_results(**kwargs), min_size=min_size, max_size=max_size)


PARAMS = st.builds(
    ScoreParams,
    b=st.floats(0.001, 1.0),
    p=st.floats(0, 3),
    interpretation=st.sampled_from(list(Interpretation)),
)
