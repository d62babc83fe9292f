"""Whole builds of small models: what they hold, that they are the same again, and the same after being killed."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from passnet.dataset.build import BuildStep, Machine, build
from passnet.dataset.capture.record import ModelRecord
from passnet.dataset.capture.targets import Model, in_turn
from passnet.dataset.examine.verify_store import verify
from passnet.dataset.layout import FULL, FUSIBLE, SOLE_OP, TYPICAL
from passnet.dataset.models.families import _CANONICAL
from passnet.dataset.pipeline.workfiles import packed
from passnet.dataset.tables.store import read_rows
from passnet.errors import UsageError
from tests.dataset.build_models import FACTORIES, run, settings

pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One build that nobody disturbed."""
    out = tmp_path_factory.mktemp("build") / "out"
    run(out)
    return out


def content(out: Path) -> dict[str, bytes]:
    """Every file of the finished dataset."""
    root = out / "dataset"
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_all_kinds_are_there_and_all_is_well(built: Path) -> None:
    kinds = Counter(row.kind for row in read_rows(built / "dataset"))
    assert set(kinds) == {FULL, SOLE_OP, TYPICAL, FUSIBLE}
    assert verify(built / "dataset", sample=20).ok


def test_variants_share_the_structure_of_their_piece(built: Path) -> None:
    rows = [row for row in read_rows(built / "dataset") if row.kind == FUSIBLE]
    by_piece: dict[str, set[tuple[str, int | None]]] = {}
    for row in rows:
        by_piece.setdefault(row.name, set()).add((row.dtype, row.shape_index))
    assert {dtype for found in by_piece.values() for dtype, _ in found} == {"float32", "bfloat16"}
    assert max(len(found) for found in by_piece.values()) == 6, "two dtypes at two shapes and the original one"


def test_a_block_of_both_models_is_one_piece_with_the_places_of_both(tmp_path: Path) -> None:
    # Without evaluation tasks, for whose sake one of the two families would be held out.
    run(tmp_path / "out", eval_tasks=0, kinds=(SOLE_OP,), dtypes=("float32",), shapes=())
    shared = [row for row in read_rows(tmp_path / "out" / "dataset") if len(row.families) == 2]
    assert "gelu" in {row.op_names[0] for row in shared}
    assert {("classifier", "mlpmixer")} == {row.families for row in shared}


def test_a_model_that_raises_is_one_record(built: Path) -> None:
    records = [ModelRecord.model_validate_json(line) for line in (built / "records.jsonl").read_text().splitlines()]
    assert {record.model: record.outcome for record in records} == {
        "build_models.broken": "failed", "build_models.classifier": "captured", "build_models.mixer": "captured",
    }  # fmt: skip
    assert "no such layer" in str(next(record.reason for record in records if record.outcome == "failed"))
    summary = json.loads((built / "summary.json").read_text())
    assert summary["models"] == {"user captured": 2, "user failed": 1}


@pytest.mark.slow
def test_a_second_build_is_the_same(built: Path, tmp_path: Path) -> None:
    run(tmp_path / "again")
    assert content(tmp_path / "again") == content(built)


@pytest.mark.parametrize(
    "stage",
    [pytest.param("capture", marks=pytest.mark.slow), pytest.param("typical", marks=pytest.mark.slow), "vary"],
)
def test_killed_in_the_middle_and_resumed_is_the_same(built: Path, tmp_path: Path, stage: str) -> None:
    out = tmp_path / "out"
    here = Path(__file__).parent
    process = subprocess.Popen(
        [sys.executable, str(here / "build_models.py"), str(out)], cwd=here, start_new_session=True
    )
    while process.poll() is None and not list((out / "work" / stage).glob("*.json.gz")):
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    steps: list[BuildStep] = []
    run(out, steps.append)
    assert next(step.resumed for step in steps if step.stage == stage) >= 1
    assert content(out) == content(built)


def test_a_finished_build_does_nothing_again(built: Path) -> None:
    before = content(built)
    steps: list[BuildStep] = []
    run(built, steps.append)
    assert steps == []
    assert content(built) == before


