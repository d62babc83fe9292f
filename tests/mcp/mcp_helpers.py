"""What the tests of the server share: calls, answers, and where an episode lies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from passnet.agent.record.journal import read_episode
from passnet.agent.record.records import EpisodeRecord
from passnet.agent.run.hand_over import RunStopped
from passnet.mcp.calls import ClientCall, ClientCalls, ClientReply
from tests.agent.agent_helpers import MANIFEST, rule

Call = tuple[str, dict[str, Any]]
OPEN: Call = ("open_task", {})
EVALUATE: Call = ("evaluate", {})
SUBMIT: Call = ("submit", {})


def write(speed: float) -> list[Call]:
    return [
        ("create", {"path": "A.py", "text": rule(speed)}),
        ("create", {"path": MANIFEST, "text": '["A"]'}),
    ]


def answered(queue: ClientCalls, call: ClientCall) -> ClientReply:
    try:
        return queue.ask(call).result(60)
    except RunStopped as stopped:
        return ClientReply(str(stopped), ok=False)


def episode(tmp_path: Path, task: str = "bloom_gelu") -> list[EpisodeRecord]:
    return read_episode(tmp_path / "run" / "tasks" / task / "attempt-0" / "episode.jsonl")


def pass_dir(tmp_path: Path) -> Path:
    return tmp_path / "run" / "tasks" / "bloom_gelu" / "attempt-0" / "pass_dir"
