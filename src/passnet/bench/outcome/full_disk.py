"""A full disk under the workers is the machine's failure, unless the passes filled it.

Candidates write to directories of their own, as much as they like and in whatever shape: nothing is believed of these
but how much room there is when they are gone.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from passnet.score import Outcome
from passnet.writing import unwritable

# A compiler needs about so much; passes that held more of a full disk than the second have filled it.
LEAST_BYTES, LEAST_FILES = 16 << 20, 1000
_OWN_BYTES, _OWN_FILES = 64 << 20, 10_000
# How a candidate ends that cannot write, and says nothing that could be believed.
_ENDINGS = frozenset({Outcome.COMPILE_ERROR, Outcome.RUNTIME_ERROR, Outcome.TIMEOUT})
_FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
# Bytes, and files that can still be made.
Free = tuple[int, int]


def free_of(path: Path) -> Free:
    """What is free on the disk of a path. Some file systems have no number of files."""
    found = os.statvfs(path)
    return found.f_bavail * found.f_frsize, found.f_favail if found.f_files else 1 << 62


def make_room(scratch: Path, end: Callable[[], None], free: Callable[[Path], Free] = free_of) -> bool | None:
    """Take a full disk from the candidates, so that their records can be written; whether they had filled it.

    None where the disk is not full. `scratch`: what holds the directories that candidates write to; `end`: ends all of
    them, for a file without a name is there until its process is gone.
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
    """StorageError where a candidate failed while there was no room on the disk and not by its own doing."""
    if outcome in _ENDINGS and make_room(scratch, end, free) is False:
        raise unwritable(_FULL, scratch) from _FULL


def remove(directory: Path) -> None:
    """Remove a directory and all in it, however deep that is and whatever may not be read; nobody else is using it."""
    moved = 0
    pending = [directory]
    while pending:
        place = pending.pop()
        with suppress(OSError):
            place.chmod(0o700)
            for entry in list(os.scandir(place)):
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        # Beside each other no path becomes longer than the system takes.
                        moved += 1
                        lifted = directory.with_name(f"{directory.name}.{moved}")
                        os.rename(entry.path, lifted)
                        pending.append(lifted)
                    else:
                        os.unlink(entry.path)
            place.rmdir()
