"""The warm process: forks workers that are their own, reports how they ended, cleans up after them."""

from __future__ import annotations

import os
import select
import signal
import sys
from pathlib import Path

import pytest

from passnet.bench.isolation import limits
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.wire.requests import Exit
from passnet.environment import KEPT_HEAP
from passnet.errors import InfrastructureError
from tests.bench.bench_helpers import asked, extra, start_worker, started_fork_server


def gone(pid: int, timeout_s: float = 30.0) -> bool:
    """Whether a process ends; waits for it when it has not yet."""
    try:
        pidfd = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([pidfd], [], [], timeout_s)[0])
    finally:
        os.close(pidfd)


def test_a_worker_is_a_process_of_its_own_in_a_group_of_its_own(fork_server: ForkServer, tmp_path: Path) -> None:
    with start_worker(fork_server, tmp_path) as first, start_worker(fork_server, tmp_path) as second:
        told = [asked(worker, "ping", 60.0) for worker in (first, second)]
        assert [t["pid"] for t in told] == [first.pid, second.pid]
        assert first.pid != second.pid
        assert [os.getpgid(worker.pid) for worker in (first, second)] == [first.pid, second.pid]
        assert told[0]["threads"] == 1
        assert sorted(limits.children_of(fork_server._process.pid)) == sorted([first.pid, second.pid])


def test_the_environment_is_pinned_and_not_the_callers(
    fork_server: ForkServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with start_worker(fork_server, tmp_path) as worker:
        environment = asked(worker, "environment", 60.0)["environment"]
    assert {name: environment[name] for name in KEPT_HEAP} == KEPT_HEAP
    assert environment["OMP_NUM_THREADS"] == environment["MKL_NUM_THREADS"] == "1"
    assert not {"PYTEST_CURRENT_TEST", "PYTHONPATH", "LD_PRELOAD"} & environment.keys()
    assert environment["HOME"] != os.environ.get("HOME")
    assert environment["CUDA_VISIBLE_DEVICES"] == ""  # a worker of the CPU cannot initialise a GPU


def test_cores_and_limits_reach_the_worker(fork_server: ForkServer, tmp_path: Path) -> None:
    core = sorted(os.sched_getaffinity(0))[-1]
    from passnet.bench.isolation.worker_process import Worker, WorkerOptions

    options = WorkerOptions("test worker", limits.WorkerLimits(open_files=77), (core,), 1, tmp_path / "log")
    with Worker(fork_server, options) as worker:
        assert asked(worker, "environment", 60.0)["affinity"] == [core]
        text = Path(f"/proc/{worker.pid}/limits").read_text()
        row = next(line for line in text.splitlines() if line.startswith("Max open files"))
        assert row.split()[3:5] == ["77", "77"]
        status = Path(f"/proc/{worker.pid}/status").read_text()
        assert "NoNewPrivs:\t1" in status


@pytest.mark.parametrize(
    ("request_", "check"),
    [
        (extra("kill_self", signal=signal.SIGSEGV), lambda s: os.WTERMSIG(s) == signal.SIGSEGV),
        (extra("exit_now", code=3), lambda s: os.WEXITSTATUS(s) == 3),
        (Exit(), lambda s: s == 0),
    ],
)
def test_the_status_of_an_ended_worker_is_reported(
    fork_server: ForkServer, tmp_path: Path, request_: dict, check
) -> None:
    worker = start_worker(fork_server, tmp_path)
    worker.send(request_)
    status = fork_server.status(worker.pid, 60.0)
    assert status is not None
    assert check(status)
    assert fork_server.status(worker.pid) == status, "asked again it is still known"
    worker.close()


def test_the_status_of_a_living_worker_is_unknown(fork_server: ForkServer, tmp_path: Path) -> None:
    with start_worker(fork_server, tmp_path) as worker:
        assert fork_server.status(worker.pid, 0.01) is None


def test_statuses_that_arrive_during_a_fork_are_kept(fork_server: ForkServer, tmp_path: Path) -> None:
    first = start_worker(fork_server, tmp_path)
    first.send(extra("exit_now", code=5))
    assert gone(first.pid)
    with start_worker(fork_server, tmp_path) as second:
        status = fork_server.status(first.pid)
        assert status is not None
        assert os.WEXITSTATUS(status) == 5
        assert asked(second, "ping", 60.0)
    first.close()


def test_what_escaped_from_a_worker_is_swept_up(fork_server: ForkServer, tmp_path: Path) -> None:
    with start_worker(fork_server, tmp_path) as other:
        with start_worker(fork_server, tmp_path) as worker:
            daemon = asked(worker, "daemon", 60.0)["pid"]
            assert os.getpgid(daemon) == daemon, "it left the group of the worker"
        assert gone(daemon)
        assert asked(other, "ping", 60.0), "sweeping spares the other workers"


def test_a_child_in_a_session_of_its_own_does_not_outlive_the_worker(fork_server: ForkServer, tmp_path: Path) -> None:
    """Its parent dies with the group, so it is an orphan only after the group was ended."""
    worker = start_worker(fork_server, tmp_path)
    pids = asked(worker, "children", 60.0, count=3, new_session=True)["pids"]
    worker.close()
    fork_server.sweep()
    assert all(gone(pid) for pid in pids)
    assert limits.children_of(fork_server._process.pid) == []


def test_workers_die_with_their_zygote_and_it_with_its_channel(tmp_path: Path) -> None:
    with started_fork_server(tmp_path / "own") as fork_server:
        worker = start_worker(fork_server, tmp_path)
        assert asked(worker, "ping", 60.0)
        fork_server._channel.close()  # as when the controller is gone
        assert gone(fork_server._process.pid)
        assert gone(worker.pid)


def test_a_killed_fork_server_is_an_infrastructure_error_and_closing_still_works(tmp_path: Path) -> None:
    """A candidate can kill its parent. An error of ours must come of it, and closing must work."""
    with started_fork_server(tmp_path / "own") as fork_server:
        worker = start_worker(fork_server, tmp_path)
        with pytest.raises(InfrastructureError, match="the fork server ended"):
            asked(worker, "kill_fork_server", 60.0)
        worker.close()
        with pytest.raises(InfrastructureError):
            start_worker(fork_server, tmp_path)


@pytest.mark.slow
def test_a_fork_server_that_cannot_import_says_where_to_look(tmp_path: Path) -> None:
    fork_server = ForkServer(tmp_path, threads=1, modules=("no_such_module_anywhere",))
    try:
        with pytest.raises(InfrastructureError, match=r"did not start.*fork_server\.log"):
            fork_server.wait_ready()
    finally:
        fork_server.close()
    assert "no_such_module_anywhere" in (tmp_path / "fork_server.log").read_text()


def test_the_fork_server_has_torch_but_no_cuda_and_no_pass_code(fork_server: ForkServer) -> None:
    maps = Path(f"/proc/{fork_server._process.pid}/maps").read_text()
    assert "libtorch" in maps
    assert "/dev/nvidia" not in maps
    assert sys.executable.encode() in Path(f"/proc/{fork_server._process.pid}/cmdline").read_bytes()
