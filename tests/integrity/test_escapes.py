"""A candidate process that tries to reach memory, files, secrets, the network or other processes gets nothing.

Every attempt is made twice, by code that is already running in the worker: without a sandbox, where it succeeds (or the
attempt would prove nothing), and with it.
"""

from __future__ import annotations

import ctypes
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
    # Landlock knows neither modes nor limits, and a filter does not know files.
    landlock = {"landlock:files", "landlock:signals"}
    assert len(open_doors(landlock)) == 3
    assert len(open_doors({*landlock, "seccomp"})) == 2
    assert not open_doors({*landlock, "seccomp", "capabilities"})


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


def test_every_call_of_the_table_is_refused(held: Worker) -> None:
    assert attempt(held, "every denied") == []


_ATTRIBUTES = ["mode", "mode of what is open", "owner", "time", "time of what is open", "attribute"]


@pytest.mark.parametrize("what", _ATTRIBUTES)
def test_attributes_of_files(held: Worker, loose: Worker, tmp_path: Path, what: str) -> None:
    """Of a file that it cannot reach, of one that it may read, and of the machine's own devices."""
    target, graph = tmp_path / "records.jsonl", _graph(held)
    target.write_text("{}")
    assert attempt(loose, what, target) == "changed"
    before = [path.stat() for path in (target, graph)]
    assert attempt(held, what, target) is None
    assert attempt(held, what, graph) is None
    if what != "attribute":  # a device has none
        assert attempt(held, what, "/dev/zero") is None
    assert [path.stat() for path in (target, graph)] == before


@pytest.mark.parametrize("what", ["mode of its input", "mode of its log", "time of its input"])
def test_attributes_of_what_is_inherited(held: Worker, loose: Worker, what: str) -> None:
    """Its input is a device of the machine, and its log a file of the user's."""
    assert attempt(loose, what) == "changed"
    assert attempt(held, what) is None


def _graph(worker: Worker) -> Path:
    """A file that the candidate may read."""
    plan = worker.options.sandbox
    assert plan is not None
    graph = Path(plan.readable[0], "model.py")
    graph.write_text("x")
    return graph


def test_devices_are_used_as_before(held: Worker) -> None:
    """Also where their files are read-only. A shell opens them to make and to empty them."""
    assert attempt(held, "write", "/dev/null") == "written"
    assert attempt(held, "run", "head -c 1 /dev/zero") == "\0"


def test_no_file_becomes_a_device(held: Worker, loose: Worker, tmp_path: Path) -> None:
    if os.getuid() == 0:
        assert attempt(loose, "device", tmp_path / "zero") == "changed"
    assert attempt(held, "device", "zero") is None


def test_nobody_has_to_wait_for_a_lease(held: Worker, loose: Worker, tmp_path: Path) -> None:
    """Who opens a leased file waits until its holder gives it up, 45 s at most. A stopped process never does."""
    (tmp_path / "file").write_text("x")
    assert attempt(loose, "lease", tmp_path / "file") == "leased"
    assert attempt(held, "lease", _graph(held)) is None
    assert attempt(held, "lock", "own.lock") == "locked"


