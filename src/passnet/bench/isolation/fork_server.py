"""A warm process with torch imported and CUDA untouched, from which workers are forked in milliseconds.

This is the controller's side. `fork_main` runs in that process. No pass is ever loaded there. Each fork server is a
fresh interpreter. So workers of different servers are independent processes for timing (address layout, allocator,
code placement). A fork costs 15 ms, an import seconds.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from passnet.bench.isolation import limits
from passnet.bench.isolation.fork_messages import (
    Fork,
    Forked,
    ForkEvent,
    ForkEvents,
    ForkOrder,
    Ready,
    Sweep,
    Swept,
    WorkerEnded,
)
from passnet.bench.wire import generator
from passnet.bench.wire.channel import Channel, ChannelError
from passnet.bench.wire.message import MalformedMessage, read
from passnet.environment import KEPT_HEAP
from passnet.errors import InfrastructureError
from passnet.kernels.gpu.toolchain import arch_of

_INHERITED = (
    "PATH",
    "LD_LIBRARY_PATH",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_HOME",
    "NVIDIA_VISIBLE_DEVICES",
    "LANG",
    "CC",
    "CXX",
)
_BOOT = (
    "import json, sys; paths, *given = json.loads(sys.argv[1]); sys.path[:] = paths; "
    "from passnet.bench.isolation.fork_main import main; main(*given)"
)
_START_TIMEOUT_S, _ANSWER_TIMEOUT_S = 180.0, 30.0
E = TypeVar("E", Ready, Forked, Swept)


@dataclass(frozen=True)
class ForkedProcess:
    """A new worker: its pid (also its process group) and a descriptor that becomes readable when it ends."""

    pid: int
    pidfd: int


class ForkServer:
    """Controller side: starts one warm process and forks workers from it."""

    def __init__(
        self,
        scratch: Path,
        *,
        threads: int,
        modules: tuple[str, ...] = (),
        env: dict[str, str] | None = None,
        device: str = "cpu",
    ) -> None:
        """Start the process. `scratch`: private directory for the caches of compilers. `modules`: imported before the
        first fork.
        """
        ours, theirs = Channel.pair()
        scratch.mkdir(parents=True, exist_ok=True)
        self._log = scratch / "fork_server.log"
        arguments = json.dumps([sys.path, theirs.fileno(), list(modules), generator.build(device), arch_of(device)])
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", _BOOT, arguments],
                env=_environment(scratch, threads, device) | (env or {}),
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
            )
        theirs.close()
        self._channel = ours
        self._ready = False
        self._statuses: dict[int, int] = {}
        # Pairs are made ready side by side, each in a thread.
        self._one_at_a_time = threading.RLock()

    @property
    def pid(self) -> int:
        """The warm process. It receives its workers' orphans."""
        return self._process.pid

    def wait_ready(self) -> None:
        """Block until the imports are done. They run while the controller does other work."""
        with self._one_at_a_time:
            if self._ready:
                return
            try:
                self._next(Ready, _START_TIMEOUT_S)
            except ChannelError as error:
                raise InfrastructureError(f"the worker server did not start: {error}; see {self._log}") from error
            self._ready = True

    def fork(self, order: Fork, sock: socket.socket, log_fd: int) -> ForkedProcess:
        """A new worker with this end of a channel, which writes to this log."""
        self.wait_ready()
        try:
            with self._one_at_a_time:
                self._channel.send(ForkOrder(order=order).encoded(), (sock.fileno(), log_fd))
                pid = self._next(Forked, _ANSWER_TIMEOUT_S).pid
            return ForkedProcess(pid, os.pidfd_open(pid))
        except (ChannelError, OSError) as error:
            raise InfrastructureError(f"no worker could be forked: {error}; see {self._log}") from error

    def status(self, pid: int, timeout_s: float = 5.0) -> int | None:
        """The wait status of an ended worker (as `os.waitpid` gives it). None when it is not known in time."""
        with self._one_at_a_time:
            while pid not in self._statuses:
                if not self._channel.poll(timeout_s):
                    return None
                try:
                    self._note(self._receive(timeout_s))
                except ChannelError:  # the server is gone too: the next fork says so
                    return None
            return self._statuses[pid]

    @property
    def lost(self) -> str | None:
        """Why this server can give no more workers, and why none of its workers lives. None while it runs."""
        code = self._process.poll()
        return None if code is None else f"the fork server ended with status {code}; see {self._log}"

    def sweep(self) -> None:
        """End processes that a dead worker left behind outside its group."""
        try:
            with self._one_at_a_time:
                self._channel.send(ForkOrder(order=Sweep()).encoded())
                self._next(Swept, _ANSWER_TIMEOUT_S)
        except ChannelError:  # a server that is gone took its children along, and the next fork says so
            return

    def close(self) -> None:
        self._channel.close()
        limits.kill_group(self._process.pid)
        self._process.wait()

    def _next(self, kind: type[E], timeout_s: float) -> E:
        """The next event of a kind. Ends of workers that come before it are noted."""
        while True:
            event = self._receive(timeout_s)
            if isinstance(event, kind):
                return event
            self._note(event)

    def _receive(self, timeout_s: float) -> ForkEvents:
        try:
            return read(ForkEvent, self._channel.receive(timeout_s)).event
        except MalformedMessage as error:
            raise ChannelError(f"sent {error}") from error

    def _note(self, event: ForkEvents) -> None:
        if isinstance(event, WorkerEnded):
            self._statuses[event.pid] = event.status


def _environment(scratch: Path, threads: int, device: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    private = {
        "HOME": str(scratch),
        # A sandbox has no list of users, so a name cannot be looked up there.
        "USER": "passnet",
        "TMPDIR": str(scratch),
        "TORCHINDUCTOR_CACHE_DIR": str(scratch / "inductor"),
        "TRITON_CACHE_DIR": str(scratch / "triton"),
        "OMP_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    # Inductor initialises CUDA where there is a GPU. After that a server can fork no worker.
    unseen = {"CUDA_VISIBLE_DEVICES": ""} if device == "cpu" else {}
    return kept | private | KEPT_HEAP | unseen
