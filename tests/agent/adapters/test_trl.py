"""The TRL environment: its tools as chat templates see them, its rewards, and one step of the real GRPOTrainer."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

from passnet.agent.adapters.rollouts import Rollouts, RolloutSettings
from passnet.agent.adapters.trl import PassEnvironment, environment_factory, train_dataset
from passnet.agent.env.env import TOOLS
from passnet.agent.record.journal import read_episode
from passnet.agent.record.records import End
from passnet.bench.record.records import GraphRecord
from passnet.errors import InfrastructureError, UsageError
from passnet.score import Outcome
from tests.agent.agent_helpers import MANIFEST, FakeWorkbench, rule, task_copy
from tests.job_fields import identity


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return task_copy(tmp_path)


@pytest.fixture
def bench() -> FakeWorkbench:
    return FakeWorkbench()


@pytest.fixture
def env(tmp_path: Path, task: Path, bench: FakeWorkbench) -> PassEnvironment:
    make = environment_factory(RolloutSettings(records=tmp_path / "records", steps=9), lambda *_: bench)
    env = make()
    env.reset(task=str(task), prompt=[])
    return env


def write(env: Any, speed: float) -> None:
    env.create(path="A.py", text=rule(speed))
    env.create(path=MANIFEST, text='["A"]')


def test_reset_tells_the_task_and_the_reward_is_the_best_measured(env: Any, task: Path) -> None:
    assert "Task bloom_gelu on cpu" in env.reset(task=str(task))
    assert env.get_reward() == 0.0
    env.reset(task=str(task))
    for speed in (1.5, 0.5):
        write(env, speed)
        assert "AS" in env.evaluate()
    env.submit()
    assert 1.0 < env.get_reward() <= 1.5
    assert env.get_reward() == env.get_reward()
    assert "over" in env.view()


def test_the_best_of_several_is_measured_once_more_and_one_alone_is_not(
    env: Any, task: Path, bench: FakeWorkbench, tmp_path: Path
) -> None:
    """Otherwise whoever evaluates many sets that are alike is paid for the noise of the best figure."""
    bench.noise = -0.25
    write(env, 1.5)
    env.evaluate()
    first = env.get_reward()
    assert bench.asked.count("evaluate") == 1
    env.reset(task=str(task))
    for speed in (1.75, 1.5001):
        write(env, speed)
        env.evaluate()
    env.submit()
    assert env.get_reward() == pytest.approx(first, rel=1e-2), "1.75 was luck: it is 1.5 when it is measured again"
    end = read_episode(next(tmp_path.glob("records/*/rollout-00002/episode.jsonl")))[-1]
    assert isinstance(end, End) and end.confirmed is not None
    assert end.score == env.get_reward() and end.best_score == pytest.approx(1.75, rel=0.1)


def test_a_best_set_that_cannot_be_measured_again_is_worth_no_figure(env: Any, bench: FakeWorkbench) -> None:
    for speed in (1.5, 1.6):
        write(env, speed)
        env.evaluate()
    bench.fails = InfrastructureError("the device is lost")
    with pytest.raises(InfrastructureError, match="no reward: the device is lost"):
        env.get_reward()


def test_what_a_model_gets_wrong_is_an_answer_and_a_step(env: Any, tmp_path: Path) -> None:
    assert "bad arguments of create" in env.create(path=1, words="x")
    assert "no file" in env.view(path="B.py")
    env.get_reward()
    (file,) = tmp_path.glob("records/*/rollout-00001/episode.jsonl")
    records = read_episode(file)
    assert [getattr(record, "malformed", None) is not None for record in records[1:3]] == [True, False]
    assert isinstance(records[-1], End)


def test_a_broken_bench_gives_no_reward(env: Any, bench: FakeWorkbench) -> None:
    write(env, 1.5)
    env.evaluate()
    bench.fails = InfrastructureError("the device is lost")
    write(env, 1.6)
    with pytest.raises(InfrastructureError):
        env.evaluate()
    with pytest.raises(InfrastructureError, match="no reward: the device is lost"):
        env.get_reward()


def test_the_tools_are_the_public_methods() -> None:
    public = {name for name, _ in inspect.getmembers(PassEnvironment, inspect.isfunction) if not name.startswith("_")}
    assert public == set(TOOLS) | {"reset", "get_reward"}


def test_chat_templates_see_the_same_tools(env: Any) -> None:
    utils = pytest.importorskip("transformers.utils", reason="needs transformers, the extra `models`")
    for name, tool in TOOLS.items():
        shown = utils.get_json_schema(getattr(env, name))["function"]
        ours = tool.schema["function"]
        assert shown["name"] == name
        assert ours["description"].split()[:8] == shown["description"].split()[:8]
        properties = shown["parameters"]["properties"]
        assert set(properties) == set(ours["parameters"]["properties"])
        assert sorted(shown["parameters"].get("required", [])) == sorted(ours["parameters"].get("required", []))
        for key, row in ours["parameters"]["properties"].items():
            assert properties[key]["type"] == row["type"]
            assert properties[key]["description"].split()[:5] == row["description"].split()[:5]


def test_a_dataset_has_a_row_for_each_task(tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="needs datasets, the extra `trl`")
    tasks = [task_copy(tmp_path / "tasks", name) for name in ("bloom_gelu", "gpt2_gelu_new")]
    rows = train_dataset(tmp_path / "tasks")
    assert [row["task"] for row in rows] == [str(task) for task in tasks]
    assert [message["role"] for message in rows[0]["prompt"]] == ["system", "user"]
    with pytest.raises(UsageError, match="no such directory"):
        train_dataset(tmp_path / "nowhere")


def test_a_rollout_that_nobody_ends_is_settled_at_another_measurement(
    task: Path, bench: FakeWorkbench, tmp_path: Path
) -> None:
    """A tool server of verifiers is not told that a model has no more turns: what it reports is what is paid."""
    bench.noise = -0.25
    rollouts = Rollouts(RolloutSettings(records=tmp_path / "settled"), "verifiers", lambda *_: bench)
    rollout = rollouts.begin(task)

    def tried(speed: float) -> float:
        rollout.call("create", {"path": "A.py", "text": rule(speed)})
        rollout.call("create", {"path": MANIFEST, "text": '["A"]'})
        rollout.call("evaluate", {})
        rollout.settle()
        return rollout.score

    alone = tried(1.5)
    assert bench.asked.count("evaluate") == 1 and alone == rollout.env.reward()
    assert tried(1.75) == pytest.approx(alone, rel=1e-2), "1.75 was luck: it is 1.5 when it is measured again"
    assert rollout.env.reward() > rollout.score
    asked = bench.asked.count("evaluate")
    assert asked == 3
    rollout.settle()
    rollout.close()
    assert bench.asked.count("evaluate") == asked, "a set is measured again once"
    assert rollout.reward() == pytest.approx(alone, rel=1e-2)


def test_who_chooses_by_looks_is_paid_for_another_measurement(env: Any, task: Path, bench: FakeWorkbench) -> None:
    """A look at some variants is kept for the full evaluation, so a set that had a lucky look was chosen by it."""
    bench.noise = -0.25
    for speed in (1.6, 1.75):
        write(env, speed)
        env.evaluate(graphs="0")
    env.evaluate()
    assert env.get_reward() < 1.6, "1.75 was luck: it is 1.5 when it is measured again"
    env.reset(task=str(task))
    for speed in (1.61, 1.76):
        write(env, speed)
        env.evaluate(quick=True)
    bench.noise = 0.0
    env.evaluate()
    asked = bench.asked.count("evaluate")
    assert env.get_reward() > 1.6 and bench.asked.count("evaluate") == asked, "no figure of a quick look is kept"


def test_a_figure_from_before_the_rollout_is_measured_once_more(env: Any, task: Path, bench: FakeWorkbench) -> None:
    """Otherwise texts that were lucky once are paid for it in every later rollout of the process."""
    bench.noise = -0.25
    for text in (1.74, 1.75):
        write(env, text)
        env.evaluate()
    env.get_reward()
    for graphs in ("", "0"):
        bench.kept.clear()
        env.reset(task=str(task))
        write(env, 1.74)
        env.evaluate(graphs=graphs)
        env.reset(task=str(task))
        write(env, 1.74)
        asked = bench.asked.count("evaluate")
        env.evaluate()
        env.get_reward()
        assert bench.asked.count("evaluate") == asked + 2


def test_where_the_machine_cannot_tell_at_the_last_measurement_there_is_no_reward(
    env: Any, bench: FakeWorkbench, tmp_path: Path
) -> None:
    for speed in (1.5, 1.6):
        write(env, speed)
        env.evaluate()
    record = bench._record
    unsteady = {"outcome": Outcome.UNSTABLE, "detail": "too wide"}
    bench._record = lambda job, *_: GraphRecord(**identity(job, bench.rules), **unsteady)  # type: ignore[method-assign]
    with pytest.raises(InfrastructureError, match="could not tell when the best pass set was measured once more"):
        env.get_reward()
    bench._record = record  # type: ignore[method-assign]
    end = read_episode(next(tmp_path.glob("records/*/rollout-00001/episode.jsonl")))[-1]
    assert isinstance(end, End) and end.confirmed is not None
    assert (end.confirmed.score, end.score) == (None, None) and end.best_score is not None


def test_a_rollout_that_cannot_be_settled_has_no_reward(task: Path, bench: FakeWorkbench, tmp_path: Path) -> None:
    rollout = Rollouts(RolloutSettings(records=tmp_path / "settled"), "verifiers", lambda *_: bench).begin(task)
    for speed in (1.5, 1.6):
        rollout.call("create", {"path": "A.py", "text": rule(speed)})
        rollout.call("create", {"path": MANIFEST, "text": '["A"]'})
        rollout.call("evaluate", {})
    bench.fails = InfrastructureError("the device is lost")
    rollout.settle()
    assert rollout.failure == "the device is lost" and rollout.score == 0.0
    with pytest.raises(InfrastructureError, match="no reward: the device is lost"):
        rollout.reward()
