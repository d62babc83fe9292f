"""The drawer: it draws what the controller would, and no process of its core runs meanwhile."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from passnet.bench.isolation.drawer import Drawer, DrawnByOrder
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.timing.draws import SecretInputs
from passnet.bench.wire.shared_buffers import BufferLayout, SharedBuffers
from passnet.errors import InfrastructureError
from tests.bench.bench_helpers import SEED, affine_graph, bits

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
    if drawer is None:
        pytest.skip("this system lets no process go before the others")
    yield drawer
    drawer.close()


def opened(
    drawer: Drawer, given: SecretInputs, shapes: list[tuple[tuple[int, ...], str]], places: int
) -> SharedBuffers:
    layout = BufferLayout.plan("cpu", shapes, [], places=places, slots=1, draws=given.layout())
    plain, tables = layout.parted()
    buffers, theirs = SharedBuffers.create(plain), SharedBuffers.create(tables)
    given.write(buffers)
    given.write(theirs)
    buffers.drawn = drawer.add(buffers, theirs)
    return buffers


def test_it_draws_what_the_controller_draws(drawer: Drawer) -> None:
    graph = affine_graph()
    given = SecretInputs.draw(graph, "cpu", SEED, ["normal", "sparse"])
    buffers = opened(drawer, given, [(spec.shape, spec.dtype) for spec in graph.specs], 3)
    assert buffers.drawn is not None
    for _ in range(4):
        for place in range(3):
            for draw in range(2):
                key = given.key(draw)
                assert buffers.drawn.draw(key.draw, place, key.words, 0) > 0
                assert list(map(bits, buffers.places[place])) == list(map(bits, given.values(key)))
    buffers.close()


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
    buffers = opened(drawer, wide, LARGE, 1)
    assert buffers.drawn is not None
    buffers.drawn.draw(0, 0, (1, 2), 0)  # the first one touches the memory
    core = str(max(os.sched_getaffinity(0)))
    with subprocess.Popen([sys.executable, "-c", SPINNER, str(counter), core]) as spinner:
        try:
            while words[0] < 100_000:
                time.sleep(0.01)
            shares = []
            for _ in range(5):
                before, began = words[0], time.monotonic()
                time.sleep(0.05)
                alone = (words[0] - before) / (time.monotonic() - began)
                before = words[0]
                took_us = buffers.drawn.draw(0, 0, (3, 4), 0)
                shares.append((words[0] - before) / (took_us * 1e-6) / max(alone, 1.0))
        finally:
            spinner.kill()
    buffers.close()
    assert min(shares) < 0.1, f"shares of its usual speed at which the other process counted on: {shares}"


def test_jobs_are_dropped_with_the_buffers(drawer: Drawer) -> None:
    graph = affine_graph()
    given = SecretInputs.draw(graph, "cpu", SEED, ["normal"])
    firsts = []
    for _ in range(3):
        buffers = opened(drawer, given, [(spec.shape, spec.dtype) for spec in graph.specs], 2)
        assert isinstance(buffers.drawn, DrawnByOrder)
        firsts.append(buffers.drawn.first)
        buffers.close()
    assert firsts == [0, 0, 0]


def test_a_drawer_that_ended_is_the_machines_failure(drawer: Drawer) -> None:
    given = SecretInputs.draw(affine_graph(), "cpu", SEED, ["normal"])
    drawer.worker.close()
    with pytest.raises(InfrastructureError, match="drawer"):
        opened(drawer, given, [(spec.shape, spec.dtype) for spec in affine_graph().specs], 1)
