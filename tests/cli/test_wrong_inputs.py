"""What a stranger may type: one line that says what is wrong and what to do, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from passnet.bench.record.run import ENVIRONMENT, RECORDS, SETTINGS
from tests.cli.cli_runner import assert_one_clear_line, run
from tests.report.recorded_runs import altered, benchmark, write_run


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "runs" / "a", benchmark())
    return tmp_path / "runs"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("score runs", "1 of its directories is one; give runs/a"),
        ("submit check runs", "give runs/a"),
        ("score runs/a/records.jsonl", "is a file of a run; expected the run's directory (give runs/a)"),
        ("compare runs/a/settings.json runs/a", "it is a file of one; give runs/a"),
        ("score runs/a runs/a", "runs/a: is given twice (give each run once)"),
        ("score runs/a runs/../runs/a", "is given twice"),
        ("leaderboard runs/a runs/a --out site", "given twice (give each run once)"),
        ("score runs/a --by colour", "--by: unknown grouping 'colour'; expected one of domain, dtype"),
        ("inspect blom_gelu", "no such directory (did you mean bloom_gelu? Or give a task directory"),
        ("inspect /dev/null", "neither a file nor a directory"),
        ("inspect runs/a", "it is a run; `passnet score runs/a` reads it"),
        ("eval names.csv", "line 2: names a path that does not exist; found bloom_gel"),
        ("eval names.csv", "no bundled task has that name; did you mean bloom_gelu?"),
        ("tasks export bloom_gelu --out names.csv", "a file is where a directory should be"),
        ("tasks show dem", "did you mean demo?"),
        ("report runs/a --out names.csv/page.html", "a file is where a directory should be"),
        ("leaderboard runs/a --out names.csv", "expected the name of a directory, found a file"),
    ],
)
def test_it_is_said_in_one_line_what_to_do(runs: Path, words: str, said: str) -> None:
    Path("names.csv").write_text("task\nbloom_gel\n")
    done = run(*words.split())
    assert done.code == 2
    assert "Traceback" not in done.err
    assert said in done.err.splitlines()[-1], done.err


def test_a_machine_that_is_not_said_is_no_other_machine(runs: Path) -> None:
    bare = altered(runs / "a", runs / "bare", lambda line: line)
    (bare / ENVIRONMENT).write_text("[")
    done = run("compare", runs / "a", bare)
    assert "bare does not say on what machine it was made" in done.out
    assert "two machines" not in done.out
    assert "every timed graph has the same figures in both to the last digit" in done.out


def test_a_run_without_its_parts(runs: Path) -> None:
    (runs / "a" / RECORDS).write_text('{"schema": 1, "ta')
    assert_one_clear_line(run("score", runs / "a"), "its only line is cut", "judges that graph again")
    (runs / "a" / RECORDS).unlink()
    assert_one_clear_line(run("score", runs / "a"), "the run has no records", "run it again")
    (runs / "a" / SETTINGS).unlink()
    (runs / "a" / SETTINGS).mkdir()
    assert_one_clear_line(run("score", runs / "a"), "unreadable run settings", "name another run")
