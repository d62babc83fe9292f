"""Bundled tasks by name: the index says what lies there, names become places, copies are whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from passnet.errors import UsageError
from passnet.graph import Task, bundled
from passnet.graph.targets import find_targets, placed


def test_the_index_has_a_row_for_every_directory_and_no_other() -> None:
    for split, place in bundled.SPLITS.items():
        there = {path.name for path in (bundled.home() / place).iterdir()}
        assert {row.task for row in bundled.all_tasks() if row.split == split} == there
    names = [row.task for row in bundled.all_tasks()]
    assert len(names) == len(set(names)) and not set(names) & set(bundled.SETS)


@pytest.mark.parametrize("row", bundled.all_tasks(), ids=lambda row: row.task)
def test_a_row_says_what_lies_there(row: bundled.ShippedTask) -> None:
    task = Task.read(row.path)
    assert len(task.refs) == row.graphs
    assert max(graph.nbytes for graph in task.graphs) == row.largest_bytes
    assert {str(graph.meta.get("dtype", graph.meta["captured_dtype"])) for graph in task.graphs} == set(row.dtypes)
    assert len(list(task.pass_dir.glob("*.py"))) == row.passes
    assert row.regime in bundled.REGIMES


def test_a_name_finds_the_task_that_its_path_finds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (by_name,) = find_targets([Path("bloom_gelu")])
    (by_path,) = find_targets([bundled.home() / "tasks" / "bloom_gelu"])
    assert by_name.name == by_path.name == "bloom_gelu"
    assert [name for name, _, _ in by_name.graphs] == [name for name, _, _ in by_path.graphs]


def test_sets_hold_their_tasks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert [target.name for target in find_targets([Path("demo")])] == ["bloom_gelu", "llama_rotary", "bert_add_norm"]
    assert len(find_targets([Path("eval")])) == sum(row.split == "eval" for row in bundled.all_tasks())


def test_what_exists_goes_before_a_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bloom_gelu").mkdir()
    assert placed(Path("bloom_gelu")) == Path("bloom_gelu")
    (tmp_path / "demo").symlink_to("nowhere")
    assert placed(Path("demo")) == Path("demo")
    assert placed(Path("elsewhere/bloom_gelu")) == Path("elsewhere/bloom_gelu")


def test_an_unknown_name_says_where_the_names_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"blom_gelu: no such directory .*passnet tasks list"):
        find_targets([Path("blom_gelu")])
    with pytest.raises(UsageError, match="did you mean bloom_gelu"):
        bundled.select(["blom_gelu"])


@pytest.mark.parametrize("option", ["split", "kind", "regime"])
def test_an_unknown_value_names_the_known_ones(option: str) -> None:
    with pytest.raises(UsageError, match=f"--{option}: unknown {option} 'x'; expected one of"):
        bundled.select(**{option: "x"})


def test_filters_and_names_meet() -> None:
    found = bundled.select(["eval"], kind="fusible", regime="work")
    assert found and all((row.split, row.kind, row.regime) == ("eval", "fusible", "work") for row in found)
    with pytest.raises(UsageError, match="no bundled task is all of that"):
        bundled.select(["bloom_gelu"], split="eval")


def test_a_copy_is_whole_and_is_not_overwritten_unasked(tmp_path: Path) -> None:
    (row,) = bundled.select(["bloom_gelu"])
    (place,) = bundled.export([row], tmp_path)
    for path in row.path.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert (place / path.relative_to(row.path)).read_bytes() == path.read_bytes()
    (place / "pass_dir" / "mine.py").write_text("")
    others = bundled.select(["demo"])
    with pytest.raises(UsageError, match=r"already exists.*--overwrite"):
        bundled.export(others, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["bloom_gelu"]
    bundled.export(others, tmp_path, overwrite=True)
    assert not (place / "pass_dir" / "mine.py").exists()


def test_a_copy_of_an_evaluation_task_has_room_for_passes(tmp_path: Path) -> None:
    (row, *_) = bundled.select(split="eval")
    (place,) = bundled.export([row], tmp_path)
    assert Task.read(place).pass_dir.is_dir()
