"""A pair of workers: where it runs, and which compiled kernels it finds from earlier pairs."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from passnet.bench.isolation import candidate_room, limits
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.isolation.kept_kernels import KernelPlaces
from passnet.bench.isolation.worker_pair import ROLES, Role, WorkerPair
from passnet.bench.isolation.worker_process import Worker
from passnet.bench.layers import open_doors
from passnet.bench.record.protocol import Protocol
from passnet.bench.wire.replies import Layers
from passnet.bench.wire.requests import Hello, PassFiles
from passnet.errors import InfrastructureError
from tests.bench.bench_helpers import LONG, asked
from tests.bench.conftest import SHORT, write_passes

CORES = sorted(os.sched_getaffinity(0))
two_cores = pytest.mark.skipif(len(CORES) < 2, reason="one core is one place only")
MakePair = Callable[..., WorkerPair]
RULE = """
import torch

def pattern(x):
    return torch.relu(x)

def replacement_args(x):
    return (x,)

def wrapper(x):
    return x.clamp(min={least})

def replacement_func():
    return wrapper
"""

COMPILED = """
import torch
from passnet.kernels import cpp

LIBRARY = cpp('extern "C" void scale(const float* x, float* out, long count) { out[0] = x[0]; }')

def pattern(x):
    return torch.relu(x)

def replacement_args(x):
    return (x,)

def wrapper(x):
    out = torch.empty_like(x)
    LIBRARY.scale(x, out, x.numel())
    return out

def replacement_func():
    return wrapper
"""


@pytest.fixture
def make_pair(fork_server: ForkServer, tmp_path: Path) -> Iterator[MakePair]:
    made: list[WorkerPair] = []

    def make(protocol: Protocol = SHORT, cpus: tuple[int, ...] = (CORES[-1],), **more: Any) -> WorkerPair:
        scratch = tmp_path / f"scratch{len(made)}"
        made.append(WorkerPair(len(made), fork_server, protocol, "cpu", tmp_path / "logs", scratch, cpus, **more))
        return made[-1]

    yield make
    for pair in made:
        pair.close()


def cores_of(pair: WorkerPair, role: Role) -> set[int]:
    """The cores on which the threads of a worker may run."""
    pair.ask(role, Hello(device="cpu"))
    worker = getattr(pair, role)
    threads = limits.threads_of(worker.pid, pair.fork_server.pid)
    assert threads
    found = {frozenset(os.sched_getaffinity(thread)) for thread in threads}
    assert len(found) == 1
    return set(*found)


@two_cores
@pytest.mark.parametrize("role", ROLES)
def test_a_worker_goes_where_it_is_placed(make_pair: MakePair, role: Role) -> None:
    pair = make_pair()
    assert cores_of(pair, role) == {CORES[-1]}
    pair.place(role, (CORES[0],))
    assert cores_of(pair, role) == {CORES[0]}
    pair.place(role, (CORES[0], CORES[-1]))
    assert cores_of(pair, role) == {CORES[0], CORES[-1]}


@two_cores
def test_a_worker_is_spread_for_a_while_and_goes_back(make_pair: MakePair) -> None:
    pair = make_pair()
    pair.place("candidate", CORES[:1])
    with pair.spread("candidate", tuple(CORES)):
        assert cores_of(pair, "candidate") == set(CORES)
    assert cores_of(pair, "candidate") == {CORES[0]}


def test_only_the_role_that_is_placed_moves(make_pair: MakePair) -> None:
    pair = make_pair()
    pair.place("candidate", (CORES[0],))
    assert [cores_of(pair, role) for role in ROLES] == [{CORES[-1]}, {CORES[0]}]


@two_cores
@pytest.mark.parametrize("role", ROLES)
def test_a_worker_that_is_started_anew_is_where_the_one_before_was_placed(make_pair: MakePair, role: Role) -> None:
    pair = make_pair()
    pair.place(role, (CORES[0],))
    assert cores_of(pair, role) == {CORES[0]}
    pair.end(role)
    assert cores_of(pair, role) == {CORES[0]}


@two_cores
def test_children_of_a_worker_go_with_it(make_pair: MakePair) -> None:
    """Threads and processes that it leaves behind would otherwise work on the core of another lane."""
    pair = make_pair(trusted=True)
    with pair.awake("candidate") as worker:
        children = asked(worker, "children", LONG, count=2)["pids"]
    pair.place("candidate", (CORES[0],))
    with pair.awake("candidate"):  # until then all of them are stopped
        assert [os.sched_getaffinity(child) for child in children] == [{CORES[0]}] * 2


@two_cores
def test_where_cores_are_not_parted_nothing_is_placed(make_pair: MakePair) -> None:
    pair = make_pair(cpus=())
    pair.place("reference", (CORES[0],))
    assert cores_of(pair, "reference") == set(CORES)


def test_files_in_memory_that_nothing_bounds_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a file system of its own a candidate could take all memory of the machine, and keep it when it ends."""

    class Bound:
        """A candidate on a system without namespaces."""

        def request(self, request: Hello, timeout_s: float) -> Layers:
            return Layers(layers=("landlock:files", "landlock:signals", "capabilities", "seccomp", "rlimits"))

    worker = cast("Worker", Bound())
    monkeypatch.setattr(candidate_room, "lies_in_memory", lambda path: False)
    candidate_room.entered(worker, "cpu", tmp_path)
    monkeypatch.setattr(candidate_room, "lies_in_memory", lambda path: True)
    with pytest.raises(InfrastructureError, match="TMPDIR"):
        candidate_room.entered(worker, "cpu", tmp_path)


