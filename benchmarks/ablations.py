"""The embedded author without some of its parts: what do regions, configurations and replay bring?

    python benchmarks/ablations.py [TASK ...] --run DIR [--seconds 600] [--graphs 3]

Four authors write passes for the same tasks, each from an empty directory:

- `whole`: as it is.
- `no regions`: a graph becomes one kernel function as a whole, or none (`distill:no-regions`).
- `no configurations`: kernels written in one way, launched as Inductor would (`distill:no-configurations`).
- `no replay`: wrappers are called as they are; their launches are not recorded (setting `freeze` of the protocol).

Afterwards all pass sets of a task are judged together in a fresh run, which selected nothing. Those without replay are
judged without it. Pass sets of the same bytes are judged once. Where an author left no pass set, eager stays: a
speedup of 1.

A ratio is that of a way over the whole author on the graphs where both are right, by the centres of their intervals.
Its interval is Student's over tasks. Without TASK the tasks are the first 12 evaluation tasks of the wheel that are
`typical` and of the regime `launch`; the precision is 5 %. With `--seconds` no author begins after that time; the same
command with the same `--run` goes on, and the figures are of the tasks that are done. It also judges again the graphs
of which the machine could not tell.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import common

from passnet.agent.record.budget import Budget
from passnet.agent.run.request import AgentRequest
from passnet.agent.run.session import run_agent
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import read_records
from passnet.graph import bundled
from passnet.graph.targets import find_targets
from passnet.report.compare.statistics import clustered_mean
from passnet.score import OUTCOME_RULES, Outcome, Owner
from passnet.writing import write_json

MORE: Mapping[str, Mapping[str, Any]] = {
    "--seconds": {"type": float, "help": "begin nothing after so many seconds"},
    "--report": {"action": "store_true", "help": "measure nothing: only the figures of what was measured"},
}
TASKS = 12
_ROWS = "rows"


@dataclass(frozen=True)
class Way:
    """An author to compare. `slug` is its name in paths."""

    name: str
    author: str
    replay: bool = True

    @property
    def slug(self) -> str:
        return self.name.replace(" ", "-")

    def options(self, options: argparse.Namespace) -> argparse.Namespace:
        """The script's options with the protocol of this way."""
        return argparse.Namespace(**{**vars(options), "set": [*options.set, f"freeze={str(self.replay).lower()}"]})


WHOLE = Way("whole", "distill")
WAYS = (
    WHOLE,
    Way("no regions", "distill:no-regions"),
    Way("no configurations", "distill:no-configurations"),
    Way("no replay", "distill", replay=False),
)


class TimeUp(Exception):
    """Nothing further is begun."""


def main() -> None:
    options = common.arguments(__doc__ or "", more=MORE)
    if options.run is None:
        sys.exit("ablations.py: give --run DIR: it takes long, and the same command goes on there")
    if options.paths == [common.TASKS]:
        options.paths = default_tasks()
    options.set = ["precision=0.05", *options.set]
    if not options.report:
        measure(options)
    report(options)


def default_tasks() -> list[Path]:
    """The first evaluation tasks of the wheel that are cut without regard to fusing, and small."""
    return [row.path for row in bundled.select(split="eval", kind="typical", regime="launch")][:TASKS]


def measure(options: argparse.Namespace) -> None:
    """All authors and the judgement of each task that has no rows yet, or rows that the machine could not tell."""
    common.of_one_revision(options.run, options.revision)
    began = time.monotonic()

    def go_on() -> None:
        if options.seconds is not None and time.monotonic() - began > options.seconds:
            raise TimeUp

    paths = [target.pass_dir.parent for target in find_targets(options.paths) if target.pass_dir]
    try:
        for number, path in enumerate(paths, 1):
            if not is_told(rows_path(options, path.name)):
                print(f"[{number}/{len(paths)}] {path.name}", flush=True)
                write_json(rows_path(options, path.name), measured(options, path, go_on))
    except TimeUp:
        print("the time is over; the same command goes on", flush=True)


def is_told(file: Path) -> bool:
    """Whether a task has rows, and a verdict on every graph whose passes were judged."""
    if not file.exists():
        return False
    ways = json.loads(file.read_text())["ways"].values()
    outcomes = [record.outcome for row in ways for record in records_of(row)]
    return all(OUTCOME_RULES[outcome].owner is not Owner.HARNESS for outcome in outcomes)


