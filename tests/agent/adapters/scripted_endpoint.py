"""An OpenAI-compatible endpoint on the loopback address that answers as a script says and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def called(name: str, **arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": name, "type": "function", "function": function}],
    }


def said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def _usage() -> dict[str, int]:
    return {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


def _whole(model: str, message: dict[str, Any], reason: str) -> bytes:
    choice = {"index": 0, "message": message, "finish_reason": reason}
    row = {"id": "x", "object": "chat.completion", "created": 0, "model": model, "choices": [choice]}
    return json.dumps(row | {"usage": _usage()}).encode()


def _events(model: str, message: dict[str, Any], reason: str) -> bytes:
    calls = [{"index": index, **call} for index, call in enumerate(message.get("tool_calls") or [])]
    delta = message | ({"tool_calls": calls} if calls else {})
    base = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": model}
    rows: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        {"choices": [], "usage": _usage()},
    ]
    return b"".join(b"data: " + json.dumps(base | row).encode() + b"\n\n" for row in rows) + b"data: [DONE]\n\n"


@contextmanager
def endpoint(answers: list[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The address, and the bodies of all requests so far. After the script every answer is a farewell."""
    bodies: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            message = answers[len(bodies)] if len(bodies) < len(answers) else said("done")
            bodies.append(body)
            reason = "tool_calls" if message.get("tool_calls") else "stop"
            stream = bool(body.get("stream"))
            data = _events(body["model"], message, reason) if stream else _whole(body["model"], message, reason)
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream" if stream else "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", bodies
    finally:
        server.shutdown()
        server.server_close()
