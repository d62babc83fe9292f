"""Real processes of devices: what one of them or the controller leaves behind when it is killed."""

from __future__ import annotations

import errno
import fcntl
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from passnet.bench.devices.lease import open_locks
from passnet.bench.devices.names import DeviceName, parse_devices, ranges
from passnet.bench.engine.engine import Engine, EngineEvent, GraphRecorded, TriedAgain, Unjudged
from passnet.bench.engine.local import DeviceHost, LocalFleet
from passnet.bench.engine.unit import EvaluationUnit
from passnet.bench.evaluate import evaluate, plan
from passnet.bench.isolation import limits
from passnet.bench.record.run import RECORDS, read_incidents, read_records
from passnet.bench.wire.channel import Channel
from passnet.errors import MachineError
from passnet.graph.targets import find_targets
from passnet.score import Outcome
from passnet.writing import StorageError
from tests.bench.conftest import SHORT
from tests.bench.engine.running import request, write_graphs
from tests.child import environment

CORE = f"cpu:{min(os.sched_getaffinity(0))}"
# The cores of this process that follow each other, from the first one on.
CORES = f"cpu:{ranges(sorted(os.sched_getaffinity(0))).partition('+')[0]}"


@pytest.fixture(scope="module")
def graphs(tmp_path_factory) -> list[Path]:
    return write_graphs(tmp_path_factory.mktemp("graphs"), 4)


def units(graphs: list[Path], run: Path) -> list[EvaluationUnit]:
    asked = request(run, "local", CORE, graphs)
    planned = [plan(target, asked, lenient=True) for target in find_targets(graphs)]
    return [EvaluationUnit.of(task.target.name, task.jobs, task.target.graphs, SHORT) for task in planned]


def test_a_unit_travels_as_text(graphs, tmp_path):
    first = units(graphs, tmp_path)[0]
    again = EvaluationUnit.model_validate_json(first.model_dump_json())
    assert again == first
    (here,), (there,) = first.jobs(tmp_path / "a"), again.jobs(tmp_path / "b")
    assert here.graph.content_hash == there.graph.content_hash
    assert (here.name, here.task, here.graph.name) == (there.name, there.task, there.graph.name)


