"""`passnet score`: scores earlier measurements again. Prints a table or the machine contract.  Imports no torch.

JSON, schema 1: {"schema", "graphs", "scored", "excluded", "outcomes", "AS", "solved", "AS_solved",
"solved_reason" (null, or why there is neither), "ES", "S", "params": {"b", "p",
"interpretation", "weights", "keep_reference_errors"}, "tasks", "benchmark", "conventions" (null for a log),
"source": {"kind": "log" | "run", "path", for a run "compiler", "device", "tamper_proof"}, "statuses" (of a log:
upstream's own), "notes"}. With `--by`: "groups": {grouping: {group: {"graphs", "scored", "tasks", "AS", and figures
with intervals}}}. Several paths: {"schema", "runs": [the same of each]}.

"conventions": {"all", "launch", "mixed", "work", "unknown": {"graphs" (right ones), and for each of "direct",
"deployed", "captured", "device", "cold", "published", "eager_bound_share", "bound_share": {"graphs" (that have it),
"value" (geometric mean, null without any), "low", "high"}}}.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from passnet.cli.console import number, one_of, print_conventions, print_json, print_table, say, solved_line
from passnet.errors import UsageError, counted

if TYPE_CHECKING:
    from passnet.bench.record.rescore import Rescored

SCHEMA = 1
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
    paths: list[Path] = typer.Argument(
        ..., metavar="PATH...", help="Run directories, or validation logs of the upstream harness."
    ),
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
    by: list[str] = typer.Option([], help="Also by group: domain, dtype, kind, regime or difficulty. Repeatable."),
    tasks: list[Path] = typer.Option([], help="With --by: where the tasks lie. Default: where the run had them."),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
) -> None:
    """Score run directories or logs of the upstream harness, side by side if several. Nothing is run."""
    from passnet.bench.record.rescore import Options, rescore
    from passnet.report.groups import GROUPINGS

    for name in by:
        one_of("--by", name, GROUPINGS, "grouping")
    _refuse_twice(paths)
    options = Options(b, p, interpretation, weights, keep_reference_errors)
    found = [rescore(path, options, lambda line: say(line, err=True)) for path in paths]
    documents = [_with_groups(one, path, by, tasks) for one, path in zip(found, paths, strict=True)]
    if as_json:
        print_json(documents[0] if len(documents) == 1 else {"schema": SCHEMA, "runs": documents})
    elif len(documents) == 1:
        _print(documents[0])
    else:
        _print_side_by_side(documents)
    if not as_json:
        _print_all_conventions(documents)
        for name in by:
            _print_groups(documents, name)
    for one in found:
        _warn(one)
    if len({frozenset(one.counted) for one in found}) > 1:
        say("note: these runs do not count the same graphs; `passnet compare` pairs those that both have", err=True)


def _refuse_twice(paths: Sequence[Path]) -> None:
    from passnet.bench.record.run import given_twice

    twice = given_twice(paths)
    if twice is not None:
        raise UsageError("is given twice", path=twice, hint="give each run once")


def _with_groups(found: Rescored, path: Path, by: Sequence[str], tasks: Sequence[Path]) -> dict[str, Any]:
    if not by:
        return found.document
    from passnet.report.groups import FROM_TASKS, GroupFacts, group_scores
    from passnet.report.recorded import read_recorded
    from passnet.report.run_tasks import run_tasks

    facts = GroupFacts()
    if path.is_dir():
        run = read_recorded(path)
        facts = GroupFacts.of(run, run_tasks(run, tasks) if FROM_TASKS.intersection(by) else None)
    groups = {name: group_scores(found.measured.results, name, facts, found.params) for name in by}
    return found.document | {"groups": groups}


def _print_side_by_side(documents: Sequence[dict[str, Any]]) -> None:
    """A column for each run, a row for each figure with its interval over tasks."""
    rows = [
        (words, *(_cell(document["benchmark"][name], factor, digits) for document in documents))
        for name, (words, factor, digits) in _FIGURES.items()
    ]
    counts = ("graphs that count", *(f"{document['scored']} of {document['graphs']}" for document in documents))
    print_table("", ("figure, 95 % interval over tasks", *_names(documents)), [counts, *rows])
    say()


def _print_groups(documents: Sequence[dict[str, Any]], by: str) -> None:
    """AS over the graphs of each group, a column for each run. "unknown" comes last."""
    groups = dict.fromkeys(group for document in documents for group in document["groups"][by])
    ordered = sorted(groups, key=lambda group: group == "unknown")
    rows = []
    for group in ordered:
        own = [document["groups"][by].get(group) for document in documents]
        most = max(row["graphs"] for row in own if row is not None)
        cells = [_cell(row["AS_pooled"], 1, 3) if row is not None else "-" for row in own]
        rows.append((group, str(most), *cells))
    print_table("", (by, "graphs", *(f"AS {name}" for name in _names(documents))), rows)
    say()


def _print_all_conventions(documents: Sequence[dict[str, Any]]) -> None:
    """A table for each run. A log does not name its convention."""
    for name, document in zip(_names(documents), documents, strict=True):
        if document["conventions"] is not None:
            say()
            print_conventions(document["conventions"], name if len(documents) > 1 else "")
            say()


def _names(documents: Sequence[dict[str, Any]]) -> list[str]:
    """The last parts of the paths where they differ, else the paths."""
    paths = [document["source"]["path"] for document in documents]
    last = [Path(path).name or path for path in paths]
    return last if len(set(last)) == len(last) else paths


def _cell(found: dict[str, float | None], factor: float, digits: int) -> str:
    value, interval = number(_times(found["value"], factor), digits), _interval(found, factor, digits)
    return f"{value} ({interval})" if interval != "-" else value


def _warn(found: Rescored) -> None:
    """Prints graphs that do not count and odd facts about the source. They go to standard error, so that
    they are seen.
    """
    for outcome, graphs in found.left_out.items():
        names = ", ".join(graphs[:_SHOWN]) + (f" and {len(graphs) - _SHOWN} more" if len(graphs) > _SHOWN else "")
        say(f"LEFT OUT of the score: {len(graphs)} with {outcome}, not the candidate's failure: {names}", err=True)
    for note in found.measured.notes:
        say(f"note: {note}", err=True)


def _print(document: dict[str, Any]) -> None:
    levels = [(t, number(document["ES"][t], 4), number(document["S"][t], 4)) for t in document["ES"]]
    print_table("", ("t", "ES(t)", "S(t)"), levels)
    say()
    print_table("", ("outcome", "graphs"), [(name, str(count)) for name, count in document["outcomes"].items()])
    say()
    if len(document["tasks"]) > 1:
        _print_benchmark(document)
    params = document["params"]
    kept = "counted" if params["keep_reference_errors"] else "left out"
    say(f"AS {document['AS']:.4f} over {document['scored']} of {document['graphs']} graphs")
    say(solved_line(document))
    say(f"b = {params['b']:g}, p = {params['p']:g}, interpretation {params['interpretation']}, reference errors {kept}")


def _print_benchmark(document: dict[str, Any]) -> None:
    tasks = [
        (name, number(task["AS"]), number(task["solved"], 2), number(task["AS_solved"]), str(task["graphs"]))
        for name, task in document["tasks"].items()
    ]
    print_table("", ("task", "AS", "solved", "ties floored", "graphs"), tasks)
    say()
    figures = document["benchmark"]
    rows = [
        (words, number(_times(figures[name]["value"], factor), digits), _interval(figures[name], factor, digits))
        for name, (words, factor, digits) in _FIGURES.items()
    ]
    print_table(counted(figures["tasks"], "task"), ("figure", "value", "95 % interval"), rows)
    say()
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
    say()


def _interval(figure: dict[str, float | None], factor: float, digits: int) -> str:
    if figure["low"] is None:
        return "-"
    return f"{number(_times(figure['low'], factor), digits)} to {number(_times(figure['high'], factor), digits)}"


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor
