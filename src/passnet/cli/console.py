"""How commands print: one JSON document for machines, tables for people; progress goes to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from passnet.authored import is_path, one_line
from passnet.errors import UsageError


def print_json(document: dict[str, Any]) -> None:
    """Exactly one JSON document on standard output. A figure that is missing is null; NaN and infinity never appear."""
    typer.echo(json.dumps(document, indent=2, allow_nan=False))


def one_of(option: str, value: str, known: Collection[str]) -> None:
    """UsageError unless the value of an option is a known one."""
    if value not in known:
        raise UsageError(f"unknown {option[2:]} {value!r}", field=option, expected=f"one of {', '.join(known)}")


def run_path(runs: Path, name: str | None, default: str) -> Path:
    """Where a run lies. UsageError for a name that would lie elsewhere: in another directory, or hidden in this one."""
    if name is None:
        return runs / default
    if "/" in name or name.startswith(".") or not is_path(name):
        raise UsageError(
            "is no name of a run",
            field="--run",
            expected="a name without / that does not begin with a dot",
            found=repr(one_line(name)),
            hint="--runs DIR says where runs lie",
        )
    return runs / name


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table as wide as its content, so that it can be copied and grepped; the first column is left-aligned."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title or None, box=None, pad_edge=False, title_justify="left", header_style="bold")
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index == 0 else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console = Console()
    widest = Console(width=10_000).measure(table).maximum
    if not sys.stdout.isatty():  # rich takes a pipe for a terminal where FORCE_COLOR is set
        console.width = max(console.width, widest)
    console.print(table)


def number(value: float | None, digits: int = 3) -> str:
    """A figure for people, a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"


def solved_line(document: Mapping[str, Any], scored: str = "graphs that count") -> str:
    """What stands next to AS for people: the share that was solved, and AS with ties floored; or why there is none."""
    if document["solved"] is None:
        return f"solved -, AS with ties floored - ({one_line(document['solved_reason'])})"
    floored = number(document["AS_solved"])
    return f"solved {100 * document['solved']:.1f} % of the {scored}, AS with ties floored {floored}"


def quoted(text: str) -> str:
    """What a pass may have written, so that none of its lines passes for one of ours and no terminal obeys it."""
    return "\n    ".join(map(one_line, text.splitlines()))
