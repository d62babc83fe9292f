"""`passnet report` on a command line: one file, notes beside it, one clear line for bad input."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from passnet.score import Outcome
from tests.cli.cli_runner import assert_one_clear_line, run
from tests.report.run_directories import Named, record, write_evaluation


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    draw = random.Random(0)
    records = [record(Named(f"t{n}", "g"), draw, Outcome.CORRECT if n else Outcome.UNSTABLE) for n in range(3)]
    return write_evaluation(tmp_path / "mine", records)


def test_it_writes_the_page_and_says_what_is_missing(measured: Path, tmp_path: Path) -> None:
    done = run("report", measured, "--out", tmp_path / "pages" / "r.html")
    assert done.code == 0
    assert done.out.startswith(f"{tmp_path / 'pages' / 'r.html'}: 0.")
    assert "note: 1 graph left out of the score" in done.err
    assert (tmp_path / "pages" / "r.html").read_text().startswith("<!DOCTYPE html>")


def test_json_is_one_document(measured: Path, tmp_path: Path) -> None:
    done = run("report", measured, "--out", tmp_path / "r.html", "--json")
    assert (done.code, done.document["schema"], done.document["runs"]) == (0, 1, ["mine"])
    assert done.document["bytes"] == (tmp_path / "r.html").stat().st_size
    assert any("left out of the score" in note for note in done.document["missing"])


def test_bad_input_is_one_line_and_leaves_no_file(measured: Path, tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    assert_one_clear_line(run("report", tmp_path, "--out", page), "not a run directory", str(tmp_path))
    assert_one_clear_line(run("report", measured, measured, "--out", page), "given twice")
    assert_one_clear_line(run("report", measured, "--out", page, "--limit-mb", "0"), "--limit-mb", "1 to 500")
    assert_one_clear_line(run("report", measured, tmp_path / "none", "--out", page), "none")
    gone = run("report", measured, "--out", page, "--tasks-from", tmp_path / "gone")
    assert_one_clear_line(gone, "--tasks-from", "gone", "no such directory")
    assert not page.exists()


def test_the_page_does_not_take_the_place_of_a_directory(measured: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    done = run("report", measured, "--out", tmp_path / "taken")
    assert done.code == 2
    assert "cannot be written" in done.err
    assert list((tmp_path / "taken").iterdir()) == []
