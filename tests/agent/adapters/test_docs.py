"""What docs/faces.md says exists: its stanza and its commands are taken, its examples run."""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from passnet.agent.adapters import trl as trl_adapter
from passnet.agent.adapters.rollouts import RolloutSettings
from passnet.cli import main as cli
from passnet.errors import UsageError

ROOT = Path(__file__).parents[3]
DOC = (ROOT / "docs" / "faces.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", DOC, re.DOTALL)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_stanza_starts_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = blocks("json")
    (stanza,) = json.loads(text)["mcpServers"].values()
    asked: list[Any] = []
    pytest.importorskip("mcp", reason="needs mcp, the extra `mcp`")
    monkeypatch.setattr("passnet.mcp.server.serve", asked.append)
    monkeypatch.setattr(sys, "argv", [stanza["command"], *stanza["args"]])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code in (0, None)
    (request,) = asked
    assert request.run_path == Path("/home/me/runs/assistant")
    assert request.path == Path("/home/me/tasks/bloom_gelu")
    assert request.budget.steps == 0


def test_the_command_for_harbor_runs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = blocks("sh")
    monkeypatch.setattr(sys, "argv", line.split())
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code in (0, None)
    assert len(list((home / "out" / "harbor").iterdir())) == len(list((ROOT / "data" / "tasks").iterdir()))


def test_the_example_for_trl_gives_the_trainer_what_it_takes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("datasets", reason="needs datasets, the extra `trl`")
    library = SimpleNamespace(GRPOConfig=dict, GRPOTrainer=lambda **given: given)
    monkeypatch.setitem(sys.modules, "trl", library)
    names: dict[str, Any] = {}
    exec(compile(blocks("python")[1], "docs/faces.md", "exec"), names)
    given = names["trainer"]
    assert len(given["train_dataset"]) == len(list((ROOT / "data" / "tasks").iterdir()))
    assert isinstance(given["environment_factory"](), trl_adapter.PassEnvironment)


def test_the_example_for_verifiers_runs(home: Path) -> None:
    pytest.importorskip("verifiers.v1", reason="needs verifiers, the extra `verifiers`")
    names: dict[str, Any] = {}
    exec(compile(blocks("python")[0], "docs/faces.md", "exec"), names)
    assert len(list(names["env"].taskset)) == len(list((ROOT / "data" / "tasks").iterdir()))


def test_without_verifiers_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [
        name for name in sys.modules if name.startswith(("passnet_verifiers", "passnet.agent.adapters.verif"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "verifiers", None)
    monkeypatch.setitem(sys.modules, "verifiers.v1", None)
    with pytest.raises(UsageError, match=r"passnet\[verifiers\]"):
        importlib.import_module("passnet_verifiers")


def test_what_is_said_of_names_holds() -> None:
    assert RolloutSettings.model_fields["records"].default == Path("runs/rollouts")
    extras = (ROOT / "pyproject.toml").read_text()
    for extra in ("mcp", "verifiers", "trl"):
        assert f"pip install 'passnet[{extra}]'" in DOC
        assert re.search(rf"^{extra} = \[", extras, re.MULTILINE)
