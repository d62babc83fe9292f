"""`passnet leaderboard`: what it says, what it writes, and bad input as one clear line."""

from __future__ import annotations

from pathlib import Path

from tests.cli.cli_runner import assert_one_clear_line, run
from tests.report.recorded_runs import benchmark, write_run


def test_a_leaderboard_of_two_runs(tmp_path: Path) -> None:
    good = write_run(tmp_path / "good", benchmark())
    loose = write_run(tmp_path / "loose", benchmark(tamper_proof=False))
    done = run("leaderboard", good, loose, "--out", tmp_path / "site")
    assert done.code == 0
    assert done.out.splitlines()[0].startswith("1 row ranked on 1 board, 1 not ranked, in ")
    assert done.out.splitlines()[1].startswith("not ranked: loose: tamper-proof: 20 records")
    done = run("leaderboard", good, loose, "--out", tmp_path / "site", "--overwrite", "--json")
    assert done.document == {
        "schema": 1, "out": str(tmp_path / "site"), "runs": 2, "boards": 1, "ranked": 1, "not_ranked": 1,
    }  # fmt: skip


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    good = write_run(tmp_path / "good", benchmark())
    assert_one_clear_line(run("leaderboard", tmp_path, "--out", tmp_path / "site"), "not a run directory")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("x")
    assert_one_clear_line(run("leaderboard", good, "--out", tmp_path / "full"), "already exists")
    assert not (tmp_path / "site").exists()
