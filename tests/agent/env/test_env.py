"""An episode: what counts as best, when it ends, what is recorded, and that it can be taken up from its records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from passnet.agent.authors.replay import ReplayAuthor
from passnet.agent.env.env import EpisodeOver, PassEnv
from passnet.agent.record.budget import Budget, Usage
from passnet.agent.record.names import ExitReason
from passnet.agent.record.observation import TEXT_LIMIT
from passnet.agent.record.records import EpisodeRecord, EpisodeStep, Message, parse
from passnet.errors import InfrastructureError, UsageError
from tests.agent.agent_helpers import (
    EPISODE,
    MANIFEST,
    Clock,
    FakeWorkbench,
    actions_file,
    rule,
    substance,
    task_copy,
    trying,
)

Make = Callable[..., PassEnv]


def put(env: PassEnv, speed: float | str) -> None:
    env.create("A.py", rule(speed))
    env.create(MANIFEST, '["A"]')


def play(env: PassEnv, actions: list) -> None:
    ReplayAuthor(actions).play(env)


def test_a_call_before_the_reset_says_what_is_missing(make_env: Make) -> None:
    for call in (lambda env: env.check(), lambda env: env.call("view", {}), lambda env: env.call("nothing", {})):
        with pytest.raises(UsageError, match=r"call reset\(task\) first"):
            call(make_env())


# --- what counts -------------------------------------------------------------------------------------------------


def test_the_best_set_is_kept_and_submitted_whatever_came_after_it(make_env: Make, task: Path) -> None:
    env = make_env()
    env.reset(task)
    assert env.reward() == 0.0
    for speed in (0.5, 2.0, 1.5):
        put(env, speed)
        assert env.evaluate().score == pytest.approx(speed)
    assert env.reward() == pytest.approx(2.0)
    env.create("A.py", "def broken(")
    done = env.submit()
    assert done.done
    assert "changes made after it are dropped" in done.text
    assert env.state.exit_reason is ExitReason.SUBMITTED
    assert env.files()["A.py"] == rule(2.0)
    assert (env.state.directory / "passes" / "A.py").read_text() == rule(2.0)


def test_the_set_of_another_step_is_submitted_and_the_records_lead_there_again(make_env: Make, task: Path) -> None:
    env = make_env()
    env.reset(task)
    steps = {}
    for speed in (0.5, 2.0):
        put(env, speed)
        env.evaluate()
        steps[speed] = env.used.steps
    refused = env.submit(1)
    assert not refused.ok and f"these did: {steps[0.5]}, {steps[2.0]}" in refused.text
    assert not env.done and env.reward() == pytest.approx(2.0)
    assert env.submit(steps[0.5]).data == {"best_step": steps[0.5], "AS": pytest.approx(0.5)}
    assert env.reward() == pytest.approx(0.5)
    assert env.files()["A.py"] == (env.state.directory / "passes" / "A.py").read_text() == rule(0.5)

    other = make_env()
    other.restore(task, env.save())
    assert other.done and other.files() == env.files() and other.reward() == env.reward()


def test_the_best_is_on_disk_before_the_episode_ends(make_env: Make, task: Path) -> None:
    env = make_env()
    env.reset(task)
    put(env, 2.0)
    env.evaluate()
    put(env, 1.0)
    env.evaluate()
    assert (env.state.directory / "passes" / "A.py").read_text() == rule(2.0)


@pytest.mark.parametrize("options", [{"quick": True}, {"graphs": "1"}, {"graphs": "1", "quick": True}])
def test_partial_looks_have_no_score(make_env: Make, task: Path, options: dict) -> None:
    env = make_env()
    env.reset(task)
    put(env, 9.0)
    seen = env.evaluate(**options)
    assert seen.score is None
    assert seen.data["partial"]
    assert len(seen.data["graphs"]) == (1 if "graphs" in options else 2)
    assert env.best is None
    assert not env.submit().ok
    assert not env.done


def test_the_same_bytes_are_measured_once(make_env: Make, task: Path) -> None:
    bench = FakeWorkbench()
    bench.noise = 1.0
    env = make_env(workbench=bench, budget=Budget(evaluations=5))
    env.reset(task)
    put(env, 1.0)
    first, second = env.evaluate(), env.evaluate()
    assert (first.score, second.score) == (pytest.approx(1.0), pytest.approx(1.0))
    assert second.data["repeated"]
    assert env.used.evaluations == 1


def test_an_equal_score_does_not_take_the_place_of_the_first(make_env: Make, task: Path) -> None:
    env = make_env()
    env.reset(task)
    put(env, 1.5)
    env.evaluate()
    env.create("A.py", rule(1.5) + "# other bytes\n")
    assert env.evaluate().data["best"] is False
    assert env.best is not None
    assert env.best.step == 3


def test_failures_have_a_score_and_what_to_fix_first(make_env: Make, task: Path) -> None:
    env = make_env()
    env.reset(task)
    put(env, "runtime_error")
    seen = env.evaluate()
    assert seen.ok
    assert seen.score is not None
    assert seen.score < 0.2
    assert "fix first: runtime_error on 0 (float32/0), 1 (float32/1): runtime_error it is" in seen.text


def test_nothing_that_counts_is_no_score(make_env: Make, task: Path) -> None:
    env = make_env()
    env.reset(task)
    put(env, "unstable")
    seen = env.evaluate()
    assert seen.score is None
    assert env.best is None


# --- what goes wrong ---------------------------------------------------------------------------------------------


def test_malformed_calls_are_steps_that_say_what_was_wrong(make_env: Make, task: Path) -> None:
    env = make_env()
    env.reset(task)
    unknown = env.call("nonsense", {"a": 1})
    assert not unknown.ok
    assert "no tool 'nonsense'; there are: view, create" in unknown.text
    bad = env.call("create", '{"path": "A.py"')
    assert "not JSON" in bad.text
    silent = env.malformed("", "answer with one tool call", raw="I think that ...")
    assert silent.text == "answer with one tool call"
    steps = [record for record in env.records if isinstance(record, EpisodeStep)]
    assert [step.malformed for step in steps] == ['{"a": 1}', '{"path": "A.py"', "I think that ..."]
    assert env.used.steps == 3


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda env: env.view("B.py"), "no file 'B.py'; there are: A.py"),
        (lambda env: env.str_replace("A.py", "zz", "y"), "the piece occurs 0 times"),
        (lambda env: env.str_replace("A.py", "return ", "y"), "the piece occurs 3 times"),
        (lambda env: env.str_replace("A.py", "", "y"), "is empty"),
        (lambda env: env.insert("A.py", 99, "y"), "line must be between"),
        (lambda env: env.profile("7"), "no variant '7'; give a number from 0 to 1"),
        (lambda env: env.evaluate(graphs="0,float99"), "no variant 'float99'"),
        (lambda env: env.create("../A.py", ""), "leaves the pass directory"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    make_env: Make, task: Path, call: Callable, words: str
) -> None:
    env = make_env()
    env.reset(task)
    env.create("A.py", rule(1))
    before = env.files()
    seen = call(env)
    assert not seen.ok
    assert words in seen.text
    assert env.files() == before


def test_errors_do_not_tell_where_the_run_lies(make_env: Make, task: Path) -> None:
    env = make_env()
    env.reset(task)
    env.create("A.py", "x = 1\n")
    seen = env.evaluate()
    assert not seen.ok
    assert "no manifest" in seen.text
    assert str(env.state.directory) not in seen.text


def test_edits_tell_of_syntax_errors_at_once(make_env: Make, task: Path) -> None:
    env = make_env()
    env.reset(task)
    assert "but line 2: " in env.create("A.py", "x = 1\ndef f(:\n").text
    assert "but" in env.create(MANIFEST, "[").text
    assert "but" not in env.create("notes.md", "def f(:").text


def test_texts_are_bounded_and_say_what_is_missing(make_env: Make, task: Path) -> None:
    env = make_env()
    env.reset(task)
    env.create("A.py", "x = 1\n" * 9000)
    seen = env.view("A.py")
    assert len(seen.text) <= TEXT_LIMIT
    assert "characters left out" in seen.text


def test_the_task_of_the_user_is_only_read(make_env: Make, tmp_path: Path) -> None:
    path = task_copy(tmp_path)
    (path / "pass_dir" / "A.py").write_text("the user's own")
    before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
    env = make_env()
    env.reset(path)
    assert env.files() == {}
    play(env, EPISODE)
    assert {file: file.read_bytes() for file in path.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize("what", ["graphs", "missing"])
def test_a_task_without_graphs_is_an_error_of_the_user(make_env: Make, tmp_path: Path, what: str) -> None:
    path = tmp_path / "task"
    path.mkdir()
    if what == "graphs":
        (path / "graph_list.txt").write_text("\n")
    with pytest.raises(UsageError):
        make_env().reset(path)


# --- when it ends ------------------------------------------------------------------------------------------------


def test_an_endless_loop_ends_with_the_steps(make_env: Make, task: Path) -> None:
    env = make_env(budget=Budget(steps=6))
    env.reset(task)
    put(env, 1.5)
    env.evaluate()
    env.delete("A.py")
    seen = [env.view(), env.view()]
    assert [one.done for one in seen] == [False, True]
    assert env.state.exit_reason is ExitReason.STEPS
    assert env.files()["A.py"] == rule(1.5)
    with pytest.raises(EpisodeOver, match="steps_exhausted"):
        env.view()
    assert env.used.steps == 6


def test_evaluations_tokens_cost_and_time_are_limits(make_env: Make, task: Path, clock: Clock) -> None:
    env = make_env(budget=Budget(evaluations=1))
    env.reset(task)
    put(env, 1.5)
    assert env.evaluate(quick=True).done
    assert env.state.exit_reason is ExitReason.EVALUATIONS

    env = make_env(budget=Budget(tokens=100))
    env.reset(task)
    env.message("assistant", "I look", Usage(prompt_tokens=90, completion_tokens=9))
    assert not env.view().done
    env.message("assistant", "again", Usage(prompt_tokens=1))
    with pytest.raises(EpisodeOver, match="tokens_exhausted"):
        env.view()

    env = make_env(budget=Budget(cost_usd=0.5))
    env.reset(task)
    env.message("assistant", "dear", Usage(cost_usd=0.5))
    with pytest.raises(EpisodeOver, match="cost_exhausted"):
        env.view()

    env = make_env(budget=Budget(wall_s=10))
    env.reset(task)
    clock.now += 9
    assert not env.view().done
    clock.now += 1
    with pytest.raises(EpisodeOver, match="time_exhausted"):
        env.view()


def test_zero_is_no_limit(make_env: Make, task: Path) -> None:
    env = make_env(budget=Budget(steps=0))
    env.reset(task)
    assert not any(env.view().done for _ in range(200))


def test_submit_is_refused_before_anything_was_evaluated(make_env: Make, task: Path) -> None:
    env = make_env()
    env.reset(task)
    seen = env.submit()
    assert not seen.ok
    assert "call evaluate" in seen.text
    assert not env.done


def test_a_machine_that_fails_is_no_step(make_env: Make, task: Path) -> None:
    bench = FakeWorkbench()
    env = make_env(workbench=bench)
    env.reset(task)
    put(env, 1.5)
    bench.fails = InfrastructureError("the device is gone")
    with pytest.raises(InfrastructureError):
        env.evaluate()
    assert env.used.steps == 2
    assert not env.done
    bench.fails = None
    assert env.evaluate().score == pytest.approx(1.5)


def test_a_reset_begins_anew(make_env: Make, task: Path) -> None:
    env = make_env(budget=Budget(steps=4))
    env.reset(task)
    put(env, 1.5)
    env.evaluate()
    env.view()
    assert env.done
    env.reset(task, {"B.py": "x = 1\n"})
    assert not env.done
    assert env.best is None
    assert env.used.steps == 0
    assert env.files() == {"B.py": "x = 1\n"}
    assert env.view("B.py").ok


# --- records -----------------------------------------------------------------------------------------------------


def test_every_record_is_given_away_before_the_call_returns(make_env: Make, task: Path) -> None:
    seen: list[EpisodeRecord] = []
    env = make_env(sink=seen.append)
    env.reset(task)
    assert [record.kind for record in seen] == ["start"]
    env.view()
    assert [record.kind for record in seen] == ["start", "step"]
    env.message("assistant", "hm", Usage(prompt_tokens=3))
    assert isinstance(seen[-1], Message)
    assert seen[-1].used.tokens == 3
    assert [parse(record.model_dump_json()) for record in seen] == seen


@pytest.mark.parametrize("cut", range(1, len(EPISODE) + 2))
def test_an_episode_is_taken_up_from_its_records_at_any_step(
    make_env: Make, task: Path, tmp_path: Path, cut: int
) -> None:
    """Whole in one go, or stopped after any record and taken up by another environment: the same records."""
    whole = make_env(budget=Budget(steps=0))
    whole.reset(task)
    author = ReplayAuthor.from_file(actions_file(tmp_path / "actions.json", EPISODE))
    author.play(whole)
    assert whole.state.exit_reason is ExitReason.SUBMITTED
    saved = whole.save()[:cut]

    bench = FakeWorkbench()
    other = make_env(workbench=bench, budget=Budget(steps=0))
    other.restore(task, saved)
    assert bench.asked == []  # what was measured is not measured again
    if not other.done:
        author.play(other)
    assert substance(other.records) == substance(whole.records)
    assert other.files() == whole.files()
    assert other.best == whole.best
    assert (other.state.exit_reason, other.used.steps) == (whole.state.exit_reason, whole.used.steps)


def test_time_goes_on_where_it_was_saved(make_env: Make, task: Path, clock: Clock) -> None:
    env = make_env(budget=Budget(wall_s=10))
    env.reset(task)
    clock.now += 8
    env.view()
    other = make_env()
    clock.now += 1000
    other.restore(task, env.save())
    assert other.budget == env.budget
    assert not other.view().done
    clock.now += 3
    with pytest.raises(EpisodeOver):
        other.view()


def test_records_of_another_task_are_refused(make_env: Make, task: Path, tmp_path: Path) -> None:
    env = make_env()
    env.reset(task)
    with pytest.raises(UsageError, match="not of this task"):
        make_env().restore(task_copy(tmp_path, "gpt2_gelu_new"), env.save())


def test_records_that_lead_elsewhere_are_refused(make_env: Make, task: Path) -> None:
    env = make_env()
    env.reset(task)
    play(env, trying(1.5))
    records = env.save()
    with pytest.raises(UsageError, match="line 2: number of the step; expected 1, found 2"):
        make_env().restore(task, [records[0], *records[2:]])
    other = records[1].model_copy(update={"arguments": {"path": "A.py", "text": "x = 1\n"}})
    with pytest.raises(UsageError, match="line 2: hash of the files"):
        make_env().restore(task, [records[0], other, *records[2:]])
