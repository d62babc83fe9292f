"""`passnet doctor`: what works on this machine, what is missing and how to get it.

JSON, schema 1: {"schema", "ok", "verdict": "ready" | "limited" | "unable", "checks": [{"name", "status": "ok" |
"limited" | "missing", "found", "needed_for", "need": "always" | "passes" | "feature", "how" (null when ok)}]}.
Exit code 1 when `ok` is false: the main job, evaluating tasks on the CPU, cannot run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from passnet.cli.console import print_json, say

if TYPE_CHECKING:
    from passnet.machine.doctor import DoctorRow

_SUMMARY = {
    "ready": "ready: tasks can be evaluated on the CPU",
    "limited": "limited: tasks can be evaluated on the CPU, but not all of their passes: see above",
    "unable": "not ready: tasks cannot be evaluated here",
}


def command(as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output.")) -> None:
    """Check this machine: compilers, devices, kernel languages, sandbox layers, what timing depends on."""
    from passnet.machine.doctor import CHECKS, document, examine

    width = max(len(check.name) for check in CHECKS)
    rows: list[DoctorRow] = []
    for row in examine():
        rows.append(row)
        if not as_json:  # Print each row at once: compiling takes seconds.
            _print(row, width)
    found = document(rows)
    if as_json:
        print_json(found)
    else:
        say("", f"{_SUMMARY[found['verdict']]}")
    if not found["ok"]:
        raise typer.Exit(1)


def _print(row: DoctorRow, width: int) -> None:
    say(f"{row.found.status.value:<8} {row.check.name:<{width}}  {row.found.text}")
    if row.how is not None:
        say(f"{'':{width + 11}}needed for {row.check.needed_for}; to get it: {row.how}")
