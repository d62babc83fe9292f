"""Turns at a device: lanes work side by side where they need no device, and use it one after another.

A lane is one controller with its own pairs of workers. Lanes of one device share a lock file. Processes that use one
GPU at the same time wait for each other, because it serves them in turns. So a lane that verifies or measures is alone,
and the others build programs meanwhile, on other cores.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from passnet.bench.isolation import limits
from passnet.bench.isolation.cores import Cores
from passnet.bench.isolation.worker_pair import ROLES, WorkerPair


class _Phase(Enum):
    AWAY = "away"
    PREPARES = "prepares"
    MEASURES = "measures"


@dataclass(frozen=True)
class Lane:
    """One of several controllers of a device. `file`: the lock by which they take turns."""

    number: int = 0
    of: int = 1
    file: Path | None = None


@dataclass
class DeviceTurn:
    """The phase of one lane. `file`: the lock that its lanes share; None where there is one lane only.

    `waited_s`: the seconds spent in waiting for other lanes.
    """

    cores: Cores
    file: Path | None = None
    waited_s: float = 0.0
    _fd: int = -1
    _phase: _Phase = _Phase.AWAY

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
            os.sched_setaffinity(0, self.cores.controller)
            limits.prefer(0, first=True)
            for pair in pairs:
                for role in ROLES:
                    pair.place(role, self.cores.workers, first=True)

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
