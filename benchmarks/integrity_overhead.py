"""What integrity costs: evaluation time of the bundled tasks with all layers and without, task by task.

    python benchmarks/integrity_overhead.py [TASK ...] [--repeats 6] [--graphs 1] [--layers] [--run DIR]

Without: all that `LAYERS` switches off; `--layers` also measures the protocol without each of them alone, which says
where the time of a task goes. The source policy is timed by itself and charged whole to the graphs that were measured.
Both sides keep what cannot be switched off, so its cost is not in the figure: processes of their own, interleaving,
inputs made anew, inputs compared after calls, plausibility of times. Both have one round of timing, since how many
follow depends on the machine's noise; with more rounds what is done once per graph weighs less.

The figure of a task is the median over repeats of the ratio of two evaluations that followed one another, in an order
that turns from repeat to repeat. `--run DIR` keeps the rows there and goes on with those that are there.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import common

from passnet.bench.engine.bench import Bench
from passnet.bench.evaluate import pass_files, read_passes
from passnet.bench.record.protocol import Protocol
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.judge import Judge
from passnet.graph.targets import Target, find_targets
from passnet.rewrite import check_policy
from passnet.score import Outcome

# What can be switched off, by name: together, the side `without`.
LAYERS: Mapping[str, Mapping[str, Any]] = {
    "sandbox": {"sandbox": False},
    "run-time guard": {"guard_blocks": 0},
    "output truth": {"verify_seeds": 1, "spot_checks": 1},
    "unseen shapes": {"unseen_draws": 0},
    "idle check": {"idle_s": 0.0},
    "proof of work": {"ghost_draws": 0},
}
FULL, BARE = "with", "without"
WANTED = 0.25
MORE: Mapping[str, Mapping[str, Any]] = {
    "--repeats": {"type": int, "default": 6, "help": "evaluations of each graph on each side"},
    "--layers": {"action": "store_true", "help": "also without each layer alone"},
}
Row = dict[str, Any]


def main() -> None:
    options = common.arguments(__doc__ or "", more=MORE)
    targets = find_targets(options.paths)
    settings = sides(common.protocol(options), options.layers)
    with tempfile.TemporaryDirectory() as scratch:
        kept = options.run or Path(scratch)
        common.of_one_revision(kept, options.revision)
        rows = [row for row in read_rows(kept / "rows.jsonl") if row["seconds"].keys() == settings.keys()]
        with judges_of(settings, options.device, Path(scratch)) as judges:
            for target in targets:
                for row in measure(target, judges, options, rows):
                    rows.append(row)
                    append_row(kept / "rows.jsonl", row)
    result = summarise(rows)
    show(result)
    common.write(options, "integrity-overhead", {"summary": result, "graphs": rows})


def sides(full: Protocol, each_layer: bool) -> dict[str, Protocol]:
    """The protocols to compare, by name: whole, bare, and without each layer alone."""
    one_round = changed(full, {"most_pairs": full.open_pairs, "max_half_width": 1e9, "control_band": 1e9})
    everything = {key: value for layer in LAYERS.values() for key, value in layer.items()}
    alone = {f"without {name}": changed(one_round, layer) for name, layer in LAYERS.items()} if each_layer else {}
    return {FULL: one_round, BARE: changed(one_round, everything), **alone}


def changed(protocol: Protocol, changes: Mapping[str, Any]) -> Protocol:
    """With other settings; a name that the protocol does not have is an error, not a layer that stays on."""
    return Protocol.model_validate(protocol.model_dump() | changes)


@contextlib.contextmanager
def judges_of(settings: Mapping[str, Protocol], device: str, scratch: Path) -> Iterator[dict[str, Judge]]:
    """One judge a side. All are made before one measures: that narrows this process to one core, and a side that was
    made later would find no core for its workers but the controller's."""
    benches = {}
    for number, (name, protocol) in enumerate(settings.items()):
        logs = scratch / str(number)
        logs.mkdir()
        benches[name] = Bench(device, "passes", protocol, logs)
    with contextlib.ExitStack() as stack:
        entered = {name: stack.enter_context(bench) for name, bench in benches.items()}
        yield {name: Judge(bench.pairs, settings[name], 1, turn=bench.turn) for name, bench in entered.items()}


def read_rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def append_row(path: Path, row: Row) -> None:
    with path.open("a") as file:
        file.write(json.dumps(row) + "\n")


