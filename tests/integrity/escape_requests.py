"""Requests by which a candidate process tries to get out of its sandbox: imported in the test's fork server only.

What a hostile pass could do with arbitrary code is done here without needing a pass. Each attempt returns what it got.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from passnet.bench.worker import serve

_PTRACE_ATTACH, _READ_MEMORY, _NEW_USER = 16, 310, 0x10000000
_CLONE, _TGKILL, _PARENTS_END, _F_SETSIG = 56, 234, 1, 10  # numbers of x86_64
_FUTEX, _FUTEX_REQUEUE = 202, 456


def _libc_call(name: str, *arguments: Any) -> str:
    libc = ctypes.CDLL(None, use_errno=True)
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


_ATTEMPTS: dict[str, Callable[[str], Any]] = {
    "read": _read,
    "write": _write,
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
