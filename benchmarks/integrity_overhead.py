"""What integrity costs: evaluation time of the bundled tasks with all layers and without, alternating.

Without: no sandbox, no run-time guard, no proof of work, no idle check, no unseen shapes, short verification blocks of
one draw, one timed call compared instead of several. The source policy is timed by itself. One graph of each task
unless `--graphs N` says more; `--run DIR` keeps the rows there and goes on with those that are there, so that a run can
be cut into parts (`integrity_overhead.py --run DIR data/tasks/bert_add_norm ...`). Both sides run in the same minutes,
each first in every other task, after a check of the task's first graph that does not count.
"""

from __future__ import annotations

import json
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

WITHOUT = {
    "sandbox": False,
    "guard_blocks": 0,
    "ghost_draws": 0,
    "idle_s": 0.0,
    "unseen_draws": 0,
    "verify_seeds": 1,
    "spot_checks": 1,
}
WANTED = 0.25


def main() -> None:
    options = common.arguments(__doc__ or "")
    targets = find_targets(options.paths)
    full = common.protocol(options)
    # One round each: how many follow depends on the machine's noise and not on the layers.
    full = full.model_copy(update={"rounds": 1, "max_half_width": 1e9, "control_band": 1e9})
    settings = {"with": full, "without": full.model_copy(update=WITHOUT)}
    with tempfile.TemporaryDirectory() as scratch:
        kept = (options.run or Path(scratch)) / "rows.jsonl"
        rows = read_rows(kept)
        benches = {name: Bench(options.device, "passes", chosen, Path(scratch)) for name, chosen in settings.items()}
        with benches["with"], benches["without"]:
            judges = {name: Judge(bench.lanes, settings[name], 1) for name, bench in benches.items()}
            for number, target in enumerate(targets):
                order = ("with", "without") if number % 2 else ("without", "with")
                known = {(row["task"], row["graph"]) for row in rows}
                for row in measure(target, judges, order, options.device, options.graphs or 1, known):
                    rows.append(row)
                    append_row(kept, row)
    summary = summarise(rows)
    print(summary, file=sys.stderr)
    common.write(options, "integrity-overhead", {"summary": summary, "graphs": rows})


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def append_row(path: Path, row: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(json.dumps(row) + "\n")


def measure(
    target: Target,
    judges: dict[str, Judge],
    order: Sequence[str],
    device: str,
    graphs: int,
    known: set[tuple[str, str]],
) -> list[dict[str, Any]]:
    """Seconds of each graph under both settings, and of the source policy for the whole pass set."""
    wanted = [(name, path, graph) for name, path, graph in target.graphs[:graphs] if (target.name, name) not in known]
    if not wanted:
        return []
    pass_set = read_passes(target)
    began = time.perf_counter()
    assert not check_policy(pass_set)
    policy_s = time.perf_counter() - began
    files, rows = pass_files(pass_set), []
    variants = tuple(graph for _, _, graph in target.graphs)
    jobs = [Job(target.name, name, path, graph, "passes", device, files, variants) for name, path, graph in wanted]
    for setting in order:
        judges[setting].check(jobs[0])  # compiles the kernels, starts what both sides start once
    for job in jobs:
        row: dict[str, Any] = {"task": job.task, "graph": job.name, "policy_s": round(policy_s, 4)}
        for setting in order:
            processor = time.process_time()
            record = judges[setting].judge(job)
            spent = time.process_time() - processor
            row |= {f"{setting}_s": record.seconds, f"{setting}_controller_cpu_s": round(spent, 3)}
            row[f"{setting}_outcome"] = record.outcome.value
        print(row, file=sys.stderr, flush=True)
        rows.append(row)
    return rows


def summarise(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Overhead of the sum over graphs, and of the typical graph."""
    if not rows:
        return {"wanted": WANTED, "graphs": 0}
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
