"""Reads one Parquet file of an outsider, record by record. Its size bounds what is made of it (`bounds.py`).

A text that many rows share is one entry of a dictionary until its rows are made. So many rows are made at a time as
are together not large.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import reduce
from io import BufferedReader
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from passnet.authored import one_line, opened
from passnet.dataset.tables import bounds, schema
from passnet.dataset.tables.rows import Row
from passnet.dataset.tables.task_row import TaskRow
from passnet.errors import UsageError

# Bytes of one row, and of the rows that are made together. Everything in a row counts.
ROW_BYTES = 64 * 1024 * 1024
_TOGETHER_BYTES = 32 * 1024 * 1024
# What all rows of a file may take: so much, and so much for each byte of the file. Those of `data/dataset` take 15 to
# 89.
FREE_BYTES, TIMES_LARGER = 1 << 30, 1000
# What a value takes beside its characters.
_VALUE_BYTES = 64
_TEXT = "BYTE_ARRAY"

Wanted = Mapping[str, Sequence[object]]


class TableFile:
    """A file with the columns of `form`, whose rows are those of `kind`. Columns beside these are not read.

    UsageError when it is no such table, or would take far more memory than its size lets expect.
    """

    def __init__(self, file: BufferedReader, path: Path, form: pa.Schema, kind: type[Row] | type[TaskRow]) -> None:
        self._file, self._path, self._form, self._kind = file, path, form, kind
        self._footer = bounds.read_footer(file, path)
        size = os.fstat(file.fileno()).st_size
        plain = self._opened()
        self.notes = schema.notes_of(plain.schema_arrow, path, form)
        bounds.check_rows(self._footer, size, path)
        columns = [plain.schema.column(number) for number in range(len(plain.schema))]
        self._columns = [column.path for column in columns]
        texts = [column.path for column in columns if column.physical_type == _TEXT]
        self._parquet = self._opened(metadata=plain.metadata, read_dictionary=texts)
        self._most = self._left = FREE_BYTES + TIMES_LARGER * size

    def records(self, columns: Sequence[str] | None, wanted: Wanted, batch: int) -> Iterator[dict[str, object]]:
        """The records of rows with one of the wanted values in each of those columns, in order.

        If no row of a group is wanted, only the columns that decide it are read.
        """
        names = list(columns or self._form.names)
        read = {at: path for at, path in enumerate(self._columns) if path.split(".")[0] in {*names, *wanted}}
        for number, group in enumerate(self._footer.groups):
            with _readable(self._path, "table"):
                bounds.check_group(self._file, group, read, self._path)
                yield from self._group(number, names, wanted, batch)

    def _group(self, group: int, names: list[str], wanted: Wanted, size: int) -> Iterator[dict[str, object]]:
        kept = self._kept(group, wanted, size) if wanted else None
        if kept is not None and not pc.any(kept).as_py():
            return
        start = 0
        for batch in self._batches(group, names, size):
            schema.check_filled(batch, self._kind, self._path)
            part = batch if kept is None else batch.filter(kept.slice(start, len(batch)))
            start += len(batch)
            yield from self._made(part)

    def _kept(self, group: int, wanted: Wanted, size: int) -> pa.Array:
        """Whether each row of a group is wanted."""
        masks = [_mask(batch, wanted) for batch in self._batches(group, list(wanted), size)]
        return pa.concat_arrays(masks) if masks else pa.array([], pa.bool_())

    def _batches(self, group: int, names: list[str], size: int) -> Iterator[pa.RecordBatch]:
        for batch in self._parquet.iter_batches(size, row_groups=[group], columns=names, use_threads=False):
            # A column whose name begins like one of ours is read with it.
            yield batch.select(names)

    def _made(self, rows: pa.RecordBatch) -> Iterator[dict[str, object]]:
        """The records of these rows, so many at a time as are together not large."""
        ends = _ends([_weights(column) for column in rows.columns])
        start = before = 0
        while start < len(ends):
            stop = max(start + 1, bisect_right(ends, before + _TOGETHER_BYTES))
            self._count(ends[stop - 1] - before, stop - start)
            piece = rows.slice(start, stop - start)
            columns = [_written_out(column) for column in piece.columns]
            for record in pa.RecordBatch.from_arrays(columns, names=rows.schema.names).to_pylist():
                schema.check_names(record, self._path)
                yield record
            start, before = stop, ends[stop - 1]

    def _count(self, weight: int, rows: int) -> None:
        """UsageError for a row that is too large, or rows that are together."""
        if rows == 1 and weight > ROW_BYTES:
            raise bounds.refused("a row is too large", self._path, f"at most {ROW_BYTES} bytes", weight)
        self._left -= weight
        if self._left < 0:
            most = f"at most {self._most} bytes for a file of its size"
            raise bounds.refused("its rows are far larger than the file", self._path, most, "more")

    def _opened(self, **options: Any) -> pq.ParquetFile:
        """The open file for Arrow, and no other file that has its name since."""
        with _readable(self._path, "Parquet file"):
            return pq.ParquetFile(pa.OSFile(f"/proc/self/fd/{self._file.fileno()}"), pre_buffer=False, **options)


@contextmanager
def open_table(path: Path, form: pa.Schema, kind: type[Row] | type[TaskRow]) -> Iterator[TableFile]:
    """The table while the block runs. Errors: those of `TableFile`, and for what is no plain file."""
    with ExitStack() as stack:
        try:
            file = stack.enter_context(opened(path))
        except OSError as error:
            raise UsageError(f"not a readable Parquet file: {error.strerror}", path=path) from None
        yield TableFile(file, path, form, kind)


@contextmanager
def _readable(path: Path, what: str) -> Iterator[None]:
    """UsageError for content that is no table: damaged pages, texts that are none."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise UsageError(f"not a readable {what}: {one_line(str(error))[:200]}", path=path) from None


