"""Writes whole files and whole lines, never half of one. Any room may use it.

A full or failing disk is the machine's fault (exit code 3). The message gives the path, the free bytes and what to do.
Any other failure to write is a user's mistake (exit code 2).
"""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from passnet.errors import InfrastructureError, PassNetError, UsageError

_STORAGE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
_AGAIN = "make room there, then run the same command again: what was finished is kept"
_LONGEST_NAME = 200


class StorageError(InfrastructureError):
    """The disk is full, a quota or a limit of file sizes is reached, or the disk fails."""


def is_storage(error: OSError) -> bool:
    """Whether the disk is to blame, not the path."""
    return error.errno in _STORAGE


def unwritable(error: OSError, path: Path | str | None, hint: str | None = None) -> PassNetError:
    """The exception to raise when writing at `path` failed. `hint`: for mistakes in the path.

    None: the user does not know the path. It is standard output, or a temporary file of a library.
    """
    if not is_storage(error):
        return UsageError(f"cannot be written: {error.strerror or error}", path=path, hint=hint)
    place, free = path, f", {_free(Path(path))}" if path is not None else ""
    if place is None:
        place = f"standard output or a file in {tempfile.gettempdir()}"
    return StorageError(f"{place}: cannot be written: {_reason(error)}{free}; {_AGAIN}")


@contextmanager
def writing(path: Path | str, hint: str | None = None) -> Iterator[None]:
    """Turns every `OSError` inside into the exception of `unwritable`."""
    try:
        yield
    except OSError as error:
        raise unwritable(error, path, hint) from error


@contextmanager
def storing(path: Path | str) -> Iterator[None]:
    """The same for errors of the disk only, because other files may be read inside."""
    try:
        yield
    except OSError as error:
        if not is_storage(error):
            raise
        raise unwritable(error, path) from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all, even when this process is killed. The directory must exist."""
    data = content.encode() if isinstance(content, str) else content
    partial = path.with_name(f".{path.name[:_LONGEST_NAME]}.partial")
    with writing(path):
        try:
            partial.unlink(missing_ok=True)  # a file of any kind, even a link
            with open(partial, "xb") as file:
                file.write(data)
            partial.replace(path)
        except OSError:
            partial.unlink(missing_ok=True)
            raise


def write_json(path: Path, data: Any) -> None:
    """Write a JSON file all or nothing."""
    write_whole(path, json.dumps(data, indent=2) + "\n")


def append_line(path: Path, line: str) -> None:
    """Add one line to a file and wait until it is on disk. If that fails, no part of it stays."""
    with writing(path):
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            before = os.fstat(fd).st_size
            try:
                left = memoryview(line.encode() + b"\n")
                while left:
                    left = left[os.write(fd, left) :]
                os.fsync(fd)
            except OSError:
                os.ftruncate(fd, before)
                raise
        finally:
            os.close(fd)


def _reason(error: OSError) -> str:
    return {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the quota of this user is used up",
        errno.EFBIG: "the limit of file sizes is reached",
    }.get(error.errno or 0, error.strerror or str(error))


def _free(path: Path) -> str:
    """The free bytes at the path, or at the place where it would be."""
    for place in (path, *path.absolute().parents):
        try:
            found = os.statvfs(place)
        except OSError:
            continue
        return f"{found.f_bavail * found.f_frsize} bytes are free"
    return "nobody knows how much is free"
