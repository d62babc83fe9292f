"""`passnet capture`: writes the graphs of library models, or of your own factory, as published-format directories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from passnet.cli.console import one_of, print_json, print_table, say
from passnet.cli.progress import progress
from passnet.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from passnet.dataset.capture.record import ModelRecord
    from passnet.dataset.capture.run import CaptureStep
    from passnet.dataset.capture.targets import Model

METHODS = ("real", "fake", "meta")


def command(
    targets: list[str] = typer.Argument(
        ..., metavar="TARGET...", help="SOURCE, SOURCE:MODEL (with * and ?), or module:function of your own."
    ),
    out: Path | None = typer.Option(None, help="Directory that receives the graphs and records.jsonl."),
    method: str | None = typer.Option(
        None, help=f"Only this method, one of: {', '.join(METHODS)}. Default: the first that works."
    ),
    limit: int | None = typer.Option(None, min=1, help="Only the first N models."),
    workers: int = typer.Option(1, min=1, help="Number of models at a time, each in its own process."),
    timeout: float = typer.Option(300.0, min=1, help="Seconds that one model may take."),
    memory_gb: float = typer.Option(8.0, min=1, help="Memory that one model may take beyond the libraries, in GiB."),
    names: bool = typer.Option(False, "--list", help="Print the names of the models and stop."),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
) -> None:
    """Capture models with random weights: one directory per graph, one record per model. Run again to resume."""
    if method is not None:
        one_of("--method", method, METHODS)
    from passnet.dataset.capture.run import run
    from passnet.dataset.capture.targets import chosen
    from passnet.dataset.forks import Bounds

    models = chosen(targets)[:limit]
    if names:
        _print_names(models, as_json=as_json)
        return
    if out is None:
        raise UsageError("nowhere to write to", field="--out", expected="a directory")
    bounds = Bounds(timeout, int(memory_gb * 2**30))
    methods: Any = None if method is None else (method,)
    records = _capture(run(models, out, methods, bounds=bounds, workers=workers))
    _print_json(records, out) if as_json else _print(records, out)
    if not any(record.outcome == "captured" for record in records):
        raise typer.Exit(1)


def _capture(steps: Iterable[CaptureStep]) -> list[ModelRecord]:
    records = []
    with progress("building the first model", _words, _line) as report:
        for step in steps:
            report(step)
            records.append(step.record)
            _require_usable(step.record)
    return records


def _require_usable(record: ModelRecord) -> None:
    """A factory that returns no model is the user's mistake, not a model's failure."""
    kind, _, what = (record.reason or "").partition(": ")
    if record.library == "user" and kind == "UsageError":
        raise UsageError(what)


def _words(step: CaptureStep) -> str:
    return f"{step.record.key}: {step.record.outcome}"


def _line(step: CaptureStep) -> str:
    record = step.record
    what = f"{record.graphs} graph(s), {record.ops} ops, {record.method}" if record.graphs else record.reason
    kept = " (kept)" if step.resumed else ""
    return f"{record.key}: {record.outcome}{kept}: {what}"


def _print_names(models: Sequence[Model], *, as_json: bool) -> None:
    if as_json:
        print_json({"schema": 1, "models": [model.key for model in models]})
    for model in () if as_json else models:
        say(model.key)


def _print_json(records: Sequence[ModelRecord], out: Path) -> None:
    from passnet.dataset.capture.run import document

    print_json(document(records, out))


def _print(records: Sequence[ModelRecord], out: Path) -> None:
    from passnet.dataset.capture.run import failures

    libraries = sorted({record.library for record in records})
    print_table(
        "", ("source", "tried", "captured", "whole", "graphs", "ops"), [_row(one, records) for one in libraries]
    )
    rows = [(stage, str(count), cluster, example) for stage, cluster, count, example in failures(records)]
    if rows:
        say()
        print_table("failures", ("stage", "models", "reason", "for example"), rows)
    say("", f"graphs and records in {out}")


def _row(library: str, records: Sequence[ModelRecord]) -> tuple[str, ...]:
    own = [record for record in records if record.library == library]
    captured = [record for record in own if record.outcome == "captured"]
    numbers = (len(own), len(captured), sum(record.complete for record in captured))
    return (library, *(str(n) for n in (*numbers, sum(r.graphs for r in captured), sum(r.ops for r in captured))))
