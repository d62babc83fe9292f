"""The controller's handle on one worker: requests with deadlines, stop and continue, limits, and how it ended."""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import select
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import cast

from passnet.bench.isolation import limits
from passnet.bench.isolation.allowance import CandidateTime
from passnet.bench.isolation.fork_messages import Fork
from passnet.bench.isolation.fork_server import ForkedProcess, ForkServer
from passnet.bench.isolation.sandbox import SandboxPlan
from passnet.bench.wire import memory
from passnet.bench.wire.channel import Channel, ChannelClosed, ChannelError, ChannelTimeout
from passnet.bench.wire.message import MalformedMessage, read
from passnet.bench.wire.replies import Failed, FailureKind, NearMissRow, R, SeenFailure, WorkerAnswer
from passnet.bench.wire.requests import AnyRequest, Order, Request, reply_to
from passnet.errors import InfrastructureError

_POLL_S = 0.02
_WATCH_EVERY_S = 0.05
# The time that a stopped group may take to leave its system calls, and how often it is looked at.
_STOPS_WITHIN_S, _LOOK_AGAIN_S = 5.0, 0.0002
# One that has hardly run since then, and is in no call that cannot be broken, waits for a processor in which to stop.
_GETS_TIME_WITHIN_S = 60.0
# A stopped group uses no processor. A host may hold a thread up at its very stop, and then time passes for it: once.
_AT_REST_NS, _MAY_SEEM_AWAKE = 200_000, 1
# Candidates keep their memory while others run, so all of them together must leave room.
_FOR_CANDIDATES, _LEAST_SHARE = 0.75, 1 << 30
# The libraries of a GPU count as resident in every process.
_LEAST_RESIDENT = 3 << 30


class WorkerFailure(Exception):
    """A worker did not do what was asked. `kind` is a stable word, the message is for people.

    `said`: the worker's own message, where there is one.
    """

    def __init__(self, kind: FailureKind, message: str, said: Failed | None = None) -> None:
        super().__init__(message)
        self.kind, self.said = kind, said

    @property
    def near_misses(self) -> tuple[NearMissRow, ...]:
        """The near misses of a pass set that matched nothing."""
        return self.said.near_misses if self.said is not None else ()


class WorkerDead(WorkerFailure):
    """The worker is gone (or had to be ended), so a new one is needed."""


@dataclass(frozen=True)
class WorkerOptions:
    """The start of a worker: its role in words for messages, its limits, cores, threads, log and sandbox.

    `private`: no other process may read its memory, because it holds what a candidate must not see.
    """

    role: str
    worker_limits: limits.WorkerLimits
    cpus: tuple[int, ...]
    threads: int
    log: Path
    sandbox: SandboxPlan | None = None
    private: bool = False


