"""Runs of the model author: interrupted and resumed, several at once, seeded by another author, failing endpoints."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from passnet.agent.authors.model import author as model_author
from passnet.agent.authors.model.endpoint import OpenAIEndpoint
from passnet.agent.authors.registry import MAKERS
from passnet.agent.authors.replay import ReplayAuthor
from passnet.agent.record.budget import Budget
from passnet.agent.record.journal import read_episode
from passnet.agent.record.names import ExitReason
from passnet.agent.record.records import EpisodeRecord
from passnet.agent.run.progress import RunProgress
from passnet.agent.run.session import dry_run, run_agent
from passnet.errors import UsageError
from tests.agent.agent_helpers import (
    MANIFEST,
    SUBMIT,
    FakeWorkbench,
    request_for,
    rule,
    substance,
    task_copy,
    trying,
)
from tests.agent.model_server import DROP, KEY, ModelServer, Status, calls, free_url, says
from tests.child import ROOT, environment, hear_ctrl_c

pytest.importorskip("openai", reason="the openai package is not installed")
WRITES = [
    calls(("inspect_graph", {}), text="I look."),
    calls(("create", {"path": "A.py", "text": rule(1.5)}), ("create", {"path": MANIFEST, "text": '["A"]'})),
    calls(("evaluate", {})),
]
SUBMITS = calls(("submit", {}))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(SUBMITS) as one:
        yield one


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setattr(model_author.ModelAuthor.__init__, "__defaults__", (lambda seconds: None,))


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    for name in ("bloom_gelu", "gpt2_gelu_new"):
        task_copy(tmp_path / "tasks", name)
    return tmp_path / "tasks"


@pytest.fixture
def bench() -> FakeWorkbench:
    return FakeWorkbench()


@pytest.fixture
def play(tasks: Path, tmp_path: Path, bench: FakeWorkbench, server: ModelServer) -> Callable[..., dict]:
    def play(
        path: Path = tasks, report: Callable = lambda progress: None, options: dict | None = None, **fields: Any
    ) -> dict:
        fields = {"budget": Budget(), "options": {"base_url": server.url, **(options or {})}} | fields
        return run_agent(request_for(path, tmp_path, "openai:scripted", **fields), report, lambda *_: bench)

    return play


def follow(*script: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    """Answers by how much was said, so that several episodes may ask at once, and an interrupted one again."""
    return lambda body: script[sum(row["role"] == "assistant" for row in body["messages"])]


def episode(tmp_path: Path, task: str = "bloom_gelu", attempt: int = 0) -> list[EpisodeRecord]:
    return read_episode(tmp_path / "run" / "tasks" / task / f"attempt-{attempt}" / "episode.jsonl")


# --- whole runs --------------------------------------------------------------------------------------------------


def test_a_run_leaves_scores_exports_and_no_key(play: Callable, server: ModelServer, tmp_path: Path) -> None:
    server.script = [follow(*WRITES, SUBMITS)]
    found = play(options={"price": "1,2"})
    assert found["AS"] == pytest.approx(1.5)
    assert found["cost_usd"] == pytest.approx(8 * 120 / 1e6)
    assert found["tokens"] == 880
    run = tmp_path / "run"
    texts = [path.read_text() for path in run.rglob("*") if path.is_file()]
    assert not any(KEY in text for text in texts)
    settings = json.loads((run / "settings.json").read_text())
    assert settings["author_settings"]["model"] == "scripted"
    assert settings["author_settings"]["endpoint"] == server.url
    lines = [json.loads(line) for line in (run / "messages.jsonl").read_text().splitlines()]
    assert [line["metadata"]["exit_reason"] for line in lines] == ["submitted", "submitted"]
    assert json.loads((run / "tasks" / "bloom_gelu" / "attempt-0" / "trajectory.json").read_text())["steps"]


def test_attempts_have_seeds_of_their_own(play: Callable, server: ModelServer) -> None:
    silent = [says("Hm.")] * 5
    server.script = [*WRITES, SUBMITS, *silent[:4], *WRITES, SUBMITS, *WRITES, SUBMITS]
    found = play(attempts=2)
    assert found["tasks"][0]["pass_at_k"] == [0.5, 1.0]
    assert found["tasks"][0]["best_at_k"] == [pytest.approx(0.75), pytest.approx(1.5)]
    assert [row["exit_reason"] for row in found["tasks"][0]["attempts"]] == ["submitted", "no_tool_call"]
    assert len({body["seed"] for body in server.asked}) == 4


def test_unknown_costs_are_unknown_in_the_summary_and_while_it_runs(play: Callable, server: ModelServer) -> None:
    server.script = [follow(*WRITES, SUBMITS)]
    seen: list[RunProgress] = []
    assert play(report=seen.append)["cost_usd"] is None
    assert seen[-1].cost_usd is None
    assert seen[-1].tokens == 880


def test_costs_are_shown_while_it_runs(play: Callable, server: ModelServer) -> None:
    server.script = [follow(*WRITES, SUBMITS)]
    seen: list[RunProgress] = []
    play(report=seen.append, options={"price": "1,2"})
    costs = [progress.cost_usd for progress in seen]
    assert costs == sorted(costs)
    assert costs[-1] == pytest.approx(8 * 120 / 1e6)


def test_episodes_wait_for_their_endpoint_at_the_same_time(
    play: Callable, server: ModelServer, bench: FakeWorkbench
) -> None:
    together = threading.Barrier(4)
    script = follow(*WRITES, SUBMITS)

    def first(body: dict[str, Any]) -> Any:
        if len(body["messages"]) == 2:
            together.wait(20)
        return script(body)

    server.script = [first]
    threads = set()
    measure = bench.evaluate
    bench.evaluate = lambda *a, **k: threads.add(threading.current_thread()) or measure(*a, **k)  # type: ignore[method-assign]
    found = play(attempts=2, jobs=4)
    assert found["exit_reasons"] == {"submitted": 2}
    assert threads == {threading.main_thread()}


def test_it_begins_with_what_another_author_left(
    play: Callable, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MAKERS, "distill", lambda rest: ReplayAuthor([*trying(1.2), SUBMIT]))
    server.script = [follow(calls(("evaluate", {})), *WRITES[1:], SUBMITS)]
    found = play(seed_from="distill")
    assert found["AS"] == pytest.approx(1.5)
    assert found["tasks"][0]["seed"]["AS"] == pytest.approx(1.2)
    assert found["tasks"][0]["first_AS"] == pytest.approx(1.2)
    assert episode(tmp_path)[0].seed_files["A.py"] == rule(1.2)
    assert "Files: A.py" in server.asked[0]["messages"][1]["content"]
    assert json.loads((tmp_path / "run" / "settings.json").read_text())["seed_settings"] == {"actions": ""}


def test_a_model_may_make_what_another_author_begins_with(
    tasks: Path, tmp_path: Path, server: ModelServer, bench: FakeWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MAKERS, "distill", lambda rest: ReplayAuthor([*trying(1.7), SUBMIT]))
    server.script = [follow(*WRITES, SUBMITS)]
    request = request_for(tasks, tmp_path, "distill", seed_from="openai:scripted", options={"base_url": server.url})
    found = run_agent(request, lambda progress: None, lambda *_: bench)
    assert [row["seed"]["AS"] for row in found["tasks"]] == [pytest.approx(1.5)] * 2
    assert found["AS"] == pytest.approx(1.7)


# --- interruptions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("records", range(1, 11, 2))
def test_a_run_goes_on_after_ctrl_c(
    play: Callable, server: ModelServer, tmp_path: Path, tasks: Path, records: int
) -> None:
    server.script = [follow(*WRITES, SUBMITS)]
    one = tasks / "bloom_gelu"
    seen: list[EpisodeRecord] = []

    def interrupt(progress: RunProgress) -> None:
        seen.append(progress.record)
        if len(seen) == records:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(one, report=interrupt)
    assert episode(tmp_path)[: len(seen)] == seen
    assert play(one)["exit_reasons"] == {"submitted": 1}
    steps = [row for row in substance(episode(tmp_path)) if row["kind"] == "step"]
    assert [row["tool"] for row in steps] == ["inspect_graph", "create", "create", "evaluate", "submit"]


@pytest.mark.slow
def test_ctrl_c_while_it_waits_for_an_answer_and_the_run_goes_on(
    tasks: Path, tmp_path: Path, server: ModelServer
) -> None:
    """A process of its own, hit by a real signal in the middle of a request."""
    asked = threading.Event()

    def slow(body: dict[str, Any]) -> Any:
        asked.set()
        time.sleep(3)
        return DROP

    server.script = [*WRITES[:2], slow]
    script = textwrap.dedent(f"""
        from pathlib import Path
        from passnet.agent.record.budget import Budget
        from passnet.agent.run.session import run_agent
        from tests.agent.agent_helpers import FakeWorkbench, request_for
        request = request_for(Path({str(tasks / "bloom_gelu")!r}), Path({str(tmp_path)!r}), "openai:scripted",
                              budget=Budget(), options={{"base_url": {server.url!r}}})
        run_agent(request, lambda progress: None, lambda *_: FakeWorkbench())
    """)
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_ctrl_c,
    )
    assert asked.wait(120)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    before = episode(tmp_path)
    assert before[-1].kind == "end"
    assert before[-1].exit_reason is ExitReason.INTERRUPTED
    server.script = [follow(*WRITES, SUBMITS)]
    request = request_for(
        tasks / "bloom_gelu", tmp_path, "openai:scripted", budget=Budget(), options={"base_url": server.url}
    )
    assert run_agent(request, lambda progress: None, lambda *_: FakeWorkbench())["AS"] == pytest.approx(1.5)
    assert episode(tmp_path)[: len(before)] == before


def test_several_at_once_stop_after_ctrl_c_without_their_answers(
    play: Callable, server: ModelServer, bench: FakeWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One episode evaluates and is hit; the others wait for their endpoint, and nobody waits for them."""
    monkeypatch.setattr("passnet.agent.run.session._GRACE_S", 0.5)
    script, released = follow(*WRITES, SUBMITS), threading.Event()

    def one_at_work(body: dict[str, Any]) -> Any:
        if body["seed"] == server.asked[0]["seed"]:
            return script(body)
        released.wait(60)
        return DROP

    server.script = [one_at_work]
    bench.fails = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        play(attempts=4, jobs=8)
    waiting = [thread for thread in threading.enumerate() if thread.name.startswith("episode-")]
    assert len(waiting) == 7
    released.set()


