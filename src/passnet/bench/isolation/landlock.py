"""Landlock limits this process and its children: readable and writable files, no TCP, no signals or tracing outside."""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_NO_NEW_PRIVS = 38
_EXECUTE, _WRITE, _READ, _LIST = 1, 2, 4, 8
_TRUNCATE, _IOCTL = 1 << 14, 1 << 15
_ON_FILES = _EXECUTE | _WRITE | _READ | _TRUNCATE | _IOCTL
_READ_ONLY = _EXECUTE | _READ | _LIST
_DEVICES = 1 << 6 | 1 << 11  # to make a file that is a device: no candidate may
# The rights on files by ABI. ABIs that are not in the table use the newest.
_HANDLED = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_NEWEST = (1 << 16) - 1
_NETWORK_ABI, _SCOPES_ABI = 4, 6


class LandlockUnavailable(Exception):
    """This kernel has no Landlock, or it is switched off."""


def _call(libc: ctypes.CDLL, number: int, *arguments: object) -> int:
    result: int = libc.syscall(number, *arguments)
    if result < 0:
        raise LandlockUnavailable(f"Landlock: {os.strerror(ctypes.get_errno())}")
    return result


def abi() -> int:
    """The kernel's version of Landlock. Unavailable where there is none."""
    return _call(ctypes.CDLL(None, use_errno=True), _CREATE, None, 0, 1)


def restrict(readable: Iterable[Path], writable: Iterable[Path]) -> tuple[str, ...]:
    """Bind this process permanently. Returns in words what is closed: files, and by kernel version network and
    signals.

    Only the calling thread and what it starts later are bound. So it is called while there is one thread.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    version = abi()
    handled = _HANDLED.get(version, _NEWEST)
    network, scopes = 3 if version >= _NETWORK_ABI else 0, 3 if version >= _SCOPES_ABI else 0
    size = 8 if version < _NETWORK_ABI else 16 if version < _SCOPES_ABI else 24
    attributes = struct.pack("QQQ", handled, network, scopes)[:size]
    rules = _call(libc, _CREATE, attributes, len(attributes), 0)
    for path, rights in [(p, _READ_ONLY) for p in readable] + [(p, handled & ~_DEVICES) for p in writable]:
        _allow(libc, rules, path, rights & handled)
    libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0)
    _call(libc, _RESTRICT, rules, 0)
    os.close(rules)
    return ("files", *(["tcp"] if network else []), *(["signals"] if scopes else []))


def _allow(libc: ctypes.CDLL, rules: int, path: Path, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= _ON_FILES
        _call(libc, _ADD, rules, 1, struct.pack("=Qi", rights, fd), 0)
    finally:
        os.close(fd)
