"""Requests by which a candidate process tries to get out of its sandbox: imported in the test's fork server only.

What a hostile pass could do with arbitrary code is done here without needing a pass. Each attempt returns what it got.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import resource
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from passnet.bench.isolation import seccomp
from passnet.bench.worker import serve

_PTRACE_ATTACH, _READ_MEMORY, _NEW_USER = 16, 310, 0x10000000
_CLONE, _TGKILL, _PARENTS_END, _F_SETSIG = 56, 234, 1, 10  # numbers of x86_64
_FUTEX, _FUTEX_REQUEUE = 202, 456
_LOCK_PI, _MEMBARRIER, _FADVISE, _MSEAL = 6, 324, 221, 462
_ATTACH, _TO_READ, _CLONE_PARENT = 30, 0o10000, 0x8000
_F_SETLEASE, _READ_FLAGS, _MERGEABLE = 1024, 0x80086601, 12


def _libc_call(name: str, *arguments: Any) -> str:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    result = getattr(libc, name)(*arguments)
    return "done" if result >= 0 else os.strerror(ctypes.get_errno())


def _move_sleepers(call: int, *arguments: int) -> str:
    """Of two words of this process, on which nobody sleeps: what another process sleeps on is moved in the same way."""
    words = (ctypes.c_uint32 * 16)()
    first, second = ctypes.c_void_p(ctypes.addressof(words)), ctypes.c_void_p(ctypes.addressof(words) + 4)
    if call == _FUTEX:
        return _libc_call("syscall", call, first, *arguments, 0, ctypes.c_void_p(1), second, 0)
    return _libc_call("syscall", call, first, second, 0, 0, 1)


def _read(path: str) -> str:
    return Path(path).read_text(errors="replace")


def _write(path: str) -> str:
    Path(path).write_text("a candidate was here")
    return "written"


def _ended_last(process: str) -> str:
    """Whom a system without memory ends first. A thread may say it for its whole process."""
    place = Path(process, "oom_score_adj")
    place.write_text("1000")
    place.write_text("0")
    return place.read_text().strip()


def _remove(path: str) -> str:
    os.unlink(path)
    return "removed"


def _list(path: str) -> list[str]:
    return sorted(os.listdir(path))


def _processes(_: str) -> list[str]:
    return sorted(name for name in os.listdir("/proc") if name.isdigit())


def _environments(secret: str) -> str:
    """Look for a text in the environment of every process that can be seen, this one's included."""
    for name in _processes(""):
        try:
            if secret in _read(f"/proc/{name}/environ"):
                return f"found in {name}"
        except OSError:
            continue
    return "found here" if secret in str(os.environ) else "nothing"


def _memory(pid: str) -> str:
    with open(f"/proc/{pid}/mem", "rb") as file:
        file.seek(0)
        return f"opened {file.name}"


def _read_other(pid: str) -> str:
    buffer = ctypes.create_string_buffer(8)
    vector = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 8)
    return _libc_call("syscall", _READ_MEMORY, int(pid), vector, 1, vector, 1, 0)


def _connect(address: str) -> str:
    host, port = address.split(":")
    with socket.create_connection((host, int(port)), timeout=2):
        return "connected"


def _datagram(address: str) -> str:
    host, port = address.split(":")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.sendto(b"secret", (host, int(port)))
        return "sent"


def _unix_socket(path: str) -> str:
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect(path)
        return "connected"


def _descriptors(_: str) -> list[str]:
    """What this process inherited: its descriptors beyond the standard three, by what they are."""
    found = [(int(name), os.readlink(f"/proc/self/fd/{name}")) for name in _open_descriptors()]
    return sorted(target.split(":")[0] for number, target in found if number > 2)


def _open_descriptors() -> list[str]:
    names = []
    for name in os.listdir("/proc/self/fd"):
        try:
            os.fstat(int(name))
        except OSError:  # the listing's own
            continue
        names.append(name)
    return names


def _filled(path: str) -> int:
    """How many MiB of files a place takes, a GiB at most."""
    block, made = bytes(1 << 20), 0
    try:
        for number in range(1024):
            with open(f"{path}/{number}", "wb") as file:
                file.write(block)
            made += 1
    except OSError:
        if not made:
            raise
    return made