# --- kernels -------------------------------------------------------------------------------------------------------


@pytest.fixture
def passes(tmp_path: Path) -> PassFiles:
    return write_passes(tmp_path / "passes", rule=RULE.format(least=0))


@pytest.fixture
def others(tmp_path: Path) -> PassFiles:
    return write_passes(tmp_path / "others", rule=RULE.format(least=0.0))


def kernels_of(pair: WorkerPair, passes: PassFiles) -> Path:
    """The directory of compiled kernels that a candidate with these passes gets."""
    pair.load(passes)
    assert pair.cache is not None
    assert pair.cache.path.is_dir()
    return pair.cache.path


def test_a_later_pair_finds_the_kernels_of_an_earlier_one(
    make_pair: MakePair, tmp_path: Path, passes: PassFiles
) -> None:
    """Also what the earlier one compiled after it had loaded the text."""
    places = KernelPlaces(tmp_path / "kept")
    first = make_pair(kernels=places)
    directory = kernels_of(first, passes)
    assert tmp_path / "kept" in directory.parents
    (directory / "kernel.so").write_bytes(b"x")
    first.close()
    later = kernels_of(make_pair(kernels=places), passes)
    assert later == directory
    assert (later / "kernel.so").exists()


def test_a_later_run_finds_nothing_that_was_written_after_the_text_was_loaded(
    make_pair: MakePair, tmp_path: Path
) -> None:
    """Code that takes a process over can write there. It does not choose what another run loads."""
    passes = write_passes(tmp_path / "passes", rule=COMPILED)
    places = KernelPlaces(tmp_path / "kept")
    first = make_pair(kernels=places)
    directory = kernels_of(first, passes)
    (library,) = directory.glob("*.so")
    before = library.read_bytes()
    library.write_bytes(before + b"another library")
    (directory / f"{'0' * 40}.so").write_bytes(b"a library more")
    second = make_pair(kernels=places)
    assert (kernels_of(second, passes) / library.name).read_bytes() != before  # they share a directory
    first.close()
    second.close()
    places.forget()
    assert not directory.exists()
    later = kernels_of(make_pair(kernels=KernelPlaces(tmp_path / "kept")), passes)
    assert [path.name for path in later.glob("*.so")] == [library.name]
    assert (later / library.name).read_bytes() == before


def test_another_pass_set_gets_other_kernels(
    make_pair: MakePair, tmp_path: Path, passes: PassFiles, others: PassFiles
) -> None:
    pair = make_pair(kernels=KernelPlaces(tmp_path / "kept"))
    assert kernels_of(pair, passes) != kernels_of(pair, others)


def test_another_policy_gets_other_kernels(make_pair: MakePair, tmp_path: Path, passes: PassFiles) -> None:
    """What a looser policy let through is not found where a stricter one judges."""
    loose = SHORT.model_copy(update={"policy": "native"})
    kept = KernelPlaces(tmp_path / "kept")
    assert kernels_of(make_pair(kernels=kept), passes) != kernels_of(make_pair(loose, kernels=kept), passes)


def test_without_a_place_kernels_are_kept_as_long_as_the_run(make_pair: MakePair, passes: PassFiles) -> None:
    pair = make_pair()
    assert pair.scratch in kernels_of(pair, passes).parents


