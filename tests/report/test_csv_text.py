"""Rows as CSV: they are read back as they were, and no text becomes a formula."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.report.csv_text import csv_text


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_figures_are_whole_and_missing_ones_empty() -> None:
    text = csv_text(("a", "b", "c", "d"), [(0.1 + 0.2, None, 7, True)])
    assert read(text) == [["a", "b", "c", "d"], ["0.30000000000000004", "", "7", "true"]]


@pytest.mark.parametrize("text", ["=1+1", "+x", "-x", "@SUM(A1)"])
def test_texts_are_no_formulas(text: str) -> None:
    assert read(csv_text(("a",), [(text,)]))[1] == [f"'{text}"]


def test_negative_figures_stay_figures() -> None:
    assert read(csv_text(("a",), [(-0.5,)]))[1] == ["-0.5"]


@given(st.lists(st.tuples(st.text(), st.floats(allow_nan=False, allow_infinity=False)), max_size=5))
def test_any_text_is_one_cell_of_one_line(rows: list[tuple[str, float]]) -> None:
    text = csv_text(("a", "b"), rows)
    found = read(text)
    assert len(found) == len(text.splitlines()) == len(rows) + 1
    assert [float(row[1]) for row in found[1:]] == [number for _, number in rows]
