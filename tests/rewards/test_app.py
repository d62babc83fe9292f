"""`passnet serve` over sockets: clients that send too much, too slowly, or from too many connections are told so."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

import uvicorn

from passnet.rewards import app, connection
from passnet.rewards.catalogue import TaskCatalogue
from passnet.rewards.service import RewardService
from tests.child import ROOT, environment
from tests.rewards.test_service import FILES, TASK, TASKS, HeldFleet, HeldSession

# For what must happen at some time.
PATIENCE_S = 60.0
MOST = 3
SHORT_S = 0.3


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A service in a thread, whose one device answers at once."""
    monkeypatch.setattr(connection, "PATIENCE_S", SHORT_S)
    fleet = HeldFleet()
    fleet.go.set()
    service = RewardService(lambda: HeldSession(fleet), most=1, tasks=TaskCatalogue([TASKS]), paths=True)
    service.start()
    sock = app.bound("127.0.0.1", 0, public=False)
    config = uvicorn.Config(
        app.application(service), http=connection.connections(MOST), ws="none", log_level="error", lifespan="off"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
    thread.start()
    yield sock.getsockname()[1]
    server.should_exit = True
    thread.join(PATIENCE_S)
    service.close()
    sock.close()


def opened(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)


def answer(sock: socket.socket) -> tuple[int, str]:
    """The status and the reason of an answer, after which the connection ends."""
    data = b""
    while part := sock.recv(65536):
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    assert b"connection: close" in head.lower()
    return int(head.split()[1]), json.loads(body)["error"]


def closed(sock: socket.socket) -> bool:
    """Whether the connection ends without a word."""
    try:
        return not sock.recv(1)
    except ConnectionError:
        return True


def post(length: int | str, *, chunked: bool = False) -> bytes:
    size = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {length}"
    return f"POST /reward HTTP/1.1\r\nHost: x\r\n{size}\r\n\r\n".encode()


@pytest.mark.parametrize("length", [app.MAX_BODY_BYTES + 1, 10**12, "9" * 19])
def test_a_body_that_is_announced_too_large_is_refused_before_it_comes(port: int, length: int | str) -> None:
    with opened(port) as sock:
        sock.sendall(post(length))
        status, reason = answer(sock)
    assert (status, "too large" in reason) == (413, True)


def test_a_client_that_sends_all_of_it_first_sees_the_answer(port: int) -> None:
    large = b" " * (app.MAX_BODY_BYTES + (1 << 20))
    with opened(port) as sock:
        sock.sendall(post(len(large)) + large)
        assert answer(sock)[0] == 413
    with opened(port) as sock:
        sock.sendall(post(0, chunked=True) + b"%x\r\n%s\r\n0\r\n\r\n" % (len(large), large))
        assert answer(sock)[0] == 413


@pytest.mark.parametrize("begin", [b"", b"{", b'{"task":' + b" " * 10_000])
def test_a_body_that_does_not_come_is_refused_after_a_while(port: int, begin: bytes) -> None:
    with opened(port) as sock:
        sock.sendall(post(100_000) + begin)
        status, reason = answer(sock)
    assert (status, reason) == (408, f"the body did not come within {SHORT_S} s")


@pytest.mark.parametrize("begin", [b"", b"GET /health HTTP/1.1\r\nHost:"])
def test_a_connection_without_a_request_is_closed_after_a_while(port: int, begin: bytes) -> None:
    with opened(port) as sock:
        sock.sendall(begin)
        assert answer(sock) == (408, "no request came in time")


def test_a_request_after_another_may_not_take_for_ever_either(port: int) -> None:
    with opened(port) as sock:
        sock.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200 OK" in sock.recv(65536)
        sock.sendall(b"GET /health HTTP/1.1\r\nHost")
        assert answer(sock) == (408, "no request came in time")


def test_only_so_many_connections_are_served(port: int) -> None:
    held = [opened(port) for _ in range(MOST)]
    time.sleep(SHORT_S / 10)
    with opened(port) as sock:
        sock.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert answer(sock) == (503, "too many connections are open; ask again later")
    held += [opened(port) for _ in range(MOST)]
    with opened(port) as sock:
        assert closed(sock)
    for one in held:
        one.close()


def test_a_directory_that_is_no_task_is_not_searched(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "walk", None)
    body = json.dumps({"task": "/", "passes": FILES}).encode()
    with opened(port) as sock:
        head = post(len(body)).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        sock.sendall(head + body)
        status, reason = answer(sock)
    assert (status, "graph_list.txt" in reason) == (400, True)


def test_a_fault_of_the_service_is_told_in_json(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise SystemError("the parser")

    monkeypatch.setattr(RewardService, "submit", fails)
    body = b'{"task": "t", "passes": {}}'
    with opened(port) as sock:
        sock.sendall(closing(len(body)) + body)
        assert answer(sock) == (500, "the service failed: SystemError")


def closing(length: int) -> bytes:
    return post(length).replace(b"Host: x", b"Host: x\r\nConnection: close")


def long_text() -> dict[str, str]:
    """Passes that take seconds to read."""
    name = next(name for name in FILES if name.endswith(".py"))
    more = "\n".join(f"def f{i}(x):\n    y{i} = x\n    return y{i}" for i in range(3400))
    return FILES | {name: f"{FILES[name]}\n{more}\n"}


def test_sigterm_ends_the_service_and_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "passnet", "serve", "--port", "0", "--tasks", str(TASKS / TASK)]
    variables = environment(TMPDIR=str(tmp_path))
    process = subprocess.Popen(command, cwd=ROOT, env=variables, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    with process.stderr:
        place = process.stderr.readline()
        assert "rewards at http://" in place
        assert list(tmp_path.glob("passnet-*"))
        port = int(place.partition("127.0.0.1:")[2].partition("/")[0])
        long = json.dumps({"task": TASK, "passes": long_text()}).encode()
        with opened(port) as half, ExitStack() as held:
            half.sendall(closing(len(long)) + b"{")
            reading = [held.enter_context(opened(port)) for _ in range(8)]
            for sock in reading:
                sock.sendall(closing(len(long)) + long)
            while not list(tmp_path.glob("passnet-reader-*")):
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            assert [answer(sock) for sock in (*reading, half)] == [(503, "the service is stopping")] * 9
            assert process.wait(PATIENCE_S) == 130
        said = process.stderr.read()
    assert "Traceback" not in said and len(said.splitlines()) < 10, said
    assert not list(tmp_path.glob("passnet-*"))