def _mask(batch: pa.RecordBatch, wanted: Wanted) -> pa.Array:
    """Whether each row has a wanted value in each of these columns."""
    masks = []
    for name, values in wanted.items():
        column = batch.column(name)
        texts = column.dictionary if pa.types.is_dictionary(column.type) else column
        found = pc.is_in(texts, value_set=pa.array(values, type=texts.type))
        masks.append(found if texts is column else found.take(column.indices).fill_null(False))
    return reduce(pc.and_, masks)


def _weights(column: pa.Array) -> pa.Array:
    """About the bytes that each value of a column takes when it is made, or more."""
    if pa.types.is_dictionary(column.type):
        sizes = pc.binary_length(column.dictionary).take(column.indices)
    elif pa.types.is_list(column.type):
        ends = pa.concat_arrays([_zero(), pc.cumulative_sum(_weights(column.flatten()))])
        lasts = pc.cumulative_sum(pc.list_value_length(column).fill_null(0).cast(pa.int64()))
        lasts = pa.concat_arrays([_zero(), lasts])
        sizes = pc.subtract(ends.take(lasts[1:]), ends.take(lasts[:-1]))
    elif pa.types.is_string(column.type):
        sizes = pc.binary_length(column)
    else:
        sizes = pa.nulls(len(column), pa.int64())
    return pc.add(sizes.cast(pa.int64()).fill_null(0), _VALUE_BYTES)


def _zero() -> pa.Array:
    return pa.array([0], pa.int64())


def _ends(weights: Sequence[pa.Array]) -> list[int]:
    """For each row the bytes of it and of all before it."""
    ends: list[int] = pc.cumulative_sum(reduce(pc.add, weights)).to_pylist()
    return ends


def _written_out(column: pa.Array) -> pa.Array:
    """A column with its texts in place of the numbers of texts. Nothing is missing in a list (`check_filled`)."""
    if pa.types.is_dictionary(column.type):
        return column.dictionary_decode()
    if pa.types.is_list(column.type):
        lasts = pc.cumulative_sum(pc.list_value_length(column))
        offsets = pa.concat_arrays([_zero(), lasts.cast(pa.int64())]).cast(pa.int32())
        return pa.ListArray.from_arrays(offsets, _written_out(column.flatten()))
    return column