def _empty_files(path: str) -> int:
    """How many files without content a place takes, 50 000 at most."""
    made = 0
    try:
        for number in range(50_000):
            os.close(os.open(f"{path}/empty-{number}", os.O_CREAT | os.O_WRONLY))
            made += 1
    except OSError:
        if not made:
            raise
    return made


def _child_that_ends_by(number: int) -> str:
    """Start a child whose end sends its parent this signal, and wait for it."""
    child = ctypes.CDLL(None, use_errno=True).syscall(_CLONE, number, None, None, None, None)
    if child == 0:
        os._exit(0)
    if child < 0:
        return os.strerror(ctypes.get_errno())
    os.waitpid(child, 0x40000000)  # __WALL: a child whose end sends anything but SIGCHLD
    return "done"


def _child_of_the_parent(_: str) -> str:
    """Start a child that belongs to this process's parent."""
    child = ctypes.CDLL(None, use_errno=True).syscall(_CLONE, _CLONE_PARENT | signal.SIGCHLD, None, None, None, None)
    if child == 0:
        os._exit(0)
    return "done" if child > 0 else os.strerror(ctypes.get_errno())


def _change(path: str, change: Callable[[str], None]) -> str:
    change(path)
    return "changed"


def _opened(path: str, use: Callable[[int], Any]) -> Any:
    """A file that may be read is enough for some."""
    fd = os.open(path, os.O_RDONLY)
    try:
        return use(fd)
    finally:
        os.close(fd)


def _same_mode(path: str) -> None:
    os.chmod(path, stat.S_IMODE(os.stat(path).st_mode))


def _same_owner(path: str) -> None:
    os.chown(path, os.stat(path).st_uid, os.stat(path).st_gid)


def _locked(path: str) -> str:
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        fcntl.lockf(file, fcntl.LOCK_EX)
    return "locked"


def _lend_priority(_: str) -> str:
    """To whoever holds a word of this process: nobody. The word could name a thread of another process."""
    word = (ctypes.c_uint32 * 1)()
    return _libc_call("syscall", _FUTEX, ctypes.byref(word), _LOCK_PI, 0, None)


def _mergeable(_: str) -> str:
    """Pages that the system compares with those of other processes."""
    return _libc_call("madvise", ctypes.c_void_p(0), 0, _MERGEABLE)


def _capabilities(text: str) -> list[str]:
    return sorted({line.split()[1] for line in text.splitlines() if line.startswith(("CapInh", "CapPrm", "CapEff"))})


def _every_denied(_: str) -> list[str]:
    """The system calls of the table that are not refused. The arguments are such that none of them has an effect."""
    column = ["x86_64", "aarch64"].index(platform.machine())
    calls = {name: numbers[column] for row in seccomp.DENIED for name, numbers in row.calls.items()}
    known = {name: number for name, number in calls.items() if number < 1 << 16}
    return [name for name, number in known.items() if _libc_call("syscall", number, *[-1] * 6) != os.strerror(1)]


