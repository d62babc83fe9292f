"""A workbench for several threads: what they ask is done by the thread that has the device, one call at a time."""

from __future__ import annotations

import queue
from collections.abc import Callable
from typing import TypeVar, cast

from passnet.agent.record.figures import Evaluation
from passnet.agent.run.hand_over import HandOverQueue, RunStopped
from passnet.agent.workbench.documents import CheckDocument, InspectionDocument, ProfileDocument
from passnet.agent.workbench.protocol import Workbench
from passnet.graph.targets import Target

T = TypeVar("T")


class SerialWorkbench:
    """`serve_one` makes one call that was asked for, `close` refuses all others."""

    def __init__(self, workbench: Workbench) -> None:
        self.device, self.rules = workbench.device, workbench.rules
        self._workbench = workbench
        self._calls = HandOverQueue[Callable[[], object], object]()

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
        """Make the next call, or return when nothing was asked in time. An interruption goes to the caller."""
        try:
            call = self._calls.next(timeout_s)
        except queue.Empty:
            return
        try:
            answer = call()
        except BaseException as error:
            # An error belongs to whoever asked. An interruption stops whoever asked, and the caller too.
            if isinstance(error, Exception):
                self._calls.fail(error)
                return
            self._calls.fail(RunStopped())
            raise
        self._calls.answer(answer)

    def close(self) -> None:
        """Whoever asks from now on, or waits, is stopped."""
        self._calls.close(RunStopped())

    def _ask(self, call: Callable[[], T]) -> T:
        return cast("T", self._calls.ask(call).result())
