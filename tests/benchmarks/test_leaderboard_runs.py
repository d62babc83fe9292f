"""Runs as one small file, and the leaderboard that is made of it again."""

from __future__ import annotations

import argparse
import io
import json
import random
import tarfile
from pathlib import Path
from types import ModuleType

import pytest

from passnet.errors import UsageError
from passnet.graph.targets import find_targets
from passnet.report.recorded import read_recorded
from passnet.score import Outcome
from tests.report.run_directories import Named, named, record, tasks_at, write_agent, write_evaluation

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
NAMED = [Named("t1", "a"), Named("t2", "a")]


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import stored_runs

    return stored_runs


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import leaderboard

    return leaderboard


def run_at(path: Path, compiler: str = "inductor", outcome: Outcome = Outcome.CORRECT) -> Path:
    draw = random.Random(compiler)
    rows = [record(of, draw, outcome, compiler=compiler) for of in NAMED]
    return write_evaluation(path, rows, compiler=compiler)


def test_a_run_comes_back_as_it_was_and_the_same_runs_are_the_same_bytes(stored: ModuleType, tmp_path: Path) -> None:
    runs = [run_at(tmp_path / "runs" / name, name) for name in ("eager", "inductor")]
    (runs[0] / "logs").mkdir()
    (runs[0] / "logs" / "worker.txt").write_text("only for this machine")
    size = stored.pack(runs, tmp_path / "kept.tar.xz")
    assert size == (tmp_path / "kept.tar.xz").stat().st_size
    before = (tmp_path / "kept.tar.xz").read_bytes()
    stored.pack(runs, tmp_path / "kept.tar.xz")
    assert (tmp_path / "kept.tar.xz").read_bytes() == before
    found = stored.unpack(tmp_path / "kept.tar.xz", tmp_path / "again")
    assert [path.name for path in found] == ["eager", "inductor"]
    for mine, theirs in zip(runs, found, strict=True):
        assert read_recorded(mine).graphs == read_recorded(theirs).graphs
        assert not (theirs / "logs").exists()


def test_episodes_and_passes_are_kept_on_demand(stored: ModuleType, tmp_path: Path) -> None:
    draw = random.Random(2)
    run = write_agent(tmp_path / "author", [record(NAMED[0], draw, Outcome.CORRECT)], 1, draw)
    stored.pack([run], tmp_path / "bare.tar.xz")
    stored.pack([run], tmp_path / "whole.tar.xz", episodes=True)
    (bare,), (whole,) = (stored.unpack(tmp_path / f"{name}.tar.xz", tmp_path / name) for name in ("bare", "whole"))
    assert not (bare / "tasks").exists()
    kept = {path.relative_to(whole) for path in whole.rglob("episode.jsonl")}
    assert kept == {path.relative_to(run) for path in run.rglob("episode.jsonl")} != set()


def test_what_is_not_stored(stored: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_at(tmp_path / "run")
    with pytest.raises(UsageError, match="two runs have one name"):
        stored.pack([run, run], tmp_path / "x.tar.xz")
    with pytest.raises(UsageError, match="is no run"):
        stored.pack([tmp_path], tmp_path / "x.tar.xz")
    with pytest.raises(UsageError, match="too large to be kept"):
        stored.pack([run], tmp_path / "x.tar.xz", most=10)
    settings = json.loads((run / "settings.json").read_text())
    (run / "settings.json").write_text(json.dumps(settings | {"paths": [str(tmp_path / "tasks")]}))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="names the directory"):
        stored.pack([run], tmp_path / "x.tar.xz")
    assert not (tmp_path / "x.tar.xz").exists()


