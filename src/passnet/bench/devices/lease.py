"""The lease of a device: one evaluation at a time on each core and each GPU of this machine, whoever started it.

Two evaluations on one device would disturb each other's measurement. The lock file of a device says who holds it.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from passnet.authored import one_line, parse_json
from passnet.bench.devices.names import DeviceName, default_device
from passnet.errors import InfrastructureError
from passnet.logs import logger

_log = logger(__name__)
# How often a waiting process looks again, and how often it says so.
_LOOK_EVERY_S, _SAY_EVERY_S = 0.1, 30.0
_LONGEST_COMMAND, _LONGEST_FILE = 120, 4096
_LAST_SECOND = 2.0**40


class LeaseHolder(BaseModel):
    """The process that holds a device, as it wrote into the lock file. `since`: seconds since the epoch."""

    model_config = ConfigDict(frozen=True)

    pid: int
    command: str
    since: float = Field(ge=0, le=_LAST_SECOND)

    def words(self, now: float) -> str:
        """In words: `process 4711 (passnet eval data) for 3 min 20 s`."""
        return f"process {self.pid} ({one_line(self.command)}) for {duration(now - self.since)}"


def duration(seconds: float) -> str:
    """Seconds for people: `41 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def warn(text: str) -> None:
    """The default of a waiting process: a line in the log, which the command line shows."""
    _log.warning(text)


@contextmanager
def device_lock(device: str) -> Iterator[None]:
    """The lease of the device that is used when none is named: all cores, or the first GPU."""
    with leased(default_device(device)):
        yield


@contextmanager
def leased(device: DeviceName, say: Callable[[str], None] = warn, locks: Sequence[int] | None = None) -> Iterator[None]:
    """Hold a device. Waits for a holder, and says again and again who that is and for how long.

    Devices that share cores exclude each other. Cores are taken in order, so no two processes wait for each other.
    `locks`: from `open_locks`. Processes that were given the same ones hold the device together, until all have ended.
    InfrastructureError when a lock file cannot be opened.
    """
    held = list(locks) if locks else open_locks(device)
    try:
        for fd in held:
            _take(fd, device, say)
        for fd in held:
            _sign(fd)
        yield
    finally:
        for fd in held:
            os.close(fd)


def open_locks(device: DeviceName) -> list[int]:
    """The lock files of a device, open and not yet taken."""
    opened: list[int] = []
    try:
        for name in _lock_names(device):
            opened.append(_opened(_directory() / f"passnet-{os.getuid()}-{name}.lock"))
    except InfrastructureError:
        for fd in opened:
            os.close(fd)
        raise
    return opened


def _take(fd: int, device: DeviceName, say: Callable[[str], None]) -> None:
    began = time.monotonic()
    said: float | None = None
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = time.monotonic() - began
            if said is None or waited - said >= _SAY_EVERY_S:
                holder = _holder(fd)
                who = holder.words(time.time()) if holder is not None else "another evaluation"
                say(f"waiting for {device}, held by {who}; waited {duration(waited)} so far")
                said = waited
            time.sleep(_LOOK_EVERY_S)
        else:
            return


def _lock_names(device: DeviceName) -> list[str]:
    if device.index is None:
        return [f"cpu-{core}" for core in sorted(device.cores)]
    return [f"cuda-{_gpu_identity(device.index)}"]


def _gpu_identity(index: int) -> str:
    """What stays the same of a GPU whatever number a process gives it."""
    import torch

    found = getattr(torch.cuda.get_device_properties(index), "uuid", None)
    return str(found if found is not None else index)


def _directory() -> Path:
    """Processes have different temporary directories; the locks must lie in one."""
    return Path("/tmp") if os.access("/tmp", os.W_OK) else Path(tempfile.gettempdir())


def _opened(path: Path) -> int:
    """The open lock file. The directory is everybody's: what lies there may be another user's, or another name of a
    file of this user. So only a plain file of one name and of this user is a lock.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except OSError as error:
        raise InfrastructureError(f"{path}: the device lock cannot be opened: {error.strerror}") from error
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1 or found.st_uid != os.getuid():
        os.close(fd)
        raise InfrastructureError(
            f"{path}: somebody else made this file where the device lock belongs; expected a plain file of user "
            f"{os.getuid()} with one name, found user {found.st_uid}, {found.st_nlink} names (remove it, or ask its "
            "owner to)"
        )
    return fd


def _sign(fd: int) -> None:
    """Write who holds the lock. Nothing is lost if that fails, because the lock itself does not depend on it."""
    command = one_line(" ".join([Path(sys.argv[0]).name, *sys.argv[1:]]))[:_LONGEST_COMMAND]
    text = json.dumps({"pid": os.getpid(), "command": command, "since": time.time()})
    try:
        os.ftruncate(fd, 0)
        os.pwrite(fd, text.encode(), 0)
    except OSError as error:
        _log.warning("the lock file cannot say who holds the device: %s", error.strerror)


def _holder(fd: int) -> LeaseHolder | None:
    """None while the holder is about to write, or when an older version holds the lock."""
    try:
        return LeaseHolder.model_validate(parse_json(os.pread(fd, _LONGEST_FILE, 0)))
    except (OSError, ValueError):
        return None