def test_other_settings_under_the_same_name_are_refused(play: Callable, server: ModelServer, tasks: Path) -> None:
    server.script = [follow(*WRITES, SUBMITS)]
    one = tasks / "bloom_gelu"
    play(one)
    asked = len(server.asked)
    for change in ({"temperature": 0.7}, {"body": {"max_tokens": 9}}, {"text_tools": True}, {"omit": ["seed"]}):
        with pytest.raises(UsageError, match="author_settings"):
            play(one, options=change)
    play(one, options={"timeout_s": 5.0, "retries": 1})  # patience changes no answer
    assert len(server.asked) == asked


# --- endpoints that fail -----------------------------------------------------------------------------------------


def test_an_outage_ends_one_episode_and_stops_the_run_before_the_next(
    play: Callable, server: ModelServer, tmp_path: Path
) -> None:
    server.script = [*WRITES, Status(503, "down")]
    with pytest.raises(UsageError, match="status 503: down"):
        play()
    end = episode(tmp_path)[-1]
    assert (end.exit_reason, end.score) == (ExitReason.ENDPOINT, pytest.approx(1.5))
    assert "status 503: down" in end.detail
    assert episode(tmp_path, "gpt2_gelu_new")[-1].kind != "end"
    server.script = [follow(*WRITES, SUBMITS)]
    found = play()
    assert found["exit_reasons"] == {"endpoint_error": 1, "submitted": 1}
    assert found["tasks"][0]["attempts"][0]["detail"] == end.detail


