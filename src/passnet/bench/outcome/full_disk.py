"""A full disk under the workers is the machine's failure, unless the passes filled it.

Candidates write to their own directories, in any amount and shape. Nothing about these is believed, except how much
room there is when they are gone.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from passnet.score import Outcome
from passnet.writing import unwritable

# A compiler needs about this much. Passes that held more of a full disk than the second line have filled it.
LEAST_BYTES, LEAST_FILES = 16 << 20, 1000
_OWN_BYTES, _OWN_FILES = 64 << 20, 10_000
# The ways in which a candidate ends that cannot write. It says nothing that could be believed.
_ENDINGS = frozenset({Outcome.COMPILE_ERROR, Outcome.RUNTIME_ERROR, Outcome.TIMEOUT})
_FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
# Bytes, and files that can still be made.
Free = tuple[int, int]


def free_of(path: Path) -> Free:
    """The free space on the disk of a path. Some file systems have no number of files."""
    found = os.statvfs(path)
    return found.f_bavail * found.f_frsize, found.f_favail if found.f_files else 1 << 62


def make_room(scratch: Path, end: Callable[[], None], free: Callable[[Path], Free] = free_of) -> bool | None:
    """Take a full disk from the candidates, so that their records can be written. Returns whether they had filled it.

    None where the disk is not full. `scratch`: the directory that holds the candidates' directories.
    `end`: ends all of them, because a file without a name stays until its process is gone.
    """
    before = free(scratch)
    if before[0] >= LEAST_BYTES and before[1] >= LEAST_FILES:
        return None
    end()
    for place in (*scratch.glob("work-*"), scratch / "kernels"):
        remove(place)
    after = free(scratch)
    return after[0] - before[0] > _OWN_BYTES or after[1] - before[1] > _OWN_FILES


def blame(outcome: Outcome, scratch: Path, end: Callable[[], None], free: Callable[[Path], Free] = free_of) -> None:
    """StorageError where a candidate failed with no room on the disk, and did not cause it."""
    if outcome in _ENDINGS and make_room(scratch, end, free) is False:
        raise unwritable(_FULL, scratch) from _FULL


def remove(directory: Path) -> None:
    """Remove a directory and all in it, at any depth, and also what may not be read. No other process uses it."""
    moved = 0
    pending = [directory]
    while pending:
        place = pending.pop()
        with suppress(OSError):
            place.chmod(0o700)
            for entry in list(os.scandir(place)):
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        # Directories are moved next to each other, so no path becomes longer than the system allows.
                        moved += 1
                        lifted = directory.with_name(f"{directory.name}.{moved}")
                        os.rename(entry.path, lifted)
                        pending.append(lifted)
                    else:
                        os.unlink(entry.path)
            place.rmdir()
