"""The numbers of a dataset are those that counting by hand gives, and the text shows them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import pytest
from dataset_corpora import corpus
from hypothesis import given
from hypothesis import strategies as st

from passnet.dataset import store
from passnet.dataset.assemble import assemble
from passnet.dataset.capture_stats import of_records, read_capture_records
from passnet.dataset.split import SplitSettings
from passnet.dataset.stats import of_store, powers_of_two
from passnet.dataset.stats_text import tables, text
from passnet.errors import UsageError

RECORDS = [
    {"library": "timm", "model": "a", "domain": "cv", "outcome": "failed", "stage": "build", "reason": "x 1"},
    {"library": "timm", "model": "a", "domain": "cv", "outcome": "captured", "method": "real", "seconds": 2},
    {"library": "timm", "model": "b", "domain": "cv", "outcome": "captured", "method": "fake", "seconds": 3},
    {
        "library": "transformers", "model": "c", "family": "f", "domain": "nlp", "outcome": "failed", "stage": "inputs",
        "reason": "KeyError: 'q1'", "cluster": "KeyError: '*'", "method": "meta",
    },
    {
        "library": "transformers", "model": "d", "outcome": "failed", "stage": "inputs", "cluster": "KeyError: '*'",
        "gates": {"runnable": {"passed": 1, "failed": 2, "skipped": 0, "reasons": ["r"]}},
    },
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


def test_everything_is_json(split_store):
    data = of_store(split_store, RECORDS).data()
    assert json.loads(json.dumps(data))["capture"]["failures"][0]["model"] == "c"


def test_the_text_shows_every_table(split_store):
    found = of_store(split_store, RECORDS)
    shown = text(found, top=3)
    assert shown.splitlines()[0].startswith(f"s: {found.graphs} graphs, {found.structures} structures")
    for title, columns, rows in tables(found, top=3):
        assert title in shown
        assert all(len(row) == len(columns) for row in rows)
    assert f"(first 3 of {len(found.families)})" in shown
    assert max(map(len, shown.splitlines())) < 180


def test_capture_counts():
    found = of_records(RECORDS)
    # The second record of model a replaces the first.
    assert (found.tried, found.captured) == (4, 2)
    assert found.libraries["timm"] == {"tried": 2, "captured": 2, "failed": 0}
    assert found.domains["unknown"] == {"tried": 1, "captured": 0, "failed": 1}
    assert found.methods == {"fake": 1, "real": 1}
    assert found.stages == {"inputs": 2}
    assert found.reasons == {"KeyError: '*'": 2}
    assert found.gates == {"runnable": {"passed": 1, "failed": 2, "skipped": 0}}
    assert [(item.model, item.reason, item.method) for item in found.failures] == [
        ("c", "KeyError: 'q1'", "meta"),
        ("d", "unknown", "unknown"),
    ]
    assert found.seconds == 5


def test_records_of_a_killed_run(tmp_path):
    lines = [json.dumps(record) for record in RECORDS]
    (tmp_path / "r.jsonl").write_text("\n".join(lines) + '\n{"library": "ti')
    assert list(read_capture_records(tmp_path / "r.jsonl")) == RECORDS
    (tmp_path / "r.jsonl").write_text('{"a": \n' + lines[0])
    with pytest.raises(UsageError, match="line 1"):
        list(read_capture_records(tmp_path / "r.jsonl"))
    with pytest.raises(UsageError, match="no such file"):
        list(read_capture_records(tmp_path / "none"))


def test_an_empty_store_has_stats(tmp_path):
    assemble([], tmp_path / "s")
    found = of_store(tmp_path / "s")
    assert found.graphs == 0
    assert "0 graphs" in text(found)
