"""A candidate process that tries to reach memory, files, secrets, the network or other processes gets nothing.

Every attempt is made twice, by code that is already running in the worker: without a sandbox, where it succeeds (or the
attempt would prove nothing), and with it.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from passnet.bench.isolation import namespaces
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.isolation.limits import WorkerLimits
from passnet.bench.isolation.sandbox import SandboxPlan
from passnet.bench.isolation.worker_process import Worker, WorkerFailure, WorkerOptions
from passnet.bench.layers import DOORS, LAYERS, open_doors
from passnet.bench.wire.requests import Hello
from tests.bench.bench_helpers import asked

pytestmark = pytest.mark.integrity
SECRET = "correct horse battery staple"


@pytest.fixture(scope="module")
def fork_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkServer]:
    scratch = tmp_path_factory.mktemp("fork_server")
    fork_server = ForkServer(scratch, threads=1, modules=("torch._dynamo", "tests.integrity.escape_requests"))
    try:
        fork_server.wait_ready()
        yield fork_server
    finally:
        fork_server.close()


def options(place: Path, plan: SandboxPlan | None) -> WorkerOptions:
    return WorkerOptions("test worker", WorkerLimits(), (), 1, place / "worker.log", sandbox=plan)


def plan_in(place: Path, *, namespaces: bool = True) -> SandboxPlan:
    paths = [place / name for name in ("root", "work", "cache", "graphs")]
    for path in paths:
        path.mkdir()
    root, work, cache, graphs = map(str, paths)
    return SandboxPlan(root, work, cache, (graphs,), gpu=False, namespaces=namespaces)


@pytest.fixture(scope="module", params=["every layer", "without namespaces"])
def held(
    request: pytest.FixtureRequest, fork_server: ForkServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Worker]:
    place = tmp_path_factory.mktemp("held")
    with Worker(fork_server, options(place, plan_in(place, namespaces=request.param == "every layer"))) as worker:
        layers = worker.request(Hello(device="cpu"), 60.0).layers
        if open_doors(layers):
            pytest.skip(f"this system cannot hold a candidate: only {layers}")
        yield worker


@pytest.fixture(scope="module")
def loose(fork_server: ForkServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    with Worker(fork_server, options(tmp_path_factory.mktemp("loose"), None)) as worker:
        yield worker


@pytest.fixture
def victim() -> Iterator[subprocess.Popen[bytes]]:
    """A process of the same user that has a secret in its environment."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", "import time; time.sleep(300)"], env={"PATH": "/usr/bin", "SECRET": SECRET}
    )
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def listener() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


def attempt(worker: Worker, what: str, on: str | int | Path = "") -> Any:
    """What the attempt got, or None when it was refused."""
    try:
        reply = asked(worker, "attempt", 60.0, what=what, on=str(on))
    except WorkerFailure as error:
        return pytest.fail(f"{what}: the worker itself failed: {error}")
    return reply.get("got")


def test_every_door_is_closed_by_an_active_layer(held: Worker) -> None:
    layers = held.request(Hello(device="cpu"), 60.0).layers
    assert not open_doors(layers)
    assert set(layers) <= set(LAYERS)
    assert [door.name for door in open_doors(())] == [door.name for door in DOORS]


def test_files_of_the_user(held: Worker, loose: Worker, tmp_path: Path) -> None:
    secret, target = tmp_path / "id_rsa", tmp_path / "records.jsonl"
    secret.write_text(SECRET)
    target.write_text("{}")
    assert attempt(loose, "read", secret) == SECRET
    assert attempt(loose, "write", target) == "written"
    target.write_text("{}")
    assert attempt(held, "read", secret) is None
    assert attempt(held, "list", tmp_path) is None
    assert attempt(held, "write", target) is None
    assert attempt(held, "remove", target) is None
    assert target.read_text() == "{}"


@pytest.mark.parametrize("path", ["/etc/passwd", "/etc/shadow", str(Path.home()), "/root", "/var", "/run", "/mnt"])
def test_places_of_the_system(held: Worker, path: str) -> None:
    found = attempt(held, "list", path) if Path(path).is_dir() else attempt(held, "read", path)
    below = {str(Path(entry).relative_to(path).parts[0]) for entry in _bound() if Path(entry).is_relative_to(path)}
    assert set(found or ()) <= below  # parents of what imports need are there, with nothing else in them


def _bound() -> list[str]:
    from passnet.bench.isolation.sandbox import needed_paths

    paths = [path for path in needed_paths() if len(path.parts) > 2]
    return [str(path) for path in paths] + [str(path) for path in map(Path, sys.path) if len(path.parts) > 2]


def test_the_package_and_the_interpreter_cannot_be_changed(held: Worker) -> None:
    import passnet

    for directory in (Path(passnet.__file__).parent, Path(sys.prefix), Path("/usr")):
        assert attempt(held, "write", directory / "planted.py") is None
        assert not (directory / "planted.py").exists()


def test_memory_and_signals_of_other_processes(held: Worker, loose: Worker, victim: subprocess.Popen[bytes]) -> None:
    assert attempt(loose, "memory", victim.pid) is not None
    assert attempt(loose, "read other", victim.pid) != "No such process"
    assert attempt(loose, "limit", victim.pid) == "set"
    # Process 1, which may be the parent of these tests, is the worker's own first one in its process namespace.
    for pid in {victim.pid, os.getpid(), os.getppid()} - {1}:
        assert attempt(held, "memory", pid) is None
        assert attempt(held, "trace", pid) == "Operation not permitted"
        assert attempt(held, "read other", pid) == "Operation not permitted"
        assert attempt(held, "signal", pid) is None
        assert attempt(held, "limit", pid) is None


