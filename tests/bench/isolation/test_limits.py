"""Bounds of a process and the view on its group, on short-lived processes of our own."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from passnet.bench.isolation import limits
from passnet.bench.isolation.limits import WorkerLimits


def in_child(action: Callable[[], int]) -> int:
    """Exit code of a forked child that runs `action`, or minus the signal that ended it."""
    pid = os.fork()
    if pid == 0:
        code = 99
        try:
            code = action()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    code = "import time; kept = b'x' * (64 << 20); print(flush=True); time.sleep(600)"
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


def test_every_limit_is_set() -> None:
    bounds = WorkerLimits(address_space_bytes=1 << 30, file_bytes=12345, open_files=50, cpu_s=77)

    def action() -> int:
        before = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        limits.apply(bounds)
        assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)
        assert resource.getrlimit(resource.RLIMIT_FSIZE) == (12345, 12345)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (50, 50)
        assert resource.getrlimit(resource.RLIMIT_STACK)[1] <= 8 << 20  # what lies below would not be cleared
        assert resource.getrlimit(resource.RLIMIT_CPU) == (77, 77)
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        assert soft == hard
        assert before + (1 << 30) <= soft <= before + (1 << 30) + (1 << 28)
        assert "NoNewPrivs:\t1" in Path("/proc/self/status").read_text()
        return 7

    assert in_child(action) == 7


def test_none_means_not_limited() -> None:
    def action() -> int:
        names = ("AS", "FSIZE", "NOFILE", "CPU", "STACK")
        kinds = [getattr(resource, f"RLIMIT_{name}") for name in names]
        before = [resource.getrlimit(kind) for kind in kinds]
        limits.apply(WorkerLimits(file_bytes=None, open_files=None, stack_bytes=None))
        return 7 if [resource.getrlimit(kind) for kind in kinds] == before else 1

    assert in_child(action) == 7


def test_a_limit_above_the_hard_one_is_lowered_to_it() -> None:
    def action() -> int:
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
        limits.apply(WorkerLimits(open_files=1000, file_bytes=None))
        return 7 if resource.getrlimit(resource.RLIMIT_NOFILE) == (40, 40) else 1

    assert in_child(action) == 7


def test_usage_counts_a_process(sleeper: subprocess.Popen[bytes]) -> None:
    used = limits.usage(sleeper.pid, os.getpid())
    assert (used.processes, used.threads) == (1, 1)
    assert 32 << 20 < used.resident_bytes < 1 << 30  # the kernel counts a little late


def test_who_is_looked_at_is_ended_first_again(sleeper: subprocess.Popen[bytes]) -> None:
    setting = Path(f"/proc/{sleeper.pid}/oom_score_adj")
    before = setting.read_text()
    limits.usage(sleeper.pid, os.getpid())
    assert setting.read_text() == before != "1000\n"
    limits.usage(sleeper.pid, os.getpid(), ended_first=True)
    assert setting.read_text() == "1000\n"


def test_usage_of_a_group_that_is_gone_is_nothing(sleeper: subprocess.Popen[bytes]) -> None:
    sleeper.kill()
    sleeper.wait()
    assert limits.usage(sleeper.pid, os.getpid()) == limits.GroupUsage(0, 0, 0)


def test_killing_a_group_twice_is_harmless(sleeper: subprocess.Popen[bytes]) -> None:
    limits.kill_group(sleeper.pid)
    assert sleeper.wait(60) == -signal.SIGKILL
    limits.kill_group(sleeper.pid)


def test_a_stopped_group_is_ended_too(sleeper: subprocess.Popen[bytes]) -> None:
    os.killpg(sleeper.pid, signal.SIGSTOP)
    limits.kill_group(sleeper.pid)
    assert sleeper.wait(60) == -signal.SIGKILL


def test_children_are_found(sleeper: subprocess.Popen[bytes]) -> None:
    assert sleeper.pid in limits.children_of(os.getpid())
    assert limits.children_of(sleeper.pid) == []


def test_a_process_may_have_a_name_that_is_no_text() -> None:
    """One such process of anybody's would end all evaluations of a machine."""
    code = r"import ctypes; ctypes.CDLL(None).prctl(15, b'\xff) \xfe', 0, 0, 0); print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        found = {each.pid: each for each in limits.processes()}[process.pid]
        assert found.parent == os.getpid() and found.pages > 0
        assert limits._state(process.pid, process.pid) in "RSD"
        process.communicate()


