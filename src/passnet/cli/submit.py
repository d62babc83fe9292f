"""`passnet submit check`: whether a run may stand on the leaderboard. Exit code 1: it may not. Imports no torch.

JSON, schema 1: {"schema", "ok", "problems", "warnings", "run", "graphs", "tasks", "conditions"}. Problems and warnings
are texts "CONDITION: sentence". Only problems refuse a run.
"""

from __future__ import annotations

from pathlib import Path

import typer

from passnet.cli.console import print_json, say
from passnet.cli.options import AsJson
from passnet.errors import counted

app = typer.Typer(help="Runs for the leaderboard.", no_args_is_help=True)


@app.callback()
def submit() -> None:
    """Runs for the leaderboard."""


@app.command("check")
def check(
    run: Path = typer.Argument(..., metavar="RUN", help="Run directory."),
    *,
    tasks: list[Path] = typer.Option([], help="Where the tasks lie. Default: where the run had them."),
    as_json: AsJson = False,
) -> None:
    """Say whether a run may stand on the leaderboard: complete, tamper-proof, with environment and hashes."""
    from passnet.report.recorded import read_recorded
    from passnet.report.run_tasks import run_tasks
    from passnet.report.submission import Submission, submission_document

    found = read_recorded(run)
    document = submission_document(Submission(found, run_tasks(found, tasks)))
    if as_json:
        print_json(document)
    else:
        for problem in document["problems"]:
            say(problem)
        for warning in document["warnings"]:
            say(f"warning: {warning}")
        words = "may stand on the leaderboard" if document["ok"] else counted(len(document["problems"]), "problem")
        judged = f"{counted(document['graphs'], 'graph')} of {counted(document['tasks'], 'task')}"
        say(f"{run}: {judged}: {words}")
    if not document["ok"]:
        raise typer.Exit(1)
