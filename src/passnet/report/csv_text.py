"""Rows as the text of a CSV file. Text of a record never becomes a formula of a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from passnet.authored import one_line

_BEGINS_FORMULA = ("=", "+", "-", "@")

Cell = str | int | float | bool | None


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A header and rows. A missing figure is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return repr(value) if isinstance(value, float) else str(value).lower()
    text = one_line(value)
    return f"'{text}" if text.startswith(_BEGINS_FORMULA) else text