@pytest.mark.parametrize("place", ["tempfile.mkdtemp", "socket.socketpair", "subprocess.Popen", "pathlib.Path.open"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE, errno.EAGAIN, errno.EACCES])
def test_a_process_that_cannot_be_started_is_a_report_and_leaves_nothing(place, number, tmp_path, monkeypatch):
    """The disk is full, or the system has no more files or processes: all of that may pass."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    fleet = LocalFleet(parse_devices(CORE, "cpu"), tmp_path / "logs")
    kept, files = os.listdir(tempfile.tempdir), len(os.listdir("/proc/self/fd"))

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(place, fail)
        with pytest.raises(MachineError, match=rf"cannot be started: .*{os.strerror(number)}") as raised:
            fleet.start(CORE)
    assert isinstance(raised.value, StorageError) == (number == errno.ENOSPC)
    assert (os.listdir(tempfile.tempdir), len(os.listdir("/proc/self/fd"))) == (kept, files)
    fleet.close()


def test_a_process_that_nobody_could_wait_for_is_ended(tmp_path, monkeypatch):
    fleet = LocalFleet(parse_devices(CORE, "cpu"), tmp_path / "logs")
    started: list[DeviceHost] = []
    begun = DeviceHost.__init__

    def note(self: DeviceHost, *given: Any) -> None:
        begun(self, *given)
        started.append(self)

    def fail(*_: object) -> None:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))

    monkeypatch.setattr(DeviceHost, "__init__", note)
    with monkeypatch.context() as patch:
        patch.setattr(fleet._selector, "register", fail)
        with pytest.raises(MachineError, match="Cannot allocate memory"):
            fleet.start(CORE)
    assert not Path("/proc", str(started[0].pid)).exists() and fleet.wait(0.0) == []
    fleet.close()


def test_messages_come_through_descriptors_of_large_numbers():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1100), hard))
    channel, theirs = Channel.pair()
    high = fcntl.fcntl(channel.fileno(), fcntl.F_DUPFD_CLOEXEC, 1050)
    with theirs:
        far = Channel(socket.socket(fileno=high))
        assert not far.poll(0.01)
        Channel(theirs).send(b"text")
        assert far.poll(0.0) and far.receive(5.0) == b"text"
        far.close()
    channel.close()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_killed_process_of_a_device_costs_no_record(graphs, tmp_path):
    fleet = LocalFleet(parse_devices(CORE, "cpu"), tmp_path)
    events: list[EngineEvent] = []
    with Engine(fleet, lambda text: None) as engine:
        for event in engine.run(units(graphs, tmp_path)):
            events.append(event)
            if len(events) == 1:
                os.kill(fleet.pid(CORE), signal.SIGKILL)
    judged = sorted(event.record.task for event in events if isinstance(event, GraphRecorded))
    assert judged == sorted(path.name for path in graphs)
    assert not any(isinstance(event, Unjudged) for event in events)
    assert all("was ended by SIGKILL" in event.reason for event in events if isinstance(event, TriedAgain))


@pytest.mark.slow
def test_lanes_of_one_device_share_its_units(graphs, tmp_path, monkeypatch):
    """They hold the device together, against everybody else; one that is killed keeps the other from nothing."""
    (device,) = parse_devices(CORES, "cpu")
    lanes = [f"{device}/1", f"{device}/2"]
    fleet = LocalFleet([device], tmp_path / "logs", lanes=2)
    assert fleet.devices == lanes
    given: list[str] = []
    send = fleet.send

    def sent(lane: str, unit: EvaluationUnit) -> None:
        given.append(lane)
        send(lane, unit)

    monkeypatch.setattr(fleet, "send", sent)
    events: list[EngineEvent] = []
    with Engine(fleet, lambda text: None) as engine:
        for event in engine.run(units(graphs, tmp_path)):
            events.append(event)
            if len(events) == 1:
                assert not free(device)
                os.kill(fleet.pid(given[-1]), signal.SIGKILL)
    judged = sorted(event.record.task for event in events if isinstance(event, GraphRecorded))
    assert judged == sorted(path.name for path in graphs)
    records = [event.record for event in events if isinstance(event, GraphRecorded)]
    assert {record.outcome for record in records} == {Outcome.CORRECT}, [record.findings for record in records]
    assert not any(isinstance(event, Unjudged) for event in events)
    assert set(given) == set(lanes)
    assert free(device)


def free(device: DeviceName) -> bool:
    """Whether nobody holds any of a device's locks."""
    locks = open_locks(device)
    try:
        for fd in locks:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        for fd in locks:
            os.close(fd)
    return True


def test_devices_that_do_not_exist_write_nothing(graphs, tmp_path):
    from passnet.errors import UsageError

    with pytest.raises(UsageError, match="this process has no core 9999"):
        evaluate(request(tmp_path / "run", "local", "cpu:9999", graphs), lambda step: None)
    assert not (tmp_path / "run").exists()


def start(run: Path, graphs: list[Path], engine: str = "local", **more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.bench.engine.running", str(run), engine, CORE, *map(str, graphs)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment(**more), text=True)


@pytest.mark.slow
def test_a_controller_that_is_killed_at_any_point_loses_nothing_and_counts_nothing_twice(graphs, tmp_path):
    """Kill -9 after random times. What was recorded stays as it was, and the next command does only what is missing."""
    run, moments = tmp_path / "run", random.Random(7)
    recorded = b""
    for _ in range(3):
        child = start(run, graphs)
        time.sleep(moments.uniform(2.0, 20.0))
        known = limits.members_of(child.pid, os.getpid())
        child.kill()
        child.wait()
        whole = (run / RECORDS).read_bytes() if (run / RECORDS).exists() else b""
        assert whole.startswith(recorded), "a record that was there has changed"
        recorded = whole[: whole.rfind(b"\n") + 1]
        _all_gone(known)
    last = start(run, graphs)
    out, _ = last.communicate(timeout=280)
    assert last.returncode == 0
    assert sorted(line.split()[0] for line in out.splitlines()) == sorted(path.name for path in graphs)
    lines = (run / RECORDS).read_bytes().splitlines()
    assert (run / RECORDS).read_bytes().startswith(recorded)
    assert len(lines) == len(read_records(run)) + len(read_incidents(run)), "each graph once, and once more if told why"


def _all_gone(pids: set[int]) -> None:
    """Devices and workers die with their controller, so that the next command does not wait for them."""
    deadline = time.monotonic() + 60
    while pids & {row.pid for row in limits.processes() if row.pages}:
        assert time.monotonic() < deadline, "processes of a killed run live on"
        time.sleep(0.1)
