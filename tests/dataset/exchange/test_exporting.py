"""Exports are trees, tasks and lists that the readers of the published format take."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import replace

import pytest

from passnet.dataset.exchange import lists
from passnet.dataset.exchange.exporting import export
from passnet.dataset.exchange.importing import import_tree
from passnet.dataset.split.assemble import assemble
from passnet.dataset.split.split import SplitSettings
from passnet.dataset.tables import store
from passnet.dataset.tables.store import Where
from passnet.errors import UsageError
from passnet.graph import Graph, Task, find_graphs, read_graph_list
from passnet.graph.listing import read_entries
from tests.dataset.dataset_corpora import bundled_rows, corpus

EVAL = frozenset({"eval"})


@pytest.fixture(scope="module")
def split_store(tmp_path_factory):
    path = tmp_path_factory.mktemp("exporting") / "s"
    assemble(corpus(), path, split=SplitSettings(wanted={"fusible": 2, "typical": 2}, max_lost=0.6))
    return path


def test_graphs_lie_at_their_published_places(split_store, tmp_path):
    done = export(split_store, tmp_path / "out")
    rows = list(store.read_rows(split_store))
    assert done.graphs == len(rows)
    assert done.renamed == ()
    assert len(find_graphs(tmp_path / "out")) == len(rows)
    for row in rows:
        assert row.path.startswith(f"{row.kind}_subgraphs/{row.dtype}/{row.shape_index}/samples/timm/{row.model}/_dec")
        assert Graph.read(tmp_path / "out" / row.path) == row.graph()


def test_selection_by_split_kind_and_dtype(split_store, tmp_path):
    where = Where(splits=EVAL, kinds=frozenset({"fusible"}), dtypes=frozenset({"bfloat16"}))
    export(split_store, tmp_path / "out", where=where)
    found = {path.relative_to(tmp_path / "out").as_posix() for path in find_graphs(tmp_path / "out")}
    rows = list(store.read_rows(split_store))
    assert found == {row.path for row in rows if (row.split, row.kind, row.dtype) == ("eval", "fusible", "bfloat16")}
    assert found


def test_task_directories_are_named_by_their_uids(split_store, tmp_path):
    done = export(split_store, tmp_path / "out", where=Where(splits=EVAL), form="tasks")
    tasks = list(store.read_tasks(split_store, Where(splits=EVAL)))
    assert done.tasks == len(tasks) == 4
    rows = {row.uid: row for row in store.read_rows(split_store)}
    for task in tasks:
        h = task.task_id
        directory = tmp_path / "out" / "samples" / f"{task.kind}_subgraphs" / h[:2] / h[2:4] / h
        read = Task.read(directory)
        assert read.uids == task.uids
        assert read.uid_hash_matches is True
        assert h == hashlib.sha256("\n".join(sorted(task.uids)).encode()).hexdigest()
        assert [graph.renamed(rows[uid].name) for graph, uid in zip(read.graphs, task.uids, strict=True)] == [
            rows[uid].graph() for uid in task.uids
        ]
        assert (directory / "pass_dir").is_dir()
        assert not (directory / "sample_uids.txt").read_text().endswith("\n")
        assert (directory / "graph_list.txt").read_text().splitlines()[0].startswith(f"graphs/{task.kind}_subgraphs/")


def test_a_task_cut_short_is_renamed(split_store, tmp_path):
    where = Where(splits=EVAL, dtypes=frozenset({"float32"}))
    export(split_store, tmp_path / "out", where=where, form="tasks")
    tasks = [path.parent for path in (tmp_path / "out" / "samples").rglob("graph_list.txt")]
    assert len(tasks) == 4
    assert not {path.name for path in tasks} & {task.task_id for task in store.read_tasks(split_store)}
    assert all(Task.read(path).uid_hash_matches for path in tasks)


def test_one_task_by_its_name(split_store, tmp_path):
    task = next(store.read_tasks(split_store))
    done = export(split_store, tmp_path / "out", where=Where(task_ids=frozenset({task.task_id})), form="tasks")
    assert (done.tasks, done.graphs) == (1, task.num_graphs)


def test_graphs_in_each_others_way_lie_side_by_side(tmp_path):
    rows = [replace(row, path="samples/a/b", uid=f"{place:032x}") for place, row in enumerate(bundled_rows()[:2])]
    rows += [replace(bundled_rows()[2], path="samples/a/b/c", uid="c" * 32)]
    rows += [replace(bundled_rows()[3], path="samples/a", uid="d" * 32)]
    with store.create(tmp_path / "s", {}) as writer:
        for row in rows:
            writer.add(row)
    done = export(tmp_path / "s", tmp_path / "out")
    found = {path.relative_to(tmp_path / "out").as_posix() for path in find_graphs(tmp_path / "out")}
    assert found == {"samples/a/b", f"samples/a/b_{1:032x}", f"samples/a/b_{'c' * 32}", f"samples/a_{'d' * 32}"}
    assert len(done.renamed) == 3


def test_nothing_selected_and_a_place_taken_are_errors(split_store, tmp_path):
    with pytest.raises(UsageError, match="nothing is selected"):
        export(split_store, tmp_path / "out", where=Where(kinds=frozenset({"full"})))
    assert not (tmp_path / "out").exists()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").touch()
    with pytest.raises(UsageError, match="already exists"):
        export(split_store, tmp_path / "out")
    assert (tmp_path / "out" / "mine").exists()
    with pytest.raises(UsageError, match="unknown layout"):
        export(split_store, tmp_path / "other", form="zip")


def test_exported_tasks_are_imported_as_the_same_tasks(split_store, tmp_path):
    export(split_store, tmp_path / "out", where=Where(splits=EVAL), form="tasks")
    done = import_tree(tmp_path / "out", tmp_path / "again")
    assert done.refused == ()
    before = {task.task_id: task.uids for task in store.read_tasks(split_store, Where(splits=EVAL))}
    assert {task.task_id: task.uids for task in store.read_tasks(tmp_path / "again")} == before
    assert {task.published_uids for task in store.read_tasks(tmp_path / "again")} == set(before.values())


def test_lists_of_tasks_name_what_an_export_writes(split_store, tmp_path):
    export(split_store, tmp_path / "out", form="tasks")
    written = lists.write_lists(split_store, tmp_path / "lists")
    assert {path.name for path in written} >= {"eval_fusible.txt", "eval_fusible.csv", "train_typical.uids.txt"}
    tasks = list(store.read_tasks(split_store))
    for split, kind in {(task.split, task.kind) for task in tasks}:
        wanted = [task for task in tasks if (task.split, task.kind) == (split, kind)]
        stem = tmp_path / "lists" / f"{split}_{kind}"
        entries = read_graph_list(stem.with_suffix(".txt"))
        assert [Task.read(tmp_path / "out" / entry).name for entry in entries] == [task.task_id for task in wanted]
        assert read_graph_list(stem.with_suffix(".csv")) == entries
        assert read_graph_list(f"{stem}.uids.txt") == tuple(task.task_id for task in wanted)


def test_lists_of_graphs(split_store, tmp_path):
    lists.write_lists(split_store, tmp_path / "lists", of="graphs", where=Where(splits=EVAL))
    with (tmp_path / "lists" / "eval_typical.csv").open() as stream:
        table = list(csv.DictReader(stream))
    rows = [row for row in store.read_rows(split_store) if (row.split, row.kind) == ("eval", "typical")]
    assert [(line["path"], line["uid"], line["dtype"]) for line in table] == [(r.path, r.uid, r.dtype) for r in rows]
    pairs = read_entries(tmp_path / "lists" / "eval_typical.tsv")
    assert [(pair.uid, pair.path) for pair in pairs] == [(row.uid, row.path) for row in rows]
    assert not list((tmp_path / "lists").glob("train*"))


def test_any_spelling_of_a_list_names_the_same_graphs(split_store):
    task = next(store.read_tasks(split_store, Where(splits=EVAL)))
    rows = {row.uid: row for row in store.read_rows(split_store)}
    spellings = [
        [task.task_id],
        [f"samples/{task.directory}"],
        [f"somewhere/else/{task.directory}/"],
        list(task.uids),
        [rows[uid].path for uid in task.uids],
        [f"graphs/{rows[uid].path}" for uid in task.uids],
    ]
    for entries in spellings:
        assert {item.uid for item in lists.named_cards(split_store, entries)} == set(task.uids)
    with pytest.raises(UsageError, match=r"1 entries are not in the store.*nowhere"):
        lists.named_cards(split_store, [task.task_id, "nowhere"])