def test_other_processes_and_their_secrets(held: Worker, loose: Worker, victim: subprocess.Popen[bytes]) -> None:
    assert str(victim.pid) in attempt(loose, "processes")
    assert attempt(loose, "environments", SECRET) == f"found in {victim.pid}"
    assert attempt(held, "environments", SECRET) in (None, "nothing")  # None: not even the list of processes
    if "namespaces:processes" in held.request(Hello(device="cpu"), 60.0).layers:
        assert len(attempt(held, "processes")) <= 2


def test_environment_secrets(fork_server: ForkServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_TOKEN", SECRET)
    with Worker(fork_server, options(tmp_path, plan_in(tmp_path))) as worker:
        assert attempt(worker, "environments", SECRET) == "nothing"


def test_network(held: Worker, loose: Worker, listener: str, tmp_path: Path) -> None:
    assert attempt(loose, "connect", listener) == "connected"
    assert attempt(loose, "datagram", listener) == "sent"
    assert attempt(held, "connect", listener) is None
    assert attempt(held, "datagram", listener) is None
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        server.listen()
        assert attempt(loose, "unix socket", tmp_path / "s") == "connected"
        assert attempt(held, "unix socket", tmp_path / "s") is None


def test_leaving_the_group_or_the_core(held: Worker, loose: Worker) -> None:
    assert attempt(loose, "other core", min(os.sched_getaffinity(0))) == "moved"
    assert attempt(held, "other core", min(os.sched_getaffinity(0))) is None
    assert attempt(held, "new session") is None
    assert attempt(held, "new group") is None


@pytest.mark.parametrize("by", ["", " a thread", " by a queue", " by a file", " by a child", " by a parent"])
def test_nobody_wakes_what_is_stopped(held: Worker, loose: Worker, by: str) -> None:
    """A process that is stopped goes on by SIGCONT, whoever sends it."""
    assert attempt(loose, f"wake{by}") == "done"
    assert attempt(held, f"wake{by}") == "Operation not permitted"


# With and without FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME.
@pytest.mark.parametrize("operation", [3, 4, 3 + 128, 4 + 128, 3 + 256])
def test_nobody_moves_those_who_sleep(held: Worker, loose: Worker, operation: int) -> None:
    """The drawer sleeps on a word that all workers have, and must hear the next ring."""
    moved = attempt(loose, "move sleepers", str(operation))
    assert moved == "done" or operation > 255
    assert attempt(held, "move sleepers", str(operation)) == "Operation not permitted"
    assert attempt(held, "move sleepers by a call of its own") == "Operation not permitted"


def test_nested_namespaces_and_mounts(held: Worker) -> None:
    assert attempt(held, "user namespace") == "Operation not permitted"
    assert attempt(held, "mount", "/tmp") == "Operation not permitted"


def test_memory_that_no_limit_counts(held: Worker, loose: Worker) -> None:
    assert attempt(loose, "memory without an address") == "made"
    assert attempt(held, "memory without an address") is None


def test_buffers_of_the_system(held: Worker, loose: Worker) -> None:
    for what in ("semaphores", "socket pair"):
        assert attempt(loose, what) in ("done", 2)
        assert attempt(held, what) in (None, "Operation not permitted")


def test_files_in_memory_are_few_and_small(fork_server: ForkServer, loose: Worker) -> None:
    """Also where the place of the candidate's work lies in memory, as temporary files of many systems do."""
    if not namespaces.lies_in_memory(Path("/dev/shm")):
        pytest.skip("/dev/shm is no file system in memory here")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as shm:
        (Path(shm) / "loose").mkdir()
        assert attempt(loose, "empty files", f"{shm}/loose") == 50_000
        place = Path(shm, "place")
        place.mkdir()
        plan = plan_in(place)
        with Worker(fork_server, options(place, plan)) as worker:
            if "namespaces:files" not in worker.request(Hello(device="cpu"), 60.0).layers:
                pytest.skip("this system grants no files of one's own")
            for own in ("/tmp", "/dev/shm", plan.work, plan.cache):
                assert 0 < attempt(worker, "empty files", own) < 20_000
            for own in ("/tmp", "/dev/shm", plan.work, plan.cache):
                attempt(worker, "run", f"find {own} -name empty-* -delete")
                assert 200 < attempt(worker, "fill", own) < 300
            assert attempt(worker, "read", "/proc/self/stat")  # the worker itself goes on
            assert not [*Path(plan.work).iterdir(), *Path(plan.cache).iterdir()]


def test_shared_memory_of_the_system(held: Worker, loose: Worker) -> None:
    """It outlives who wrote it."""
    name = f"/dev/shm/passnet-test-{os.getpid()}"
    assert attempt(loose, "write", name) == "written"
    os.unlink(name)
    attempt(held, "write", name)  # where it has one of its own it may
    assert not os.path.exists(name)


def test_nothing_is_inherited_but_the_channel(held: Worker) -> None:
    assert attempt(held, "descriptors") == ["socket"]


def test_what_a_pass_needs_works(held: Worker) -> None:
    assert attempt(held, "write", "kernel.cpp") == "written"
    assert "kernel.cpp" in attempt(held, "list", ".")
    assert attempt(held, "run", "ls /usr/bin")
