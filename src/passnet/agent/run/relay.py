"""Authors in threads, the workbench in one: hands what they ask for to the thread that has the device.

Workers die with the thread that started them, and torch's compilers know one thread at a time; so everything that a
workbench does happens where the relay is served, one thing after the other.
"""

from __future__ import annotations

import queue
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from passnet.agent.workbench.live import Evaluation, Workbench
from passnet.graph.targets import Target

T = TypeVar("T")


class RunStopped(BaseException):
    """The run is being stopped; no author may swallow this."""


class HandOverQueue:
    """A workbench for other threads. `serve_one` does one thing that was asked for, `close` refuses all others."""

    def __init__(self, workbench: Workbench) -> None:
        self.device, self.rules = workbench.device, workbench.rules
        self._workbench = workbench
        self._asked: queue.Queue[tuple[Callable[[], Any], Future[Any]]] = queue.Queue()
        self._closed = False

    def check(self, target: Target) -> dict[str, Any]:
        return self._ask(lambda: self._workbench.check(target))

    def evaluate(self, target: Target, names: frozenset[str], *, quick: bool, again: bool = False) -> Evaluation:
        return self._ask(lambda: self._workbench.evaluate(target, names, quick=quick, again=again))

    def inspect(self, target: Target, name: str) -> dict[str, Any]:
        return self._ask(lambda: self._workbench.inspect(target, name))

    def profile(self, target: Target, name: str) -> dict[str, Any]:
        return self._ask(lambda: self._workbench.profile(target, name))

    def kernel_source(self, target: Target, name: str, first: int | None, last: int | None) -> str:
        return self._ask(lambda: self._workbench.kernel_source(target, name, first, last))

    def serve_one(self, timeout_s: float) -> None:
        """Do the next thing, or return when nothing was asked in time. An interruption goes to the caller."""
        try:
            work, future = self._asked.get(timeout=timeout_s)
        except queue.Empty:
            return
        try:
            future.set_result(work())
        except Exception as error:  # noqa: BLE001  it belongs to whoever asked
            future.set_exception(error)
        except BaseException:  # an interruption: whoever asked is stopped, and so is the caller
            future.set_exception(RunStopped())
            raise

    def close(self) -> None:
        """Whoever asks from now on, or waits, is stopped."""
        self._closed = True
        while True:
            try:
                _, future = self._asked.get_nowait()
            except queue.Empty:
                return
            future.set_exception(RunStopped())

    def _ask(self, work: Callable[[], T]) -> T:
        if self._closed:
            raise RunStopped
        future: Future[T] = Future()
        self._asked.put((work, future))
        if self._closed:  # it may have been emptied before
            self.close()
        return future.result()
