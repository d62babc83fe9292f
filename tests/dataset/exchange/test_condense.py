"""A condensed store: every structure once, evaluation tasks whole, and still a store that verifies."""

from __future__ import annotations

import pytest

from passnet.dataset.examine.verify_store import verify
from passnet.dataset.exchange.condense import condense
from passnet.dataset.split.assemble import assemble
from passnet.dataset.split.split import SplitSettings
from passnet.dataset.tables import store
from passnet.errors import UsageError
from tests.dataset.dataset_corpora import corpus

pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    root = tmp_path_factory.mktemp("condense")
    assemble(corpus(), root / "large", split=SplitSettings(wanted={"fusible": 2, "typical": 2}, max_lost=0.6))
    condense(root / "large", root / "small")
    return root / "large", root / "small"


def structures(path):
    return {(row.kind, row.structure_hash) for row in store.read_rows(path)}


def test_every_structure_is_there_in_fewer_graphs(stores):
    large, small = stores
    assert structures(small) == structures(large)
    count = [sum(1 for _ in store.read_rows(path)) for path in (large, small)]
    assert count[1] < count[0]


def test_outside_of_evaluation_a_structure_has_one_graph(stores):
    _, small = stores
    rows = [(row.kind, row.structure_hash) for row in store.read_rows(small) if row.split != "eval"]
    held = {(row.kind, row.structure_hash) for row in store.read_rows(small) if row.split == "eval"}
    assert len(rows) == len(set(rows))
    assert not held & set(rows)


def test_evaluation_tasks_are_whole(stores):
    large, small = ({task.task_id: task for task in store.read_tasks(path) if task.split == "eval"} for path in stores)
    assert large == small
    assert large


def test_the_small_store_verifies_and_keeps_the_notes(stores):
    large, small = stores
    assert verify(small, sample=5).ok
    assert store.read_notes(small) == store.read_notes(large)


def test_an_empty_store_is_refused(tmp_path):
    with store.create(tmp_path / "empty", {}):
        pass
    with pytest.raises(UsageError):
        condense(tmp_path / "empty", tmp_path / "out")
    assert not (tmp_path / "out").exists()
