"""`passnet submit check`: the contract's document and its exit codes."""

from __future__ import annotations

from pathlib import Path

from tests.cli.cli_runner import assert_one_clear_line, run
from tests.report.recorded_runs import NASTY, record, write_run
from tests.report.test_submission import BUNDLED, records_of


def test_a_run_that_may_stand(tmp_path: Path) -> None:
    task = BUNDLED / "bloom_gelu"
    place = write_run(tmp_path / "run", records_of(task), paths=[str(task)])
    done = run("submit", "check", place, "--json")
    assert done.code == 0
    assert done.document["schema"] == 1
    assert done.document["ok"] is True
    assert done.document["problems"] == []
    assert "6 graphs of 1 task: may stand on the leaderboard" in run("submit", "check", place).out


def test_a_run_that_may_not(tmp_path: Path) -> None:
    task = BUNDLED / "bloom_gelu"
    place = write_run(tmp_path / "run", records_of(task)[:3], paths=["elsewhere"])
    done = run("submit", "check", place, "--json", "--tasks", task)
    assert done.code == 1
    assert done.document["ok"] is False
    assert len(done.document["problems"]) == 1
    assert "3 of 6 graphs have no record" in done.document["problems"][0]


def test_hostile_names_stay_on_their_line(tmp_path: Path) -> None:
    place = write_run(tmp_path / "run", [record(f"{NASTY}\n\x1b[31m", "x", outcome="unstable")])
    done = run("submit", "check", place)
    assert done.code == 1
    assert "\x1b" not in done.out
    assert len(done.out.splitlines()) == 3


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    assert_one_clear_line(run("submit", "check", tmp_path), "not a run directory")
    place = write_run(tmp_path / "run", [record()])
    assert_one_clear_line(run("submit", "check", place, "--tasks", tmp_path / "none"), "no such directory")
