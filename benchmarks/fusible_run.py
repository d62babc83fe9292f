"""What it costs to judge the tasks of `fusible_tasks.py` whole, what their drafts bring, and the report of it.

    passnet eval build/fusible/tasks.txt --device cuda --devices cuda:0,cuda:1 --lanes 2 --precision 5% \\
        --run fusible --runs build/runs
    python benchmarks/fusible_run.py build/runs/fusible --tasks build/fusible.tar.xz --part 600,4,2,560
    python benchmarks/fusible_run.py --rebuild --report build/fusible.html      # from what is stored; measures nothing
    python benchmarks/fusible_run.py --spent                                    # the same: where the seconds went

`--part RECORDS,GPUS,LANES,SECONDS`, once for each time that the run went on: how many records it brought in the order
of the file, on how many GPUs, and for how long. `--beside RUN,GPUS,LANES,SECONDS`: another run over the same tasks, on
GPUs of the same machine at the same time. `seconds` are those of a record, in which its lane waits for no other one;
medians and means are of timed graphs. `--spent` fits these seconds to what a record counts. The run is stored as
`fusible-run-cuda.tar.xz`, the tasks with their drafts as `fusible-run-tasks.tar.xz`, so that `--rebuild` writes the
report anywhere.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import common
import numpy as np
import stored_runs

from passnet.bench.record.protocol import make
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import read_environment, read_records, read_settings
from passnet.report.run.build import write_report

NAME = "fusible-run-cuda"
TASKS = "fusible-run-tasks.tar.xz"
MOST = 400_000
SPENT = ("every graph", "a group of blocks", "a block set aside", "a further pair", "a second of compiling")
Document = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="?", type=Path, help="the run directory")
    parser.add_argument("--tasks", type=Path, help="the archive that `fusible_tasks.py` wrote")
    parser.add_argument("--part", action="append", default=[], type=numbers, metavar="RECORDS,GPUS,LANES,SECONDS")
    parser.add_argument("--beside", type=neighbour, metavar="RUN,GPUS,LANES,SECONDS", help="a run at the same time")
    parser.add_argument("--rebuild", action="store_true", help="measure nothing: only the report, from what is stored")
    parser.add_argument("--spent", action="store_true", help="measure nothing: where the stored seconds went")
    parser.add_argument("--report", type=Path, help="with --rebuild: the page to write")
    parser.add_argument("--out", type=Path, default=common.ROOT / "benchmarks" / "results", help="directory of results")
    options = parser.parse_args()
    if options.spent:
        with tempfile.TemporaryDirectory() as scratch:
            (run,) = stored_runs.unpack(options.out / f"{NAME}.tar.xz", Path(scratch))
            tell_spent(list(read_records(run)))
    elif options.rebuild:
        if options.report is None:
            parser.error("--rebuild needs --report FILE")
        rebuild(options.out, options.report)
    elif options.run is None or options.tasks is None or not options.part:
        parser.error("a run, --tasks and --part are needed, or --rebuild, or --spent")
    else:
        store(options)


def numbers(text: str) -> tuple[int, int, int, int]:
    """Four whole numbers of 1 and more with commas between them. ValueError for others, which argparse tells."""
    records, gpus, lanes, seconds = map(int, text.split(","))
    if min(records, gpus, lanes, seconds) < 1:
        raise ValueError(text)
    return records, gpus, lanes, seconds


def neighbour(text: str) -> tuple[Path, int, int, int]:
    """A path and three whole numbers with commas between them. ValueError for others."""
    path, _, given = text.partition(",")
    return Path(path), *numbers(f"1,{given}")[1:]


def store(options: argparse.Namespace) -> None:
    """The result, the run and the tasks."""
    records = list(read_records(options.run))
    machine = read_environment(options.run) or {}
    told = sum(count for count, *_ in options.part)
    if told != len(records):
        sys.exit(f"fusible_run.py: --part tells of {told} records, and {options.run} holds {len(records)}")
    left, parts = list(records), []
    for count, gpus, lanes, seconds in options.part:
        parts.append({"gpus": gpus, "lanes": lanes, "span_s": seconds, **cost(left[:count], gpus, seconds)})
        left = left[count:]
    score = scored(options.run)
    result: Document = {
        "protocol": read_settings(options.run)["protocol"],
        **{key: score[key] for key in ("graphs", "scored", "outcomes", "AS", "solved", "benchmark", "conventions")},
        "parts": parts,
        "beside": beside(options.beside, parts[0]) if options.beside else None,
        "not_right": [
            {"graph": f"{record.task}/{record.graph}", "outcome": record.outcome, "detail": (record.detail or "")[:200]}
            for record in records
            if record.outcome != "correct"
        ],
    }
    options.out.mkdir(parents=True, exist_ok=True)
    print(f"{stored_runs.pack([options.run], options.out / f'{NAME}.tar.xz', most=MOST)} bytes of the run")
    shutil.copyfile(options.tasks, options.out / TASKS)
    common.save(options, NAME, "fusible-run", "cuda", result, machine)


def cost(records: Sequence[GraphRecord], gpus: int, span_s: int) -> Document:
    """What graphs took by their records, and what a graph took of the time of one GPU."""
    seconds = [record.seconds for record in records if record.timing is not None]
    return {
        "graphs": len(records),
        "timed": len(seconds),
        "seconds": common.quantiles(seconds),
        "mean_s": statistics.fmean(seconds),
        "gpu_s_per_graph": gpus * span_s / len(records),
    }


def tell_spent(records: Sequence[GraphRecord]) -> None:
    """Print what each part of a judgement takes, and how much of the mean it makes."""
    rows, seconds = [], []
    for record in records:
        if (timing := record.timing) is not None:
            groups = sum(process.quads for process in timing.processes)
            least = make("direct", precision=timing.precision).least_pairs
            further = len(timing.processes) + timing.voided_pairs - least
            rows.append([1.0, groups, timing.set_aside, further, record.compile_s or 0.0])
            seconds.append(record.seconds)
    table, taken = np.array(rows), np.array(seconds)
    found = np.linalg.lstsq(table, taken, rcond=None)[0]
    left = 1 - ((taken - table @ found) ** 2).sum() / ((taken - taken.mean()) ** 2).sum()
    print(f"{len(rows)} timed graphs, {taken.mean():.2f} s each; these parts tell {left:.0%} of the variance")
    for name, each, mean in zip(SPENT, found, table.mean(axis=0), strict=True):
        print(f"{name}: {each:.4f} s, {mean:.2f} of them, {each * mean:.2f} s")


def beside(given: tuple[Path, int, int, int], part: Document) -> Document:
    """How much faster the GPUs of the first part were than those of a run beside it."""
    path, gpus, lanes, span_s = given
    other = {"gpus": gpus, "lanes": lanes, "span_s": span_s, **cost(list(read_records(path)), gpus, span_s)}
    rate = (part["graphs"] / part["span_s"]) / (other["graphs"] / span_s)
    return {**other, "times_as_fast": rate, "of_ideal": rate / (part["gpus"] / gpus)}


def scored(run: Path) -> Document:
    """What `passnet score` says of a run."""
    command = [sys.executable, "-m", "passnet", "score", str(run), "--json"]
    found: Document = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    return found


def rebuild(stored: Path, report: Path) -> None:
    """The report of the stored run, with graphs and passes of the stored tasks."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        (run,) = stored_runs.unpack(stored / f"{NAME}.tar.xz", root / "runs")
        with tarfile.open(stored / TASKS, "r:xz") as archive:
            archive.extractall(root / "build", filter="data")
        written = write_report([run], report, root=root)
    print(f"{written.path}: {written.bytes / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
