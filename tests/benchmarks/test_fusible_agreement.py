"""The benchmark that compares ways of counting kernels: its sample, its rows and its figures, with made-up counters."""

from __future__ import annotations

import json
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from passnet.dataset.pipeline import workfiles
from tests.dataset.cut_parents import TASKS, normal, written

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import fusible_agreement

    return fusible_agreement


def graph(length: int = 6):
    names = ["x", *(f"t{place}" for place in range(length))]
    body = "\n".join(f"{new} = {old} * {place + 2}" for place, (old, new) in enumerate(pairwise(names)))
    return written(body, names[-1], x=normal(8, 8))


def test_ways_that_fail_leave_the_others(script):
    def find(way):
        def count(graph):
            if way == "prefix":
                raise RuntimeError("no such kernel\nand more")
            return [1, 1, 1, 2, 2, 2]

        return count

    row = script.count_one(graph(), ("launches", "one", "prefix"), find)
    assert row["counts"] == {"launches": [1, 1, 1, 2, 2, 2], "one": [1, 1, 1, 2, 2, 2]}
    assert row["errors"] == {"prefix": "RuntimeError: no such kernel"}
    assert row["computing"] == [0, 1, 2, 3, 4, 5]
    found = script.summary([row])
    assert found["counted"] == {"launches": 1, "one": 1, "prefix": 0}
    assert found["agreement"]["one with launches"]["graphs_with_all_ranges_equal"] == 1.0
    assert found["agreement"]["prefix with launches"] == {}


def rows(*pairs):
    return [
        {"ops": len(left), "computing": list(range(len(left))), "counts": {"launches": left, "one": right}}
        for left, right in pairs
    ]


def test_figures_of_agreement(script):
    found = script.agreement(rows(([1, 1, 2, 2], [1, 1, 1, 1]), ([1, 1, 2], [1, 1, 2])), "launches", "one")
    assert found["graphs"] == 2
    assert found["prefix_counts_equal"] == pytest.approx(5 / 7, abs=1e-4)
    assert found["steps_equal"] == pytest.approx(6 / 7, abs=1e-4)
    assert found["graphs_with_all_counts_equal"] == found["graphs_with_all_ranges_equal"] == 0.5
    # Two and one ranges against one and one, of which one is shared.
    assert found["ranges"] == {"launches": 3, "one": 2}
    assert found["ranges_jaccard"] == 0.25
    # Neighbours 0-1, 2-3 and 0-1 against 0-1, 1-2, 2-3 and 0-1.
    assert found["joined_jaccard"] == 0.75
    assert found["mean_difference"] == -0.5


def test_views_alone_are_no_range(script):
    row = {"computing": [3], "counts": {"one": [0, 0, 0, 1]}}
    assert script.ranges_of(row, "one") == set()


def test_launches_of_another_run_are_put_into_rows_of_the_same_graphs(script):
    mine = [{"graph": "a", "counts": {"one": [1]}}, {"graph": "b", "counts": {"one": [1]}}]
    script.add_launches(mine, [{"graph": "b", "counts": {"launches": [2]}}, {"graph": "c", "counts": {}}])
    assert [row["counts"] for row in mine] == [{"one": [1]}, {"one": [1], "launches": [2]}]


def test_samples_are_cut_packed_and_read_again(script, tmp_path, monkeypatch, capsys):
    unit = tmp_path / "captures" / "long.json.gz"
    unit.parent.mkdir()
    unit.write_bytes(workfiles.packed({"record": {}, "graphs": [workfiles.graph_to_json(graph(40))]}))
    packed = tmp_path / "sample.json.gz"
    monkeypatch.setattr(sys, "argv", ["x", str(unit.parent), "--graphs", "3", "--max-ops", "5", "--pack", str(packed)])
    script.main()
    found = script.sample(packed, 9, 5, 0)
    assert [len(one.statements()) for one in found] == [5, 5, 5]
    assert len({one.structure_hash for one in found}) == 3
    assert [one.source for one in found] == [one.source for one in script.sample(unit.parent, 3, 5, 0)]
    assert len(script.sample(TASKS, 4, 100, 0)) == 4
    (tmp_path / "empty").mkdir()
    with pytest.raises(SystemExit, match="no graphs"):
        script.sample(tmp_path / "empty", 1, 5, 0)
    assert "3 graphs" in capsys.readouterr().out


@pytest.mark.slow
def test_processes_count_and_the_result_is_written(script, tmp_path, monkeypatch):
    packed = tmp_path / "sample.json.gz"
    packed.write_bytes(workfiles.packed({"graphs": [workfiles.graph_to_json(graph(n)) for n in (3, 4, 5)]}))
    arguments = ["x", str(packed), "--graphs", "3", "--jobs", "2", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", arguments)
    script.main()
    result = json.loads((tmp_path / "fusible-agreement-cpu.json").read_text())
    assert result["counted"] == {"one": 3, "prefix": 3}
    assert result["agreement"]["one with prefix"]["graphs_with_all_counts_equal"] == 1.0
    assert result["environment"]["torch"] and result["date"]


def test_what_is_not_done_by_the_deadline_is_left_out(script):
    assert script.count_all([graph()], ("one",), 1, time.perf_counter()) == []
