"""Reads plain files up to a size limit. A file that could block or never end raises an error."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 16 * 1024 * 1024
# The system is short of something, or a disk or a server of files fails.
_OF_THE_MACHINE: Final = frozenset({
    errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EAGAIN, errno.ENOSPC, errno.EDQUOT, errno.EIO,
    errno.ESTALE, errno.ETIMEDOUT,
})  # fmt: skip


def is_of_machine(error: OSError) -> bool:
    """Whether the machine is to blame for an error of the system: not a path, and not who gave it."""
    return error.errno in _OF_THE_MACHINE


def read_bytes(path: Path | str, limit: int = MAX_BYTES) -> bytes:
    """The content of a plain file. Raises `OSError` for anything else (pipes and devices could block or never end)."""
    with opened(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"too large, more than {limit} bytes", str(path))
    return data


@contextmanager
def opened(path: Path | str) -> Iterator[BufferedReader]:
    """A plain file, open to be read in parts. Raises `OSError` as `read_bytes` does."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except ValueError:  # The name holds a NUL or an incomplete character.
        raise OSError(errno.EINVAL, "not a path of this system", repr(path)) from None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "not a plain file", str(path))
        with os.fdopen(fd, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(fd)
