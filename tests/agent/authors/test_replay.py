"""A recorded episode, played again, gives the same records: with its own answers, and with the device's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from passnet.agent.authors.base import Author
from passnet.agent.authors.registry import make_author
from passnet.agent.authors.replay import Malformed, ReplayAuthor, ReplayedCall, Say, actions_of
from passnet.agent.env.env import PassEnv
from passnet.agent.record.budget import Usage
from passnet.agent.record.journal import Journal
from passnet.agent.record.names import ExitReason
from passnet.agent.workbench.recorded import RecordedWorkbench
from passnet.errors import UsageError
from tests.agent.agent_helpers import EPISODE, SHORT, SUBMIT, FakeWorkbench, actions_file, substance, trying

TALK = [
    Say(say="You write passes.", role="system"),
    Say(say="Do it.", role="user"),
    Say(say="I look at the graph.", usage=Usage(prompt_tokens=100, completion_tokens=5, cost_usd=0.01)),
    ReplayedCall(tool="inspect_graph", call_id="a1"),
    ReplayedCall(tool="profile", arguments='{"graph": "9"}', call_id="a2"),
    Say(say="I say nothing useful.", usage=Usage(prompt_tokens=120, completion_tokens=50), extra={"model": "m"}),
    Malformed(malformed="I say nothing useful.", reason="answer with a tool call"),
    Say(say="```python"),
    ReplayedCall(tool="create", arguments='{"path": ', call_id="a3"),
    *trying(0.7, 1.4),
    ReplayedCall(tool="evaluate", arguments={"quick": True}),
    ReplayedCall(tool="kernel_source", arguments={"first": 1, "last": 2}),
    SUBMIT,
]


def recorded(make_env: Callable[..., PassEnv], task: Path, actions: list, **fields: object) -> PassEnv:
    env = make_env(author="replay", **fields)
    env.reset(task)
    ReplayAuthor(actions).play(env)
    env.state.close(env.state.exit_reason or ExitReason.AUTHOR_STOPPED)
    return env


@pytest.mark.parametrize("actions", [EPISODE, TALK])
def test_an_episode_replays_to_the_same_records(make_env: Callable, task: Path, actions: list) -> None:
    first = recorded(make_env, task, actions)
    again = recorded(make_env, task, actions_of(first.records))
    assert substance(again.records) == substance(first.records)
    assert again.files() == first.files()


@pytest.mark.parametrize("actions", [EPISODE, TALK])
def test_an_episode_replays_without_a_device(make_env: Callable, task: Path, actions: list) -> None:
    bench = FakeWorkbench()
    bench.noise = 0.1
    first = recorded(make_env, task, actions, workbench=bench)
    answers = RecordedWorkbench("cpu", SHORT, first.records)
    env = make_env(author="replay", workbench=answers)
    answers.follow(lambda: env.used.steps + 1)
    env.reset(task)
    ReplayAuthor(actions_of(first.records)).play(env)
    env.state.close(ExitReason.SUBMITTED)
    assert substance(env.records) == substance(first.records)


def test_without_a_device_other_calls_have_no_answer(make_env: Callable, task: Path) -> None:
    first = recorded(make_env, task, EPISODE)
    answers = RecordedWorkbench("cpu", SHORT, first.records)
    env = make_env(workbench=answers)
    answers.follow(lambda: env.used.steps + 1)
    env.reset(task)
    assert env.inspect_graph().ok
    seen = env.profile()
    assert not seen.ok
    assert "no answer to this call of profile" in seen.text


def test_the_file_of_an_episode_is_played(make_env: Callable, task: Path, tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    first = recorded(make_env, task, TALK, sink=journal.append)
    author = make_author(f"replay:{journal.path}")
    env = make_env(author="replay")
    env.reset(task)
    author.play(env)
    env.state.close(ExitReason.SUBMITTED)
    assert substance(env.records) == substance(first.records)
    assert author.settings()["actions"] != ""


def test_a_list_for_each_task_is_played(make_env: Callable, task: Path, tmp_path: Path) -> None:
    path = actions_file(tmp_path / "actions.json", {"bloom_gelu": trying(1.5), "other": trying(9)})
    author: Author = ReplayAuthor.from_file(path)
    env = make_env()
    env.reset(task)
    assert author.play(env) is None
    assert env.reward() == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "not JSON"),
        ("3", "not a list of actions"),
        (json.dumps([{"tool": "view"}, {"tool": 3}]), "not a list of actions"),
        (json.dumps([{"stop": "because"}]), "not a list of actions"),
    ],
)
def test_files_that_hold_no_actions_are_errors_of_the_user(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "actions.json"
    path.write_text(text)
    with pytest.raises(UsageError) as failed:
        make_author(f"replay:{path}")
    assert words in str(failed.value)
    assert str(path) in str(failed.value)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("nobody", "unknown author 'nobody'; expected one of distill, openai:MODEL"),
        ("replay", "nothing to replay"),
        ("replay:/nowhere/actions.json", "cannot be read"),
        ("replay:/nowhere/episode.jsonl", "no such file"),
    ],
)
def test_authors_that_are_none_are_errors_of_the_user(spec: str, words: str) -> None:
    with pytest.raises(UsageError) as failed:
        make_author(spec)
    assert words in str(failed.value)