# --- a pass set that is to come ------------------------------------------------------------------------------------


def process_of(pair: WorkerPair) -> int:
    assert pair.candidate is not None
    return pair.candidate.pid


def test_a_pass_set_that_was_expected_finds_its_process(
    make_pair: MakePair, passes: PassFiles, others: PassFiles
) -> None:
    pair = make_pair()
    pair.load(passes)
    busy, work = process_of(pair), pair.work
    assert not pair.expects(others)
    pair.expect(others, (CORES[0],))
    assert pair.expects(others) and not pair.expects(passes)
    assert (process_of(pair), pair.work, pair.loaded) == (busy, work, passes.content_hash), "it goes on undisturbed"
    assert pair.expecting is not None
    waits = pair.expecting.worker.pid
    pair.load(others)
    assert (process_of(pair), pair.loaded, pair.expecting) == (waits, others.content_hash, None)
    assert waits != busy and pair.work != work
    assert pair.layers
    assert cores_of(pair, "candidate") == {CORES[0]}
    assert pair.cache is not None and pair.kernel_places == (pair.cache,)


def test_what_a_candidate_may_see_is_its_own_pass_sets(
    make_pair: MakePair, passes: PassFiles, others: PassFiles
) -> None:
    """The process waits in the sandbox of the pass set that it is for, and has the kernels of no other."""
    pair = make_pair()
    pair.load(passes)
    assert pair.cache is not None and pair.candidate is not None and pair.candidate.options.sandbox is not None
    before = pair.candidate.options.sandbox
    pair.expect(others, (CORES[0],))
    assert len(pair.kernel_places) == 2
    pair.load(others)
    sandbox = pair.candidate.options.sandbox
    assert sandbox is not None
    assert sandbox.cache == str(pair.cache.path) != before.cache
    assert sandbox.work == str(pair.work) != before.work


def test_a_process_that_waits_for_another_pass_set_is_ended(
    make_pair: MakePair, passes: PassFiles, others: PassFiles
) -> None:
    pair = make_pair()
    pair.expect(others, (CORES[0],))
    assert pair.expecting is not None
    waits = pair.expecting.worker
    pair.load(passes)
    assert process_of(pair) != waits.pid
    assert not waits.alive and pair.expecting is None


def test_who_makes_room_for_the_pass_set_that_was_expected_is_ended_beside_it(
    make_pair: MakePair, passes: PassFiles, others: PassFiles
) -> None:
    pair = make_pair()
    pair.load(passes)
    former = pair.candidate
    assert pair.retired(others) is None, "nobody waits for it, so `load` ends the former one"
    pair.expect(others, (CORES[0],))
    assert pair.retired(passes) is None, "it is the one that is loaded"
    assert pair.retired(others) is former is not None
    assert former.alive and pair.candidate is None
    pair.load(others)
    assert former.alive and pair.loaded == others.content_hash, "nothing waited for its end"
    former.close()
    assert process_of(pair) != former.pid and not former.alive


def test_a_process_that_died_while_it_waited_is_replaced(make_pair: MakePair, passes: PassFiles) -> None:
    pair = make_pair()
    pair.expect(passes, (CORES[0],))
    assert pair.expecting is not None
    died = pair.expecting.worker.pid
    os.killpg(died, signal.SIGKILL)
    while not pair.expecting.worker.ended():
        time.sleep(0.001)
    pair.load(passes)
    assert process_of(pair) != died
    assert pair.loaded == passes.content_hash


def test_a_process_that_cannot_start_is_not_waited_for(
    make_pair: MakePair, passes: PassFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who loads the pass set then says what is wrong."""
    pair = make_pair()
    with monkeypatch.context() as patch:
        patch.setattr("passnet.bench.isolation.candidate_room.open_doors", lambda layers: open_doors(()))
        pair.expect(passes, (CORES[0],))
    assert pair.expecting is None and pair.kernel_places == ()
    pair.load(passes)
    assert pair.loaded == passes.content_hash


def test_a_closed_pair_waits_for_nothing(make_pair: MakePair, passes: PassFiles) -> None:
    pair = make_pair()
    pair.expect(passes, (CORES[0],))
    assert pair.expecting is not None
    waits = pair.expecting.worker
    pair.close()
    assert not waits.alive and pair.expecting is None


def test_a_compiler_expects_no_pass_set(make_pair: MakePair, passes: PassFiles) -> None:
    assert make_pair(trusted=True).expects(passes)
