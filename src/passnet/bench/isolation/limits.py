"""The limits of a worker process, and how the controller sees and ends a process group: prctl, rlimits, /proc."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
from dataclasses import dataclass
from pathlib import Path

from passnet.bench.wire.memory import status_bytes

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS, _PR_SET_CHILD_SUBREAPER = 1, 4, 38, 36


@dataclass(frozen=True)
class WorkerLimits:
    """Bounds of one worker. `None` means not limited.

    Address space and data (its own memory that it may write to) are counted above what the process has already.
    `ended_first`: a system that is out of memory ends this worker first.
    """

    address_space_bytes: int | None = None
    data_bytes: int | None = None
    resident_bytes: int | None = None
    file_bytes: int | None = 256 << 20
    open_files: int | None = 512
    processes: int | None = 64
    cpu_s: int | None = None
    ended_first: bool = False


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option})")


def die_with_parent() -> None:
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Make grandchildren that a worker leaves behind ours, so that they can be found and ended."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def forbid_inspection() -> None:
    """Hide our memory from this user's other processes, also from tracing. The controller holds inputs and verdicts."""
    _prctl(_PR_SET_DUMPABLE, 0)


def apply(limits: WorkerLimits) -> None:
    """Bind the calling process. Called in a fresh worker before any untrusted byte is read."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _set(resource.RLIMIT_CORE, 0)
    if limits.ended_first:
        with contextlib.suppress(OSError):  # where the system refuses the setting, it chooses by size
            Path("/proc/self/oom_score_adj").write_text("1000")
    if limits.address_space_bytes is not None:
        _set(resource.RLIMIT_AS, status_bytes("VmSize") + limits.address_space_bytes)
    if limits.data_bytes is not None:
        _set(resource.RLIMIT_DATA, status_bytes("VmData") + limits.data_bytes)
    if limits.file_bytes is not None:
        _set(resource.RLIMIT_FSIZE, limits.file_bytes)
    if limits.open_files is not None:
        _set(resource.RLIMIT_NOFILE, limits.open_files)
    if limits.cpu_s is not None:
        _set(resource.RLIMIT_CPU, limits.cpu_s)


def _set(which: int, value: int) -> None:
    _soft, hard = resource.getrlimit(which)
    bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (bound, bound))


@dataclass(frozen=True)
class ProcessStat:
    """One line of /proc: the process, its parent, its group, and how many pages it holds."""

    pid: int
    parent: int
    group: int
    pages: int


def processes() -> list[ProcessStat]:
    """Every visible process now."""
    found = []
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        try:
            stat = Path(entry.path, "stat").read_text()
        except OSError:  # it ended while we looked
            continue
        fields = stat[stat.rindex(")") + 2 :].split()
        found.append(ProcessStat(int(entry.name), int(fields[1]), int(fields[2]), int(fields[21])))
    return found


def family(pid: int) -> list[ProcessStat]:
    """A process, its group, and all their descendants, even when those moved to another group or session."""
    rows = processes()
    known = {row.pid for row in rows if pid in (row.pid, row.group)}
    while True:
        grown = known | {row.pid for row in rows if row.parent in known}
        if grown == known:
            return [row for row in rows if row.pid in known]
        known = grown


def unstopped(group: int, guardian: int) -> list[int]:
    """The threads that have not stopped yet, of a group that was sent SIGSTOP and of all its descendants.

    A thread inside a system call stops when it leaves the call. Until then it may use a processor without limit.
    `guardian`: the process that is given the group's orphans.
    """
    pending = [group, *(pid for pid in _children_of_task(guardian, guardian) if _group_of(pid) == group)]
    seen: set[int] = set()
    found: list[int] = []
    while pending:
        pid = pending.pop()
        if pid in seen:
            continue
        seen.add(pid)
        for thread in _threads(pid):
            if _state(pid, thread) not in _AT_REST:
                found.append(thread)
            pending += _children_of_task(pid, thread)
    return found


# Stopped, traced, ended.
_AT_REST = frozenset("TtZX")


def _threads(pid: int) -> list[int]:
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    except OSError:  # it ended while we looked
        return []


def _state(pid: int, thread: int) -> str:
    try:
        stat = Path(f"/proc/{pid}/task/{thread}/stat").read_text()
    except OSError:  # as above
        return "X"
    return stat[stat.rindex(")") + 2]


def _group_of(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except OSError:  # as above
        return 0


def _children_of_task(pid: int, thread: int) -> list[int]:
    """The children that one thread started or was given. Some kernels keep no such list, so all processes are
    searched.
    """
    if not _LISTS_CHILDREN:
        return children_of(pid) if thread == pid else []
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{thread}/children").read_text().split()]
    except OSError:  # as above
        return []


_LISTS_CHILDREN = Path("/proc/thread-self/children").exists()


def usage(pid: int) -> tuple[int, int]:
    """Processes in a worker's family and their resident bytes.

    RLIMIT_NPROC does not bind root, and elsewhere it counts all of a user's processes. So a fork bomb is seen here.
    """
    members = family(pid)
    return len(members), sum(row.pages for row in members) * resource.getpagesize()


def wanted_cpu_ns(pid: int) -> int:
    """The processor time that a process and its whole family used or waited for so far, in nanoseconds.

    On a crowded machine a busy thread gets only a little of its core, but it wants all of it.
    """
    total = 0
    for member in family(pid):
        for task in Path(f"/proc/{member.pid}/task").glob("*/schedstat"):
            try:
                total += sum(map(int, task.read_text().split()[:2]))
            except OSError:  # the thread ended while we looked
                continue
    return total


def kill_group(group: int) -> None:
    """End every process of a group. SIGKILL also ends stopped ones."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def children_of(pid: int) -> list[int]:
    """Direct children of a process, used to end orphans that left their group."""
    return [row.pid for row in processes() if row.parent == pid]
