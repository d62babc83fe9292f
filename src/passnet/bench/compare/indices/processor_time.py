"""A limit of the processor time of the thread that follows a candidate's choices.

On a busy machine a thread waits for a core, and that is not its own fault. The request that it works on has a limit by
the clock, too.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

# A score or an element of an output takes about a quarter of this in all orders of what ties.
_ELEMENT_S = 4e-6


class ProcessorTimeOver(Exception):
    """The thread has used up its time."""


@dataclass(frozen=True)
class ProcessorTime:
    """`until`: of this thread's processor time, in seconds."""

    until: float

    @classmethod
    def of(cls, seconds: float, elements: int = 0) -> ProcessorTime:
        """So many seconds from now on, and some more for each element that is looked at."""
        return cls(time.thread_time() + seconds + _ELEMENT_S * elements)

    @property
    def over(self) -> bool:
        return time.thread_time() > self.until

    def require(self) -> None:
        """Raise ProcessorTimeOver where there is none left."""
        if self.over:
            raise ProcessorTimeOver
