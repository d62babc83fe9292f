"""`passnet check`: the pre-flight of a task's pass set, without timing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from passnet.bench.names import DEVICES, POLICIES
from passnet.cli.console import one_of, print_json

if TYPE_CHECKING:
    from passnet.bench.check import CheckReport

SCHEMA = 1


def command(
    path: Path = typer.Argument(..., metavar="TASK", help="Task directory."),
    device: str = typer.Option("cpu", help=f"One of: {', '.join(DEVICES)}."),
    policy: str = typer.Option("strict", help=f"Source policy, one of: {', '.join(POLICIES)}."),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
) -> None:
    """Manifest, policy, load, signatures, matches with near misses, and one guarded numeric run, in seconds."""
    one_of("--device", device, DEVICES)
    one_of("--policy", policy, POLICIES)
    from passnet.bench.check import check

    report = check(path, device, "native" if policy == "native" else "strict")
    if as_json:
        print_json({"schema": SCHEMA, **report.to_json()})
    else:
        _print(report)
    if not report.ok:
        raise typer.Exit(1)


def _print(report: CheckReport) -> None:
    for rule in report.rules:
        state = {True: "loaded", False: "not loaded", None: "not tried"}[rule.loaded]
        matched = sum(count > 0 for count in rule.matches.values())
        typer.echo(f"{rule.rule}: {state}, matches {matched} of {len(rule.matches)} graphs")
        for miss in rule.near_misses:
            where = f"  {miss['graph']}: at {miss['pattern_node']}: expected {miss['expected']}, found {miss['found']}"
            typer.echo(f"{where} ({miss['reason']})")
    for note in report.notes:
        typer.echo(f"note: {note}")
    for problem in report.problems:
        typer.echo(f"problem: {problem}")
    typer.echo("ok" if report.ok else f"{len(report.problems)} problem(s)")
