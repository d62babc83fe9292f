"""A full disk under the workers is the machine's failure, unless the passes filled it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from passnet.score import Outcome
from passnet.writing import unwritable

# A compiler needs about so much; passes that hold more of a full disk than the second have filled it.
LEAST_BYTES = 16 << 20
_OWN_BYTES = 64 << 20
# How a candidate ends that cannot write, and says nothing that could be believed.
_ENDINGS = frozenset({Outcome.COMPILE_ERROR, Outcome.RUNTIME_ERROR, Outcome.TIMEOUT})
_FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def blame(outcome: Outcome, scratch: Path, free: int | None = None) -> None:
    """StorageError where a candidate failed while there was no room on the disk and not by its own doing.

    `scratch`: what holds the directories that candidates write to; `free`: bytes on its disk, by default what the
    system says.
    """
    if outcome not in _ENDINGS:
        return
    if free is None:
        found = os.statvfs(scratch)
        free = found.f_bavail * found.f_frsize
    if free < LEAST_BYTES and _written(scratch) <= _OWN_BYTES:
        raise unwritable(_FULL, scratch) from _FULL


def _written(scratch: Path) -> int:
    """Bytes in the directories that candidates write to."""
    total = 0
    for place in (*scratch.glob("work-*"), scratch / "kernels"):
        for directory, _, files in os.walk(place):
            total += sum(_size(Path(directory, name)) for name in files)
    return total


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:  # it went away while we looked
        return 0
