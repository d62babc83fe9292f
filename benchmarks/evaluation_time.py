"""How long an evaluation takes by two checkouts of this code, side by side in one run: for changes of structure alone.

    python benchmarks/evaluation_time.py --before CHECKOUT [--after CHECKOUT] [TASK ...] [--repeats 10] [--graphs 1]

Each evaluation is `passnet eval TASK` in a process of its own, with PYTHONPATH at the `src` of one checkout; the
interpreter and its packages are the same. In each repeat both sides evaluate a task one after the other, and the side
that begins changes from repeat to repeat. The figure is the median of the ratios of such pairs, after / before. Its
95 % interval resamples tasks, and repeats within a task. A pair counts if both sides ended alike: in the same outcomes,
after as many rounds of timing, since how many follow depends on the machine's noise. `judging`: the seconds that the
records note. `wall`: the whole command, with what it waits for another evaluation on the same device. `--run DIR` keeps
the rows there and goes on with those that are there.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import common

SIDES = ("before", "after")
# So much longer an evaluation may take after a change of structure.
WANTED = 0.03
RESAMPLES, SEED = 4000, 19
Row = dict[str, Any]


@dataclass(frozen=True)
class Checkout:
    """A directory with this code, and the commit that it was at when the script began."""

    tree: Path
    revision: str

    @classmethod
    def of(cls, path: Path) -> Checkout:
        return cls(path.resolve(), revision_of(path.resolve()))

    def environment(self) -> dict[str, str]:
        """This process's environment, with the checkout's packages before the installed ones."""
        return {**os.environ, "PYTHONPATH": str(self.tree / "src")}

    def check(self, ran: str | None) -> None:
        """Ends the script where other code ran: an installed package came first, or the checkout has moved since."""
        if ran is None or ran[:12] != self.revision[:12]:
            sys.exit(f"{self.tree} was at {self.revision}, and the code that ran is of {ran or 'no checkout'}")


def main() -> None:
    options = arguments()
    sides = {"before": Checkout.of(options.before), "after": Checkout.of(options.after)}
    revisions = {side: checkout.revision for side, checkout in sides.items()}
    with tempfile.TemporaryDirectory() as scratch:
        kept = options.run or Path(scratch)
        common.of_one_revision(kept, f"{revisions['before']} and {revisions['after']}")
        rows = read_rows(kept / "rows.jsonl")
        for task, repeat in wanted(options, rows):
            row = measured(task, repeat, sides, options)
            rows.append(row)
            with (kept / "rows.jsonl").open("a") as file:
                file.write(json.dumps(row) + "\n")
            print(row, file=sys.stderr, flush=True)
    result = {"revisions": revisions, "repeats": options.repeats, "summary": summary(rows), "rows": rows}
    show(result["summary"])
    common.save(options, f"evaluation-time-{options.device}", "evaluation-time", options.device, result)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, help="tasks; default: the bundled ones")
    parser.add_argument("--before", type=Path, required=True, help="checkout that the other is compared with")
    parser.add_argument("--after", type=Path, default=common.ROOT, help="checkout that is judged; default: this one")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--graphs", type=int, default=1, help="the first N graphs of each task")
    parser.add_argument("--run", type=Path, help="keep the rows here, and go on with those that are there")
    options = common.parsed(parser)
    options.paths = [path.resolve() for path in options.paths or sorted(common.TASKS.iterdir())]
    return options


def revision_of(tree: Path) -> str:
    """The commit of a checkout, with `+dirty` where a tracked file was changed since. Ends the script without one."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", "-C", str(tree), *words], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{tree} is no git checkout: {done.stderr.strip()}")
        return done.stdout.strip()

    return git("rev-parse", "HEAD") + ("+dirty" if git("status", "--porcelain", "--untracked-files=no") else "")


def read_rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def wanted(options: argparse.Namespace, rows: Sequence[Row]) -> list[tuple[Path, int]]:
    """Tasks and repeats that are not there yet, repeat by repeat, so that a stopped run has seen every task."""
    known = {(row["task"], row["repeat"]) for row in rows}
    pairs = [(task, repeat) for repeat in range(options.repeats) for task in options.paths]
    return [(task, repeat) for task, repeat in pairs if (task.name, repeat) not in known]


