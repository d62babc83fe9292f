"""The free memory of a device, the memory that this process holds, and the failure when memory is too little."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from passnet.errors import InfrastructureError, said

Stage = Literal["reference", "build", "call"]
_WORDS = ("out of memory", "can't allocate memory", "not enough memory")


class NoRoom(InfrastructureError):
    """The memory is too little.

    `needed` and `free`: bytes, None where they are not known. `stage`: the side whose call it was.
    """

    def __init__(
        self, what: str, *, needed: int | None = None, free: int | None = None, stage: Stage = "reference"
    ) -> None:
        told = [f"{count} bytes {word}" for count, word in ((needed, "needed"), (free, "free")) if count is not None]
        super().__init__(f"{what}: {', '.join(told)}" if told else what)
        self.needed, self.free, self.stage = needed, free, stage


def free_bytes(device: str) -> int:
    """Free memory of the device that tensors live on. On the host, only what a control group leaves of it."""
    if device != "cpu":
        import torch

        return int(torch.cuda.mem_get_info()[0])
    return min(_available(), *_left_in_groups(Path("/sys/fs/cgroup")))


def _available() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    raise InfrastructureError("/proc/meminfo has no line MemAvailable; nobody knows how much memory is free")


def _left_in_groups(root: Path) -> list[int]:
    """The memory that control groups leave to this process: its own group and those above it. Duplicates do no harm."""
    unlimited = 1 << 62
    found = [unlimited]
    try:
        names = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return found
    for name in names:
        group = root / name.rpartition(":")[2].lstrip("/")
        for directory in (group, *group.parents):
            found += _left(directory)
            if directory == root:
                break
    return found


def _left(directory: Path) -> list[int]:
    """The memory that one group leaves. The page cache counts as free, because it can be taken back."""
    try:
        limit, used = (directory / "memory.max").read_text().strip(), int((directory / "memory.current").read_text())
        rows = dict(line.split() for line in (directory / "memory.stat").read_text().splitlines())
    except (OSError, ValueError):
        return []
    return [] if limit == "max" else [int(limit) - used + int(rows.get("inactive_file", 0))]


def status_bytes(name: str) -> int:
    """A row of this process's status, such as VmRSS, in bytes."""
    rows = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(rows[name].split()[0]) << 10


def is_exhausted(error: BaseException) -> bool:
    """Whether an operation failed because there is no more memory."""
    import torch

    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return isinstance(error, RuntimeError) and any(word in said(error).lower() for word in _WORDS)
