"""A full disk under the workers is the machine's failure, unless the passes filled it.

Candidates write to their own directories, in any amount and shape. Nothing about these is believed, except how much
room there is when they are gone.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from passnet.score import Outcome
from passnet.writing import unwritable

# A compiler needs about this much. Passes that held more of a full disk than the second line have filled it.
LEAST_BYTES, LEAST_FILES = 16 << 20, 1000
_OWN_BYTES, _OWN_FILES = 64 << 20, 10_000
# The ways in which a candidate ends that cannot write. It says nothing that could be believed.
_ENDINGS = frozenset({Outcome.COMPILE_ERROR, Outcome.RUNTIME_ERROR, Outcome.TIMEOUT})
_OPENED = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
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


def remove(directory: Path) -> None:
    """Remove a directory and all in it, at any depth, and also what may not be read.

    A process that still writes to it can delay this, but no link that it puts in a directory's place is followed.
    """
    moved = 0
    with suppress(OSError):
        parent = os.open(directory.parent, _OPENED)
        try:
            pending = [directory.name]
            while pending:
                name = pending.pop()
                try:
                    for entry, place in _emptied(name, parent):
                        # Directories are moved next to each other, so no path becomes longer than the system allows.
                        moved += 1
                        lifted = f"{directory.name}.{moved}"
                        with suppress(OSError):
                            os.rename(entry, lifted, src_dir_fd=place, dst_dir_fd=parent)
                            pending.append(lifted)
                    os.rmdir(name, dir_fd=parent)
                except OSError:
                    with suppress(OSError):  # a link that was put in the place of a directory
                        os.unlink(name, dir_fd=parent)
        finally:
            os.close(parent)


def _emptied(name: str, parent: int) -> Iterator[tuple[str, int]]:
    """Remove what is no directory. Yields the directories: their names, and a descriptor of where they are."""
    place = _unlocked(name, parent)
    try:
        for entry in list(os.scandir(place)):
            with suppress(OSError):
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry.name, dir_fd=place)
                    continue
                os.close(_unlocked(entry.name, place))  # one that may not be written to cannot be moved
                yield entry.name, place
    finally:
        os.close(place)


def _unlocked(name: str, parent: int) -> int:
    """A descriptor of a directory that may be read and written from now on. OSError for a link in its place."""
    known = os.open(name, os.O_PATH | _OPENED, dir_fd=parent)
    try:
        itself = f"/proc/self/fd/{known}"
        os.chmod(itself, 0o700)
        return os.open(itself, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    finally:
        os.close(known)
