"""`benchmarks/evaluation_time.py`: ratios of pairs, their interval, the order of the sides, and what is left out."""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import evaluation_time

    return evaluation_time


def row(
    task: str, repeat: int, before: float, after: float, ended: Sequence[Any] = ("correct", 5, 0)
) -> dict[str, Any]:
    seconds = {"before": before, "after": after}
    both = {"before": [["correct", 5, 0]], "after": [list(ended)]}
    return {"task": task, "repeat": repeat, "wall": seconds, "judging": seconds, "ended": both}


def test_the_ratio_is_of_pairs_and_its_interval_holds_it(script: ModuleType) -> None:
    found = script.summary([row("a", n, 10.0, 10.0 + n / 10) for n in range(5)] + [row("b", 0, 100.0, 101.0)])
    assert found["pairs"] == 6
    assert found["wall"]["ratio"] == pytest.approx(1.015)
    low, high = found["wall"]["ci"]
    assert 1.0 <= low <= 1.015 <= high <= 1.04
    assert found["judging"]["tasks"] == {"a": 1.02, "b": 1.01}


@pytest.mark.parametrize("ended", [("unstable",), ("correct", 10, 0), ("correct", 5, 1)])
def test_pairs_that_did_not_end_alike_are_named_and_not_counted(script: ModuleType, ended: Sequence[Any]) -> None:
    found = script.summary([row("a", 0, 10.0, 10.0), row("a", 1, 10.0, 1.0, ended)])
    assert found["wall"]["ratio"] == 1.0
    assert [left["repeat"] for left in found["left_out"]] == [1]
    assert script.summary([row("a", 1, 10.0, 1.0, ended)])["pairs"] == 0


def test_the_side_that_begins_changes_from_repeat_to_repeat(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: list[str] = []

    def evaluated(task: Path, checkout: Any, options: argparse.Namespace) -> tuple[float, list[dict[str, Any]]]:
        seen.append(checkout.tree.name)
        timing = {"processes": [{}, {}], "voided_rounds": 1}
        return 1.0, [{"seconds": 0.5, "outcome": "correct", "timing": timing}, {"seconds": 0.5, "outcome": "no_match"}]

    monkeypatch.setattr(script, "evaluated", evaluated)
    sides = {side: script.Checkout(tmp_path / name, "a" * 40) for side, name in (("before", "old"), ("after", "new"))}
    for repeat in range(2):
        found = script.measured(tmp_path / "task", repeat, sides, argparse.Namespace())
        assert found["judging"] == {"before": 1.0, "after": 1.0}
        assert found["ended"]["after"] == [["correct", 2, 1], ["no_match"]]
    assert seen == ["old", "new", "new", "old"]


def test_rows_that_are_there_are_not_measured_again(script: ModuleType) -> None:
    options = argparse.Namespace(paths=[Path("a"), Path("b")], repeats=2)
    left = script.wanted(options, [row("a", 0, 1.0, 1.0), row("b", 1, 1.0, 1.0)])
    assert left == [(Path("b"), 0), (Path("a"), 1)]


def test_a_revision_says_whether_files_were_changed(script: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no git checkout"):
        script.revision_of(tmp_path)
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.com"]
    (tmp_path / "file").write_text("1")
    for words in (["init", "-q"], ["add", "file"], [*identity, "commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    assert len(script.revision_of(tmp_path)) == 40
    checkout = script.Checkout.of(tmp_path)
    checkout.check(checkout.revision[:12])
    with pytest.raises(SystemExit, match="the code that ran is of 0123456789ab"):
        checkout.check("0123456789ab")
    (tmp_path / "file").write_text("2")
    assert script.revision_of(tmp_path).endswith("+dirty")
