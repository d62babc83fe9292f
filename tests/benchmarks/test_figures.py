"""The page of figures is what the results say, the documents say the same, and no result goes without a revision."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
HASH = "0123456789ab"


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import figures_table

    return figures_table


@pytest.fixture
def common(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import common

    return common


def test_the_page_and_the_documents_are_up_to_date() -> None:
    command = [sys.executable, str(BENCHMARKS / "figures_table.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_document_that_says_something_else_is_told(
    table: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for source in table.SOURCES:
        for figure in source.figures(table.load(source.file)):
            for name in figure.said_in:
                (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / name).write_text((table.ROOT / name).read_text().replace("2.24 [1.85, 2.74]", "2.42"))
    monkeypatch.setattr(table, "ROOT", tmp_path)
    assert ["2.24 [1.85, 2.74]" in text for text in table.unsaid()] == [True, True]


def test_a_result_that_has_no_row_is_told(table: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "RESULTS", tmp_path)
    (tmp_path / "aa-cpu.json").write_text("{}")
    (tmp_path / "other-cpu.json").write_text("{}")
    assert table.without_a_row() == ["no row of the table is of other-cpu.json"]


def test_evaluation_times_name_both_revisions(table: ModuleType) -> None:
    measured = {"ratio": 1.01, "ci": [0.99, 1.02]}
    document = {
        "revisions": {"before": "a" * 40, "after": "b" * 40 + "+dirty"},
        "summary": {"pairs": 20, "judging": measured, "wall": measured},
    }
    first, _ = table.evaluation_time(document)
    assert first.value == "1.010 [0.990, 1.020]"
    assert first.chosen == "aaaaaaaaaaaa and bbbbbbbbbbbb+dirty, 20 pairs"


def test_a_ratio_is_of_the_graphs_that_both_have(table: ModuleType) -> None:
    ours = [{"graph": "a/1", "direct": 4.0}, {"graph": "a/2", "direct": 100.0}, {"graph": "b/1", "direct": 4.0}]
    theirs = [{"graph": "a/1", "direct": 2.0}, {"graph": "b/1", "direct": 2.0}, {"graph": "c/1", "direct": 0.01}]
    assert table.paired(ours, theirs, "direct") == "2.00 [2.00, 2.00]"


def test_an_interval_is_over_tasks(table: ModuleType) -> None:
    ours = [{"graph": f"{task}/{graph}", "direct": 2.0 if task == "a" else 0.5} for task in "ab" for graph in range(9)]
    theirs = [row | {"direct": 1.0} for row in ours]
    assert table.paired(ours, theirs, "direct") == "1.00 [0.50, 2.00]"


def optimised(over_mode: float, over_eager: float = 9.0, mode: str = "torch.compile", **more: object) -> dict[str, Any]:
    form = mode if over_mode == 1.0 else "inductor"
    best = {"form": form, "best_torch_compile": mode, "speedup_over_eager": over_eager,
            "speedup_over_best_torch_compile": over_mode}  # fmt: skip
    return {"best": best, "minutes": 2.0, "notes": [], "modes_without_time": {}} | more


def test_the_mean_of_whole_models_is_told_without_the_largest_too(table: ModuleType) -> None:
    models = {"a": optimised(1.0), "b": optimised(1.21), "c": optimised(4.0, over_eager=3.5)}
    said = {figure.what: figure for figure in table.optimised({"models": models})}
    assert said["best form over the best mode of torch.compile, geometric mean"].value == "1.69"
    assert said["the same without the largest"].value == "1.10"
    assert said["the same without the largest"].chosen == "all but c"
    assert said["models for which the answer is a mode of torch.compile"].chosen == "a"
    assert said["models for which no mode of torch.compile was faster than eager"].value == "1 of 3"
    assert said["c: best form over eager"].value == "3.50"
    assert "geometric mean by first tries" not in said


def test_a_second_try_is_told_beside_the_first(table: ModuleType) -> None:
    lacking = {"torch.compile max-autotune": "the time was over"}
    first = optimised(1.4, minutes=6.0, minutes_allowed=8.0, modes_without_time=lacking)
    models = {"a": optimised(1.2, minutes_allowed=4.4), "b": optimised(1.1, minutes_allowed=4.0, first_try=first)}
    said = {figure.what: figure for figure in table.optimised({"models": models})}
    assert said["models of which a second try counts"].value == "1 of 2"
    assert said["b: over the best mode measured, both tries"].value == "1.40, then 1.10"
    assert said["b: over the best mode measured, both tries"].chosen == "first without torch.compile max-autotune"
    assert (said["geometric mean by first tries"].value, said["geometric mean by first tries"].chosen) == (
        "1.20", "1 of 2 models",
    )  # fmt: skip
    assert said["minutes that a model took"].value == "2.0 to 8.0"
    assert said["minutes that a try was given"].value == "4.0 to 8.0"


def test_what_was_chosen_by_and_shorter_is_said(table: ModuleType) -> None:
    document = {
        "benchmark": "any",
        "measured_once": True,
        "environment": {"device": "cpu"},
        "protocol": {"processes": 2},
    }
    said = table.protocol_of(document, table.Figure("any", "1"))
    assert said == "measured once, by evaluations that the author itself chose by; shorter protocol: processes 2 (5)"
    assert "chose by" not in table.protocol_of(document, table.Figure("any", "1", by_others=True))


def test_every_row_says_how_it_was_measured(table: ModuleType) -> None:
    for source in table.SOURCES:
        for figure in source.figures(table.load(source.file)):
            assert all(table.cells(source, figure)), (source.file, figure.what)


def test_fewer_rounds_than_the_default_are_said(table: ModuleType) -> None:
    assert table.rounds_of({"rounds": 12}, 40) == "shorter protocol: 12 rounds (40)"
    assert table.rounds_of({"blocks": 60}, 60) == "60 rounds"
    assert table.rounds_of({}, 60) == "the number of rounds was not recorded"


@pytest.mark.parametrize(
    ("given", "found", "recorded"),
    [
        (None, HASH, HASH),
        (None, f"{HASH}+dirty", f"{HASH}+dirty"),
        (HASH, None, HASH),
        (f"{HASH}cdef", HASH, HASH),
        (f"{HASH}+dirty", f"{HASH}+dirty", f"{HASH}+dirty"),
    ],
)
def test_the_revision_of_a_result(common: ModuleType, given: str | None, found: str | None, recorded: str) -> None:
    assert common.revision(given, found) == recorded


@pytest.mark.parametrize(
    ("given", "found", "told"),
    [
        (None, None, "give --revision"),
        ("main", None, "expected 12 to 40"),
        ("", None, "expected 12 to 40"),
        ("0" * 12, HASH, "this checkout is at"),
        (HASH, f"{HASH}+dirty", "this checkout is at"),
    ],
)
def test_no_revision_is_made_up(common: ModuleType, given: str | None, found: str | None, told: str) -> None:
    with pytest.raises(common.RevisionError, match=told):
        common.revision(given, found)


def test_a_script_ends_before_it_measures_without_one(
    common: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(common.environment, "revision", lambda: None)
    with pytest.raises(SystemExit):
        common.parsed(argparse.ArgumentParser(), [])
    assert "give --revision" in capsys.readouterr().err
    assert common.parsed(argparse.ArgumentParser(), ["--revision", HASH]).revision == HASH


def test_what_was_measured_elsewhere_needs_its_own(common: ModuleType, tmp_path: Path) -> None:
    options = argparse.Namespace(out=tmp_path, revision=HASH)
    with pytest.raises(SystemExit, match="has no revision"):
        common.save(options, "any-cpu", "any", "cpu", {}, {"revision": None})
    assert list(tmp_path.iterdir()) == []
    common.save(options, "any-cpu", "any", "cpu", {}, {"revision": "f" * 12})
    assert json.loads((tmp_path / "any-cpu.json").read_text())["environment"]["revision"] == "f" * 12


def test_a_result_names_the_revision_of_this_code(common: ModuleType, tmp_path: Path) -> None:
    common.save(argparse.Namespace(out=tmp_path, revision=HASH), "any-cpu", "any", "cpu", {"rows": []})
    assert json.loads((tmp_path / "any-cpu.json").read_text())["environment"]["revision"] == HASH


def test_kept_measurements_are_of_one_revision(common: ModuleType, tmp_path: Path) -> None:
    common.of_one_revision(tmp_path / "run", HASH)
    common.of_one_revision(tmp_path / "run", HASH)
    with pytest.raises(SystemExit, match="use another --run"):
        common.of_one_revision(tmp_path / "run", "f" * 12)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "rows.jsonl").write_text("{}\n")
    with pytest.raises(SystemExit, match="nobody knows what"):
        common.of_one_revision(tmp_path / "old", HASH)


def test_measurements_of_two_revisions_are_not_one_result(common: ModuleType, tmp_path: Path) -> None:
    import authors

    for name, revision in (("one", HASH), ("same", HASH), ("other", "f" * 12)):
        common.of_one_revision(tmp_path / name, revision)
    assert authors.measured_by([tmp_path / "one", tmp_path / "same"]) == HASH
    assert authors.measured_by([tmp_path / "nobody"]) is None
    with pytest.raises(SystemExit, match="different revisions"):
        authors.measured_by([tmp_path / "one", tmp_path / "other"])


def test_every_figure_of_the_readme_has_a_row(table: ModuleType) -> None:
    import page_tables

    listed = table.PAGE.read_text()
    head, *rows = page_tables.results().table
    for row in rows:
        for name, cell in zip(head[2:], row[2:], strict=True):
            assert f"| {cell}" in listed, (row[:2], name, cell)
