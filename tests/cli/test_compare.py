"""`passnet compare`: the contract's document, exit codes, tables for people, and bad input as one clear line."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from passnet.bench.record.run import RECORDS
from tests.cli.cli_runner import assert_one_clear_line, run
from tests.report.recorded_runs import MACHINE, NASTY, altered, benchmark, record, slower, write_run

HOSTILE_NAMES = (NASTY, "[/red] [bold]x[/bold] :smile:", "=cmd|' /C calc'!A0", "a\nb\x1b[31m", "\u202etxt")


@pytest.fixture
def a(tmp_path: Path) -> Path:
    return write_run(tmp_path / "a", benchmark())


@pytest.fixture
def worse(a: Path, tmp_path: Path) -> Path:
    return altered(a, tmp_path / "b", slower(1.3, lambda line: line["task"] == "task2"))


def test_a_planted_regression_fails_when_asked_to(a: Path, worse: Path) -> None:
    done = run("compare", a, worse, "--json", "--fail-on-regression")
    assert done.code == 1
    assert len(done.document["regressions"]) == 5
    assert done.err.splitlines() == ["regressions: 5"]
    assert run("compare", a, worse, "--json").code == 0
    assert run("compare", worse, a, "--fail-on-regression").code == 0
    again = altered(a, worse.with_name("again"), slower(1.0001, lambda line: True))
    assert run("compare", a, again, worse, "--fail-on-regression").code == 1


def test_the_table_begins_with_regressions(a: Path, worse: Path) -> None:
    done = run("compare", a, worse)
    assert done.code == 0
    lines = done.out.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("regressions (5)"))
    assert lines[first + 1].startswith("task2/float32/0/samples/timm/model2")
    assert "slower" in lines[first + 1]
    assert "0.769" in lines[first + 1]
    assert lines[-2].startswith("B over A 0.9365 (95 % interval ")
    assert lines[-1].startswith("5 regressions, 0 improvements; the same outcome on 100.0 %")


def test_a_run_against_itself_is_refused(a: Path, worse: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(a)
    for runs in ((a, a), (a, a / ".." / "a"), (a, link), (a, worse, a)):
        assert_one_clear_line(run("compare", *runs), "the same run is given twice", "passnet eval --run NAME")
    copy = altered(a, tmp_path / "copy", lambda line: line)
    assert_one_clear_line(run("compare", a, copy), f"{copy}: is a copy of {a}", "passnet eval --run NAME")


def test_equal_runs_have_no_regressions(a: Path, tmp_path: Path) -> None:
    again = altered(a, tmp_path / "again", slower(1.00001, lambda line: True))
    done = run("compare", a, again, "--fail-on-regression")
    assert done.code == 0
    assert "no regressions" in done.out
    assert "B over A 1.0000 (95 % interval 1.0000 to 1.0000, p = " in done.out


def test_two_machines_are_said(tmp_path: Path, a: Path) -> None:
    b = write_run(tmp_path / "b", benchmark(), machine=MACHINE | {"cpu": "Another"})
    done = run("compare", a, b)
    assert "note: the runs are of two machines" in done.out
    assert "changed: environment" in done.out
    assert "Another" in done.out


def test_long_lists_are_cut_and_can_be_had_whole(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", benchmark(10, 5))
    b = altered(a, tmp_path / "b", slower(1.5, lambda line: True))
    done = run("compare", a, b)
    assert "and 30 more; --all prints them" in done.out
    assert run("compare", a, b, "--all").out.count("task") > done.out.count("task") + 25


def test_csv_holds_every_graph(a: Path, worse: Path, tmp_path: Path) -> None:
    file = tmp_path / "graphs.csv"
    assert run("compare", a, worse, "--csv", file).code == 0
    rows = list(csv.DictReader(file.open()))
    assert len(rows) == 20
    assert [row["verdict"] for row in rows[:6]] == ["slower"] * 5 + ["no difference"]
    assert float(rows[0]["ratio"]) == pytest.approx(1 / 1.3)


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_hostile_names_stay_text(name: str, tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", [record(name, name), record("ok", "x")])
    b = altered(a, tmp_path / "b", slower(1.5, lambda line: line["task"] == name))
    done = run("compare", a, b, "--csv", tmp_path / "x.csv")
    assert done.code == 0
    assert "\x1b" not in done.out and "\u202e" not in done.out
    assert "regressions (1)" in done.out
    text = (tmp_path / "x.csv").read_text()
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 2
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in (row["task"], row["graph"]))
    assert run("compare", a, b, "--json").document["regressions"][0]["graph"] == f"{name}/{name}"


def test_hostile_settings_stay_text(a: Path, tmp_path: Path) -> None:
    b = write_run(tmp_path / "b", benchmark(), machine={"cpu": "[/red]" * 1000, NASTY: [NASTY]}, device={"a": ["\x1b"]})
    done = run("compare", a, b)
    assert done.code == 0
    assert "\x1b" not in done.out


def test_bad_input_is_one_line(a: Path, worse: Path, tmp_path: Path) -> None:
    assert_one_clear_line(run("compare", a), "one run alone", "two runs or more")
    assert_one_clear_line(run("compare", a, tmp_path / "none"), "not a run directory")
    assert_one_clear_line(run("compare", a, a.parent / f"{a.name}x"), "nothing is there", f"did you mean {a}?")
    assert_one_clear_line(run("compare", a, tmp_path), "not a run directory", "settings.json")
    empty = write_run(tmp_path / "empty", [])
    assert_one_clear_line(run("compare", a, empty, "--json"), "the run has no records")
    foreign = write_run(tmp_path / "foreign", [record("other", "graph")])
    assert_one_clear_line(run("compare", a, foreign), "shares no graph")
    (foreign / RECORDS).write_text('{"task": 1}\n{}\n')
    assert_one_clear_line(run("compare", a, foreign), "line 1 is not a record of this version")
    assert_one_clear_line(run("compare", a, worse, "--csv", tmp_path / "no" / "x.csv"), "cannot be written")


def test_records_that_contradict_themselves_are_refused(a: Path, tmp_path: Path) -> None:
    def faster(line: dict[str, Any]) -> dict[str, Any]:
        if line["task"] == "task0":
            line["timing"] |= {"speedup": 50.0, "speedup_ci": [49.0, 51.0]}
        return line

    b = altered(a, tmp_path / "b", faster)
    said = f"{b / RECORDS}: line 1, task0/float32/0/samples/timm/model0, contradicts itself: a speedup of 50, and pairs"
    board = tmp_path / "board"
    for words in (("compare", a, b), ("score", b), ("leaderboard", a, b, "--out", board), ("submit", "check", b)):
        assert_one_clear_line(run(*words), said)
    assert not board.exists()
    page = tmp_path / "r.html"
    noted = run("report", b, "--out", page)  # what else can be read is shown
    assert "5 lines of records.jsonl not of this version or against themselves, left out of every figure" in noted.err
    assert "line 1: it contradicts itself: a speedup of 50" in page.read_text()


def test_one_of_a_kind_is_singular(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", [record()])
    lines = run("compare", a, altered(a, tmp_path / "b", slower(1.3, lambda _: True))).out.splitlines()
    assert lines[-2].endswith("over 1 graph of 1 task")
    assert lines[-1].startswith("1 regression, 0 improvements; the same outcome on 100.0 %")
