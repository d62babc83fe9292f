"""`passnet capture`: the graphs of library models or of a factory of one's own, as published-format directories."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from passnet.cli.console import one_of, print_json, print_table
from passnet.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from passnet.dataset.capture_run import Model, Step
    from passnet.dataset.model_record import ModelRecord

METHODS = ("real", "fake", "meta")


def command(
    targets: list[str] = typer.Argument(
        ..., metavar="TARGET...", help="SOURCE, SOURCE:MODEL (with * and ?), or module:function of your own."
    ),
    out: Path | None = typer.Option(None, help="Directory that receives the graphs and records.jsonl."),
    method: str | None = typer.Option(
        None, help=f"Only this way, one of: {', '.join(METHODS)}. Default: as they work."
    ),
    limit: int | None = typer.Option(None, min=1, help="Only the first N models."),
    workers: int = typer.Option(1, min=1, help="Models at a time, each in a process of its own."),
    timeout: float = typer.Option(300.0, min=1, help="Seconds that one model may take."),
    memory_gb: float = typer.Option(8.0, min=1, help="Memory that one model may take beyond the libraries, in GiB."),
    names: bool = typer.Option(False, "--list", help="Print the names of the models and stop."),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
) -> None:
    """Capture models with random weights: one directory per graph, one record per model; run again to resume."""
    if method is not None:
        one_of("--method", method, METHODS)
    from passnet.dataset.capture_run import chosen, run
    from passnet.dataset.forks import Bounds

    models = chosen(targets, limit)
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


def _capture(steps: Iterable[Step]) -> list[ModelRecord]:
    records = []
    with _progress(enabled=sys.stderr.isatty()) as report:
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


def _progress(*, enabled: bool) -> AbstractContextManager[Callable[[Step], None]]:
    return _Bar() if enabled else nullcontext(_line)


def _line(step: Step) -> None:
    record = step.record
    what = f"{record.graphs} graph(s), {record.ops} ops, {record.method}" if record.graphs else record.reason
    kept = " (kept)" if step.resumed else ""
    typer.echo(f"[{step.done}/{step.total}] {record.key}: {record.outcome}{kept}: {what}", err=True)


class _Bar(AbstractContextManager[Any]):
    """A progress bar with time left on standard error."""

    def __enter__(self) -> Callable[[Step], None]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        # No thread of its own beside the processes that are forked.
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
        self._bar.start()
        self._task = self._bar.add_task("building the first model", total=None)
        return self._advance

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def _advance(self, step: Step) -> None:
        words = f"{step.record.key}: {step.record.outcome}"
        self._bar.update(self._task, total=step.total, completed=step.done, description=words, refresh=True)


def _print_names(models: Sequence[Model], *, as_json: bool) -> None:
    if as_json:
        print_json({"schema": 1, "models": [model.key for model in models]})
    for model in () if as_json else models:
        typer.echo(model.key)


def _print_json(records: Sequence[ModelRecord], out: Path) -> None:
    from passnet.dataset.capture_run import document

    print_json(document(records, out))


def _print(records: Sequence[ModelRecord], out: Path) -> None:
    from passnet.dataset.capture_run import failures

    libraries = sorted({record.library for record in records})
    print_table(
        "", ("source", "tried", "captured", "whole", "graphs", "ops"), [_row(one, records) for one in libraries]
    )
    rows = [(stage, str(count), cluster, example) for stage, cluster, count, example in failures(records)]
    if rows:
        typer.echo("")
        print_table("failures", ("stage", "models", "reason", "for example"), rows)
    typer.echo(f"\ngraphs and records in {out}")


def _row(library: str, records: Sequence[ModelRecord]) -> tuple[str, ...]:
    own = [record for record in records if record.library == library]
    captured = [record for record in own if record.outcome == "captured"]
    numbers = (len(own), len(captured), sum(record.complete for record in captured))
    return (library, *(str(n) for n in (*numbers, sum(r.graphs for r in captured), sum(r.ops for r in captured))))
