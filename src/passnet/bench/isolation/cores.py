"""The cores of a device: one for the controller that measures, some for its workers, the others for preparing.

Some more are kept free, so that there is another place to measure when a neighbour of this machine makes one slow.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

# At most so many cores are kept free, and so many are left for preparing.
_MOST_SPARE, _PREPARING = 6, 4


@dataclass(frozen=True)
class Cores:
    """`controller` and `workers`: where is measured. Empty where there are too few cores to part them.

    `preparing`: where programs are built meanwhile, or before. It may hold the others where there are no more.
    `spare`: where nobody prepares, to measure on in place of the first two.
    """

    controller: tuple[int, ...]
    workers: tuple[int, ...]
    preparing: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()

    @property
    def places(self) -> tuple[int, ...]:
        """Where may be measured."""
        return *self.workers, *self.spare, *self.controller

    @property
    def all(self) -> tuple[int, ...]:
        """Every core that this lane may use while it holds the device. Empty where there are too few to part them."""
        return tuple(sorted({*self.places, *self.preparing}))

    @property
    def part_roles(self) -> bool:
        """Whether a reference and a candidate that prepare at the same time have different cores."""
        return len(self.preparing) > 1

    @classmethod
    def divide(cls, threads: int, lane: int = 0, lanes: int = 1) -> Cores:
        """The last `threads` allowed cores go to the workers, and one of the rest to the controller, which spins on it.

        Of the rest, some are spare where that leaves enough, and the others are shared out to the lanes. Reads this
        process's affinity, so it must be called before the controller narrows it.
        """
        allowed = sorted(os.sched_getaffinity(0))
        if len(allowed) <= threads:
            return cls((), ())
        workers = tuple(allowed[-threads:])
        others = [core for core in allowed if core not in workers]
        apart = [core for core in others if not _siblings(core) & set(workers)]
        controller = (apart or others)[-1]  # one core, near the workers': a spinning controller must not migrate
        busy = _siblings(controller).union(*map(_siblings, workers))
        free = [core for core in others if core not in busy]
        spare: list[int] = []
        while threads == 1 and len(spare) < _MOST_SPARE and len(free) > _PREPARING:
            spare.append(free[-1])
            free = [core for core in free if core not in _siblings(spare[-1])]
        return cls((controller,), workers, tuple(free[lane::lanes]) or tuple(allowed), tuple(spare))


def _siblings(core: int) -> set[int]:
    """Hardware threads that share a core with this one. It is in the list too."""
    path = Path(f"/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list")
    try:
        text = path.read_text().strip()
    except OSError:
        return {core}
    found: set[int] = set()
    for part in text.split(","):
        low, _, high = part.partition("-")
        found |= set(range(int(low), int(high or low) + 1))
    return found | {core}
