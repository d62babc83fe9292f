"""Asks again: exponential backoff with jitter.

A wait is at least as long as the endpoint asks for, and never longer than the episode's remaining time. The openai
library's own retries are turned off. They also repeat requests that cannot work (an exhausted account is a 429). They
do not keep the long waits that a rate limit asks for. They do not cover answers that cannot be read, and they know no
budget of time.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from passnet.agent.authors.model.faults import Fault, FaultKind
from passnet.logs import logger

T = TypeVar("T")
_log = logger(__name__)
_FIRST_S, _MOST_S = 1.0, 60.0
# A longer wait is a limit per day and not per minute. It is better to stop the run and go on later.
LONGEST_S = 600.0
_UNREACHABLE_RETRIES = 2


class OutOfTime(Exception):
    """The episode's time would be over before the next try."""


@dataclass(frozen=True)
class RetryPolicy:
    """`retries` come after the first try.

    `known` means that the endpoint has answered before. Then a failed connection is a passing fault.
    """

    retries: int
    rng: random.Random
    sleep: Callable[[float], None]
    left_s: Callable[[], float | None]
    known: bool

    def ask(self, request: Callable[[], T]) -> tuple[T, int]:
        """The answer, and the number of failed tries before it. Raises the last Fault, or OutOfTime."""
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
        """At least the wait that the endpoint asks for.

        The wait is random, so that several episodes do not return at once.
        """
        draw = self.rng.random()
        if fault.wait_s is not None:
            return fault.wait_s * (1.0 + 0.1 * draw)
        return min(_MOST_S, _FIRST_S * 2.0 ** min(failed, 30)) * (0.5 + 0.5 * draw)
