"""On how many graphs is torch.compile slower than eager? The published 43 % of subgraphs, in both conventions.

    python benchmarks/slowdown.py [TARGET...] [--device cuda] [--graphs 200] [--seed 21] [--run build/slowdown]

TARGET: a data set, tasks, or a model (see `passnet slowdown`). `--seed` draws the graphs. The published figure calls
through torch.compile, guards included: compare it with `deployed`. `direct` calls the compiled program alone, and
`device` is known on a GPU only. Intervals resample graphs. A graph without a figure of both conventions is left out
and counted. With the same `--run` the same command goes on.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import common

from passnet.bench.evaluate import Progress
from passnet.bench.names import PRECISIONS
from passnet.bench.record.protocol import Protocol, make
from passnet.dataset.pipeline.settings import BuildStep
from passnet.diagnose.losses import CONVENTIONS, LossRow, Slowdown
from passnet.diagnose.slowdown import Reports, SlowdownRequest, slowdown
from passnet.diagnose.subjects import Selection

PUBLISHED = 0.43
RESAMPLES, SEED = 2000, 1024


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        room = options.run or Path(scratch)
        if options.run:
            common.of_one_revision(options.run, options.revision)
        found = measured(options, room / "slowdown")
    result = reduced(found) | {"selection": drawn(options), "protocol": protocol(options).model_dump()}
    show(result)
    common.save(options, f"slowdown-{options.device}", "slowdown", options.device, result)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", default=[str(common.TASKS)], help="default: the bundled tasks")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--compiler", default="inductor")
    parser.add_argument("--graphs", type=int, default=200, help="at most so many, drawn by the seed; 0: all")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--kind", action="append", default=[], help="only these kinds of graph")
    parser.add_argument("--split", action="append", default=[], help="only these splits of a data set")
    parser.add_argument("--precision", choices=PRECISIONS, default="5%")
    parser.add_argument("--run", type=Path, help="keep the records here, and go on with those that are there")
    return common.parsed(parser)


def selection(options: argparse.Namespace) -> Selection:
    return Selection(tuple(options.targets), options.graphs, options.seed, tuple(options.kind), tuple(options.split))


def drawn(options: argparse.Namespace) -> dict[str, Any]:
    """The selection as a result says it: without the place where this checkout lies."""
    return vars(selection(options)) | {
        "targets": [target.removeprefix(f"{common.ROOT}/") for target in options.targets]
    }


def protocol(options: argparse.Namespace) -> Protocol:
    return make("direct", device=options.device, precision=PRECISIONS[options.precision])


def measured(options: argparse.Namespace, room: Path) -> Slowdown:
    request = SlowdownRequest(selection(options), options.compiler, options.device, protocol(options), room)
    return slowdown(request, Reports(_captured, _judged))


def reduced(found: Slowdown) -> dict[str, Any]:
    """The figures with intervals, and the rows behind them."""
    return {
        **found.to_json(),
        "published": PUBLISHED,
        "slower_ci": {name: interval(found.timed, name) for name in CONVENTIONS},
        "left_out": dict(Counter(row.outcome for row in found.rows if row not in found.timed)),
    }


def interval(rows: Sequence[LossRow], name: str) -> tuple[float, float] | None:
    """The middle 95 % of the share over resampled graphs. None where no graph has that figure."""
    slower = [ratio < 1.0 for row in rows if (ratio := getattr(row, name)) is not None]
    if not slower:
        return None
    rng = random.Random(SEED)
    shares = sorted(sum(rng.choices(slower, k=len(slower))) / len(slower) for _ in range(RESAMPLES))
    return shares[round(0.025 * (RESAMPLES - 1))], shares[round(0.975 * (RESAMPLES - 1))]


def show(result: dict[str, Any]) -> None:
    print(f"{result['graphs']} graphs with figures of {result['judged']}; left out: {result['left_out'] or 'none'}")
    for name in CONVENTIONS:
        share, ends = result["slower"][name], result["slower_ci"][name]
        words = "not known" if share is None else f"{100 * share:.1f} % ({100 * ends[0]:.1f} to {100 * ends[1]:.1f})"
        print(f"slower than eager, {name}: {words}")
    print(f"published, through torch.compile: {100 * PUBLISHED:.0f} %")


def _captured(step: BuildStep) -> None:
    print(f"{step.stage} [{step.done}/{step.total}] {step.key} {step.failure or ''}", file=sys.stderr, flush=True)


def _judged(progress: Progress) -> None:
    record, timing = progress.record, progress.record.timing
    ratio = f"{timing.speedup:.3f}, deployed {timing.deployed_speedup}" if timing else record.detail
    print(f"[{progress.done}/{progress.total}] {record.task} {record.outcome} {ratio}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
