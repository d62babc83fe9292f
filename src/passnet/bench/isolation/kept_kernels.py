"""Compiled kernels that outlive a run: a place for each pass set, written by its candidates and kept by the controller.

Candidates get the inner directory alone. The outer one says when it was last used, and who uses it holds its lock. So
nothing that a candidate writes decides what is removed, and nothing is removed under a candidate.
"""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

_FILES, _DIRECTORY = "files", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass
class KernelPlace:
    """A place in use. `path`: the directory for a candidate's files. Others may use it at the same time."""

    path: Path
    _fd: int

    @classmethod
    def open(cls, root: Path, key: str) -> KernelPlace:
        """The place of a key. It is made if needed, and not removed before `close`."""
        outer = root / key
        while True:
            outer.mkdir(parents=True, exist_ok=True, mode=0o700)
            fd = _locked(outer, fcntl.LOCK_SH)
            if fd is not None:
                break
        os.utime(fd)
        (outer / _FILES).mkdir(exist_ok=True, mode=0o700)
        return cls(outer / _FILES, fd)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def unused(outer: Path) -> int | None:
    """A descriptor that keeps others out of a place until it is closed. None where somebody uses it, or it is gone."""
    return _locked(outer, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _locked(outer: Path, how: int) -> int | None:
    """The locked directory. None where the lock is held, or the directory was removed or replaced before."""
    try:
        fd = os.open(outer, _DIRECTORY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(fd, how)
        if os.path.samestat(os.fstat(fd), outer.stat()):
            return fd
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(fd)
    return None
