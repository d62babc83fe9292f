"""From the words of a command to a fleet. Every mistake in them is a UsageError before anything is started."""

from __future__ import annotations

from pathlib import Path

from passnet import environment
from passnet.bench.devices.names import default_device, parse_devices
from passnet.bench.engine.fleet import DeviceFleet
from passnet.bench.engine.inline import InlineFleet
from passnet.bench.engine.local import LocalFleet
from passnet.errors import UsageError


def open_fleet(engine: str, kind: str, devices: str | None, logs: Path, lanes: int = 1) -> DeviceFleet:
    """The fleet of an engine. `kind`: cpu or cuda. `devices`: as `--devices`; None: the engine's usual ones."""
    if engine == "ray":
        if lanes > 1:
            raise UsageError("is for --engine local", field="--lanes", found=lanes, hint="leave it out")
        from passnet.bench.engine.ray_fleet import RayFleet

        return RayFleet(kind, devices)
    environment.check_device(kind)
    if devices is not None:
        return LocalFleet(parse_devices(devices, kind), logs, lanes)
    return LocalFleet([default_device(kind)], logs, lanes) if lanes > 1 else InlineFleet(kind, logs)
