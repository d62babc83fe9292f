"""What the benchmark scripts share: run an evaluation, reduce ratios, and write a result with its environment."""

from __future__ import annotations

import argparse
import datetime
import json
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from passnet.bench.environment import snapshot
from passnet.bench.evaluate import Progress, Request, TaskScore, evaluate
from passnet.bench.protocol import Protocol, make
from passnet.bench.records import GraphRecord

ROOT = Path(__file__).resolve().parents[1]
TASKS = ROOT / "data" / "tasks"
RESULTS = Path(__file__).resolve().parent / "results"


def arguments(
    description: str, choices: Sequence[str] = (), more: Mapping[str, Mapping[str, Any]] | None = None
) -> argparse.Namespace:
    """The options that all evaluations have, and `more` of a script's own."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("paths", nargs="*", type=Path, default=[TASKS], help="tasks; default: the bundled ones")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--graphs", type=int, default=None, help="only the first N graphs of each task")
    parser.add_argument("--out", type=Path, default=RESULTS, help="directory of the result file")
    parser.add_argument("--run", type=Path, help="keep the records here, and go on with those that are there")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a protocol setting")
    if choices:
        parser.add_argument("--only", choices=choices, help="one of the things compared")
    for name, settings in (more or {}).items():
        parser.add_argument(name, **settings)
    return parser.parse_args()


def protocol(options: argparse.Namespace) -> Protocol:
    """The default protocol of the device with the settings given on the command line."""
    overrides = dict(pair.split("=", 1) for pair in options.set)
    return make("direct", device=options.device, **overrides)


def run(options: argparse.Namespace, compiler: str) -> list[GraphRecord]:
    """Evaluate with the default protocol; one line per graph on standard error."""
    with tempfile.TemporaryDirectory() as scratch:
        request = Request(
            tuple(options.paths),
            options.device,
            compiler,
            protocol(options),
            options.run / compiler if options.run else Path(scratch) / "run",
            options.graphs,
        )
        scores: list[TaskScore] = evaluate(request, _report)
    return [record for score in scores for record in score.records]


def _report(progress: Progress) -> None:
    record = progress.record
    ratio = f"{record.timing.speedup:.3f}" if record.timing else record.detail
    line = f"[{progress.done}/{progress.total}] {record.compiler} {record.task}/{record.graph} {record.outcome} {ratio}"
    print(f"{line} ({record.seconds:.1f} s)", file=sys.stderr, flush=True)


def quantiles(values: Sequence[float]) -> dict[str, float]:
    """Median, the middle 95 % and the extremes."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return {
        "median": statistics.median(ordered),
        "p2.5": ordered[round(0.025 * last)],
        "p97.5": ordered[round(0.975 * last)],
        "min": ordered[0],
        "max": ordered[-1],
    }


def write(options: argparse.Namespace, name: str, result: dict[str, Any]) -> None:
    """One result file per benchmark and device, with date, environment and protocol."""
    path = options.out / f"{name}-{options.device}.json"
    save(path, name, options.device, {"protocol": protocol(options).model_dump(), **result})


def save(
    path: Path, name: str, device: str, result: Mapping[str, Any], environment: Mapping[str, Any] | None = None
) -> None:
    """A result with date and environment: this machine's, unless it was measured on another."""
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "benchmark": name,
        "date": datetime.date.today().isoformat(),
        "environment": environment or snapshot(device),
        **result,
    }
    path.write_text(json.dumps(document, indent=1) + "\n")
    print(f"written to {path}")