@pytest.mark.slow
def test_a_build_that_grows_keeps_what_still_holds(built: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(out, targets=FACTORIES[:1])
    steps: list[BuildStep] = []
    run(out, steps.append)
    assert Counter(step.stage for step in steps)["capture"] == 2, "the model that was there is not captured again"
    assert content(out) == content(built)


def test_of_the_captured_models_the_first_in_turn_are_cut(tmp_path: Path) -> None:
    """The one that comes first of all fails, and takes no place."""
    run(tmp_path / "out", cut=1, eval_tasks=0, kinds=(SOLE_OP,), dtypes=("float32",), shapes=())
    models: dict[str, set[str]] = {}
    for row in read_rows(tmp_path / "out" / "dataset"):
        models.setdefault(row.kind, set()).add(row.model)
    assert models == {
        FULL: {"build_models.classifier", "build_models.mixer"}, SOLE_OP: {"build_models.classifier"},
    }  # fmt: skip
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["models_cut"] == 1


def units_below(out: Path) -> dict[str, int]:
    """Unit files with the times when they were written."""
    return {path.relative_to(out).as_posix(): path.stat().st_mtime_ns for path in (out / "work").glob("*/*.json.gz")}


@pytest.mark.parametrize("kinds", [(SOLE_OP,), pytest.param((SOLE_OP, TYPICAL, FUSIBLE), marks=pytest.mark.slow)])
def test_a_cut_that_grows_redoes_nothing_and_is_the_same(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    """The third model in turn has a name before the second's, so its pieces get another first place."""
    few = {"targets": (*FACTORIES, "build_models:classifier_text"), "kinds": kinds, "shapes": (), "eval_tasks": 0}
    out, clean = tmp_path / "out", tmp_path / "clean"
    run(out, **few, cut=2)
    before = units_below(out)
    run(out, **few, cut=3)
    run(clean, **few, cut=3)
    after = units_below(out)
    assert after.items() >= before.items()
    assert content(out) == content(clean)
    if kinds == (SOLE_OP,):
        # Ranges that were typical of fewer models alone are left over.
        assert len(after) == len(units_below(clean)) > len(before)


def test_families_are_called_as_they_are_today(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(built, tmp_path / "out")
    monkeypatch.setitem(_CANONICAL, "mixer", "renamed")
    steps: list[BuildStep] = []
    run(tmp_path / "out", steps.append)
    assert steps == []
    families = {family for row in read_rows(tmp_path / "out" / "dataset") for family in (row.family, *row.families)}
    assert families == {"classifier", "renamed"}
    assert '"family":"renamed"' in (tmp_path / "out" / "records.jsonl").read_text()


@pytest.mark.slow
def test_the_costs_of_parts_are_read_from_a_build(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`benchmarks/dataset_scale.py`: the whole is what was stored, a part is less, and the build is left alone."""
    monkeypatch.chdir(Path(__file__).parent)
    before = units_below(built)
    script = Path(__file__).parents[2] / "benchmarks" / "dataset_scale.py"
    monkeypatch.syspath_prepend(str(script.parent))
    monkeypatch.setattr(sys, "argv", [str(script), str(built), "--models", "2", "99", "--out", str(tmp_path)])
    runpy.run_path(str(script), run_name="__main__")
    two, whole = json.loads((tmp_path / "dataset-scale.json").read_text())["rows"]
    assert (two["models"], two["captured"], whole["models"], whole["captured"]) == (2, 1, 3, 2)
    assert whole["graphs_stored"] == sum(1 for _ in read_rows(built / "dataset")) > two["graphs_stored"] > 0
    assert whole["missing_units"] == {}
    assert {stage: cost["units"] for stage, cost in whole["stages"].items()} == {
        stage: len(list((built / "work" / stage).glob("*.json.gz"))) for stage in ("capture", "cut", "typical", "vary")
    }
    assert all(cost["graphs_per_core_minute"] > 0 < cost["peak_memory_mb"] for cost in whole["stages"].values())
    assert set(whole["leader"]["cpu_seconds"]) == {"fold", "store"}
    assert units_below(built) == before
    assert not list(built.parent.glob(".scale.*"))


def test_other_versions_need_another_directory(built: Path, tmp_path: Path) -> None:
    shutil.copytree(built, tmp_path / "out")
    path = tmp_path / "out" / "settings.json"
    document = json.loads(path.read_text())
    document["versions"]["torch"] = "2.0"
    path.write_text(json.dumps(document))
    with pytest.raises(UsageError, match="begun with other versions"):
        run(tmp_path / "out")


def test_a_directory_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(UsageError, match="holds no build"):
        build(tmp_path, settings(), Machine(workers=1), lambda step: None)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_two_builds_in_one_directory_are_one_too_many(tmp_path: Path) -> None:
    out, here, said = tmp_path / "out", Path(__file__).parent, []

    def second(step: BuildStep) -> None:
        command = [sys.executable, str(here / "build_models.py"), str(out)]
        said.append(subprocess.run(command, cwd=here, stderr=subprocess.PIPE, text=True, check=False).stderr)

    run(out, second, targets=FACTORIES[2:], kinds=(SOLE_OP,))
    assert "another build is at work here" in said[0]


def test_an_unknown_factory_is_told_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such function"):
        run(tmp_path / "out", targets=("build_models:nothing",))
    assert not (tmp_path / "out").exists()


def test_what_gave_up_is_tried_again_only_when_asked(tmp_path: Path) -> None:
    """A model that raised is a record, and no unit that gave up."""
    out = tmp_path / "out"
    chosen = settings(targets=FACTORIES[1:], kinds=(SOLE_OP,), dtypes=("float32",), shapes=(), eval_tasks=0)
    build(out, chosen, Machine(workers=1), lambda step: None)
    before = content(out)
    unit = min((out / "work" / "vary").iterdir())
    unit.write_bytes(packed({"failure": "Crash: ended", "seconds": 1.0, "cpu_seconds": 1.0, "peak_memory_mb": 1}))
    steps: list[BuildStep] = []
    summary, _ = build(out, chosen, Machine(workers=1), steps.append)
    assert (steps, summary.failed_units) == ([], {"vary: Crash: ended": 1})
    assert content(out) != before
    summary, _ = build(out, chosen, Machine(workers=1, retry=True), steps.append)
    assert ([step.stage for step in steps], summary.failed_units) == (["vary"], {})
    assert content(out) == before


class _Source:
    library = "user"

    def family(self, name: str) -> str:
        return name[0]


def test_families_take_turns() -> None:
    models = [Model(_Source(), name) for name in ("a1", "a2", "a3", "b1", "c1", "c2")]  # type: ignore[arg-type]
    assert [model.name for model in in_turn(models)] == ["a1", "b1", "c1", "a2", "c2", "a3"]
    assert [model.name for model in in_turn(models, 1)] == ["a1", "b1", "c1"]


def test_inside_a_family_the_kinds_take_turns() -> None:
    models = [Model(_Source(), name) for name in ("vast_1", "vast_2", "vast_3", "vit_1", "vit_2", "very2")]  # type: ignore[arg-type]
    assert [model.name for model in in_turn(models, 4)] == ["vast_1", "very2", "vit_1", "vast_2"]
