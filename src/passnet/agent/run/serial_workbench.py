"""A workbench for several threads. The thread that has the device makes their calls, one at a time."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import TypeVar, cast

from passnet.agent.record.figures import Evaluation
from passnet.agent.run.hand_over import HandOverQueue, RunStopped
from passnet.agent.workbench.documents import CheckDocument, InspectionDocument, ProfileDocument
from passnet.agent.workbench.protocol import Workbench
from passnet.graph.targets import Target

T = TypeVar("T")


class SerialWorkbench:
    """A workbench whose calls wait for one thread.

    `serve_one` makes one waiting call. `close` refuses all others.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.device, self.rules = workbench.device, workbench.rules
        self._workbench = workbench
        self._calls = HandOverQueue[Callable[[], object], object]()
        self._waited = threading.local()

    @property
    def waited_s(self) -> float:
        """Seconds that calls of this thread waited for their turn and for the device."""
        return cast("float", getattr(self._waited, "seconds", 0.0))

    def check(self, target: Target) -> CheckDocument:
        return self._ask(lambda: self._workbench.check(target))

    def evaluate(self, target: Target, names: frozenset[str], *, quick: bool, again: bool = False) -> Evaluation:
        return self._ask(lambda: self._workbench.evaluate(target, names, quick=quick, again=again))

    def inspect(self, target: Target, name: str) -> InspectionDocument:
        return self._ask(lambda: self._workbench.inspect(target, name))

    def profile(self, target: Target, name: str) -> ProfileDocument:
        return self._ask(lambda: self._workbench.profile(target, name))

    def kernel_source(self, target: Target, name: str, first: int | None, last: int | None) -> str:
        return self._ask(lambda: self._workbench.kernel_source(target, name, first, last))

    def serve_one(self, timeout_s: float) -> None:
        """Make the next call. Return when none came in time. An interruption goes to the caller."""
        try:
            call = self._calls.next(timeout_s)
        except queue.Empty:
            return
        try:
            answer = call()
        except Exception as error:  # noqa: BLE001  any error belongs to the thread that asked
            self._calls.fail(error)
        except BaseException:  # an interruption stops the thread that asked, and the caller too
            self._calls.fail(RunStopped())
            raise
        else:
            self._calls.answer(answer)

    def close(self) -> None:
        """Stop every thread that waits, or asks from now on."""
        self._calls.close(RunStopped())

    def _ask(self, call: Callable[[], T]) -> T:
        asked, used = time.monotonic(), 0.0

        def timed() -> T:
            nonlocal used
            began, before = time.monotonic(), self._workbench.waited_s
            try:
                return call()
            finally:
                used = time.monotonic() - began - (self._workbench.waited_s - before)

        try:
            return cast("T", self._calls.ask(timed).result())
        finally:
            self._waited.seconds = self.waited_s + max(0.0, time.monotonic() - asked - used)
