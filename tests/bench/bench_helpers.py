"""Small graphs, lent, records and a started fork_server: what the tests of the bench room share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from pydantic import JsonValue

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.isolation.limits import WorkerLimits
from passnet.bench.isolation.worker_process import Worker, WorkerOptions
from passnet.bench.record.records import GraphRecord, Timing
from passnet.bench.timing.sizing import Shapes
from passnet.bench.verdict.job import Job
from passnet.bench.wire.requests import BuildProgram, Extra, LendBuffers
from passnet.bench.wire.shared_buffers import BufferLayout, SharedBuffers
from passnet.graph import Graph, dtype_name
from passnet.score import Outcome
from tests.graph.graph_helpers import graph_of, spec

SEED = 11
LONG = 60.0
TIMING = Timing(speedup=1.5, speedup_ci=(1.4, 1.6), eager_us=30.0, compiled_us=20.0, control_ratio=1.0, processes=())


def affine_graph() -> Graph:
    """Two data inputs, two outputs of different shape: enough for every slot and set to be told apart."""
    return graph_of(
        [spec("x", 4, 6), spec("y", 4, 6)],
        "a = x * 2.0",
        "b = a + y",
        "c = b.sum(dim = -1)",
        "return (b, c)",
    )


def shapes_of(graph: Graph) -> tuple[Shapes, Shapes]:
    """Shapes and dtypes of a graph's inputs and of what eager returns for them."""
    module, inputs = graph.module("cpu"), graph.inputs(SEED)
    groups = inputs, module.forward(*inputs)
    found, made = ([(tuple(t.shape), dtype_name(t.dtype)) for t in group] for group in groups)
    return found, made


def buffers_for(
    graph: Graph, *, places: int, slots: int, given: SecretInputs | None = None, stays: bool = False
) -> SharedBuffers:
    """Buffers for a graph, with the tables that calls' inputs are drawn from. `stays`: outputs are not delivered."""
    inputs, outputs = shapes_of(graph)
    given = given or SecretInputs.draw(graph, "cpu", SEED, ["normal"])
    layout = BufferLayout.plan("cpu", inputs, outputs, places=places, slots=slots, draws=given.layout())
    buffers = SharedBuffers.create(replace(layout, stays=stays))
    given.write(buffers)
    return buffers


def extra(name: str, /, **arguments: JsonValue) -> Extra:
    """A request to one of the handlers of `hostile_requests`."""
    return Extra(name=name, arguments=arguments)


def asked(worker: Worker, name: str, timeout_s: float, /, **arguments: JsonValue) -> Any:
    """What a handler of `hostile_requests` gives."""
    return worker.request(extra(name, **arguments), timeout_s).value


def lend(worker: Worker, buffers: SharedBuffers, name: str = "timing") -> None:
    """Give a worker an buffers under a name, as a pair does."""
    worker.request(LendBuffers(name=name, layout=buffers.layout, handle=None), LONG, (buffers.fd,))


def bits(tensor: torch.Tensor) -> bytes:
    """The raw bytes of a tensor, for equality without any rule about NaN."""
    if tensor.numel() == 0:
        return b""
    return tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


@contextmanager
def started_fork_server(scratch: Path) -> Iterator[ForkServer]:
    """A fork_server whose workers also know the requests of `hostile_requests`."""
    fork_server = ForkServer(scratch, threads=1, modules=("torch._dynamo", "tests.bench.hostile_requests"))
    try:
        fork_server.wait_ready()
        yield fork_server
    finally:
        fork_server.close()


def start_worker(fork_server: ForkServer, directory: Path, **bounds: Any) -> Worker:
    options = WorkerOptions(
        role="test worker", worker_limits=WorkerLimits(**bounds), cpus=(), threads=1, log=directory / "worker.log"
    )
    return Worker(fork_server, options)


def built_worker(fork_server: ForkServer, log: Path, graph_path: Path) -> Worker:
    """A worker whose program is eager's of a graph."""
    worker = start_worker(fork_server, log)
    worker.request(BuildProgram(graph=str(graph_path), device="cpu", seed=SEED, compiler="eager"), LONG)
    return worker


def job_of(graph: Graph, device: str = "cpu") -> Job:
    """A job that is looked at and never run."""
    return Job("task", graph.name, Path("nowhere"), graph, "eager", device, None)


def record(outcome: Outcome = Outcome.TIMEOUT, **fields: Any) -> GraphRecord:
    names = {
        "task": "t",
        "graph": "g",
        "graph_hash": "h",
        "pass_set_hash": None,
        "protocol_hash": "p",
        "compiler": "passes",
        "device": "cpu",
    }
    return GraphRecord(**(names | {"outcome": outcome} | fields))
