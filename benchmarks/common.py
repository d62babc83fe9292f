"""What the benchmark scripts share: run an evaluation, reduce ratios, and write a result with its environment."""

from __future__ import annotations

import argparse
import datetime
import json
import re
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from passnet import environment
from passnet.bench.evaluate import EvaluationRequest, Progress, TaskScore, evaluate
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.record.records import GraphRecord

ROOT = Path(__file__).resolve().parents[1]
TASKS = ROOT / "data" / "tasks"
RESULTS = Path(__file__).resolve().parent / "results"
_DIGITS = 12
_NOTE = "revision.txt"
_REVISION = re.compile(r"[0-9a-f]{12,40}(\+dirty)?")


def arguments(
    description: str, choices: Sequence[str] = (), more: Mapping[str, Mapping[str, Any]] | None = None
) -> argparse.Namespace:
    """The options that all evaluations have, and `more` of a script's own."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("paths", nargs="*", type=Path, default=[TASKS], help="tasks; default: the bundled ones")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--graphs", type=int, default=None, help="only the first N graphs of each task")
    parser.add_argument("--run", type=Path, help="keep the records here, and go on with those that are there")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a protocol setting")
    if choices:
        parser.add_argument("--only", choices=choices, help="one of the things compared")
    for name, settings in (more or {}).items():
        parser.add_argument(name, **settings)
    return parsed(parser)


def parsed(parser: argparse.ArgumentParser, arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of a script that writes a result. Ends it at once where the result would have no revision."""
    parser.add_argument("--out", type=Path, default=RESULTS, help="directory of the result file")
    parser.add_argument(
        "--revision",
        metavar="HASH[+dirty]",
        help="what `git rev-parse HEAD` says of this code, where it is no checkout; +dirty: it was changed since",
    )
    options = parser.parse_args(arguments)
    try:
        options.revision = revision(options.revision, environment.revision())
    except RevisionError as error:
        parser.error(str(error))
    return options


class RevisionError(ValueError):
    """A result that nobody could trace back to its code."""


def revision(given: str | None, found: str | None) -> str:
    """The revision to record: of the checkout, else as given. RevisionError without either, or where they differ."""
    if given is not None and not _REVISION.fullmatch(given):
        raise RevisionError(f"--revision {given}: expected 12 to 40 hexadecimal digits, with +dirty after changes")
    if given and found and not _same_revision(given, found):
        raise RevisionError(f"--revision {given}: this checkout is at {found}")
    known = found or given
    if known is None:
        raise RevisionError("this code is in no git checkout, and a result needs its revision: give --revision")
    return known


def of_one_revision(directory: Path, revision: str) -> None:
    """Ends the script where what is kept in a directory, to go on with, was measured by other code."""
    kept, noted = directory.exists() and any(directory.iterdir()), noted_revision(directory)
    if kept and noted != revision:
        sys.exit(f"{directory} was measured by {noted or 'nobody knows what'}, this is {revision}: use another --run")
    directory.mkdir(parents=True, exist_ok=True)
    (directory / _NOTE).write_text(f"{revision}\n")


def noted_revision(directory: Path) -> str | None:
    """What measured the things that are kept in a directory; None where nobody noted it."""
    note = directory / _NOTE
    return note.read_text().strip() if note.exists() else None


def _same_revision(given: str, found: str) -> bool:
    return given.endswith("+dirty") == found.endswith("+dirty") and given[:_DIGITS] == found[:_DIGITS]


def protocol(options: argparse.Namespace) -> Protocol:
    """The default protocol of the device with the settings given on the command line."""
    overrides = dict(pair.split("=", 1) for pair in options.set)
    return make("direct", device=options.device, **overrides)


def run(options: argparse.Namespace, compiler: str) -> list[GraphRecord]:
    """Evaluate with the default protocol; one line per graph on standard error."""
    if options.run:
        of_one_revision(options.run, options.revision)
    with tempfile.TemporaryDirectory() as scratch:
        request = EvaluationRequest(
            tuple(options.paths),
            options.device,
            compiler,
            protocol(options),
            options.run / compiler if options.run else Path(scratch) / "run",
            options.graphs,
        )
        scores: list[TaskScore] = evaluate(request, _report)
    return [record for score in scores for record in score.records]


def _report(progress: Progress) -> None:
    record = progress.record
    ratio = f"{record.timing.speedup:.3f}" if record.timing else record.detail
    line = f"[{progress.done}/{progress.total}] {record.compiler} {record.task}/{record.graph} {record.outcome} {ratio}"
    print(f"{line} ({record.seconds:.1f} s)", file=sys.stderr, flush=True)


def quantiles(values: Sequence[float]) -> dict[str, float]:
    """Median, the middle 95 % and the extremes."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return {
        "median": statistics.median(ordered),
        "p2.5": ordered[round(0.025 * last)],
        "p97.5": ordered[round(0.975 * last)],
        "min": ordered[0],
        "max": ordered[-1],
    }


def write(options: argparse.Namespace, name: str, result: dict[str, Any]) -> None:
    """One result file per benchmark and device, with date, environment and protocol."""
    save(
        options,
        f"{name}-{options.device}",
        name,
        options.device,
        {"protocol": protocol(options).model_dump(), **result},
    )


def save(
    options: argparse.Namespace,
    file: str,
    name: str,
    device: str,
    result: Mapping[str, Any],
    measured: Mapping[str, Any] | None = None,
) -> None:
    """A result with date and environment: this machine's, unless it was `measured` on another."""
    path = options.out / f"{file}.json"
    machine = measured or {**environment.snapshot(device), "revision": options.revision}
    if not machine.get("revision"):
        sys.exit(f"{name}: what was measured has no revision, and no result is written without one; measure again")
    options.out.mkdir(parents=True, exist_ok=True)
    document = {"benchmark": name, "date": datetime.date.today().isoformat(), "environment": machine, **result}
    path.write_text(json.dumps(document, indent=1) + "\n")
    print(f"written to {path}")
