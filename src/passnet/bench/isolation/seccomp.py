"""A seccomp filter in plain BPF. It denies system calls that an escape would need.

No kernel, compiler or interpreter needs these calls.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass

_LOAD, _AND, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOTTY, _ENOSYS = 1, 25, 38
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16
_ARCHES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000
_STEP_BYTES = 8
_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER = 38, 22, 2
# Of `clone`: new namespaces of each kind, and a child that belongs to the parent of who made it.
_ELSEWHERE = 0x7E020000 | 0x8000
_AF_UNIX = 1
# Goes on with what was stopped. A child's end can send it too, and a parent's, and a file that changed.
_SIGCONT, _OF_CHILDS_END = int(signal.SIGCONT), 0xFF
_PARENTS_END = 1  # PR_SET_PDEATHSIG


class SeccompUnavailable(Exception):
    """No filter can be installed on this system."""


@dataclass(frozen=True)
class Denied:
    """A row: a group of system calls, why they are denied, and their numbers by machine."""

    name: str
    why: str
    calls: dict[str, tuple[int, int]]


def _row(name: str, why: str, **calls: tuple[int, int]) -> Denied:
    return Denied(name, why, calls)


_NO_SUCH = 0xFFFFFFFF  # of a call that a machine does not have
# Per call: the numbers on x86_64 and aarch64.
DENIED: tuple[Denied, ...] = (
    _row(
        "other processes", "memory and descriptors of other processes",
        ptrace=(101, 117), process_vm_readv=(310, 270), process_vm_writev=(311, 271), kcmp=(312, 272),
        pidfd_open=(434, 434), pidfd_getfd=(438, 438), pidfd_send_signal=(424, 424), process_madvise=(440, 440),
        process_mrelease=(448, 448), get_robust_list=(274, 100),
    ),
    _row(
        "namespaces and mounts", "another view of files and processes",
        unshare=(272, 97), setns=(308, 268), mount=(165, 40), umount2=(166, 39), pivot_root=(155, 41),
        chroot=(161, 51), move_mount=(429, 429), open_tree=(428, 428), fsopen=(430, 430), fsconfig=(431, 431),
        fsmount=(432, 432), fspick=(433, 433), mount_setattr=(442, 442), open_by_handle_at=(304, 265),
        name_to_handle_at=(303, 264), open_tree_attr=(467, 467),
    ),
    _row(
        "kernel interfaces", "large attack surface that no kernel of a pass needs",
        bpf=(321, 280), perf_event_open=(298, 241), userfaultfd=(323, 282), io_uring_setup=(425, 425),
        io_uring_enter=(426, 426), io_uring_register=(427, 427), keyctl=(250, 219), add_key=(248, 217),
        request_key=(249, 218), init_module=(175, 105), finit_module=(313, 273), delete_module=(176, 106),
        kexec_load=(246, 104), kexec_file_load=(320, 294), swapon=(167, 224), swapoff=(168, 225), reboot=(169, 142),
        syslog=(103, 116), quotactl=(179, 60), quotactl_fd=(443, 443), acct=(163, 89), personality=(135, 92),
        vmsplice=(278, 75), splice=(275, 76), tee=(276, 77), seccomp=(317, 277), landlock_create_ruleset=(444, 444),
        landlock_add_rule=(445, 445), landlock_restrict_self=(446, 446), modify_ldt=(154, _NO_SUCH),
        uselib=(134, _NO_SUCH), nfsservctl=(180, 42), lookup_dcookie=(212, 18), vhangup=(153, 58),
        lsm_set_self_attr=(460, 460),
    ),
    _row(
        "users and the machine", "who a process is, what it may, the machine's name and its ports",
        setuid=(105, 146), setgid=(106, 144), setreuid=(113, 145), setregid=(114, 143), setgroups=(116, 159),
        setresuid=(117, 147), setresgid=(119, 149), setfsuid=(122, 151), setfsgid=(123, 152), capset=(126, 91),
        sethostname=(170, 161), setdomainname=(171, 162), iopl=(172, _NO_SUCH), ioperm=(173, _NO_SUCH),
    ),
    _row(
        "leaving the group", "a process outside the group would run on while the group is stopped",
        setsid=(112, 157), setpgid=(109, 154),
    ),
    _row(
        "placement and priority", "the controller decides on which core a worker runs",
        sched_setaffinity=(203, 122), sched_setscheduler=(144, 119), sched_setparam=(142, 118),
        sched_setattr=(314, 274), setpriority=(141, 140), ioprio_set=(251, 30),
    ),
    _row(
        "memory without an address", "what is mapped nowhere is counted by no limit of a process",
        memfd_create=(319, 279), memfd_secret=(447, 447), socketpair=(53, 199),
    ),
    _row(
        "segments", "segments of the user's other programs are found by number, without a file",
        shmget=(29, 194), shmat=(30, 196), shmctl=(31, 195), shmdt=(67, 197),
    ),
    _row(
        "queues and semaphores", "those of the user's other programs are found by number too",
        msgget=(68, 186), msgsnd=(69, 189), msgrcv=(70, 188), msgctl=(71, 187),
        semget=(64, 190), semop=(65, 193), semctl=(66, 191), semtimedop=(220, 192),
    ),
    _row(
        "timers", "what goes off while its process is stopped slows whoever is measured then",
        timer_create=(222, 107), timer_settime=(223, 110), timerfd_create=(283, 85), timerfd_settime=(286, 86),
        setitimer=(38, 103), alarm=(37, _NO_SUCH), io_setup=(206, 0), io_submit=(209, 2),
    ),
    _row(
        "messages", "a message that comes can wake its process by a signal, while that is stopped",
        mq_open=(240, 180), mq_notify=(244, 184), mq_unlink=(241, 181), mq_timedsend=(242, 182),
        mq_timedreceive=(243, 183), mq_getsetattr=(245, 185),
    ),
    _row(
        "sleepers", "who is moved to another word wakes for nobody who rings at the old one",
        futex_requeue=(456, 456),
    ),
    _row(
        "clocks", "nobody but the system sets the time",
        settimeofday=(164, 170), clock_settime=(227, 112), clock_adjtime=(305, 266), adjtimex=(159, 171),
    ),
    _row(
        "watchers", "who is told when others open a file knows when the reference works",
        inotify_init=(253, _NO_SUCH), inotify_init1=(294, 26), inotify_add_watch=(254, 27),
        fanotify_init=(300, 262), fanotify_mark=(301, 263), cachestat=(451, 451),
    ),
    _row(
        "the whole machine", "all disks or all cores work for one call, those of others too",
        sync=(162, 81), syncfs=(306, 267), mlockall=(151, 230), migrate_pages=(256, 238),
    ),
    # Landlock has no right for them, so nothing else holds them where all files of the system are there: a descriptor
    # that may only be read is enough. Everywhere a candidate holds some of the user's: its input and its log.
    _row(
        "attributes of files", "the owner changes them, and needs no right to write",
        chmod=(90, _NO_SUCH), fchmod=(91, 52), fchmodat=(268, 53), fchmodat2=(452, 452), chown=(92, _NO_SUCH),
        fchown=(93, 55), lchown=(94, _NO_SUCH), fchownat=(260, 54), utime=(132, _NO_SUCH), utimes=(235, _NO_SUCH),
        futimesat=(261, _NO_SUCH), utimensat=(280, 88), setxattr=(188, 5), lsetxattr=(189, 6), fsetxattr=(190, 7),
        removexattr=(197, 14), lremovexattr=(198, 15), fremovexattr=(199, 16), setxattrat=(463, 463),
        removexattrat=(466, 466), file_setattr=(469, 469),
    ),
)  # fmt: skip
# What is newer is answered as by an older kernel: nobody has judged it. All machines share these numbers.
_UNKNOWN_FROM = 453
# The GPU driver uses the first, and may use the second.
_FOR_DRIVERS = frozenset({"memory without an address", "timers"})
# It may use these too. No other program has them where it has an IPC namespace of its own.
_OF_OWN_IPC = "segments"
_SOCKET, _CLONE, _CLONE3, _PRCTL, _FCNTL = (41, 198), (56, 220), (435, 435), (157, 167), (72, 25)
_PRLIMIT = (302, 261)
# Operations of `futex` that move sleepers: REQUEUE, CMP_REQUEUE, WAIT_REQUEUE_PI, CMP_REQUEUE_PI. libc uses none.
_FUTEX, _FUTEX_OPERATION, _MOVE_SLEEPERS = (202, 98), 0x7F, (3, 4, 11, 12)
# LOCK_PI, UNLOCK_PI, TRYLOCK_PI, LOCK_PI2: they name a thread of any process, and lend it a priority.
_LEND_PRIORITY = (6, 7, 8, 13)
# All else is denied. A lease or a notice (F_SETLEASE, F_NOTIFY) makes others wait for who holds it, or tells of them;
# an owner or a signal (F_SETOWN, F_SETSIG) sends signals.
_OF_DESCRIPTORS = (
    0, 1, 2, 3, 4, 1030, 1027,  # F_DUPFD, GETFD, SETFD, GETFL, SETFL, DUPFD_CLOEXEC, DUPFD_QUERY
    5, 6, 7, 36, 37, 38,  # F_GETLK, SETLK, SETLKW, and those of open files
    1031, 1032, 1033, 1034,  # F_SETPIPE_SZ, GETPIPE_SZ, ADD_SEALS, GET_SEALS
)  # fmt: skip
# All else is denied: a core of its own (PR_SCHED_CORE), memory that nobody may read (PR_SET_DUMPABLE), pages that are
# merged with others' (PR_SET_MEMORY_MERGE), children of others (PR_SET_CHILD_SUBREAPER).
_OF_ITSELF = (
    2, 3, 15, 16, 21, 23, 27, 29, 30, 38, 39, 40,  # reads, names, timer slack, no new privileges
    41, 42, 52, 0x53564D41, 0x41555856,  # huge pages, speculation (read), names of memory, auxiliary values
    25, 26, 50, 51, 54, 55, 56, 60, 61, 63, 64, 74, 75,  # registers: time stamps, vectors, pointers, stacks
)  # fmt: skip
_IOCTL, _IOCTL_KIND = (16, 29), 0xFF00
# Requests to file systems: flags, verity, project, version, snapshots. The owner needs no right to write.
_OF_FILE_SYSTEMS = tuple(kind << 8 for kind in (ord("f"), ord("v"), ord("X"), 0x94))
_SENDS_SIGNALS = (0x8901, 0x8902, 0x5412)  # FIOSETOWN, SIOCSPGRP, TIOCSTI
_MEMBARRIER, _OF_ALL_PROCESSES = (324, 283), 7  # the global commands interrupt all cores
_MOVE_PAGES = (279, 239)
_MADVISE, _FADVISE, _FALLOCATE = (28, 233), (221, 223), (285, 47)
# MADV_MERGEABLE, COLD, PAGEOUT, HWPOISON, SOFT_OFFLINE, POSIX_FADV_DONTNEED: pages of files that others read too.
_OF_SHARED_PAGES, _OUT_OF_CACHE = (12, 20, 21, 100, 101), 4
# A clock of another process tells when it works. One may even sleep until it has worked.
_CLOCKS = ((228, 113), (229, 114), (230, 115))  # clock_gettime, clock_getres, clock_nanosleep
_OF_PROCESSES, _OWN_CLOCK, _THREADS = 0x80000000, 0xFFFFFFFA, 4
# Calls that send a signal, and the argument that says which.
_SENDERS: dict[str, tuple[tuple[int, int], int]] = {
    "kill": ((62, 129), 1),
    "tkill": ((200, 130), 1),
    "tgkill": ((234, 131), 2),
    "rt_sigqueueinfo": ((129, 138), 1),
    "rt_tgsigqueueinfo": ((297, 240), 2),
}


def install(*, gpu: bool, own: Collection[str] = ()) -> None:
    """Bind this process permanently.

    `gpu`: its driver uses sockets to its daemons, and shares memory with them. `own`: the kinds of namespaces that the
    process has for itself. They close some things better than a filter can.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    machine = platform.machine()
    if machine not in _ARCHES:
        raise SeccompUnavailable(f"no filter is known for {machine}")
    code = b"".join(program(machine, gpu=gpu, own=own))
    instructions = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("HxxxxxxQ", len(code) // _STEP_BYTES, ctypes.addressof(instructions))
    libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.prctl(_SET_SECCOMP, _FILTER, ctypes.create_string_buffer(header, len(header)), 0, 0) != 0:
        raise SeccompUnavailable(f"seccomp: {os.strerror(ctypes.get_errno())}")


def program(machine: str, *, gpu: bool, own: Collection[str] = ()) -> Iterator[bytes]:
    """The filter's instructions. Each test is complete in itself, so no jump reaches beyond its neighbour."""
    column = list(_ARCHES).index(machine)
    yield _step(_LOAD, _ARCH_AT)
    yield _step(_JUMP_EQUAL, _ARCHES[machine], 1, 0)
    yield _step(_RETURN, _KILL)
    yield _step(_LOAD, _NUMBER_AT)
    if machine == "x86_64":  # the other numbering of the same machine
        yield _step(_JUMP_AT_LEAST, _X32, 0, 1)
        yield _step(_RETURN, _ERRNO | _EPERM)
    for row in _rows(gpu=gpu, own=own):
        for numbers in row.calls.values():
            yield _step(_JUMP_EQUAL, numbers[column], 0, 1)
            yield _step(_RETURN, _ERRNO | _EPERM)
    # Its flags lie in memory that a filter cannot read. The C library uses clone instead.
    yield _step(_JUMP_EQUAL, _CLONE3[column], 0, 1)
    yield _step(_RETURN, _ERRNO | _ENOSYS)
    yield _step(_JUMP_AT_LEAST, _UNKNOWN_FROM, 0, 1)
    yield _step(_RETURN, _ERRNO | _ENOSYS)
    yield from _of_processes(column)
    yield from _of_memory_and_files(column)
    moving = [_unless(operation) for operation in (*_MOVE_SLEEPERS, *(() if gpu else _LEND_PRIORITY))]
    yield from _where(_FUTEX[column], _argument(1), _masked(_FUTEX_OPERATION), *moving)
    yield from _where(_SOCKET[column], _argument(0), _only(_AF_UNIX if gpu else 0xFFFF))
    yield _step(_RETURN, _ALLOW)


def _rows(*, gpu: bool, own: Collection[str]) -> Iterator[Denied]:
    """The rows that hold. A driver has exceptions."""
    for row in DENIED:
        shared = row.name in _FOR_DRIVERS or (row.name == _OF_OWN_IPC and "ipc" in own)
        if not (gpu and shared):
            yield row


def _of_processes(column: int) -> Iterator[bytes]:
    """Calls that may go beyond the own process, by what they ask for."""
    # Nobody in there may wake what the controller stopped.
    yield from _where(_CLONE[column], _argument(0), _unless_any(_ELSEWHERE), _masked(_OF_CHILDS_END), _unless(_SIGCONT))
    for numbers, which in _SENDERS.values():
        yield from _where(numbers[column], _argument(which), _unless(_SIGCONT))
    # Limits of its own alone. Others' may be set by who is the same user: they end a process, or make its calls fail.
    yield from _where(_PRLIMIT[column], _argument(0), _only(0))
    yield from _where(_MOVE_PAGES[column], _argument(0), _only(0))
    yield from _where(_MEMBARRIER[column], _argument(0), _unless_any(_OF_ALL_PROCESSES))
    for numbers in _CLOCKS:
        known = _step(_JUMP_AT_LEAST, _OF_PROCESSES, 1, 0) + _allow()
        threads = _step(_JUMP_ANY_BIT, _THREADS, 0, 1) + _allow()
        yield from _where(numbers[column], _argument(0), known, threads, _only(_OWN_CLOCK))
    # Options of the own process. The signal of a parent's end must not wake.
    for_parents = _step(_JUMP_EQUAL, _PARENTS_END, 0, 4) + _argument(1) + _unless(_SIGCONT) + _allow()
    yield from _where(_PRCTL[column], _argument(0), for_parents, _only(*_OF_ITSELF))


def _of_memory_and_files(column: int) -> Iterator[bytes]:
    """Calls whose effect on files and pages others feel, by what they ask for."""
    yield from _where(_FCNTL[column], _argument(1), _only(*_OF_DESCRIPTORS))
    signals = [_unless(request) for request in _SENDS_SIGNALS]
    kinds = [_unless(kind, _ENOTTY) for kind in _OF_FILE_SYSTEMS]
    yield from _where(_IOCTL[column], _argument(1), *signals, _masked(_IOCTL_KIND), *kinds)
    yield from _where(_MADVISE[column], _argument(2), *[_unless(advice) for advice in _OF_SHARED_PAGES])
    yield from _where(_FADVISE[column], _argument(3), _unless(_OUT_OF_CACHE))
    # Room beyond the end of a file is bound by no limit of file sizes: one call would take the whole disk.
    yield from _where(_FALLOCATE[column], _argument(1), _only(0))


def _where(number: int, *steps: bytes) -> Iterator[bytes]:
    """For one system call: these steps, and if none of them denies it, it is allowed."""
    code = b"".join(steps) + _step(_RETURN, _ALLOW)
    yield _step(_JUMP_EQUAL, number, 0, len(code) // _STEP_BYTES)
    yield from (code[at : at + _STEP_BYTES] for at in range(0, len(code), _STEP_BYTES))


def _argument(index: int) -> bytes:
    """The low half of an argument, from now on."""
    return _step(_LOAD, _ARGUMENTS_AT + 8 * index)


def _masked(bits: int) -> bytes:
    return _step(_AND, bits)


def _allow() -> bytes:
    return _step(_RETURN, _ALLOW)


def _only(*values: int) -> bytes:
    """Nothing but these. It decides."""
    allowed = b"".join(_step(_JUMP_EQUAL, value, 0, 1) + _allow() for value in values)
    return allowed + _step(_RETURN, _ERRNO | _EPERM)


def _unless(value: int, error: int = _EPERM) -> bytes:
    return _step(_JUMP_EQUAL, value, 0, 1) + _step(_RETURN, _ERRNO | error)


def _unless_any(bits: int) -> bytes:
    return _step(_JUMP_ANY_BIT, bits, 0, 1) + _step(_RETURN, _ERRNO | _EPERM)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
