"""Episodes in the forms of others: every call has its answer, nothing is lost, and their own readers accept it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from passnet.agent.authors.replay import ReplayAuthor
from passnet.agent.env.env import TOOLS, PassEnv
from passnet.agent.record.budget import Usage
from passnet.agent.record.exports.atif import atif_document
from passnet.agent.record.exports.messages import messages_document
from passnet.agent.record.names import ExitReason
from passnet.agent.record.records import EpisodeRecord, steps_of
from tests.agent.agent_helpers import EPISODE
from tests.agent.authors.test_replay import TALK


@pytest.fixture(params=["acts", "talks"])
def records(request: pytest.FixtureRequest, make_env: Callable[..., PassEnv], task: Path) -> list[EpisodeRecord]:
    env = make_env(author="replay", author_settings={"temperature": 0.0})
    env.reset(task)
    ReplayAuthor(EPISODE if request.param == "acts" else TALK).play(env)
    env.state.close(env.state.exit_reason or ExitReason.AUTHOR_STOPPED)
    return env.records


def test_messages_are_a_conversation_that_a_trainer_can_read(records: list[EpisodeRecord]) -> None:
    document = json.loads(json.dumps(messages_document(records)))
    messages = document["messages"]
    assert [message["role"] for message in messages[:2]] == ["system", "user"]
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
        else:
            assert waiting == []
            waiting = [call["id"] for call in message.get("tool_calls", [])]
    assert waiting == []
    assert document["tools"] == [tool.schema for tool in TOOLS.values()]
    assert document["metadata"]["AS"] == pytest.approx(records[-1].score)


def test_messages_hold_every_call_and_answer(records: list[EpisodeRecord]) -> None:
    messages = messages_document(records)["messages"]
    calls = [call["function"] for message in messages for call in message.get("tool_calls", [])]
    steps = [step for step in steps_of(records) if step.tool]
    assert [call["name"] for call in calls] == [step.tool for step in steps]
    for call, step in zip(calls, steps, strict=True):
        assert call["arguments"] == ({} if step.malformed else step.arguments)
        assert call.get("malformed") == step.malformed
    answers = [message["content"] for message in messages if message["role"] == "tool"]
    assert answers == [step.observation.text for step in steps]


def test_what_a_model_said_is_there_word_by_word(records: list[EpisodeRecord]) -> None:
    said = [record.content for record in records if record.kind == "message" and record.role == "assistant"]
    messages = messages_document(records)["messages"]
    assert [m["content"] for m in messages if m["role"] == "assistant" and m["content"]] == said


def test_trajectories_count_their_steps_and_link_answers(records: list[EpisodeRecord]) -> None:
    document = json.loads(json.dumps(atif_document(records, "run")))
    assert document["schema_version"].startswith("ATIF-v1.")
    assert [step["step_id"] for step in document["steps"]] == list(range(1, len(document["steps"]) + 1))
    for step in document["steps"]:
        made = [call["tool_call_id"] for call in step.get("tool_calls", [])]
        answered = [
            row["source_call_id"]
            for row in step.get("observation", {"results": []})["results"]
            if "source_call_id" in row
        ]
        assert answered == made
        assert step["source"] == "agent" or not made
    answers = [
        row["content"] for step in document["steps"] for row in step.get("observation", {"results": []})["results"]
    ]
    assert answers == [step.observation.text for step in steps_of(records)]
    assert document["final_metrics"]["total_steps"] == len(document["steps"])
    assert document["extra"]["exit_reason"] == "submitted"


def test_calls_of_a_program_are_one_after_the_other_and_calls_of_a_message_together(
    make_env: Callable[..., PassEnv], task: Path
) -> None:
    env = make_env()
    env.reset(task)
    env.message("assistant", "a note of a program")
    env.view()
    env.view()
    env.message("assistant", "two at once", Usage(prompt_tokens=1))
    env.call("view", {}, "a")
    env.call("check", {}, "b")
    messages = messages_document(env.records)["messages"][2:]
    calls = [
        [call["id"] for call in message.get("tool_calls", [])] for message in messages if message["role"] == "assistant"
    ]
    assert calls == [[], ["call_1"], ["call_2"], ["a", "b"]]
    steps = atif_document(env.records, "run")["steps"][2:]
    assert [step["llm_call_count"] for step in steps] == [0, 0, 0, 1]


def test_the_tokens_of_a_trajectory_are_those_of_its_messages(make_env: Callable[..., PassEnv], task: Path) -> None:
    env = make_env(author="replay")
    env.reset(task)
    ReplayAuthor(TALK).play(env)
    final = atif_document(env.records, "run")["final_metrics"]
    assert (final["total_prompt_tokens"], final["total_completion_tokens"]) == (220, 55)
    assert "total_cost_usd" not in final  # the second answer did not tell what it cost
    told = [r for r in env.records if r.kind != "message" or r.usage is None or r.usage.cost_usd is not None]
    assert atif_document(told, "run")["final_metrics"]["total_cost_usd"] == pytest.approx(0.01)


def test_trajectories_are_accepted_by_the_format_s_own_reader(records: list[EpisodeRecord]) -> None:
    trajectories = pytest.importorskip("harbor.models.trajectories", reason="harbor is not installed")
    document = json.loads(json.dumps(atif_document(records, "run")))
    found = trajectories.Trajectory.model_validate(document)
    assert found.to_json_dict() == document
