"""Requests of other threads are answered in order by the thread that serves, and none waits for ever."""

from __future__ import annotations

import queue

import pytest

from passnet.agent.run.hand_over import HandOverQueue, ReportingThread, RunStopped
from passnet.agent.run.serial_workbench import SerialWorkbench
from passnet.errors import UsageError
from passnet.graph.targets import Target
from tests.agent.agent_helpers import FakeWorkbench

NO_TASK = Target("task", (), None)


def test_requests_are_taken_in_order_and_one_put_back_comes_first() -> None:
    calls = HandOverQueue[str, str]()
    first, second = calls.ask("a"), calls.ask("b")
    assert calls.next() == "a" and calls.is_open
    calls.put_back()
    assert calls.next() == "a"
    calls.answer("A")
    assert calls.next() == "b"
    calls.fail(UsageError("no"))
    assert first.result(1) == "A"
    with pytest.raises(UsageError):
        second.result(1)


def test_a_request_that_was_taken_back_is_not_served() -> None:
    calls = HandOverQueue[str, str]()
    assert calls.ask("a").cancel()
    calls.ask("b")
    assert calls.next() == "b"


def test_whoever_asks_after_the_end_is_stopped_with_its_reason() -> None:
    calls = HandOverQueue[str, str]()
    waiting = calls.ask("a")
    assert calls.next() == "a"
    calls.close(RunStopped("gone"))
    for answer in (waiting, calls.ask("b")):
        with pytest.raises(RunStopped, match="gone"):
            answer.result(1)


def test_the_serving_thread_hears_that_nothing_more_comes() -> None:
    calls = HandOverQueue[str, str]()
    with pytest.raises(queue.Empty):
        calls.next(0.01)
    calls.leave()
    for _ in range(2):
        with pytest.raises(RunStopped):
            calls.next()


def test_an_error_belongs_to_whoever_asked() -> None:
    error = UsageError("no such statement")
    shared, seen = asked_for_what_fails(error)
    shared.serve_one(10)
    assert seen.get(timeout=10) is error


def test_an_interruption_stops_whoever_asked_and_the_serving_thread() -> None:
    shared, seen = asked_for_what_fails(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        shared.serve_one(10)
    assert isinstance(seen.get(timeout=10), RunStopped)


def asked_for_what_fails(error: BaseException) -> tuple[SerialWorkbench, queue.Queue[BaseException | None]]:
    """A thread asks a workbench that raises this; what the thread ends with."""
    bench = FakeWorkbench()
    bench.fails = error
    shared = SerialWorkbench(bench)
    seen = queue.Queue[BaseException | None]()
    ReportingThread("asks", lambda: _evaluate(shared), seen.put).start()
    return shared, seen


def _evaluate(shared: SerialWorkbench) -> None:
    shared.evaluate(NO_TASK, frozenset(), quick=True)
