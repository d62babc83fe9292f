"""Passes that take long to read: they keep nobody from the service, are ended with their client, and have a limit."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from passnet.errors import UsageError
from passnet.rewards import readers
from passnet.rewards.app import application
from passnet.rewards.catalogue import TaskCatalogue
from passnet.rewards.definition import NoReward
from passnet.rewards.readers import PassReader
from passnet.rewards.reading import read_passes
from passnet.rewards.service import QueueFull, RewardService
from passnet.score import Outcome
from tests.rewards.test_service import FILES, TASK, TASKS, HeldFleet, HeldSession, body, until

# Texts whose names tell the process how it shall fail.
ENDLESS, DEADLY = {"endless.py": ""}, {"deadly.py": ""}
_SLOWED = """
import json, os, sys; sys.path[:] = json.loads(sys.argv[1])
from passnet.rewards import reader_main
known = reader_main.read_passes
def read_passes(passes, *rest):
    if "deadly.py" in passes:
        os._exit(1)
    while "endless.py" in passes:
        pass
    return known(passes, *rest)
reader_main.read_passes = read_passes
reader_main.main()
"""


@pytest.fixture(autouse=True)
def slowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "_BOOT", _SLOWED)


@pytest.fixture
def reader() -> Iterator[PassReader]:
    reader = PassReader()
    yield reader
    reader.close()
    reader.forget()


@pytest.fixture
def service() -> Iterator[RewardService]:
    fleet = HeldFleet()
    fleet.go.set()
    service = RewardService(lambda: HeldSession(fleet), most=1, tasks=TaskCatalogue([TASKS]), paths=False)
    service.start()
    yield service
    service.close()


def test_another_process_reads_the_same(reader: PassReader) -> None:
    for passes in (FILES, {"a.py": "x = 1"}, FILES | {"a.py": "import os\n"}):
        assert reader.read(passes, None, "strict") == read_passes(passes, None, "strict")
    imports = next(name for name in FILES if name.endswith(".py"))
    refused = FILES | {imports: "import socket\n" + FILES[imports]}
    found = reader.read(refused, None, "strict")
    assert found.violations and found == read_passes(refused, None, "strict")
    with pytest.raises(UsageError, match="no such directory of passes"):
        reader.read(Path("/no/such"), None, "strict")


def test_what_takes_too_long_to_read_is_no_pass_set(reader: PassReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "MOST_S", 0.2)
    found = reader.read(ENDLESS, None, "strict")
    assert found.unreadable == "reading the passes takes more than 0.2 s of a processor"
    monkeypatch.undo()
    assert reader.read(FILES, None, "strict").unreadable is None


def test_a_process_that_ends_is_no_reward_and_begins_anew(reader: PassReader) -> None:
    with pytest.raises(NoReward, match="the process that reads passes ended"):
        reader.read(DEADLY, None, "strict")
    assert reader.read(FILES, None, "strict").unreadable is None
    reader.end()  # its client left just when all was read
    assert reader.read(FILES, None, "strict").unreadable is None


def test_a_text_that_is_read_for_ever_keeps_nobody_waiting(service: RewardService) -> None:
    endless = service.submit(TASK, ENDLESS)
    assert service.submit(TASK, FILES).answer.result(60).outcome is Outcome.CORRECT
    assert not endless.answer.done() and service.unfinished == 1


def test_who_leaves_while_passes_are_read_gives_the_place_back(service: RewardService) -> None:
    asked = [service.submit(TASK, ENDLESS) for _ in range(2)]
    until(lambda: all(ticket.reader is not None for ticket in asked))
    with pytest.raises(QueueFull):
        service.submit(TASK, FILES)
    for ticket in asked:
        service.cancel(ticket)
        with pytest.raises(CancelledError):
            ticket.answer.result(60)
    assert service.unfinished == 0 and service.figures.answers["cancelled"] == 2
    assert service.submit(TASK, FILES).answer.result(60).outcome is Outcome.CORRECT


def test_who_leaves_before_passes_are_read_gives_the_place_back(
    service: RewardService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_most", 2)
    asked = [service.submit(TASK, ENDLESS) for _ in range(2)]
    until(lambda: all(ticket.reader is not None for ticket in asked))
    waits = service.submit(TASK, FILES)
    service.cancel(waits)
    assert waits.answer.cancelled() and service.unfinished == 2


def test_a_service_that_stops_reads_no_further(service: RewardService) -> None:
    asked = [service.submit(TASK, ENDLESS) for _ in range(2)]
    service.stop()
    for ticket in asked:
        assert "the service is stopping" in str(ticket.answer.exception(60))
    service.close()
    assert service.unfinished == 0


def test_a_client_that_leaves_while_its_passes_are_read_is_noticed(service: RewardService) -> None:
    left = [{"type": "http.request", "body": body(passes=ENDLESS), "more_body": False}, {"type": "http.disconnect"}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return left.pop(0) if len(left) > 1 else left[0]

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(application(service)(_SCOPE, receive, send))
    assert sent[0]["status"] == 499
    until(lambda: service.unfinished == 0)


def test_a_request_that_is_cancelled_is_answered(service: RewardService) -> None:
    """As uvicorn cancels what is still there some seconds after a signal: a body that does not come."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(3600)
        raise AssertionError("nobody waits so long")

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def cancelled() -> None:
        task = asyncio.create_task(application(service)(_SCOPE, receive, send))
        await asyncio.sleep(0.05)
        task.cancel()
        await task

    asyncio.run(cancelled())
    assert sent[0]["status"] == 503 and b"the service is stopping" in sent[1]["body"]


_SCOPE = {
    "type": "http", "method": "POST", "path": "/reward", "raw_path": b"/reward", "query_string": b"", "headers": [],
    "http_version": "1.1", "scheme": "http", "server": ("127.0.0.1", 1), "client": None, "root_path": "",
}  # fmt: skip
