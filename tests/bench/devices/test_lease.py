"""The lease of a device: one holder at a time, overlapping devices exclude each other, a waiting one says for whom."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from passnet.bench.devices import lease
from passnet.bench.devices.lease import LeaseHolder, duration, leased
from passnet.bench.devices.names import DeviceName
from passnet.errors import InfrastructureError
from tests.child import environment

FIRST, BOTH, SECOND = (DeviceName("cpu", cores) for cores in ((0,), (0, 1), (1,)))


@pytest.fixture(autouse=True)
def directory(tmp_path, monkeypatch) -> Path:
    """Locks of its own, because a real evaluation may hold the machine's."""
    monkeypatch.setattr(lease, "_directory", lambda: tmp_path)
    return tmp_path


def test_devices_without_a_common_core_are_held_at_once():
    with leased(FIRST), leased(SECOND):
        pass


def test_a_waiting_one_says_who_holds_it_and_says_it_again(monkeypatch):
    monkeypatch.setattr(lease, "_SAY_EVERY_S", 0.0)
    said: list[str] = []
    twice, got = threading.Event(), threading.Event()

    def say(text: str) -> None:
        said.append(text)
        if len(said) == 2:
            twice.set()

    def wait() -> None:
        with leased(BOTH, say):
            got.set()

    with leased(FIRST):
        waiting = threading.Thread(target=wait)
        waiting.start()
        assert twice.wait(60)
        assert not got.is_set()
    waiting.join(60)
    assert got.is_set()
    assert all(f"waiting for cpu:0-1, held by process {os.getpid()} (" in text for text in said)
    assert "so far" in said[1]


def test_a_killed_holder_leaves_nothing_locked(directory):
    code = (
        "import sys, pathlib; from passnet.bench.devices import lease\n"
        "from passnet.bench.devices.names import DeviceName\n"
        "lease._directory = lambda: pathlib.Path(sys.argv[1])\n"
        "with lease.leased(DeviceName('cpu', (0,))): print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(directory)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), text=True,
    )  # fmt: skip
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    holder.kill()
    holder.wait()
    said: list[str] = []
    with leased(FIRST, said.append):
        assert said == []


def test_a_link_in_place_of_a_lock_is_refused(directory):
    (directory / f"passnet-{os.getuid()}-cpu-0.lock").symlink_to(directory / "elsewhere")
    with pytest.raises(InfrastructureError, match="the device lock cannot be opened"), leased(FIRST):
        pass


def test_words():
    assert [duration(s) for s in (4.2, 200, 7500)] == ["4 s", "3 min 20 s", "2 h 5 min"]
    assert (
        LeaseHolder(pid=7, command="passnet eval x", since=100.0).words(130.0) == "process 7 (passnet eval x) for 30 s"
    )


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 4000, b"[]", b"7", b"9" * 4000, b"\xff", b'{"pid": 1e999, "command": "x", "since": 1}',
        b'{"pid": 1, "command": "x", "since": 1e999}', b'{"pid": 1, "command": "x", "since": NaN}',
        b'{"pid": 1, "command": "x", "since": -1e300}',
    ],
)  # fmt: skip
def test_whatever_the_lock_file_says_waiting_goes_on(text: bytes, directory: Path) -> None:
    file = directory / f"passnet-{os.getuid()}-cpu-0.lock"
    file.write_bytes(text)
    said: list[str] = []
    holder = os.open(file, os.O_RDWR)
    fcntl.flock(holder, fcntl.LOCK_EX)

    def say(text: str) -> None:
        said.append(text)
        os.close(holder)

    with leased(FIRST, say):
        pass
    assert said == ["waiting for cpu:0, held by another evaluation; waited 0 s so far"]


@pytest.mark.parametrize("kind", ["pipe", "link", "second name", "another user"])
def test_what_somebody_else_put_there_is_no_lock(kind: str, directory: Path) -> None:
    mine, file = directory / "mine", directory / f"passnet-{os.getuid()}-cpu-0.lock"
    mine.write_text("the user's own")
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "link":
        file.symlink_to(mine)
    elif kind == "second name":
        os.link(mine, file)
    else:
        file.write_text("")
        try:
            os.chown(file, 12345, -1)
        except PermissionError:
            pytest.skip("only root gives files away")
    with pytest.raises(InfrastructureError, match="device lock"), leased(FIRST):
        pass
    assert mine.read_text() == "the user's own"
