"""How fast the workers' core is now. A virtual machine shares its cores, and its neighbours come and go.

Where somebody uses the other hardware thread of a core, all code on it takes 1.4 to 1.9 times as long: Python, eager's
dispatch, kernels. That lasts from milliseconds to many seconds, on one core and not on the next. It does not slow eager
and a candidate by the same factor. So what was measured meanwhile is of another machine.

A fixed piece of work of some 40 us shows it. A trusted process does it on the workers' core, while no worker runs and
the controller spins as it does during a call. No candidate can make it faster.
"""

from __future__ import annotations

import time
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

# A core is slow where the work takes so many times what it takes on a quiet one. A neighbour makes it 1.4 or more,
# unless he rests in between. Some machines often need 1.25 times as long just after a core was woken, with nobody
# there: blocks before such a look take what others do. So below the second factor a second look decides.
_SLOW, _SURELY = 1.12, 1.3
# What is taken for quiet: this share of the latest looks were quicker.
_QUIET_SHARE, _KEPT = 0.1, 1024
_FIRST_LOOKS, _BETWEEN_S = 50, 0.002


@dataclass
class CoreSpeed:
    """Whether the core is slow now, by what it takes when it is quiet.

    `look`: the nanoseconds of the fixed work on a core, None for where one is. A quiet core takes the same time as
    another one. `_seen`: the latest looks, `_ordered`: the same by size.
    """

    look: Callable[[int | None], float]
    _latest: dict[int | None, float] = field(default_factory=dict)
    _seen: deque[float] = field(default_factory=deque)
    _ordered: list[float] = field(default_factory=list)

    @property
    def knows(self) -> bool:
        return bool(self._seen)

    def learn(self, cores: Sequence[int | None]) -> None:
        """Look at these cores in turn for a tenth of a second: it is quiet on one of them."""
        for _ in range(_FIRST_LOOKS):
            for core in cores:
                self._looked(core)
            time.sleep(_BETWEEN_S)

    def is_slow(self, core: int | None) -> bool:
        took = self._looked(core)
        if _SLOW * self.quiet_ns < took < _SURELY * self.quiet_ns:
            took = self._looked(core)
        return took > _SLOW * self.quiet_ns

    def _looked(self, core: int | None) -> float:
        took = self._latest[core] = self.look(core)
        self._seen.append(took)
        insort(self._ordered, took)
        if len(self._seen) > _KEPT:
            del self._ordered[bisect_left(self._ordered, self._seen.popleft())]
        return took

    def by_latest(self, cores: Sequence[int]) -> list[int]:
        """These cores, those first that were the quickest when they were last looked at."""
        return sorted(cores, key=lambda core: self._latest.get(core, 0.0))

    @property
    def quiet_ns(self) -> float:
        """What the work takes on a quiet core."""
        return self._ordered[int(_QUIET_SHARE * len(self._ordered))]
