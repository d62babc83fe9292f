"""Turns at a device: lanes work side by side where they need no device, and use it one after another.

A lane is one controller with its own pairs of workers. Lanes of one device share a lock file. Processes that use one
GPU at the same time wait for each other, because it serves them in turns. So a lane that verifies or measures is alone,
and the others build programs meanwhile, on other cores.
"""

from __future__ import annotations

import fcntl
import functools
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from passnet.bench.isolation import limits
from passnet.bench.isolation.core_speed import CoreSpeed
from passnet.bench.isolation.cores import Cores
from passnet.bench.isolation.drawer import Drawer
from passnet.bench.isolation.worker_pair import ROLES, WorkerPair
from passnet.bench.wire.orders import Standing

_LOOK_AGAIN_S = 0.002


class _Phase(Enum):
    AWAY = "away"
    PREPARES = "prepares"
    MEASURES = "measures"


@dataclass(frozen=True)
class _Placement:
    """Where is measured now: the core of the controller, and those of the workers."""

    controller: tuple[int, ...]
    workers: tuple[int, ...]


@dataclass(frozen=True)
class Lane:
    """One of several controllers of a device. `file`: the lock by which they take turns."""

    number: int = 0
    of: int = 1
    file: Path | None = None


@dataclass
class DeviceTurn:
    """The phase of one lane. `file`: the lock that its lanes share; None where there is one lane only.

    `waited_s`: the seconds spent in waiting for other lanes. `drawer`: tells how fast the workers' core is.
    """

    cores: Cores
    file: Path | None = None
    waited_s: float = 0.0
    drawer: Drawer | None = None
    _fd: int = -1
    _phase: _Phase = _Phase.AWAY
    _placement: _Placement = _Placement((), ())

    def __post_init__(self) -> None:
        self._placement = _Placement(self.cores.controller, self.cores.workers)

    @functools.cached_property
    def _speed(self) -> CoreSpeed | None:
        return CoreSpeed(self.drawer.core_ns) if self.drawer is not None else None

    def leave(self, pairs: Sequence[WorkerPair] = ()) -> None:
        """Let the other lanes use the device. These workers spread over the preparing cores."""
        if self._fd >= 0 and self._phase is not _Phase.AWAY:
            fcntl.flock(self._fd, fcntl.LOCK_UN)
        self._phase = _Phase.AWAY
        self._spread(pairs)

    def prepare(self, pairs: Sequence[WorkerPair]) -> None:
        """Wait for the device, and hold it. These workers spread over the preparing cores."""
        if self._phase is _Phase.PREPARES:
            return
        self._hold()
        self._phase = _Phase.PREPARES
        self._spread(pairs)

    def measure(self, pairs: Sequence[WorkerPair]) -> None:
        """Wait for the device, and hold it. Controller and workers go to the measuring cores."""
        if self._phase is _Phase.MEASURES:
            return
        self._hold()
        self._phase = _Phase.MEASURES
        if self.cores.controller:
            limits.prefer(0, first=True)
            os.sched_setaffinity(0, self._placement.controller)
            self._sit(pairs)

    def slow(self) -> bool:
        """Whether the workers' core is slow now. None of them may run meanwhile."""
        return self._slow_at(self._placement)

    def quieten(self, pairs: Sequence[WorkerPair], patience_s: float) -> float:
        """Measure where it is quiet: on this core, on another one, or later. Returns the seconds that it took.

        After `patience_s` things stay as they are. No worker may run meanwhile.
        """
        began = time.monotonic()
        while self.slow() and time.monotonic() - began < patience_s:
            if any(self._moved(core, pairs) for core in self._others):
                break
            time.sleep(_LOOK_AGAIN_S)
        return time.monotonic() - began

    @property
    def _others(self) -> list[int]:
        """Where could be measured instead. Workers of several cores stay where they are."""
        here = self._placement.workers
        others = [core for core in self.cores.places if core not in here] if len(here) == 1 else []
        return self._speed.by_latest(others) if self._speed is not None else others

    def _moved(self, core: int, pairs: Sequence[WorkerPair]) -> bool:
        """Whether this core is quiet. Then the workers are measured there, and who was there takes their place."""
        there = core in self._placement.controller
        placement = _Placement(self._placement.workers if there else self._placement.controller, (core,))
        if there:
            os.sched_setaffinity(0, placement.controller)
        if self._slow_at(placement):
            os.sched_setaffinity(0, self._placement.controller)
            return False
        self._placement = placement
        self._sit(pairs)
        return True

    def _slow_at(self, placement: _Placement) -> bool:
        speed = self._speed
        if speed is None:
            return False
        core = placement.workers[0] if len(placement.workers) == 1 else None
        if not speed.knows:
            speed.learn([core, *self._others])
        return speed.is_slow(core)

    def _sit(self, pairs: Sequence[WorkerPair]) -> None:
        """Workers go before other processes, but not beside a drawer that goes before them by weight alone: they would
        have half of the core while it draws.
        """
        drawer = self.drawer
        by_weight = drawer is not None and drawer.draws and drawer.standing is not Standing.ALONE
        for pair in pairs:
            for role in ROLES:
                pair.place(role, self._placement.workers, first=not by_weight)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _spread(self, pairs: Sequence[WorkerPair]) -> None:
        cores = self.cores.preparing
        if not cores:
            return
        os.sched_setaffinity(0, cores)
        limits.prefer(0, first=False)
        # A candidate on the core of a reference could starve it, and its failure would be called eager's.
        for role, own in zip(ROLES, (cores[::2], cores[1::2] or cores), strict=True):
            for number, pair in enumerate(pairs):
                pair.place(role, (own[number % len(own)],))

    def _hold(self) -> None:
        if self.file is None or self._phase in (_Phase.PREPARES, _Phase.MEASURES):
            return
        if self._fd < 0:
            self._fd = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        began = time.monotonic()
        fcntl.flock(self._fd, fcntl.LOCK_EX)
        self.waited_s += time.monotonic() - began
