"""`passnet library`: directories of verified pass sets, made from runs of the bench, for `passnet optimize`."""

from __future__ import annotations

from pathlib import Path

import typer

from passnet.cli.console import print_json, print_table, say

SCHEMA = 1
app = typer.Typer(help="Pass libraries: pass sets that the bench has found right.", no_args_is_help=True)
_LIBRARY = typer.Argument(..., metavar="LIB", help="Library directory.")
_JSON = typer.Option(False, "--json", help="One JSON document on standard output.")


@app.command("add")
def add(
    library: Path = _LIBRARY,
    runs: list[Path] = typer.Argument(..., metavar="RUN...", help="Run directories of `passnet eval`."),
    as_json: bool = _JSON,
) -> None:
    """Add pass sets from runs. A set must be right on every graph of its task. LIB is created when it does
    not exist.
    """
    from passnet.bench.record.run import read_settings
    from passnet.use.library.add import add_run

    for run in runs:
        read_settings(run)  # A path that is no run is reported before anything is written.
    rows = []
    for run in runs:
        for added in add_run(library, run):
            rows.append({"run": str(run), "task": added.task, "what": added.what, "reason": added.reason})
            say(f"{added.task}: {added.what}{f' ({added.reason})' if added.reason else ''}", err=as_json)
    if as_json:
        print_json({"schema": SCHEMA, "library": str(library), "tasks": rows})
    if not any(row["what"] != "left out" for row in rows):
        raise typer.Exit(1)


@app.command("list")
def list_entries(library: Path = _LIBRARY, as_json: bool = _JSON) -> None:
    """Show the content of a library, and the results of each pass set on each device."""
    from passnet.use.library.store import PassLibrary

    entries = PassLibrary.read(library).entries
    if as_json:
        print_json({"schema": SCHEMA, "entries": [entry.model_dump(mode="json") for entry in entries]})
        return
    rows = []
    for entry in entries:
        for each in entry.evidence:
            speed = f"{each.speedup:.3f}", f"{each.lowest:.3f}"
            rows.append(
                (entry.name, str(len(entry.rules)), each.device, str(each.graphs), ",".join(each.dtypes), *speed)
            )
    print_table("", ("pass set", "rules", "device", "graphs", "dtypes", "speedup", "lowest"), rows)
    say("", f"{len(entries)} pass sets in {library}; speedup: geometric mean over graphs, convention direct")


@app.command("verify")
def verify(library: Path = _LIBRARY, as_json: bool = _JSON) -> None:
    """Check that every file is the verified one and obeys its source policy. No file is run."""
    from passnet.use.library.store import PassLibrary

    found = PassLibrary.read(library)
    problems = list(found.problems())
    if as_json:
        print_json({"schema": SCHEMA, "ok": not problems, "entries": len(found.entries), "problems": problems})
    else:
        for problem in problems:
            say(f"problem: {problem}")
        say("ok" if not problems else f"{len(problems)} problem(s)")
    if problems:
        raise typer.Exit(1)