_ATTEMPTS: dict[str, Callable[[str], Any]] = {
    "read": _read,
    "write": _write,
    "ended last": _ended_last,
    "remove": _remove,
    "list": _list,
    "processes": _processes,
    "environments": _environments,
    "memory": _memory,
    "read other": _read_other,
    "signal": lambda pid: os.kill(int(pid), signal.SIGSTOP) or "sent",
    "limit": lambda pid: resource.prlimit(int(pid), resource.RLIMIT_CORE, (0, 0)) and "set",
    "trace": lambda pid: _libc_call("ptrace", _PTRACE_ATTACH, int(pid), None, None),
    "connect": _connect,
    "datagram": _datagram,
    "unix socket": _unix_socket,
    "descriptors": _descriptors,
    "new session": lambda _: os.setsid() or "done",
    "new group": lambda _: os.setpgid(0, 0) or "done",
    "wake": lambda _: _libc_call("kill", os.getpid(), signal.SIGCONT),
    "move sleepers": lambda operation: _move_sleepers(_FUTEX, int(operation)),
    "move sleepers by a call of its own": lambda _: _move_sleepers(_FUTEX_REQUEUE),
    "wake a thread": lambda _: _libc_call("syscall", _TGKILL, os.getpid(), os.getpid(), signal.SIGCONT),
    "wake by a queue": lambda _: _libc_call("sigqueue", os.getpid(), signal.SIGCONT, None),
    "wake by a file": lambda _: _libc_call("fcntl", 0, _F_SETSIG, signal.SIGCONT),
    "wake by a child": lambda _: _child_that_ends_by(signal.SIGCONT),
    "wake by a parent": lambda _: _libc_call("prctl", _PARENTS_END, signal.SIGCONT, 0, 0, 0),
    "other core": lambda core: os.sched_setaffinity(0, {int(core)}) or "moved",
    "user namespace": lambda _: _libc_call("unshare", _NEW_USER),
    "mount": lambda path: _libc_call("mount", b"tmpfs", path.encode(), b"tmpfs", ctypes.c_ulong(0), None),
    "memory without an address": lambda _: os.close(os.memfd_create("hoard")) or "made",
    "child of the parent": _child_of_the_parent,
    "mode": lambda path: _change(path, _same_mode),
    "mode of what is open": lambda path: _opened(path, lambda fd: os.fchmod(fd, os.fstat(fd).st_mode)) or "changed",
    "mode of its input": lambda _: os.fchmod(0, stat.S_IMODE(os.fstat(0).st_mode)) or "changed",
    "mode of its log": lambda _: os.fchmod(2, stat.S_IMODE(os.fstat(2).st_mode)) or "changed",
    "time of its input": lambda _: os.utime(0) or "changed",
    "owner": lambda path: _change(path, _same_owner),
    "time": lambda path: _change(path, os.utime),
    "time of what is open": lambda path: _opened(path, os.utime) or "changed",
    "attribute": lambda path: _change(path, lambda at: os.setxattr(at, "user.note", b"1")),
    "flags": lambda path: _opened(path, lambda fd: fcntl.ioctl(fd, _READ_FLAGS, bytes(8))) and "read",
    "lease": lambda path: _opened(path, lambda fd: fcntl.fcntl(fd, _F_SETLEASE, fcntl.F_WRLCK) or "leased"),
    "out of the cache": lambda path: _opened(path, lambda fd: _libc_call("syscall", _FADVISE, fd, 0, 0, 4)),
    "room in its log": lambda mode: _libc_call("fallocate", 2, int(mode), ctypes.c_long(0), ctypes.c_long(4096)),
    "lock": _locked,
    "device": lambda path: _change(path, lambda at: os.mknod(at, stat.S_IFCHR | 0o600, os.makedev(1, 5))),
    "segment": lambda number: _libc_call("syscall", _ATTACH, int(number), None, _TO_READ),
    "watch": lambda _: _libc_call("inotify_init"),
    "lend priority": _lend_priority,
    "interrupt all cores": lambda _: _libc_call("syscall", _MEMBARRIER, 1, 0, 0),
    "interrupt its own cores": lambda _: _libc_call("syscall", _MEMBARRIER, 16, 0, 0),
    "mergeable": _mergeable,
    "clock": lambda pid: time.clock_gettime((~int(pid) << 3) | 2),
    "core of its own": lambda _: _libc_call("prctl", 62, 0, 0, 0, 0),
    "not to be read": lambda _: _libc_call("prctl", 4, 1, 0, 0, 0),
    "name": lambda _: _libc_call("prctl", 15, b"a pass", 0, 0, 0),
    "newer than the table": lambda _: _libc_call("syscall", _MSEAL, None, 0, 0),
    "capabilities": lambda _: _capabilities(_read("/proc/self/status")),
    "another user": lambda _: os.setresuid(-1, -1, -1) or "done",
    "ports": lambda _: _libc_call("iopl", 0),
    "every denied": _every_denied,
    "fill": _filled,
    "empty files": _empty_files,
    "semaphores": lambda _: _libc_call("semget", 0, 100, 0o1600),
    "socket pair": lambda _: len([sock.close() for sock in socket.socketpair()]),
    "run": lambda command: subprocess.run(command.split(), capture_output=True, text=True, check=True).stdout,
}


def _attempt(arguments: dict[str, Any], _number: int) -> dict[str, Any]:
    try:
        return {"got": _ATTEMPTS[arguments["what"]](arguments.get("on", ""))}
    except OSError as error:
        return {"refused": f"{type(error).__name__}: {error}"}


serve.answer_extra("attempt", _attempt)
