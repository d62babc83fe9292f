"""`passnet bisect`: which piece of a graph goes wrong, or loses, under a compiler, written out as a small task.

JSON, schema 1: {"schema", "compiler", "device", "task", "graph", "shows" ("wrong", "slow", or null where nothing is),
"operators", "whole": FIGURES, "piece" (null where nothing is): {"start", "end", "ops", "verified"} and FIGURES, "out",
"complete", "untried"}. FIGURES: {"outcome", "detail", "correct_at", "max_error", "speedup", "speedup_ci", "eager_us",
"compiled_us", "compile_s"}.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from passnet.bench.names import COMPILERS_HELP, DEVICES, POLICIES, check_compiler
from passnet.cli.console import check_threads, number, one_of, print_json, quoted, say
from passnet.errors import UsageError

if TYPE_CHECKING:
    from passnet.bench.record.records import GraphRecord
    from passnet.diagnose.bisect import Bisected, BisectStep

SCHEMA = 1
_TROUBLES = ("wrong", "slow")
_MOST_OPS = 12


def command(
    path: Path = typer.Argument(..., metavar="TASK|GRAPH", help="Directory of a task or a graph, or bundled name."),
    compiler: str = typer.Option(..., help=COMPILERS_HELP),
    out: Path | None = typer.Option(None, help="The task to write. Default: bisected/ and the names of both."),
    device: str = typer.Option("cpu", help=f"One of: {', '.join(DEVICES)}."),
    graph: str | None = typer.Option(None, help="The graph of the task. Default: the first that shows a trouble."),
    look_for: str | None = typer.Option(
        None, help="wrong, or slow (slower than eager beyond its interval). Default: wrong, and if nothing is, slow."
    ),
    minutes: float = typer.Option(15.0, min=0, help="The smallest piece found by then is written; 0: any time."),
    policy: str = typer.Option("strict", help=f"Source policy of passes, one of: {', '.join(POLICIES)}."),
    threads: int = typer.Option(1, min=1, help="Threads of every worker."),
    overwrite: bool = typer.Option(False, help="Replace an existing task."),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
    unsandboxed: bool = typer.Option(False, help="Run passes without a sandbox."),
) -> None:
    """Find the smallest piece of a graph that still goes wrong, or still loses, under a compiler."""
    one_of("--device", device, DEVICES)
    one_of("--policy", policy, POLICIES)
    check_threads(threads)
    if look_for is not None:
        one_of("--look-for", look_for, _TROUBLES)
    check_compiler(compiler, device)
    from passnet.diagnose.bisect import BisectRequest, bisect, default_out

    place = out or default_out(path, compiler)
    if Path(os.path.realpath(place)) in (Path.cwd(), *Path.cwd().parents, Path(os.path.realpath(path))):
        raise UsageError("no place for a task", path=place, field="--out", hint="name a directory of its own")
    request = BisectRequest(
        path=path,
        compiler=compiler,
        out=place,
        device=device,
        graph=graph,
        look_for="wrong" if look_for == "wrong" else "slow" if look_for == "slow" else None,
        minutes=minutes,
        policy="native" if policy == "native" else "strict",
        threads=threads,
        sandbox=not unsandboxed,
        overwrite=overwrite,
    )
    found = bisect(request, _report)
    if as_json:
        print_json({"schema": SCHEMA, "compiler": compiler, "device": device, **found.to_json()})
    else:
        _print(found, compiler)
    if found.trouble is None:
        raise typer.Exit(1)


def _report(step: BisectStep) -> None:
    start, end = step.place
    said = f"no graph of its own: {step.reason}" if step.record is None else _words(step.record)
    mark = " (shows it)" if step.shows else ""
    say(f"{step.graph} operators {start}-{end}: {said}{mark}", err=True)


def _words(record: GraphRecord) -> str:
    timing = record.timing
    if timing is None:
        return record.outcome.value
    low, high = timing.speedup_ci
    return f"{record.outcome.value} {number(timing.speedup)}x ({number(low)}-{number(high)})"


def _print(found: Bisected, compiler: str) -> None:
    if found.piece is None or found.record is None:
        say(f"{found.task}: nothing is wrong under {compiler}, and nothing is surely slower than eager")
        return
    start, end = found.piece.place
    names = ", ".join(found.piece.ops[:_MOST_OPS]) + (", ..." if len(found.piece.ops) > _MOST_OPS else "")
    say(f"{found.task}/{found.graph} under {compiler}: {_words(found.whole)}, {found.operators} operators")
    say(f"smallest piece: operators {start}-{end} ({names}): {_words(found.record)}")
    record = found.record
    if record.detail:
        say(*quoted("    ", record.detail))
    if record.timing is not None:
        say(f"    eager {record.timing.eager_us:.1f} us, compiled {record.timing.compiled_us:.1f} us")
    if not found.complete:
        say("the minutes are used up: a smaller piece may show it too; the same command goes on from here")
    if found.untried:
        say(f"{found.untried} ranges could not be tried by themselves")
    say(f"written to {found.out}; judge it with: passnet eval {found.out} --compiler {compiler}")
