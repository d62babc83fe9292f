"""The name of a device: some cores of this machine (`cpu:0-3`), or one GPU (`cuda:1`). A list of them is checked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from passnet.errors import UsageError

_FIELD = "--devices"
_FORM = re.compile(r"(?P<kind>cpu|cuda):(?P<first>\d{1,6})(-(?P<last>\d{1,6}))?", re.ASCII)
DeviceKind = Literal["cpu", "cuda"]


@dataclass(frozen=True)
class DeviceName:
    """One device. `cores`: where its controller and its workers run; of a GPU, a share of the machine's cores.

    `index`: the number of the GPU among those that this process sees. None on the CPU.
    """

    kind: DeviceKind
    cores: tuple[int, ...]
    index: int | None = None

    def __str__(self) -> str:
        return f"cuda:{self.index}" if self.index is not None else f"cpu:{ranges(self.cores)}"


def default_device(kind: str) -> DeviceName:
    """The device when none is named: all cores that this process may use, or its first GPU."""
    cores = tuple(sorted(os.sched_getaffinity(0)))
    return DeviceName(cast("DeviceKind", kind), cores, None if kind == "cpu" else 0)


def parse_devices(text: str, kind: str) -> tuple[DeviceName, ...]:
    """The devices of a comma-separated list such as `cpu:0-3,cpu:4-7` or `cuda:0,cuda:1`.

    UsageError for another form, for devices of another kind than `kind`, and for devices that share a core. Whether
    they exist is asked by `check_present`.
    """
    found = [_parse(part.strip(), kind) for part in text.split(",")]
    if kind == "cuda":
        found = _with_cores(found)
    names = [str(device) for device in found]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise UsageError("names a device twice", field=_FIELD, found=repeated)
    taken: dict[int, str] = {}
    for device in found if kind == "cpu" else ():
        for core in device.cores:
            if core in taken:
                raise UsageError(f"{taken[core]} and {device} share core {core}", field=_FIELD)
            taken[core] = str(device)
    return tuple(found)


def check_present(devices: Iterable[DeviceName]) -> None:
    """UsageError for the first device that this machine does not have, or that this process may not use."""
    allowed = os.sched_getaffinity(0)
    for device in devices:
        if device.index is None:
            missing = sorted(set(device.cores) - allowed)
            if missing:
                raise UsageError(
                    f"{device}: this process has no core {missing[0]}",
                    field=_FIELD,
                    expected=f"cores of {ranges(sorted(allowed))}",
                )
        elif device.index >= (count := _gpus()):
            raise UsageError(
                f"no device {device} on this machine",
                field=_FIELD,
                expected=f"cuda:0 to cuda:{count - 1}" if count else "a machine with a CUDA device",
                found=f"{count} CUDA devices",
            )


def ranges(cores: Sequence[int]) -> str:
    """Sorted numbers as text: `0-3`; numbers that do not follow each other as `0-3+6`."""
    parts: list[list[int]] = []
    for core in cores:
        if parts and core == parts[-1][-1] + 1:
            parts[-1].append(core)
        else:
            parts.append([core])
    return "+".join(f"{part[0]}-{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)


def _parse(part: str, kind: str) -> DeviceName:
    form = _FORM.fullmatch(part)
    expected = "cpu:FIRST-LAST, as in cpu:0-3" if kind == "cpu" else "cuda:NUMBER, as in cuda:0"
    if form is None:
        raise UsageError("is not the name of a device", field=_FIELD, expected=expected, found=repr(part))
    if form["kind"] != kind:
        raise UsageError(
            f"{part} is no device of --device {kind}", field=_FIELD, expected=expected, hint="--device names the kind"
        )
    first, last = int(form["first"]), int(form["last"] or form["first"])
    if kind == "cuda":
        if form["last"] is not None:
            raise UsageError("a GPU has one number", field=_FIELD, expected=expected, found=repr(part))
        return DeviceName("cuda", (), first)
    if last < first or last - first > 1 << 16:
        raise UsageError("the last core comes before the first, or is too far", field=_FIELD, found=repr(part))
    return DeviceName("cpu", tuple(range(first, last + 1)))


def _with_cores(devices: Sequence[DeviceName]) -> list[DeviceName]:
    """Neighbouring cores in equal parts: controllers of different GPUs must not share a core."""
    cores = sorted(os.sched_getaffinity(0))
    share = len(cores) // len(devices)
    if share == 0:  # all share what there is
        return [DeviceName("cuda", tuple(cores), device.index) for device in devices]
    return [
        DeviceName("cuda", tuple(cores[place * share : (place + 1) * share]), device.index)
        for place, device in enumerate(devices)
    ]


def _gpus() -> int:
    import torch

    return torch.cuda.device_count() if torch.cuda.is_available() else 0
