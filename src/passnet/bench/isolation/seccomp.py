"""A seccomp filter in plain BPF. It denies system calls that an escape would need.

No kernel, compiler or interpreter needs these calls.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
from collections.abc import Iterator
from dataclasses import dataclass

_LOAD, _AND, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS = 1, 38
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16
_ARCHES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000
_STEP_BYTES = 8
_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER = 38, 22, 2
_NEW_USER = 0x10000000
_AF_UNIX = 1
# Goes on with what was stopped. A child's end can send it too, and a parent's, and a file that changed.
_SIGCONT, _OF_CHILDS_END = int(signal.SIGCONT), 0xFF
_PARENTS_END, _OF_FILES = 1, 10  # PR_SET_PDEATHSIG, F_SETSIG


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
    ),
    _row(
        "namespaces and mounts", "another view of files and processes",
        unshare=(272, 97), setns=(308, 268), mount=(165, 40), umount2=(166, 39), pivot_root=(155, 41),
        chroot=(161, 51), move_mount=(429, 429), open_tree=(428, 428), fsopen=(430, 430), fsmount=(432, 432),
        fspick=(433, 433), mount_setattr=(442, 442), open_by_handle_at=(304, 265), name_to_handle_at=(303, 264),
    ),
    _row(
        "kernel interfaces", "large attack surface that no kernel of a pass needs",
        bpf=(321, 280), perf_event_open=(298, 241), userfaultfd=(323, 282), io_uring_setup=(425, 425),
        io_uring_enter=(426, 426), io_uring_register=(427, 427), keyctl=(250, 219), add_key=(248, 217),
        request_key=(249, 218), init_module=(175, 105), finit_module=(313, 273), delete_module=(176, 106),
        kexec_load=(246, 104), swapon=(167, 224), swapoff=(168, 225), reboot=(169, 142), syslog=(103, 116),
        quotactl=(179, 60), acct=(163, 89), personality=(135, 92), vmsplice=(278, 75),
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
        memfd_create=(319, 279), memfd_secret=(447, 447), shmget=(29, 194), msgget=(68, 186), semget=(64, 190),
        socketpair=(53, 199),
    ),
    _row(
        "timers", "what goes off while its process is stopped slows whoever is measured then",
        timer_create=(222, 107), timer_settime=(223, 110), timerfd_create=(283, 85), timerfd_settime=(286, 86),
        setitimer=(38, 103), alarm=(37, _NO_SUCH), io_setup=(206, 0), io_submit=(209, 2),
    ),
    _row(
        "messages", "a message that comes can wake its process by a signal, while that is stopped",
        mq_open=(240, 180), mq_notify=(244, 184),
    ),
    _row(
        "sleepers", "who is moved to another word wakes for nobody who rings at the old one",
        futex_requeue=(456, 456),
    ),
    _row(
        "clocks", "nobody but the system sets the time",
        settimeofday=(164, 170), clock_settime=(227, 112), clock_adjtime=(305, 266), adjtimex=(159, 171),
    ),
)  # fmt: skip
# The GPU driver uses the first, and may use the second.
_FOR_DRIVERS = frozenset({"memory without an address", "timers"})
_SOCKET, _CLONE, _CLONE3, _PRCTL, _FCNTL = (41, 198), (56, 220), (435, 435), (157, 167), (72, 25)
_PRLIMIT = (302, 261)
# Operations of `futex` that move sleepers: REQUEUE, CMP_REQUEUE, WAIT_REQUEUE_PI, CMP_REQUEUE_PI. libc uses none.
_FUTEX, _FUTEX_OPERATION, _MOVE_SLEEPERS = (202, 98), 0x7F, (3, 4, 11, 12)
# Calls that send a signal, and the argument that says which.
_SENDERS: dict[str, tuple[tuple[int, int], int]] = {
    "kill": ((62, 129), 1),
    "tkill": ((200, 130), 1),
    "tgkill": ((234, 131), 2),
    "rt_sigqueueinfo": ((129, 138), 1),
    "rt_tgsigqueueinfo": ((297, 240), 2),
}


def install(*, gpu: bool) -> None:
    """Bind this process permanently. `gpu`: its driver uses sockets to its daemons, and shares memory with them."""
    libc = ctypes.CDLL(None, use_errno=True)
    machine = platform.machine()
    if machine not in _ARCHES:
        raise SeccompUnavailable(f"no filter is known for {machine}")
    code = b"".join(program(machine, gpu=gpu))
    instructions = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("HxxxxxxQ", len(code) // _STEP_BYTES, ctypes.addressof(instructions))
    libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.prctl(_SET_SECCOMP, _FILTER, ctypes.create_string_buffer(header, len(header)), 0, 0) != 0:
        raise SeccompUnavailable(f"seccomp: {os.strerror(ctypes.get_errno())}")


def program(machine: str, *, gpu: bool) -> Iterator[bytes]:
    """The filter's instructions. Each test is complete in itself, so no jump reaches beyond its neighbour."""
    column = list(_ARCHES).index(machine)
    yield _step(_LOAD, _ARCH_AT)
    yield _step(_JUMP_EQUAL, _ARCHES[machine], 1, 0)
    yield _step(_RETURN, _KILL)
    yield _step(_LOAD, _NUMBER_AT)
    if machine == "x86_64":  # the other numbering of the same machine
        yield _step(_JUMP_AT_LEAST, _X32, 0, 1)
        yield _step(_RETURN, _ERRNO | _EPERM)
    for row in DENIED:
        if gpu and row.name in _FOR_DRIVERS:
            continue
        for numbers in row.calls.values():
            yield _step(_JUMP_EQUAL, numbers[column], 0, 1)
            yield _step(_RETURN, _ERRNO | _EPERM)
    # Its flags lie in memory that a filter cannot read. The C library uses clone instead.
    yield _step(_JUMP_EQUAL, _CLONE3[column], 0, 1)
    yield _step(_RETURN, _ERRNO | _ENOSYS)
    # Nobody in there may wake what the controller stopped.
    yield from _where(_CLONE[column], _argument(0), _unless_any(_NEW_USER), _masked(_OF_CHILDS_END), _unless(_SIGCONT))
    for numbers, which in _SENDERS.values():
        yield from _where(numbers[column], _argument(which), _unless(_SIGCONT))
    # Limits of its own alone. Others' may be set by who is the same user: they end a process, or make its calls fail.
    only_its_own = _step(_JUMP_EQUAL, 0, 1, 0) + _step(_RETURN, _ERRNO | _EPERM)
    yield from _where(_PRLIMIT[column], _argument(0), only_its_own)
    moving = [_unless(operation) for operation in _MOVE_SLEEPERS]
    yield from _where(_FUTEX[column], _argument(1), _masked(_FUTEX_OPERATION), *moving)
    yield from _where(_FCNTL[column], _argument(1), _unless(_OF_FILES))
    only_for_parents = _step(_JUMP_EQUAL, _PARENTS_END, 1, 0) + _step(_RETURN, _ALLOW)
    yield from _where(_PRCTL[column], _argument(0), only_for_parents, _argument(1), _unless(_SIGCONT))
    only_local = _step(_JUMP_EQUAL, _AF_UNIX if gpu else 0xFFFF, 1, 0) + _step(_RETURN, _ERRNO | _EPERM)
    yield from _where(_SOCKET[column], _argument(0), only_local)
    yield _step(_RETURN, _ALLOW)


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


def _unless(value: int) -> bytes:
    return _step(_JUMP_EQUAL, value, 0, 1) + _step(_RETURN, _ERRNO | _EPERM)


def _unless_any(bits: int) -> bytes:
    return _step(_JUMP_ANY_BIT, bits, 0, 1) + _step(_RETURN, _ERRNO | _EPERM)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
