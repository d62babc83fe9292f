"""The embedded author beside Inductor: what its passes bring on the graphs of some tasks, in one run.

    python benchmarks/authors.py [TASK ...] [--device cuda] [--graphs 2] [--run DIR] [--seconds 600] [--once]

The author starts from empty pass directories. Its best pass set of each task and Inductor are then evaluated alike.
With `--seconds` no task is begun after that time, and the figures are those of the tasks before it; the same command
with the same `--run` goes on. With `--once` the author's own full evaluation of its best pass set is the figure, by the
same protocol and in the same run as Inductor's, but a measurement that it chose by.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import common
import compilers

from passnet.agent.budget import Budget
from passnet.agent.request import AgentRequest
from passnet.agent.session import run_agent
from passnet.bench.records import GraphRecord
from passnet.bench.run import read_records
from passnet.bench.targets import find_targets

AUTHOR = "distill"
MORE = {
    "--seconds": {"type": float, "help": "begin no task after so many seconds"},
    "--once": {"action": "store_true", "help": "do not measure the author's best again"},
}


def main() -> None:
    options = common.arguments(__doc__ or "", more=MORE)
    with tempfile.TemporaryDirectory() as scratch:
        room = options.run or Path(scratch)
        found = list(authored(options, room))
        options.paths = list(with_passes(found, options.paths, room / "tasks"))
        if not options.paths:
            sys.exit("authors.py: no pass set of any task was measured")
        result = compared(options, found, room)
    minutes = sum(row["seconds"] for row in found) / 60 / len(found)
    print(f"minutes per task: {minutes:.2f}")
    episodes = [{key: row[key] for key in ("task", "AS", "best_step", "evaluations", "seconds")} for row in found]
    common.write(
        options,
        "authors",
        {
            "author": AUTHOR,
            "tasks": len(found),
            "measured_once": options.once,
            "minutes_per_task": minutes,
            "episodes": episodes,
            "compilers": result,
        },
    )


def authored(options: argparse.Namespace, room: Path) -> Iterator[dict[str, Any]]:
    """The entries of the agent's summaries for the tasks of all paths, until the time is up."""
    began = time.monotonic()
    for path in options.paths:
        if options.seconds is not None and time.monotonic() - began > options.seconds:
            return
        request = AgentRequest(
            path=path,
            author=AUTHOR,
            device=options.device,
            protocol=common.protocol(options),
            run_path=agent_run(room, path),
            budget=Budget(steps=0),
            graphs=options.graphs,
            confirm=False,
        )
        for row in run_agent(request, lambda progress: None)["tasks"]:
            print(f"{row['task']}: AS {row['AS']} in {row['seconds']:.0f} s, {row['exit_reason']}", flush=True)
            yield row


def agent_run(room: Path, path: Path) -> Path:
    return room / "agent" / path.name


def compared(options: argparse.Namespace, found: list[dict[str, Any]], room: Path) -> dict[str, dict[str, Any]]:
    """The author's passes and Inductor on the same graphs."""
    if not options.once:
        return compilers.compared(options, compilers.COMPILERS)
    wanted = {(row["task"], row["pass_set_hash"]) for row in found}
    runs = sorted((room / "agent").glob("*/evaluations"))
    records = [record for run in runs for record in read_records(run)]
    measured: dict[tuple[str, str], GraphRecord] = {
        (record.task, record.graph): record for record in records if (record.task, record.pass_set_hash) in wanted
    }
    return compilers.reduced({"passes": list(measured.values()), "inductor": common.run(options, "inductor")})


def with_passes(found: list[dict[str, Any]], paths: list[Path], room: Path) -> Iterator[Path]:
    """A copy of each task with the author's best passes in place of its own."""
    sources = {target.name: target.pass_dir.parent for target in find_targets(paths) if target.pass_dir}
    for row in found:
        if row["passes"] is None:
            continue  # the author found nothing; its entry among the episodes says so
        copy = room / row["task"]
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(sources[row["task"]], copy, ignore=shutil.ignore_patterns("pass_dir"))
        shutil.copytree(row["passes"], copy / "pass_dir")
        yield copy


if __name__ == "__main__":
    main()
