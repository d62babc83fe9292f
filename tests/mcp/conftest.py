"""A task of two variants, a bench without a device, and a server for both."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from passnet.mcp.calls import ClientCall, ClientCalls, ClientReply
from passnet.mcp.service import Service
from tests.agent.agent_helpers import FakeWorkbench, request_for, task_copy
from tests.mcp.mcp_helpers import Call, answered


@pytest.fixture
def bench() -> FakeWorkbench:
    return FakeWorkbench()


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return task_copy(tmp_path / "tasks")


@pytest.fixture
def serve(task: Path, tmp_path: Path, bench: FakeWorkbench) -> Callable[..., tuple[list[ClientReply], Any]]:
    """Make calls one after the other and leave; the replies, and the run's summary."""

    def serve(*calls: Call | Callable[[], None], path: Path = task, **fields: Any) -> tuple[list[ClientReply], Any]:
        queue = ClientCalls()
        service = Service(queue, request_for(path, tmp_path, "mcp", **fields))
        replies: list[ClientReply] = []

        def ask() -> None:
            try:
                for call in calls:
                    if callable(call):
                        call()
                    else:
                        replies.append(answered(queue, ClientCall(*call, "editor")))
            finally:
                queue.leave()

        client = threading.Thread(target=ask, daemon=True)
        client.start()
        try:
            found = service.run(lambda *_: bench)
        finally:
            client.join(10)
            serve.replies = replies  # type: ignore[attr-defined]
        return replies, found

    return serve
