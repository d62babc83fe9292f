"""The fork server's own process. It imports what workers need, then forks one on each request. Trusted code only."""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import signal
import socket

from passnet.bench.isolation import limits, sandbox
from passnet.bench.isolation.fork_messages import Fork, Forked, ForkEvent, ForkOrder, Ready, Swept, WorkerEnded
from passnet.bench.wire import generator
from passnet.bench.wire.channel import Channel, ChannelClosed
from passnet.bench.wire.message import read
from passnet.kernels.gpu import toolchain


def main(fd: int, modules: list[str], native: tuple[str, str | None], arch: int | None) -> None:
    """Entry point of the warm process: import, report, then fork on request until the controller goes away.

    `arch`: of the GPU, as 90. None: no GPU.
    """
    limits.die_with_parent()
    limits.adopt_orphans()
    _import_heavy(modules)
    _remember(modules, gpu=arch is not None)
    generator.preload(*native)
    if arch is not None:
        toolchain.remember(arch)
    sandbox.needed_paths()
    channel = Channel(socket.socket(fileno=fd))
    wake_r, wake_w = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake_w)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    channel.send(ForkEvent(event=Ready()).encoded())
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
    import torch

    # OpenMP work with two threads before a fork hangs the first parallel op of the child.
    torch.set_num_threads(1)
    # Propagating metadata imports torch._dynamo. Real work here would initialise CUDA before the fork.
    for name in ("torch._dynamo", "passnet.bench.worker.serve", *modules):
        importlib.import_module(name)


def _remember(modules: list[str], *, gpu: bool) -> None:
    """Compute once what every worker with passes needs, and what is kept for the life of a process."""
    if "passnet.kernels.native" in modules:
        import torch.overrides

        from passnet.kernels import native

        native.room_key()
        if gpu:
            with contextlib.suppress(ImportError):
                importlib.import_module("triton.runtime.interpreter")
        torch.overrides.is_tensor_method_or_property(torch.Tensor.add)


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
            channel.send(ForkEvent(event=WorkerEnded(pid=pid, status=status)).encoded())


def _serve(channel: Channel, workers: set[int], wake_w: int) -> None:
    order = read(ForkOrder, channel.receive()).order
    if isinstance(order, Fork):
        _fork(channel, workers, order, wake_w)
        return
    # A killed process hands its own children to us, so look again until there are none.
    while strangers := set(limits.children_of(os.getpid())) - workers:
        for pid in strangers:
            limits.kill_group(pid)
            os.kill(pid, signal.SIGKILL)
        for pid in strangers:
            os.waitpid(pid, 0)
    _reap(channel, workers)
    channel.send(ForkEvent(event=Swept()).encoded())


def _fork(channel: Channel, workers: set[int], order: Fork, wake_w: int) -> None:
    sock_fd, log_fd = channel.take_fds()
    pid = os.fork()
    if pid == 0:
        channel.close()
        signal.set_wakeup_fd(-1)
        os.close(wake_w)
        _become_worker(order, sock_fd, log_fd)
    # Both sides do it, so the group exists whichever side runs first. The controller may signal it at once.
    os.setpgid(pid, pid)
    os.close(sock_fd)
    os.close(log_fd)
    workers.add(pid)
    channel.send(ForkEvent(event=Forked(pid=pid)).encoded())


def _become_worker(order: Fork, sock_fd: int, log_fd: int) -> None:
    """Never returns. A worker that fails to start says so in its log and ends with status 70."""
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        limits.die_with_parent()
        os.dup2(log_fd, 1)
        os.dup2(log_fd, 2)
        _close_all_but(0, 1, 2, sock_fd)
        if order.cpus:
            os.sched_setaffinity(0, order.cpus)
        import torch

        torch.set_num_threads(order.threads)
        from passnet.bench.worker import serve

        limits.apply(order.limits)
        layers = sandbox.enter(order.sandbox) if order.sandbox is not None else ()
        if order.private:
            limits.forbid_inspection()
        serve.serve(Channel(socket.socket(fileno=sock_fd)), layers)
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
