"""What a reward is: AS of the records, with no number where the machine failed."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from passnet.bench.engine.engine import GraphRecorded, Unjudged
from passnet.bench.evaluate import score_task
from passnet.bench.record.records import GraphRecord, Timing
from passnet.errors import UsageError
from passnet.graph.targets import find_targets
from passnet.rewards.definition import NoReward, reward_of, unreadable
from passnet.rewards.reading import check_texts
from passnet.rewards.request import RewardJob
from passnet.rewards.session import RewardSession
from passnet.score import OUTCOME_RULES, Outcome, Owner
from tests.bench.conftest import SHORT

TASKS = Path(__file__).parents[2] / "data" / "tasks"

FAILURES = [o for o, rule in OUTCOME_RULES.items() if rule.owner is Owner.CANDIDATE and o is not Outcome.CORRECT]
FINDING = {"class": "kept_state", "layer": "guard", "evidence": "x"}


def record(outcome: Outcome, speedup: float = 1.0, graph: str = "g") -> GraphRecord:
    right = outcome is Outcome.CORRECT
    timing = Timing(
        speedup=speedup, speedup_ci=(speedup / 1.1, speedup * 1.1), eager_us=1.0, compiled_us=1.0, control_ratio=1.0,
        processes=(),
    )  # fmt: skip
    return GraphRecord(
        task="t", graph=graph, graph_hash="", pass_set_hash="", protocol_hash="", compiler="passes", device="cpu",
        outcome=outcome, correct_at=-5 if right else None, timing=timing if right else None,
        findings=(FINDING,) if outcome is Outcome.INTEGRITY else (),
    )  # fmt: skip


def test_the_reward_is_the_score_of_the_task():
    records = [record(Outcome.CORRECT, 2.0, "a"), record(Outcome.CORRECT, 8.0, "b")]
    found = reward_of(records, 1.5)
    assert found.reward == score_task("t", records).aggregated
    assert (found.outcome, found.seconds, len(found.graphs)) == (Outcome.CORRECT, 1.5, 2)
    assert found.speedup == pytest.approx(4.0)
    half = math.log(1.1) / math.sqrt(2)
    assert found.ci == pytest.approx((4.0 * math.exp(-half), 4.0 * math.exp(half)))


@pytest.mark.parametrize("outcome", FAILURES)
def test_every_failure_of_a_pass_is_far_below_doing_nothing(outcome):
    found = reward_of([record(outcome)], 0.0)
    assert found.outcome is outcome
    assert 0.1 <= found.reward + 1e-9 < 0.15
    assert found.reward < reward_of([record(Outcome.CORRECT)], 0.0).reward


@pytest.mark.parametrize(
    ("passes", "words"),
    [
        (None, "are no passes; expected names of files with texts, or a path, found NoneType"),
        (["A.py"], "found list"),
        ({"A.py": None}, "passes, A.py: is no text; expected the text of the file, found NoneType"),
        ({3: "x"}, "is not the name of a pass file"),
    ],
)
def test_what_no_trainer_may_give_for_passes(passes, words):
    with pytest.raises(UsageError, match=words):
        check_texts(passes)


def test_a_session_knows_bundled_tasks_by_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with RewardSession() as session:
        assert [job.task for job in session.prepare("bloom_gelu", TASKS / "bloom_gelu" / "pass_dir").jobs][:1] == [
            "bloom_gelu"
        ]


def test_cheating_is_the_worst_of_a_task():
    found = reward_of([record(Outcome.TIMEOUT), record(Outcome.CORRECT, 3.0), record(Outcome.INTEGRITY)], 0.0)
    assert found.outcome is Outcome.INTEGRITY
    assert [finding.exploit for finding in found.findings] == ["kept_state"]


def test_what_cannot_be_read_earns_nothing():
    assert unreadable("no manifest").reward == 0.0


@pytest.mark.parametrize("outcome", [Outcome.UNSTABLE, Outcome.REFERENCE_ERROR, Outcome.OUT_OF_MEMORY])
def test_no_graph_says_anything_of_the_pass(outcome):
    with pytest.raises(NoReward, match=outcome.value):
        reward_of([record(outcome)], 0.0)


def test_one_graph_that_the_machine_lost_is_no_reward():
    with pytest.raises(NoReward):
        reward_of([record(Outcome.CORRECT, 9.0), record(Outcome.INFRASTRUCTURE)], 0.0)


def taken(outcome: Outcome, failure: bool) -> RewardJob:
    """A job of which the first graph was judged. The machine fails at the others, or they are right."""
    (target,) = find_targets([TASKS / "bloom_gelu"])
    job = RewardJob.prepare("1", target, TASKS / "bloom_gelu" / "pass_dir", "cpu", SHORT)
    first, *others = (each.name for each in job.jobs)
    assert others
    job.take(GraphRecorded("1", record(outcome, graph=first)))
    for graph in others:
        job.take(
            Unjudged("1", target.name, graph, "the process is gone")
            if failure
            else GraphRecorded("1", record(Outcome.CORRECT, 2.0, graph))
        )
    return job


def test_who_was_found_does_not_escape_by_a_failing_machine():
    """A machine that fails may be the next trick. No reward would be better than the reward of a cheat."""
    found = taken(Outcome.INTEGRITY, failure=True).reward()
    assert found.outcome is Outcome.INTEGRITY
    assert found.reward == reward_of([record(Outcome.INTEGRITY)], 0.0).reward
    assert {graph.outcome for graph in found.graphs} == {Outcome.INTEGRITY}


def test_a_failing_machine_is_no_reward_for_who_was_not_found():
    for outcome in (Outcome.CORRECT, Outcome.ACCURACY):
        with pytest.raises(NoReward, match="the process is gone"):
            taken(outcome, failure=True).reward()
    assert taken(Outcome.CORRECT, failure=False).reward().outcome is Outcome.CORRECT
