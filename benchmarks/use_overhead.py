"""What a call costs around a kernel: passes applied to a module, as a backend of torch.compile, and by hand.

    python benchmarks/use_overhead.py [--device cuda] [--calls 200] [--blocks 60]

One model with one replaced operator chain, on inputs so small that hardly anything else is left; "of 300 parts": the
same beside a hundred small layers that it does not use, but that every call is looked through for replaced ones. All
ways are called in turn, block by block, in one process; each figure is the median over blocks of the time of one call
beside that of the bare rewritten graph in the same round, with the middle 95 % of blocks.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from common import TASKS, parsed, quantiles, save
from torch import nn

from passnet.use import load_passes
from passnet.use.backend import passnet


class Gelu(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 0.5 * (1.0 + torch.tanh(0.79788456 * x * (1 + 0.044715 * x * x)))


class Large(Gelu):
    """Holds 100 submodules and 200 parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(1, 1) for _ in range(100))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--blocks", type=int, default=60)
    options = parsed(parser)
    torch.set_num_threads(1)
    x = torch.randn(1, 64, device=options.device)
    with torch.no_grad():
        ways = programs(Gelu().to(options.device), x)
        times = {name: [] for name in ways}
        for _ in range(options.blocks):
            for name, call in ways.items():
                times[name].append(block(call, x, options.calls))
    rows = {name: row(times[name], times["graph"]) for name in ways}
    for name, found in rows.items():
        us, over = found["us"]["median"], found["over_graph_us"]["median"]
        print(f"{name:16} {us:8.2f} us   over the bare graph {over:7.2f} us")
    result = {"calls": options.calls, "blocks": options.blocks, "rows": rows}
    save(options, f"use-overhead-{options.device}", "use-overhead", options.device, result)


def programs(model: nn.Module, x: torch.Tensor) -> dict[str, Callable[..., Any]]:
    """The same computation, called in every way."""
    passes = load_passes(TASKS / "bloom_gelu" / "pass_dir")
    applied = passes.apply(model, (x,))
    assert applied.replaced == 1
    ways: dict[str, Callable[..., Any]] = {
        "graph": applied.graph.forward,
        "applied": applied,
        "of 300 parts": passes.apply(Large().to(x.device), (x,)),
        "backend": torch.compile(model, backend=passnet, options={"passes": passes}, dynamic=False),
        "applied+inductor": passes.apply(model, (x,), inductor=True),
        "backend+inductor": torch.compile(
            model, backend=passnet, options={"passes": passes, "inductor": True}, dynamic=False
        ),
        "eager": model,
        "torch.compile": torch.compile(model, dynamic=False),
    }
    for call in ways.values():
        for _ in range(20):
            call(x)
    return ways


def block(call: Callable[..., Any], x: torch.Tensor, calls: int) -> float:
    """Microseconds of one call, over `calls` of them, the device's work included."""
    began = time.perf_counter()
    for _ in range(calls):
        call(x)
    if x.is_cuda:
        torch.cuda.synchronize()
    return (time.perf_counter() - began) / calls * 1e6


def row(times: list[float], bare: list[float]) -> dict[str, Any]:
    over = [mine - other for mine, other in zip(times, bare, strict=True)]
    ratio = statistics.median(mine / other for mine, other in zip(times, bare, strict=True))
    return {"us": quantiles(times), "over_graph_us": quantiles(over), "ratio_to_graph": ratio}


if __name__ == "__main__":
    main()
