"""What lies in `data/dataset` is sound, its lists name it, and its splits share nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from passnet.dataset.examine.decontaminate import check
from passnet.dataset.examine.verify_store import verify
from passnet.dataset.tables.store import read_tasks

pytest.importorskip("pyarrow")
DATA = Path(__file__).parents[3] / "data"
STORE, LISTS = DATA / "dataset", DATA / "lists"


@pytest.mark.slow
def test_tasks_split_and_one_row_of_fifty_are_right() -> None:
    found = verify(STORE, every=50)
    assert found.ok, found.text()
    assert found.counts["rows"] > 10_000
    assert found.counts["rows rebuilt"] * 50 >= found.counts["rows"]
    assert found.counts["tasks"] == sum(1 for _ in read_tasks(STORE))


@pytest.mark.slow
def test_every_row_and_hash_is_right() -> None:
    found = verify(STORE, sample=10)
    assert found.ok, found.text()
    assert found.counts["rows rebuilt"] == found.counts["rows"]


def test_the_lists_name_the_tasks() -> None:
    tasks = Counter((task.split, task.kind) for task in read_tasks(STORE))
    assert tasks["eval", "fusible"] == 200
    for (split, kind), count in tasks.items():
        assert len((LISTS / f"{split}_{kind}.txt").read_text().splitlines()) == count


@pytest.mark.slow
def test_train_and_evaluation_share_nothing(tmp_path: Path) -> None:
    """Of all kinds at once, as the lists name them."""
    kinds: dict[str | None, set[str]] = {"train": set(), "eval": set()}
    for task in read_tasks(STORE):
        kinds.setdefault(task.split, set()).add(task.kind)
    sides = [tmp_path / "train.txt", tmp_path / "eval.txt"]
    for side in sides:
        side.write_text("".join((LISTS / f"{side.stem}_{kind}.txt").read_text() for kind in sorted(kinds[side.stem])))
    assert check(*sides, store=STORE).clean
