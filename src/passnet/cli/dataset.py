"""`passnet dataset`: builds a dataset from models, shows, splits and checks it, and converts it to other formats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from passnet.cli.console import one_of, print_json, say, say_text
from passnet.cli.progress import TimeLeft, in_words, text_column
from passnet.errors import UsageError

if TYPE_CHECKING:
    from passnet.dataset.split.assemble import Assembled
    from passnet.dataset.split.split import SplitSettings
    from passnet.dataset.tables.store import Where

KINDS = ("full", "sole_op", "typical", "fusible", "subgraph")
SPLITS = ("train", "eval", "reserve")

app = typer.Typer(help="Build, look at, split, export, import and verify datasets of graphs.", no_args_is_help=True)

_OUT = typer.Argument(..., metavar="OUT", help="A new path.")
_STORE = typer.Argument(..., metavar="STORE", help="A dataset (directory with graphs/*.parquet).")
_OVERWRITE = typer.Option(False, "--overwrite", help="Replace existing files at the new path.")
_JSON = typer.Option(False, "--json", help="One JSON document on standard output.")
_KIND = typer.Option(None, help=f"Only these kinds (repeat): {', '.join(KINDS)}.")
_SPLIT = typer.Option(None, help=f"Only these splits (repeat): {', '.join(SPLITS)}.")
_TASK = typer.Option(None, help="Only these tasks, by id (repeat).")


@app.command("build")
def build(
    out: Path = typer.Argument(..., metavar="OUT", help="Directory of the build; run again on the same one to resume."),
    source: list[str] | None = typer.Option(
        None,
        help="SOURCE, SOURCE:MODEL (with * and ?), module:function, or a path: a tree, a list or a dataset of whole "
        "graphs (repeat). Default: timm, torchvision, transformers.",
    ),
    limit: int | None = typer.Option(None, min=1, help="Only the first N models, families in turn."),
    per_family: int | None = typer.Option(None, min=1, help="At most N models of a family from each library."),
    cut: int | None = typer.Option(
        None, min=1, help="Cut only the first N captured models. Of the others only the whole graphs are stored."
    ),
    eval_tasks: int = typer.Option(200, min=0, help="Evaluation tasks of each kind."),
    folds: int | None = typer.Option(
        None, min=1, help="Patterns that typical subgraphs are folded into. Default: 256."
    ),
    workers: int = typer.Option(2, min=1, help="Processes at a time."),
    unit_seconds: float = typer.Option(120.0, min=1, help="Processor seconds that one model, graph or piece may take."),
    unit_gib: int = typer.Option(6, min=1, help="Memory limit of one model, graph or piece, in GiB."),
    retry: bool = typer.Option(False, "--retry", help="Try again what failed in an earlier run."),
    full_graphs: bool = typer.Option(True, help="Keep the whole graphs of models beside their pieces."),
    as_json: bool = _JSON,
) -> None:
    """Capture models, cut them, vary dtypes and shapes, split, store. Ctrl-C is safe: run the same command to go on."""
    from dataclasses import asdict

    from passnet.dataset.build import BuildSettings, Machine
    from passnet.dataset.build import build as run

    chosen: dict[str, Any] = {} if source is None else {"targets": tuple(source)}
    if folds is not None:
        chosen["folds"] = folds
    settings = BuildSettings(
        limit=limit, per_family=per_family, cut=cut, eval_tasks=eval_tasks, full_graphs=full_graphs, **chosen
    )
    machine = Machine(workers, retry, unit_seconds, unit_gib << 30)
    with _Progress() as progress:
        summary, stored = run(out, settings, machine, progress.report)
    if as_json:
        print_json({"schema": 1, "out": str(out), **asdict(summary), **_assembled(stored)})
        return
    say_text(stored.text())
    say(f"records of all models in {out / 'records.jsonl'}; counts in {out / 'summary.json'}")


@app.command("stats")
def stats(
    store: Path = _STORE,
    records: Path | None = typer.Option(None, help="records.jsonl of the capture, for the table of failures."),
    html: Path | None = typer.Option(None, help="Write the report page here."),
    as_json: bool = _JSON,
) -> None:
    """Operators, sizes, dtypes, domains, families, patterns: as a table, as JSON, or as a page with charts."""
    from passnet.dataset.examine.stats import of_store
    from passnet.dataset.examine.stats_text import text
    from passnet.report.dataset_page import write_dataset_page

    found = of_store(store, records)
    _refuse_empty(store, found.graphs)
    if html is not None:
        write_dataset_page(found, html)
        say(f"report: {html}", err=True)
    print_json({"schema": 1, **found.data()}) if as_json else say_text(text(found))


@app.command("split")
def split(
    store: Path = _STORE,
    out: Path = _OUT,
    fusible: int = typer.Option(200, min=0, help="Evaluation tasks of fusible graphs."),
    typical: int = typer.Option(200, min=0, help="Evaluation tasks of typical graphs."),
    max_lost: float = typer.Option(0.35, min=0, max=1, help="Share of the graphs that training may lose."),
    overwrite: bool = _OVERWRITE,
    as_json: bool = _JSON,
) -> None:
    """Choose new evaluation tasks (long tail first). Train shares no operators, structure or family with them."""
    from passnet.dataset.split.assemble import resplit

    stored = resplit(store, out, split=_settings(fusible, typical, max_lost), overwrite=overwrite)
    print_json({"schema": 1, **_assembled(stored)}) if as_json else say_text(stored.text())


@app.command("export")
def export(
    store: Path = _STORE,
    out: Path = _OUT,
    form: str = typer.Option(
        "tasks",
        help="tasks: task directories; graphs: graph directories; lists, graph-lists: only lists of these; "
        "structures: a smaller dataset of one graph per piece and the evaluation tasks.",
    ),
    kind: list[str] | None = _KIND,
    split: list[str] | None = _SPLIT,
    task: list[str] | None = _TASK,
    overwrite: bool = _OVERWRITE,
    as_json: bool = _JSON,
) -> None:
    """Write published-format directories, or lists (txt, csv, uids) of their graphs, or a smaller dataset."""
    from passnet.dataset.exchange import exporting, lists
    from passnet.dataset.exchange.condense import condense

    one_of("--form", form, ("tasks", "graphs", "lists", "graph-lists", "structures"))
    where = _where(kind, split, task)
    if form == "structures":
        if kind or split or task:
            raise UsageError("--form structures takes the whole dataset", hint="leave out --kind, --split and --task")
        small = condense(store, out, overwrite=overwrite)
        _print({"out": str(out), "graphs": small.graphs, "tasks": small.tasks}, small.text(), as_json)
        return
    if form in ("lists", "graph-lists"):
        of: lists.Of = "tasks" if form == "lists" else "graphs"
        files = lists.write_lists(store, out, of=of, where=where, overwrite=overwrite)
        _print({"files": [str(file) for file in files]}, f"{len(files)} lists in {out}", as_json)
        return
    found = exporting.export(
        store, out, where=where, form="tasks" if form == "tasks" else "graphs", overwrite=overwrite
    )
    _print({"out": str(out), "graphs": found.graphs, "tasks": found.tasks}, found.text(), as_json)


@app.command("import")
def import_(
    tree: Path = typer.Argument(..., metavar="TREE", help="A directory of published graph or task directories."),
    out: Path = _OUT,
    overwrite: bool = _OVERWRITE,
    as_json: bool = _JSON,
) -> None:
    """Store a published tree without losing anything. Files that cannot be read are listed, and the exit code is then
    1.
    """
    from passnet.dataset.exchange.importing import import_tree

    found = import_tree(tree, out, overwrite=overwrite)
    refused = [{"path": item.path, "reason": item.reason} for item in found.refused]
    _print({**_assembled(found.store), "refused": refused}, found.text(), as_json)
    if refused:
        raise typer.Exit(1)


@app.command("verify")
def verify(
    store: Path = _STORE,
    sample: int = typer.Option(0, min=0, help="Graphs, evenly spread, whose shapes are also propagated."),
    every: int = typer.Option(
        1, min=1, help="Rebuild and hash only every N-th graph. All tasks and the split are checked."
    ),
    as_json: bool = _JSON,
) -> None:
    """Check every row, hash, task and the split. Exit code 1 when anything is wrong."""
    from passnet.dataset.examine.verify_store import verify as run

    found = run(store, sample=sample, every=every)
    problems = [{"check": item.check, "where": item.where, "what": item.what} for item in found.problems]
    document = {"ok": found.ok, "checked": dict(found.counts), "propagated": found.ran, "problems": problems}
    _print(document, found.text(), as_json)
    if not found.ok:
        raise typer.Exit(1)


@app.command("decontaminate")
def decontaminate(
    train: Path = typer.Argument(..., metavar="TRAIN", help="A dataset, Parquet file, tree or list."),
    evaluation: Path = typer.Argument(..., metavar="EVAL", help="The same."),
    store: Path | None = typer.Option(None, help="Dataset in which the entries of lists are looked up."),
    as_json: bool = _JSON,
) -> None:
    """Whether two sets share an operator sequence, a structure or a model family. Exit code 1 when they do."""
    from passnet.dataset.examine.decontaminate import check

    found = check(train, evaluation, store=store)
    for path, graphs in ((train, found.train_graphs), (evaluation, found.eval_graphs)):
        if not found.refused:
            _refuse_empty(path, graphs)
    rows = [{"property": v.property, "value": v.value, "train": v.train, "eval": v.eval} for v in found.violations]
    _print({"clean": found.clean, "violations": rows}, found.text(), as_json)
    if not found.clean:
        raise typer.Exit(1)


def _refuse_empty(path: Path, graphs: int) -> None:
    if not graphs:
        raise UsageError("holds no graph, so nothing can be said of it", path=path)


def _print(document: dict[str, Any], text: str, as_json: bool) -> None:
    print_json({"schema": 1, **document}) if as_json else say_text(text)


def _assembled(stored: Assembled) -> dict[str, Any]:
    def table(counts: Any) -> list[dict[str, Any]]:
        return [
            {"split": split or None, "kind": kind, "count": count} for (split, kind), count in sorted(counts.items())
        ]

    return {
        "dataset": str(stored.path),
        "graphs": table(stored.graphs),
        "tasks": table(stored.tasks),
        "held_out": list(stored.held_out),
        "duplicates": stored.duplicates,
    }


def _settings(fusible: int, typical: int, max_lost: float) -> SplitSettings:
    from passnet.dataset.split.split import SplitSettings

    return SplitSettings(wanted={"fusible": fusible, "typical": typical}, max_lost=max_lost)


def _where(kinds: list[str] | None, splits: list[str] | None, tasks: list[str] | None) -> Where:
    from passnet.dataset.tables.store import Where

    for kind in kinds or ():
        one_of("--kind", kind, KINDS)
    for split in splits or ():
        one_of("--split", split, SPLITS)
    return Where(
        kinds=frozenset(kinds) if kinds else None,
        splits=frozenset(splits) if splits else None,
        task_ids=frozenset(tasks) if tasks else None,
    )


class _Progress:
    """Stage, units done, rate and time left: a bar on a terminal, a line from time to time elsewhere."""

    _EVERY = 25

    def __enter__(self) -> _Progress:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        columns = (
            text_column(lambda task: f"{task.description:8}"),
            BarColumn(),
            MofNCompleteColumn(),
            text_column(lambda task: task.fields["rate"]),
            TimeRemainingColumn(),
            text_column(lambda task: task.fields["note"]),
        )
        self._bar = Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty())
        self._bar.start()
        self._tasks: dict[str, Any] = {}
        self._left: dict[str, TimeLeft] = {}
        self._since = TimeLeft()
        self._failed = 0
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def report(self, step: Any) -> None:
        """Records one finished unit."""
        self._failed += step.failure is not None
        if step.stage not in self._tasks:
            self._tasks[step.stage] = self._bar.add_task(
                step.stage, total=step.total, completed=step.resumed, rate="", note=""
            )
            self._left[step.stage] = self._since  # a stage begins when the last unit before it ends
        task = self._tasks[step.stage]
        eta = in_words(self._left[step.stage].after(step, kept=False))
        self._since = TimeLeft()
        self._bar.update(task, completed=step.done, note=f"{self._failed} failed" if self._failed else "")
        speed = self._bar.tasks[task].finished_speed or self._bar.tasks[task].speed
        self._bar.update(task, rate=f"{60 * speed:.0f}/min" if speed else "")
        if self._bar.disable and (step.failure or step.done % self._EVERY == 0 or step.done == step.total):
            told = f"{step.key} {step.failure or ''}".rstrip()
            failed = f", {self._failed} failed" if self._failed else ""
            say(f"{step.stage} [{step.done}/{step.total}{failed}] {told}{f' ({eta})' if eta else ''}", err=True)
