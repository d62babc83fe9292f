"""Stores of strangers: no word of a row leads an export elsewhere, or over another file."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from passnet.dataset.exchange import lists
from passnet.dataset.exchange.condense import condense
from passnet.dataset.exchange.exporting import export
from passnet.dataset.exchange.importing import RefusedSample, import_tree, read_tree
from passnet.dataset.split.assemble import assemble
from passnet.dataset.tables import schema, store
from passnet.dataset.tables.rows import Row
from passnet.dataset.tables.task_row import TaskRow, task_id_of
from passnet.errors import UsageError
from tests.cli.cli_runner import assert_one_clear_line, run
from tests.dataset.dataset_corpora import graph

UP = "x/" + "../" * 30
FORMS = ("graphs", "tasks", "lists", "graph-lists", "structures")


def row(**changed: Any) -> Row:
    return replace(Row.from_graph(graph(["relu", "tanh"])), **changed)


def task(*rows: Row, **changed: Any) -> TaskRow:
    uids = tuple(each.uid for each in rows)
    return replace(TaskRow(task_id_of(uids), rows[0].kind, None, rows[0].op_names, uids, len(uids)), **changed)


@contextmanager
def strangers(path: Path) -> Iterator[store.StoreWriter]:
    """A store whose maker checks nothing."""
    with pytest.MonkeyPatch.context() as patched, store.create(path, {}) as writer:
        patched.setattr(schema, "check_names", lambda *_: None)
        numbers = itertools.count()
        patched.setattr(store, "inside", lambda directory, _: directory / f"all-{next(numbers)}.parquet")
        yield writer


def written(path: Path, rows: list[Row], *tasks: TaskRow) -> Path:
    with strangers(path) as writer:
        for each in rows:
            writer.add(each)
        for each in tasks:
            writer.add_task(each)
    return path


HOSTILE: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "uid": lambda out: {"uid": f"{UP}{out}/sitecustomize"},
    "split": lambda out: {"split": f"{UP}{out}/list"},
    "kind": lambda out: {"kind": f"{UP}{out}/notes"},
    "task_id": lambda out: {"task_id": f"{UP}{out}/task"},
    "path": lambda out: {"path": f"{out}/model"},
    "path upwards": lambda out: {"path": f"{UP}{out}/model"},
    "path of two lines": lambda out: {"path": "graphs/a\n../../b"},
    "hidden": lambda out: {"split": ".profile"},
    "too long": lambda out: {"split": "s" * 300},
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_word_that_leads_elsewhere_is_one_clear_line(name: str, form: str, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    first = row()
    second = replace(row(path=first.path, source=first.source + "\n"), **HOSTILE[name](str(away)))
    shared = {
        key: value for key, value in HOSTILE[name](str(away)).items() if key in {"split", "kind", "task_id", "path"}
    }
    both = written(tmp_path / "s", [first, second], task(first, second, **shared))
    before = sorted(tmp_path.rglob("*"))
    done = run("dataset", "export", both, tmp_path / "out", "--form", form)
    if (name, form) == ("uid", "lists"):  # a list of tasks has no uids of graphs
        assert done.code == 0
    else:
        assert_one_clear_line(done, str(both))
        assert sorted(tmp_path.rglob("*")) == before
    assert list(away.iterdir()) == []


@pytest.mark.parametrize("form", ["graphs", "tasks"])
def test_a_path_that_begins_with_the_home_of_graphs_stays_there(form: str, tmp_path: Path) -> None:
    away = tmp_path / "away"
    mine = row(path=f"graphs/{away}/model")
    export(written(tmp_path / "s", [mine], task(mine)), tmp_path / "out", form=form)  # type: ignore[arg-type]
    assert (tmp_path / "out" / "graphs" / str(away)[1:] / "model" / "model.py").is_file()
    assert not away.exists()


@pytest.mark.parametrize("path", ["samples/../../x", "/etc/x", "samples/x\ny", ".."])
def test_a_task_that_leads_elsewhere_is_refused(path: str, tmp_path: Path) -> None:
    mine = row()
    place = written(tmp_path / "s", [mine], task(mine, path=path))
    for form in ("tasks", "lists"):
        assert_one_clear_line(run("dataset", "export", place, tmp_path / "out", "--form", form), "tasks.parquet, path")
    assert not (tmp_path / "out").exists()


def test_two_tasks_at_one_place_are_refused(tmp_path: Path) -> None:
    a, b = row(), row(path="samples/timm/b", uid="b" * 32)
    place = written(tmp_path / "s", [a, b], task(a, path="samples/t"), task(b, path="samples/t/pass_dir"))
    with pytest.raises(UsageError, match="two things would have this place"):
        export(place, tmp_path / "out", form="tasks")
    assert not (tmp_path / "out").exists()


def test_graphs_cannot_take_one_place_by_their_uids(tmp_path: Path) -> None:
    first = row(uid="a")
    place = written(tmp_path / "s", [replace(first, path=f"{first.path}_b"), first, replace(first, uid="b")])
    with pytest.raises(UsageError, match="two things would have this place"):
        export(place, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_lists_do_not_replace_each_other(tmp_path: Path) -> None:
    place = written(tmp_path / "s", [row(kind="k"), row(kind="k.uids", uid="b" * 32)])
    with pytest.raises(UsageError, match="two things would have this place"):
        lists.write_lists(place, tmp_path / "out", of="graphs")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["../x.py", "a/b", "/etc/x", "", "..", "a\nb", "n" * 300])
def test_a_file_of_a_graph_has_the_name_of_a_file(name: str, tmp_path: Path) -> None:
    place = written(tmp_path / "s", [row(originals=json.dumps({name: "mine"}))])
    done = run("dataset", "export", place, tmp_path / "out", "--form", "graphs")
    assert_one_clear_line(done, str(place), "no name of a file")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("changed", [{"originals": json.dumps({"n.txt": "\ud800"})}, {"meta": '{"a": "\\ud800"}'}])
def test_a_text_that_cannot_be_written_is_one_clear_line(changed: dict[str, str], tmp_path: Path) -> None:
    place = written(tmp_path / "s", [row(**changed)])
    assert_one_clear_line(
        run("dataset", "export", place, tmp_path / "out", "--form", "graphs"), "its text cannot be written"
    )


def test_we_write_no_store_that_we_would_not_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="split: no name for a file"), store.create(tmp_path / "s", {}) as writer:
        writer.add(row(split="../x"))
    with pytest.raises(UsageError, match="path: no path for a file"), store.create(tmp_path / "s", {}) as writer:
        writer.add_task(task(row(), path="../x"))
    assert not (tmp_path / "s").exists()


def test_a_directory_that_no_list_can_name_is_not_imported(tmp_path: Path) -> None:
    for name in ("good", "two\nlines", "half\udcff"):
        graph(["relu"]).write(tmp_path / "tree" / name)
    found = list(read_tree(tmp_path / "tree"))
    assert [item.path for item in found if isinstance(item, Row)] == ["good"]
    assert {item.path for item in found if isinstance(item, RefusedSample)} == {"two\nlines", "half\udcff"}
    done = import_tree(tmp_path / "tree", tmp_path / "s")
    assert len(done.refused) == 2 and done.text().count("\n  not taken: ") == 2


def test_ordinary_stores_are_exported_as_ever(tmp_path: Path) -> None:
    rows = [Row.from_graph(graph([op, "tanh"], name=f"m_{op}")) for op in ("relu", "exp")]
    assemble([*rows, replace(rows[0], uid="c" * 32)], tmp_path / "s")
    found = export(tmp_path / "s", tmp_path / "out")
    assert found.graphs == 3 and len(found.renamed) == 1
    condense(tmp_path / "s", tmp_path / "small")
    assert len(lists.write_lists(tmp_path / "s", tmp_path / "lists", of="graphs")) == 4
