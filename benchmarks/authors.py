"""The embedded author beside Inductor: what its passes bring on the graphs of some tasks, in one run.

    python benchmarks/authors.py [TASK ...] [--device cuda] [--graphs 2] [--run DIR] [--seconds 600] [--once]

The author starts from empty pass directories. Its best pass set of each task and Inductor are then evaluated alike.
With `--seconds` the author begins no task after that time, and the figures are those of the tasks before it; the same
command with the same `--run` goes on. With `--once` the author's own full evaluation of its best pass set is the
figure, by the same protocol and in the same run as Inductor's, but a measurement that it chose by. `--and DIR` counts
in what another command measured under its `--run DIR`: the tasks may be shared out over GPUs. The figures on CUDA
were made with `--once --set processes=2 --set quads=20 --set rounds=1`; by the default protocol an evaluation takes
up to five times as long there.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import common
import compilers

from passnet.agent.record.budget import Budget
from passnet.agent.record.records import End, Start
from passnet.agent.run.progress import RunProgress
from passnet.agent.run.request import AgentRequest
from passnet.agent.run.session import run_agent
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import read_records
from passnet.graph.targets import find_targets

AUTHOR = "distill"
MORE: Mapping[str, Mapping[str, Any]] = {
    "--seconds": {"type": float, "help": "begin no task after so many seconds"},
    "--alone": {"action": "store_true", "help": "only the author; a later command with the same --run does the rest"},
    "--once": {"action": "store_true", "help": "do not measure the author's best again"},
    "--report": {"action": "store_true", "help": "measure nothing: only the figures of what was measured"},
    "--and": {"type": Path, "action": "append", "default": [], "dest": "others", "help": "another command's --run"},
}


class TimeUp(Exception):
    """No further task is begun."""


def main() -> None:
    options = common.arguments(__doc__ or "", more=MORE)
    with tempfile.TemporaryDirectory() as scratch:
        room = options.run or Path(scratch)
        if not options.report:
            measure(options, room)
        if not options.alone:
            report(options, [room, *options.others])


def measure(options: argparse.Namespace, room: Path) -> None:
    """The author on the tasks, then what it is compared by; nothing that is done already is done again."""
    common.of_one_revision(room, options.revision)
    paths = {target.name: target.pass_dir.parent for target in find_targets(options.paths) if target.pass_dir}
    rows = played(options, list(paths.values()), room)
    if options.alone:
        return
    found = [row for row in rows if row["passes"] is not None]
    if not options.once:
        evaluate(options, [with_best(paths[row["task"]], row, room) for row in found], "passes", room)
    evaluate(options, [paths[row["task"]] for row in rows], "inductor", room)


def played(options: argparse.Namespace, paths: Sequence[Path], room: Path) -> list[dict[str, Any]]:
    """The entries of the agent's summary for the tasks that the author is done with."""
    room.mkdir(parents=True, exist_ok=True)
    tasks = room / "tasks.txt"
    tasks.write_text("".join(f"{path.resolve()}\n" for path in paths))
    request = AgentRequest(
        path=tasks,
        author=AUTHOR,
        device=options.device,
        protocol=common.protocol(options),
        run_path=room / "agent",
        budget=Budget(steps=0),
        graphs=options.graphs,
        confirm=False,
    )
    began = time.monotonic()

    def watch(progress: RunProgress) -> None:
        late = options.seconds is not None and time.monotonic() - began > options.seconds
        if isinstance(progress.record, Start) and late:
            raise TimeUp
        if isinstance(progress.record, End):
            record = progress.record
            print(f"{progress.task}: AS {record.score} in {record.used.wall_s:.0f} s, {record.exit_reason}", flush=True)

    with contextlib.suppress(TimeUp):
        run_agent(request, watch)
    return summarised(room)


