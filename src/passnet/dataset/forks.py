"""Runs units of work in forked children of this process. Each has limits of time and memory, and each ends.

A unit's code may raise, hang, crash or use too much memory. The result is a file or a failure with a reason. Before the
first fork, the caller must have no threads that do work, and torch must use one thread.
"""

from __future__ import annotations

import errno
import faulthandler
import gc
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from passnet.writing import StorageError, unwritable, write_atomic

_POLL_S = 0.02
_RAISED, _DISK = 3, 4
_DETAIL_BYTES = 4000
_PATIENCE = 6
_GC_THRESHOLDS = (100_000, 50, 100)
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class ForkUnit:
    """One piece of work: `run` gives the bytes that are stored at `target`, which appears whole or not at all."""

    key: str
    run: Callable[[], bytes]
    target: Path


@dataclass(frozen=True)
class Bounds:
    """The limits of a unit: seconds of processor time, and bytes of address space above the current mapping.

    The limit of wall time is `_PATIENCE` times as many seconds, for units that sleep or wait. Processor time counts
    because a result must not depend on other work of the machine.
    """

    seconds: float = 120.0
    memory_bytes: int = 6 << 30


@dataclass(frozen=True)
class Ended:
    """How a unit ended: `failure` is None when its target was written, else a sentence."""

    key: str
    failure: str | None
    seconds: float
    cpu_seconds: float
    peak_memory_mb: float


@dataclass
class _Child:
    unit: ForkUnit
    started: float
    errors: Path
    timed_out: str | None = None


def run_units(units: Iterable[ForkUnit], workers: int, bounds: Bounds) -> Iterator[Ended]:
    """Run every unit, `workers` at a time. Yields in order of ending. Closing the iterator ends running units."""
    waiting = iter(units)
    running: dict[int, _Child] = {}
    try:
        while True:
            while len(running) < workers and (unit := next(waiting, None)) is not None:
                running |= dict([_start(unit, bounds)])
            if not running:
                return
            ended = _reap(running, bounds)
            if not ended:
                time.sleep(_POLL_S)
            yield from ended
    finally:
        for pid, child in running.items():
            _kill(pid)
            os.waitpid(pid, 0)
            child.errors.unlink(missing_ok=True)


def _start(unit: ForkUnit, bounds: Bounds) -> tuple[int, _Child]:
    errors = unit.target.with_name(f".{unit.target.name}.error")
    unit.target.parent.mkdir(parents=True, exist_ok=True)
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        _child(unit, bounds, errors)
    return pid, _Child(unit, time.monotonic(), errors)


def _child(unit: ForkUnit, bounds: Bounds, errors: Path) -> None:
    """Never returns. In every case the child leaves without running the parent's exit handlers."""
    code = 1
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _quiet()
        # Objects of the parent stay for good. Scanning them again and again takes a quarter of the time of a capture.
        gc.freeze()
        gc.set_threshold(*_GC_THRESHOLDS)
        limit = _mapped_bytes() + bounds.memory_bytes
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        write_atomic(unit.target, unit.run())
        code = 0
    except StorageError:  # no failure of the unit: the parent stops
        code = _DISK
    except BaseException as error:  # noqa: BLE001 - the parent turns it into a record
        code = _RAISED
        lines = "".join(traceback.format_exception_only(error)).strip()
        errors.write_bytes(lines.encode(errors="replace")[:_DETAIL_BYTES])
    finally:
        os._exit(code)


def _quiet() -> None:
    """Model libraries print. Their text does not belong on the user's terminal."""
    faulthandler.disable()
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)


def _mapped_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def _reap(running: dict[int, _Child], bounds: Bounds) -> list[Ended]:
    ended = []
    for pid, child in list(running.items()):
        seconds = time.monotonic() - child.started
        child.timed_out = child.timed_out or _time_limit(pid, seconds, bounds)
        if child.timed_out:
            _kill(pid)
        found, status, usage = os.wait4(pid, os.WNOHANG)
        if found == 0:
            continue
        del running[pid]
        _kill(pid)  # files that the unit may have left
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == _DISK:
            raise unwritable(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), child.unit.target)
        failure = _failure(child, status, bounds)
        child.errors.unlink(missing_ok=True)
        ended.append(Ended(child.unit.key, failure, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024))
    return ended


def _time_limit(pid: int, seconds: float, bounds: Bounds) -> str | None:
    """Why the child has had its time, if it has."""
    if _processor_seconds(pid) > bounds.seconds:
        return f"TimeLimit: not done after {bounds.seconds:g} s of processor time"
    if seconds > bounds.seconds * _PATIENCE:
        return f"TimeLimit: not done after {bounds.seconds * _PATIENCE:g} s"
    return None


def _processor_seconds(pid: int) -> float:
    """User and system time of a child. It can be read until we wait for the child, even if the child is a zombie."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_SECOND


def _failure(child: _Child, status: int, bounds: Bounds) -> str | None:
    if child.timed_out:
        return child.timed_out
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return f"Crash: ended by signal {number} ({signal.strsignal(number)})"
    code = os.WEXITSTATUS(status)
    if code == 0:
        return None
    if code == _RAISED and child.errors.exists():
        text = child.errors.read_text(errors="replace")
        if text.startswith("MemoryError") or "allocate memory" in text or "not enough memory" in text:
            return f"MemoryLimit: more than {bounds.memory_bytes >> 20} MiB: {text}"
        return text
    return f"Exit: left with code {code} without a result"


def _kill(pid: int) -> None:
    """The child's whole process group. The child itself before it has made one."""
    try:
        if os.getpgid(pid) == pid:
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        try:
            os.killpg(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return
