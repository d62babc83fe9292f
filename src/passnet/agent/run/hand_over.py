"""Hands requests to the one thread that has the device, and hands the answers back.

Workers end with the thread that started them, and torch's compilers work in one thread at a time. So one thread does
everything that needs the device, one request after the other. Authors and clients ask from other threads.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Q = TypeVar("Q")
A = TypeVar("A")


class RunStopped(BaseException):
    """The run is being stopped. No author may catch this and go on."""


@dataclass
class _Request(Generic[Q, A]):
    asked: Q
    answer: Future[A] = field(default_factory=Future)


class HandOverQueue(Generic[Q, A]):
    """Requests in order. Other threads call `ask`. The serving thread calls `next`, and then `answer` or `fail`.

    One request is open at a time. It is answered or put back before the next is taken.
    """

    def __init__(self) -> None:
        self._waiting: queue.Queue[_Request[Q, A] | None] = queue.Queue()
        self._again: _Request[Q, A] | None = None
        self._open: _Request[Q, A] | None = None
        self._stopped: RunStopped | None = None

    # --- the threads that ask --------------------------------------------------------------------------------

    def ask(self, asked: Q) -> Future[A]:
        """The future answer. It raises the error that `fail` was given, or RunStopped after `close`."""
        request = _Request[Q, A](asked)
        self._waiting.put(request)
        if self._stopped is not None:  # no thread takes it any more
            self.close(self._stopped)
        return request.answer

    def leave(self) -> None:
        """Ask nothing more. `next` raises RunStopped when all earlier requests are done."""
        self._waiting.put(None)

    # --- the thread that serves ------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether a request waits for its answer."""
        return self._open is not None

    def next(self, timeout_s: float | None = None) -> Q:
        """Wait for the next request.

        Raises RunStopped when no more will come. Raises queue.Empty after the timeout.
        """
        assert self._open is None, "every request is answered before the next is taken"
        while True:
            request, self._again = self._again or self._waiting.get(timeout=timeout_s), None
            if request is None:
                self._waiting.put(None)
                raise RunStopped
            # A request that was withdrawn before its turn is not done.
            if request.answer.running() or request.answer.set_running_or_notify_cancel():
                self._open = request
                return request.asked

    def put_back(self) -> None:
        """Let the open request come next again, for the next thread that takes it."""
        self._again, self._open = self._open, None

    def answer(self, answer: A) -> None:
        self._taken().set_result(answer)

    def fail(self, error: BaseException) -> None:
        self._taken().set_exception(error)

    def close(self, stopped: RunStopped) -> None:
        """Raise this for all requests that are open or come later."""
        self._stopped = stopped
        left = [self._open, self._again]
        self._open = self._again = None
        while not self._waiting.empty():
            left.append(self._waiting.get())
        for request in left:
            if request is not None and (request.answer.running() or request.answer.set_running_or_notify_cancel()):
                request.answer.set_exception(stopped)

    def _taken(self) -> Future[A]:
        assert self._open is not None, "something was asked"
        request, self._open = self._open, None
        return request.answer


class ReportingThread(threading.Thread):
    """A daemon thread that reports the end of its work, and the error that it raised."""

    def __init__(self, name: str, work: Callable[[], None], over: Callable[[BaseException | None], None]) -> None:
        super().__init__(name=name, daemon=True)
        self._work, self._over = work, over

    def run(self) -> None:
        failure: BaseException | None = None
        try:
            self._work()
        except BaseException as error:  # noqa: BLE001  whatever it is, the thread that serves has to hear of it
            failure = error
        self._over(failure)