def rows_path(options: argparse.Namespace, task: str) -> Path:
    place: Path = options.run / _ROWS / f"{task}.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def measured(options: argparse.Namespace, task: Path, go_on: Callable[[], None]) -> dict[str, Any]:
    """The graphs of a task, and by the name of each way what it left and the records of the judgement."""
    left: dict[str, dict[str, Any]] = {}
    for way in WAYS:
        go_on()
        left[way.name] = play(options, task, way)
        print(f"  {way.name}: {left[way.name]['left']} in {left[way.name]['seconds']:.0f} s", flush=True)
    go_on()
    records = judged(options, task, left)
    ways = {
        name: {**row, "records": [one.model_dump(mode="json", by_alias=True) for one in records[name]]}
        for name, row in left.items()
    }
    (target,) = find_targets([task])
    return {"graphs": [name for name, _, _ in target.graphs[: options.graphs]], "ways": ways}


def play(options: argparse.Namespace, task: Path, way: Way) -> dict[str, Any]:
    """One episode, or the end of it where it was begun before."""
    request = AgentRequest(
        path=task,
        author=way.author,
        device=options.device,
        protocol=common.protocol(way.options(options)),
        run_path=options.run / "authors" / way.slug / task.name,
        budget=Budget(steps=0),
        graphs=options.graphs,
        confirm=False,
    )
    found = run_agent(request, lambda progress: None)
    if not found["tasks"]:
        sys.exit(f"ablations.py: the author's episode did not end: {found['open']}; the same command tries again")
    (row,) = found["tasks"]
    return {
        "left": left_by(row),
        "passes": row["passes"],
        "pass_set_hash": row["pass_set_hash"],
        "seconds": row["seconds"],
        "exit_reason": row["exit_reason"],
    }


def left_by(row: Mapping[str, Any]) -> str:
    """`passes`; `nothing`: the author evaluated no pass set; `unknown`: the machine could not tell about one."""
    if row["passes"] is not None:
        return "passes"
    return "unknown" if row["evaluations"] else "nothing"


def judged(
    options: argparse.Namespace, task: Path, left: Mapping[str, Mapping[str, Any]]
) -> dict[str, list[GraphRecord]]:
    """The records of each way's pass set. Those of the same bytes and with the same replay share one judgement."""
    first: dict[tuple[object, bool], Way] = {}
    for way in WAYS:
        if left[way.name]["left"] == "passes":
            first.setdefault((left[way.name]["pass_set_hash"], way.replay), way)
    found: dict[str, list[GraphRecord]] = {}
    for replay in (True, False):
        ways = [way for (_, replayed), way in first.items() if replayed is replay]
        copies = {way: with_passes(options, task, way, left[way.name]) for way in ways}
        if copies:
            run = options.run / "judged" / task.name / ("replayed" if replay else "called")
            told = {**vars(ways[0].options(options)), "paths": list(copies.values()), "run": run}
            common.run(argparse.Namespace(**told), "passes")
            records = list({(one.task, one.graph): one for one in read_records(run / "passes")}.values())
            for way, copy in copies.items():
                found[way.name] = [
                    one.model_copy(update={"task": task.name}) for one in records if one.task == copy.name
                ]
    same = {way.name: first.get((left[way.name]["pass_set_hash"], way.replay)) for way in WAYS}
    return {name: found[way.name] if way is not None else [] for name, way in same.items()}


def with_passes(options: argparse.Namespace, task: Path, way: Way, row: Mapping[str, Any]) -> Path:
    """A copy of the task that has the passes of a way. All copies of a task are judged in one run, so names differ."""
    copy: Path = options.run / "tasks" / f"{task.name}.{way.slug}"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(task, copy, ignore=shutil.ignore_patterns("pass_dir", "__pycache__"))
    shutil.copytree(row["passes"], copy / "pass_dir")
    return copy


# --- figures -----------------------------------------------------------------------------------------------------