class Worker:
    """One forked worker process and everything that it may leave behind."""

    def __init__(self, fork_server: ForkServer, options: WorkerOptions) -> None:
        self._fork_server = fork_server
        self.options = options
        self.channel, theirs = Channel.pair()
        log_fd = _opened_log(options.log)
        try:
            order = Fork(
                limits=options.worker_limits,
                cpus=options.cpus,
                threads=options.threads,
                sandbox=options.sandbox,
                private=options.private,
            )
            self._forked: ForkedProcess = fork_server.fork(order, theirs, log_fd)
        finally:
            os.close(log_fd)
            theirs.close()
        self.alive = True
        self._watched_at = 0.0
        self._asked = 0
        self.allowance = CandidateTime()
        self._asked_at: float | None = None
        self._place: tuple[tuple[int, ...], bool] | None = None
        self._at_rest: dict[int, int] = {}
        self._seemed_awake = 0

    @property
    def pid(self) -> int:
        return self._forked.pid

    @functools.cached_property
    def inner_pid(self) -> int:
        """The process that runs programs: in a sandbox with processes of its own, the child of the one we know.

        To be asked for before anything untrusted runs.
        """
        children = limits.children_of(self.pid) if self.options.sandbox is not None else []
        return children[0] if children else self.pid

    def request(self, request: Request[R], timeout_s: float, fds: tuple[int, ...] = ()) -> R:
        """Send and wait for the answer. WorkerFailure for an error answer, WorkerDead when the process is lost."""
        self.send(request, fds)
        return self.answer(request, timeout_s)

    def send(self, request: Request[R], fds: tuple[int, ...] = ()) -> None:
        if not self.alive:
            raise WorkerDead("dead", f"the {self.options.role} has already ended")
        self._asked_at = time.monotonic()
        self._look_at_allowance()
        self._asked = secrets.randbits(48)
        try:
            self.channel.send(Order(id=self._asked, request=cast(AnyRequest, request)).encoded(), fds)
        except ChannelClosed as error:
            raise self._died() from error

    def answer(self, request: Request[R], timeout_s: float) -> R:
        """The reply to the last request. WorkerFailure as `request` raises it."""
        try:
            return self._answer(request, timeout_s)
        finally:
            self._count_time()

    def _answer(self, request: Request[R], timeout_s: float) -> R:
        deadline = time.monotonic() + timeout_s
        while not self.channel.poll(_POLL_S):
            self.watch()
            if time.monotonic() > deadline:
                raise self.overdue(timeout_s)
        try:
            answer = read(WorkerAnswer, self.channel.receive(max(1.0, deadline - time.monotonic())))
        except ChannelClosed as error:
            raise self._died() from error
        except ChannelTimeout as error:
            raise self._end("timeout", f"the {self.options.role} stopped in the middle of an answer") from error
        except ChannelError as error:
            raise self._end("protocol", f"the {self.options.role} {error}") from error
        except MalformedMessage as error:
            raise self._end("protocol", f"the {self.options.role} sent {error}") from error
        if answer.id != self._asked:
            raise self.misbehaved("answered another question than was asked")
        reply, due = answer.reply, reply_to(request)
        if isinstance(reply, Failed):
            if reply.lost:
                self.close()
            raise WorkerFailure(reply.failure, reply.message, reply)
        if not isinstance(reply, due):
            raise self.misbehaved(f"sent a {reply.kind}; {due.__name__} was due")
        return reply

    def watch(self, *, usage: bool = True) -> None:
        """Raise WorkerDead when the worker has ended. With `usage`, also when its group uses more than it may.

        Looking at the usage reads /proc for milliseconds. That is too long inside a block of a few milliseconds.
        """
        self._look_at_allowance()
        if self.ended():
            if not self.channel.poll():
                raise self._died()
            return
        if not usage:
            return
        now = time.monotonic()
        if now - self._watched_at < _WATCH_EVERY_S:
            return
        self._watched_at = now
        bounds = self.options.worker_limits
        used = limits.usage(self.pid, self._fork_server.pid, ended_first=bounds.ended_first)
        processes = used.processes - (self.options.sandbox is not None)  # the one outside that reports how it ends
        if bounds.processes is not None and processes > bounds.processes:
            raise self._end("processes", f"{processes} processes; at most {bounds.processes} are allowed")
        if bounds.threads is not None and used.threads > bounds.threads:
            raise self._end("processes", f"{used.threads} threads; at most {bounds.threads} are allowed")
        if bounds.resident_bytes is not None and used.resident_bytes > bounds.resident_bytes:
            held = used.resident_bytes >> 20
            raise self._end("memory", f"{held} MiB resident; at most {bounds.resident_bytes >> 20} are allowed")

    def _look_at_allowance(self) -> None:
        """WorkerDead where the candidates of its pass set have used up their time."""
        now = time.monotonic()
        if self.allowance.spent_s + now - (self._asked_at or now) >= self.allowance.limit_s:
            raise self._end("timeout", f"the {self.options.role} used up {self.allowance}")

    def _count_time(self) -> None:
        """What was asked last is over: its time is spent."""
        if self._asked_at is not None:
            self.allowance.spent_s += time.monotonic() - self._asked_at
            self._asked_at = None

    def overdue(self, limit_s: float) -> WorkerDead:
        """End the worker because it took too long. The caller raises the returned error."""
        return self._end("timeout", f"the {self.options.role} did not answer within {limit_s:g} s")

    def misbehaved(self, what: str, kind: SeenFailure = "protocol") -> WorkerDead:
        """End the worker because it broke the rules of the channel or the control page."""
        return self._end(kind, f"the {self.options.role} {what}")

    def ended(self) -> bool:
        return bool(select.select([self._forked.pidfd], [], [], 0)[0])

    def stop(self) -> None:
        """Freeze the whole group, so that nothing runs or writes while another worker is timed.

        Untrusted code may be inside a long system call. Only SIGKILL ends such a call early, so this waits for it.
        WorkerDead, a finding, when it does not end.
        """
        self._at_rest = self._stopped()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """The group does nothing meanwhile, in the middle of a request. WorkerDead as of `stop`."""
        self._stopped()
        try:
            yield
        finally:
            if self.alive:
                self._signal(signal.SIGCONT)

    def _stopped(self) -> dict[int, int]:
        """The processor time of each process, now that all are stopped. Nothing of workers whose code is trusted."""
        self._signal(signal.SIGSTOP)
        if self.options.sandbox is None:
            return {}
        group, began = (self.pid, self._fork_server.pid), time.monotonic()
        before_ns, free_at = limits.used_ns(*group), began
        while (rest := limits.at_rest(*group)) is None:
            now = time.monotonic()
            waited = now - began
            if waited > _STOPS_WITHIN_S / 10 and limits.wait_for_a_processor(*group):
                free_at = now
            if waited > _STOPS_WITHIN_S:
                used_s, stuck_s = (limits.used_ns(*group) - before_ns) / 1e9, now - free_at
                if used_s > waited / 2 or stuck_s > _STOPS_WITHIN_S:
                    how = f"for {used_s:.1f} s" if used_s > waited / 2 else "inside a system call"
                    what = f"worked on {how} in {waited:.0f} s after it was stopped"
                    raise self._end("background_work", f"the {self.options.role} {what}")
                if waited > _GETS_TIME_WITHIN_S:
                    self.close()
                    what = f"gave the {self.options.role} no processor in which to stop for {waited:.0f} s"
                    raise InfrastructureError(f"the machine {what}")
            time.sleep(_LOOK_AGAIN_S)
        return rest

    def resume(self) -> None:
        """Let the group go on. WorkerDead, a finding, when it has worked while it was stopped.

        Its processes may have woken each other after all of them were seen at rest.
        """
        worked_ns, self._at_rest = limits.worked_ns(self._at_rest), {}
        if worked_ns > _AT_REST_NS:
            self._seemed_awake += 1
            if self._seemed_awake > _MAY_SEEM_AWAKE:
                raise self._end(
                    "background_work", f"the {self.options.role} worked for {worked_ns / 1e6:.1f} ms while stopped"
                )
        self._signal(signal.SIGCONT)

    def wanted_cpu_ns(self) -> int:
        """The processor time that its threads and its descendants used or waited for so far."""
        return limits.wanted_cpu_ns(self.pid, self._fork_server.pid)

    def place(self, cores: tuple[int, ...], first: bool) -> None:
        """Have all threads of the worker and of its descendants run on these cores. It is stopped.

        `first`: before other processes there, where this user may ask for that. After each draw the system chooses
        anew who runs, and on a busy machine that would be somebody else for milliseconds.
        """
        if self._place == (cores, first):
            return
        for thread in limits.threads_of(self.pid, self._fork_server.pid):
            with contextlib.suppress(OSError):  # it ended while we looked
                os.sched_setaffinity(thread, cores)
            limits.prefer(thread, first=first)
        self._place = cores, first

    def close(self) -> None:
        """End the worker, its group and what escaped from it. Safe to call twice."""
        if not self.alive:
            return
        self.alive = False
        self._count_time()
        limits.kill_group(self.pid)
        select.select([self._forked.pidfd], [], [], 5.0)
        self._fork_server.sweep()
        self.channel.close()
        os.close(self._forked.pidfd)
        _readable(self.options.log)

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _signal(self, number: signal.Signals) -> None:
        try:
            os.killpg(self.pid, number)
        except ProcessLookupError:
            return  # the next request says how it ended

    def _end(self, kind: SeenFailure, message: str) -> WorkerDead:
        self.close()
        return WorkerDead(kind, message)

    def _died(self) -> WorkerDead:
        if not select.select([self._forked.pidfd], [], [], 2.0)[0]:
            return self._end("crash", f"the {self.options.role} closed its channel without answering")
        status = self._fork_server.status(self.pid)
        self.close()
        if status is None and (reason := self._fork_server.lost):
            raise InfrastructureError(reason)  # workers end with their server: this is not a crash of theirs
        return WorkerDead("crash", f"the {self.options.role} {_describe(status)}")


