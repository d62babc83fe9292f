"""Small graphs, arenas filled by hand, and one started zygote: what the tests of the bench room share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from passnet.bench.arena import Arena, ArenaLayout
from passnet.bench.limits import WorkerLimits
from passnet.bench.session import Worker, WorkerOptions
from passnet.bench.zygote import Zygote
from passnet.graph import Graph, TensorSpec

META = {"framework": "torch", "num_devices_required": 1, "num_nodes_required": 1}
SEED = 11


def spec(name: str, *shape: int, dtype: str = "float32", **fields: Any) -> TensorSpec:
    """A spec with the statistics of standard normal data unless told otherwise."""
    if dtype.startswith(("float", "bfloat", "complex")):
        fields = {"mean": 0.0, "std": 1.0} | fields
    return TensorSpec(name=name, shape=shape, dtype=dtype, **fields)


def graph_of(specs: Sequence[TensorSpec], *body: str, name: str = "g") -> Graph:
    """A graph in memory from the body lines of its `forward`."""
    head = ["import torch", "", "class GraphModule(torch.nn.Module):", ""]
    signature = f"    def forward({', '.join(['self', *(s.name for s in specs)])}):"
    source = "\n".join([*head, signature, *("        " + line for line in body)])
    return Graph(name=name, source=source, specs=tuple(specs), meta=META)


def affine_graph() -> Graph:
    """Two data inputs, two outputs of different shape: enough for every slot and set to be told apart."""
    return graph_of(
        [spec("x", 4, 6), spec("y", 4, 6)],
        "a = x * 2.0",
        "b = a + y",
        "c = b.sum(dim = -1)",
        "return (b, c)",
    )


def shapes_of(graph: Graph) -> tuple[list[tuple[tuple[int, ...], str]], list[tuple[tuple[int, ...], str]]]:
    """Shapes and dtypes of a graph's inputs and of what eager returns for them."""
    module, inputs = graph.module("cpu"), graph.inputs(SEED)
    outputs = module.forward(*inputs)
    return [(tuple(t.shape), dtype_name(t)) for t in inputs], [(tuple(t.shape), dtype_name(t)) for t in outputs]


def arena_for(graph: Graph, *, sets: int, slots: int) -> Arena:
    inputs, outputs = shapes_of(graph)
    return Arena.create(ArenaLayout.plan("cpu", inputs, outputs, sets=sets, slots=slots))


def dtype_name(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def bits(tensor: torch.Tensor) -> bytes:
    """The raw bytes of a tensor, for equality without any rule about NaN."""
    if tensor.numel() == 0:
        return b""
    return tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


@contextmanager
def started_zygote(scratch: Path) -> Iterator[Zygote]:
    """A zygote whose workers also know the requests of `hostile_requests`."""
    zygote = Zygote(scratch, threads=1, modules=("torch._dynamo", "tests.bench.hostile_requests"))
    try:
        zygote.wait_ready()
        yield zygote
    finally:
        zygote.close()


def start_worker(zygote: Zygote, directory: Path, **bounds: Any) -> Worker:
    options = WorkerOptions(
        role="test worker", worker_limits=WorkerLimits(**bounds), cpus=(), threads=1, log=directory / "worker.log"
    )
    return Worker(zygote, options)
