"""What a call of a one-kernel program costs: eager, Inductor, the wrapper as written, its frozen launch, a CUDA graph.

    python benchmarks/program_overhead.py [--device cuda] [--calls 100] [--blocks 60]

All ways of one computation are called in turn, block by block, in one process, the order rotating from round to round.
On a GPU every call is followed by a synchronisation, as in a trial of the published protocol. The figures are medians
over rounds, with the middle 95 %: microseconds above an empty call of the same round, above a call of the C++ kernel by
hand (on the CPU), and the ratio of eager's time to this one. `host_us` is the time to issue a call, not waited for.
"""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from common import ROOT, parsed, quantiles, save
from torch import nn

from passnet.rewrite import freeze_program
from passnet.use import load_passes
from passnet.use.model.traced import flattened
from passnet.use.passes import Passes

EXAMPLES = ROOT / "docs" / "examples"
Way = Callable[..., Any]


class ScaleShiftGelu(nn.Module):
    def forward(self, x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.gelu(x * w + b)


class SiluMul(nn.Module):
    def forward(self, gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.silu(gate) * up


class AddLayerNorm(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, ...]:
        added = x + y
        return added, torch.nn.functional.layer_norm(added, (768,), w, b, 1e-05)


@dataclass(frozen=True)
class Case:
    """One computation: its module, shapes and dtype of its inputs, and the passes that replace it by one kernel."""

    name: str
    model: nn.Module
    shapes: tuple[tuple[int, ...], ...]
    dtype: torch.dtype
    passes: Path
    by_hand: Callable[[Passes, tuple[torch.Tensor, ...]], Way] | None = None

    def inputs(self, device: str) -> tuple[torch.Tensor, ...]:
        torch.manual_seed(0)
        return tuple(torch.randn(shape, device=device).to(self.dtype) for shape in self.shapes)


def cpp_by_hand(passes: Passes, inputs: tuple[torch.Tensor, ...]) -> Way:
    """An allocation and the call of the C++ function, as one would write them for these very inputs."""
    kernel = passes.rules("cpu")[0].function.__globals__["KERNELS"]["gelu", torch.float32]
    rows, columns = inputs[0].numel() // inputs[0].shape[-1], inputs[0].shape[-1]

    def call(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x)
        kernel(x, w, b, out, rows, columns)
        return out

    return call


ROW = (768,)
CASES = {
    "cuda": (
        Case(
            "scale-shift-gelu, Triton",
            ScaleShiftGelu(),
            ((1, 128, 768), ROW, ROW),
            torch.float16,
            ROOT / "benchmarks" / "overhead_pass",
        ),
        Case("silu-mul, Triton", SiluMul(), ((1, 16, 1024),) * 2, torch.float16, EXAMPLES / "triton" / "pass_dir"),
        Case(
            "add-layer-norm, CUDA C++",
            AddLayerNorm(),
            ((1, 16, 768), (1, 16, 768), ROW, ROW),
            torch.float16,
            EXAMPLES / "cuda" / "pass_dir",
        ),
    ),
    "cpu": tuple(
        Case(
            f"scale-shift-gelu, C++, {rows} x {columns}",
            ScaleShiftGelu(),
            ((rows, columns), (columns,), (columns,)),
            torch.float32,
            EXAMPLES / "cpp" / "pass_dir",
            cpp_by_hand,
        )
        for rows, columns in ((1, 64), (16, 768))
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", choices=sorted(CASES))
    parser.add_argument("--calls", type=int, default=100, help="calls per block")
    parser.add_argument("--blocks", type=int, default=60, help="rounds")
    options = parsed(parser)
    torch.set_num_threads(1)
    with torch.no_grad():
        rows = {case.name: measured(case, options) for case in CASES[options.device]}
    result = {"calls": options.calls, "blocks": options.blocks, "cases": rows}
    save(options, f"program-overhead-{options.device}", "program-overhead", options.device, result)


def measured(case: Case, options: argparse.Namespace) -> dict[str, Any]:
    inputs = case.inputs(options.device)
    ways = ways_of(case, inputs, options.device)
    checked(ways, inputs)
    ended = torch.cuda.synchronize if options.device == "cuda" else None
    times: dict[str, list[float]] = {name: [] for name in ways}
    hosts: dict[str, list[float]] = {name: [] for name in ways}
    names = list(ways)
    for turn in range(options.blocks):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            times[name].append(block(ways[name], inputs, options.calls, ended))
            hosts[name].append(issued(ways[name], inputs, options.calls, ended))
    rows = {name: row(name, times, hosts[name]) for name in names}
    print(f"\n{case.name}")
    for name, found in rows.items():
        above = found["above_empty_us"]
        line = f"  {name:22} {found['us']['median']:8.2f} us, above the empty call {above['median']:7.2f}"
        line += f" ({above['p2.5']:.2f} - {above['p97.5']:.2f}), host {found['host_us']['median']:.2f}"
        if "above_by_hand_us" in found:
            line += f", above by hand {found['above_by_hand_us']['median']:.2f}"
        print(f"{line}, {found['eager_over_this']['median']:.2f}x eager")
    return rows


def ways_of(case: Case, inputs: tuple[torch.Tensor, ...], device: str) -> dict[str, Way]:
    """The same computation, called in every way."""
    from torch._inductor.compile_fx import compile_fx

    model, passes = case.model.to(device), load_passes(case.passes)
    flat = flattened(model, inputs, {})
    result = passes.rewritten(flat.module, device)
    assert result.total == 1, result.near_misses
    program = freeze_program(result, flat.inputs)
    assert program.frozen == 1, program.calls
    ways: dict[str, Way] = {"empty": lambda *_: None, "eager": flat.module.forward}
    if case.by_hand is not None:
        ways["by hand"] = case.by_hand(passes, inputs)
    ways |= {
        "inductor": compile_fx(copy.deepcopy(flat.module), list(inputs)),
        "torch.compile": torch.compile(model, dynamic=False),
        "rewritten": result.gm.forward,
        "frozen": program.forward,
        "deployed": passes.apply(model, inputs),
    }
    if device == "cuda":
        ways["CUDA graph"] = passes.apply(model, inputs, cuda_graph=True)
        static = passes.apply(model, inputs, cuda_graph="static")
        assert static.captured is not None
        buffers = static.captured.buffers
        ways["CUDA graph, in place"] = lambda *_: static(*buffers)
    return ways


def checked(ways: dict[str, Way], inputs: tuple[torch.Tensor, ...]) -> None:
    """All ways agree; and everything that compiles has."""
    wanted = leaves(ways["eager"](*inputs))
    for name, call in ways.items():
        for _ in range(20):
            found = call(*inputs)
        if name != "empty":
            for mine, theirs in zip(leaves(found), wanted, strict=True):
                torch.testing.assert_close(mine, theirs, rtol=2e-3, atol=2e-3)


def leaves(result: Any) -> list[torch.Tensor]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def block(call: Way, inputs: tuple[torch.Tensor, ...], calls: int, ended: Callable[[], None] | None) -> float:
    """Microseconds of one call, its work on the device included."""
    clock = time.perf_counter_ns
    began = clock()
    if ended is None:
        for _ in range(calls):
            call(*inputs)
    else:
        for _ in range(calls):
            call(*inputs)
            ended()
    return (clock() - began) / 1e3 / calls


def issued(call: Way, inputs: tuple[torch.Tensor, ...], calls: int, ended: Callable[[], None] | None) -> float:
    """Microseconds until a call returns, with as much queued behind it as a device takes without making it wait."""
    clock = time.perf_counter_ns
    began = clock()
    for _ in range(min(calls, 100)):
        call(*inputs)
    took = (clock() - began) / 1e3 / min(calls, 100)
    if ended is not None:
        ended()
    return took


def row(name: str, times: dict[str, list[float]], host: list[float]) -> dict[str, Any]:
    mine = times[name]
    found = {
        "us": quantiles(mine),
        "host_us": quantiles(host),
        "above_empty_us": quantiles([a - b for a, b in zip(mine, times["empty"], strict=True)]),
        "eager_over_this": quantiles([b / a for a, b in zip(mine, times["eager"], strict=True)]),
    }
    if "by hand" in times:
        found["above_by_hand_us"] = quantiles([a - b for a, b in zip(mine, times["by hand"], strict=True)])
    return found


if __name__ == "__main__":
    main()
