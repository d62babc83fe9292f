"""Run directories: resumed by name, refused when they are something else, readable after any crash."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from passnet.bench.evaluate import EvaluationRequest, evaluate
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import SCHEMA
from passnet.bench.record.run import (
    ENVIRONMENT,
    OTHER_RUN,
    RECORDS,
    SCORE,
    SETTINGS,
    Run,
    end_broken_line,
    read_records,
    read_settings,
    refuse_names,
)
from passnet.errors import UsageError
from passnet.score import Outcome
from tests.bench.bench_helpers import TIMING, record
from tests.use.library_runs import TASKS

SETTINGS_A = {"device": "cpu", "protocol": {"seed": 1}, "paths": ("a", "b")}


def opened(path: Path, settings: dict[str, Any] | None = None) -> Run:
    return Run.open(path, settings or SETTINGS_A, {"cpu": "some"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "first"


def test_a_new_run_writes_settings_and_environment(path: Path) -> None:
    run = opened(path)
    run.close()
    assert json.loads((path / SETTINGS).read_text())["schema"] == SCHEMA
    assert json.loads((path / ENVIRONMENT).read_text()) == {"cpu": "some"}
    assert read_settings(path) == {"schema": SCHEMA, "device": "cpu", "protocol": {"seed": 1}, "paths": ["a", "b"]}
    assert read_records(path) == []
    assert list(path.glob("*.partial")) == []


def test_the_same_settings_resume(path: Path) -> None:
    run = opened(path)
    first, second = record(graph="one"), record(graph="two")
    run.append(first)
    run.append(second)
    run.close()
    again = opened(path)
    assert again.done(first.key()) == first
    assert again.done(second.key()) == second
    assert again.done(record(graph="three").key()) is None
    again.append(record(graph="three"))
    again.close()
    assert [r.graph for r in read_records(path)] == ["one", "two", "three"]


def test_the_environment_of_the_first_start_is_kept(path: Path) -> None:
    opened(path).close()
    Run.open(path, SETTINGS_A, {"cpu": "another"}).close()
    assert json.loads((path / ENVIRONMENT).read_text()) == {"cpu": "some"}


def test_other_settings_are_refused_by_name(path: Path) -> None:
    opened(path).close()
    with pytest.raises(UsageError, match=r"other settings \(protocol\)") as caught:
        opened(path, SETTINGS_A | {"protocol": {"seed": 2}})
    assert "use another directory; the same settings resume it" in str(caught.value)
    with pytest.raises(UsageError, match=r"give another --run name"):
        Run.open(path, SETTINGS_A | {"extra": 1}, {}, elsewhere=OTHER_RUN)
    with pytest.raises(UsageError, match=r"device, extra"):
        opened(path, SETTINGS_A | {"device": "cuda", "extra": 1})
    opened(path).close()


@pytest.mark.parametrize("outcome", [Outcome.UNSTABLE, Outcome.REFERENCE_ERROR])
def test_what_was_not_the_candidates_fault_is_tried_again(path: Path, outcome: Outcome) -> None:
    run = opened(path)
    run.append(record(outcome))
    assert run.done(record().key()) is None
    run.append(record(Outcome.TIMEOUT))
    assert run.done(record().key()) is not None
    run.close()
    assert [r.outcome for r in read_records(path)] == [Outcome.TIMEOUT], "the last record of a graph counts"


@pytest.mark.parametrize("text", [f'{{"schema": {SCHEMA + 1}}}', '{"schema": "1"}', "{}", "[]", "7"])
def test_another_schema_version_is_refused(path: Path, text: str) -> None:
    opened(path).close()
    (path / SETTINGS).write_text(text)
    with pytest.raises(UsageError, match="schema version"):
        opened(path)


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"not json"])
def test_unreadable_settings_are_a_clear_error(path: Path, data: bytes) -> None:
    opened(path).close()
    (path / SETTINGS).write_bytes(data)
    with pytest.raises(UsageError, match=SETTINGS):
        opened(path)


def test_a_directory_without_settings_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a run directory"):
        read_settings(tmp_path)


def test_a_directory_that_holds_something_else_is_left_alone(path: Path) -> None:
    path.mkdir(parents=True)
    (path / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="something else"):
        opened(path)
    assert os.listdir(path) == ["thesis.txt"]


def test_a_start_that_was_cut_short_can_be_started_again(path: Path) -> None:
    """The settings are written last; without them there is nothing to lose."""
    opened(path).close()
    (path / SETTINGS).unlink()
    opened(path).close()
    assert read_settings(path)["device"] == "cpu"


@pytest.mark.parametrize("where", ["itself", "parent"])
def test_where_nothing_can_be_written(tmp_path: Path, where: str) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    with pytest.raises(UsageError) as caught:
        opened(file if where == "itself" else file / "runs" / "first")
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert file.read_text() == "in the way"


def test_two_writers_are_refused_and_the_first_goes_on(path: Path) -> None:
    first = opened(path)
    with pytest.raises(UsageError, match="another process"):
        opened(path)
    first.append(record())
    first.close()
    second = opened(path)
    assert len(second.records) == 1
    second.close()


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.999])
def test_a_line_cut_off_by_a_crash_is_dropped_and_the_next_stands_alone(path: Path, keep: float) -> None:
    run = opened(path)
    run.append(record(graph="one"))
    whole = (path / RECORDS).read_bytes()
    run.append(record(graph="two"))
    run.close()
    both = (path / RECORDS).read_bytes()
    (path / RECORDS).write_bytes(both[: len(whole) + int((len(both) - len(whole) - 1) * keep)])
    assert [r.graph for r in read_records(path)] == ["one"]
    again = opened(path)
    again.append(record(graph="three"))
    again.close()
    assert [r.graph for r in read_records(path)] == ["one", "three"]
    for line in (path / RECORDS).read_text().splitlines():
        json.loads(line)


def test_the_last_line_whole_but_for_its_newline_is_measured_again(path: Path) -> None:
    run = opened(path)
    run.append(record(graph="one"))
    run.append(record(graph="two"))
    run.close()
    (path / RECORDS).write_bytes((path / RECORDS).read_bytes().rstrip(b"\n"))
    again = opened(path)
    assert [r.graph for r in again.records.values()] == ["one"]
    again.append(record(graph="three"))
    again.close()
    assert [r.graph for r in read_records(path)] == ["one", "three"]


@pytest.mark.parametrize("line", [b"{}", b"garbage", b'{"task": 1}', b"\xff"])
def test_a_broken_line_in_the_middle_is_named(path: Path, line: bytes) -> None:
    run = opened(path)
    run.append(record(graph="one"))
    run.close()
    good = (path / RECORDS).read_bytes()
    (path / RECORDS).write_bytes(good + line + b"\n" + good)
    with pytest.raises(UsageError, match="line 2"):
        read_records(path)


def test_a_line_without_an_end_is_not_read_into_memory(path: Path) -> None:
    """A file of this size takes no room on the disk."""
    path.mkdir(parents=True)
    with (path / RECORDS).open("wb") as file:
        file.truncate(1 << 42)
    with pytest.raises(UsageError, match="line 1 is no record: it is too long"):
        read_records(path)


def test_a_broken_line_longer_than_what_is_read_at_once_is_cut_off(path: Path) -> None:
    path.mkdir(parents=True)
    (path / RECORDS).write_bytes(b"whole\n" + b"x" * 200_000)
    end_broken_line(path / RECORDS)
    assert (path / RECORDS).read_bytes() == b"whole\n"
    (path / RECORDS).write_bytes(b"x" * 200_000)
    end_broken_line(path / RECORDS)
    assert (path / RECORDS).read_bytes() == b""


def test_every_record_is_on_the_disk_when_append_returns(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr("passnet.writing.os.fsync", lambda fd: synced.append(os.fstat(fd).st_size))
    run = opened(path)
    run.append(record(graph="one"))
    assert synced == [(path / RECORDS).stat().st_size]
    run.close()


def test_scores_are_written_as_published(path: Path) -> None:
    run = opened(path)
    run.write_score("family/task", 1.25)
    run.write_score("plain", None)
    run.close()
    found = {p.parent.name: json.loads(p.read_text()) for p in path.glob(f"tasks/*/{SCORE}")}
    assert found == {
        "family_task": {"id": "family/task", "score": 1.25},
        "plain": {"id": "plain", "score": None},
    }


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["a/b", "c", "a_b"], r"'a/b' and 'a_b' would share a directory"),
        (["x" * 256], "too long"),
        (["é" * 128], "found 256 bytes"),
    ],
)
def test_tasks_without_a_directory_of_their_own_are_refused(names: list[str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        refuse_names(names)


@pytest.mark.parametrize(("place", "words"), [("a_b", "would share a directory"), ("e/" + "x" * 255, "too long")])
def test_such_tasks_are_refused_before_anything_is_judged(tmp_path: Path, place: str, words: str) -> None:
    graph = next((TASKS / "bloom_gelu" / "graphs").rglob("model.py")).parent
    places = ["a/b", "c/b", place, f"d/{Path(place).name}"] if place != "a_b" else ["a/b", "c/b", place]
    for each in places:
        shutil.copytree(graph, tmp_path / each)
    listing = tmp_path / "list.txt"
    listing.write_text("".join(f"{each}\n" for each in places))
    request = EvaluationRequest((listing,), "cpu", "inductor", Protocol(), tmp_path / "run")
    with pytest.raises(UsageError, match=words):
        evaluate(request, lambda step: None)
    assert not (tmp_path / "run").exists()


def test_tasks_with_a_directory_of_their_own_are_none_of_these(path: Path) -> None:
    names = ["x" * 255, "a/b", "a_c", "é" * 127]
    refuse_names(names)
    run = opened(path)
    for name in names:
        run.write_score(name, 1.0)
    run.close()
    assert {json.loads(p.read_text())["id"] for p in path.glob(f"tasks/*/{SCORE}")} == set(names)


def test_what_scoring_sees_of_a_record() -> None:
    right = record(Outcome.CORRECT, correct_at=-6, timing=TIMING).result()
    assert (right.outcome, right.speedup, right.correct_at) == (Outcome.CORRECT, 1.5, -6)
    wrong = record(Outcome.ACCURACY, correct_at=1, timing=TIMING).result()
    assert (wrong.outcome, wrong.speedup, wrong.correct_at) == (Outcome.ACCURACY, 1.5, 1)
    failed = record(Outcome.TIMEOUT).result()
    assert (failed.speedup, failed.correct_at) == (None, None)


def test_a_record_of_a_talkative_worker_leaves_the_run_readable(path: Path) -> None:
    """Its near misses are left out, and nothing that a score needs."""
    control = "\x01" * 4000
    miss = dict.fromkeys(("graph", "rule", "pattern_node", "expected", "found", "reason"), control)
    run = opened(path)
    run.append(record(graph="one", near_misses=(miss,) * 100, replacements={"rule": 1}))
    run.append(record(graph="two", replacements={f"{number}{control[:2000]}": 1 for number in range(1000)}))
    run.append(record(graph="three", near_misses=({"rule": "r"},) * 100))
    run.close()
    one, two, three = read_records(path)
    assert (one.near_misses, one.replacements) == ((), {"rule": 1})
    assert (two.graph, two.replacements, two.outcome) == ("two", {}, record().outcome)
    assert len(three.near_misses) == 100
    assert list(run.records.values()) == [one, two, three]


@pytest.mark.parametrize("rows", [1001, 2_000_000])
def test_a_line_of_a_record_is_bounded(path: Path, rows: int) -> None:
    """A few bytes of a line could be a hundred of memory, so a line of many rows is not even parsed."""
    run = opened(path)
    run.append(record(graph="one"))
    run.close()
    line = json.loads((path / RECORDS).read_text()) | {"graph": "two", "near_misses": [{}] * rows}
    with (path / RECORDS).open("a") as file:
        file.write(json.dumps(line, separators=(",", ":")) + "\n")
    with pytest.raises(UsageError, match="line 2 is no"):
        read_records(path)
