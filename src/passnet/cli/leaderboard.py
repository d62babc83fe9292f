"""`passnet leaderboard`: a static site made from run directories. Imports no torch.

JSON, schema 1: {"schema", "out", "runs", "boards", "ranked", "not_ranked"}; `leaderboard.json` holds the boards.
"""

from __future__ import annotations

from pathlib import Path

import typer

from passnet.cli.console import print_json, say
from passnet.cli.options import AsJson
from passnet.errors import counted

SCHEMA = 1


def command(
    runs: list[Path] = typer.Argument(..., metavar="RUN...", help="Run directories; each becomes a row."),
    *,
    out: Path = typer.Option(..., help="Directory to write: index.html, leaderboard.json, leaderboard.csv."),
    overwrite: bool = typer.Option(False, "--overwrite", help="Replace the directory if it exists."),
    as_json: AsJson = False,
) -> None:
    """Make a leaderboard from runs: every row is scored again from its records."""
    from passnet.report.leaderboard.site import write_site

    found = write_site(runs, out, overwrite=overwrite)
    ranked = sum(len(board.ranked) for board in found)
    apart = sum(len(board.unranked) for board in found)
    if as_json:
        document = {"schema": SCHEMA, "out": str(out), "runs": len(runs), "boards": len(found)}
        print_json(document | {"ranked": ranked, "not_ranked": apart})
        return
    rows = f"{counted(ranked, 'row')} ranked on {counted(len(found), 'board')}, {apart} not ranked"
    say(f"{rows}, in {out}/index.html")
    for row in (row for board in found for row in board.unranked):
        say(f"not ranked: {row.name}: {row.problems[0]}")
