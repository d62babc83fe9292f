"""What integrity costs: evaluation time of the bundled tasks with all layers and without, alternating.

Without: no sandbox, no run-time guard, no ghost replay, no idle check, short verification blocks. The source policy is
timed by itself. One graph of each task unless `--graphs N` says more.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import common

from passnet.bench.evaluate import Bench, pass_files, read_passes
from passnet.bench.judge import Judge
from passnet.bench.oracle import Job
from passnet.bench.targets import Target, find_targets
from passnet.rewrite import check_policy

WITHOUT = {"sandbox": False, "guard_blocks": 0, "ghost_draws": 0, "idle_s": 0.0}
WANTED = 0.25


def main() -> None:
    options = common.arguments(__doc__ or "")
    targets = find_targets(options.paths)
    full = common.protocol(options)
    settings = {"with": full, "without": full.model_copy(update=WITHOUT)}
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as logs:
        benches = {name: Bench(options.device, "passes", chosen, Path(logs)) for name, chosen in settings.items()}
        with benches["with"], benches["without"]:
            judges = {name: Judge(bench.lanes, settings[name], 1) for name, bench in benches.items()}
            for number, target in enumerate(targets):
                order = ("with", "without") if number % 2 else ("without", "with")
                rows += measure(target, judges, order, options.device, options.graphs or 1)
    summary = summarise(rows)
    print(summary, file=sys.stderr)
    common.write(options, "integrity-overhead", {"summary": summary, "graphs": rows})


def measure(
    target: Target, judges: dict[str, Judge], order: Sequence[str], device: str, graphs: int
) -> list[dict[str, Any]]:
    """Seconds of each graph under both settings, and of the source policy for the whole pass set."""
    pass_set = read_passes(target)
    began = time.perf_counter()
    assert not check_policy(pass_set)
    policy_s = time.perf_counter() - began
    files, rows = pass_files(pass_set), []
    for name, path, graph in target.graphs[:graphs]:
        job = Job(target.name, name, path, graph, "passes", device, files)
        row: dict[str, Any] = {"task": target.name, "graph": name, "policy_s": round(policy_s, 4)}
        for setting in order:
            record = judges[setting].judge(job)
            row |= {f"{setting}_s": record.seconds, f"{setting}_outcome": record.outcome.value}
        print(row, file=sys.stderr, flush=True)
        rows.append(row)
    return rows


def summarise(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Overhead of the sum over graphs, and of the typical graph."""
    both = [(row["with_s"] + row["policy_s"], row["without_s"]) for row in rows]
    total = sum(one for one, _ in both) / sum(other for _, other in both) - 1
    typical = statistics.median(one / other for one, other in both) - 1
    return {
        "overhead_of_sum": round(total, 4),
        "median_overhead": round(typical, 4),
        "wanted": WANTED,
        "graphs": len(rows),
    }


if __name__ == "__main__":
    main()
