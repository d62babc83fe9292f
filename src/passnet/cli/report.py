"""`passnet report`: one HTML file from one or several run directories. Nothing is run.

JSON, schema 1: {"schema", "report" (the file), "bytes", "runs" (names in the page), "missing" (what to beware of)}.
"""

from __future__ import annotations

from pathlib import Path

import typer

from passnet.cli.console import print_json, say
from passnet.errors import UsageError

SCHEMA = 1
_LEAST_MB, _MOST_MB = 1.0, 500.0


def command(
    runs: list[Path] = typer.Argument(..., metavar="RUN...", help="Run directories of passnet eval and passnet agent."),
    out: Path = typer.Option(..., help="The HTML file to write; an older one is replaced."),
    tasks_from: Path = typer.Option(Path("."), help="Directory from which the tasks' paths in the runs count."),
    limit_mb: float = typer.Option(30.0, help="Size that the file stays below; long texts are left out first."),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
) -> None:
    """Write one HTML file that shows runs: scores, curves, graphs, tasks, passes and episodes."""
    from passnet.report.run.build import write_report
    from passnet.report.run.payload import room_for

    if not _LEAST_MB <= limit_mb <= _MOST_MB:
        raise UsageError(
            "not a size for a page", field="--limit-mb", expected=f"{_LEAST_MB:g} to {_MOST_MB:g}", found=limit_mb
        )
    if not tasks_from.is_dir():
        raise UsageError(
            "no such directory",
            path=tasks_from,
            field="--tasks-from",
            hint="give the directory in which the runs were started",
        )
    written = write_report(runs, out, root=tasks_from, limit=room_for(limit_mb), say=lambda line: say(line, err=True))
    for note in written.missing:
        say(f"note: {note}", err=True)
    if as_json:
        print_json({"schema": SCHEMA, "report": str(written.path), "bytes": written.bytes, "runs": list(written.runs),
                    "missing": list(written.missing)})  # fmt: skip
    else:
        say(f"{written.path}: {written.bytes / 1e6:.1f} MB; open it in a browser")