def test_a_wrong_key_leaves_an_episode_that_goes_on(play: Callable, server: ModelServer) -> None:
    server.script = [Status(401, "wrong key")]
    with pytest.raises(UsageError, match="wrong key"):
        play()
    server.script = [follow(*WRITES, SUBMITS)]
    assert play()["exit_reasons"] == {"submitted": 2}


def test_a_dry_run_asks_nobody(tasks: Path, tmp_path: Path, server: ModelServer) -> None:
    request = request_for(tasks, tmp_path, "openai:scripted", options={"base_url": server.url, "temperature": 0.5})
    found = dry_run(request)
    assert found["settings"]["endpoint"] == server.url
    assert found["settings"]["temperature"] == 0.5
    assert server.asked == []
    assert not (tmp_path / "run").exists()
    assert dry_run(request_for(tasks, tmp_path, "openai:m", options={"base_url": free_url()}))["tasks"]


def test_litellm_is_another_endpoint_of_the_same_author(monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> None:
    pytest.importorskip("litellm", reason="litellm is not installed")
    from passnet.agent.authors.model.endpoint import LiteLLMEndpoint
    from passnet.agent.authors.model.faults import Fault, FaultKind
    from passnet.agent.authors.model.options import ModelOptions

    endpoint = LiteLLMEndpoint(ModelOptions(base_url=server.url))
    body = {"model": "openai/scripted", "messages": [{"role": "user", "content": "hello"}], "seed": 1}
    reply = endpoint.ask(body, 5.0)
    assert reply.data["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "submit"
    assert reply.cost_usd is None
    assert server.asked[-1]["seed"] == 1
    for fault, kind in (
        (Status(500, "oops"), FaultKind.TRANSIENT),
        (Status(401, f"bad {KEY}"), FaultKind.SETUP),
        (Status(404, "no such model"), FaultKind.SETUP),
        (Status(429, "slow", {"retry-after": "3"}), FaultKind.TRANSIENT),
        (Status(400, "maximum context length is 9 tokens"), FaultKind.CONTEXT),
        (DROP, FaultKind.TRANSIENT),
    ):
        server.script = [fault]
        server.asked.clear()
        with pytest.raises(Fault) as found:
            endpoint.ask(body, 5.0)
        assert found.value.kind is kind, fault
        assert len(server.asked) == 1
    assert OpenAIEndpoint(ModelOptions(base_url=server.url)).address == server.url
