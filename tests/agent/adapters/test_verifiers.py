"""The verifiers environment, played by the real library: its chat program, tool server, interception and scoring."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

vf = pytest.importorskip("verifiers.v1", reason="needs verifiers, the extra `verifiers`")

from passnet.agent.adapters import verifiers as adapter  # noqa: E402
from passnet.agent.adapters.rollouts import RolloutSettings  # noqa: E402
from passnet.agent.env.env import TOOLS  # noqa: E402
from passnet.agent.record.journal import read_episode  # noqa: E402
from passnet.agent.record.records import End, EpisodeStep  # noqa: E402
from passnet.errors import UsageError  # noqa: E402
from tests.agent.adapters.fake_tools import FakeTools  # noqa: E402
from tests.agent.adapters.scripted_endpoint import called, endpoint  # noqa: E402
from tests.agent.agent_helpers import BUNDLED, MANIFEST, rule, task_copy  # noqa: E402

ROOT = Path(__file__).parents[3]


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return task_copy(tmp_path)


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The library's chat program runs in this environment, not in one that uv would download first."""
    from verifiers.v1.runtimes.subprocess import SubprocessRuntime

    async def prepared(self: Any, script: str | bytes, *_: Any, **__: Any) -> list[str]:
        path = tmp_path / "program.py"
        path.write_bytes(script.encode() if isinstance(script, str) else script)
        return [sys.executable, str(path)]

    monkeypatch.setattr(SubprocessRuntime, "prepare_uv_script", prepared)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "src")]))


def play(env: Any, answers: list[dict[str, Any]]) -> tuple[Any, list[dict[str, Any]]]:
    """The trace of one episode on the first task, and what the model was sent."""

    async def played(url: str) -> Any:
        client = vf.EvalClientConfig(base_url=url, api_key_var="NO_SUCH_VARIABLE")
        async with env.serving():
            slot = env.slots(next(iter(env.taskset)))[0]
            return await env.run_slot(slot, vf.ModelContext(model="scripted", client=client))

    with endpoint(answers) as (url, bodies):
        episode = asyncio.run(played(url))
    assert episode.ok, episode.errors or [trace.errors for trace in episode.traces]
    return episode.traces[0], bodies


def writing(text: str) -> list[dict[str, Any]]:
    return [called("create", path="A.py", text=text), called("create", path=MANIFEST, text='["A"]')]


@pytest.mark.slow
def test_a_rollout_is_rewarded_by_the_bench_and_recorded(
    task: Path, offline: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "PassTools", FakeTools)
    env = adapter.load_environment(task, RolloutSettings(records=tmp_path / "records"), max_turns=12)
    tries = [*writing(rule(0.5)), called("evaluate"), *writing(rule(1.5)), called("evaluate"), called("submit")]
    trace, bodies = play(env, [called("reward", value=99), called("view", first="x"), *tries])

    (episode,) = (tmp_path / "records").glob("*/rollout-00001")
    records = read_episode(episode / "episode.jsonl")
    scores = [r.observation.score for r in records if isinstance(r, EpisodeStep) and r.observation.score is not None]
    assert len(scores) == 2
    assert trace.reward == pytest.approx(max(scores))
    assert trace.rewards.keys() == {"aggregated_speedup"}
    assert trace.metrics["evaluations"] == 2
    end = records[-1]
    assert isinstance(end, End)
    assert end.exit_reason == "submitted"
    assert {path.name for path in episode.iterdir()} >= {"trajectory.json", "messages.jsonl", "passes"}

    first = bodies[0]
    assert first["messages"][0]["role"] == "system"
    assert "Task bloom_gelu on cpu" in first["messages"][1]["content"]
    shown = {tool["function"]["name"]: tool["function"]["parameters"] for tool in first["tools"]}
    assert set(shown) == set(TOOLS)
    assert shown["create"]["required"] == ["path", "text"]
    assert shown["create"]["properties"]["path"]["description"] == "File name, for example FuseGelu.py."


@pytest.mark.slow
def test_nothing_measured_is_worth_nothing(
    task: Path, offline: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "PassTools", FakeTools)
    env = adapter.load_environment(task, RolloutSettings(records=tmp_path / "records"))
    trace, _ = play(env, [called("view")])
    assert trace.reward == 0.0


@pytest.mark.slow
def test_a_rollout_on_the_real_bench(offline: None, tmp_path: Path) -> None:
    settings = RolloutSettings(records=tmp_path / "records", graphs=1)
    env = adapter.load_environment(BUNDLED / "bloom_gelu", settings)
    text = (BUNDLED / "bloom_gelu" / "pass_dir" / "bloom_gelu_cpp.py").read_text()
    trace, _ = play(env, [*writing(text), called("evaluate"), called("submit")])
    assert trace.reward > 1.0


def test_an_agent_that_could_write_its_reward_is_refused(task: Path) -> None:
    with pytest.raises(UsageError, match="harness 'bash' runs the model's programs"):
        adapter.load_environment(task, harness={"id": "bash"})


def test_no_tasks_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such directory"):
        adapter.load_environment(tmp_path / "nowhere")


def test_the_library_finds_the_environment_by_its_id(task: Path) -> None:
    config = vf.resolve_env_config({"taskset": {"id": "passnet-verifiers", "path": str(task)}})
    env = vf.load_environment(config)
    assert isinstance(env, adapter.PassVerifiersEnv)
    assert [found.data.name for found in env.taskset] == ["bloom_gelu"]
