"""The channel between the controller and its workers: length-prefixed messages and passed file descriptors.

All arriving data is from a process that may be hostile. So sizes are bounded before a byte is read into memory. The
module `message` gives the bytes their meaning.
"""

from __future__ import annotations

import math
import os
import select
import socket
import struct
import time

_HEADER = struct.Struct("<I")
MAX_MESSAGE_BYTES = 8 << 20
# The largest message from a worker. Decoding costs up to a hundred times as much memory for a moment.
MAX_REPLY_BYTES = 2 << 20
_MAX_FDS = 4


class ChannelError(Exception):
    """The other side broke the rules of the channel. The message says how."""


class ChannelClosed(ChannelError):
    """The other side is gone."""


class ChannelTimeout(ChannelError):
    """The other side did not answer before the deadline."""


class Channel:
    """One end of a stream socket that carries messages, with optional file descriptors beside them."""

    def __init__(self, sock: socket.socket, *, accepts_fds: bool = True, max_received: int = MAX_MESSAGE_BYTES) -> None:
        self._sock = sock
        self._max_received = max_received
        self._accepts_fds = accepts_fds
        self._buffer = bytearray()
        self._fds: list[int] = []

    @classmethod
    def pair(cls) -> tuple[Channel, socket.socket]:
        """One connected end as a channel and the other as a bare socket to be handed to a child."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        return cls(ours, accepts_fds=False, max_received=MAX_REPLY_BYTES), theirs

    def fileno(self) -> int:
        return self._sock.fileno()

    def send(self, body: bytes, fds: tuple[int, ...] = ()) -> None:
        if len(body) > MAX_MESSAGE_BYTES:
            raise ChannelError(f"message of {len(body)} bytes; expected at most {MAX_MESSAGE_BYTES}")
        data = memoryview(_HEADER.pack(len(body)) + body)
        try:
            sent = socket.send_fds(self._sock, [data], list(fds)) if fds else self._sock.send(data)
            if sent < len(data):  # an empty send after the reader left would be an error
                self._sock.sendall(data[sent:])
        except (BrokenPipeError, ConnectionResetError) as error:
            raise ChannelClosed("the other side has closed the channel") from error

    def receive(self, timeout_s: float | None = None) -> bytes:
        """The next message. ChannelTimeout after `timeout_s` seconds, ChannelClosed when the other side is gone."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        size = _HEADER.unpack(self._take(_HEADER.size, deadline))[0]
        if size > self._max_received:
            raise ChannelError(f"announced a message of {size} bytes; expected at most {self._max_received}")
        return self._take(size, deadline)

    def poll(self, timeout_s: float = 0.0) -> bool:
        """Whether `receive` would find something (a message, its beginning, or the end of the stream)."""
        return bool(self._buffer) or self._readable(timeout_s)

    def take_fds(self) -> list[int]:
        """The descriptors that came with the messages received so far. The caller owns them."""
        fds, self._fds = self._fds, []
        return fds

    def close(self) -> None:
        for fd in self.take_fds():
            os.close(fd)
        self._sock.close()

    def _take(self, count: int, deadline: float | None) -> bytes:
        while len(self._buffer) < count:
            self._fill(count, deadline)
        data = bytes(self._buffer[:count])
        del self._buffer[:count]
        return data

    def _readable(self, timeout_s: float | None) -> bool:
        """Whether something comes in that time. Not by `select`, which knows no descriptor above 1023."""
        asked = select.poll()
        asked.register(self._sock, select.POLLIN)
        return bool(asked.poll(None if timeout_s is None else math.ceil(timeout_s * 1000)))

    def _fill(self, count: int, deadline: float | None) -> None:
        remaining = None if deadline is None else max(0.0, deadline - time.monotonic())
        if not self._readable(remaining):
            raise ChannelTimeout("no answer before the deadline")
        try:
            data, fds, _flags, _address = socket.recv_fds(self._sock, min(count + 4096, 1 << 16), _MAX_FDS)
        except ConnectionResetError as error:
            raise ChannelClosed("the other side has closed the channel") from error
        if not data:
            raise ChannelClosed("the other side has closed the channel")
        self._buffer += data
        if self._accepts_fds:
            self._fds += fds
        else:
            for fd in fds:  # a worker that sends descriptors could exhaust ours
                os.close(fd)
