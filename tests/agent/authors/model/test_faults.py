"""Endpoints that fail: what is asked again and after how long, what ends the episode, what ends the run."""

from __future__ import annotations

import base64
import email.utils
import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from passnet.agent.authors.base import GivesUp, Unusable
from passnet.agent.authors.model.answer import MOST_CALLS
from passnet.agent.authors.model.author import ModelAuthor
from passnet.agent.authors.model.endpoint import OpenAIEndpoint, _secrets
from passnet.agent.authors.model.faults import Fault, FaultKind
from passnet.agent.authors.model.options import ModelOptions
from passnet.agent.authors.model.retries import OutOfTime, RetryPolicy
from passnet.agent.authors.registry import make_author
from passnet.agent.env.env import PassEnv
from passnet.agent.record.budget import Budget
from passnet.agent.record.names import ExitReason
from passnet.agent.record.records import Message
from tests.agent.model_server import DRIP, DROP, HANG, KEY, ModelServer, Raw, Status, calls, free_url, says

pytest.importorskip("openai", reason="the openai package is not installed")
VIEWS, SUBMITS = calls(("view", {})), calls(("submit", {}))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(VIEWS) as one:
        yield one


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.fixture
def waits() -> list[float]:
    """Seconds that the author slept between tries."""
    return []


@pytest.fixture
def play(
    server: ModelServer, make_env: Callable[..., PassEnv], task: Path, waits: list[float]
) -> Callable[..., PassEnv]:
    """Two steps by a script of answers and faults."""

    def play(*script: Any, url: str | None = None, budget: Budget | None = None, **options: Any) -> PassEnv:
        server.script = list(script)
        author = make_author("openai:scripted", {"base_url": url or server.url, **options})
        assert isinstance(author, ModelAuthor)
        author._sleep = waits.append
        env = make_env(author=author.name, author_settings=author.settings(), budget=budget or Budget(steps=2))
        env.reset(task)
        author.play(env)
        return env

    return play


def said(env: PassEnv) -> list[Message]:
    return [record for record in env.records if isinstance(record, Message) and record.role == "assistant"]


# --- passing faults ----------------------------------------------------------------------------------------------

PASSING = {
    "rate limit": Status(429, "slow down"),
    "server error": Status(500, "oops"),
    "bad gateway": Status(502, "no"),
    "overloaded": Status(529, "overloaded"),
    "request timeout": Status(408, "late"),
    "dropped": DROP,
    "garbage": Raw(b"{not json"),
    "page": Raw(b"<html>hello</html>", "text/html"),
    "empty": Raw(b""),
    "no choices": Raw(b'{"choices": []}'),
    "error with status 200": Raw(b'{"error": {"message": "provider failed"}}'),
    "no message": Raw(b'{"choices": [{"index": 0}]}'),
    "a list": Raw(b"[1, 2]"),
}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING.keys())
def test_what_passes_is_asked_again_and_leaves_one_answer(
    play: Callable, server: ModelServer, waits: list[float], fault: Any
) -> None:
    env = play(fault, VIEWS, fault, fault, SUBMITS)
    assert env.state.exit_reason is ExitReason.STEPS
    assert [answer.extra.get("failed_tries", 0) for answer in said(env)] == [1, 2]
    assert len(waits) == 3
    assert env.used.tokens == 220
    assert server.asked[0] == server.asked[1]


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING.keys())
def test_what_does_not_pass_ends_the_episode(
    play: Callable, server: ModelServer, waits: list[float], fault: Any
) -> None:
    with pytest.raises(GivesUp) as end:
        play(VIEWS, fault, retries=2)
    assert end.value.reason is ExitReason.ENDPOINT
    assert "\n" not in end.value.detail
    assert len(waits) == 2
    assert len(server.asked) == 4


def test_an_endpoint_that_never_answered_ends_the_run(play: Callable, server: ModelServer) -> None:
    """Otherwise every episode of the run would be lost to it; this one stays open."""
    with pytest.raises(Unusable, match=r"openai:scripted at http://127.0.0.1:\d+/v1: status 500: oops"):
        play(Status(500, "oops"), retries=3)
    assert len(server.asked) == 4


