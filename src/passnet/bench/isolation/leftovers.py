"""Removes what candidates leave: directories of any depth and shape, without following a link."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_OPENED = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


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
