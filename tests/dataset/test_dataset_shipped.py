"""What lies in `data/dataset` is sound, its lists name it, and its splits share nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from passnet.dataset.examine.decontaminate import check
from passnet.dataset.examine.verify_store import verify
from passnet.dataset.tables.store import read_tasks

pytest.importorskip("pyarrow")
DATA = Path(__file__).parents[2] / "data"
STORE, LISTS = DATA / "dataset", DATA / "lists"


@pytest.mark.slow
def test_every_row_hash_and_task_is_right() -> None:
    found = verify(STORE, sample=10)
    assert found.ok, found.text()
    assert found.counts["rows"] > 10_000


def test_the_lists_name_the_tasks() -> None:
    tasks = Counter((task.split, task.kind) for task in read_tasks(STORE))
    assert tasks["eval", "fusible"] == 200
    for (split, kind), count in tasks.items():
        assert len((LISTS / f"{split}_{kind}.txt").read_text().splitlines()) == count


def test_train_and_evaluation_share_nothing() -> None:
    for kind in ("fusible", "typical"):
        assert check(LISTS / f"train_{kind}.txt", LISTS / f"eval_{kind}.txt", store=STORE).clean
