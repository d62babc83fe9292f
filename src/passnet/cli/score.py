"""`passnet score`: score again what was measured before; a table or the machine contract.  Imports no torch.

JSON, schema 1: {"schema", "graphs", "scored", "excluded", "outcomes", "AS", "solved", "AS_solved",
"solved_reason" (null, or why there is neither), "ES", "S", "params": {"b", "p",
"interpretation", "weights", "keep_reference_errors"}, "tasks", "benchmark", "source": {"kind": "log" | "run", "path",
for a run "compiler", "device", "tamper_proof"}, "statuses" (of a log: upstream's own), "notes"}.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from passnet.cli.console import number, print_json, print_table, solved_line

if TYPE_CHECKING:
    from passnet.bench.record.rescore import Rescored

_SHOWN = 5
# Name in the document -> its words, and the factor and digits for printing.
_FIGURES: Mapping[str, tuple[str, float, int]] = {
    "AS_gmean": ("AS, geometric mean over tasks", 1, 3),
    "AS_mean": ("AS, arithmetic mean over tasks", 1, 3),
    "AS_pooled": ("AS over all graphs", 1, 3),
    "speedup_gmean": ("G-mean speedup of correct graphs", 1, 3),
    "subgraph_correct": ("graphs correct %", 100, 1),
    "task_correct": ("tasks with every graph correct %", 100, 1),
    "fast_1": ("fast_1 %", 100, 1),
    "fast_1_2": ("fast_1.2 %", 100, 1),
    "slower": ("slower than eager %", 100, 1),
    "solved": ("solved %", 100, 1),
    "AS_solved_gmean": ("AS with ties floored, geometric mean over tasks", 1, 3),
    "AS_solved_pooled": ("AS with ties floored, over all graphs", 1, 3),
}


def command(
    path: Path = typer.Argument(..., metavar="PATH", help="Run directory, or validation log of the upstream harness."),
    *,
    b: float = typer.Option(0.1, "-b", help="What a failure is worth, 0 < b <= 1."),
    p: float = typer.Option(0.0, "-p", help="Slowdown penalty: a slowdown s counts as s^(p+1)."),
    interpretation: str = typer.Option("default", help="Which levels forgive what: default or mismatch_extended."),
    weights: Path | None = typer.Option(None, help="Weights of the levels: JSON, or a Python file read as a literal."),
    keep_reference_errors: bool | None = typer.Option(
        None,
        "--keep-reference-errors/--drop-reference-errors",
        help="Score graphs whose reference failed as b. Default: yes for a log, no for a run.",
    ),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
) -> None:
    """Score a run directory or a log of the upstream harness. Nothing is run."""
    from passnet.bench.record.rescore import Options, rescore

    found = rescore(path, Options(b, p, interpretation, weights, keep_reference_errors))
    if as_json:
        print_json(found.document)
        _warn(found)
        return
    _print(found.document)
    _warn(found)


def _warn(found: Rescored) -> None:
    """Prints graphs that do not count and odd facts about the source. They go to standard error, so that
    they are seen.
    """
    for outcome, graphs in found.left_out.items():
        names = ", ".join(graphs[:_SHOWN]) + (f" and {len(graphs) - _SHOWN} more" if len(graphs) > _SHOWN else "")
        typer.echo(
            f"LEFT OUT of the score: {len(graphs)} with {outcome}, not the candidate's failure: {names}", err=True
        )
    for note in found.measured.notes:
        typer.echo(f"note: {note}", err=True)


def _print(document: dict[str, Any]) -> None:
    levels = [(t, number(document["ES"][t], 4), number(document["S"][t], 4)) for t in document["ES"]]
    print_table("", ("t", "ES(t)", "S(t)"), levels)
    typer.echo("")
    print_table("", ("outcome", "graphs"), [(name, str(count)) for name, count in document["outcomes"].items()])
    typer.echo("")
    if len(document["tasks"]) > 1:
        _print_benchmark(document)
    params = document["params"]
    kept = "counted" if params["keep_reference_errors"] else "left out"
    typer.echo(f"AS {document['AS']:.4f} over {document['scored']} of {document['graphs']} graphs")
    typer.echo(solved_line(document))
    typer.echo(
        f"b = {params['b']:g}, p = {params['p']:g}, interpretation {params['interpretation']}, reference errors {kept}"
    )


def _print_benchmark(document: dict[str, Any]) -> None:
    tasks = [
        (name, number(task["AS"]), number(task["solved"], 2), number(task["AS_solved"]), str(task["graphs"]))
        for name, task in document["tasks"].items()
    ]
    print_table("", ("task", "AS", "solved", "ties floored", "graphs"), tasks)
    typer.echo("")
    figures = document["benchmark"]
    rows = [
        (words, number(_times(figures[name]["value"], factor), digits), _interval(figures[name], factor, digits))
        for name, (words, factor, digits) in _FIGURES.items()
    ]
    print_table(f"{figures['tasks']} tasks", ("figure", "value", "95 % interval"), rows)
    typer.echo("")
    _print_published()


def _print_published() -> None:
    from passnet.bench.record.rescore import PUBLISHED

    rows = [
        (row.system, number(row.aggregated), number(row.speedup_gmean), number(100 * row.subgraph_correct, 1),
         number(100 * row.fast_1, 1))
        for row in PUBLISHED
    ]  # fmt: skip
    title = "published: one A30, 200 tasks; compare ratios to TorchInductor on the same machine, not numbers"
    print_table(title, ("system", "AS", "G-mean speedup", "graphs correct %", "fast_1 %"), rows)
    typer.echo("")


def _interval(figure: dict[str, float | None], factor: float, digits: int) -> str:
    if figure["low"] is None:
        return "-"
    return f"{number(_times(figure['low'], factor), digits)} to {number(_times(figure['high'], factor), digits)}"


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor
