"""A warm process with torch imported and CUDA untouched, from which workers are forked in milliseconds.

Trusted code only: no pass is ever loaded here. The file holds both sides: `Zygote` in the controller and `main` in
the child. Each zygote is a fresh interpreter, so workers of different zygotes are independent processes for timing
(address layout, allocator, code placement) although a fork costs 15 ms instead of the seconds of an import.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from passnet.bench import generator, limits, sandbox
from passnet.bench.channel import Channel, ChannelClosed, ChannelError
from passnet.errors import InfrastructureError

# glibc returns large blocks to the kernel after every op otherwise, and page faults then decide who is faster.
KEPT_HEAP = {
    "MALLOC_MMAP_THRESHOLD_": "4294967296",
    "MALLOC_TRIM_THRESHOLD_": "17179869184",
    "MALLOC_TOP_PAD_": "268435456",
}
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
    "import json, sys; paths, fd, modules, native = json.loads(sys.argv[1]); sys.path[:] = paths; "
    "from passnet.bench.zygote import main; main(fd, modules, native)"
)
_START_TIMEOUT_S = 180.0


@dataclass(frozen=True)
class Forked:
    """A new worker: its pid (also its process group) and a descriptor that becomes readable when it ends."""

    pid: int
    pidfd: int


class Zygote:
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
        """`scratch`: private directory for the caches of compilers; `modules`: imported before the first fork."""
        ours, theirs = Channel.pair()
        scratch.mkdir(parents=True, exist_ok=True)
        self._log = scratch / "zygote.log"
        arguments = json.dumps([sys.path, theirs.fileno(), list(modules), generator.build(device)])
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

    @property
    def pid(self) -> int:
        """The warm process, which is given its workers' orphans."""
        return self._process.pid

    def wait_ready(self) -> None:
        """Block until the imports are done; they run beside whatever the controller does meanwhile."""
        if self._ready:
            return
        try:
            self._channel.receive(_START_TIMEOUT_S)
        except ChannelError as error:
            raise InfrastructureError(f"the worker server did not start: {error}; see {self._log}") from error
        self._ready = True

    def fork(
        self,
        sock: socket.socket,
        log_fd: int,
        *,
        worker_limits: limits.WorkerLimits,
        cpus: tuple[int, ...],
        threads: int,
        plan: sandbox.SandboxPlan | None = None,
        private: bool = False,
    ) -> Forked:
        """A new worker: in a sandbox if there is a `plan`; with `private`, no other process may read its memory."""
        self.wait_ready()
        order = {"limits": worker_limits.to_json(), "cpus": list(cpus), "threads": threads, "private": private}
        message = {"fork": order | {"sandbox": plan.to_json() if plan is not None else None}}
        try:
            self._channel.send(message, (sock.fileno(), log_fd))
            reply = self._answer("pid")
            pid = int(reply["pid"])
            return Forked(pid, os.pidfd_open(pid))
        except (ChannelError, OSError) as error:
            raise InfrastructureError(f"no worker could be forked: {error}; see {self._log}") from error

    def status(self, pid: int, timeout_s: float = 5.0) -> int | None:
        """The wait status of an ended worker (as `os.waitpid` gives it), None when it is not known in time."""
        while pid not in self._statuses:
            if not self._channel.poll(timeout_s):
                return None
            try:
                self._note(self._channel.receive(timeout_s))
            except ChannelError:  # the server is gone too: the next fork says so
                return None
        return self._statuses[pid]

    def sweep(self) -> None:
        """End processes that a dead worker left behind outside its group."""
        try:
            self._channel.send({"sweep": True})
            self._answer("swept")
        except ChannelError:  # a server that is gone took its children along; the next fork says so
            return

    def close(self) -> None:
        self._channel.close()
        limits.kill_group(self._process.pid)
        self._process.wait()

    def _answer(self, key: str) -> dict[str, Any]:
        while True:
            message = self._channel.receive(30.0)
            if key in message:
                return message
            self._note(message)

    def _note(self, message: dict[str, Any]) -> None:
        if "exit" in message:
            self._statuses[int(message["exit"])] = int(message["status"])


def _environment(scratch: Path, threads: int, device: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    private = {
        "HOME": str(scratch),
        # A sandbox has no list of users in which a name could be looked up.
        "USER": "passnet",
        "TMPDIR": str(scratch),
        "TORCHINDUCTOR_CACHE_DIR": str(scratch / "inductor"),
        "TRITON_CACHE_DIR": str(scratch / "triton"),
        "OMP_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    # Inductor initialises CUDA where there is a GPU, and a server that did can fork no worker.
    unseen = {"CUDA_VISIBLE_DEVICES": ""} if device == "cpu" else {}
    return kept | private | KEPT_HEAP | unseen


# --- the child -------------------------------------------------------------------------------------------------


def main(fd: int, modules: list[str], native: tuple[str, str | None]) -> None:
    """Entry point of the warm process: import, report, then fork on request until the controller goes away."""
    limits.die_with_parent()
    limits.adopt_orphans()
    _import_heavy(modules)
    generator.preload(*native)
    sandbox.needed_paths()
    channel = Channel(socket.socket(fileno=fd))
    wake_r, wake_w = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake_w)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    channel.send({"ready": os.getpid()})
    workers: set[int] = set()
    try:
        while True:
            ready = select.select([channel.fileno(), wake_r], [], [])[0]
            if wake_r in ready:
                os.read(wake_r, 4096)
                _reap(channel, workers)
            if channel.fileno() in ready:
                _serve(channel, workers, wake_w)
    except ChannelClosed:
        for pid in workers:
            limits.kill_group(pid)


def _import_heavy(modules: list[str]) -> None:
    import importlib

    import torch

    # OpenMP work with two threads before a fork hangs the first parallel op of the child.
    torch.set_num_threads(1)
    # Propagating metadata imports torch._dynamo; doing it here in earnest would initialise CUDA before the fork.
    for name in ("torch._dynamo", "passnet.bench.worker", *modules):
        importlib.import_module(name)


def _reap(channel: Channel, workers: set[int]) -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        if pid in workers:
            workers.discard(pid)
            channel.send({"exit": pid, "status": status})


def _serve(channel: Channel, workers: set[int], wake_w: int) -> None:
    message = channel.receive()
    if "sweep" in message:
        # What is killed hands its own children to us, so look again until there are none.
        while strangers := set(limits.children_of(os.getpid())) - workers:
            for pid in strangers:
                limits.kill_group(pid)
                os.kill(pid, signal.SIGKILL)
            for pid in strangers:
                os.waitpid(pid, 0)
        _reap(channel, workers)
        channel.send({"swept": True})
        return
    sock_fd, log_fd = channel.take_fds()
    pid = os.fork()
    if pid == 0:
        channel.close()
        signal.set_wakeup_fd(-1)
        os.close(wake_w)
        _become_worker(message["fork"], sock_fd, log_fd)
    # Both sides do it, so that the group exists whoever runs first: the controller may signal it at once.
    os.setpgid(pid, pid)
    os.close(sock_fd)
    os.close(log_fd)
    workers.add(pid)
    channel.send({"pid": pid})


def _become_worker(order: dict[str, Any], sock_fd: int, log_fd: int) -> None:
    """Never returns. A worker that fails to start says so in its log and ends with status 70."""
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        limits.die_with_parent()
        os.dup2(log_fd, 1)
        os.dup2(log_fd, 2)
        _close_all_but(0, 1, 2, sock_fd)
        if order["cpus"]:
            os.sched_setaffinity(0, order["cpus"])
        import torch

        torch.set_num_threads(order["threads"])
        from passnet.bench import worker

        limits.apply(limits.WorkerLimits(**order["limits"]))
        plan = order["sandbox"]
        layers = sandbox.enter(sandbox.SandboxPlan.from_json(plan)) if plan is not None else ()
        if order["private"]:
            limits.forbid_inspection()
        worker.serve(Channel(socket.socket(fileno=sock_fd)), layers)
        os._exit(0)
    except BaseException:  # noqa: BLE001 - the last frame of a forked child: nothing may unwind into the server's loop
        import traceback

        traceback.print_exc()
        os._exit(70)


def _close_all_but(*kept: int) -> None:
    """A worker inherits nothing beyond its channel and its log."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in kept:
            try:
                os.close(int(name))
            except OSError:  # the listing's own descriptor
                continue
