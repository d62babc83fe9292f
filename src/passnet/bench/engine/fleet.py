"""The seam between an engine and what its devices are: processes of this machine, or actors of a Ray cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from passnet.bench.engine.messages import HostReports
from passnet.bench.engine.unit import EvaluationUnit


class DeviceFleet(Protocol):
    """Devices by name. Each has at most one process, which judges one unit at a time.

    `send` and `start` return at once; what comes of them is a report that `wait` returns. All from one thread.
    """

    @property
    def devices(self) -> Sequence[str]:
        """The names of all devices now. A cluster may gain some."""
        ...

    def machine(self) -> dict[str, Any]:
        """What the devices are: `passnet.environment.snapshot` of one of them."""
        ...

    def start(self, device: str) -> None:
        """Start the process of a device. Reports: waits, any number; then ready, refused or lost."""
        ...

    def send(self, device: str, unit: EvaluationUnit) -> None:
        """Give a ready and idle process a unit. Reports: judged, any number; then done, stopped or lost."""
        ...

    def stop(self, device: str) -> None:
        """End the process of a device now, whatever it does. No report follows."""
        ...

    def wait(self, timeout_s: float) -> list[tuple[str, HostReports]]:
        """The next reports with their devices. Empty after `timeout_s` seconds without one."""
        ...

    def close(self) -> None:
        """End all processes and give back all devices."""
        ...
