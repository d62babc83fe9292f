"""The published protocol, inside one worker: Dynamo dispatch, candidate first, one fixed input set, host clock.

Kept only for comparison with published figures. Clock and candidate share a process, so nothing here is
tamper-proof. Records made with it say so. `run` is the worker's side. `timing.published` is the controller's.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence

import torch

from passnet.bench.wire.replies import PublishedTimes
from passnet.bench.worker.compilers import Call, Compiler
from passnet.graph import Graph

_SEED = 1024


def run(
    graph: Graph, module: torch.fx.GraphModule, compiler: Compiler, device: str, warmup: int, trials: int
) -> PublishedTimes:
    """Wall times of every trial of both sides, in microseconds."""
    inputs = graph.inputs(_SEED, device, policy="published")

    def backend(traced: torch.fx.GraphModule, examples: Sequence[torch.Tensor]) -> Call:
        return compiler.build(traced, examples).call

    compiled = torch.compile(copy.deepcopy(module), backend=backend)
    return PublishedTimes(
        compiled_us=_trials(compiled, inputs, device, warmup, trials),
        eager_us=_trials(module, inputs, device, warmup, trials),
    )


def _trials(
    call: Callable[..., object], inputs: Sequence[torch.Tensor], device: str, warmup: int, trials: int
) -> tuple[float, ...]:
    def synchronise() -> None:
        if device == "cuda":
            torch.cuda.synchronize()

    for _ in range(warmup):
        call(*inputs)
    times = []
    for _ in range(trials):
        synchronise()
        started = time.perf_counter_ns()
        call(*inputs)
        synchronise()
        times.append((time.perf_counter_ns() - started) / 1e3)
    return tuple(times)
