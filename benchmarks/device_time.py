"""How long does the device work: passes beside Inductor, on the same graphs, by regime.

    python benchmarks/device_time.py TASK... [--seed 20 --tasks 30 --graphs 1] [--lanes 2] [--seconds 200] [--run DIR]

Needs a GPU. Every graph is judged twice, as passes and by Inductor, by the default protocol at the given precision.
`--beside inductor-max-autotune` takes another mode. `--only` judges as one of both, for records that are joined
afterwards. The figure is Inductor's device time in units of the passes' (`compiled_busy_us`), with the interval that
follows from both intervals. Graphs are told apart by eager's regime on this device. `slower`: graphs on which the
passes' device takes longer beyond that interval. `captured` and `direct` are compared in the same way. A task is drawn
by `--seed`. Graphs that one of both did not get right take no part and are counted. `--seconds`: for each compiler.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import common
import seconds

from passnet.bench.evaluate import Progress, evaluate
from passnet.bench.record.records import GraphRecord, Timing
from passnet.bench.record.run import read_records

# A figure of a record, and the pair of fields of a timing that holds it.
FIGURES = {
    "device": ("busy_speedup", "busy_speedup_ci"),
    "captured": ("captured_speedup", "captured_speedup_ci"),
    "direct": ("speedup", "speedup_ci"),
    "deployed": ("deployed_speedup", "deployed_speedup_ci"),
}
SIDES = ("passes", "inductor")
Row = dict[str, Any]


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        place = options.run or Path(scratch)
        measured = stored(place) if options.report else None
        if measured is None:
            common.of_one_revision(place, options.revision)
            for compiler in options.only or options.compilers:
                judged(options, compiler, place / compiler)
        if options.only and measured is None:
            return
        records = {
            side: by_graph(read_records(place / compiler))
            for side, compiler in zip(SIDES, options.compilers, strict=True)
        }
    result = {"beside": options.beside, **reduced(records)}
    for name, value in result.items():
        if name != "rows":
            print(f"{name}: {value}")
    common.save(options, options.file, "device-time", "cuda", result, measured)


def stored(place: Path) -> Row:
    """The machine and the revision that measured what a directory holds."""
    file, revision = place / SIDES[0] / "environment.json", common.noted_revision(place)
    if not file.exists() or revision is None:
        sys.exit(f"{place}: expected the records of an earlier --run, with the revision that measured them")
    machine: Row = json.loads(file.read_text())
    return {**machine, "revision": revision}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, help="tasks, directories of tasks; default: bundled ones")
    parser.add_argument("--seed", type=int, help="draws the order of the tasks")
    parser.add_argument("--tasks", type=int, help="only the first N of that order")
    parser.add_argument("--graphs", type=int, help="only the first N graphs of each task")
    parser.add_argument("--precision", type=seconds.percent, default=0.05)
    parser.add_argument("--lanes", type=int, help="processes that share the device")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no graph after so many, each compiler")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a protocol setting")
    parser.add_argument("--run", type=Path, help="keep the records here, and go on with those that are there")
    parser.add_argument("--report", action="store_true", help="measure nothing: only what --run holds")
    parser.add_argument("--file", default="device-time-cuda", help="name of the result file")
    parser.add_argument("--beside", default="inductor", metavar="COMPILER", help="a mode of Inductor")
    parser.add_argument("--only", nargs="+", default=[], metavar="COMPILER", help="judge as this one, and tell nothing")
    options = common.parsed(parser)
    options.compilers = ("passes", options.beside)
    options.device, options.devices, options.engine, options.turn = "cuda", None, None, False
    options.paths = seconds.ordered(options)
    return options


def judged(options: argparse.Namespace, compiler: str, place: Path) -> None:
    """Judge the graphs that have no record yet, until the time is up."""
    began = time.monotonic()

    def report(progress: Progress) -> None:
        timing = progress.record.timing
        busy = f" {timing.busy_speedup:.3f}x on the device" if timing and timing.busy_speedup else ""
        print(f"{compiler} [{progress.done}/{progress.total}] {progress.record.outcome}{busy}", file=sys.stderr)
        if time.monotonic() - began > options.seconds and progress.done < progress.total:
            raise seconds.TimeUp

    options.compiler = compiler
    try:
        evaluate(seconds.request(options, seconds.protocol(options), place), report)
    except seconds.TimeUp:
        print(f"{compiler}: time is up", file=sys.stderr)


def by_graph(records: Sequence[GraphRecord]) -> dict[str, GraphRecord]:
    return {f"{record.task}/{record.graph}": record for record in records}


def reduced(records: Mapping[str, Mapping[str, GraphRecord]]) -> Row:
    """The figures over graphs that both got right."""
    rows = []
    both = [name for name in records["passes"] if name in records["inductor"]]
    for name in both:
        sides = {compiler: records[compiler][name] for compiler in SIDES}
        row: Row = {"graph": name, "outcomes": {c: record.outcome.value for c, record in sides.items()}}
        timings = {compiler: record.timing for compiler, record in sides.items()}
        if timings["passes"] is not None and timings["inductor"] is not None:
            row["regime"] = timings["passes"].regime
            row |= {figure: ratio(timings["passes"], timings["inductor"], figure) for figure in FIGURES}
            row |= {
                "eager_busy_us": timings["passes"].eager_busy_us,
                "busy_us": {c: timing.compiled_busy_us if timing else None for c, timing in timings.items()},
                "launch_us": timings["passes"].launch_us,
                "over_eager": {c: timing.busy_speedup if timing else None for c, timing in timings.items()},
                "not_captured": {c: timing.not_captured if timing else None for c, timing in timings.items()},
            }
        rows.append(row)
    timed = [row for row in rows if row.get("device")]
    regimes = sorted({row["regime"] for row in timed if row["regime"]})
    return {
        "graphs": len(rows),
        "outcomes": {c: dict(Counter(row["outcomes"][c] for row in rows)) for c in SIDES},
        "with_device_time": len(timed),
        "all": summary(timed),
        "by_regime": {regime: summary([row for row in timed if row["regime"] == regime]) for regime in regimes},
        "rows": rows,
    }


def ratio(passes: Timing, inductor: Timing, figure: str) -> Row | None:
    """The passes' speedup over Inductor's, and its interval: the logarithms' half widths add as squares."""
    name, interval = FIGURES[figure]
    ours, theirs = getattr(passes, name), getattr(inductor, name)
    if not ours or not theirs:
        return None
    half = math.hypot(*(math.log(high / low) / 2 for low, high in (getattr(t, interval) for t in (passes, inductor))))
    centre = math.log(ours / theirs)
    return {"ratio": math.exp(centre), "low": math.exp(centre - half), "high": math.exp(centre + half)}


def summary(rows: Sequence[Row]) -> Row:
    found: Row = {"graphs": len(rows)}
    for figure in FIGURES:
        ratios = [row[figure] for row in rows if row.get(figure)]
        if ratios:
            mean = math.exp(sum(math.log(one["ratio"]) for one in ratios) / len(ratios))
            slower = sum(one["high"] < 1 for one in ratios)
            faster = sum(one["low"] > 1 for one in ratios)
            found[figure] = {"gmean": round(mean, 4), "slower": slower, "faster": faster, "of": len(ratios)}
    for compiler in SIDES:
        speeds = [row["over_eager"][compiler] for row in rows if row["over_eager"][compiler]]
        if speeds:
            found[f"{compiler}_device_over_eager"] = round(math.exp(sum(map(math.log, speeds)) / len(speeds)), 4)
    return found


if __name__ == "__main__":
    main()
