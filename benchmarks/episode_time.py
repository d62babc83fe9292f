"""How long the embedded author takes for its episodes, and what they bring, by one or two checkouts of this code.

    python benchmarks/episode_time.py [--before CHECKOUT] [LIST] [--device cpu] [--repeats 3] [--run DIR]

Each run is `passnet agent LIST --author distill --graphs 1` in a process of its own; without LIST it is the command of
`make demo`. With `--before` both checkouts run one after the other, and the side that begins changes from repeat to
repeat. `wall`: the whole command. `episode`: the seconds that the summary notes for a task, and the ratio of both sides
task by task; AS beside it says whether the result is worse. `--precision` is for the judged checkout alone: one from
before "seconds" has no such option. `--run DIR` keeps the rows and goes on with them.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import common
import seconds
from evaluation_time import Checkout

ROWS = "rows.jsonl"
Row = dict[str, Any]


def main() -> None:
    options = arguments()
    sides = {"before": Checkout.of(options.before)} if options.before else {}
    sides |= {"after": Checkout.of(options.after)}
    revisions = {side: checkout.revision for side, checkout in sides.items()}
    with tempfile.TemporaryDirectory() as scratch:
        room = options.run or Path(scratch)
        common.of_one_revision(room, " and ".join(revisions.values()))
        done = {(row["side"], row["repeat"]) for row in seconds.read_lines(room / ROWS)}
        for repeat in range(options.repeats):
            for side in sorted(sides, reverse=repeat % 2 == 0):
                if (side, repeat) not in done:
                    asked = ["--precision", options.precision] if side == "after" and options.precision else []
                    row = {"side": side, "repeat": repeat, **played(options, sides[side], asked)}
                    seconds.append(room / ROWS, row)
                    print(row, file=sys.stderr, flush=True)
        rows = seconds.read_lines(room / ROWS)
    result = {
        "revisions": revisions,
        "repeats": options.repeats,
        "precision": options.precision,
        **summary(rows),
        "rows": rows,
    }
    seconds.show(result)
    common.save(options, f"{options.name}-{options.device}", "episode-time", options.device, result)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", type=Path, default=common.ROOT / "data" / "demo.txt", help="tasks")
    parser.add_argument("--before", type=Path, help="checkout that the other is compared with")
    parser.add_argument("--after", type=Path, default=common.ROOT, help="checkout that is judged; default: this one")
    parser.add_argument("--precision", help="that `--after` is asked for, as `make demo` does; default: its own")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--graphs", type=int, default=1, help="the first N graphs of each task")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--run", type=Path, help="keep the rows here, and go on with those that are there")
    parser.add_argument("--name", default="episode-time", help="of the result")
    options = common.parsed(parser)
    options.path = options.path.resolve()
    return options


def played(options: argparse.Namespace, checkout: Checkout, asked: Sequence[str]) -> Row:
    """One command: its wall seconds, and each task's seconds and AS. Ends the script where the command fails."""
    with tempfile.TemporaryDirectory() as runs:
        words = ["agent", str(options.path), "--author", "distill", "--device", options.device]
        words += ["--graphs", str(options.graphs), "--json", "--runs", runs, "--run", "one", *asked]
        command = [sys.executable, "-m", "passnet", *words]
        environment = checkout.environment()
        load, began = os.getloadavg()[0], time.perf_counter()
        done = subprocess.run(command, cwd=checkout.tree, env=environment, capture_output=True, text=True, check=False)
        wall = time.perf_counter() - began
        if done.returncode:
            sys.exit(f"{checkout.tree}: {' '.join(words)} ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
        checkout.check(json.loads((Path(runs) / "one" / "environment.json").read_text())["revision"])
        tasks = json.loads((Path(runs) / "one" / "summary.json").read_text())["tasks"]
    episodes = {row["task"]: {key: row[key] for key in ("AS", "seconds", "evaluations")} for row in tasks}
    return {"wall": round(wall, 2), "load": round(load, 2), "episodes": episodes}


def summary(rows: Sequence[Row]) -> Row:
    """Medians by side, and before / after of the same repeat, task by task."""
    found: Row = {}
    for side in sorted({row["side"] for row in rows}, reverse=True):
        own = [row for row in rows if row["side"] == side]
        found[side] = {"wall": statistics.median(row["wall"] for row in own), "episodes": episodes(own)}
    pairs = paired(rows)
    if pairs:
        walls = [one["wall"] / other["wall"] for one, other in pairs]
        found["wall_before_over_after"] = seconds.with_interval(walls, statistics.median)
        ratios = [ratio for one, other in pairs for ratio in by_task(one, other)]
        found["episode_before_over_after"] = seconds.with_interval(ratios, statistics.median)
    return found


def episodes(rows: Sequence[Row]) -> Mapping[str, Mapping[str, float]]:
    tasks = {task for row in rows for task in row["episodes"]}
    found = {task: [row["episodes"][task] for row in rows if task in row["episodes"]] for task in sorted(tasks)}
    return {
        task: {key: statistics.median(one[key] for one in own if one[key] is not None) for key in ("seconds", "AS")}
        for task, own in found.items()
        if any(one["AS"] is not None for one in own)
    }


def paired(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    sides: Mapping[str, Mapping[int, Row]] = {
        side: {row["repeat"]: row for row in rows if row["side"] == side} for side in ("before", "after")
    }
    both = sorted(sides["before"].keys() & sides["after"].keys())
    return [(sides["before"][repeat], sides["after"][repeat]) for repeat in both]


def by_task(one: Row, other: Row) -> list[float]:
    both = sorted(one["episodes"].keys() & other["episodes"].keys())
    return [one["episodes"][task]["seconds"] / other["episodes"][task]["seconds"] for task in both]


if __name__ == "__main__":
    main()
