"""Sorts rows that do not fit in memory: sorted runs on disk, merged."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from operator import attrgetter
from pathlib import Path

from passnet.dataset.tables.rows import Row
from passnet.dataset.tables.store import read_rows, write_rows

ROWS_PER_RUN = 4096
_RUN_BYTES = 128 * 1024 * 1024
# Rows read at a time from each run while runs are merged.
_ROWS_AT_ONCE = 64
_KEY = attrgetter("sort_key")


def spill(rows: Iterable[Row], directory: Path) -> list[Path]:
    """Write the rows as sorted runs of at most `ROWS_PER_RUN` rows, or some tens of megabytes. Returns their files."""
    runs: list[Path] = []
    for chunk in _chunks(rows):
        run = directory / f"run-{len(runs):05d}.parquet"
        write_rows(run, sorted(chunk, key=_KEY), group=_ROWS_AT_ONCE)
        runs.append(run)
    return runs


def _chunks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    chunk: list[Row] = []
    weight = 0
    for row in rows:
        chunk.append(row)
        weight += (
            len(row.source) + len(row.specs.shared) + len(row.specs.values) + len(row.meta) + len(row.sources or "")
        )
        if len(chunk) >= ROWS_PER_RUN or weight >= _RUN_BYTES:
            yield chunk
            chunk, weight = [], 0
    if chunk:
        yield chunk


def merge(runs: Iterable[Path]) -> Iterator[Row]:
    """The rows of sorted runs in order. A row that occurs again (the same uid) is left out."""
    last = None
    for row in heapq.merge(*(read_rows(run, batch=_ROWS_AT_ONCE) for run in runs), key=_KEY):
        if row.uid != last:
            yield row
        last = row.uid
