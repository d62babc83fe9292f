"""`passnet tasks`: the tasks that come with the package: lists them, shows one, copies some to a directory.

JSON, schema 1. list: {"schema", "tasks": [{"task", "split", "kind", "regime", "graphs", "dtypes", "operators", "model",
"largest_bytes", "passes"}]}.  show: such a row, with "path", "variants": [{"graph", "inputs": [{"name", "shape",
"dtype"}]}], "files" (of its passes) and "source" (of the first graph).  export: {"schema", "out", "tasks": {NAME:
PATH}}.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from passnet.cli.console import print_json, print_table, say, say_text
from passnet.cli.options import AsJson
from passnet.errors import UsageError, counted
from passnet.graph import bundled

if TYPE_CHECKING:
    from passnet.graph import Graph
    from passnet.graph.bundled import ShippedTask

SCHEMA = 1

app = typer.Typer(help="Bundled tasks: every command that takes a task takes their names too.", no_args_is_help=True)

_SPLIT = typer.Option(None, help=f"Only this split, one of: {', '.join(bundled.SPLITS)}.")
_KIND = typer.Option(None, help="Only this kind: subgraph, fusible or typical.")
_REGIME = typer.Option(None, help=f"Only this regime on a large GPU, estimated, one of: {', '.join(bundled.REGIMES)}.")


@app.command("list")
def list_(
    split: str | None = _SPLIT, kind: str | None = _KIND, regime: str | None = _REGIME, as_json: AsJson = False
) -> None:
    """Names and properties of the bundled tasks. The names of splits, and `demo`, stand for all tasks in them."""
    found = bundled.select(split=split, kind=kind, regime=regime)
    if as_json:
        print_json({"schema": SCHEMA, "tasks": [row.to_json() for row in found]})
        return
    rows = [
        (row.task, row.split, row.kind, row.regime, str(row.graphs), str(row.operators), str(row.passes), row.model)
        for row in found
    ]
    print_table("", ("task", "split", "kind", "regime", "graphs", "operators", "passes", "model"), rows)
    say(
        "",
        f"{counted(len(found), 'task')}; `passnet eval NAME` takes a name; {', '.join(bundled.SETS)} name several",
    )


@app.command("show")
def show(name: str = typer.Argument(..., metavar="NAME", help="A task."), as_json: AsJson = False) -> None:
    """One bundled task: its variants, its passes, and the source of its first graph."""
    if name in bundled.SETS:
        raise UsageError(f"{name!r} names several tasks", expected="one task", hint="`passnet tasks list` names them")
    (row,) = bundled.select([name])
    document = _document(row)
    print_json({"schema": SCHEMA, **document}) if as_json else _print(document)


@app.command("export")
def export(
    names: list[str] | None = typer.Argument(None, metavar="NAME...", help="Tasks or splits. Default: all."),
    out: Path = typer.Option(..., help="Directory for the copies: OUT/NAME."),
    split: str | None = _SPLIT,
    kind: str | None = _KIND,
    regime: str | None = _REGIME,
    overwrite: bool = typer.Option(False, "--overwrite", help="Replace copies that are there."),
    as_json: AsJson = False,
) -> None:
    """Copy bundled tasks with their passes, to read and to change."""
    found = bundled.select(names or (), split=split, kind=kind, regime=regime)
    places = bundled.export(found, out, overwrite=overwrite)
    if as_json:
        print_json({"schema": SCHEMA, "out": str(out), "tasks": {place.name: str(place) for place in places}})
        return
    say(f"{counted(len(places), 'task')} in {out}")


def _document(row: ShippedTask) -> dict[str, Any]:
    from passnet.graph import Task

    task = Task.read(row.path)
    variants = [{"graph": ref.name, "inputs": _inputs(ref.load())} for ref in task.refs]
    files = sorted(path.name for path in task.pass_dir.glob("*.py")) if task.pass_dir.is_dir() else []
    source = (task.refs[0].path / "model.py").read_text(encoding="utf-8")
    return {**row.to_json(), "path": str(row.path), "variants": variants, "files": files, "source": source}


def _inputs(graph: Graph) -> list[dict[str, object]]:
    return [{"name": spec.name, "shape": list(spec.shape), "dtype": spec.dtype} for spec in graph.specs]


def _print(found: dict[str, Any]) -> None:
    say(f"{found['task']}: {found['operators']} operators of {found['model']}")
    say(f"split {found['split']}, kind {found['kind']}, regime {found['regime']} (estimated)")
    say(f"passes: {', '.join(found['files']) or 'none'}", f"in {found['path']}", "")
    for variant in found["variants"]:
        shapes = ", ".join(f"{each['name']} {each['dtype']}{each['shape']}" for each in variant["inputs"])
        say(variant["graph"], f"    {shapes}")
    say()
    say_text(found["source"].rstrip())
