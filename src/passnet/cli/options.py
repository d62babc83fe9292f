"""Options that commands about authors and their tasks share, as annotated types; defaults stand in the commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from passnet.agent.record.names import STARTING_PASSES
from passnet.bench.names import DEVICES, POLICIES, PRECISIONS

_BEGIN_WITH = f"Passes to begin with: {', '.join(STARTING_PASSES)}. Default: an empty directory."

TaskPath = Annotated[
    Path, typer.Argument(metavar="PATH", help="Task, directory of tasks, list (txt, csv, tsv, jsonl), or bundled name.")
]
Device = Annotated[str, typer.Option(help=f"One of: {', '.join(DEVICES)}.")]
Policy = Annotated[str, typer.Option(help=f"Source policy of passes, one of: {', '.join(POLICIES)}.")]
Precision = Annotated[
    str,
    typer.Option(metavar="|".join(PRECISIONS), help="Half width of the 95 % interval at which measuring stops."),
]
RunName = Annotated[str | None, typer.Option(help="Name of the run; the same name resumes it. Default: from the time.")]
RunsPath = Annotated[Path, typer.Option(help="Directory of run directories.")]
Graphs = Annotated[int | None, typer.Option(min=1, help="Only the first N variants of each task.")]
Evaluations = Annotated[int, typer.Option(min=0, help="Evaluations of an episode; 0 for any number.")]
Minutes = Annotated[float, typer.Option(min=0, help="Minutes of an episode; 0 for any time.")]
BeginWith = Annotated[str | None, typer.Option(help=_BEGIN_WITH)]
Confirm = Annotated[bool, typer.Option(help="Measure the best of several pass sets once more; that figure counts.")]
Threads = Annotated[int, typer.Option(min=1, help="Threads of every worker.")]
Unsandboxed = Annotated[bool, typer.Option(help="Run passes without a sandbox; every record is marked.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