@pytest.mark.parametrize(("name", "kind"), [("../out.txt", tarfile.REGTYPE), ("run/link", tarfile.SYMTYPE)])
def test_a_hostile_file_writes_nothing(stored: ModuleType, tmp_path: Path, name: str, kind: bytes) -> None:
    with tarfile.open(tmp_path / "bad.tar.xz", "w:xz") as archive:
        entry = tarfile.TarInfo(name)
        entry.type, entry.linkname, entry.size = kind, "/etc/passwd", 2 if kind == tarfile.REGTYPE else 0
        archive.addfile(entry, io.BytesIO(b"{}"))
    with pytest.raises(UsageError):
        stored.unpack(tmp_path / "bad.tar.xz", tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.tar.xz"]


def test_a_file_of_another_kind_is_told(stored: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "bad.tar.xz").write_bytes(b"no archive")
    with pytest.raises(UsageError, match="is no file of runs"):
        stored.unpack(tmp_path / "bad.tar.xz", tmp_path / "out")


def options_of(tmp_path: Path, paths: list[Path]) -> argparse.Namespace:
    return argparse.Namespace(
        run=tmp_path / "runs", out=tmp_path / "results", site=tmp_path / "site", device="cpu", paths=paths, graphs=1,
        set=[], only=None, revision="0123456789ab", seconds=None,
    )  # fmt: skip


def write_system(options: argparse.Namespace, system: str, compiler: str, outcome: Outcome = Outcome.CORRECT) -> None:
    draw = random.Random(system)
    rows = [record(of, draw, outcome, compiler=compiler) for of in named(options.paths, 1)]
    write_evaluation(options.run / system, rows, compiler=compiler)


def test_systems_that_are_done_are_shown_and_stored(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = options_of(tmp_path, tasks_at(tmp_path / "tasks", 2))
    write_system(options, "eager", "eager")
    write_system(options, "hand-written", "passes")
    write_system(options, "inductor", "inductor", Outcome.UNSTABLE)
    script.store(options, options.out / "leaderboard-cpu.tar.xz")
    said = capsys.readouterr().out
    assert "inductor: not shown, 2 graphs have no verdict" in said
    page = (options.site / "index.html").read_text()
    document = json.loads((options.out / "leaderboard-cpu.json").read_text())
    (board,) = document["boards"]
    rows = [row["run"] for row in (*board["ranked"], *board["not_ranked"])]
    assert sorted(rows) == ["eager", "hand-written"] and board["tasks"] == 2
    assert "hand-written" in page and document["published"]["rows"]
    script.rebuild(options.out / "leaderboard-cpu.tar.xz", tmp_path / "other")
    assert (tmp_path / "other" / "index.html").read_text() == page


def test_the_page_has_the_rows_that_are_stored(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import figures_table
    import page_tables

    monkeypatch.setattr(page_tables, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(figures_table, "RESULTS", tmp_path / "results")
    assert page_tables.leaderboard().table == []
    options = options_of(tmp_path, tasks_at(tmp_path / "tasks", 2))
    write_system(options, "eager", "eager")
    write_system(options, "distill", "passes", Outcome.UNSTABLE)
    script.store(options, options.out / "leaderboard-cpu.tar.xz")
    figures_table.load.cache_clear()
    block = page_tables.leaderboard()
    assert [row[1] for row in block.table[1:]] == ["eager", "distill"]
    assert block.table[2][2:5] == ("none", "none", "none") and "verdicts: 2 graphs are unstable" in block.table[2][5]
    text = page_tables.between("<!-- x --><!-- /x -->", "x", block)
    said = figures_table.leaderboard(json.loads((options.out / "leaderboard-cpu.json").read_text()))
    assert all(figure.value in text for figure in said)
    figures_table.load.cache_clear()


def test_no_system_and_no_directory_are_told(script: ModuleType, tmp_path: Path) -> None:
    options = options_of(tmp_path, tasks_at(tmp_path / "tasks", 1))
    with pytest.raises(SystemExit, match="no system is done yet"):
        script.store(options, tmp_path / "x.tar.xz")
    options.run = None
    with pytest.raises(UsageError, match="give --run DIR"):
        script.measure(options)


def test_what_is_left_of_a_system(script: ModuleType, tmp_path: Path) -> None:
    options = options_of(tmp_path, tasks_at(tmp_path / "tasks", 2))
    graphs = {(target.name, target.graphs[0][0]) for target in find_targets(options.paths)}
    assert script.unfinished(options, "eager") == graphs
    write_system(options, "eager", "eager", Outcome.UNSTABLE)
    write_system(options, "distill", "passes", Outcome.UNSTABLE)
    write_system(options, "inductor", "inductor", Outcome.REFERENCE_ERROR)
    left = {system: script.unfinished(options, system) for system in ("eager", "distill", "inductor")}
    assert left == {"eager": graphs, "distill": set(), "inductor": set()}


def test_time_that_is_over_begins_nothing(script: ModuleType, tmp_path: Path) -> None:
    options = options_of(tmp_path, tasks_at(tmp_path / "tasks", 1))
    options.seconds = -1.0
    script.measure(options)
    assert [path.name for path in options.run.iterdir()] == ["revision.txt"]


def test_every_system_is_one_that_passnet_knows(script: ModuleType) -> None:
    from passnet.agent.authors.registry import make_author
    from passnet.bench.names import COMPILERS

    assert set(script.COMPILERS.values()) <= set(COMPILERS)
    assert {make_author(author).name for author in script.AUTHORS.values()} == {"distill"}
