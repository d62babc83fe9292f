"""Writes a stored dataset as directories of the published format: graphs at their paths, or task directories."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal

from passnet.dataset.tables import store
from passnet.dataset.tables.fitting import rows_of
from passnet.dataset.tables.rows import Row
from passnet.dataset.tables.store import Where
from passnet.dataset.tables.task_row import TaskRow, task_id_of
from passnet.errors import UsageError, counted
from passnet.graph.task import GRAPH_LIST, PASS_DIR
from passnet.writing import make_new, new_directory, write_new

Layout = Literal["graphs", "tasks"]
UIDS = "sample_uids.txt"
GRAPHS, SAMPLES = "graphs", "samples"


@dataclass(frozen=True)
class ExportedDataset:
    """Number of written items. `renamed` are graphs whose place was taken by another graph."""

    path: Path
    graphs: int
    tasks: int
    renamed: tuple[str, ...] = ()

    def text(self) -> str:
        """One line for people."""
        tail = f", {len(self.renamed)} under another name" if self.renamed else ""
        return f"{self.path}: {counted(self.graphs, 'graph')}, {counted(self.tasks, 'task')}{tail}"


def export(
    path: Path | str,
    out: Path | str,
    *,
    where: Where | None = None,
    form: Layout = "graphs",
    overwrite: bool = False,
) -> ExportedDataset:
    """Write the selected graphs of a store below `out`, all or nothing. Memory holds their paths only.

    "graphs": each at its published path.  "tasks": `graphs/<path>`, and for each selected task
    `samples/<kind>_subgraphs/<h[0:2]>/<h[2:4]>/<h>/` with `graph_list.txt`, `sample_uids.txt` and an empty `pass_dir`.
    Only graphs of these tasks are written.  Imported graphs get their own files byte for byte. Errors: `UsageError`
    when nothing is selected or `out` exists (unless `overwrite`).
    """
    if form not in ("graphs", "tasks"):
        raise UsageError(f"unknown layout {form!r}", expected="graphs or tasks")
    tasks = list(store.read_tasks(path, where)) if form == "tasks" else []
    wanted = _members(where, tasks) if form == "tasks" else where
    with new_directory(Path(out), overwrite=overwrite, read=[Path(path)]) as directory:
        home = make_new(directory, GRAPHS) if form == "tasks" else directory
        places = _Places(GRAPHS if form == "tasks" else "")
        with rows_of(path):
            for row in store.read_rows(path, wanted):
                _write(row, home, places.take(row))
        if not places.of_uid:
            raise UsageError("nothing is selected", path=path, hint="`passnet dataset stats` says what the store holds")
        written = sum(_write_task(task, directory, places) for task in tasks)
    return ExportedDataset(Path(out), len(places.of_uid), written, tuple(places.renamed))


def _members(where: Where | None, tasks: list[TaskRow]) -> Where:
    """The graphs of the tasks that `where` selects."""
    uids = frozenset(uid for task in tasks for uid in task.uids)
    if where is None:
        return Where(uids=uids)
    return Where(dtypes=where.dtypes, libraries=where.libraries, uids=uids if where.uids is None else uids & where.uids)


class _Places:
    """Uid -> the place that its graph was written to, unlike every other and inside none.

    `dropped`: a directory at the start of a path that is the home of all places anyway.
    """

    def __init__(self, dropped: str) -> None:
        self._dropped = dropped
        self._taken: set[str] = set()
        self._inner: set[str] = set()
        self.of_uid: dict[str, str] = {}
        self.renamed: list[str] = []

    def take(self, row: Row) -> str:
        """The row's own path if it is free, else a path with its uid."""
        parts = PurePosixPath(row.path).parts
        pure = PurePosixPath(*parts[parts[:1] == (self._dropped,) :])
        path = pure.as_posix()
        above = [parent.as_posix() for parent in pure.parents][:-1]
        blocking = next((parent for parent in above if parent in self._taken), None)
        if blocking is not None or path in self._taken or path in self._inner:
            path = f"{blocking or path}_{row.uid}"
            self.renamed.append(path)
        else:
            self._inner.update(above)
        self._taken.add(path)
        self.of_uid[row.uid] = path
        return path


def _write(row: Row, home: Path, place: str) -> None:
    files = row.files()
    directory = make_new(home, place)
    for name, text in files.items():
        write_new(directory, name, text)


def _write_task(task: TaskRow, root: Path, places: _Places) -> int:
    """Write a task's directory, unless none of its graphs was written. A task cut short gets its own name."""
    uids = tuple(uid for uid in task.uids if uid in places.of_uid)
    if not uids:
        return 0
    if uids != task.uids:
        task = replace(task, task_id=task_id_of(uids), uids=uids, path=None, published_uids=())
    directory = make_new(root, task_path(task))
    lines = [f"{GRAPHS}/{places.of_uid[uid]}\n" for uid in uids]
    write_new(directory, GRAPH_LIST, "".join(lines))
    write_new(directory, UIDS, ",".join(task.published_uids or uids))
    make_new(directory, PASS_DIR)
    return 1


def task_path(task: TaskRow) -> str:
    """The place of an exported task, below its root."""
    return task.directory if task.directory.startswith(f"{SAMPLES}/") else f"{SAMPLES}/{task.directory}"