def measure(
    target: Target, judges: Mapping[str, Judge], options: argparse.Namespace, rows: Sequence[Row]
) -> Iterator[Row]:
    """Seconds of each graph on every side, one row a repeat; those that are there already are not measured again."""
    known = {(row["task"], row["graph"], row["repeat"]) for row in rows}
    graphs = target.graphs[: options.graphs or 1]
    wanted = [
        (name, path, graph, repeat)
        for repeat in range(options.repeats)
        for name, path, graph in graphs
        if (target.name, name, repeat) not in known
    ]
    if not wanted:
        return
    pass_set = read_passes(target)
    began = time.perf_counter()
    assert not check_policy(pass_set)
    policy_s = time.perf_counter() - began
    variants = tuple(graph for _, _, graph in target.graphs)
    warm = set()
    for name, path, graph, repeat in wanted:
        job = Job(target.name, name, path, graph, "passes", options.device, pass_files(pass_set), variants)
        if name not in warm:
            for judge in judges.values():
                judge.check(job)  # compiles the kernels, starts what all sides start once
            warm.add(name)
        yield timed(job, judges, repeat) | {"policy_s": round(policy_s / len(graphs), 4)}


def timed(job: Job, judges: Mapping[str, Judge], repeat: int) -> Row:
    """One evaluation on every side, one after the other; each repeat begins with another side."""
    row: Row = {"task": job.task, "graph": job.name, "repeat": repeat, "seconds": {}, "outcomes": {}}
    names = list(judges)
    turn = repeat % len(names)
    for name in names[turn:] + names[:turn]:
        record = judges[name].judge(job)
        row["seconds"][name], row["outcomes"][name] = record.seconds, record.outcome.value
    print(row, file=sys.stderr, flush=True)
    return row


def summarise(rows: Sequence[Row]) -> dict[str, Any]:
    """Overhead task by task, the largest, and over all; a row that is not right on all sides is left out."""
    counted = [row for row in rows if set(row["outcomes"].values()) == {Outcome.CORRECT.value}]
    names = sorted({row["task"] for row in counted})
    tasks = {name: overhead([row for row in counted if row["task"] == name]) for name in names}
    summary: dict[str, Any] = {
        "wanted": WANTED,
        "tasks": tasks,
        "over_wanted": [name for name, task in tasks.items() if task["overhead"] > WANTED],
        "left_out": [
            {key: row[key] for key in ("task", "graph", "repeat", "outcomes")} for row in rows if row not in counted
        ],
    }
    if tasks:
        summary["largest"] = max(tasks, key=lambda name: float(tasks[name]["overhead"]))
        summary["largest_overhead"] = tasks[summary["largest"]]["overhead"]
        both = [(row["seconds"][FULL] + row["policy_s"], row["seconds"][BARE]) for row in counted]
        summary["overhead_of_sum"] = round(sum(one for one, _ in both) / sum(other for _, other in both) - 1, 4)
    return summary


def overhead(rows: Sequence[Row]) -> dict[str, Any]:
    """Of one task: median and range over repeats; and by layer, the share that goes when it alone is left out."""
    whole = [row["seconds"][FULL] + row["policy_s"] for row in rows]
    ratios = [mine / row["seconds"][BARE] - 1 for mine, row in zip(whole, rows, strict=True)]
    alone = [name for name in rows[0]["seconds"] if name not in (FULL, BARE)]
    return {
        "overhead": round(statistics.median(ratios), 4),
        "range": [round(min(ratios), 4), round(max(ratios), 4)],
        "repeats": len(rows),
        "seconds": round(statistics.median(row["seconds"][FULL] for row in rows), 3),
        "layers": {
            name.removeprefix(f"{BARE} "): round(
                statistics.median(1 - row["seconds"][name] / row["seconds"][FULL] for row in rows), 4
            )
            for name in alone
        },
    }


def show(summary: Mapping[str, Any]) -> None:
    for name, task in sorted(summary["tasks"].items(), key=lambda item: -item[1]["overhead"]):
        low, high = task["range"]
        print(
            f"{name:34} {task['overhead']:7.1%} ({low:.1%} to {high:.1%}) of {task['seconds']:.2f} s {task['layers']}"
        )
    if summary["tasks"]:
        most = f"largest {summary['largest_overhead']:.1%} ({summary['largest']})"
        print(f"{most}, over all {summary['overhead_of_sum']:.1%}, wanted on every task: {summary['wanted']:.0%}")
    if summary["left_out"]:
        print(f"left out, not right on all sides: {summary['left_out']}")


if __name__ == "__main__":
    main()