def test_a_slow_answer_is_a_passing_fault(play: Callable, server: ModelServer) -> None:
    env = play(HANG, VIEWS, timeout_s=0.3)
    assert said(env)[0].extra["failed_tries"] == 1
    with pytest.raises(GivesUp, match="no answer in time"):
        play(VIEWS, HANG, timeout_s=0.3, retries=1)


def test_an_answer_that_drips_has_one_deadline_and_its_connection_is_closed(
    play: Callable, server: ModelServer
) -> None:
    """A limit of each read would never be reached."""
    began = time.monotonic()
    env = play(DRIP, VIEWS, timeout_s=0.5)
    assert said(env)[0].extra["failed_tries"] == 1
    assert time.monotonic() - began < 10.0
    last = time.monotonic() + 10.0
    while not server.left and time.monotonic() < last:
        time.sleep(0.02)
    assert server.left == 1


def test_waits_grow_with_jitter_and_keep_what_is_asked_for(play: Callable, waits: list[float]) -> None:
    play(*[Status(500)] * 8, VIEWS)
    for number, wait in enumerate(waits):
        most = min(60.0, 2.0**number)
        assert most / 2 <= wait <= most
    assert len({wait / min(60.0, 2.0**number) for number, wait in enumerate(waits)}) == len(waits)
    waits.clear()
    date = email.utils.formatdate(time.time() + 100, usegmt=True)
    asked = [{"retry-after": "7"}, {"retry-after-ms": "2500"}, {"retry-after": "0.5"}, {"retry-after": date}]
    play(*[Status(429, "slow", headers) for headers in asked], VIEWS)
    for wait, least in zip(waits, (7, 2.5, 0.5, 90), strict=True):
        assert least <= wait <= max(1.1 * least, 111 if least == 90 else 0)


@pytest.mark.parametrize("words", ["soon", "-5", "nan", "inf", ""])
def test_a_senseless_wait_is_as_none(play: Callable, waits: list[float], words: str) -> None:
    play(Status(429, "slow", {"retry-after": words}), VIEWS)
    assert 0.5 <= waits[0] <= 1.0


def test_a_wait_of_hours_is_not_waited_for(play: Callable, waits: list[float]) -> None:
    with pytest.raises(GivesUp, match="status 429: daily limit"):
        play(VIEWS, Status(429, "daily limit", {"retry-after": "7200"}))
    assert waits == []


def test_no_wait_outlasts_the_episode(play: Callable, waits: list[float]) -> None:
    with pytest.raises(GivesUp) as end:
        play(VIEWS, Status(429, "slow", {"retry-after": "30"}), budget=Budget(wall_s=20))
    assert end.value.reason is ExitReason.TIME
    assert waits == []
    patience = RetryPolicy(3, random.Random(0), waits.append, lambda: 0.1, known=True)
    with pytest.raises(OutOfTime):
        patience.ask(_failing)


def _failing() -> None:
    raise Fault(FaultKind.TRANSIENT, "no")


# --- what the user has to put right ------------------------------------------------------------------------------

SETUP = {
    "key": (Status(401, "Incorrect API key provided"), "status 401: Incorrect API key provided.*refuses the key"),
    "model": (Status(404, "The model 'scripted' does not exist"), "status 404.*does not exist.*name of the model"),
    "permission": (Status(403, "not for you"), "status 403"),
    "credit": (Status(402, "pay"), "status 402.*no credit"),
    "quota": (
        Status(429, {"message": "You exceeded your current quota", "code": "insufficient_quota"}),
        "quota.*no credit",
    ),
}


