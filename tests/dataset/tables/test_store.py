"""Parquet files hold rows and tasks as they are, appear complete or not at all, and open with the usual tools."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from passnet.dataset.tables import store
from passnet.dataset.tables.store import Where
from passnet.dataset.tables.task_row import TaskRow, task_id_of
from passnet.errors import UsageError
from tests.dataset.dataset_corpora import bundled_rows, corpus

NOTES = {"versions": {"torch": "2.13.0"}, "licences": ["Apache-2.0"], "count": 3}


def save(path, rows, tasks=(), **options):
    with store.create(path, NOTES, **options) as writer:
        for row in rows:
            writer.add(row)
        for task in tasks:
            writer.add_task(task)


def test_rows_and_tasks_come_back(tmp_path):
    rows = list(bundled_rows())
    uids = tuple(row.uid for row in rows[:3])
    tasks = [
        TaskRow(task_id_of(uids), "fusible", "eval", ("add", "mul"), uids, 9, rarity=0.1, rank=0, families=("bert",)),
        TaskRow(task_id_of(uids[:1]), "typical", None, (), uids[:1], 1, path="a/b", published_uids=("x",)),
    ]
    save(tmp_path / "s", rows, tasks)
    assert list(store.read_rows(tmp_path / "s")) == rows
    assert list(store.read_tasks(tmp_path / "s")) == tasks
    assert store.read_notes(tmp_path / "s") == NOTES
    assert [row.graph() for row in store.read_rows(tmp_path / "s")] == [row.graph() for row in rows]


def test_splits_have_files_of_their_own_and_long_ones_several(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "ROWS_PER_FILE", 50)
    rows = [replace(row, split="eval" if place % 4 == 0 else "train") for place, row in enumerate(bundled_rows())]
    save(tmp_path / "s", rows)
    names = [file.name for file in store.graph_files(tmp_path / "s")]
    assert names == ["eval-00000.parquet", "train-00000.parquet", "train-00001.parquet"]
    assert sorted(row.uid for row in store.read_rows(tmp_path / "s")) == sorted(row.uid for row in rows)


def test_a_file_and_a_directory_of_files_are_read_too(tmp_path):
    rows = list(corpus(2))
    assert store.write_rows(tmp_path / "staged" / "a.parquet", rows[:5]) == 5
    store.write_rows(tmp_path / "staged" / "b.parquet", rows[5:])
    assert list(store.read_rows(tmp_path / "staged")) == rows
    assert list(store.read_rows(tmp_path / "staged" / "a.parquet")) == rows[:5]


@pytest.mark.parametrize(
    ("where", "wanted"),
    [
        (Where(), lambda row: True),
        (Where(dtypes=frozenset({"float16"})), lambda row: row.dtype == "float16"),
        (
            Where(libraries=frozenset({"timm"}), dtypes=frozenset({"float32"})),
            lambda r: (r.library, r.dtype) == ("timm", "float32"),
        ),
        (Where(families=frozenset({"bert", "gpt"})), lambda row: row.family in {"bert", "gpt"}),
        (Where(splits=frozenset({"train"})), lambda row: False),
        (Where(in_task=False), lambda row: True),
        (Where(uids=frozenset({"nothing"})), lambda row: False),
    ],
)
def test_selection(tmp_path, where, wanted):
    save(tmp_path / "s", bundled_rows())
    assert list(store.read_rows(tmp_path / "s", where)) == [row for row in bundled_rows() if wanted(row)]


def test_columns_alone(tmp_path):
    save(tmp_path / "s", bundled_rows())
    found = list(store.read_records(tmp_path / "s", ["uid", "num_ops"]))
    assert found == [{"uid": row.uid, "num_ops": row.num_ops} for row in bundled_rows()]


def test_the_same_rows_give_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        save(tmp_path / name, bundled_rows())
    for file in (tmp_path / "one").rglob("*.parquet"):
        assert file.read_bytes() == (tmp_path / "two" / file.relative_to(tmp_path / "one")).read_bytes()


def test_a_failure_leaves_nothing(tmp_path):
    def breaking():
        yield from islice(corpus(1), 3)
        raise RuntimeError("the source of rows broke")

    with pytest.raises(RuntimeError, match="broke"):
        save(tmp_path / "s", breaking())
    with pytest.raises(RuntimeError, match="broke"):
        store.write_rows(tmp_path / "f.parquet", breaking())
    assert list(tmp_path.iterdir()) == []


def test_a_failed_replacement_leaves_what_was_there(tmp_path):
    rows = list(corpus(1))
    save(tmp_path / "s", rows)
    with pytest.raises(UsageError, match="already exists"):
        save(tmp_path / "s", rows)
    with pytest.raises(AttributeError):
        save(tmp_path / "s", [*rows[:2], None], overwrite=True)
    assert list(store.read_rows(tmp_path / "s")) == rows
    save(tmp_path / "s", rows[:1], overwrite=True)
    assert list(store.read_rows(tmp_path / "s")) == rows[:1]


def test_an_empty_store_is_a_store(tmp_path):
    save(tmp_path / "s", [])
    assert store.is_store(tmp_path / "s")
    assert list(store.read_rows(tmp_path / "s")) == []
    assert list(store.read_tasks(tmp_path / "s")) == []


def test_what_is_no_store_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no dataset here"):
        list(store.read_rows(tmp_path))
    (tmp_path / "a.parquet").write_bytes(b"PAR1 is not enough")
    with pytest.raises(UsageError, match="not a readable Parquet file"):
        list(store.read_rows(tmp_path))
    pq.write_table(pq.read_table(_one_row(tmp_path)).replace_schema_metadata({}), tmp_path / "a.parquet")
    with pytest.raises(UsageError, match="not a dataset of this version"):
        list(store.read_rows(tmp_path / "a.parquet"))
    with pytest.raises(UsageError, match="no table of tasks"):
        list(store.read_tasks(tmp_path))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda table: table.drop_columns(["source"]), "source"),
        (lambda table: table.set_column(0, "uid", pa.array([5], pa.int64())), "uid"),
        (lambda table: table.set_column(0, pa.field("uid", pa.string()), pa.array([None], pa.string())), "no value"),
        (lambda table: table.set_column(1, pa.field("path", pa.string()), pa.array([None], pa.string())), "path"),
        (lambda table: table.replace_schema_metadata({**table.schema.metadata, "passnet.x": "[" * 9999}), "no JSON"),
        (lambda table: table.replace_schema_metadata({**table.schema.metadata, b"\xff": "x"}), "no text"),
        (lambda table: table.set_column(2, pa.field("name", pa.string()), _no_text()), "not a readable table"),
    ],
    ids=["no column", "another type", "no value", "no path", "deep notes", "odd notes", "odd text"],
)
def test_a_table_that_is_not_ours_is_refused(tmp_path, damage, words):
    file = tmp_path / "a.parquet"
    pq.write_table(damage(pq.read_table(_one_row(tmp_path))), file)
    with pytest.raises(UsageError, match=words) as refused:
        list(store.read_rows(file))
    assert str(file) in str(refused.value)


def _no_text() -> pa.Array:
    ends = pa.py_buffer(b"\0\0\0\0\1\0\0\0")
    return pa.Array.from_buffers(pa.string(), 1, [None, ends, pa.py_buffer(b"\xff")])


def _one_row(tmp_path: Path) -> Path:
    store.write_rows(tmp_path / "other" / "b.parquet", islice(corpus(1), 1))
    return tmp_path / "other" / "b.parquet"


def test_reading_holds_little(tmp_path, monkeypatch):
    """Four times the rows do not take four times the memory to read."""
    monkeypatch.setattr(store, "ROWS_PER_GROUP", 64)
    rows = list(bundled_rows())

    def peak(copies: int) -> int:
        path = tmp_path / str(copies)
        save(path, (replace(row, uid=f"{copy}{row.uid}") for copy in range(copies) for row in rows))
        tracemalloc.start()
        count = sum(1 for _ in store.read_rows(path))
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == copies * len(rows)
        return found

    small, large = peak(8), peak(32)
    assert large < 1.5 * small


def test_variants_cost_little(tmp_path):
    """A row with its own shape, dtype and path, but the source of the one before, takes a few hundred bytes at most."""
    rows = [
        replace(row, path=f"{number}/{row.path}", uid=row.uid[:-3] + f"{number:03d}")
        for row in bundled_rows()
        for number in range(10)
    ]
    save(tmp_path / "s", rows)
    size = sum(file.stat().st_size for file in (tmp_path / "s").rglob("*.parquet"))
    assert size / len(rows) < 300


def test_hugging_face_datasets_loads_it(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets", reason="the Hugging Face library is not installed")
    rows = [replace(row, split="eval" if place % 4 == 0 else "train") for place, row in enumerate(bundled_rows())]
    uids = (rows[0].uid,)
    save(tmp_path / "s", rows, [TaskRow(task_id_of(uids), "fusible", "eval", rows[0].op_names, uids, 1)])
    files = {name: str(tmp_path / "s" / "graphs" / f"{name}-*.parquet") for name in ("train", "eval")}
    loaded = datasets.load_dataset("parquet", data_files=files, cache_dir=str(tmp_path / "cache"))
    assert {name: loaded[name].num_rows for name in loaded} == {"train": 90, "eval": 30}
    first = loaded["eval"][0]
    assert first["op_names"] == list(rows[0].op_names)
    assert tuple(map(tuple, first["input_shapes"])) == rows[0].specs.shapes
    assert json.loads(first["meta"])["framework"] == "torch"
    tasks = datasets.load_dataset(
        "parquet", data_files=str(tmp_path / "s" / "tasks.parquet"), cache_dir=str(tmp_path / "cache")
    )
    assert tasks["train"][0]["uids"] == list(uids)