def summarised(room: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((room / "agent" / "summary.json").read_text())["tasks"]
    return rows


def with_best(task: Path, row: dict[str, Any], room: Path) -> Path:
    """A copy of the task with the author's best passes in place of its own."""
    copy = room / "tasks" / task.name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(task, copy, ignore=shutil.ignore_patterns("pass_dir"))
    shutil.copytree(row["passes"], copy / "pass_dir")
    return copy


def evaluate(options: argparse.Namespace, tasks: Sequence[Path], compiler: str, room: Path) -> None:
    """One evaluation of the tasks that were not evaluated to the end before."""
    known = {(record.task, record.graph) for record in evaluated(room, compiler)}
    wanted = {task: {name for name, _, _ in find_targets([task])[0].graphs[: options.graphs]} for task in tasks}
    left = [task for task in tasks if not {(task.name, graph) for graph in wanted[task]} <= known]
    if left:
        run = room / "evaluated" / left[0].name
        common.run(argparse.Namespace(**{**vars(options), "paths": left, "run": run}), compiler)


def evaluated(room: Path, compiler: str) -> list[GraphRecord]:
    return last([record for run in sorted(room.glob(f"evaluated/*/{compiler}")) for record in read_records(run)])


def report(options: argparse.Namespace, rooms: Sequence[Path]) -> None:
    """The author on all tasks that it was done with, and beside Inductor on those of which Inductor was measured."""
    rows = [row for room in rooms for row in summarised(room)]
    if not rows:
        sys.exit("authors.py: no task was measured")
    minutes = sum(row["seconds"] for row in rows) / 60 / len(rows)
    passes = [record for room in rooms for record in of_passes(room)]
    both = set().union(*(compared(room) for room in rooms))
    beside = {
        "passes": [record for record in passes if record.task in both],
        "inductor": [record for room in rooms for record in evaluated(room, "inductor") if record.task in both],
    }
    print(f"{len(rows)} tasks, minutes per task: {minutes:.2f}")
    result = {"author": AUTHOR, "measured_once": options.once, "tasks": len(rows), "minutes_per_task": minutes}
    result["all"] = compilers.reduced({"passes": passes})
    if both:
        print(f"{len(both)} tasks beside Inductor")
        result |= {"tasks_compared": len(both), "compilers": compilers.reduced(beside)}
    shown = ("task", "AS", "best_step", "evaluations", "seconds", "exit_reason")
    result["episodes"] = [{key: row[key] for key in shown} for row in rows]
    settings = json.loads((rooms[0] / "agent" / "settings.json").read_text())
    machine = json.loads((rooms[0] / "agent" / "environment.json").read_text())
    machine["revision"] = measured_by(rooms)
    result = {"protocol": settings["protocol"], **result}
    common.save(options, f"authors-{settings['device']}", "authors", settings["device"], result, machine)


def measured_by(rooms: Sequence[Path]) -> str | None:
    """The one revision that measured all of it; None where that was not recorded. Ends the script where they differ."""
    noted = {common.noted_revision(room) for room in rooms}
    if len(noted) > 1:
        sys.exit(f"authors.py: measured by different revisions: {', '.join(sorted(map(str, noted)))}")
    return noted.pop()


def compared(room: Path) -> set[str]:
    """The tasks of which Inductor was measured on every graph."""
    known = {(record.task, record.graph) for record in evaluated(room, "inductor")}
    rows = summarised(room)
    return {row["task"] for row in rows if all((row["task"], graph["graph"]) in known for graph in row["graphs"])}


def of_passes(room: Path) -> list[GraphRecord]:
    """The author's passes: measured again, or by the evaluation that it chose them by."""
    again = evaluated(room, "passes")
    done = {record.task for record in again}
    return again + [record for record in last(read_records(room / "agent")) if record.task not in done]


def last(records: Sequence[GraphRecord]) -> list[GraphRecord]:
    """One for each graph: an episode that is played anew, and its records, take the place of the one before."""
    return list({(record.task, record.graph): record for record in records}.values())


if __name__ == "__main__":
    main()
