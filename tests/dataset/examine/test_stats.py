"""The numbers of a dataset are those that counting by hand gives, and the text shows them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.dataset.capture.record import ModelRecord, append_record
from passnet.dataset.examine.capture_stats import of_records
from passnet.dataset.examine.stats import of_store, powers_of_two
from passnet.dataset.examine.stats_text import tables, text
from passnet.dataset.split.assemble import assemble
from passnet.dataset.split.split import SplitSettings
from passnet.dataset.tables import store
from passnet.errors import UsageError
from tests.dataset.dataset_corpora import corpus

RECORDS = [
    ModelRecord(**fields)
    for fields in (
        {
            "library": "timm", "model": "a", "family": "f", "domain": "cv", "outcome": "captured", "stage": "done",
            "method": "real", "graphs": 1, "seconds": 2,
        },
        {
            "library": "timm", "model": "b", "family": "f", "domain": "cv", "outcome": "captured", "stage": "done",
            "method": "fake", "graphs": 2, "seconds": 3, "gates": {"runnable": {"passed": 1, "failed": 1}},
        },
        {
            "library": "transformers", "model": "c", "family": "f", "domain": "nlp", "outcome": "failed",
            "stage": "inputs", "reason": "KeyError: 'q1'", "cluster": "KeyError: '*'", "method": "meta",
        },
        {
            "library": "transformers", "model": "d", "family": "g", "domain": "other", "outcome": "failed",
            "stage": "inputs", "reason": "KeyError: 'q2'", "cluster": "KeyError: '*'",
            "gates": {"runnable": {"failed": 2, "reasons": ["r"]}},
        },
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def split_store(tmp_path_factory):
    path = tmp_path_factory.mktemp("stats") / "s"
    assemble(corpus(), path, split=SplitSettings(wanted={"fusible": 2, "typical": 2}, max_lost=0.6), notes={"a": 1})
    return path


def test_counts_by_hand(split_store):
    rows = list(store.read_rows(split_store))
    found = of_store(split_store)
    assert found.graphs == len(rows)
    assert found.structures == len({row.structure_hash for row in rows})
    assert found.tasks == len(list(store.read_tasks(split_store)))
    assert found.models == found.families_total == 8
    assert found.dtypes == {"bfloat16": len(rows) / 2, "float32": len(rows) / 2}
    assert sum(found.kinds.values()) == sum(found.domains.values()) == sum(found.families.values()) == len(rows)
    by_structure = {row.structure_hash: row.op_names for row in rows}
    ops = Counter(op for names in by_structure.values() for op in names)
    assert dict(found.op_frequency) == dict(ops)
    assert list(found.op_frequency.values()) == sorted(ops.values(), reverse=True)
    pairs = Counter(pair for names in by_structure.values() for pair in pairwise(names))
    assert found.patterns[2] == {
        " → ".join(pair): count for pair, count in sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[:40]
    }
    assert sum(found.sizes.values()) == found.structures
    assert sum(found.task_sizes.values()) == found.tasks
    for split, kinds in found.tables.items():
        for kind, cell in kinds.items():
            members = [row for row in rows if (row.split, row.kind) == (split, kind)]
            assert cell["graphs"] == len(members)
            assert cell["structures"] == len({row.structure_hash for row in members})
    assert found.notes["a"] == 1
    assert found.bytes_on_disk == sum(file.stat().st_size for file in split_store.rglob("*.parquet"))


@given(st.dictionaries(st.integers(0, 5000), st.integers(1, 9), max_size=20))
def test_bins_are_powers_of_two(counts):
    found = powers_of_two(counts)
    assert sum(found.values()) == sum(counts.values())
    ends = [tuple(map(int, name.split("-"))) for name in found]
    for name, count in found.items():
        low, high = (int(name.split("-")[0]), int(name.split("-")[-1]))
        assert count == sum(value for size, value in counts.items() if low <= size <= high)
    assert all(left[-1] + 1 == right[0] for left, right in pairwise(ends))


@pytest.fixture
def records(tmp_path):
    """The records as a file in which model a failed at first."""
    path = tmp_path / "records.jsonl"
    failed = RECORDS[0].model_copy(update={"outcome": "failed", "graphs": 0, "stage": "build", "reason": "x 1"})
    for record in (failed, *RECORDS):
        append_record(path, record)
    return path


def test_everything_is_json(split_store, records):
    data = of_store(split_store, records).data()
    assert json.loads(json.dumps(data))["capture"]["failures"][0]["model"] == "c"


def test_the_text_shows_every_table(split_store, records):
    found = of_store(split_store, records)
    shown = text(found, top=3)
    assert shown.splitlines()[0].startswith(f"s: {found.graphs} graphs, {found.structures} structures")
    for title, columns, rows in tables(found, top=3):
        assert title in shown
        assert all(len(row) == len(columns) for row in rows)
    assert f"(first 3 of {len(found.families)})" in shown
    assert max(map(len, shown.splitlines())) < 180


def test_capture_counts():
    found = of_records(RECORDS)
    assert (found.tried, found.captured) == (4, 2)
    assert found.libraries == {
        "timm": {"tried": 2, "captured": 2, "failed": 0},
        "transformers": {"tried": 2, "captured": 0, "failed": 2},
    }
    assert found.domains["other"] == {"tried": 1, "captured": 0, "failed": 1}
    assert found.methods == {"fake": 1, "real": 1}
    assert found.stages == {"inputs": 2}
    assert found.reasons == {"KeyError: '*'": 2}
    assert found.gates == {"runnable": {"passed": 1, "failed": 3, "skipped": 0}}
    assert [(item.model, item.reason, item.method) for item in found.failures] == [
        ("c", "KeyError: 'q1'", "meta"),
        ("d", "KeyError: 'q2'", "unknown"),
    ]
    assert found.seconds == 5


def test_of_several_records_of_a_model_the_last_counts(split_store, records):
    capture = of_store(split_store, records).capture
    assert capture == of_records(RECORDS)


def test_no_file_of_records_is_one_clear_line(split_store, tmp_path):
    with pytest.raises(UsageError, match="expected capture records"):
        of_store(split_store, tmp_path / "none")


def test_an_empty_store_has_stats(tmp_path):
    assemble([], tmp_path / "s")
    found = of_store(tmp_path / "s")
    assert found.graphs == 0
    assert "0 graphs" in text(found)
