"""What a dataset build costs, stage by stage, and how that grows with the number of models.

    python benchmarks/dataset_scale.py --models 10 100 [--source timm ...] [--reuse BUILD]

Builds each size in a process of its own and prints, per stage, the units, the graphs they gave, graphs per minute of
one core and the most memory that a unit took; for the process that leads the build its peak memory, and the seconds of
what it does itself (folding, storing). `--reuse` links the finished units of a build instead of doing them
again: their costs are those they had when they were made.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from passnet.bench.environment import snapshot
from passnet.dataset.build import Machine, Settings, Step, build
from passnet.dataset.layout import FULL

RESULTS = Path(__file__).resolve().parent / "results"
SOURCES = ("timm", "torchvision", "transformers")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, nargs="+", default=[10, 100])
    parser.add_argument("--source", action="append", help="as for `passnet dataset build`")
    parser.add_argument("--reuse", type=Path, help="a build whose finished units are linked")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, default=RESULTS, help="directory of the result file")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside is not None:
        print(json.dumps(one_build(options.inside, options.models[0], options)))
        return
    rows = [in_a_process(count, options) for count in options.models]
    for row in rows:
        show(row)
    document = {
        "benchmark": "dataset-scale",
        "date": datetime.date.today().isoformat(),
        "environment": snapshot("cpu"),
        "reused": options.reuse is not None,
        "rows": rows,
    }
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "dataset-scale.json"
    path.write_text(json.dumps(document, indent=1) + "\n")
    print(f"written to {path}")


def in_a_process(count: int, options: argparse.Namespace) -> dict[str, Any]:
    """One build in a process that does nothing else, so that its peak memory is the build's."""
    home = options.reuse.parent if options.reuse is not None else None
    with tempfile.TemporaryDirectory(dir=home, prefix=".scale.") as scratch:
        out = Path(scratch) / "build"
        if options.reuse is not None:
            # Hard links: a build replaces files whole and never writes into one.
            shutil.copytree(options.reuse / "work", out / "work", copy_function=os.link)
            shutil.copy(options.reuse / "settings.json", out)
        command = [
            sys.executable,
            __file__,
            "--inside",
            str(out),
            "--models",
            str(count),
            "--workers",
            str(options.workers),
        ]
        command += [word for source in options.source or () for word in ("--source", source)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def one_build(out: Path, count: int, options: argparse.Namespace) -> dict[str, Any]:
    settings = Settings(targets=tuple(options.source or SOURCES), limit=count)
    began = time.monotonic()
    summary, stored = build(out, settings, Machine(workers=options.workers), _report)
    graphs = {
        "capture": summary.full_graphs,
        "cut": sum(number for kind, number in summary.structures.items() if kind != "typical"),
        "typical": summary.structures.get("typical", 0),
        "vary": summary.variants,
    }
    stages = {
        stage: {
            **cost,
            "graphs": graphs[stage],
            "graphs_per_core_minute": round(60 * graphs[stage] / max(cost["cpu_seconds"], 1e-9), 1),
        }
        for stage, cost in summary.costs.items()
    }
    return {
        "models": sum(summary.models.values()),
        "captured": sum(number for key, number in summary.models.items() if key.endswith("captured")),
        "structures": dict(summary.structures) | {FULL: summary.full_structures},
        "graphs": sum(stored.graphs.values()),
        "stages": stages,
        "seconds_of_the_leader": {name: summary.stage_seconds.get(name) for name in ("fold", "store")},
        "wall_seconds": round(time.monotonic() - began, 1),
        "leader_peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def _report(step: Step) -> None:
    if step.done % 25 == 0:
        print(f"{step.stage} [{step.done}/{step.total}]", file=sys.stderr, flush=True)


def show(row: dict[str, Any]) -> None:
    print(f"{row['models']} models ({row['captured']} captured): {row['graphs']} graphs, {row['structures']}")
    for stage, cost in row["stages"].items():
        print(
            f"  {stage:8} {cost['units']:6} units {cost['graphs']:7} graphs {cost['graphs_per_core_minute']:9.1f} per "
            f"minute of a core, {cost['peak_memory_mb']:6.0f} MiB in one unit"
        )
    print(f"  leader   {row['leader_peak_memory_mb']} MiB, seconds {row['seconds_of_the_leader']}")


if __name__ == "__main__":
    main()
