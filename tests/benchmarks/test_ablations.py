"""The figures of the ablations: what counts as eager, what is not known, which graphs are paired, and the page."""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from passnet.bench.record.records import GraphRecord
from passnet.graph import bundled
from passnet.score import Outcome
from tests.report.run_directories import Named, record, timing

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import ablations

    return ablations


def judged(graph: str, speedup: float | None, outcome: Outcome = Outcome.CORRECT) -> GraphRecord:
    draw = random.Random(1)
    if speedup is None:
        return record(Named("t", graph), draw, outcome)
    ends = (speedup / 1.25, speedup * 1.25)
    other = {"ended": "limit", "deployed_speedup": speedup, "deployed_speedup_ci": (speedup, speedup)}
    known = timing(ends[0], draw, speedup_ci=ends, scored_at="low", **other)
    return record(Named("t", graph), draw, Outcome.CORRECT, timing=known)


def left(how: str, *records: GraphRecord, passes: str = "") -> dict[str, Any]:
    rows = [one.model_dump(mode="json", by_alias=True) for one in records]
    return {"left": how, "pass_set_hash": passes or None, "seconds": 60.0, "records": rows}


def task(graphs: list[str], **ways: Any) -> dict[str, Any]:
    return {"graphs": graphs, "ways": {name.replace("_", " "): row for name, row in ways.items()}}


def test_a_ratio_is_of_centres_over_the_whole_author(script: ModuleType) -> None:
    found = script.figures(
        {
            "a": task(["0"], whole=left("passes", judged("0", 4.0)), less=left("passes", judged("0", 2.0))),
            "b": task(["0"], whole=left("passes", judged("0", 2.0)), less=left("passes", judged("0", 1.0))),
        },
        "less",
    )
    over = found["direct"]["over_whole"]
    assert (over["value"], over["graphs"], over["tasks"]) == (pytest.approx(0.5), 2, 2)
    assert over["interval"] == pytest.approx([0.5, 0.5])
    assert found["direct"]["speedup"]["value"] == pytest.approx(2**0.5)
    assert found["minutes_per_task"] == 1.0


def test_what_has_no_pass_set_stays_eager(script: ModuleType) -> None:
    found = script.figures(
        {"a": task(["0", "1"], whole=left("passes", judged("0", 4.0), judged("1", 4.0)), less=left("nothing"))}, "less"
    )
    assert found["states"] == {"eager": 2}
    assert found["direct"]["over_whole"]["value"] == pytest.approx(0.25)
    assert found["direct"]["over_whole"]["interval"] is None


def test_graphs_that_are_wrong_or_unknown_are_counted_and_not_paired(script: ModuleType) -> None:
    names = ["0", "1", "2", "3"]
    whole = left("passes", *(judged(name, 2.0) for name in names), passes="x")
    less = left(
        "passes",
        judged("0", 1.0),
        judged("1", None, Outcome.ACCURACY),
        judged("2", None, Outcome.UNSTABLE),
        judged("3", None, Outcome.INTEGRITY),
        passes="y",
    )
    found = script.figures({"a": task(names, whole=whole, less=less)}, "less")
    assert found["states"] == {"correct": 1, "accuracy": 1, "unknown": 1, "integrity": 1}
    assert (found["direct"]["over_whole"]["graphs"], found["graphs"]) == (1, 4)
    assert found["tasks_with_the_same_passes"] == 0
    unknown = script.figures({"a": task(["0"], whole=whole, less=left("unknown"))}, "less")
    assert unknown["states"] == {"unknown": 1} and unknown["direct"]["over_whole"] is None


def test_an_episode_without_passes_is_eager_only_where_nothing_was_evaluated(script: ModuleType) -> None:
    assert script.left_by({"passes": "p", "evaluations": 3}) == "passes"
    assert script.left_by({"passes": None, "evaluations": 0}) == "nothing"
    assert script.left_by({"passes": None, "evaluations": 2}) == "unknown"


