"""`passnet agent --author openai:MODEL`: what users see, and one clear line for what they get wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from passnet.agent.authors.model import author as model_author
from passnet.agent.run import session
from tests.agent.agent_helpers import MANIFEST, FakeWorkbench, rule, task_copy
from tests.agent.model_server import KEY, ModelServer, Status, calls, free_url
from tests.cli.cli_runner import Done, assert_one_clear_line, run

pytest.importorskip("openai", reason="the openai package is not installed")
WRITES = calls(
    ("create", {"path": "A.py", "text": rule(1.5)}),
    ("create", {"path": MANIFEST, "text": '["A"]'}),
    ("evaluate", {}),
)
SUBMITS = calls(("submit", {}))


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setattr(session, "LiveWorkbench", lambda *_: FakeWorkbench())
    monkeypatch.setattr(model_author.ModelAuthor.__init__, "__defaults__", (lambda seconds: None,))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(SUBMITS) as one:
        yield one


@pytest.fixture
def agent(tmp_path: Path, task: Path, server: ModelServer) -> Callable[..., Done]:
    def agent(*more: Any, author: str = "openai:scripted", url: str | None = None, path: Path = task) -> Done:
        where = () if author == "distill" else ("--base-url", url or server.url)
        return run("agent", path, "--author", author, *where, "--runs", tmp_path / "runs", "--run", "one", *more)

    return agent


def test_a_run_tells_cost_and_score(agent: Callable, server: ModelServer) -> None:
    server.script = [WRITES, SUBMITS]
    done = agent("--price", "1000,1000", "--body", '{"max_tokens": 99}', "--temperature", 0.5, "--omit", "seed")
    assert done.code == 0, done
    assert "AS 1.500 over 1 of 1 tasks" in done.out
    assert "220 tokens, $0.22" in done.err
    assert (server.asked[0]["max_tokens"], server.asked[0]["temperature"]) == (99, 0.5)
    assert "seed" not in server.asked[0]


def test_a_dry_run_tells_what_would_be_asked_and_asks_nobody(
    agent: Callable, server: ModelServer, tmp_path: Path
) -> None:
    done = agent("--dry-run", "--max-cost", 1)
    assert done.code == 0, done
    assert (
        f"openai:scripted: model scripted, endpoint {server.url}, context_tokens 0, temperature 0.0, tools auto"
        in done.out
    )
    assert server.asked == []
    assert not (tmp_path / "runs").exists()
    assert agent("--dry-run", "--json").document["settings"]["model"] == "scripted"


def test_a_key_that_is_missing(agent: Callable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, task: Path) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    done = run("agent", task, "--author", "openai:gpt", "--runs", tmp_path / "runs")
    assert_one_clear_line(done, "no key: OPENAI_API_KEY is not set", "--base-url")
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Status(401, "Incorrect API key"), ("status 401: Incorrect API key", "refuses the key")),
        (Status(404, "no model scripted"), ("status 404: no model scripted", "the name of the model")),
        (Status(400, "seed is not supported"), ("seed is not supported", "--omit seed leaves it out")),
        (Status(500, "broken"), ("status 500: broken",)),
    ],
    ids=["key", "model", "field", "server"],
)
def test_an_endpoint_that_is_no_use_is_one_line(
    agent: Callable, server: ModelServer, answer: Status, words: tuple
) -> None:
    server.script = [answer]
    done = agent("--retries", 0, "--json")
    assert done.code == 2
    error = done.document["error"]
    assert (error["kind"], error["exit_code"]) == ("usage", 2)
    (line,) = [row for row in done.err.splitlines() if row.startswith("passnet: ")]
    assert all(word in line for word in ("openai:scripted at http://127.0.0.1:", *words))
    assert error["message"] in line
    assert KEY not in done.err + done.out
    assert "Traceback" not in done.err


def test_nobody_at_the_address_is_one_line(agent: Callable) -> None:
    done = agent(url=free_url())
    assert done.code == 2
    assert "no connection: [Errno 111] Connection refused" in done.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--author", "openai"), ("no model named", "openai:MODEL")),
        (("--base-url", "ftp://x"), ("--base-url", "not an address")),
        (("--price", "cheap"), ("--price", "PROMPT,COMPLETION")),
        (("--body", "{'a': 1}"), ("--body", "not JSON")),
        (("--omit", "messages"), ("--omit", "messages cannot be left out")),
        (("--temperature", "9"), ("--temperature", "less than or equal to 2")),
        (("--timeout", "0"), ("--timeout", "greater than 0")),
        (("--key-env", "NOT_SET_ANYWHERE"), ("NOT_SET_ANYWHERE is not set",)),
    ],
)
def test_bad_options_are_one_line_and_write_nothing(
    agent: Callable, tmp_path: Path, arguments: tuple, words: tuple
) -> None:
    assert_one_clear_line(agent(*arguments), *words)
    assert not (tmp_path / "runs").exists()


def test_options_of_models_are_refused_for_others(agent: Callable, tmp_path: Path) -> None:
    assert_one_clear_line(agent("--timeout", 5, author="distill"), "--timeout", "is for models", "openai:MODEL")
    assert_one_clear_line(
        agent("--jobs", 2, "--seed-from", "distill"), "distill plays one episode", "let it play first"
    )
    assert not (tmp_path / "runs").exists()


def test_a_task_without_graphs_is_one_line(agent: Callable, tmp_path: Path) -> None:
    empty = task_copy(tmp_path / "tasks")
    (empty / "graph_list.txt").write_text("")
    assert_one_clear_line(agent(path=empty), "the list is empty")


def test_other_settings_under_the_same_name_are_refused(agent: Callable, server: ModelServer) -> None:
    server.script = [WRITES, SUBMITS]
    assert agent().code == 0
    assert_one_clear_line(agent("--temperature", 1), "author_settings", "--run")
    assert agent("--timeout", 5).code == 0
    assert len(server.asked) == 2
