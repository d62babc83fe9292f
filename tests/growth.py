"""Whether work grows in proportion to a text. Two sizes are compared, so a slow machine changes nothing."""

from __future__ import annotations

import time
from collections.abc import Callable

_TIMES, _MOST = 16, 80  # work that grows with the square takes 256 times as long


def grows_in_proportion(work: Callable[[int], object], size: int) -> bool:
    """Whether `work(16 * size)` takes about 16 times as long as `work(size)`. Seconds of this process are counted."""
    small = min(_seconds(work, size) for _ in range(3))
    large = min(_seconds(work, _TIMES * size) for _ in range(2))
    return large < _MOST * max(small, 1e-4)


def _seconds(work: Callable[[int], object], size: int) -> float:
    began = time.process_time()
    work(size)
    return time.process_time() - began
