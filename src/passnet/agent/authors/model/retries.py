"""Asking again: exponential backoff with jitter, as long as the endpoint asks for, never longer than the episode has.

The openai library's own retries are turned off: they also repeat what cannot work (an exhausted account is a 429), keep
no long waits that a rate limit asks for, do not cover answers that cannot be read, and know no budget of time.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from passnet.agent.authors.model.faults import Fault, FaultKind

T = TypeVar("T")
_log = logging.getLogger(__name__)
_FIRST_S, _MOST_S = 1.0, 60.0
# A longer wait is a limit per day, not per minute: the run had better stop and go on later.
LONGEST_S = 600.0
_UNREACHABLE_RETRIES = 2


class OutOfTime(Exception):
    """The episode's time would be over before the next try."""


@dataclass(frozen=True)
class RetryPolicy:
    """`retries` after the first try. `known`: the endpoint has answered before, so nobody there is a passing fault."""

    retries: int
    rng: random.Random
    sleep: Callable[[float], None]
    left_s: Callable[[], float | None]
    known: bool

    def ask(self, request: Callable[[], T]) -> tuple[T, int]:
        """The answer, and how many tries failed before it. Raises the last Fault, or OutOfTime."""
        failed = 0
        while True:
            try:
                return request(), failed
            except Fault as fault:
                if not self._worth_another(fault, failed):
                    raise
                self._wait(fault, failed)
                failed += 1

    def _worth_another(self, fault: Fault, failed: int) -> bool:
        if fault.kind is FaultKind.UNREACHABLE and not self.known:
            return failed < min(self.retries, _UNREACHABLE_RETRIES)
        passing = fault.kind in {FaultKind.TRANSIENT, FaultKind.UNREACHABLE}
        return passing and failed < self.retries and (fault.wait_s or 0.0) <= LONGEST_S

    def _wait(self, fault: Fault, failed: int) -> None:
        delay = self.delay_s(fault, failed)
        left = self.left_s()
        if left is not None and delay >= left:
            raise OutOfTime
        _log.warning("%s; trying again in %.1f s", fault.text, delay)
        self.sleep(delay)

    def delay_s(self, fault: Fault, failed: int) -> float:
        """At least what the endpoint asks for, so that several episodes do not come back at once."""
        draw = self.rng.random()
        if fault.wait_s is not None:
            return fault.wait_s * (1.0 + 0.1 * draw)
        return min(_MOST_S, _FIRST_S * 2.0 ** min(failed, 30)) * (0.5 + 0.5 * draw)
