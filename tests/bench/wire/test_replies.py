"""Requests and replies: carried whole, and of a hostile reply comes a reply model or a failure, soon and small."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import socket
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from passnet.bench.isolation.fork_server import ForkedProcess
from passnet.bench.isolation.limits import WorkerLimits
from passnet.bench.isolation.worker_process import Worker, WorkerFailure, WorkerOptions
from passnet.bench.outcome.integrity_checks import BY_NAME
from passnet.bench.wire import message, replies, requests
from passnet.bench.wire.channel import MAX_REPLY_BYTES
from passnet.bench.wire.message import MalformedMessage, WireMessage, read
from passnet.bench.wire.replies import (
    NearMissRow,
    OutputFacts,
    OutputForm,
    Reply,
    RuleNeeds,
    RuleWork,
    WorkerAnswer,
    WrapperCall,
)
from passnet.bench.wire.requests import Order, Request, reply_to
from passnet.bench.wire.shared_buffers import BufferLayout

FACTS = OutputFacts((1,), (6, 3), (0, 0))
PLACES = BufferLayout.plan("cpu", [((2, 3), "float32")], [], places=1, slots=1)
REQUESTS: tuple[Request[Any], ...] = (
    requests.Hello(device="cpu"),
    requests.LoadPasses(
        passes=requests.PassFiles({"a.py": "x = 1"}, "hash"),
        scratch="s",
        cache="c",
        device="cpu",
        simulate=False,
        on_processor=True,
    ),
    requests.Describe(),
    requests.Rewrite(graph="g", device="cpu", raw=True),
    requests.BuildProgram(graph="g", device="cpu", seed=7, compiler="eager"),
    requests.Freeze(seed=7),
    requests.Probe(seed=7),
    requests.LendBuffers(name="timing", layout=PLACES, handle=None),
    requests.Expect(),
    requests.Roughen(look="up", seed=3),
    requests.AskDull(),
    requests.Follow(hard=True, hidden=False, seconds=1.5),
    requests.RunBlock(
        variant="direct",
        mode="ghost",
        fill=0,
        share=0.5,
        facts=FACTS,
        yields=False,
        team=0,
        drawn=False,
        pads=(64, 128),
        swept=0,
    ),
    requests.TakeOrders(cores=(1, 2)),
    requests.AddDraws(places=PLACES, tables=PLACES),
    requests.DropDraws(first=3),
    requests.TimeEvents(calls=3, draw=1, key=(5, 1 << 62)),
    requests.Capture(copied=True),
    requests.RunPublished(compiler="eager", warmup=2, trials=3),
    requests.CompileTriton(seed=7),
    requests.Extra(name="ping", arguments={"a": [1, None, {"b": "c"}]}),
)
REPLIES = tuple(get_args(get_args(replies.AnyReply)[0]))
KINDS = [kind.model_fields["kind"].default for kind in REPLIES]
# A second on a quiet machine, and room for a busy one.
SOON_S, SMALL_BYTES = 20.0, 1 << 30


def test_every_request_is_carried_whole() -> None:
    known = set(get_args(get_args(requests.AnyRequest)[0])) - {requests.Exit}
    assert {type(request) for request in REQUESTS} == known
    for request in REQUESTS:
        assert read(Order, Order(id=5, request=cast(Any, request)).encoded()).request == request
        assert reply_to(request) in REPLIES


NEAR_MISS = NearMissRow(graph="g", rule="r", pattern_node="n", expected="e", found="f", reason="why")
RULE_WORK = RuleWork(rule="r", tried=1, rejected_early=0, matched=1, refused=0, replaced=1, us=1.0)
FILLED: tuple[Reply, ...] = (
    replies.Done(),
    replies.Failed(failure="no_match", message="m", trace="t", near_misses=(NEAR_MISS,)),
    replies.Layers(layers=("seccomp",)),
    replies.Described(rules=(RuleNeeds(rule="r", operations=("relu", "exp"), structure="s"),)),
    replies.RewriteDone(diff="+", rules=(RULE_WORK,), replacements={"r": 1}),
    replies.ProgramBuilt(replacements={"r": 1}, near_misses=(NEAR_MISS,)),
    replies.CallsRecorded(not_frozen={"r": "why"}),
    replies.Probed(
        outputs=(OutputForm(shape=(2, 3), dtype="float32", stride=(3, 1), ordered=True),), mutated=(0,), wide=True,
        steady=True, choosers=2, asked=((0, "nan"), (0, "-inf")), facts=FACTS, peak=5, twin=6,
    ),
    replies.Dullness(dull=True),
    replies.ChoicesFollowed(levels=((0, -5), (1, None))),
    replies.BlockDone(
        calls=3, span_us=1.5, notes=(("library_call", "a"), ("kept_state", "b")), skipped=2,
        activity=(
            WrapperCall(wrapper="w", kernels={"k": 1}, fresh=True),
            WrapperCall(wrapper="w", kernels=None, fresh=False),
        ),
    ),
    replies.DrawsAdded(first=3),
    replies.EventTimes(gpu_us=(1.0, 2.5), host_us=(0.5, 0.25)),
    replies.CaptureDone(),
    replies.CaptureDone(why="RuntimeError: it waits for the device"),
    replies.PublishedTimes(compiled_us=(1.0,), eager_us=(2.0, 3.0)),
    replies.KernelsCompiled(lines=("a", "b")),
    replies.ExtraDone(value={"a": [1, None]}),
)  # fmt: skip


def test_every_reply_is_carried_whole() -> None:
    assert {type(reply) for reply in FILLED} == set(REPLIES)
    for reply in FILLED:
        assert read(WorkerAnswer, WorkerAnswer(id=1, reply=cast(Any, reply)).encoded()).reply == reply


def test_the_notes_of_a_worker_are_checks_of_the_table() -> None:
    assert set(get_args(replies.NoteName)) <= set(BY_NAME)


def test_texts_are_cut_and_half_a_character_is_written() -> None:
    failed = replies.Failed(failure="exception", message="\ud800" + "x" * 10**6)
    assert failed.message.startswith("?x") and len(failed.message) == message.MAX_TEXT
    (name, reason) = next(iter(replies.CallsRecorded(not_frozen={"r" * 1000: "why " * 1000}).not_frozen.items()))
    assert (len(name), len(reason)) == (200, 400)
    assert len(replies.CaptureDone(why="w" * 10**6).why or "") == 300
    reply = read(WorkerAnswer, WorkerAnswer(id=1, reply=failed).encoded()).reply
    assert reply == failed


MISS = dict.fromkeys(("graph", "rule", "pattern_node", "expected", "found", "reason"), "x" * 10**4)
WORK = dict.fromkeys(("tried", "rejected_early", "matched", "refused", "replaced"), 1) | {"rule": "r", "us": 1.0}


def answer(reply: dict[str, Any]) -> Reply:
    return read(WorkerAnswer, json.dumps({"id": 1, "reply": reply}).encode()).reply


def test_endless_near_misses_are_cut() -> None:
    built = answer({"kind": "built", "near_misses": [MISS] * 150})
    assert isinstance(built, replies.ProgramBuilt)
    assert len(built.near_misses) == 100
    row = built.near_misses[0].on("g")
    assert row["graph"] == "g" and "place" not in row
    assert max(map(len, row.values())) == message.MAX_TEXT


@pytest.mark.parametrize(
    "reply",
    [
        {"kind": "built", "replacements": {"r" * 10**6: 1}},
        {"kind": "built", "replacements": {str(i): 1 for i in range(5000)}},
        {"kind": "built", "replacements": {"r": True}},
        {"kind": "built", "replacements": {"r": -1}},
        {"kind": "built", "near_misses": [{"reason": "no more"}]},
        {"kind": "frozen"},
        {"kind": "frozen", "not_frozen": []},
        {"kind": "frozen", "not_frozen": {"rule": 3}},
        {"kind": "block", "span_us": float("nan")},
        {"kind": "block", "span_us": "1"},
        {"kind": "block", "notes": [["no such check", "x"]]},
        {"kind": "block", "notes": [["library_call"]]},
        {"kind": "block", "activity": [{"wrapper": "w", "kernels": {"k": "1"}, "fresh": True}]},
        {"kind": "block", "activity": [{"wrapper": "w", "kernels": {}}]},
        {"kind": "events", "gpu_us": []},
        {"kind": "events", "gpu_us": [0.0]},
        {"kind": "events", "gpu_us": [1e300]},
        {"kind": "published", "compiled_us": [1.0], "eager_us": [float("inf")]},
        {"kind": "kernels", "lines": 5},
        {"kind": "described", "rules": [{"rule": "r", "operations": [1], "structure": "s"}]},
        *({"kind": "rewrite", "diff": "", "replacements": {}, "rules": [WORK | {"tried": x}]} for x in (None, "x", -1)),
    ],
)
def test_another_form_is_malformed(reply: dict[str, Any]) -> None:
    with pytest.raises(MalformedMessage, match="no WorkerAnswer"):
        answer(reply)


# --- a worker that answers anything at all -----------------------------------------------------------------------


class Hostile:
    """A worker of which only the channel is there: what it answers is put into it by the test."""

    lost = None  # the fork server lives

    def __init__(self, directory: Path) -> None:
        self.worker = Worker(cast(Any, self), WorkerOptions("worker", WorkerLimits(), (), 1, directory / "log"))

    def fork(self, order: object, sock: Any, log_fd: int) -> ForkedProcess:
        read_end, self.alive = os.pipe()
        self.theirs = sock.dup()
        return ForkedProcess(1 << 30, read_end)  # no process has such a number

    def sweep(self) -> None:
        """Nothing was left behind."""

    def status(self, pid: int) -> int | None:
        return None

    def answers(self, request: Request[Any], body: bytes, *, framed: bool = True) -> Reply | WorkerFailure:
        """What comes of these bytes in the place of a reply; `%ID%` stands for the number of the request."""
        self.worker.send(request)
        body = body.replace(b"%ID%", str(self.worker._asked).encode())
        sender = threading.Thread(target=self._send, args=(struct.pack("<I", len(body)) + body if framed else body,))
        sender.start()
        try:
            return self.worker.answer(request, 30.0)
        except WorkerFailure as failure:
            return failure
        finally:
            self.worker.close()
            sender.join()
            self.theirs.close()

    def _send(self, data: bytes) -> None:
        """All of it, then the end of the process."""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.theirs.sendall(data)
            self.theirs.shutdown(socket.SHUT_WR)
        os.close(self.alive)  # the descriptor of an ended process is readable


def is_due(request: Request[Any], found: Reply | WorkerFailure) -> bool:
    return isinstance(found, reply_to(request) | WorkerFailure)  # type: ignore[operator]


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(KINDS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
fields = sorted({name for kind in REPLIES for name in kind.model_fields} - {"kind"})
any_replies = st.builds(
    lambda kind, rest: {"kind": kind, **rest},
    st.sampled_from(KINDS),
    st.dictionaries(st.sampled_from(fields), values, max_size=5),
)
anywhere = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@given(st.sampled_from(REQUESTS), st.binary(max_size=200), st.booleans())
@anywhere
def test_of_any_bytes_comes_a_reply_or_a_failure(
    tmp_path: Path, request_: Request[Any], body: bytes, framed: bool
) -> None:
    assert is_due(request_, Hostile(tmp_path).answers(request_, body, framed=framed))


@given(st.sampled_from(REQUESTS), values | any_replies)
@anywhere
def test_of_any_json_comes_a_reply_or_a_failure(tmp_path: Path, request_: Request[Any], value: Any) -> None:
    body = b'{"id": %ID%, "reply": ' + json.dumps(value).encode() + b"}"
    assert is_due(request_, Hostile(tmp_path).answers(request_, body))


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request_: request_.kind)
def test_of_every_kind_of_reply_comes_what_is_due_or_a_failure(tmp_path: Path, request_: Request[Any]) -> None:
    for kind in KINDS:
        body = b'{"id": %ID%, "reply": ' + json.dumps({"kind": kind}).encode() + b"}"
        assert is_due(request_, Hostile(tmp_path).answers(request_, body))


def collections(kind: type[WireMessage]) -> Iterator[str]:
    """The fields of a reply that hold many things."""
    for name, field in kind.model_fields.items():
        if any(word in str(field.annotation) for word in ("tuple", "dict", "Json", "frozenset")):
            yield name


@pytest.mark.parametrize("filling", ["1", pytest.param("[[1]]", marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", REPLIES, ids=lambda kind: kind.__name__)
def test_the_largest_reply_costs_little(tmp_path: Path, kind: type[BaseModel], filling: str) -> None:
    """Of what is looked at one by one, each wrong element would cost an error: seconds and gigabytes for a megabyte."""
    request = REQUESTS[0]
    for name in collections(cast(Any, kind)):
        for opened, closed, each in (("[", "]", filling), ("{", "}", f'"%d": {filling}')):
            head = f'{{"id": %ID%, "reply": {{"kind": "{kind.model_fields["kind"].default}", "{name}": {opened}'
            count = (MAX_REPLY_BYTES - len(head) - 40) // (len(each) + 7)
            items = ",".join(each % i if "%d" in each else each for i in range(count))
            before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
            found = Hostile(tmp_path).answers(request, f"{head}{items}{closed}}}}}".encode())
            assert is_due(request, found)
            assert time.process_time() - began < SOON_S
            assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10 < SMALL_BYTES
