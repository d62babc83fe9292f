"""What a client's calls come to: episodes begun, gone on with, ended; nothing lost and nothing done twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from passnet.agent.authors.replay import ReplayAuthor, actions_of
from passnet.agent.env.env import PassEnv
from passnet.agent.record.budget import Budget
from passnet.agent.record.records import End, EpisodeStep, Resume, Start
from passnet.agent.run.hand_over import RunStopped
from passnet.errors import InfrastructureError, UsageError
from passnet.mcp.calls import ClientCall, ClientCalls, ClientReply
from passnet.mcp.service import Service
from tests.agent.agent_helpers import FakeWorkbench, request_for, rule, substance, task_copy
from tests.mcp.mcp_helpers import EVALUATE, OPEN, SUBMIT, answered, episode, pass_dir, write


def test_an_episode_from_the_first_call_to_submit(serve: Callable, tmp_path: Path, bench: FakeWorkbench) -> None:
    calls = [OPEN, *write(0.5), EVALUATE, *write(1.5), EVALUATE, ("check", {}), SUBMIT, ("view", {}), OPEN]
    replies, found = serve(*calls)
    assert [reply.ok for reply in replies] == [True] * 8 + [True, False, True]
    assert replies[0].text.startswith("Task bloom_gelu on cpu")
    assert "submitted the pass set of step 6" in replies[-3].text
    assert "when measured once more" in replies[-3].text
    assert "is over (submitted)" in replies[-2].text
    assert found["tasks_done"] == 1
    assert found["AS"] > 1.0
    start, end = episode(tmp_path)[0], episode(tmp_path)[-1]
    assert isinstance(start, Start)
    assert start.author == "mcp:editor"
    assert isinstance(end, End)
    directory = tmp_path / "run" / "tasks" / "bloom_gelu"
    assert (directory / "passes" / "A.py").read_text() == rule(1.5)
    assert (directory / "attempt-0" / "trajectory.json").exists()
    assert (tmp_path / "run" / "messages.jsonl").read_text().count("\n") == 1
    assert bench.asked[-1] == "closed"


def test_what_was_recorded_can_be_played_again(serve: Callable, tmp_path: Path, task: Path) -> None:
    serve(*write(1.5), EVALUATE, ("view", {"paths": "x"}), ("nonsense", {}), SUBMIT)
    records = episode(tmp_path)
    env = PassEnv(FakeWorkbench(), tmp_path / "again", budget=Budget(steps=0))
    env.reset(task)
    ReplayAuthor(actions_of(records)).play(env)
    assert substance(env.records)[1:] == substance(records)[1:-1]


def test_wrong_calls_are_answered_and_recorded(serve: Callable, tmp_path: Path) -> None:
    replies, _ = serve(("nonsense", {"a": 1}), ("view", {"first": "x"}), ("open_task", {"tusk": 1}), SUBMIT)
    assert [reply.ok for reply in replies] == [False] * 4
    assert "no tool 'nonsense'" in replies[0].text
    assert "bad arguments of view: first" in replies[1].text
    assert "bad arguments of open_task" in replies[2].text
    assert "nothing to submit" in replies[3].text
    assert len([record for record in episode(tmp_path) if isinstance(record, EpisodeStep)]) == 3


def test_a_client_that_leaves_finds_everything_again(serve: Callable, tmp_path: Path, bench: FakeWorkbench) -> None:
    serve(*write(1.5), EVALUATE, *write(0.7))
    assert episode(tmp_path)[-1].exit_reason == "interrupted"
    assert (pass_dir(tmp_path).parent / "passes" / "A.py").read_text() == rule(1.5)
    replies, _ = serve(OPEN, ("view", {"path": "A.py"}), SUBMIT)
    assert "open, 5 steps, best AS" in replies[0].text
    assert "speed 0.7" in replies[1].text
    assert replies[2].ok
    assert bench.asked.count("evaluate") == 1
    assert sum(isinstance(record, Resume) for record in episode(tmp_path)) == 1
    replies, found = serve(OPEN)
    assert "is over (submitted)" in replies[0].text
    assert found["tasks_done"] == 1


def test_edits_by_other_hands_are_put_on_record(serve: Callable, tmp_path: Path) -> None:
    def edit() -> None:
        (pass_dir(tmp_path) / "A.py").write_text(rule(1.6))
        (pass_dir(tmp_path) / "notes.md").unlink()
        (pass_dir(tmp_path) / "helper.py").write_text("x = 1\n")

    replies, _ = serve(*write(1.5), ("create", {"path": "notes.md", "text": "x"}), edit, EVALUATE)
    assert "AS 1.6" in replies[-1].text or "AS 1.5" in replies[-1].text
    steps = [record for record in episode(tmp_path) if isinstance(record, EpisodeStep)]
    made = [(step.tool, step.arguments.get("path")) for step in steps[3:]]
    assert made == [("delete", "notes.md"), ("create", "A.py"), ("create", "helper.py"), ("evaluate", None)]
    (pass_dir(tmp_path) / "helper.py").write_text("x = 2\n")  # while no server runs
    replies, _ = serve(("view", {"path": "helper.py"}), SUBMIT)
    assert "x = 2" in replies[0].text
    assert replies[1].ok


def test_a_foreign_file_is_named_and_not_measured(serve: Callable, tmp_path: Path, bench: FakeWorkbench) -> None:
    foreign = pass_dir(tmp_path) / "run me.py"
    replies, _ = serve(
        *write(1.5), lambda: foreign.write_text("x"), EVALUATE, lambda: foreign.unlink(), EVALUATE
    )  # fmt: skip
    assert "'run me.py' is no name for a file here" in replies[2].text
    assert [reply.ok for reply in replies] == [True, True, False, True]
    assert bench.asked.count("evaluate") == 1


def test_limits_end_an_episode(serve: Callable, tmp_path: Path) -> None:
    replies, _ = serve(*write(1.5), ("view", {}), ("view", {}), budget=Budget(steps=3))
    assert "is over (steps_exhausted): no pass set was evaluated" in replies[2].text
    assert not replies[3].ok
    assert episode(tmp_path)[-1].exit_reason == "steps_exhausted"


def test_several_tasks_are_opened_by_name(serve: Callable, tmp_path: Path) -> None:
    task_copy(tmp_path / "tasks", "gpt2_gelu_new")
    first, second = ("open_task", {"task": "bloom_gelu"}), ("open_task", {"task": "gpt2_gelu_new"})
    calls = [
        ("view", {}), OPEN, ("tasks", {}), first, *write(1.5), EVALUATE, second, ("view", {}), ("tasks", {}),
        ("open_task", {"task": "bloom"}), first, SUBMIT, second, ("tasks", {}),
    ]  # fmt: skip
    replies, found = serve(*calls, path=tmp_path / "tasks")
    text = [reply.text for reply in replies]
    assert "no task is open" in text[0]
    assert "no task is open" in text[1]
    assert text[2].count("new") >= 2
    assert "Task gpt2_gelu_new on cpu" in text[7]
    assert text[8] == "the pass directory is empty"
    assert "open, 3 steps, best AS" in text[9]
    assert "no task 'bloom'; there are: bloom_gelu, gpt2_gelu_new" in text[10]
    assert "open, 3 steps, best AS" in text[11]
    assert "is over (submitted)" in text[12]
    assert "open, 1 steps, nothing evaluated" in text[14]
    assert [reply.ok for reply in replies].count(False) == 3
    assert (found["tasks_done"], found["tasks_total"]) == (1, 2)


def test_nobody_who_asks_means_no_run(serve: Callable, tmp_path: Path) -> None:
    assert serve() == ([], None)
    assert not (tmp_path / "run").exists()


def test_other_settings_under_the_same_name_are_refused(serve: Callable) -> None:
    serve(OPEN)
    with pytest.raises(UsageError, match="budget"):
        serve(OPEN, budget=Budget(steps=7))
    (reply,) = serve.replies  # type: ignore[attr-defined]
    assert not reply.ok
    assert "budget" in reply.text


def test_a_bench_that_fails_leaves_the_episode_open(serve: Callable, tmp_path: Path, bench: FakeWorkbench) -> None:
    bench.fails = InfrastructureError("the device is lost")
    with pytest.raises(InfrastructureError):
        serve(*write(1.5), EVALUATE)
    told = serve.replies[-1].text  # type: ignore[attr-defined]
    assert "the device is lost; bloom_gelu stays open: nothing was evaluated" in told
    assert "The server stops" in told
    assert episode(tmp_path)[-1].exit_reason == "infrastructure"
    bench.fails = None
    replies, _ = serve(EVALUATE, SUBMIT)
    assert all(reply.ok for reply in replies)


def test_what_a_client_took_back_is_not_done(task: Path, tmp_path: Path, bench: FakeWorkbench) -> None:
    calls = ClientCalls()
    service = Service(calls, request_for(task, tmp_path, "mcp"))
    taken_back = calls.ask(ClientCall("create", {"path": "A.py", "text": "x"}))
    assert taken_back.cancel()
    seen = calls.ask(ClientCall("view", {}))
    calls.leave()
    service.run(lambda *_: bench)
    assert seen.result(1).text == "the pass directory is empty"


def test_after_the_end_every_question_has_an_answer(task: Path, tmp_path: Path, bench: FakeWorkbench) -> None:
    calls = ClientCalls()
    calls.leave()
    Service(calls, request_for(task, tmp_path, "mcp")).run(lambda *_: bench)
    calls.close(RunStopped("gone"))
    assert answered(calls, ClientCall("view", {})) == ClientReply("gone", ok=False)


def test_a_bad_path_is_refused_before_anything_is_served(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such directory"):
        Service(ClientCalls(), request_for(tmp_path / "nowhere", tmp_path, "mcp"))
