"""Prints results: one JSON document for machines, tables for people. Progress goes to standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from passnet.authored import is_path, one_line
from passnet.errors import UsageError

if TYPE_CHECKING:
    from passnet.bench.record.records import Timing

_MOST_THREADS = 1024
_documents: list[None] = []
_unnamed: list[Path] = []


def begin() -> None:
    """Forgets what an earlier command of this process printed."""
    _documents.clear()
    _unnamed.clear()


def printed() -> bool:
    """Whether this command has printed its JSON document."""
    return bool(_documents)


def unnamed_run() -> Path | None:
    """The directory of this command's run, if the user gave the run no name."""
    return _unnamed[-1] if _unnamed else None


def print_json(document: dict[str, Any]) -> None:
    """Exactly one JSON document on standard output. A missing figure is null. NaN and infinity never appear."""
    _documents.append(None)
    typer.echo(json.dumps(document, indent=2, allow_nan=False))


def say(*lines: str, err: bool = False) -> None:
    """Prints each text as one line, and an empty line for none. `err`: on standard error.

    Names in them come from authors, models and files. A terminal obeys some characters, and a line end would make a
    line that looks like ours. Such characters are written out.
    """
    for line in lines or ("",):
        typer.echo(one_line(line), err=err)


def say_text(text: str) -> None:
    """Prints a text of several lines, such as a source or a page. Its own line ends and tabs stay."""
    for line in text.removesuffix("\n").split("\n"):
        typer.echo("\t".join(map(one_line, line.split("\t"))))


def one_of(option: str, value: str, known: Collection[str], what: str | None = None) -> None:
    """UsageError unless the value of an option is known. `what`: what it is, where the option's name does not say."""
    if value not in known:
        found = f"unknown {what or option[2:]} {value!r}"
        raise UsageError(found, field=option, expected=f"one of {', '.join(known)}")


def check_threads(threads: int, *, here: bool = True) -> None:
    """UsageError for more threads than the machine has cores, or where workers run elsewhere than any machine has."""
    most = (os.cpu_count() or 1) if here else _MOST_THREADS
    if threads > most:
        expected = f"at most {most}{', the cores of this machine' if here else ''}"
        raise UsageError("number too large", field="--threads", expected=expected, found=threads)


def run_path(runs: Path, name: str | None, default: str) -> Path:
    """The directory of a run. UsageError for a name that leads to another directory or to a hidden one."""
    if name is None:
        _unnamed.append(runs / default)
        return _unnamed[-1]
    if "/" in name or name.startswith((".", "-")) or not name.isprintable() or not is_path(name):
        raise UsageError(
            "is not a valid name of a run",
            field="--run",
            expected="a name without / that is printable and begins with no dot and no dash",
            found=repr(one_line(name)),
            hint="--runs DIR names the directory of runs",
        )
    return runs / name


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table. Its first column holds names. Elsewhere than in a terminal, it is as wide as its content."""
    from rich.console import Console
    from rich.text import Text

    from passnet.cli.tables import lay_out

    # Names in cells are no markup of ours: brackets stay as they are.
    console = Console(markup=False, emoji=False)
    # With FORCE_COLOR, rich takes a pipe for a terminal.
    # They are authors' texts too, and a terminal obeys some characters.
    title, columns = one_line(title), list(map(one_line, columns))
    rows = [[one_line(cell) for cell in row] for row in rows]
    table = lay_out(columns, rows, console.width if sys.stdout.isatty() else None)
    styled = [*((line, "italic") for line in filter(None, [title])), *((line, "bold") for line in table.head)]
    for line, style in (*styled, *((line, "") for line in table.body)):
        console.print(Text(line, style), soft_wrap=True)


def number(value: float | None, digits: int = 3) -> str:
    """A figure for people, a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"


# Before a speedup that is the lower end of its interval.
AT_LEAST = ">="


def speedup_text(timing: Timing | None) -> str:
    """A speedup for people. It says so when it is the lower end of its interval, and not eager / compiled."""
    if timing is None:
        return "-"
    return f"{AT_LEAST if timing.scored_at == 'low' else ''}{timing.speedup:.3f}"


def together(found: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Pairs of a name and a text, with each text once: `first name (and 5 more)`."""
    names: dict[str, list[str]] = {}
    for name, text in found:
        names.setdefault(text, []).append(name)
    return [(f"{few[0]} (and {len(few) - 1} more)" if len(few) > 1 else few[0], text) for text, few in names.items()]


def solved_line(document: Mapping[str, Any], scored: str = "graphs that count") -> str:
    """The words next to AS: the share of solved graphs, and AS with ties floored. Without them, the reason."""
    if document["solved"] is None:
        return f"solved -, AS with ties floored - ({document['solved_reason']})"
    floored = number(document["AS_solved"])
    return f"solved {100 * document['solved']:.1f} % of the {scored}, AS with ties floored {floored}"


# What a summary has a row for: the name in a document, its words, and the factor and digits for printing.
_BOUND_ROWS = (("eager_bound_share", "eager, % of the bound"), ("bound_share", "candidate, % of the bound"))


def print_conventions(conventions: Mapping[str, Any], title: str = "") -> None:
    """Geometric means over right graphs by convention: of all, and for each regime that graphs have."""
    from passnet.bench.record.conventions import EVERYTHING, SUMMARY, UNKNOWN

    every = conventions[EVERYTHING]
    if not every["graphs"]:
        say("no graph is right, so there is no speedup by convention")
        return
    more = [name for name, mean in every.items() if name in ("cold", "published") and mean["graphs"]]
    shown = [name for name, group in conventions.items() if group["graphs"]]
    if shown == [EVERYTHING, UNKNOWN]:
        shown = [EVERYTHING]
    groups = [conventions[name] for name in shown]
    rows = [(name, *(_mean_text(group, name, 1, 3) for group in groups)) for name in (*SUMMARY, *more)]
    rows += [(words, *(_mean_text(group, name, 100, 1) for group in groups)) for name, words in _BOUND_ROWS]
    columns = (f"{name} ({group['graphs']})" for name, group in zip(shown, groups, strict=True))
    print_table(title, ("speedup, geometric mean of right graphs", *columns), rows)
    if shown == [EVERYTHING]:
        say("regimes are not known: no record has a device time")


def _mean_text(group: Mapping[str, Any], name: str, factor: float, digits: int) -> str:
    """A mean with its interval, and of how many graphs it is where others lack the figure."""
    mean = group[name]
    if not mean["graphs"]:
        return "not measured"
    interval = ""
    if mean["low"] is not None:
        interval = f" ({factor * mean['low']:.{digits}f} to {factor * mean['high']:.{digits}f})"
    of = "" if mean["graphs"] == group["graphs"] else f" of {mean['graphs']}"
    return f"{factor * mean['value']:.{digits}f}{interval}{of}"


def quoted(before: str, text: str) -> list[str]:
    """Lines for `say`: `before`, then a text of a pass. Its further lines are indented, so none looks like ours."""
    first, *more = text.splitlines() or [""]
    return [f"{before}{first}", *(f"    {line}" for line in more)]
