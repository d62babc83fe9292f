"""`passnet export`: writes a run in the layout of the published harness. Prints a table or the machine contract.

JSON, schema 1: {"schema", "out", "graphs", "tasks": [{"id", "task", "score"}], "left_out"}. A score is null when no
graph of the task counts. The task then has no log.
"""

from __future__ import annotations

from pathlib import Path

import typer

from passnet.cli.console import number, print_json, print_table, say
from passnet.errors import counted

SCHEMA = 1
_SHOWN = 5


def command(
    run: Path = typer.Argument(..., metavar="RUN", help="Directory of a run of `passnet eval` or `passnet agent`."),
    *,
    out: Path = typer.Option(..., help="Directory to write."),
    logs_only: bool = typer.Option(False, "--logs-only", help="Without the tasks and their entry.sh."),
    overwrite: bool = typer.Option(False, "--overwrite", help="Replace the directory if it exists."),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
) -> None:
    """Write a run as the published harness does: entry.sh, validation.log, aggregated_score.json and lists."""
    from passnet.bench.record.published_layout import export_run

    found = export_run(run, out, logs_only=logs_only, overwrite=overwrite)
    ids = {task: at for at, task in enumerate(found.tasks, 1)}
    for name in found.left_out[:_SHOWN]:
        say(f"LEFT OUT, not the candidate's failure: {name}", err=True)
    if len(found.left_out) > _SHOWN:
        say(f"LEFT OUT: {len(found.left_out) - _SHOWN} more", err=True)
    if as_json:
        tasks = [{"id": ids[task], "task": task, "score": found.scores.get(task)} for task in found.tasks]
        left_out = list(found.left_out)
        print_json({"schema": SCHEMA, "out": str(out), "graphs": found.graphs, "tasks": tasks, "left_out": left_out})
        return
    rows = [(task, str(ids[task]), number(found.scores.get(task))) for task in found.tasks]
    print_table("", ("task", "id", "score"), rows)
    say("", f"{counted(found.graphs, 'graph')} of {counted(len(found.tasks), 'task')} in {out}")
