"""Do the bench's figures agree with plain timing from outside of it?

    python benchmarks/outside.py [TASK...] [--graphs 2] [--processes 5] [--run build/outside]

Every graph is judged by the bench, as passes at 5 %. Then fresh processes time the same pass set without the bench:
eager, the passes' program and a delivery of ready outputs in turn, in one process, each call with inputs that were
copied in before it, outputs copied within the clock. Each round has one of the bench's distributions, in turn. A side's
figure for a distribution is the lower quartile over rounds of the lower quartile over calls, and its figure is the mean
over distributions; the delivery is subtracted. The outside ratio is the geometric mean over processes, each with its
own addresses. There is no sandbox, no check and no secret. The result says how far the bench's ratio is from it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import common

from passnet.bench.evaluate import pass_files, read_passes
from passnet.bench.timing.blocks import lower_quartile
from passnet.bench.timing.stats import t_quantile
from passnet.graph.targets import Target, find_targets

CALLS = 12
Row = dict[str, Any]


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(outside(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))))
        return
    options = arguments()
    records = {f"{record.task}/{record.graph}": record for record in common.run(options, "passes")}
    rows: list[Row] = []
    for target in find_targets(options.paths):
        for number, (name, _, _) in list(enumerate(target.graphs))[: options.graphs]:
            timing = records[f"{target.name}/{name}"].timing
            if timing is None:
                continue
            ratios = [asked(target, number, options.rounds) for _ in range(options.processes)]
            row: Row = {"graph": f"{target.name}/{name}", "bench": timing.speedup, "interval": timing.speedup_ci}
            row |= {"outside": math.exp(sum(map(math.log, ratios)) / len(ratios)), "processes": ratios}
            rows.append(row | {"bench_over_outside": timing.speedup / row["outside"]})
            print(f"{row['graph'][:60]} {timing.speedup:.3f} {row['outside']:.3f}", file=sys.stderr, flush=True)
    common.write(options, "outside", reduced(rows))


def arguments() -> argparse.Namespace:
    more: dict[str, dict[str, Any]] = {
        "--processes": {"type": int, "default": 5, "help": "fresh processes outside, for each graph"},
        "--rounds": {"type": int, "default": 60, "help": "rounds of each of these processes"},
    }
    options = common.arguments(__doc__ or "", more=more)
    options.set = ["precision=0.05", *options.set]
    if options.device != "cpu":
        sys.exit("outside.py: only on the CPU")
    return options


def asked(target: Target, number: int, rounds: int) -> float:
    """The ratio that one fresh process finds."""
    path = target.pass_dir.parent if target.pass_dir else target.graphs[0][1]
    command = [sys.executable, str(Path(__file__).resolve()), "--one", str(path), str(number), str(rounds)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    return float(json.loads(done.stdout.splitlines()[-1]))


def outside(path: Path, number: int, rounds: int) -> float:
    """Eager's time over that of the passes of a task on one of its graphs, in this process and on one core of it."""
    import torch

    from passnet.bench.draws.secret_inputs import SecretInputs
    from passnet.bench.verdict.useful_draws import DISTRIBUTIONS
    from passnet.bench.worker import compilers

    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    torch.set_num_threads(1)
    (target,) = find_targets([path])
    _, _, graph = target.graphs[number]
    with tempfile.TemporaryDirectory() as scratch, torch.no_grad():
        files = pass_files(read_passes(target)).files
        rules = compilers.load_passes(files, Path(scratch, "text"), Path(scratch, "cache"), "cpu", on_processor=True)
        given = SecretInputs.draw(graph, "cpu", os.getpid(), DISTRIBUTIONS)
        places = [tensor.clone() for tensor in given.values(given.key())]
        module = graph.module("cpu")
        built = compilers.PassesCompiler(rules).build(module, places)
        program = built.freeze(places) if built.freeze is not None else built
        slots = [output.clone() for output in module.forward(*places)]
        ready = [output.clone() for output in slots]

        def fill(draw: int) -> None:
            for place, value in zip(places, given.values(given.key(draw)), strict=True):
                place.copy_(value)

        def delivered(call: Callable[[], Sequence[torch.Tensor]]) -> Callable[[], None]:
            def deliver() -> None:
                for slot, output in zip(slots, call(), strict=True):
                    slot.copy_(output)

            return deliver

        sides = {
            "eager": delivered(lambda: module.forward(*places)),
            "passes": delivered(lambda: program.call(*places)),
            "null": delivered(lambda: ready),
        }
        us: dict[str, dict[int, list[float]]] = {name: {draw: [] for draw in given.timed} for name in sides}
        for number in range(rounds):
            draw = given.timed[number % len(given.timed)]
            for name, call in sides.items():
                us[name][draw].append(lower_quartile([_timed(partial(fill, draw), call) for _ in range(CALLS)]))
    eager, passes, null = (statistics.mean(map(lower_quartile, us[name].values())) for name in sides)
    return (eager - null) / (passes - null)


def _timed(fill: Callable[[], None], call: Callable[[], None]) -> float:
    fill()
    began = time.perf_counter_ns()
    call()
    return (time.perf_counter_ns() - began) / 1e3


def reduced(rows: Sequence[Row]) -> Row:
    logs = [math.log(row["bench_over_outside"]) for row in rows]
    centre = statistics.mean(logs)
    half = t_quantile(0.95, len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))
    found: Row = {"graphs": len(rows), "bench_over_outside": math.exp(centre)}
    found["interval"] = [math.exp(centre - half), math.exp(centre + half)]
    for width in (0.05, 0.1, 0.2):
        found[f"within_{width:.0%}"] = sum(abs(value) <= math.log1p(width) for value in logs) / len(logs)
    print(found)
    return {**found, "rows": rows}


if __name__ == "__main__":
    main()