def measured(task: Path, repeat: int, sides: Mapping[str, Checkout], options: argparse.Namespace) -> Row:
    """One evaluation by each side, one after the other."""
    row: Row = {"task": task.name, "repeat": repeat, "wall": {}, "judging": {}, "ended": {}}
    for side in SIDES if repeat % 2 == 0 else SIDES[::-1]:
        row["wall"][side], records = evaluated(task, sides[side], options)
        row["judging"][side] = round(sum(record["seconds"] for record in records), 3)
        row["ended"][side] = [ending(record) for record in records]
    return row


def evaluated(task: Path, checkout: Checkout, options: argparse.Namespace) -> tuple[float, list[Row]]:
    """Seconds of one command, and the records that it wrote. Ends the script where the command fails."""
    with tempfile.TemporaryDirectory() as runs:
        words = ["eval", str(task), "--device", options.device, "--graphs", str(options.graphs), "--json"]
        command = [sys.executable, "-m", "passnet", *words, "--runs", runs, "--run", "one"]
        began = time.perf_counter()
        done = subprocess.run(
            command, cwd=checkout.tree, env=checkout.environment(), capture_output=True, text=True, check=False
        )
        seconds = time.perf_counter() - began
        if done.returncode:
            sys.exit(f"{checkout.tree}: {' '.join(words)} ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
        run = Path(runs) / "one"
        checkout.check(json.loads((run / "environment.json").read_text())["revision"])
        lines = (run / "records.jsonl").read_text().splitlines()
    return round(seconds, 3), [json.loads(line) for line in lines]


def ending(record: Row) -> list[Any]:
    """The outcome, and how much was measured for it: processes that count, rounds that do not."""
    timing = record.get("timing")
    return [record["outcome"], len(timing["processes"]), timing["voided_rounds"]] if timing else [record["outcome"]]


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """The ratio over all tasks and task by task. Pairs that did not end alike are named and left out."""
    alike = [row for row in rows if row["ended"]["before"] == row["ended"]["after"]]
    found: dict[str, Any] = {"wanted": WANTED, "pairs": len(alike)}
    if not alike:
        return found | {"left_out": [named(row) for row in rows]}
    for what in ("wall", "judging"):
        ratios = by_task(alike, what)
        low, high = interval(ratios)
        found[what] = {
            "ratio": round(pooled(ratios), 4),
            "ci": [round(low, 4), round(high, 4)],
            "seconds": {side: round(statistics.median(row[what][side] for row in alike), 3) for side in SIDES},
            "tasks": {task: round(statistics.median(values), 4) for task, values in ratios.items()},
        }
    return found | {"left_out": [named(row) for row in rows if row not in alike]}


def named(row: Row) -> Row:
    return {key: row[key] for key in ("task", "repeat", "ended")}


def by_task(rows: Sequence[Row], what: str) -> dict[str, list[float]]:
    """After / before of every pair, by task."""
    ratios: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        ratios[row["task"]].append(row[what]["after"] / row[what]["before"])
    return dict(sorted(ratios.items()))


def pooled(ratios: Mapping[str, Sequence[float]]) -> float:
    return statistics.median(ratio for values in ratios.values() for ratio in values)


def interval(ratios: Mapping[str, Sequence[float]]) -> tuple[float, float]:
    """95 % of the medians of samples drawn again: tasks first, then repeats within each."""
    chance = random.Random(SEED)
    tasks = list(ratios.values())

    def drawn() -> float:
        chosen = chance.choices(tasks, k=len(tasks))
        return statistics.median(ratio for values in chosen for ratio in chance.choices(values, k=len(values)))

    found = sorted(drawn() for _ in range(RESAMPLES))
    return found[round(0.025 * (RESAMPLES - 1))], found[round(0.975 * (RESAMPLES - 1))]


def show(found: Mapping[str, Any]) -> None:
    for what in ("wall", "judging"):
        if what in found:
            low, high = found[what]["ci"]
            words = f"{found[what]['ratio']:.3f} ({low:.3f} to {high:.3f})"
            print(f"{what:8} after / before {words}, {found['pairs']} pairs; wanted: at most {1 + found['wanted']:.2f}")
    for row in found["left_out"]:
        print(f"left out, did not end alike: {row}")


if __name__ == "__main__":
    main()
