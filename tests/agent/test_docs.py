"""What docs/agent.md says exists: its example runs; it names every tool, every way to end, every form of action."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from passnet.agent.authors.registry import MAKERS
from passnet.agent.authors.replay import Action
from passnet.agent.env.env import TOOLS
from passnet.agent.record.names import ExitReason
from passnet.agent.workbench import live
from tests.agent.agent_helpers import FakeWorkbench

ROOT = Path(__file__).parents[2]
DOC = (ROOT / "docs" / "agent.md").read_text(encoding="utf-8")


def test_the_example_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(live, "LiveWorkbench", FakeWorkbench)
    (code,) = re.findall(r"```python\n(.*?)```", DOC, re.DOTALL)
    exec(compile(code, "docs/agent.md", "exec"), {})
    assert "Task bloom_gelu on cpu" in capsys.readouterr().out


def test_every_tool_author_and_way_to_end_is_named() -> None:
    words = set(re.findall(r"`([^`\n]+)`", DOC))
    named = {part.strip() for word in words for part in word.split(",")}
    assert set(TOOLS) <= named
    assert {reason.value for reason in ExitReason} <= named
    assert {name for name in MAKERS if any(word.partition(":")[0] == name for word in named)} == set(MAKERS)


def test_the_actions_shown_are_actions() -> None:
    shown = re.findall(r'`(\{"(?:tool|say|malformed|wait_s|stop)".*?\})`', DOC)
    assert len(shown) == 5
    rows = [json.loads(row.replace("{...}", "{}")) for row in shown]
    TypeAdapter(list[Action]).validate_python(rows)
