"""How many seconds the verdict on a graph takes, at a given precision, and whether two ways to get it agree.

    python benchmarks/seconds.py TASK... --device cuda --precision 5% --seed 20 --run build/s5 --seconds 500 [--warm]
    python benchmarks/seconds.py TASK... --device cuda --precision 1% --aa
    python benchmarks/seconds.py TASK... --precision 2% --compare benchmarks/results/OLD.json
    python benchmarks/seconds.py TASK... --precision 2% --against CHECKOUT --run build/both

Tasks are judged in an order drawn by `--seed`, so that those before the end of `--seconds` are a sample of all. No
graph is begun after that time, and the same command with the same `--run` goes on. `judged`: the seconds that a record
notes, from the first request for a graph to its verdict. `wall`: what passed between two verdicts, the start of the
workers with the first. Medians and means are of graphs that were timed; every graph is in the rows. `--warm` judges
every graph once before, with little timing, and counts none of it: this fills the caches of kernels that a revision
keeps between runs. `--aa`: eager against eager.

`--compare` puts the rows beside those of an earlier result. `--against` judges the same tasks by another checkout of
this code, in turns of `--chunk` tasks in processes of their own, so that a busy machine slows both. A checkout whose
protocol has no precision gets it as `wanted_half_width`. A side may end with a wider interval than was asked for. So
`judged_at_equal_width` takes such a graph's seconds times the square of its half width over the wanted one, since the
width falls with the root of the measurements. Two intervals agree where they overlap. The paired figure is
the share of graphs whose centres differ by no more than the root of the sum of the squares of both half widths: 95 %
where all intervals are true.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import hashlib
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

import common

from passnet.bench.evaluate import EvaluationRequest, Progress, evaluate
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.record.records import GraphRecord
from passnet.graph.targets import find_targets

ROWS, SPENT = "rows.jsonl", "spent.jsonl"
RESAMPLES, SEED = 4000, 20
NEAR = (0.01, 0.02, 0.05)
# Little timing, for passes whose figures nobody reads. Settings that a protocol lacks are left out.
_BRIEF: dict[str, float] = {"processes": 2, "quads": 2, "rounds": 1, "deployed_quads": 0, "cold_blocks": 0}
_BRIEF |= {"precision": 0.05, "least_pairs": 1, "most_pairs": 1, "open_pairs": 1, "deployed_groups": 0}
_BRIEF |= {"captured_groups": 0}
Row = dict[str, Any]


class TimeUp(Exception):
    """No further graph is begun."""


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        room = options.run or Path(scratch)
        if options.against:
            both(options, room)
            return
        if not options.report:
            common.of_one_revision(room, options.revision)
            measure(options, room)
        if options.turn:
            return
        rows = read_rows(room)
        result = reduced(options, rows, read_lines(room / SPENT))
    if options.compare:
        result["compared"] = {
            "with": options.compare.name,
            **compared(earlier(options.compare), rows, options.precision),
        }
    show(result)
    save(options, options.name, result)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, help="tasks, directories of tasks, lists; default: bundled ones")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--devices", help="several: cuda:0,cuda:1 or cpu:0-3,cpu:4-7")
    parser.add_argument("--engine", help="what spreads the graphs over the devices")
    parser.add_argument("--lanes", type=int, help="processes that share each device")
    parser.add_argument("--compiler", default="passes")
    parser.add_argument("--aa", action="store_true", help="eager against eager")
    parser.add_argument("--precision", type=percent, help="half width of the interval: 5%% or 0.05")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a protocol setting")
    parser.add_argument("--seed", type=int, help="draws the order of the tasks; without: as given")
    parser.add_argument("--tasks", type=int, help="only the first N of that order")
    parser.add_argument("--graphs", type=int, help="only the first N graphs of each task")
    parser.add_argument("--warm", action="store_true", help="judge every graph once before")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no graph after so many seconds")
    parser.add_argument("--run", type=Path, help="keep the records here, and go on with those that are there")
    parser.add_argument("--report", action="store_true", help="measure nothing: only what --run holds")
    parser.add_argument("--compare", type=Path, metavar="RESULT", help="an earlier result of this script")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="judge in turns with another checkout")
    parser.add_argument("--revision-against", metavar="COMMIT", help="of that checkout, where neither has git")
    parser.add_argument("--set-against", action="append", default=[], metavar="KEY=VALUE", help="only there")
    parser.add_argument("--chunk", type=int, default=2, help="tasks of one turn")
    parser.add_argument("--name", help="of the result; default: seconds-COMPILER")
    parser.add_argument("--turn", action="store_true", help=argparse.SUPPRESS)
    options = common.parsed(parser)
    options.compiler = "eager" if options.aa else options.compiler
    options.name = options.name or ("seconds-aa" if options.aa else f"seconds-{options.compiler}")
    options.paths = ordered(options)
    return options


def percent(text: str) -> float:
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def ordered(options: argparse.Namespace) -> list[Path]:
    """The tasks one by one, in the order in which they are judged."""
    if options.turn:
        return list(options.paths)
    found = find_targets(options.paths or [common.TASKS])
    tasks = list(dict.fromkeys(t.pass_dir.parent if t.pass_dir else t.graphs[0][1] for t in found))
    if options.seed is not None:
        random.Random(options.seed).shuffle(tasks)
    return [task.resolve() for task in tasks[: options.tasks]]


# --- measuring -------------------------------------------------------------------------------------------------


def protocol(options: argparse.Namespace, **more: object) -> Protocol:
    """The default protocol of the device at the precision asked for, with the settings given."""
    given: dict[str, Any] = dict(pair.split("=", 1) for pair in options.set)
    if options.precision is not None:
        given["precision" if "precision" in Protocol.model_fields else "wanted_half_width"] = options.precision
    return make("direct", device=options.device, **{**given, **more})


def request(options: argparse.Namespace, settings: Protocol, place: Path) -> EvaluationRequest:
    """What is asked of the bench. Ends the script where this code has no engines and some were asked for."""
    known = {field.name for field in dataclasses.fields(EvaluationRequest)}
    more = {name: value for name in ("devices", "engine", "lanes") if (value := getattr(options, name)) is not None}
    if not more.keys() <= known:
        sys.exit(f"seconds.py: an evaluation of this revision takes no {' and no '.join(more.keys() - known)}")
    paths = tuple(options.paths)
    return EvaluationRequest(paths, options.device, options.compiler, settings, place, options.graphs, **more)


def measure(options: argparse.Namespace, room: Path) -> None:
    """Judge the tasks that are not there yet, until the time is up. Rows appear as graphs end."""
    began = time.monotonic()
    place = room / hashlib.sha256("\n".join(map(str, options.paths)).encode()).hexdigest()[:8]
    if options.warm:
        brief = {name: value for name, value in _BRIEF.items() if name in Protocol.model_fields}
        judged(request(options, protocol(options, **brief), place / "warm"), options, began, None)
    judged(request(options, protocol(options), place / "records"), options, began, room)


def judged(asked: EvaluationRequest, options: argparse.Namespace, began: float, room: Path | None) -> None:
    last = start = time.monotonic()
    spent: Row = {"graphs": 0, "seconds": 0.0}

    def report(progress: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if not progress.resumed:
            spent["graphs"] += 1
            spent["seconds"] = now - start
            if room is not None:
                append(room / ROWS, row_of(progress.record, now - last))
            line = f"[{progress.done}/{progress.total}] {progress.record.task}/{progress.record.graph}"
            print(f"{line} {progress.record.outcome} {now - last:.2f} s", file=sys.stderr, flush=True)
        last = now
        if now - began > options.seconds and progress.done < progress.total:
            print(f"time is up: {progress.done} of {progress.total} graphs", file=sys.stderr)
            raise TimeUp

    if time.monotonic() - began <= options.seconds:
        with contextlib.suppress(TimeUp):
            evaluate(asked, report)
    if room is not None and spent["graphs"]:
        append(room / SPENT, spent)


def row_of(record: GraphRecord, wall: float) -> Row:
    row: Row = {"graph": f"{record.task}/{record.graph}", "outcome": record.outcome.value, "detail": record.detail}
    row |= {"judged": record.seconds, "wall": round(wall, 3), "load": round(os.getloadavg()[0], 2)}
    timing = record.timing
    if timing is not None:
        low, high = timing.speedup_ci
        row |= {"speedup": timing.speedup, "ci": [low, high], "half_width": math.log(high / low) / 2}
        row |= {"scored_at": timing.scored_at, "eager_us": timing.eager_us, "compiled_us": timing.compiled_us}
        row |= {
            "processes": len(timing.processes),
            "voided": getattr(timing, "voided_pairs", None),
            "control": timing.control_ratio,
        }
    return row


def append(path: Path, row: Row) -> None:
    with path.open("a") as file:
        file.write(json.dumps(row) + "\n")


def read_lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def read_rows(room: Path) -> list[Row]:
    """The last row of each graph: what the machine spoilt is judged again."""
    return list({row["graph"]: row for row in read_lines(room / ROWS)}.values())


def both(options: argparse.Namespace, room: Path) -> None:
    """The same tasks by another checkout and by this one, in turns. The side that begins changes."""
    trees = {"before": options.against.resolve(), "after": common.ROOT}
    began = time.monotonic()
    chunks = [options.paths[at : at + options.chunk] for at in range(0, len(options.paths), options.chunk)]
    for number, chunk in enumerate([] if options.report else chunks):
        if time.monotonic() - began > options.seconds:
            print(f"time is up: {number} of {len(chunks)} turns", file=sys.stderr)
            break
        for side in sorted(trees, reverse=number % 2 == 0):
            turn(options, chunk, trees[side], side, room)
    rows = {side: read_rows(room / side) for side in trees}
    common_graphs = set.intersection(*({row["graph"] for row in found} for found in rows.values()))
    rows = {side: [row for row in found if row["graph"] in common_graphs] for side, found in rows.items()}
    result: Row = {"revisions": {side: common.noted_revision(room / side) for side in trees}}
    result |= {side: reduced(options, found, read_lines(room / side / SPENT)) for side, found in rows.items()}
    result["compared"] = compared(rows["before"], rows["after"], options.precision)
    for side in trees:
        show({"side": side, **result[side]})
    show({"compared": result["compared"]})
    save(options, f"{options.name}-both", result)


def turn(options: argparse.Namespace, chunk: Sequence[Path], tree: Path, side: str, room: Path) -> None:
    """One process that judges some tasks by the code of one checkout."""
    words = ["--device", options.device, "--compiler", options.compiler, "--run", str(room / side), "--turn"]
    settings = [*options.set, *(options.set_against if side == "before" else ())]
    words += [word for setting in settings for word in ("--set", setting)]
    for name in ("precision", "graphs"):
        words += [f"--{name}", str(getattr(options, name))] if getattr(options, name) is not None else []
    words += ["--warm"] if options.warm else []
    given = options.revision_against if side == "before" else options.revision
    words += ["--revision", given] if given and options.revision_against else []
    command = [sys.executable, str(Path(__file__).resolve()), *map(str, chunk), *words]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(tree / "src")}, check=False)
    if done.returncode:
        sys.exit(f"seconds.py: {tree}: {' '.join(command)} ended with {done.returncode}")


# --- figures ---------------------------------------------------------------------------------------------------


def reduced(options: argparse.Namespace, rows: Sequence[Row], spent: Sequence[Row]) -> Row:
    """Seconds a graph, widths, outcomes, and in A/A the distance from 1."""
    timed = [row for row in rows if "ci" in row]
    wall = sum(turn["seconds"] for turn in spent)
    result: Row = {"compiler": options.compiler, "precision": options.precision, "seed": options.seed}
    result |= {"lanes": options.lanes or 1, "warm": options.warm}
    result |= {"tasks": len(options.paths), "graphs": len(rows), "timed": len(timed)}
    result["outcomes"] = dict(Counter(row["outcome"] for row in rows).most_common())
    result |= {"wall_s": round(wall, 1), "load": common.quantiles([row["load"] for row in rows]) if rows else None}
    done = sum(turn["graphs"] for turn in spent)
    result["graphs_per_hour"] = round(3600 * done / wall) if wall else None
    if timed:
        for what in ("judged", "wall"):
            seconds = [row[what] for row in timed]
            result[what] = {**common.quantiles(seconds), "mean": statistics.fmean(seconds)}
        result["half_width"] = common.quantiles([row["half_width"] for row in timed])
        result["wide"] = sum(row["half_width"] > 1.02 * (options.precision or math.inf) for row in timed)
    if options.aa and timed:
        off = [abs(row["speedup"] - 1) for row in timed]
        result["within"] = {f"{near:.0%}": sum(far <= near for far in off) / len(off) for near in NEAR}
        result["interval_holds_1"] = sum(row["ci"][0] <= 1 <= row["ci"][1] for row in timed) / len(timed)
    return result | {"rows": list(rows)}


def earlier(path: Path) -> list[Row]:
    document = json.loads(path.read_text())
    rows: list[Row] = (document.get("after") or document)["rows"]
    return rows


def compared(old: Sequence[Row], new: Sequence[Row], precision: float | None = None) -> Row:
    """Seconds of old / new on graphs that both have, and whether both say the same of them.

    `precision`: the wanted half width. With it there are figures at equal width too.
    """
    before = {row["graph"]: row for row in old}
    pairs = [(before[row["graph"]], row) for row in new if row["graph"] in before]
    timed = [(one, other) for one, other in pairs if "ci" in one and "ci" in other]
    found: Row = {"graphs": len(pairs), "timed_by_both": len(timed)}
    found["other_outcome"] = [
        {"graph": one["graph"], "outcomes": [one["outcome"], other["outcome"]]}
        for one, other in pairs
        if one["outcome"] != other["outcome"]
    ]
    if not timed:
        return found
    seconds: dict[str, Callable[[Row], float]] = {"judged": itemgetter("judged"), "wall": itemgetter("wall")}
    if precision is not None:
        seconds["judged_at_equal_width"] = lambda row: row["judged"] * max(1.0, row["half_width"] / precision) ** 2
    for what, of in seconds.items():
        both = [(of(one), of(other)) for one, other in timed if of(other)]
        total = sum(one for one, _ in both) / sum(other for _, other in both)
        ratios = [one / other for one, other in both]
        found[f"{what}_old_over_new"] = {**with_interval(ratios, statistics.median), "of_means": total}
    shifts = [math.log(centre(other) / centre(one)) for one, other in timed]
    found["intervals_overlap"] = sum(overlap(*pair) for pair in timed) / len(timed)
    found["paired_within"] = sum(agree(*pair) for pair in timed) / len(timed)
    shift = with_interval(shifts, statistics.fmean)
    found["speedup_new_over_old"] = {key: math.exp(value) for key, value in shift.items()}
    found["apart"] = [
        {"graph": one["graph"], "old": one["ci"], "new": other["ci"]} for one, other in timed if not overlap(one, other)
    ]
    return found


def centre(row: Row) -> float:
    """Of the interval: a speedup may be its lower end."""
    return math.sqrt(row["ci"][0] * row["ci"][1])


def overlap(one: Row, other: Row) -> bool:
    return bool(one["ci"][0] <= other["ci"][1] and other["ci"][0] <= one["ci"][1])


def agree(one: Row, other: Row) -> bool:
    return abs(math.log(centre(other) / centre(one))) <= math.hypot(one["half_width"], other["half_width"])


def with_interval(values: Sequence[float], figure: Any) -> dict[str, float]:
    """A figure of some values, and 95 % of it in samples drawn again."""
    chance = random.Random(SEED)
    drawn = sorted(figure(chance.choices(values, k=len(values))) for _ in range(RESAMPLES))
    low, high = drawn[round(0.025 * (RESAMPLES - 1))], drawn[round(0.975 * (RESAMPLES - 1))]
    return {"figure": figure(values), "low": low, "high": high}


def show(result: Mapping[str, Any]) -> None:
    for line in lines(result):
        print(line)


def lines(result: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    for key, value in result.items():
        if isinstance(value, Mapping):
            yield f"{indent}{key}:"
            yield from lines(value, f"{indent}  ")
        elif key != "rows":
            yield f"{indent}{key}: {value:.4g}" if isinstance(value, float) else f"{indent}{key}: {value}"


def save(options: argparse.Namespace, name: str, result: Row) -> None:
    document = {"protocol": protocol(options).model_dump(), **result}
    common.save(options, f"{name}-{options.device}", "seconds", options.device, document)


if __name__ == "__main__":
    main()
