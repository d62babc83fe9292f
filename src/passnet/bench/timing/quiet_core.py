"""Where one graph is measured: on cores that are quiet, as long as its patience lasts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

# A candidate has half as many blocks as eager and its control. Where far more of its blocks than of theirs are followed
# by a slow core, it may be the cause, and they count.
_FAIR, _FREE = 1.5, 10
# Who looked so long ago need not look again.
_JUST_S = 0.002


@dataclass
class QuietCore:
    """Looks for a quiet core before a block, and whether it is still quiet after it.

    `patience_s`: what is left for waiting, moving and blocks that do not count. When it is used up, all blocks count.
    `find_quiet`: goes where it is quiet, within so many seconds, and says how many it took. `is_slow`: whether the
    workers' core is slow now. No worker may run while one of these is asked.
    """

    patience_s: float = 0.0
    find_quiet: Callable[[float], float] = lambda patience_s: 0.0
    is_slow: Callable[[], bool] = lambda: False
    set_aside: int = 0
    on_slow_core: int = 0
    _of_candidate: int = 0
    _began: float = 0.0
    _seen_quiet: float = -math.inf

    def quieten(self) -> None:
        """Go where it is quiet, unless it just was."""
        if self.patience_s > 0 and time.monotonic() - self._seen_quiet > _JUST_S:
            self.patience_s -= self.find_quiet(self.patience_s)
        self._began = time.monotonic()

    def counts(self, *, candidate: bool = False) -> bool:
        """After a block: whether it counts, because the core is as quick as before, or because patience is over."""
        if not self.is_slow():
            self._seen_quiet = time.monotonic()
            return True
        self._seen_quiet = -math.inf
        others = self.set_aside - self._of_candidate
        if self.patience_s <= 0 or (candidate and self._of_candidate >= _FAIR * others + _FREE):
            self.on_slow_core += 1
            return True
        self.patience_s -= time.monotonic() - self._began
        self.set_aside += 1
        self._of_candidate += candidate
        return False

    def figures(self) -> dict[str, int]:
        """What a record says of it."""
        return {"set_aside": self.set_aside, "on_slow_core": self.on_slow_core}
