"""A sound store is found sound; every kind of damage is found and named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from passnet.dataset.examine.verify_store import verify
from passnet.dataset.exchange.importing import import_tree
from passnet.dataset.split.assemble import assemble
from passnet.dataset.split.split import SplitSettings
from passnet.dataset.tables import store
from passnet.dataset.tables.rows import Row
from passnet.errors import UsageError
from tests.dataset.dataset_corpora import TASKS, corpus


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    path = tmp_path_factory.mktemp("verify") / "s"
    assemble(corpus(), path, split=SplitSettings(wanted={"fusible": 2, "typical": 2}, max_lost=0.6))
    return path


def test_a_sound_store(sound, tmp_path):
    found = verify(sound)
    assert found.ok, found.text()
    assert found.counts["rows"] == len(list(corpus()))
    assert found.counts["tasks"] == len(list(store.read_tasks(sound)))
    import_tree(TASKS, tmp_path / "bundled")
    found = verify(tmp_path / "bundled", sample=8)
    assert found.ok, found.text()
    assert found.ran >= 8


def test_a_part_of_the_rows_is_rebuilt(sound):
    total = len(list(store.read_rows(sound)))
    found = verify(sound, every=7)
    assert found.ok, found.text()
    assert found.counts["rows"] == total  # tasks and the split are checked of all
    assert found.counts["rows rebuilt"] == -(-total // 7)
    assert verify(sound, every=total, sample=4).ran >= 4


def damaged(sound, tmp_path, change_row=lambda row: row, change_task=lambda task: task, every=1):
    """The store with its second row and its second task changed; None drops them."""
    with store.create(tmp_path / "bad", {}) as writer:
        for number, row in enumerate(store.read_rows(sound)):
            changed = change_row(row) if number == 1 else row
            if changed is not None:
                writer.add(changed)
        for number, task in enumerate(store.read_tasks(sound)):
            changed = change_task(task) if number == 1 else task
            if changed is not None:
                writer.add_task(changed)
    return verify(tmp_path / "bad", every=every)


ROWS = {
    "structure_hash": lambda row: replace(row, structure_hash="0" * 64),
    "content_hash": lambda row: replace(row, specs=replace(row.specs, values="[[0.5,1.0,null,null,null]]")),
    "uid": lambda row: replace(row, path=row.path + "_moved"),
    "op_names": lambda row: replace(row, op_names=(*row.op_names, "more")),
    "graph": lambda row: replace(row, source=row.source[:-10]),
    "meta op_names": lambda row: replace(row, meta=row.meta.replace('"op_names":["', '"op_names":["x', 1)),
    "families": lambda row: replace(row, families=("nobody",)),
    "split": lambda row: replace(row, split="test"),
    "kind": lambda row: replace(row, kind="typical" if row.kind == "fusible" else "fusible"),
    "dtype": lambda row: replace(row, dtype="float64"),
    "task_id": lambda row: replace(row, task_id="f" * 64),
    "task": lambda row: None,
}


@pytest.mark.parametrize("check", ROWS)
def test_a_damaged_row_is_found(sound, tmp_path, check):
    # The row must be one that a task holds for its loss to be seen.
    rows = list(store.read_rows(sound))
    assert rows[1].in_task
    found = damaged(sound, tmp_path, ROWS[check])
    assert not found.ok
    assert check in {problem.check for problem in found.problems}
    assert "NOT sound" in found.text()


@pytest.mark.parametrize("check", ["task_id", "task"])
def test_what_a_row_is_to_others_is_checked_without_rebuilding_it(sound, tmp_path, check):
    found = damaged(sound, tmp_path, ROWS[check], every=1000)
    assert found.counts["rows rebuilt"] == 1
    assert check in {problem.check for problem in found.problems}


@pytest.mark.parametrize("every", [1, 1000])
def test_a_row_that_occurs_twice_is_found(sound, tmp_path, every):
    first = next(store.read_rows(sound))
    found = damaged(sound, tmp_path, lambda row: first, every=every)
    assert "uid" in {problem.check for problem in found.problems}


TASKS_DAMAGED = {
    "not in the store": lambda task: replace(task, uids=(*task.uids, "0" * 32)),
    "holds no graph": lambda task: replace(task, uids=()),
    "names a graph twice": lambda task: replace(task, uids=(*task.uids, task.uids[0])),
    "not the hash of its uids": lambda task: replace(task, task_id="0" * 64),
    "has another kind": lambda task: replace(task, kind="sole_op"),
    "has another operators": lambda task: replace(task, op_names=("relu",)),
    "has another split": lambda task: replace(task, split="train" if task.split == "eval" else "eval"),
    "which does not exist": lambda task: None,
}


@pytest.mark.parametrize("words", TASKS_DAMAGED)
def test_a_damaged_task_is_found(sound, tmp_path, words):
    found = damaged(sound, tmp_path, change_task=TASKS_DAMAGED[words])
    assert not found.ok
    assert any(words in problem.what for problem in found.problems)


@pytest.mark.parametrize("every", [1, 1000])
def test_a_split_that_shares_something_is_found(sound, tmp_path, every):
    rows = list(store.read_rows(sound))
    stray = replace(next(row for row in rows if row.split == "eval"), split="train", in_task=False, task_id=None)
    found = damaged(sound, tmp_path, lambda row: stray, every=every)
    assert "contamination" in {problem.check for problem in found.problems}


def test_a_graph_that_does_not_run_is_found(tmp_path):
    rows = list(corpus(1))
    first = rows[0].source.splitlines()[5]
    source = rows[0].source.replace(first, "        tmp_0 = in_0.view(7, 7)")
    graph = replace(rows[0].graph(), source=source)
    graph.meta.pop("op_names")
    assemble([Row.from_graph(graph)], tmp_path / "s")
    assert verify(tmp_path / "s").ok
    found = verify(tmp_path / "s", sample=1)
    assert [problem.check for problem in found.problems] == ["run"]


def test_no_store_and_an_empty_one(tmp_path):
    with pytest.raises(UsageError, match="no dataset"):
        verify(tmp_path)
    assemble([], tmp_path / "s")
    assert not verify(tmp_path / "s").ok
