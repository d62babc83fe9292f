"""An OpenAI-compatible endpoint on loopback that answers and fails as it is told, and keeps what it was asked."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-secret-of-the-test"


@dataclass(frozen=True)
class Status:
    """An answer of another status. `error`: the API's error object, or its message."""

    status: int
    error: Any = "it went wrong"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """Status 200 and any bytes."""

    body: bytes
    kind: str = "application/json"


DROP, HANG, DRIP = "drop", "hang", "drip"
Scripted = dict[str, Any] | Status | Raw | str | Callable[[dict[str, Any]], Any]


def says(text: str, *, usage: dict[str, Any] | None = None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """An answer in plain text."""
    usage = {"prompt_tokens": 100, "completion_tokens": 10} if usage is None else usage
    return {
        "id": "answer",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted-1",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}},
        ],
        "usage": usage,
    }


def calls(*made: tuple[str, Any], text: str = "", ids: Sequence[str] | None = None, **fields: Any) -> dict[str, Any]:
    """An answer with tool calls; arguments that are no text are written as JSON. Ids start anew in each answer."""
    rows = [
        {
            "id": ids[index] if ids is not None else f"c{index}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for index, (name, given) in enumerate(made)
    ]
    return says(text, tool_calls=rows, finish="tool_calls", **fields)


class ModelServer:
    """Answers in the order of the script; its last entry goes on for ever. `asked`: bodies, `headers`: theirs."""

    def __init__(self, *script: Scripted) -> None:
        self.script: list[Scripted] = list(script)
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.left = 0
        self._lock = threading.Lock()
        self._released = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()

    def next(self, body: dict[str, Any]) -> Scripted:
        with self._lock:
            self.asked.append(body)
            entry = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        return entry(body) if callable(entry) else entry

    def hang(self) -> None:
        self._released.wait(30)

    def released(self, seconds: float) -> bool:
        """Whether the server ends within so many seconds."""
        return self._released.wait(seconds)


def free_url() -> str:
    """An address at which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{one.getsockname()[1]}/v1"


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            server.headers.append({name.lower(): value for name, value in self.headers.items()})
            server.paths.append(self.path)
            entry = server.next(body)
            if entry == HANG:
                server.hang()
            if entry in (DROP, HANG):
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
            elif entry == DRIP:
                self._drip()
            elif isinstance(entry, Raw):
                self._answer(200, entry.body, {"content-type": entry.kind})
            elif isinstance(entry, Status):
                error = entry.error if isinstance(entry.error, dict) else {"message": entry.error}
                self._answer(entry.status, json.dumps({"error": error}).encode(), entry.headers)
            else:
                self._answer(200, json.dumps(entry).encode(), {})

        def _drip(self) -> None:
            """A blank line every now and then, as endpoints send to keep a connection, until the client leaves."""
            self.close_connection = True
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.end_headers()
            with suppress(OSError):
                while not server.released(0.05):
                    self.wfile.write(b"\n")
            server.left += 1

        def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in {"content-type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing on standard error."""

    return Handler
