"""Reading a run: what is kept, what is refused in one clear sentence, and what may be missing."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from passnet.bench.record.run import ENVIRONMENT, RECORDS, SETTINGS
from passnet.errors import UsageError
from passnet.report.recorded import read_recorded
from tests.hostile_texts import HOSTILE, put
from tests.report.recorded_runs import altered, record, timing, write_run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", [record(graph="x"), record(graph="y", outcome="timeout")])


def test_what_is_kept(run: Path) -> None:
    found = read_recorded(run)
    assert found.name == "run"
    assert [graph.name for graph in found.graphs] == ["one/x", "one/y"]
    assert found.environment is not None and found.environment["cpu"] == "Some Processor"
    assert found.graphs[0].processes == 3
    assert found.graphs[0].regime is None
    assert found.graphs[1].speed is None


def test_only_the_last_record_of_a_graph_counts(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [record(outcome="unstable"), record(speedup=1.5)])
    (graph,) = read_recorded(run).graphs
    assert graph.speed is not None and graph.speed.centre == 1.5


def test_what_limits_eager(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [record(timing=timing(1.2, eager_busy_us=30.0, launch_us=10.0), device="cuda")])
    assert read_recorded(run).graphs[0].regime == "work"


def test_a_missing_environment_is_no_error(run: Path) -> None:
    (run / ENVIRONMENT).unlink()
    assert read_recorded(run).environment is None


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_environment_is_a_missing_one(name: str, run: Path) -> None:
    put(name, run / ENVIRONMENT)
    found = read_recorded(run).environment
    assert found is None or isinstance(found, dict)


@pytest.mark.parametrize("file", [SETTINGS, RECORDS])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused(name: str, file: str, run: Path) -> None:
    put(name, run / file)
    with pytest.raises(UsageError):
        read_recorded(run)


def test_a_broken_last_line_is_skipped(run: Path) -> None:
    with (run / RECORDS).open("a") as file:
        file.write('{"task": "one", "gra')
    assert len(read_recorded(run).graphs) == 2


def test_a_broken_line_elsewhere_names_its_place(run: Path) -> None:
    lines = (run / RECORDS).read_text().splitlines()
    (run / RECORDS).write_text("\n".join([lines[0][:40], lines[1]]) + "\n")
    with pytest.raises(UsageError, match="line 1 is not a record of this version"):
        read_recorded(run)


def test_another_version_of_records_is_refused(run: Path) -> None:
    settings = json.loads((run / SETTINGS).read_text())
    (run / SETTINGS).write_text(json.dumps(settings | {"schema": 2}))
    with pytest.raises(UsageError, match="another schema version; expected 1, found 2"):
        read_recorded(run)


def test_a_record_of_another_version_is_refused(run: Path, tmp_path: Path) -> None:
    mixed = altered(run, tmp_path / "mixed", lambda line: line | {"schema_version": 2 if line["graph"] == "y" else 1})
    with pytest.raises(UsageError, match="line 2 is of another schema version; expected 1, found 2"):
        read_recorded(mixed)


def test_a_run_without_records_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no records"):
        read_recorded(write_run(tmp_path / "run", []))


def test_a_foreign_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a run directory; expected a file settings"):
        read_recorded(tmp_path)


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        ([0.0, 1.3], "line 1 is not a record of this version: .*0.0 is no positive number"),
        ([1.3, 1.1], "line 1 is not a record of this version: .*the low end is above the high end"),
        ([-1.0, 1.2], "line 1 is not a record of this version: .*-1.0 is no positive number"),
        ([1.0, -math.inf], "line 1 is not a record of this version: .*-inf is no positive number"),
        ([1.0, 1e40], "an impossible record of one/x"),
    ],
)
def test_an_impossible_interval_is_refused(interval: list[float], words: str, run: Path, tmp_path: Path) -> None:
    def change(line: dict) -> dict:
        if line["timing"]:
            line["timing"]["speedup_ci"] = interval
        return line

    with pytest.raises(UsageError, match=words):
        read_recorded(altered(run, tmp_path / "other", change))


def test_a_right_graph_without_times_is_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"records.jsonl: line 1 is not a record .* outcome and correctness contradict"
    ):
        read_recorded(altered(run, tmp_path / "other", lambda line: line | {"timing": None}))
