"""The model author on a bundled task with the real bench: a scripted endpoint goes from a wrong pass to a fast one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from passnet.agent.record.budget import Budget
from passnet.agent.record.journal import read_episode
from passnet.agent.record.records import steps_of
from passnet.agent.run.session import run_agent
from tests.agent.agent_helpers import BUNDLED, MANIFEST, request_for, task_copy
from tests.agent.model_server import KEY, ModelServer, calls, says

pytest.importorskip("openai", reason="the openai package is not installed")
GOOD = (BUNDLED / "bloom_gelu" / "pass_dir" / "bloom_gelu_cpp.py").read_text()
# Computes with torch, as the source policy does not allow; then a wrong constant; then the bundled pass as it is.
COMPUTES = GOOD.replace("out = torch.empty_like(x)", "out = torch.relu(x)")
WRONG = GOOD.replace("1.59576912f", "0.5f")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ModelServer(says("not asked")) as one:
        yield one


def writes(text: str, then: str) -> dict[str, Any]:
    return calls(("create", {"path": "Gelu.py", "text": text}), (then, {}), text="I try this.")


def last_result(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])


@pytest.mark.slow
def test_an_improving_episode_from_an_empty_directory(server: ModelServer, tmp_path: Path) -> None:
    """Each answer follows from what the last observation said, as a model's would."""
    seen: list[str] = []

    def after(expected: str, answer: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
        def check(body: dict[str, Any]) -> dict[str, Any]:
            seen.append(last_result(body))
            return answer if expected in seen[-1] else says(f"I did not expect this: {seen[-1]}")

        return check

    lists = ("create", {"path": MANIFEST, "text": '["Gelu"]'})
    server.script = [
        calls(("inspect_graph", {}), text="I look."),
        after("tanh", calls(("create", {"path": "Gelu.py", "text": COMPUTES}), lists, ("check", {}))),
        after("torch.relu", writes(WRONG, "evaluate")),
        after("accuracy", writes(GOOD, "check")),
        after("ok: every variant that matches is right", calls(("evaluate", {}))),
        after("the best so far", calls(("submit", {}))),
    ]
    task = task_copy(tmp_path, "bloom_gelu", variants=1)
    options = {"base_url": server.url, "price": "1,4"}
    request = request_for(task, tmp_path, "openai:scripted", budget=Budget(), options=options)
    found = run_agent(request, lambda progress: None)
    row = found["tasks"][0]
    assert row["exit_reason"] == "submitted", seen
    assert row["first_AS"] < 0.5
    assert row["AS"] > 1.0
    assert row["attempts"][0]["confirmed"]
    assert row["cost_usd"] == pytest.approx(6 * 140 / 1e6)
    directory = tmp_path / "run" / "tasks" / "bloom_gelu"
    assert (directory / "passes" / "Gelu.py").read_text() == GOOD
    steps = [step.tool for step in steps_of(read_episode(directory / "attempt-0" / "episode.jsonl"))]
    assert steps == [
        "inspect_graph", "create", "create", "check", "create", "evaluate", "create", "check", "evaluate", "submit",
    ]  # fmt: skip
    assert json.loads((directory / "attempt-0" / "messages.jsonl").read_text())["metadata"]["AS"] == row["AS"]
    assert run_agent(request, lambda progress: None) == found
    assert len(server.asked) == 6