def _opened_log(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    _readable(path)
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)


def _readable(log: Path) -> None:
    """Set the log's mode again. A process with the file open may change it: to one that nobody can open, or to one
    that runs the file as this user.
    """
    with contextlib.suppress(OSError):
        log.chmod(0o644)


def _describe(status: int | None) -> str:
    if status is None:
        return "ended for an unknown reason"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        why = ", as by a system that is out of memory" if number == signal.SIGKILL else ""
        return f"was ended by signal {number} ({signal.strsignal(number)}{why})"
    return f"exited with code {os.WEXITSTATUS(status)} without answering"


def candidate_limits(
    memory_bytes: int, max_processes: int, device: str, share_bytes: int | None = None
) -> limits.WorkerLimits:
    """Bounds of a worker that runs passes. CUDA reserves huge address ranges, so there only resident memory counts.

    `share_bytes`: the part of this machine's memory for it alone, where that is less than `memory_bytes`.
    """
    least = 0 if device == "cpu" else _LEAST_RESIDENT
    share = memory_bytes if share_bytes is None else min(memory_bytes, max(share_bytes, least))
    base = limits.WorkerLimits(resident_bytes=share + (1 << 30), processes=max_processes, ended_first=True)
    return replace(base, address_space_bytes=memory_bytes, data_bytes=share) if device == "cpu" else base


def memory_share(candidates: int) -> int:
    """The part of the memory now free that each of this many candidates may take. The rest is for trusted processes."""
    return max(_LEAST_SHARE, int(_FOR_CANDIDATES * memory.free_bytes("cpu")) // candidates)


def reference_limits() -> limits.WorkerLimits:
    """Bounds of trusted code: they only stop accidents."""
    return limits.WorkerLimits(file_bytes=None, open_files=None, threads=None)
