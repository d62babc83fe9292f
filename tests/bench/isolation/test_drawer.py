"""The drawer: it draws what the controller would, and no process of its core runs meanwhile."""

from __future__ import annotations

import mmap
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from passnet.bench.draws.secret_inputs import Key, SecretInputs
from passnet.bench.isolation.drawer import Drawer, DrawnByOrder
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.timing import blocks
from passnet.bench.timing.sizing import Shapes
from passnet.bench.wire.requests import LendBuffers
from passnet.bench.wire.shared_buffers import BufferLayout, SharedBuffers
from passnet.errors import InfrastructureError
from tests.bench.bench_helpers import LONG, SEED, affine_graph, bits, built_worker, shapes_of

# Counts as fast as it can, in shared memory.
SPINNER = """
import mmap, os, sys
os.sched_setaffinity(0, {int(sys.argv[2])})
words = memoryview(mmap.mmap(os.open(sys.argv[1], os.O_RDWR), 4096)).cast("q")
while True:
    words[0] += 1
"""
LARGE = [((64 << 20,), "float32")]


@pytest.fixture
def drawer(fork_server: ForkServer, tmp_path: Path) -> Iterator[Drawer]:
    core = max(os.sched_getaffinity(0))
    drawer = Drawer.start(fork_server, (core,), tmp_path)
    if not drawer.draws:
        drawer.close()
        pytest.skip("this system lets no process go before the others")
    yield drawer
    drawer.close()


def opened(drawer: Drawer, given: SecretInputs, inputs: Shapes, outputs: Shapes = (), *, places: int) -> SharedBuffers:
    layout = BufferLayout.plan("cpu", inputs, outputs, places=places, slots=1, draws=given.layout())
    plain, tables = layout.parted()
    buffers, theirs = SharedBuffers.create(plain), SharedBuffers.create(tables)
    given.write(buffers)
    given.write(theirs)
    buffers.drawn = drawer.add(buffers, theirs)
    return buffers


def draw_now(buffers: SharedBuffers, key: Key, place: int = 0) -> float:
    """Draw into a place at once. Returns seconds."""
    assert buffers.drawn is not None
    took_ns = buffers.drawn.page.order(buffers.drawn.job(key.draw, place), key.words, LONG)
    assert took_ns > 0
    return took_ns * 1e-9


def test_it_draws_what_the_controller_draws(drawer: Drawer) -> None:
    graph = affine_graph()
    given = SecretInputs.draw(graph, "cpu", SEED, ["normal", "sparse"])
    buffers = opened(drawer, given, [(spec.shape, spec.dtype) for spec in graph.specs], places=3)
    for _ in range(4):
        for place in range(3):
            for draw in range(2):
                key = given.key(draw)
                draw_now(buffers, key, place)
                assert list(map(bits, buffers.places[place])) == list(map(bits, given.values(key)))
    buffers.close()


@pytest.mark.parametrize("patience_s", [LONG, 0.0])
def test_it_is_called_by_the_worker_whose_call_is_due(
    drawer: Drawer, fork_server: ForkServer, tmp_path: Path, patience_s: float
) -> None:
    """The controller rings too where that takes too long. Neither disturbs the other."""
    graph = affine_graph()
    graph.write(tmp_path / "affine")
    given = SecretInputs.draw(graph, "cpu", SEED, ["normal"])
    buffers = opened(drawer, given, *shapes_of(graph), places=2)
    drawer.page.patience_s = patience_s
    with built_worker(fork_server, tmp_path, tmp_path / "affine") as worker:
        request = LendBuffers(name="timing", layout=buffers.layout, handle=None)
        worker.request(request, LONG, (buffers.fd, drawer.page.bell.fd))
        plan = blocks.BlockPlan("direct", 1, 20, frozenset(range(21)))
        block = blocks.run(worker, buffers, given, plan, random.Random(1), LONG)
    assert block.reply.calls == len(block.kept) == 21
    for kept in block.kept.values():
        expected = graph.module("cpu").forward(*given.values(kept.key))
        assert list(map(bits, kept.outputs)) == list(map(bits, expected))
    buffers.close()


def test_the_controller_rings_where_several_cores_must_be_held(fork_server: ForkServer, tmp_path: Path) -> None:
    """A worker that rings may be stopped before all of them are."""
    one, two = (Drawer.start(fork_server, tuple(range(count)), tmp_path) for count in (1, 2))
    assert one.page.patience_s > two.page.patience_s == 0.0
    for drawer in (one, two):
        drawer.close()


def test_nobody_can_write_to_the_bell(drawer: Drawer) -> None:
    """A drawer that finds anything there would never sleep again, and nobody else would run."""
    bell = drawer.page.bell
    for act in (
        lambda: mmap.mmap(bell.fd, mmap.PAGESIZE),
        lambda: os.write(os.open(f"/proc/self/fd/{bell.fd}", os.O_RDWR), b"1"),
        lambda: mmap.mmap(os.open(f"/proc/self/fd/{bell.fd}", os.O_RDWR), mmap.PAGESIZE),
        lambda: os.ftruncate(os.open(f"/proc/self/fd/{bell.fd}", os.O_RDWR), 0),
    ):
        with pytest.raises(OSError, match=r"not permitted|denied"):
            act()
    assert bytes(bell.memory) == bytes(mmap.PAGESIZE)


def test_a_worker_is_lent_no_tables() -> None:
    given = SecretInputs.draw(affine_graph(), "cpu", SEED, ["normal"])
    shapes = [(spec.shape, spec.dtype) for spec in affine_graph().specs]
    layout = BufferLayout.plan("cpu", shapes, [], places=1, slots=1, draws=given.layout())
    plain, tables = layout.parted()
    assert plain.draws == () and plain.tensor_bytes == layout.tables_start
    assert tables.draws == layout.draws and tables.tensor_bytes == layout.table_bytes


