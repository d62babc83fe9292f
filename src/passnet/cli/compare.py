"""`passnet compare`: runs side by side, graph by graph, regressions first. Imports no torch.

The document is described in `report/compare/comparison.py`. Exit code 1: a regression, with `--fail-on-regression`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from passnet.cli.console import number, print_json, print_table, say
from passnet.cli.options import AsJson
from passnet.errors import counted

if TYPE_CHECKING:
    from passnet.report.compare.changes import Change
    from passnet.report.compare.comparison import RunComparison
    from passnet.report.compare.pairing import PairedGraph

_SHOWN = 20


def command(
    runs: list[Path] = typer.Argument(..., metavar="A B...", help="Run directories. Each is compared with the first."),
    *,
    threshold: float = typer.Option(0.03, min=0.0, max=0.9, help="Changes of a graph below this are no regression."),
    csv: Path | None = typer.Option(None, help="Write all graphs to this CSV file."),
    every: bool = typer.Option(False, "--all", help=f"Print every regression and change, not the first {_SHOWN}."),
    fail_on_regression: bool = typer.Option(False, help="Exit with 1 when a graph became surely slower, or wrong."),
    as_json: AsJson = False,
) -> None:
    """Compare runs graph by graph: what became slower or wrong, by how much, and what changed around it."""
    from passnet.errors import UsageError
    from passnet.report.compare.comparison import COLUMNS, compare_runs, comparison_document
    from passnet.report.csv_text import csv_text
    from passnet.writing import refuse_file_of, write_atomic

    if len(runs) < 2:
        raise UsageError("one run alone", expected="two runs or more", hint="passnet compare runs/OLD runs/NEW")
    if csv is not None:
        refuse_file_of(csv, runs)
    found = compare_runs(runs, threshold)
    if csv is not None:
        write_atomic(csv, csv_text(COLUMNS, (row for one in found for row in one.rows())))
    if as_json:
        print_json(comparison_document(found))
    else:
        for one in found:
            _print(one, None if every else _SHOWN)
    regressions = sum(len(one.regressions) for one in found)
    if fail_on_regression and regressions:
        say(f"regressions: {regressions}", err=True)
        raise typer.Exit(1)


def _print(found: RunComparison, most: int | None) -> None:
    say(f"A {found.a.path}", f"B {found.b.path}", "")
    _print_pairs("regressions", found.regressions, most)
    _print_pairs("improvements", found.improvements, most)
    _print_pairs("no verdict in one of the runs, not the candidate's failure", found.undecided, most)
    for title, rows in (
        ("environment", found.changes.environment),
        ("protocol", found.changes.protocol),
        ("settings", found.changes.settings),
    ):
        _print_changes(title, rows, most)
    if found.changes.passes:
        say(f"another pass set: {_names(found.changes.passes)}")
    for note in found.notes():
        say(f"note: {note}")
    for title, names in (
        ("only in A", found.paired.only_in_a),
        ("only in B", found.paired.only_in_b),
        ("same name, other content", found.paired.different),
    ):
        if names:
            say(f"{title}: {counted(len(names), 'graph')}: {_names(names)}")
    say(*_summary(found))


def _summary(found: RunComparison) -> list[str]:
    document = found.to_json()
    ratio, ends = document["ratio"], document["ratio"]["ci"]
    if ratio["gmean"] is None:
        return ["no graph is right and timed in both runs: there is no ratio"]
    interval = f"95 % interval {ends[0]:.4f} to {ends[1]:.4f}, p = {ratio['p_value']:.2g}" if ends else "one task alone"
    alike = document["agreement"]
    return [
        "",
        f"B over A {ratio['gmean']:.4f} ({interval}) over {counted(document['graphs'], 'graph')} "
        f"of {counted(document['tasks'], 'task')}",
        f"{counted(len(found.regressions), 'regression')}, {counted(len(found.improvements), 'improvement')}; "
        f"the same outcome on {100 * alike['same_outcome']:.1f} %, times agree within their intervals on "
        f"{100 * alike['within_interval']:.1f} %",
    ]


def _print_pairs(title: str, pairs: Sequence[PairedGraph], most: int | None) -> None:
    if not pairs:
        if title == "regressions":
            say("no regressions", "")
        return
    columns = (f"{title} ({len(pairs)})", "what", "A", "B", "B / A", "95 % interval", "p, corrected")
    print_table("", columns, [_row(pair) for pair in pairs[:most]])
    left = len(pairs) - len(pairs[:most])
    say(*([f"and {left} more; --all prints them, --csv FILE writes them"] if left else []), "")


def _row(pair: PairedGraph) -> tuple[str, ...]:
    changed = pair.a.outcome != pair.b.outcome
    what = f"{pair.a.outcome} -> {pair.b.outcome}" if changed else pair.verdict.value
    ratio = pair.ratio
    return (
        pair.name,
        what,
        number(pair.a.speed.centre if pair.a.speed else None),
        number(pair.b.speed.centre if pair.b.speed else None),
        number(ratio.centre if ratio else None),
        f"{ratio.low:.3f} to {ratio.high:.3f}" if ratio else "-",
        f"{pair.adjusted:.2g}" if pair.adjusted is not None else "-",
    )


def _print_changes(title: str, rows: Mapping[str, Change], most: int | None) -> None:
    from passnet.report.compare.changes import shown

    if not rows:
        return
    cells = [(shown(name), *map(shown, values)) for name, values in rows.items()]
    print_table("", (f"changed: {title}", "A", "B"), cells[:most])
    left = len(cells) - len(cells[:most])
    say(*([f"and {left} more; --all prints them"] if left else []), "")


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(names[:5])
    return shown + (f" and {len(names) - 5} more" if len(names) > 5 else "")
