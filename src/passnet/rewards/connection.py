"""Connections to `passnet serve`: only so many are open at a time, and none waits for its client for ever."""

from __future__ import annotations

import asyncio
import resource
from functools import partial

from starlette.responses import JSONResponse
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from passnet.errors import UsageError

# The head of a request comes within this time, and the whole body within it too.
PATIENCE_S = 30.0
# Of those that are too many, as many again are answered. The rest are closed without a word.
_ANSWERED = 2
# So many connections are taken at once, before it is known that they are too many.
BACKLOG = 128
# Files that are open beside connections: of devices, of tasks that are read, of libraries.
_OTHER_FILES = 256

_FULL = JSONResponse(
    {"error": "too many connections are open; ask again later"},
    status_code=503,
    headers={"Retry-After": "5", "Connection": "close"},
)
_LATE_BODY = b'{"error": "no request came in time"}'
_LATE = (
    b"HTTP/1.1 408 Request Timeout\r\nContent-Type: application/json\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(_LATE_BODY), _LATE_BODY)
)


class Connection(H11Protocol):
    """One connection. `most`: so many are served at a time."""

    most = 64
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > _ANSWERED * self.most:
            transport.abort()
            return
        if len(self.connections) > self.most:
            self.app = _FULL
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def _look_later(self) -> None:
        self._timer = self.loop.call_later(PATIENCE_S, partial(self._look, self.cycle))

    def _look(self, before: RequestResponseCycle | None) -> None:
        """Close the connection if it has been without a request ever since the last look."""
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self.cycle is before:
            self.transport.write(_LATE)
            self.transport.close()
            return
        self._look_later()


def make_room(most: int) -> None:
    """Let this process have as many open files as so many connections need, and what it does beside.

    UsageError when the system allows fewer.
    """
    needed = (_ANSWERED * most) + BACKLOG + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise UsageError(
            "is more than this process may have open files for",
            field="--queue",
            expected=f"a shorter queue, or a limit of {needed} files",
            found=f"a limit of {hard}",
            hint="`ulimit -Hn` shows it",
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def connections(most: int) -> type[Connection]:
    """The class of connections, of which so many are served at a time."""
    return type("Connection", (Connection,), {"most": most})
