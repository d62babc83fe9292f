"""The limits of a worker process, and how the controller sees and ends a process group: prctl, rlimits, /proc."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from passnet.bench.wire.memory import status_bytes

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS, _PR_SET_CHILD_SUBREAPER = 1, 4, 38, 36


@dataclass(frozen=True)
class WorkerLimits:
    """Bounds of one worker. `None` means not limited.

    Address space and data (its own memory that it may write to) are counted above what the process has already.
    `stack_bytes`: as much as is cleared between calls (`wire/native/forget.h`).
    `threads`: of all its processes together. The system's memory for threads is counted by no limit of a process.
    `ended_first`: a system that is out of memory ends this worker first.
    """

    address_space_bytes: int | None = None
    data_bytes: int | None = None
    resident_bytes: int | None = None
    file_bytes: int | None = 256 << 20
    stack_bytes: int | None = 8 << 20
    open_files: int | None = 512
    processes: int | None = 64
    threads: int | None = 1024
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
        _end_first("self")
    if limits.address_space_bytes is not None:
        _set(resource.RLIMIT_AS, status_bytes("VmSize") + limits.address_space_bytes)
    if limits.data_bytes is not None:
        _set(resource.RLIMIT_DATA, status_bytes("VmData") + limits.data_bytes)
    if limits.file_bytes is not None:
        _set(resource.RLIMIT_FSIZE, limits.file_bytes)
    if limits.stack_bytes is not None:
        _set(resource.RLIMIT_STACK, limits.stack_bytes)
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
            fields = _stat(entry.path)
        except OSError:  # it ended while we looked
            continue
        found.append(ProcessStat(int(entry.name), int(fields[1]), int(fields[2]), int(fields[21])))
    return found


def at_rest(group: int, guardian: int) -> dict[int, int] | None:
    """The processor time of each living process in nanoseconds, once all have stopped of a group that was sent SIGSTOP.

    None before. It speaks of all descendants too. A thread inside a system call stops when it leaves the call. Until
    then it may use a processor without limit. `guardian`: the process that is given the group's orphans.
    """
    alive = set()
    for pid, thread in _members(group, guardian):
        state = _state(pid, thread)
        if state not in _AT_REST:
            return None
        if state not in _ENDED:
            alive.add(pid)
    return {pid: ns for pid in alive if (ns := _processor_ns(pid)) is not None}


def worked_ns(since: Mapping[int, int]) -> int:
    """The processor time that processes used since then. One that has ended meanwhile ran, and counts as a second."""
    now = ((_processor_ns(pid), before) for pid, before in since.items())
    return sum(max(0, ns - before) if ns is not None else 10**9 for ns, before in now)


def used_ns(group: int, guardian: int) -> int:
    """The processor time that the living processes of a group and its descendants used so far."""
    return sum(_processor_ns(pid) or 0 for pid in members_of(group, guardian))


def wait_for_a_processor(group: int, guardian: int) -> bool:
    """Whether every thread that has not stopped could run, and none is inside a system call that cannot be broken."""
    return all(_state(pid, thread) in _AT_REST | {"R"} for pid, thread in _members(group, guardian))


def members_of(group: int, guardian: int) -> set[int]:
    """All processes of a group and its descendants. `guardian`: as of `at_rest`."""
    return {pid for pid, _ in _members(group, guardian)}


def threads_of(group: int, guardian: int) -> list[int]:
    """All threads of a group and of its descendants. `guardian`: as of `at_rest`."""
    return [thread for _, thread in _members(group, guardian)]


def _members(group: int, guardian: int) -> Iterator[tuple[int, int]]:
    """Processes and threads of a group and of its descendants."""
    pending = [group, *(pid for pid in _children_of_task(guardian, guardian) if _group_of(pid) == group)]
    seen: set[int] = set()
    while pending:
        pid = pending.pop()
        if pid in seen:
            continue
        seen.add(pid)
        for thread in _threads(pid):
            yield pid, thread
            pending += _children_of_task(pid, thread)


_FIRST, _USUAL = -20, os.getpriority(os.PRIO_PROCESS, 0)
_ENDED = frozenset("ZX")
_AT_REST = _ENDED | frozenset("Tt")  # ended, stopped, traced


def _processor_ns(pid: int) -> int | None:
    """The time of all threads, by the process's own clock. None where it has ended. The kernel's name for that clock
    is made of the process's number; the C library makes it in the same way.
    """
    try:
        return time.clock_gettime_ns((~pid << 3) | 2)
    except OSError:  # it ended
        return None


def _threads(pid: int) -> list[int]:
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    except OSError:  # it ended while we looked
        return []


def _state(pid: int, thread: int) -> str:
    try:
        return _stat(f"/proc/{pid}/task/{thread}")[0]
    except OSError:  # as above
        return "X"


def _stat(place: str) -> list[str]:
    """The fields of a process or thread from its state on. Its name before them may be any bytes."""
    stat = Path(place, "stat").read_bytes()
    return stat[stat.rindex(b")") + 2 :].decode().split()


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


@dataclass(frozen=True)
class GroupUsage:
    """What a worker, its group and their descendants take of the machine."""

    processes: int
    threads: int
    resident_bytes: int


def _end_first(process: int | str) -> None:
    """A system that is out of memory ends this process first. Where it refuses the setting, it chooses by size."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{process}/oom_score_adj").write_text("1000")


def usage(pid: int, guardian: int, *, ended_first: bool = False) -> GroupUsage:
    """What a worker takes now. `guardian`: as of `at_rest`. `ended_first`: as of its limits, which are set once more.

    RLIMIT_NPROC does not bind root, and elsewhere it counts all of a user's processes. So a fork bomb is seen here.
    """
    members = list(_members(pid, guardian))
    processes = {member for member, _ in members}
    if ended_first:  # a process may take it back wherever it can write to its own place in /proc
        for member in processes:
            _end_first(member)
    pages = [_pages(member) for member in processes]
    alive = [count for count in pages if count is not None]
    return GroupUsage(len(alive), len(members), sum(alive) * resource.getpagesize())


def _pages(pid: int) -> int | None:
    """Resident pages. None where the process has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return None


def wanted_cpu_ns(pid: int, guardian: int) -> int:
    """The processor time that a process and its whole family used or waited for so far, in nanoseconds.

    On a crowded machine a busy thread gets only a little of its core, but it wants all of it.
    """
    total = 0
    for member, thread in _members(pid, guardian):
        try:
            text = Path(f"/proc/{member}/task/{thread}/schedstat").read_text()
        except OSError:  # the thread ended while we looked
            continue
        total += sum(map(int, text.split()[:2]))
    return total


def prefer(thread: int, *, first: bool) -> None:
    """Run a thread before those of other processes, or as this process was started. No error where that is refused."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, thread, _FIRST if first else _USUAL)


def kill_group(group: int) -> None:
    """End every process of a group. SIGKILL also ends stopped ones."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def children_of(pid: int) -> list[int]:
    """Direct children of a process, used to end orphans that left their group."""
    return [row.pid for row in processes() if row.parent == pid]