def test_pass_sets_of_the_same_bytes_are_judged_once_and_replay_is_judged_apart(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "passes").mkdir()
    asked: list[tuple[list[str], str]] = []

    def run(options: argparse.Namespace, compiler: str) -> None:
        asked.append(([path.name for path in options.paths], options.set[-1]))
        (options.run / compiler).mkdir(parents=True)
        rows = [judged("0", 2.0).model_copy(update={"task": path.name}) for path in options.paths]
        text = "".join(f"{one.model_dump_json(by_alias=True)}\n" for one in rows)
        (options.run / compiler / "records.jsonl").write_text(text)

    monkeypatch.setattr(script.common, "run", run)
    place = bundled.place_of("bloom_gelu")
    hashes = {"whole": "x", "no regions": "x", "no configurations": "y", "no replay": "x"}
    rows = {name: left("passes", passes=known) | {"passes": tmp_path / "passes"} for name, known in hashes.items()}
    found = script.judged(argparse.Namespace(run=tmp_path / "run", set=[]), place, rows)
    assert asked == [
        (["bloom_gelu.whole", "bloom_gelu.no-configurations"], "freeze=true"),
        (["bloom_gelu.no-replay"], "freeze=false"),
    ]
    assert {name: [(one.task, one.graph) for one in records] for name, records in found.items()} == {
        name: [("bloom_gelu", "0")] for name in hashes
    }


def test_the_default_tasks_are_twelve_of_the_wheel(script: ModuleType) -> None:
    paths = script.default_tasks()
    assert len(paths) == len(set(paths)) == 12
    assert all((path / "graph_list.txt").exists() for path in paths)


def test_a_task_is_told_when_every_judged_graph_has_a_verdict(script: ModuleType, tmp_path: Path) -> None:
    rows = {
        "whole.json": task(["0"], whole=left("passes", judged("0", 2.0)), less=left("nothing")),
        "wrong.json": task(["0"], whole=left("passes", judged("0", None, Outcome.ACCURACY))),
        "unknown.json": task(["0"], whole=left("passes", judged("0", None, Outcome.UNSTABLE))),
    }
    for name, row in rows.items():
        (tmp_path / name).write_text(json.dumps(row))
    told = {name: script.is_told(tmp_path / name) for name in (*rows, "missing.json")}
    assert told == {"whole.json": True, "wrong.json": True, "unknown.json": False, "missing.json": False}


def test_time_that_is_over_begins_nothing_and_no_task_is_no_result(script: ModuleType, tmp_path: Path) -> None:
    options = argparse.Namespace(
        run=tmp_path / "run", revision="0123456789ab", paths=[bundled.place_of("bloom_gelu")], seconds=-1.0
    )
    script.measure(options)
    assert list((tmp_path / "run" / "rows").glob("*.json")) == []
    with pytest.raises(SystemExit, match="no task is done yet"):
        script.report(options)


def test_the_page_has_a_table_once_there_is_a_result(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import figures_table
    import page_tables

    monkeypatch.setattr(page_tables, "RESULTS", tmp_path)
    assert page_tables.ablations() == page_tables.Block([], page_tables.NOT_ABLATED)
    tasks = {
        name: task(
            ["0"], whole=left("passes", judged("0", 4.0)), no_regions=left("nothing"),
            no_configurations=left("passes", judged("0", 3.0)), no_replay=left("passes", judged("0", 2.0)),
        )
        for name in ("a", "b")
    }  # fmt: skip
    ways = {way.name: script.figures(tasks, way.name) for way in script.WAYS}
    document = {"environment": {"cpu": "a processor", "cores": 2}, "tasks": 2, "ways": ways}
    (tmp_path / "ablations-cpu.json").write_text(json.dumps(document))
    monkeypatch.setattr(figures_table, "RESULTS", tmp_path)
    figures_table.load.cache_clear()
    block = page_tables.ablations()
    assert "2 evaluation tasks, 2 graphs, on one core of a processor." in block.words
    rows = {row[0]: row[1:] for row in block.table[1:]}
    assert rows["no regions"][0] == "0.25 [0.25, 0.25]" and rows["no regions"][-3:] == ("0 of 0", "2", "1.0")
    assert rows["no replay"][:2] == ("0.50 [0.50, 0.50]", "0.50 [0.50, 0.50]")
    assert rows["whole"][:3] == ("1", "1", "4.00 [4.00, 4.00]")
    text = page_tables.between("<!-- x --><!-- /x -->", "x", block)
    assert max(map(len, text.splitlines()[:5])) <= 120
    said = [figure.value for figure in figures_table.ablations(document) if figure.said_in]
    assert all(value in text for value in said)
    figures_table.load.cache_clear()
