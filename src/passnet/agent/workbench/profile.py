"""The places where eager spends time in one graph: per statement, and on a GPU also per kernel.

Only trusted code runs, and no pass. On the CPU each statement is timed by itself while the graph runs statement by
statement. So the time includes dispatch. On a GPU statements are issued under torch's profiler. Their time is the time
of their kernels on the device.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, cast

import torch
from torch import fx

from passnet.agent.workbench.documents import ProfileDocument, TimedKernel, TimedStatement
from passnet.graph import Graph

if TYPE_CHECKING:
    import torch.profiler
    from torch.autograd.profiler_util import FunctionEvent, Kernel

_SECONDS = 1.0
_RUNS = (3, 50)
_MOST_KERNELS = 30
_SEED = 7


def profile_graph(graph: Graph, device: str) -> ProfileDocument:
    """Medians over some runs after a warm-up.

    `statements` have index, name and us. On CUDA `kernels` have name, count, us and the last launch. A launch has grid,
    block, registers a thread, bytes of shared memory, and occupancy in % of warps. `total_us` is one call of the whole
    graph by the wall clock, synchronised on CUDA. Times of statements are of the statement alone and do not add up to
    it.
    """
    module, inputs = graph.module(device, propagated=False), graph.inputs(_SEED, device)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.no_grad():
            total = _whole(module, inputs, device)
            statements, kernels = _on_cuda(module, inputs) if device == "cuda" else (_on_cpu(module, inputs), [])
    finally:
        torch.set_num_threads(threads)
    return {
        "graph": graph.name, "device": device, "total_us": total, "statements": statements, "kernels": kernels,
    }  # fmt: skip


def _copies(inputs: list[torch.Tensor]) -> list[torch.Tensor]:
    """Fresh inputs, because a graph may change them."""
    return [tensor.clone() for tensor in inputs]


def _runs(once_s: float) -> int:
    return max(_RUNS[0], min(_RUNS[1], int(_SECONDS / max(once_s, 1e-9))))


def _whole(module: fx.GraphModule, inputs: list[torch.Tensor], device: str) -> float:
    """Median microseconds of a call, without the first calls."""
    times: list[float] = []
    began = time.perf_counter()
    module(*_copies(inputs))
    for _ in range(_runs(time.perf_counter() - began)):
        copies = _copies(inputs)
        _synchronise(device)
        start = time.perf_counter()
        module(*copies)
        _synchronise(device)
        times.append(time.perf_counter() - start)
    return statistics.median(times[len(times) // 4 :]) * 1e6


def _synchronise(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


class _Timed(fx.Interpreter):
    """Runs a graph node by node and records the time of each call."""

    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module)
        self.times: dict[str, list[float]] = defaultdict(list)

    def run_node(self, n: fx.Node) -> object:
        if n.op not in ("call_function", "call_method"):
            return super().run_node(n)
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        call = getattr(self, n.op)
        start = time.perf_counter()
        result: object = call(n.target, args, kwargs)
        self.times[n.name].append(time.perf_counter() - start)
        return result


def _on_cpu(module: fx.GraphModule, inputs: list[torch.Tensor]) -> list[TimedStatement]:
    began = time.perf_counter()
    _Timed(module).run(*_copies(inputs))
    timed = _Timed(module)
    for _ in range(_runs(time.perf_counter() - began)):
        timed.run(*_copies(inputs))
    return [
        {"index": index, "name": name, "us": statistics.median(times) * 1e6}
        for index, (name, times) in enumerate(timed.times.items())
    ]


class _Marked(fx.Interpreter):
    """Runs a graph with every statement inside a range of its name that the profiler sees."""

    def run_node(self, n: fx.Node) -> object:
        if n.op not in ("call_function", "call_method"):
            return super().run_node(n)
        with torch.profiler.record_function(_MARK + n.name):
            return super().run_node(n)


_MARK = "statement:"


def _on_cuda(module: fx.GraphModule, inputs: list[torch.Tensor]) -> tuple[list[TimedStatement], list[TimedKernel]]:
    from torch.profiler import ProfilerActivity, profile

    began = time.perf_counter()
    _Marked(module).run(*_copies(inputs))
    torch.cuda.synchronize()
    runs = min(10, _runs(time.perf_counter() - began))
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as seen:
        for _ in range(runs):
            copies = _copies(inputs)
            _Marked(module).run(*copies)
            torch.cuda.synchronize()
    names = [node.name for node in module.graph.nodes if node.op in ("call_function", "call_method")]
    by_statement: dict[str, float] = defaultdict(float)
    kernels: dict[str, list[float]] = defaultdict(list)
    for event in seen.events():
        if event.name.startswith(_MARK) and event.device_type.name == "CPU":
            by_statement[event.name.removeprefix(_MARK)] += float(event.device_time_total)
            for kernel in _kernels_below(event):
                kernels[kernel.name].append(float(kernel.duration))
    rows: list[TimedStatement] = [
        {"index": index, "name": name, "us": by_statement[name] / runs} for index, name in enumerate(names)
    ]
    longest = sorted(kernels.items(), key=lambda row: -sum(row[1]))[:_MOST_KERNELS]
    counters = _counters(seen)
    found = [
        {"name": name, "count": len(times) / runs, "us": sum(times) / runs, **counters.get(name, {})}
        for name, times in longest
    ]
    return rows, cast("list[TimedKernel]", found)


# The name in the record of a launch, and the name here.
_COUNTERS = {
    "grid": "grid",
    "block": "block",
    "registers per thread": "registers",
    "shared memory": "shared_bytes",
    "est. achieved occupancy %": "occupancy_percent",
}


def _counters(seen: torch.profiler.profile) -> dict[str, dict[str, object]]:
    """The launch of each kernel and its use of a multiprocessor, from the profiler's trace.

    Counters of the hardware (cache hits, stalls) need a profiler with rights that a user seldom has.
    """
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "trace.json"
        seen.export_chrome_trace(str(path))
        events = json.loads(path.read_text())["traceEvents"]
    launches = {event["name"]: event["args"] for event in events if event.get("cat") == "kernel"}
    return {
        name: {ours: args[theirs] for theirs, ours in _COUNTERS.items() if theirs in args}
        for name, args in launches.items()
    }


def _kernels_below(event: FunctionEvent) -> list[Kernel]:
    found = list(event.kernels)
    for child in event.cpu_children:
        found += _kernels_below(child)
    return found
