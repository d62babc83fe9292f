"""Published whole graphs become pieces, variants and tasks: from a tree, a list, and an imported dataset."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from passnet.dataset.build import subjects
from passnet.dataset.examine.verify_store import verify
from passnet.dataset.exchange.importing import import_tree
from passnet.dataset.layout import FULL, FUSIBLE, SOLE_OP, TYPICAL
from passnet.dataset.pipeline.whole_graphs import admit, of_path
from passnet.dataset.tables.store import read_rows
from passnet.errors import UsageError
from tests.dataset.build_models import run
from tests.dataset.published_samples import NAMES, write_sample, write_tree

pytest.importorskip("pyarrow")
KEYS = {"timm:toynet_tiny.own", "timm:brokennet", "transformers-auto-model:someone_tiny-random-toybert"}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tree(tmp_path_factory.mktemp("published"))


def small(out: Path, *targets: object) -> Path:
    chosen = tuple(map(str, targets))
    run(out, targets=chosen, dtypes=("float32",), shapes=((4, 16),), eval_tasks=0)
    return out


def test_a_tree_a_list_and_a_dataset_name_the_same_graphs(tree: Path, tmp_path: Path) -> None:
    assert {one.key for one in of_path(str(tree))} == KEYS
    listing = tree.parent / "list.txt"
    listing.write_text("".join(f"samples/{name}\n" for name in NAMES))
    assert {one.key for one in of_path(str(listing))} == KEYS - {"timm:brokennet"}
    import_tree(tree.parent, tmp_path / "store")
    stored = {one.key: one for one in of_path(str(tmp_path / "store"))}
    assert stored.keys() == KEYS - {"timm:brokennet"}
    by_file = {one.key: one for one in of_path(str(tree))}
    for key, one in stored.items():
        assert one.read().content_hash == by_file[key].read().content_hash
    assert {one.family for one in stored.values()} == {"toynet", "toybert"}


def test_one_graph_outside_of_any_tree_is_the_users_own(tmp_path: Path) -> None:
    (one,) = of_path(str(write_sample(tmp_path / "mine")))
    assert (one.key, one.place) == ("user:mine", "samples/user/mine")
    record, (graph,) = admit(one)
    assert (record.outcome, record.method, record.gates["runnable"].passed) == ("captured", "published", 1)
    assert graph.structure_hash == one.read().structure_hash
    assert graph.sources == {"samples/user/mine": [[0, len(graph.statements())]]}
    assert graph.specs[0].original_name == "L_x_"


def test_pieces_variants_and_tasks_come_of_them(tree: Path, tmp_path: Path) -> None:
    out = small(tmp_path / "out", tree)
    rows = list(read_rows(out / "dataset"))
    kinds = Counter(row.kind for row in rows)
    assert set(kinds) == {FULL, SOLE_OP, TYPICAL, FUSIBLE}
    assert {row.model for row in rows if row.kind == FULL} == {"toynet_tiny.own", "someone_tiny-random-toybert"}
    assert verify(out / "dataset", sample=5).ok
    shared = next(row for row in rows if row.kind == SOLE_OP and row.op_names == ("gelu",))
    assert shared.families == ("toybert", "toynet"), "the two graphs share their blocks"
    records = {json.loads(line)["model"]: json.loads(line) for line in (out / "records.jsonl").read_text().splitlines()}
    assert "torch.load refused: it reads files" in records["brokennet"]["reason"]


def test_a_literal_device_hides_no_fusible_piece(tree: Path, tmp_path: Path) -> None:
    out = small(tmp_path / "out", tree / NAMES[0])
    fused = [row.op_names for row in read_rows(out / "dataset") if row.kind == FUSIBLE]
    assert any({"arange", "sigmoid", "mul"} <= set(names) or {"sigmoid", "mul"} <= set(names) for names in fused), fused
    assert json.loads((out / "summary.json").read_text())["drops"]["cut"].get("fusible: not scheduled") is None


def test_models_and_paths_stand_side_by_side(tree: Path) -> None:
    found = subjects(["build_models:mixer", str(tree / "timm")])
    assert {one.key for one in found} == {"user:build_models.mixer", "timm:toynet_tiny.own", "timm:brokennet"}


def test_paths_that_hold_nothing_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no whole graph here"):
        subjects([str(tmp_path)])
    with pytest.raises(UsageError, match="no such file or directory"):
        subjects(["./nowhere"])
