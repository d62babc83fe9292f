"""Probes of a sandbox's layers: namespaces, Landlock, seccomp, bubblewrap, signals by process descriptor."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys

from passnet.machine.probes import ProbeResult, run_child

_LANDLOCK_NETWORK_ABI = 4
# Enters a worker's sandbox. The grandchild in it prints its layers.
_LIBC = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)

def check(result, what):
    if result < 0:
        sys.exit(f"{what}: {os.strerror(ctypes.get_errno())}")
    return result
"""
# Identities are mapped before the other namespaces are requested: some systems allow the first and refuse the others.
_NAMESPACES = (
    _LIBC
    + """
uid, gid = os.getuid(), os.getgid()
check(libc.unshare(0x10000000), "user namespace")
for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
    with open(f"/proc/self/{name}", "w") as file:
        file.write(text)
check(libc.unshare(0x40000000 | 0x08000000 | 0x20000000 | 0x00020000), "network, IPC, process and mount namespaces")
"""
)
_LANDLOCK = _LIBC + 'print(check(libc.syscall(444, None, 0, 1), "landlock_create_ruleset"))\n'
# A filter of one instruction that allows everything. If it can be installed, a real one can be too.
_SECCOMP = (
    _LIBC
    + """
class Instruction(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8), ("k", ctypes.c_uint32)]

class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.POINTER(Instruction))]

allow = (Instruction * 1)(Instruction(0x06, 0, 0, 0x7FFF0000))
check(libc.prctl(38, 1, 0, 0, 0), "no_new_privs")
check(libc.prctl(22, 2, ctypes.byref(Program(1, allow)), 0, 0), "seccomp filter")
"""
)


def user_namespaces() -> ProbeResult:
    worked, said = run_child(_NAMESPACES)
    return ProbeResult.ok("user, network, IPC, process and mount namespaces") if worked else ProbeResult.missing(said)


def landlock() -> ProbeResult:
    worked, said = run_child(_LANDLOCK)
    if not worked:
        return ProbeResult.missing(said)
    text = f"ABI {said}"
    return (
        ProbeResult.ok(text)
        if int(said) >= _LANDLOCK_NETWORK_ABI
        else ProbeResult.limited(f"{text}: files only, no network rules")
    )


def seccomp() -> ProbeResult:
    worked, said = run_child(_SECCOMP)
    return ProbeResult.ok("filters can be installed") if worked else ProbeResult.missing(said)


def bubblewrap() -> ProbeResult:
    path = shutil.which("bwrap")
    if path is None:
        return ProbeResult.missing("bwrap is not on the path")
    command = [path, "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return ProbeResult.limited(f"{path} does not run: {error}")
    return ProbeResult.ok(path) if done.returncode == 0 else ProbeResult.limited(f"{path}: {done.stderr.strip()[:200]}")


def process_control() -> ProbeResult:
    """A child is stopped, seen to be stopped, resumed and ended through its process descriptor."""
    if not (hasattr(os, "pidfd_open") and hasattr(signal, "pidfd_send_signal")):
        return ProbeResult.missing("this Python or system has no process descriptors (pidfd)")
    child = subprocess.Popen([sys.executable, "-I", "-c", "import time; time.sleep(60)"])
    try:
        descriptor = os.pidfd_open(child.pid)
        try:
            signal.pidfd_send_signal(descriptor, signal.SIGSTOP)
            _, status = os.waitpid(child.pid, os.WUNTRACED)
            stopped = os.WIFSTOPPED(status)
            signal.pidfd_send_signal(descriptor, signal.SIGCONT)
        finally:
            os.close(descriptor)
    except OSError as error:
        return ProbeResult.missing(f"a child cannot be stopped through its descriptor: {error}")
    finally:
        child.kill()
        child.wait()
    return (
        ProbeResult.ok("SIGSTOP, SIGCONT, pidfd") if stopped else ProbeResult.missing("SIGSTOP does not stop a child")
    )


def shared_memory() -> ProbeResult:
    """Anonymous memory files. The workers receive their inputs through them."""
    try:
        descriptor = os.memfd_create("passnet-doctor", os.MFD_CLOEXEC)
    except (AttributeError, OSError) as error:
        return ProbeResult.missing(f"no anonymous memory files: {error}")
    try:
        os.ftruncate(descriptor, 1 << 20)
    finally:
        os.close(descriptor)
    return ProbeResult.ok("memfd")