@pytest.mark.parametrize(("fault", "words"), SETUP.values(), ids=SETUP.keys())
@pytest.mark.parametrize("first", [True, False], ids=["at once", "later"])
def test_what_the_user_has_to_put_right_ends_the_run_at_once(
    play: Callable, server: ModelServer, waits: list[float], fault: Status, words: str, first: bool
) -> None:
    with pytest.raises(Unusable, match=words) as error:
        play(*([] if first else [VIEWS]), fault)
    assert "\n" not in str(error.value)
    assert waits == []
    assert len(server.asked) == (1 if first else 2)


def test_a_field_that_is_refused_is_named_with_the_way_out(play: Callable) -> None:
    with pytest.raises(Unusable, match=r"Unsupported value: 'temperature'.*--omit temperature leaves it out"):
        play(Status(400, "Unsupported value: 'temperature' does not support 0 with this model."))
    with pytest.raises(GivesUp) as end:
        play(VIEWS, Status(400, "content policy"))
    assert end.value.reason is ExitReason.ENDPOINT


def test_nobody_at_the_address_ends_the_run_after_a_few_tries(play: Callable, waits: list[float]) -> None:
    with pytest.raises(Unusable, match=r"openai:scripted at http://127.0.0.1:\d+/v1: no connection: .*refused"):
        play(url=free_url())
    assert len(waits) == 2


def test_an_endpoint_that_is_gone_for_a_while_is_waited_for(waits: list[float]) -> None:
    tries = iter([Fault(FaultKind.UNREACHABLE, "refused")] * 5)

    def ask() -> str:
        fault = next(tries, None)
        if fault is not None:
            raise fault
        return "there"

    assert RetryPolicy(8, random.Random(0), waits.append, lambda: None, known=True).ask(ask) == ("there", 5)


# --- too long ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [
        Status(400, {"message": "too long", "code": "context_length_exceeded"}),
        Status(400, "This model's maximum context length is 8192 tokens. However, you requested 9000"),
        Status(400, "the request exceeds the available context size, try increasing it"),
        Status(413, "prompt is too long: 210000 tokens > 200000 maximum"),
        Status(500, "Requested tokens (5000) exceed context window of 4096"),
    ],
    ids=range(5),
)
@pytest.mark.parametrize("first", [True, False])
def test_a_full_window_ends_the_episode(play: Callable, server: ModelServer, fault: Status, first: bool) -> None:
    with pytest.raises(GivesUp) as end:
        play(*([] if first else [VIEWS]), fault)
    assert end.value.reason is ExitReason.CONTEXT
    assert len(server.asked) == (1 if first else 2)


def test_tools_that_are_refused_later_are_no_reason_to_change_the_format(play: Callable, server: ModelServer) -> None:
    with pytest.raises(GivesUp) as end:
        play(VIEWS, Status(400, "tool_call_id is missing"))
    assert end.value.reason is ExitReason.ENDPOINT
    assert len(server.asked) == 2


# --- the library under it ----------------------------------------------------------------------------------------


def test_the_library_does_not_ask_again_by_itself(server: ModelServer) -> None:
    server.script = [Status(500, "oops")]
    endpoint = OpenAIEndpoint(ModelOptions(base_url=server.url))
    with pytest.raises(Fault, match="status 500: oops") as fault:
        endpoint.ask({"model": "m", "messages": []}, 5.0)
    assert fault.value.kind is FaultKind.TRANSIENT
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        {"error": {"message": f"Incorrect API key provided: {KEY}"}},
        {"choices": [{"message": f"of {KEY}"}]},
        Raw(f'"no {KEY}"'.encode()),
        Raw(f"<p>{KEY}</p>".encode(), "text/html"),
        Status(401, f"Incorrect API key provided: {KEY}"),
    ],
    ids=["error with status 200", "no message", "text", "page", "status 401"],
)
def test_no_fault_tells_the_key(play: Callable, answer: Any) -> None:
    with pytest.raises(Unusable) as error:
        play(answer, retries=0)
    assert KEY not in str(error.value)
    assert "..." in str(error.value)


