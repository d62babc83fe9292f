"""A worker's own users, processes, network and files, by unshare(2) and mount(2), after a fork.

bubblewrap does the same, but it starts a program. A worker is a fork of a warm process that must keep its imports.
So the same system calls are made here in the forked child. The child then has one thread and has read no untrusted
byte.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

_NEWNS, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = (
    0x00020000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000,
)  # fmt: skip
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_BIND, _MS_REC, _MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
_MNT_DETACH = 2
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MOUNT_ATTR_RDONLY, _MOUNT_ATTR_NOSUID, _MOUNT_ATTR_NOEXEC = 1, 2, 8
_MOUNT_SETATTR = 442
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_PR_CAPBSET_DROP, _PR_NO_NEW_PRIVS, _PR_CAP_AMBIENT, _CLEAR_ALL = 24, 38, 47, 4
_CAPABILITY_VERSION = 0x20080522
_LAST_CAPABILITY = 63
# The places of programs and libraries on Linux, and the few files of /etc that loading a library needs.
SYSTEM_PATHS = (
    "/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/opt", "/nix/store", "/etc/ld.so.cache", "/etc/ld.so.conf",
    "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/sys/devices/system/cpu", "/sys/devices/system/node",
)  # fmt: skip
DEVICE_FILES = ("null", "zero", "full", "random", "urandom")
# Memory that no limit of a process counts. A file takes some of it that `size` does not count.
_TEMPORARY = "size=256m,nr_inodes=16k,mode=1777"
_IN_MEMORY = {0x01021994, 0x858458F6}  # tmpfs, ramfs


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def own_users_and_more() -> tuple[str, ...]:
    """New user, network, IPC, host name, process and mount namespaces. The calling process keeps its user id inside.

    The process namespace takes effect with the next fork. OSError where the system grants none of it.
    """
    libc, uid, gid = _libc(), os.getuid(), os.getgid()
    _check(libc.unshare(_NEWUSER), "unshare of users")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        Path(f"/proc/self/{name}").write_bytes(text.encode())
    granted = ["user"]
    wanted = {"network": _NEWNET, "ipc": _NEWIPC, "host name": _NEWUTS, "processes": _NEWPID, "files": _NEWNS}
    for name, flag in wanted.items():
        if libc.unshare(flag) == 0:
            granted.append(name)
    return tuple(granted)


def fork_into_processes() -> None:
    """Fork, so that the caller goes on as the first process of the new process namespace.

    The parent stays behind to pass on how its child ends. The controller knows the worker by the parent's id.
    """
    pid = os.fork()
    if pid:
        _relay(pid)


def _relay(pid: int) -> None:
    """Wait for the child and end the same way. Never returns."""
    os.closerange(0, 1 << 16)  # the channel must close when the child ends, not when this process does
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 70)


def own_files(root: Path, readable: Sequence[Path], writable: Sequence[Path], devices: Sequence[Path]) -> None:
    """A root that holds only what is named.

    `readable` and the system's programs are read-only. `writable`, private /tmp and /dev/shm, and a /proc of the
    own processes are there too. `root` is an empty directory to build it on. What is writable and lies in memory is
    private too, and small: the system's own would hold as much as the machine has.
    """
    libc = _libc()
    _mount(libc, None, "/", None, _MS_REC | _MS_PRIVATE)
    _mount(libc, "tmpfs", root, "tmpfs", _MS_NOSUID | _MS_NODEV, "size=16m,mode=755")
    _temporary(libc, root / "tmp")  # first: what is named may lie in /tmp or in /dev/shm
    _devices(libc, root, devices)
    seen = [Path(path) for path in SYSTEM_PATHS] + list(readable)
    for path in dict.fromkeys(path for path in seen if os.path.exists(path)):  # false where access is denied
        _bind(libc, root, path, read_only=True)
    for path in writable:
        _bind(libc, root, path, read_only=False)
        if lies_in_memory(path):
            _temporary(libc, root / path.relative_to("/"))
    _processes(libc, root)
    _pivot(libc, root)


def _mount(
    libc: ctypes.CDLL, source: str | Path | None, target: str | Path, kind: str | None, flags: int, data: str = ""
) -> None:
    texts = [None if text is None else str(text).encode() for text in (source, target, kind)]
    _check(libc.mount(*texts, ctypes.c_ulong(flags), data.encode() or None), f"mount on {target}")


def _bind(libc: ctypes.CDLL, root: Path, path: Path, *, read_only: bool) -> None:
    target = root / path.relative_to("/")
    if target.exists() or target.is_symlink():
        if read_only:
            return  # it lies inside something that is bound already
    elif path.is_symlink():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(os.readlink(path))  # /lib -> usr/lib
        return
    elif path.is_dir():
        target.mkdir(parents=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    _mount(libc, path, target, None, _MS_BIND | _MS_REC)
    if read_only:
        _freeze(libc, target, recursive=True)


def _freeze(libc: ctypes.CDLL, target: Path, *, recursive: bool, programs: bool = True) -> None:
    """From now on nothing below is changed: no content, no mode, owner or time. A device's data still flow.

    `programs`: whether what is there may be run.
    """
    kinds = _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID | (0 if programs else _MOUNT_ATTR_NOEXEC)
    attributes = struct.pack("QQQQ", kinds, 0, 0, 0)
    flags = _AT_RECURSIVE if recursive else 0
    result = libc.syscall(_MOUNT_SETATTR, _AT_FDCWD, str(target).encode(), flags, attributes, len(attributes))
    _check(result, f"read-only mount of {target}")


def _devices(libc: ctypes.CDLL, root: Path, devices: Sequence[Path]) -> None:
    """The device files that a candidate has. The files themselves are the machine's: root would own them.

    OSError where they cannot be made read-only. Then there is no root of its own, and the record says so.
    """
    (root / "dev").mkdir(exist_ok=True)
    for path in [Path("/dev", name) for name in DEVICE_FILES] + list(devices):
        if path.exists():
            target = root / path.relative_to("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                target.mkdir(exist_ok=True)
            else:
                target.touch()
            _mount(libc, path, target, None, _MS_BIND | _MS_REC)
            _freeze(libc, target, recursive=True, programs=False)
    for name, link in (("fd", "/proc/self/fd"), ("stdin", "/proc/self/fd/0"), ("stdout", "/proc/self/fd/1")):
        (root / "dev" / name).symlink_to(link)
    _temporary(libc, root / "dev" / "shm")


def lies_in_memory(path: Path) -> bool:
    """Whether files at a path take memory and no disk."""
    found = ctypes.create_string_buffer(256)  # a struct statfs, which begins with the kind of file system
    _check(_libc().statfs(str(path).encode(), found), f"statfs of {path}")
    return int.from_bytes(found.raw[: ctypes.sizeof(ctypes.c_long)], sys.byteorder) in _IN_MEMORY


def _temporary(libc: ctypes.CDLL, target: Path) -> None:
    target.mkdir(exist_ok=True)
    _mount(libc, "tmpfs", target, "tmpfs", _MS_NOSUID | _MS_NODEV, _TEMPORARY)


def _processes(libc: ctypes.CDLL, root: Path) -> None:
    """Mount a /proc of the new process namespace. Where a container forbids that, the old one stays.

    Other processes in the old one belong to another user namespace, so they show nothing but their command lines.
    In both only what belongs to this process is written: CUDA names its threads there. The system's settings belong
    to root, and ask for no capability.
    """
    target = root / "proc"
    target.mkdir()
    try:
        _mount(libc, "proc", target, "proc", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
        itself = target / os.readlink(target / "self")
        _mount(libc, itself, itself, None, _MS_BIND)
        _freeze(libc, target, recursive=False)
    except OSError:
        itself = Path("/proc", os.readlink("/proc/self"))
        _mount(libc, "/proc", target, None, _MS_BIND | _MS_REC)
        _freeze(libc, target, recursive=True)
        _mount(libc, itself, target / itself.name, None, _MS_BIND)


def _pivot(libc: ctypes.CDLL, root: Path) -> None:
    os.chdir(root)
    # Both arguments may be the same. The old root then lies on top of the new one and is taken off.
    _check(libc.syscall(_PIVOT_ROOT[platform.machine()], b".", b"."), "pivot_root")
    _check(libc.umount2(b".", _MNT_DETACH), "umount of the old root")
    _freeze(libc, Path("/"), recursive=False)
    os.chdir("/tmp")


def drop_capabilities() -> None:
    """Give up every capability permanently, in this process and whatever it starts. OSError where one is left."""
    libc = _libc()
    _check(libc.prctl(_PR_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")  # root's programs get none back
    for capability in range(_LAST_CAPABILITY + 1):
        # It fails for unknown numbers, and for a process that may not. Then it has none that a program could get.
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    libc.prctl(_PR_CAP_AMBIENT, _CLEAR_ALL, 0, 0, 0)  # none outlives those below, also where this call is unknown
    header, none = struct.pack("Ii", _CAPABILITY_VERSION, 0), bytes(24)
    _check(libc.capset(header, none), "capset")