def test_flags_and_pages_of_files(held: Worker, loose: Worker, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert attempt(loose, "out of the cache", tmp_path / "file") == "done"
    assert attempt(held, "out of the cache", _graph(held)) == "Operation not permitted"
    assert attempt(loose, "flags", tmp_path / "file") in ("read", None)  # not all file systems have some
    assert attempt(held, "flags", _graph(held)) is None


def test_room_that_no_limit_of_file_sizes_counts(held: Worker, loose: Worker) -> None:
    """Beyond the end of a file. Its log lies on the user's disk."""
    for mode, got in ((0, "done"), (1, "Operation not permitted")):
        assert attempt(loose, "room in its log", mode) == "done"
        assert attempt(held, "room in its log", mode) == got


def test_segments_of_other_programs(held: Worker, loose: Worker) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    segment = libc.shmget(0, 4096, 0o1600)
    assert segment >= 0
    try:
        assert attempt(loose, "segment", segment) == "done"
        assert attempt(held, "segment", segment) == "Operation not permitted"
    finally:
        libc.shmctl(segment, 0, None)


def test_no_capability_and_no_other_user(held: Worker, loose: Worker) -> None:
    assert attempt(held, "capabilities") == ["0" * 16]
    if "namespaces:processes" in held.request(Hello(device="cpu"), 60.0).layers:  # else a program cannot read its own
        kept = attempt(held, "run", "cat /proc/self/status")
        assert {line.split()[1] for line in kept.splitlines() if line.startswith(("CapPrm", "CapEff"))} == {"0" * 16}
    assert attempt(loose, "another user") == "done"
    assert attempt(held, "another user") is None
    assert attempt(held, "ports") == "Operation not permitted"


@pytest.mark.parametrize("what", ["watch", "lend priority", "interrupt all cores", "mergeable", "child of the parent"])
def test_nothing_is_felt_on_other_cores(held: Worker, loose: Worker, what: str) -> None:
    assert attempt(loose, what) in ("done", "Invalid argument")  # a kernel without KSM knows no such pages
    assert attempt(held, what) == "Operation not permitted"
    assert attempt(held, "interrupt its own cores") == "done"


def test_clocks_of_other_processes(held: Worker, loose: Worker, victim: subprocess.Popen[bytes]) -> None:
    """They tell when the reference and the drawer work."""
    assert attempt(loose, "clock", victim.pid) > 0
    assert attempt(held, "clock", victim.pid) is None
    assert attempt(held, "clock", 0) > 0  # its own


def test_settings_of_its_own_process(held: Worker, loose: Worker) -> None:
    for what in ("core of its own", "not to be read"):
        assert attempt(loose, what) != "Operation not permitted"
        assert attempt(held, what) == "Operation not permitted"
    assert attempt(held, "name") == "done"


@pytest.mark.parametrize("process", ["/proc/self", "/proc/thread-self"])
def test_whom_a_system_without_memory_ends_first(held: Worker, loose: Worker, process: str) -> None:
    assert attempt(loose, "ended last", process) == "0"
    assert attempt(held, "ended last", process) is None


def test_what_is_newer_than_the_table_is_unknown(held: Worker) -> None:
    assert attempt(held, "newer than the table") == "Function not implemented"


_SETTING = """
import os, pathlib
from passnet.bench.isolation import landlock, sandbox

def unavailable(*_):
    raise landlock.LandlockUnavailable("none here")

landlock.restrict = unavailable
paths = [pathlib.Path.cwd() / name for name in ("root", "work", "cache")]
for path in paths:
    path.mkdir()
parent = f"/proc/{os.getppid()}/coredump_filter"
layers = sandbox.enter(sandbox.SandboxPlan(*map(str, paths), (), gpu=False))

def writable(path):
    try:
        os.close(os.open(path, os.O_WRONLY))
        return "opened"
    except OSError:
        return "refused"

print("namespaces:files" in layers, writable("/proc/sys/kernel/core_pattern"), writable(parent),
      writable("/proc/thread-self/comm"), flush=True)
os._exit(0)
"""
# As in a container whose own /proc has hidden parts: there no new one can be mounted.
_HIDDEN = "import ctypes, sys\nctypes.CDLL(None).unshare(0x20000)\n"
_HIDDEN += "ctypes.CDLL(None).mount(b'none', b'/', None, ctypes.c_ulong(0x44000), None)\n"
_HIDDEN += "ctypes.CDLL(None).mount(b'tmpfs', b'/proc/acpi', b'tmpfs', ctypes.c_ulong(0), None)\n"


@pytest.mark.parametrize("before", ["", _HIDDEN], ids=["its own", "a container's"])
def test_settings_of_the_system(tmp_path: Path, before: str) -> None:
    """Root may write them without any capability. They name a program that runs outside when a process crashes.

    CUDA names its threads in files of the own process.
    """
    if before and not (os.getuid() == 0 and Path("/proc/acpi").is_dir()):
        pytest.skip("only root can hide a part of /proc")
    found = subprocess.run(
        [sys.executable, "-c", before + _SETTING], cwd=tmp_path, env=dict(os.environ), capture_output=True, text=True
    )
    assert found.stdout.split()[:3] in (["True", "refused", "refused"], ["False", *found.stdout.split()[1:3]])
    assert found.stdout.split()[3] == "opened", found.stderr


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
