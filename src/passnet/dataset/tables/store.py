"""Writes and reads a dataset as Parquet: `graphs/<split>-<n>.parquet` and `tasks.parquet`, streaming both ways."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from passnet.dataset.tables import schema
from passnet.dataset.tables.reading import open_table
from passnet.dataset.tables.rows import Row
from passnet.dataset.tables.task_row import TaskRow
from passnet.errors import UsageError
from passnet.writing import inside, new_directory, new_file, writing

GRAPHS_DIR, TASKS_FILE = "graphs", "tasks.parquet"
ROWS_PER_FILE = 50_000
# A group has one dictionary of texts and one compression window. It is held in memory while writing.
ROWS_PER_GROUP = 4096
# A group of long texts (full graphs, operators with thousands of origins) ends earlier, to save memory.
_GROUP_BYTES = 64 * 1024 * 1024
_BATCH = 512
# Distinct in every row: a dictionary of them would only cost.
_NO_DICTIONARY = frozenset({"uid", "content_hash"})
_WRITER: Mapping[str, object] = {
    "compression": "zstd",
    "compression_level": 15,
    "dictionary_pagesize_limit": 64 * 1024 * 1024,
    "data_page_size": 4 * 1024 * 1024,
}


@dataclass(frozen=True)
class Where:
    """Which rows are wanted. None asks for all.  Tasks are selected by kinds, splits, task ids and families only."""

    kinds: frozenset[str] | None = None
    splits: frozenset[str] | None = None
    dtypes: frozenset[str] | None = None
    libraries: frozenset[str] | None = None
    families: frozenset[str] | None = None
    task_ids: frozenset[str] | None = None
    uids: frozenset[str] | None = None
    in_task: bool | None = None

    def columns(self) -> dict[str, Sequence[object]]:
        """Column -> accepted values."""
        wanted = {
            "kind": self.kinds,
            "split": self.splits,
            "dtype": self.dtypes,
            "library": self.libraries,
            "family": self.families,
            "task_id": self.task_ids,
            "uid": self.uids,
        }
        found: dict[str, Sequence[object]] = {
            name: sorted(values) for name, values in wanted.items() if values is not None
        }
        return found if self.in_task is None else found | {"in_task": [self.in_task]}

    def accepts_task(self, task: TaskRow) -> bool:
        """Whether the task is wanted."""
        return (
            (self.kinds is None or task.kind in self.kinds)
            and (self.splits is None or task.split in self.splits)
            and (self.task_ids is None or task.task_id in self.task_ids)
            and (self.families is None or not self.families.isdisjoint(task.families))
        )


class _Table:
    """One Parquet file that grows by groups of records."""

    def __init__(self, path: Path, table: pa.Schema, group: int = ROWS_PER_GROUP) -> None:
        self._schema, self._group = table, group
        names = [name for name in table.names if name not in _NO_DICTIONARY]
        # Pyarrow takes the text of a path for an address, and knows no names that are not UTF-8.
        self._file = open(path, "xb")  # noqa: SIM115 - closed with the table
        self._writer = pq.ParquetWriter(self._file, table, use_dictionary=names, **_WRITER)
        self._pending: list[dict[str, object]] = []
        self._weight = 0
        self.count = 0

    def add(self, record: dict[str, Any]) -> None:
        self._pending.append(record)
        self.count += 1
        self._weight += sum(len(value) for value in record.values() if isinstance(value, str))
        if len(self._pending) >= self._group or self._weight >= _GROUP_BYTES:
            self._flush()

    def close(self) -> None:
        if self._pending or not self.count:
            self._flush()
        self._writer.close()
        self._file.close()

    def _flush(self) -> None:
        self._writer.write_table(pa.Table.from_pylist(self._pending, schema=self._schema), row_group_size=self._group)
        self._pending, self._weight = [], 0


class StoreWriter:
    """Takes rows and tasks in their final order. Every split has files of its own."""

    def __init__(self, path: Path, notes: Mapping[str, object]) -> None:
        self._path = path
        self._graphs = schema.with_metadata(schema.GRAPHS, notes)
        self._files: dict[str, list[_Table]] = {}
        (path / GRAPHS_DIR).mkdir()
        self._tasks = _Table(path / TASKS_FILE, schema.with_metadata(schema.TASKS, notes))

    def add(self, row: Row) -> None:
        """Append a graph to the files of its split."""
        record = schema.record_of(row)
        schema.check_names(record)
        files = self._files.setdefault(row.split or "all", [])
        if not files or files[-1].count >= ROWS_PER_FILE:
            files.append(self._new_file(row.split or "all", len(files)))
            if len(files) > 1:
                files[-2].close()
        files[-1].add(record)

    def add_task(self, task: TaskRow) -> None:
        """Append a task."""
        record = schema.task_record(task)
        schema.check_names(record)
        self._tasks.add(record)

    def close(self) -> None:
        """Complete the files."""
        if not self._files:
            self._files["all"] = [self._new_file("all", 0)]
        for files in self._files.values():
            files[-1].close()
        self._tasks.close()

    def _new_file(self, split: str, number: int) -> _Table:
        return _Table(inside(self._path / GRAPHS_DIR, f"{split}-{number:05d}.parquet"), self._graphs)


@contextmanager
def create(
    path: Path | str, notes: Mapping[str, object], *, overwrite: bool = False, read: Collection[Path] = ()
) -> Iterator[StoreWriter]:
    """A store that appears under its name, complete, when the block succeeds, and not at all otherwise.

    `notes` (JSON values: versions, licences, ...) become metadata of every file. `read`: what the rows come from.
    Errors: `UsageError` when `path` exists (unless `overwrite`), holds what is read, or cannot be written.
    """
    with new_directory(Path(path), overwrite=overwrite, read=read) as directory:
        writer = StoreWriter(directory, notes)
        yield writer
        writer.close()


def write_rows(path: Path | str, rows: Iterable[Row], *, group: int = ROWS_PER_GROUP) -> int:
    """Write one file of rows, all or nothing, and replace an older one. Returns the number of rows.

    Rows of one group are compressed and read together. With small groups, many files can be read side by side.
    """
    path = Path(path)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with new_file(path) as partial:
        table = _Table(partial, schema.with_metadata(schema.GRAPHS, {}), group)
        for row in rows:
            table.add(schema.record_of(row))
        table.close()
    return table.count


def is_store(path: Path | str) -> bool:
    """Whether this directory is a store."""
    return (Path(path) / TASKS_FILE).is_file() and (Path(path) / GRAPHS_DIR).is_dir()


def graph_files(path: Path | str) -> list[Path]:
    """The Parquet files of graphs of a store or of a directory of such files, or the named file. In order.

    Errors: `UsageError` when there are none.
    """
    path = Path(path)
    if path.is_file():
        return [path]
    found = sorted((path / GRAPHS_DIR if is_store(path) else path).glob("*.parquet"))
    if not found:
        hint = "a store holds graphs/*.parquet and tasks.parquet; `passnet dataset import` makes one of directories"
        raise UsageError("no dataset here", path=path, hint=hint)
    return found


def read_notes(path: Path | str) -> dict[str, object]:
    """The notes that the store was written with."""
    first = graph_files(path)[0]
    with open_table(first, schema.GRAPHS, Row) as table:
        return table.notes


def read_records(
    path: Path | str, columns: Sequence[str] | None = None, where: Where | None = None, *, batch: int = _BATCH
) -> Iterator[dict[str, object]]:
    """The records of graphs, one after the other, in the order of the store. Only these columns when given.

    Memory does not grow with the store: one group is decoded at a time, and `batch` records of it are made at a time.
    Errors: `UsageError` for a file that is not our table of graphs, or would be far larger in memory (`reading.py`).
    """
    wanted = (where or Where()).columns()
    for file in graph_files(path):
        with open_table(file, schema.GRAPHS, Row) as table:
            yield from table.records(columns, wanted, batch)


def read_rows(path: Path | str, where: Where | None = None, *, batch: int = _BATCH) -> Iterator[Row]:
    """The rows of a store, of a directory of Parquet files or of one file, in order. Memory does not grow."""
    for record in read_records(path, None, where, batch=batch):
        yield schema.row_of(record)


def read_tasks(path: Path | str, where: Where | None = None) -> Iterator[TaskRow]:
    """The tasks of a store in order."""
    file = Path(path) / TASKS_FILE
    if not file.is_file():
        raise UsageError("no table of tasks", path=file, hint="is this a store?")
    with open_table(file, schema.TASKS, TaskRow) as table:
        for record in table.records(None, {}, _BATCH):
            task = schema.task_of(record)
            if where is None or where.accepts_task(task):
                yield task
