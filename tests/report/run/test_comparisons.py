"""What a page says of its runs in sentences: against each other, by each way of calling, and what is doubtful."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from passnet.report.run.build import write_report
from passnet.report.run.caution import caution_grid, doubts_of
from passnet.report.run.commands import task_command
from passnet.report.run.episodes import AtK
from passnet.report.run.figures import run_figures
from passnet.report.run.losses import against_eager
from passnet.report.run.paired import against_each_other
from passnet.report.run.reading import read_runs
from passnet.report.run.sections import RunView
from passnet.report.run.sentences import plain
from passnet.report.run.sources import find_sources
from passnet.score import Outcome
from tests.report.recorded_runs import record, timing, write_run


def view(number: int, path: Path) -> RunView:
    [run] = read_runs([path])
    sources = find_sources(run, path)
    return RunView(number, run, sources, run_figures(sources), (), AtK((), (), 0))


@pytest.fixture
def views(tmp_path: Path) -> list[RunView]:
    """Run `b` is twice as fast on two tasks, has no right graph on the third, and is slower behind its guard."""
    ours = [record(f"t{i}", "g", timing=timing(1.5, deployed_speedup=1.2)) for i in range(3)]
    theirs = [record(f"t{i}", "g", timing=timing(3.0, deployed_speedup=0.9)) for i in range(2)]
    theirs.append(record("t2", "g", outcome=Outcome.ACCURACY, correct_at=2, timing=None))
    return [view(0, write_run(tmp_path / "a", ours)), view(1, write_run(tmp_path / "b", theirs))]


def test_runs_are_compared_over_the_graphs_that_are_right_in_both(views: list[RunView]) -> None:
    [sentence] = against_each_other(views)
    assert sentence.startswith("a against b, paired over the graphs that are right in both: ")
    assert "0.50 [0.50, 0.50] times as fast called directly, faster on 0 of 2 tasks" in sentence
    assert "1.33 [1.33, 1.33] times as fast behind the guard of a model (deployed), faster on 2 of 2 tasks" in sentence
    assert "captured" not in sentence
    assert against_each_other(views[:1]) == []


def test_each_way_of_calling_says_on_how_many_tasks_it_loses(views: list[RunView]) -> None:
    ours, theirs = map(plain, against_eager(views))
    assert ours == (
        "a: by speedup alone, right graphs are slower than eager (geometric mean of a task below 1) on 0 of 3 tasks "
        "called directly, 0 of 3 tasks behind the guard of a model (deployed)."
    )
    assert "0 of 2 tasks called directly, 2 of 2 tasks behind" in theirs


def test_what_is_doubtful_is_named_and_nothing_else() -> None:
    fine = timing(2.0, precision=0.02)
    assert doubts_of(fine) == {}
    wide = timing(2.0, 0.09, precision=0.05, ended="limit")
    assert doubts_of(wide) == {"wide interval": "the interval reached 9.4% where 5% was asked for"}
    first = fine.processes[0]
    apart = first.model_copy(update={"ratio": 2.3})
    off = first.model_copy(update={"control_ratio": 0.9})
    differ = doubts_of(fine.model_copy(update={"processes": (first, apart)}))
    assert differ == {"processes differ": "its 2 processes differ by 15%"}
    found = list(doubts_of(fine.model_copy(update={"processes": (first, off), "on_slow_core": 90})).values())
    assert found[0] == "eager against eager gave 0.900 in one process"
    assert found[1] == "90 blocks count although their core was slow"


def test_doubtful_graphs_stand_in_a_table_that_says_what_was_looked_for(tmp_path: Path) -> None:
    rows = [record("wide", "g", timing=timing(2.0, 0.09, precision=0.05, ended="limit")), record("fine", "g")]
    run = view(0, write_run(tmp_path / "a", rows))
    grid = caution_grid([run])
    assert grid.title == "1 graph to read with care"
    assert [row[0] for row in grid.rows] == ["wide"]
    assert list(grid.columns) == ["task", "graph", "speedup", "what is doubtful"]
    assert grid.rows[0][1] == "g" and math.isclose(float(grid.rows[0][2].split()[0]), 2.0)
    assert "2 timed graphs" in grid.note
    page = write_report([tmp_path / "a"], tmp_path / "page.html", root=tmp_path).path.read_text()
    assert '<a href="#care">1 graph to read with care</a>' in page and '<details id="care">' in page
    assert (
        "By speedup alone, right graphs are slower than eager (geometric mean of a task below 1) on 0 of 2 tasks"
        in page
    )


def test_a_bundled_task_is_judged_again_by_its_name(tmp_path: Path) -> None:
    [named] = read_runs([write_run(tmp_path / "a", [record("bloom_gelu", "g")], paths=["bundled"])])
    [other] = read_runs([write_run(tmp_path / "b", [record("bloom_gelu", "g")], paths=["mine"])])
    assert task_command(named, "bloom_gelu").startswith("passnet eval bloom_gelu --device cpu")
    assert task_command(other, "bloom_gelu").startswith("passnet eval mine --device cpu")