# Says when two threads and a child are there.
_SEVERAL = """
import os, threading, time
threading.Thread(target=time.sleep, args=(600,)).start()
if os.fork():
    print(flush=True)
time.sleep(600)
"""
# Writes to memory for as long as it takes, in one system call that is not left for a signal that stops.
_INSIDE = """
import mmap
room = mmap.mmap(-1, 1 << 30)
print(flush=True)
room.madvise(23)  # MADV_POPULATE_WRITE
import time; time.sleep(600)
"""


@pytest.fixture
def group(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-c", request.param], start_new_session=True, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    limits.kill_group(process.pid)
    process.communicate()


def settled(group: int) -> bool:
    """Waits until nothing of a group runs."""
    for _ in range(2000):
        if limits.at_rest(group, os.getpid()) is not None:
            return True
        time.sleep(0.005)
    return False


@pytest.mark.parametrize("group", [_SEVERAL], indirect=True)
def test_a_group_is_stopped_when_every_thread_of_it_is(group: subprocess.Popen[bytes]) -> None:
    assert limits.at_rest(group.pid, os.getpid()) is None
    os.killpg(group.pid, signal.SIGSTOP)
    assert settled(group.pid)
    os.killpg(group.pid, signal.SIGCONT)
    assert limits.at_rest(group.pid, os.getpid()) is None


@pytest.mark.parametrize("group", [_INSIDE], indirect=True)
def test_a_long_system_call_goes_on_when_its_process_is_stopped(group: subprocess.Popen[bytes]) -> None:
    time.sleep(0.02)
    os.killpg(group.pid, signal.SIGSTOP)
    time.sleep(0.005)
    assert limits.at_rest(group.pid, os.getpid()) is None
    assert settled(group.pid)


def test_what_works_while_it_should_be_stopped_is_seen() -> None:
    busy = "import os; os.fork(); print(flush=True)\nwhile True: pass"
    process = subprocess.Popen([sys.executable, "-c", busy], start_new_session=True, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        os.killpg(process.pid, signal.SIGSTOP)
        assert settled(process.pid)
        rest = limits.at_rest(process.pid, os.getpid())
        assert rest is not None
        assert len(rest) == 2
        time.sleep(0.05)
        assert limits.worked_ns(rest) == 0
        child = next(pid for pid in rest if pid != process.pid)
        os.kill(child, signal.SIGCONT)
        time.sleep(0.1)
        assert limits.worked_ns(rest) > 1_000_000
        os.kill(child, signal.SIGKILL)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(60)
        assert limits.worked_ns(rest) >= 10**9
    finally:
        limits.kill_group(process.pid)
        process.communicate()


def test_what_has_ended_is_stopped(sleeper: subprocess.Popen[bytes]) -> None:
    limits.kill_group(sleeper.pid)
    sleeper.wait(60)
    assert limits.at_rest(sleeper.pid, os.getpid()) == {}


def test_a_process_name_with_brackets_and_spaces_is_read() -> None:
    """The second field of /proc/PID/stat is the name, and may hold anything."""
    code = "import ctypes, time; ctypes.CDLL(None).prctl(15, b') 0 0 (x', 0, 0, 0); print(flush=True); time.sleep(600)"
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        assert limits.usage(process.pid, os.getpid()).processes == 1
        assert process.pid in limits.children_of(os.getpid())
    finally:
        process.kill()
        process.communicate()


def test_no_other_process_may_look_into_one_that_forbids_it() -> None:
    def action() -> int:
        limits.forbid_inspection()
        return os.stat("/proc/self/mem").st_uid  # root owns the files of a process that is not dumpable

    assert in_child(action) == 0
