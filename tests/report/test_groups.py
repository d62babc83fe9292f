"""Groups: told by names, tasks and records, unknown where nothing tells, and never guessed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from passnet.graph import Task, bundled
from passnet.report.groups import GROUPINGS, GroupFacts, group_scores
from passnet.report.recorded import read_recorded
from passnet.report.run_tasks import run_tasks
from passnet.report.traits import Traits
from passnet.score import ScoreParams
from tests.report.recorded_runs import record, timing, write_run
from tests.report.test_submission import BUNDLED, records_of


def groups(run: Path, by: str) -> dict[str, dict]:
    found = read_recorded(run)
    return group_scores(found.results, by, GroupFacts.of(found, run_tasks(found)), ScoreParams())


def numbers(run: Path, by: str) -> dict[str, int]:
    return {group: row["graphs"] for group, row in groups(run, by).items()}


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BUNDLED / "bloom_gelu", tmp_path / "tasks" / "bloom_gelu"))


def test_names_tell_dtype_and_kind(tmp_path: Path) -> None:
    cut = "samples/timm/a/_decomposed/x"
    names = (f"fusible_subgraphs/float16/7/{cut}", "bfloat16/0/samples/timm/a", f"float32/0/{cut}", "anything")
    run = write_run(tmp_path / "run", [record(graph=name) for name in names])
    assert numbers(run, "dtype") == {"bfloat16": 1, "float16": 1, "float32": 1, "unknown": 1}
    assert numbers(run, "kind") == {"fusible": 1, "subgraph": 1, "unknown": 2}


def test_tasks_tell_domain_and_difficulty(task: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", records_of(task), paths=[str(task)])
    assert numbers(run, "domain") == {"nlp": 6}
    assert numbers(run, "difficulty") == {"9 to 16 operations": 6}
    assert numbers(run, "dtype") == {"bfloat16": 2, "float16": 2, "float32": 2}


def test_kinds_are_those_that_the_list_of_tasks_shows() -> None:
    for row in bundled.all_tasks():
        ref = Task.read(row.path).refs[0]
        assert Traits.of(f"{row.task}/{ref.name}", ref.load(), None).kind == row.kind, row.task


def test_tasks_that_are_not_here_tell_nothing(task: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", records_of(task), paths=["nowhere/bloom_gelu"])
    assert numbers(run, "domain") == numbers(run, "difficulty") == {"unknown": 6}


def test_a_graph_that_changed_tells_nothing(task: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", records_of(task), paths=[str(task)])
    source = next(task.rglob("model.py"))
    source.write_text(source.read_text() + "\n")
    assert numbers(run, "domain") == {"nlp": 5, "unknown": 1}


def test_records_tell_the_regime(tmp_path: Path) -> None:
    busy = {"idle": 9.0, "as_long": 10.0, "twice": 29.0, "thrice": 30.0, "more": 91.0}
    records = [
        record(graph=name, timing=timing(1.2, eager_busy_us=us, launch_us=10.0), device="cuda")
        for name, us in busy.items()
    ]
    run = write_run(tmp_path / "run", [*records, record(graph="cpu")])
    assert numbers(run, "regime") == {"launch": 1, "mixed": 2, "work": 2, "unknown": 1}


def test_figures_are_of_the_group_alone(tmp_path: Path) -> None:
    records = [
        record("a", "float32/0/samples/x/y", 2.0), record("b", "float32/0/samples/x/y", 1.0),
        record("c", "float16/0/samples/x/y", outcome="timeout"),
        record("d", "bfloat16/0/samples/x/y", outcome="unstable"),
    ]  # fmt: skip
    found = groups(write_run(tmp_path / "run", records), "dtype")
    assert found["float32"]["AS"] == pytest.approx(2**0.5)
    assert found["float32"]["AS_pooled"]["low"] <= found["float32"]["AS"] <= found["float32"]["AS_pooled"]["high"]
    assert found["float16"]["subgraph_correct"]["value"] == 0.0
    assert found["bfloat16"] | {"graphs": 1, "scored": 0, "AS": None} == found["bfloat16"]


@pytest.mark.parametrize("by", GROUPINGS)
def test_every_graph_is_in_one_group(task: Path, tmp_path: Path, by: str) -> None:
    run = write_run(tmp_path / "run", [*records_of(task), record()], paths=[str(task)])
    assert sum(numbers(run, by).values()) == 7
