"""The columns of a stored dataset: one table of graphs, one of tasks.  Needs pyarrow."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from sys import intern
from typing import Any

import pyarrow as pa

from passnet.authored import is_below, one_line, parse_json
from passnet.dataset.tables.codec import PackedSpecs
from passnet.dataset.tables.rows import Row
from passnet.dataset.tables.task_row import TaskRow
from passnet.errors import UsageError

# A row as Parquet keeps it: column -> value.
Record = Mapping[str, Any]

VERSION = 1
_VERSION_KEY = "passnet.schema"
_TEXTS = pa.list_(pa.string())

# The columns of a graph for queries come first. Its content follows.
GRAPHS = pa.schema(
    [
        ("uid", pa.string()),
        ("path", pa.string()),
        ("name", pa.string()),
        ("kind", pa.string()),
        ("split", pa.string()),
        ("task_id", pa.string()),
        ("in_task", pa.bool_()),
        ("structure_hash", pa.string()),
        ("content_hash", pa.string()),
        ("op_names", _TEXTS),
        ("num_ops", pa.int32()),
        ("num_inputs", pa.int32()),
        ("input_bytes", pa.int64()),
        ("dtype", pa.string()),
        ("shape_index", pa.int32()),
        ("library", pa.string()),
        ("model", pa.string()),
        ("family", pa.string()),
        ("families", _TEXTS),
        ("domain", pa.string()),
        ("input_shapes", pa.list_(pa.list_(pa.int64()))),
        ("input_dtypes", _TEXTS),
        ("source", pa.string()),
        ("input_specs", pa.string()),
        ("input_values", pa.string()),
        ("meta", pa.string()),
        ("meta_own", pa.string()),
        ("constraints", pa.string()),
        ("sources", pa.string()),
        ("all_sources", pa.string()),
        ("stored_hash", pa.string()),
        ("originals", pa.string()),
    ]
)
TASKS = pa.schema(
    [
        ("task_id", pa.string()),
        ("kind", pa.string()),
        ("split", pa.string()),
        ("rank", pa.int32()),
        ("op_names", _TEXTS),
        ("num_ops", pa.int32()),
        ("rarity", pa.float64()),
        ("num_graphs", pa.int32()),
        ("total_graphs", pa.int32()),
        ("uids", _TEXTS),
        ("dtypes", _TEXTS),
        ("structures", _TEXTS),
        ("families", _TEXTS),
        ("libraries", _TEXTS),
        ("domains", _TEXTS),
        ("path", pa.string()),
        ("published_uids", _TEXTS),
    ]
)
_PLAIN = tuple(field.name for field in fields(Row) if field.name != "specs")
_TUPLES = frozenset({"op_names", "families"})
# Commands make names of files and directories of these words, and of this path.
_WORDS, _PATH = ("uid", "task_id", "kind", "split"), "path"
_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}")
# Long texts that the variants of a graph have in common.
_SHARED = ("source", "meta", "sources", "all_sources")


def record_of(row: Row) -> dict[str, object]:
    """The row as one record of the table of graphs."""
    record: dict[str, Any] = {name: getattr(row, name) for name in _PLAIN}
    return record | {
        "num_ops": row.num_ops,
        "num_inputs": row.num_inputs,
        "input_bytes": row.input_bytes,
        "input_shapes": row.specs.shapes,
        "input_dtypes": row.specs.dtypes,
        "input_specs": row.specs.shared,
        "input_values": row.specs.values,
    }


def row_of(record: Record) -> Row:
    """The inverse of `record_of`."""
    plain: dict[str, Any] = {name: tuple(record[name]) if name in _TUPLES else record[name] for name in _PLAIN}
    plain |= {name: intern(plain[name]) for name in _SHARED if plain[name] is not None}
    shapes = tuple(tuple(shape) for shape in record["input_shapes"])
    specs = PackedSpecs(intern(record["input_specs"]), shapes, tuple(record["input_dtypes"]), record["input_values"])
    return Row(specs=specs, **plain)


def task_record(task: TaskRow) -> dict[str, object]:
    """The task as one record of the table of tasks."""
    stored = {field.name: getattr(task, field.name) for field in fields(TaskRow)}
    return stored | {"num_ops": task.num_ops, "num_graphs": task.num_graphs}


def task_of(record: Record) -> TaskRow:
    """The inverse of `task_record`."""
    values: dict[str, Any] = {field.name: record[field.name] for field in fields(TaskRow)}
    values |= {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return TaskRow(**values)


def with_metadata(schema: pa.Schema, notes: Mapping[str, object]) -> pa.Schema:
    """The schema with our version and the dataset's notes (versions, licences, ... as JSON values) as its metadata."""
    stored = {f"passnet.{name}": json.dumps(value, sort_keys=True) for name, value in sorted(notes.items())}
    return schema.with_metadata({_VERSION_KEY: str(VERSION), **stored})


def notes_of(schema: pa.Schema, path: Path, columns: pa.Schema) -> dict[str, object]:
    """The notes of a stored table with these columns.

    Errors: `UsageError` when it is not ours, of a version that we cannot read, or without one of these columns.
    """
    try:
        stored = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items()}
    except UnicodeDecodeError:
        raise UsageError("its metadata is no text", path=path) from None
    version = stored.pop(_VERSION_KEY, None)
    if version != str(VERSION):
        raise UsageError(
            "not a dataset of this version", path=path, field=_VERSION_KEY, expected=VERSION, found=version,
            hint="was the file written by passnet?",
        )  # fmt: skip
    for column in columns:
        found = schema.field(column.name).type if schema.names.count(column.name) == 1 else None
        if found != column.type:
            hint = "was the file written by passnet?"
            raise UsageError(
                "not our table", path=path, field=column.name, expected=column.type, found=found or "none", hint=hint
            )
    prefix = "passnet."
    try:
        return {key.removeprefix(prefix): parse_json(text) for key, text in stored.items() if key.startswith(prefix)}
    except json.JSONDecodeError as error:
        raise UsageError(f"its notes are no JSON: {one_line(error.msg)}", path=path) from None


def check_filled(batch: pa.RecordBatch, kind: type[Row] | type[TaskRow], path: Path) -> None:
    """UsageError where a value is missing that every row of this kind has."""
    may_miss = {field.name for field in fields(kind) if str(field.type).endswith("| None")}
    for name in batch.schema.names:
        column = batch.column(name)
        if (name not in may_miss and column.null_count) or _misses_items(column):
            raise UsageError("a row has no value there", path=path, field=name, hint="was the file written by passnet?")


def check_names(record: Record, path: Path | None = None) -> None:
    """UsageError for a graph or task of whose columns no names of files can be made. `path`: the file that holds it."""
    hint = None if path is None else "was the file written by passnet?"
    for name in _WORDS:
        word = record.get(name)
        if word is not None and not _WORD.fullmatch(word):
            expected = "at most 200 of A-Z a-z 0-9 _ . -, with no . at the start"
            raise UsageError(
                "no name for a file", path=path, field=name, expected=expected, found=repr(word), hint=hint
            )
    place = record.get(_PATH)
    if place is not None and not is_below(place):
        expected = "a relative path of one line, with no `..`"
        raise UsageError("no path for a file", path=path, field=_PATH, expected=expected, found=repr(place), hint=hint)


def _misses_items(column: pa.Array) -> bool:
    if not pa.types.is_list(column.type):
        return False
    items = column.flatten()
    return items.null_count > 0 or _misses_items(items)
