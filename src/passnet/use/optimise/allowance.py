"""The time that a user gives: what is spent, what is left, and waiting for the device, which is not time used."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from passnet.bench.devices.lease import device_lock

# What is begun may end so much later than the time given.
_OVERTIME = 1.1
_LEAST_S = 1.0


@dataclass
class Allowance:
    """`minutes`: 0 is any time. `clock` gives seconds. `phases`: seconds that each part of the command took."""

    minutes: float
    clock: Callable[[], float] = time.monotonic
    waited_s: float = 0.0
    phases: dict[str, float] = field(default_factory=dict)
    _began: float = field(default=0.0)
    _waiting_since: float | None = None

    def __post_init__(self) -> None:
        self._began = self.clock()

    @property
    def spent_s(self) -> float:
        """Seconds so far, without waiting for the device."""
        now = self.clock()
        return now - self._began - self.waited_s - (now - self._waiting_since if self._waiting_since is not None else 0)

    @property
    def left_s(self) -> float | None:
        """Seconds that are left, at least 0. None: any time."""
        return max(0.0, 60 * self.minutes - self.spent_s) if self.minutes else None

    @property
    def spent(self) -> float:
        """The share of the time that is spent. 0: any time."""
        return self.spent_s / (60 * self.minutes) if self.minutes else 0.0

    def before(self, share: float) -> bool:
        """Whether less than this share of the time is spent. Always, when there is any time."""
        return not self.minutes or self.spent_s < share * 60 * self.minutes

    def until_s(self, share: float) -> float | None:
        """Seconds until this share of the time is spent, at least 0. None: any time."""
        return max(0.0, share * 60 * self.minutes - self.spent_s) if self.minutes else None

    def end_s(self) -> float | None:
        """Seconds until nothing may be under way any more, at least 0. None: any time."""
        return self.until_s(_OVERTIME)

    def limit_s(self) -> float | None:
        """How long something that begins now may take. None: any time."""
        return max(_LEAST_S, _OVERTIME * 60 * self.minutes - self.spent_s) if self.minutes else None

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """A part of the command. Parts may be entered again, and never lie inside others."""
        began = self.spent_s
        try:
            yield
        finally:
            self.phases[name] = self.phases.get(name, 0.0) + self.spent_s - began

    @contextlib.contextmanager
    def device(self, device: str) -> Iterator[None]:
        """The lease of a device. The time until it is free is not time used."""
        self._waiting_since = self.clock()
        try:
            with device_lock(device):
                self._waited()
                yield
        finally:
            self._waited()

    def _waited(self) -> None:
        """The waiting has ended, if there was any."""
        if self._waiting_since is not None:
            self.waited_s += self.clock() - self._waiting_since
            self._waiting_since = None
