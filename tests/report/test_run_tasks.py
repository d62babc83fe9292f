"""The tasks of a run: found where the run had them, and nowhere that a stranger leads to."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from passnet.errors import UsageError
from passnet.report.recorded import RecordedRun, read_recorded
from passnet.report.run_tasks import run_tasks
from tests.hostile_texts import HOSTILE, put
from tests.report.recorded_runs import record, write_run

BUNDLED = Path(__file__).parents[2] / "data" / "tasks"


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    for name in ("bloom_gelu", "gpt2_gelu_new"):
        shutil.copytree(BUNDLED / name, tmp_path / "tasks" / name)
    return tmp_path / "tasks"


def run(tmp_path: Path, *paths: object, task: str = "bloom_gelu") -> RecordedRun:
    return read_recorded(write_run(tmp_path / "run", [record(task)], paths=list(paths)))


def test_a_task_a_directory_and_a_list(tasks: Path, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("tasks/bloom_gelu\ntasks/gpt2_gelu_new\n")
    places = {"task": tasks / "bloom_gelu", "directory": tasks, "list": tmp_path / "list.txt"}
    for name, place in places.items():
        found = run_tasks(run(tmp_path / name, str(place)))
        assert list(found.found) == ["bloom_gelu"], name
        assert set(found.here) >= {"bloom_gelu"}, name
    assert set(run_tasks(run(tmp_path / "all", str(tasks))).here) == {"bloom_gelu", "gpt2_gelu_new"}


def test_single_graphs_of_a_directory(tasks: Path, tmp_path: Path) -> None:
    below = tasks / "bloom_gelu" / "graphs" / "float32"
    name = str(next(below.rglob("model.py")).parent.relative_to(below))
    found = run_tasks(run(tmp_path, str(below), task=name))
    assert list(found.found) == [name]


def test_tasks_that_a_user_gives_are_read_as_everywhere(tasks: Path, tmp_path: Path) -> None:
    found = run_tasks(run(tmp_path, "nowhere"), [tasks])
    assert set(found.found) == {"bloom_gelu", "gpt2_gelu_new"}
    with pytest.raises(UsageError, match="no such directory"):
        run_tasks(run(tmp_path / "other", "nowhere"), [tmp_path / "none"])


def test_names_of_records_lead_to_no_other_directory(tasks: Path, tmp_path: Path) -> None:
    graph = next(tasks.rglob("model.py")).parent
    (tmp_path / "empty").mkdir()
    outside = os.path.relpath(graph, tmp_path / "empty")
    assert run_tasks(run(tmp_path, str(tmp_path / "empty"), task=outside)).found == {}


def test_a_list_of_names_and_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.chmod(0o1777)  # what lies above, as another's "demo", counts for nothing
    (tmp_path / "list.txt").write_text("demo\n" + "".join(f"{'./' * n}list.txt\n" for n in range(40)))
    for name, text in (("name", "bloom_gelu\n"), ("set", "demo\n"), ("list", "list.txt\n")):
        (tmp_path / f"{name}.csv").write_text(f"task\n{text}")
        assert list(run_tasks(run(tmp_path / name, f"{name}.csv")).found) == ["bloom_gelu"], name


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_lists_name_nothing(name: str, tmp_path: Path) -> None:
    put(name, tmp_path / "list.txt")
    assert run_tasks(run(tmp_path, str(tmp_path / "list.txt"))).found == {}


def test_paths_that_are_none(tmp_path: Path) -> None:
    found = run_tasks(run(tmp_path, "\0", 7, None, [], "x" * 5000, "", "nowhere"))
    assert found.found == {}
    assert found.missing == ("nowhere",)


def test_bundled_tasks_are_found_by_name_where_nothing_else_has_it(
    tasks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, given in (("one", "bloom_gelu"), ("set", "bundled"), ("list", "demo")):
        found = run_tasks(run(tmp_path / name, given))
        assert list(found.found) == ["bloom_gelu"] and found.missing == (), given
    shutil.copytree(tasks / "gpt2_gelu_new", tmp_path / "bloom_gelu")
    assert run_tasks(run(tmp_path / "own", "bloom_gelu")).found.keys() == {"bloom_gelu"}
    own = run_tasks(run(tmp_path / "again", "bloom_gelu")).found["bloom_gelu"]
    assert own.pass_dir == Path("bloom_gelu/pass_dir")