def test_a_key_in_an_answer_is_in_no_record(play: Callable) -> None:
    env = play({**calls(("view", {}), text=f"it is {KEY}"), "model": KEY}, SUBMITS)
    assert not any(KEY in record.model_dump_json() for record in env.records)
    assert "it is ..." in [message.content for message in said(env)]


DEEP = b'{"choices":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
DEEP_MESSAGE = b'{"choices": [{"message": {"content": "", "x": ' + b"[" * 900 + b"]" * 900 + b"}}]}"


@pytest.mark.parametrize("body", [DEEP, DEEP_MESSAGE], ids=["all", "a field"])
def test_an_answer_that_is_nested_deep_is_asked_again(play: Callable, waits: list[float], body: bytes) -> None:
    env = play(Raw(body), VIEWS)
    assert said(env)[0].extra["failed_tries"] == len(waits) == 1


@pytest.mark.parametrize("tokens", [2**63, 10**400])
def test_a_count_beyond_all_sense_is_no_count(play: Callable, tokens: int) -> None:
    usage = {"prompt_tokens": tokens, "completion_tokens": 1, "cost": tokens}
    env = play(calls(("view", {}), usage=usage), SUBMITS)
    found = said(env)[0].usage
    assert found is not None
    assert (found.prompt_tokens, found.completion_tokens, found.cost_usd) == (None, 1, None)


def test_many_calls_of_one_id_take_no_time_and_only_the_first_are_made(play: Callable) -> None:
    began = time.process_time()
    env = play(calls(*[("view", {})] * 60_000, ids=["a"] * 60_000))
    made = said(env)[0].extra["calls"]
    assert [call["id"] for call in made[:3]] == ["a", "a-1", "a-2"]
    assert len(made) == MOST_CALLS
    assert time.process_time() - began < 20.0


def test_an_answer_is_plain_data(server: ModelServer) -> None:
    server.script = [says("hello", reasoning_content="because")]
    endpoint = OpenAIEndpoint(ModelOptions(base_url=server.url))
    data = endpoint.ask({"model": "m", "messages": [], "min_p": 0.1}, 5.0).data
    assert data["choices"][0]["message"] == {"role": "assistant", "content": "hello", "reasoning_content": "because"}
    assert server.asked[0] == {"model": "m", "messages": [], "min_p": 0.1}


@pytest.fixture
def repeating() -> Iterator[str]:
    """The host and port of a server that answers with the path and the headers of each request."""

    class Repeats(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            said = f"no route {self.path} for {self.headers['Authorization']}"
            body = json.dumps({"error": {"message": said}}).encode()
            self.send_response(404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Repeats) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_password_in_an_address_is_in_no_fault(repeating: str) -> None:
    endpoint = OpenAIEndpoint(ModelOptions(base_url=f"http://me:long%2Fword%20of%20pass@{repeating}/v1"))
    with pytest.raises(Fault) as raised:
        endpoint.ask({"model": "m", "messages": [{"role": "user", "content": "x"}]}, 30)
    assert "no route /v1/chat/completions for Basic ..." in raised.value.text


def test_every_form_of_what_an_address_hides_is_a_secret() -> None:
    found = _secrets("", "https://me:long%2Fword@host/v1?api_key=a%20long%2Bkey&flagsecret&v=1")
    forms = {
        "long/word", "long%2Fword", "me:long/word", "a%20long%2Bkey", "a long+key", "a+long%2Bkey", "flagsecret",
        base64.b64encode(b"me:long/word").decode(), "api_key=a%20long%2Bkey&flagsecret&v=1",
    }  # fmt: skip
    assert forms <= set(found)
    assert list(found) == sorted(found, key=len, reverse=True) and "1" not in found


def test_an_address_with_a_query_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "http://localhost:1/v1?api_key=very-secret"
    with pytest.raises(Unusable, match=r"--base-url: the address of an endpoint has a query") as raised:
        OpenAIEndpoint(ModelOptions(base_url=address))
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    with pytest.raises(Unusable):
        OpenAIEndpoint(ModelOptions())
    assert "secret" not in str(raised.value)
