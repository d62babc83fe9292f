"""Whole models, side by side: eager, Inductor, the bundled passes as a backend and applied, and both together.

    python benchmarks/whole_model.py [--device cuda] [--models FILE] [--only "*-float16"] [--rounds 40]

The models are the graphs that `whole_models.py` wrote, with random weights. Every way is called in turn,
block by block in an order drawn anew for each round, in one process; a ratio is that of two blocks of one round, shown
as the median over rounds with its middle 95 %. `eager_again` is eager a second time: the spread of a ratio of 1.
Outputs are compared with eager's and with float64's by the bench's own criteria.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import torch
from common import TASKS, parsed, quantiles, save
from torch import nn
from whole_models import MODELS, WholeModel, graphs, load

from passnet.bench.compare.comparison import Criteria
from passnet.bench.compare.errors import compare
from passnet.bench.compare.float64_twin import WideReference
from passnet.graph import Graph
from passnet.rewrite import read_pass_set
from passnet.use import Passes
from passnet.use.backend import passnet

SEED = 7
Ways = Mapping[str, Callable[..., Any]]


def main() -> None:
    options = arguments()
    torch.set_num_threads(1)
    torch._dynamo.config.recompile_limit = 64
    passes = Passes(*(read_pass_set(task / "pass_dir") for task in sorted(TASKS.iterdir())))
    rows: dict[str, Any] = {}
    for graph in graphs(options.models):
        if fnmatch(graph.name, options.only):
            rows[graph.name] = measured(graph, passes, options)
            # Whole after every model: the rest may take longer than a machine is lent for.
            settings = {"rounds": options.rounds, "block_ms": options.block_ms, "models": rows}
            save(options, f"whole-model-{options.device}", "whole-model", options.device, settings)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--models", type=Path, default=MODELS, help="Parquet file written by whole_models.py")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="those whose names match")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--block-ms", type=float, default=20.0, help="length of one block of calls, about")
    return parsed(parser)


@torch.no_grad()
def measured(graph: Graph, passes: Passes, options: argparse.Namespace) -> dict[str, Any]:
    """One model through every way: accuracy, then times; one line per way on standard output."""
    torch._dynamo.reset()
    model, inputs = load(graph, options.device)
    ways, replaced, failed = programs(model, inputs, passes)
    accuracy = {name: compared(model, call, inputs, graph) for name, call in ways.items()}
    times = timed(ways, inputs, options)
    print(f"\n{graph.name}: {sum(replaced.values())} places replaced: {replaced}")
    rows = {}
    for name in ways:
        ratios = [eager / own for eager, own in zip(times["eager"], times[name], strict=True)]
        rows[name] = {"us": quantiles(times[name]), "speedup": quantiles(ratios), **accuracy[name]}
        spread = f"{rows[name]['speedup']['p2.5']:.3f}-{rows[name]['speedup']['p97.5']:.3f}"
        us, speed = rows[name]["us"]["median"], rows[name]["speedup"]["median"]
        print(f"  {name:28} {us:10.1f} us   {speed:6.3f}x ({spread})   right from t = {accuracy[name]['correct_at']}")
    for name, reason in failed.items():
        print(f"  {name:28} failed: {reason}")
    return {"operations": len(graph.statements()), "replaced": replaced, "ways": rows, "failed": failed}


def programs(
    model: WholeModel, inputs: tuple[torch.Tensor, ...], passes: Passes
) -> tuple[Ways, dict[str, int], dict[str, str]]:
    """Every way of calling the model, compiled and called once; what the passes replaced; the ways that failed."""

    def with_backend(**more: Any) -> nn.Module:
        found: nn.Module = torch.compile(model, backend=passnet, options={"passes": passes, **more}, dynamic=False)
        return found

    makers: dict[str, Callable[[], Callable[..., Any]]] = {
        "eager": lambda: model,
        "eager_again": lambda: model,
        "inductor": lambda: torch.compile(model, dynamic=False),
        "passnet": with_backend,
        "passnet+inductor": lambda: with_backend(inductor=True),
        "applied": lambda: passes.apply(model, inputs),
        "applied+inductor": lambda: passes.apply(model, inputs, inductor=True),
    }
    ways, failed = {}, {}
    for name, make in makers.items():
        torch._dynamo.reset()
        try:
            ways[name] = make()
            ways[name](*inputs)
        except Exception as error:  # noqa: BLE001  the row says what happened, the others go on
            ways.pop(name, None)
            failed[name] = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    counts = getattr(ways.get("applied"), "replacements", {})
    return ways, {name.rpartition("/")[2]: count for name, count in counts.items() if count}, failed


def compared(
    model: WholeModel, call: Callable[..., Any], inputs: tuple[torch.Tensor, ...], graph: Graph
) -> dict[str, Any]:
    """How far a way's outputs are from eager's and, where there is a float64 twin, from the truth."""
    eager, found = tensors(model(*inputs)), tensors(call(*inputs))
    rest = iter(inputs)
    everything = [next(rest) if name is None else getattr(model, name) for name in model.order]
    twin = WideReference.build(model.graph_module, everything, eager)
    wide = tensors(twin(everything)) if twin is not None else None
    result = compare(found, eager, wide, Criteria(fp64_factor=4.0, scale_cap=0.1))
    return {"correct_at": result.correct_at, "max_abs": result.max_abs, "fp64_ratio": result.fp64_ratio}


def tensors(outputs: Any) -> list[torch.Tensor]:
    return list(outputs) if isinstance(outputs, tuple | list) else [outputs]


def timed(ways: Ways, inputs: tuple[torch.Tensor, ...], options: argparse.Namespace) -> dict[str, list[float]]:
    """Microseconds a call of every way, one figure a round."""
    for call in ways.values():
        for _ in range(5):
            call(*inputs)
    calls = {name: max(1, round(options.block_ms * 1e3 / block(call, inputs, 3))) for name, call in ways.items()}
    times: dict[str, list[float]] = {name: [] for name in ways}
    order, rng = list(ways), random.Random(SEED)
    for _ in range(options.rounds):
        rng.shuffle(order)
        for name in order:
            times[name].append(block(ways[name], inputs, calls[name]))
    return times


def block(call: Callable[..., Any], inputs: tuple[torch.Tensor, ...], calls: int) -> float:
    """Microseconds of one call, over `calls` of them, the device's work included; the first is not counted."""
    call(*inputs)
    synchronise(inputs)
    began = time.perf_counter()
    for _ in range(calls):
        call(*inputs)
    synchronise(inputs)
    return (time.perf_counter() - began) / calls * 1e6


def synchronise(inputs: tuple[torch.Tensor, ...]) -> None:
    if any(value.is_cuda for value in inputs):
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()