def report(options: argparse.Namespace) -> None:
    tasks = {path.stem: json.loads(path.read_text()) for path in sorted((options.run / _ROWS).glob("*.json"))}
    if not tasks:
        sys.exit("ablations.py: no task is done yet")
    ways = {way.name: {"author": way.author, "replay": way.replay, **figures(tasks, way.name)} for way in WAYS}
    for name, row in ways.items():
        print(f"{name:18} speedup {row['direct']['speedup']}, over whole {row['direct']['over_whole']}")
    environment = json.loads((options.run / "authors" / WHOLE.slug / min(tasks) / "environment.json").read_text())
    environment["revision"] = common.noted_revision(options.run)
    document = {"protocol": common.protocol(options).model_dump(), "tasks": len(tasks), "ways": ways}
    name, device = f"ablations-{options.device}", options.device
    common.save(options, name, "ablations", device, document, environment)


def figures(tasks: Mapping[str, Mapping[str, Any]], way: str) -> dict[str, Any]:
    """The figures of one way over all tasks, beside the whole author's."""
    rows = [row for task, found in tasks.items() for row in rows_of(task, found, way)]
    counts = Counter(row["state"] for row in rows)
    ways = [found["ways"] for found in tasks.values()]
    hashes = [(own[way]["pass_set_hash"], own[WHOLE.name]["pass_set_hash"]) for own in ways]
    result: dict[str, Any] = {
        "graphs": len(rows),
        "states": dict(counts),
        "tasks_with_the_same_passes": sum(mine is not None and mine == whole for mine, whole in hashes),
        "minutes_per_task": sum(own[way]["seconds"] for own in ways) / 60 / len(tasks),
    }
    for convention in ("direct", "deployed"):
        timed = [row for row in rows if row[convention] is not None]
        paired = [row for row in timed if row[f"whole_{convention}"] is not None]
        result[convention] = {
            "speedup": mean((row["task"], row[convention]) for row in timed),
            "over_whole": mean((row["task"], row[convention] / row[f"whole_{convention}"]) for row in paired),
        }
    return {**result, "rows": rows}


def rows_of(task: str, found: Mapping[str, Any], way: str) -> Iterable[dict[str, Any]]:
    """One row for each graph of the task: what became of it by this way, and its speedups beside the whole author's.

    `state`: an outcome; `eager` where there is no pass set; `unknown` where the machine could not tell. A speedup is
    None where the graph is not right.
    """
    ways = found["ways"]
    whole = {record.graph: record for record in records_of(ways[WHOLE.name])}
    own = {record.graph: record for record in records_of(ways[way])}
    for graph in found["graphs"]:
        state = state_of(own.get(graph), ways[way]["left"])
        row: dict[str, Any] = {"task": task, "graph": f"{task}/{graph}", "state": state}
        for convention in ("direct", "deployed"):
            row[convention] = 1.0 if state == "eager" else speed(own.get(graph), convention)
            first = whole.get(graph)
            row[f"whole_{convention}"] = (
                1.0 if state_of(first, ways[WHOLE.name]["left"]) == "eager" else speed(first, convention)
            )
        yield row


def records_of(row: Mapping[str, Any]) -> list[GraphRecord]:
    return [GraphRecord.model_validate(record) for record in row["records"]]


def state_of(record: GraphRecord | None, left: str) -> str:
    if left == "nothing":
        return "eager"
    if record is None or OUTCOME_RULES[record.outcome].owner is not Owner.CANDIDATE:
        return "unknown"
    return record.outcome.value


def speed(record: GraphRecord | None, convention: str) -> float | None:
    """The centre of the interval. None for a graph that is not right or not timed."""
    timing = record.timing if record is not None and record.outcome is Outcome.CORRECT else None
    if timing is None:
        return None
    ends = timing.speedup_ci if convention == "direct" else timing.deployed_speedup_ci
    return math.sqrt(ends[0] * ends[1]) if ends is not None else None


def mean(values: Iterable[tuple[str, float]]) -> dict[str, Any] | None:
    """The geometric mean of ratios by task, with its interval over tasks. None of no values."""
    by_task: dict[str, list[float]] = {}
    for task, value in values:
        by_task.setdefault(task, []).append(math.log(value))
    if not by_task:
        return None
    found = clustered_mean(by_task)
    ends: Sequence[float | None] = (found.low, found.high)
    interval = [math.exp(end) for end in ends if end is not None]
    return {
        "value": math.exp(found.mean), "interval": interval or None, "graphs": found.graphs, "tasks": found.tasks,
    }  # fmt: skip


if __name__ == "__main__":
    main()