def test_nobody_else_runs_on_its_core_while_it_draws(drawer: Drawer, tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    counter.write_bytes(bytes(4096))
    words = memoryview(mmap.mmap(os.open(counter, os.O_RDWR), 4096)).cast("q")
    graph = affine_graph()
    given = SecretInputs.draw(graph, "cpu", SEED, ["normal"])
    source = given.draws[0][0]
    wide = SecretInputs([source.table], [[source]], "cpu", given.rng, (0,), _secret=bytes(32))
    buffers = opened(drawer, wide, LARGE, places=1)
    draw_now(buffers, Key(0, (1, 2)))  # the first one touches the memory
    core = str(max(os.sched_getaffinity(0)))
    with subprocess.Popen([sys.executable, "-c", SPINNER, str(counter), core]) as spinner:
        try:
            while words[0] < 100_000:
                time.sleep(0.01)
            shares = []
            for _ in range(25):  # beside other tests the drawer may wake late
                before, began = words[0], time.monotonic()
                time.sleep(0.05)
                alone = (words[0] - before) / (time.monotonic() - began)
                before = words[0]
                took_s = draw_now(buffers, Key(0, (3, 4)))
                shares.append((words[0] - before) / took_s / max(alone, 1.0))
        finally:
            spinner.kill()
    buffers.close()
    assert min(shares) < 0.1, f"shares of its usual speed at which the other process counted on: {shares}"


def test_jobs_are_dropped_with_the_buffers(drawer: Drawer) -> None:
    graph = affine_graph()
    given = SecretInputs.draw(graph, "cpu", SEED, ["normal"])
    firsts = []
    for _ in range(3):
        buffers = opened(drawer, given, [(spec.shape, spec.dtype) for spec in graph.specs], places=2)
        assert isinstance(buffers.drawn, DrawnByOrder)
        firsts.append(buffers.drawn.first)
        buffers.close()
    assert firsts == [0, 0, 0]


def test_a_drawer_that_ended_is_the_machines_failure(drawer: Drawer) -> None:
    given = SecretInputs.draw(affine_graph(), "cpu", SEED, ["normal"])
    drawer.worker.close()
    with pytest.raises(InfrastructureError, match="drawer"):
        opened(drawer, given, [(spec.shape, spec.dtype) for spec in affine_graph().specs], places=1)


@contextmanager
def within_a_block(drawer: Drawer, fork_server: ForkServer, tmp_path: Path) -> Iterator[Callable[[], blocks.Block]]:
    """A function that runs a block whose calls may take 2 s."""
    graph = affine_graph()
    graph.write(tmp_path / "affine")
    given = SecretInputs.draw(graph, "cpu", SEED, ["normal"])
    buffers = opened(drawer, given, *shapes_of(graph), places=2)
    with built_worker(fork_server, tmp_path, tmp_path / "affine") as worker:
        request = LendBuffers(name="timing", layout=buffers.layout, handle=None)
        worker.request(request, LONG, (buffers.fd, drawer.page.bell.fd))
        yield lambda: blocks.run(worker, buffers, given, blocks.BlockPlan("direct", 1, 20), random.Random(1), 2.0)


def test_a_drawer_that_ends_within_a_block_is_no_fault_of_the_worker(
    drawer: Drawer, fork_server: ForkServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "_DRAWER_S", 3.0)
    with within_a_block(drawer, fork_server, tmp_path) as run:
        os.kill(drawer.worker.pid, signal.SIGKILL)
        with pytest.raises(InfrastructureError, match="not drawn within 3 s: the drawer is lost"):
            run()


def test_what_the_drawer_takes_does_not_count_as_the_workers(
    drawer: Drawer, fork_server: ForkServer, tmp_path: Path
) -> None:
    with within_a_block(drawer, fork_server, tmp_path) as run:
        os.kill(drawer.worker.pid, signal.SIGSTOP)
        goes_on = threading.Timer(4.0, os.kill, (drawer.worker.pid, signal.SIGCONT))
        goes_on.start()
        began = time.monotonic()
        assert run().reply.calls == 21
        assert time.monotonic() - began > 2.5
        goes_on.join()


def test_it_says_how_fast_a_core_is_and_goes_there(fork_server: ForkServer, tmp_path: Path) -> None:
    """Even where it does not draw. Its thread is on the core at which it looked last."""
    cores = sorted(os.sched_getaffinity(0))
    drawer = Drawer.start(fork_server, (cores[-1],), tmp_path, draws=False)
    try:
        assert not drawer.draws
        for core in (cores[0], cores[-1], cores[0]):
            assert 500 < drawer.core_ns(core) < 1e7
            threads = [int(name) for name in os.listdir(f"/proc/{drawer.worker.pid}/task")]
            assert {core} in [os.sched_getaffinity(thread) for thread in threads]
        assert drawer.core_ns() > 500
    finally:
        drawer.close()


def test_it_draws_after_a_look_what_it_drew_before(drawer: Drawer) -> None:
    graph = affine_graph()
    given = SecretInputs.draw(graph, "cpu", SEED, ["normal"])
    buffers = opened(drawer, given, [(spec.shape, spec.dtype) for spec in graph.specs], places=1)
    for core in sorted(os.sched_getaffinity(0)):
        drawer.core_ns(core)
        key = given.key(0)
        draw_now(buffers, key)
        assert list(map(bits, buffers.places[0])) == list(map(bits, given.values(key)))
    buffers.close()
