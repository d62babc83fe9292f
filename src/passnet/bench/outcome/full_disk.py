"""A full disk under the workers is the machine's failure, unless the passes filled it.

Candidates write to their own directories, in any amount and shape. Nothing about these is believed, except how much
room there is when they are gone.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from passnet.bench.isolation.leftovers import remove
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


def make_room(
    scratch: Path,
    end: Callable[[], None],
    free: Callable[[Path], Free] = free_of,
    kernels: Iterable[Path] = (),
) -> bool | None:
    """Take a full disk from the candidates, so that their records can be written. Returns whether they had filled it.

    None where no disk is full. `scratch`: the directory that holds the candidates' directories.
    `end`: ends all of them, because a file without a name stays until its process is gone.
    `kernels`: their directories of compiled kernels elsewhere, maybe on another disk.
    """
    caches = [place for place in kernels if place.parent.is_dir()]
    disks = dict.fromkeys((scratch, *(place.parent for place in caches)))
    before = {disk: found for disk in disks for found in [free(disk)] if _is_full(found)}
    if not before:
        return None
    end()
    for place in (*scratch.glob("work-*"), scratch / "kernels", *caches):
        remove(place)
    return any(_much_more(free(disk), found) for disk, found in before.items())


def _is_full(free: Free) -> bool:
    return free[0] < LEAST_BYTES or free[1] < LEAST_FILES


def _much_more(after: Free, before: Free) -> bool:
    return after[0] - before[0] > _OWN_BYTES or after[1] - before[1] > _OWN_FILES


def blame(
    outcome: Outcome,
    scratch: Path,
    end: Callable[[], None],
    free: Callable[[Path], Free] = free_of,
    kernels: Iterable[Path] = (),
) -> None:
    """StorageError where a candidate failed with no room on the disk, and did not cause it."""
    if outcome in _ENDINGS and make_room(scratch, end, free, kernels) is False:
        raise unwritable(_FULL, scratch) from _FULL


def holds_more(directory: Path, size: int, files: int) -> bool:
    """Whether a directory that a candidate wrote holds more bytes or files than these, or what cannot be looked at."""
    pending = [directory]
    try:
        while pending and size >= 0 and files >= 0:
            for entry in os.scandir(pending.pop()):
                files -= 1
                size -= entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    pending.append(Path(entry.path))
    except OSError:  # closed to us, or at a path that is too long
        return True
    return size < 0 or files < 0
