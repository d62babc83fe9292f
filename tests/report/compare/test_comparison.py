"""The comparison as a document: its figures, what changed around the runs, further runs, and rows for a table."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from passnet.bench.record.protocol import make
from passnet.report.compare.comparison import COLUMNS, compare_runs, comparison_document
from tests.report.recorded_runs import MACHINE, altered, benchmark, record, slower, write_run


@pytest.fixture
def a(tmp_path: Path) -> Path:
    return write_run(tmp_path / "a", benchmark())


def test_the_ratio_is_the_geometric_mean_over_graphs(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", [record("x", "0", 1.0), record("x", "1", 1.0), record("y", "0", 2.0)])
    b = write_run(tmp_path / "b", [record("x", "0", 1.1), record("x", "1", 1.2), record("y", "0", 2.6)])
    found = compare_runs([a, b])[0].to_json()
    assert found["graphs"] == 3
    assert found["tasks"] == 2
    assert found["ratio"]["gmean"] == pytest.approx((1.1 * 1.2 * 1.3) ** (1 / 3))
    low, high = found["ratio"]["ci"]
    assert low < found["ratio"]["gmean"] < high


def test_the_document_is_the_contract(tmp_path: Path, a: Path) -> None:
    b = altered(a, tmp_path / "b", slower(1.3, lambda line: line["task"] == "task2"))
    again = altered(a, tmp_path / "again", slower(1.001, lambda line: True))
    document = comparison_document(compare_runs([a, b, again]))
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert {"schema", "graphs", "ratio", "regressions", "only_in_a", "only_in_b"} <= document.keys()
    assert document["schema"] == 1
    assert document["graphs"] == 20
    first = document["regressions"][0]
    assert first["graph"] == "task2/float32/0/samples/timm/model2"
    assert first["b"] == pytest.approx(first["a"] / 1.3)
    assert first["ci"][0] < 1 / 1.3 < first["ci"][1] < 1
    assert [one["b"] for one in document["further"]] == [str(again)]
    assert document["further"][0]["ratio"]["gmean"] == pytest.approx(1 / 1.001)
    assert document["further"][0]["regressions"] == []


def test_worse_outcomes_come_first_then_the_slowest(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", [record(graph=name) for name in "wxyz"])
    b = write_run(tmp_path / "b", [
        record(graph="w", speedup=1.0), record(graph="x", speedup=0.9), record(graph="y", outcome="timeout"),
        record(graph="z"),
    ])  # fmt: skip
    found = compare_runs([a, b])[0]
    assert [pair.a.graph for pair in found.regressions] == ["y", "x", "w"]
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in found.rows()]
    assert [row["graph"] for row in rows] == ["y", "x", "w", "z"]
    assert rows[0]["ratio"] is None
    assert rows[0]["outcome_b"] == "timeout"


def test_one_run_on_two_machines_agrees_and_says_so(tmp_path: Path, a: Path) -> None:
    other = MACHINE | {"cpu": "Another Processor", "cores": 64, "date": "2027-01-01T00:00:00+00:00"}
    b = write_run(tmp_path / "b", benchmark(speedup=1.21), machine=other)
    found = compare_runs([a, b])[0].to_json()
    assert found["changes"]["environment"] == {
        "cpu": ["Some Processor", "Another Processor"], "cores": [2, 64],
    }  # fmt: skip
    assert found["agreement"] == {"same_outcome": 1.0, "within_interval": 1.0, "two_machines": True}
    assert any("two machines" in note for note in found["notes"])
    assert found["regressions"] == []


def test_what_changed_around_the_runs_is_listed(tmp_path: Path, a: Path) -> None:
    protocol = make("direct", precision=0.05)
    records = benchmark(compiler="inductor", protocol=protocol, pass_set_hash=None)
    b = write_run(
        tmp_path / "b", records, machine=MACHINE | {"torch": "2.14.0"}, protocol=protocol, compiler="inductor"
    )
    found = compare_runs([a, b])[0].to_json()
    assert found["changes"]["environment"] == {"torch": ["2.13.0", "2.14.0"]}
    assert found["changes"]["protocol"]["precision"] == [0.02, 0.05]
    assert found["changes"]["settings"] == {"compiler": ["passes", "inductor"]}
    assert found["changes"]["passes"] == ["task0", "task1", "task2", "task3"]
    assert "the runs have two protocols" in found["notes"]
    assert not found["agreement"]["two_machines"]


def test_an_unfinished_run_is_compared_as_far_as_it_goes(tmp_path: Path, a: Path) -> None:
    b = write_run(tmp_path / "b", benchmark()[:7])
    found = compare_runs([a, b])[0].to_json()
    assert (found["graphs"], len(found["only_in_a"]), found["only_in_b"]) == (7, 13, [])
    assert "not compared: 13 graphs only in A, 0 only in B, 0 of other content" in found["notes"]


def test_nothing_that_is_right_in_both_gives_no_ratio(tmp_path: Path, a: Path) -> None:
    b = write_run(tmp_path / "b", benchmark(outcome="timeout"))
    found = compare_runs([a, b])[0].to_json()
    assert found["ratio"]["gmean"] is None
    assert found["agreement"]["within_interval"] is None
    assert len(found["regressions"]) == 20


def test_wild_figures_stay_numbers_of_json(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", [record("x", speedup=1e-29, seconds=1e40), record("y", speedup=1e29)])
    b = write_run(tmp_path / "b", [record("x", speedup=1e29), record("y", speedup=1e-29, seconds=1e40)])
    text = json.dumps(comparison_document(compare_runs([a, b])), allow_nan=False)
    assert all(math.isfinite(end) for end in json.loads(text)["ratio"]["ci"])
