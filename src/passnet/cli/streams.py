"""Standard streams that are closed, or whose reader leaves (`| head -1`): what nobody reads is no failure."""

from __future__ import annotations

import io
import os
import sys
from typing import Any, TextIO


def hold() -> None:
    """Give this process three standard streams that can always be used. Another call changes nothing.

    Closed ones are opened on the null device, since the next file to be opened would get their numbers. What is written
    after a reader left is dropped, and what standard error does not take. Any other failure of standard output, such as
    a full disk, is raised once.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # it is closed, and the lowest number that is free
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115 - it stays open
    sys.stdout = _held(sys.stdout, sys.__stdout__, BrokenPipeError)
    sys.stderr = _held(sys.stderr, sys.__stderr__, OSError)  # there is no place to tell of it


def _held(stream: TextIO | None, first: TextIO | None, passed_over: type[OSError]) -> TextIO:
    """The stream, or one in its place. `first`: the one of Python's start. Any other is somebody's own."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    if stream is not first or not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.flush()
    raw = _Unread(stream.fileno(), "wb", closefd=False)
    raw.passed_over = passed_over
    return io.TextIOWrapper(
        raw if isinstance(stream.buffer, io.RawIOBase) else io.BufferedWriter(raw),  # Python may be told not to buffer
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


class _Unread(io.FileIO):
    """A stream that drops what is written after its first error. `passed_over`: errors that are not raised."""

    passed_over: type[OSError] = BrokenPipeError
    _lost = False

    def write(self, data: Any) -> Any:
        size = memoryview(data).nbytes
        if self._lost or not size:  # libraries try streams with nothing, and look at no error
            return size
        try:
            return super().write(data)
        except OSError as error:
            self._lost = True
            if not isinstance(error, self.passed_over):
                raise
        return size
