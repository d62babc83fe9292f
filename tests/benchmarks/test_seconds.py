"""`benchmarks/seconds.py`: what counts for a median, when two results agree, and how time and order are kept."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import seconds

    return seconds


def row(graph: str, low: float, high: float, judged: float = 1.0, outcome: str = "correct") -> dict[str, Any]:
    half = math.log(high / low) / 2
    figures = {"speedup": math.sqrt(low * high), "ci": [low, high], "half_width": half}
    return {"graph": graph, "outcome": outcome, "judged": judged, "wall": 2 * judged, "load": 0.5, **figures}


def options(**more: Any) -> argparse.Namespace:
    given = {"compiler": "passes", "precision": 0.05, "seed": 1, "paths": [Path("a")], "aa": False}
    given |= {"lanes": None, "warm": False}
    return argparse.Namespace(**{**given, **more})


def test_medians_are_of_timed_graphs_alone(script: ModuleType) -> None:
    wrong = {"graph": "w", "outcome": "accuracy", "judged": 100.0, "wall": 100.0, "load": 0.5}
    found = script.reduced(
        options(), [row("a", 0.96, 1.04), row("b", 0.8, 1.25, 3.0), wrong], [{"graphs": 3, "seconds": 9.0}]
    )
    assert (found["graphs"], found["timed"], found["wide"]) == (3, 2, 1)
    assert found["judged"]["mean"] == 2.0
    assert found["graphs_per_hour"] == 1200
    assert found["outcomes"] == {"correct": 2, "accuracy": 1}


def test_aa_counts_the_distance_from_one(script: ModuleType) -> None:
    rows = [row("a", 0.99, 1.02), row("b", 1.025, 1.035), row("c", 0.8, 0.9)]
    found = script.reduced(options(aa=True), rows, [])
    assert found["within"] == {"1%": pytest.approx(1 / 3), "2%": pytest.approx(1 / 3), "5%": pytest.approx(2 / 3)}
    assert found["interval_holds_1"] == pytest.approx(1 / 3)


def test_two_results_agree_where_intervals_overlap_and_centres_are_near(script: ModuleType) -> None:
    old = [row("same", 0.98, 1.02, 4.0), row("near", 1.0, 1.1, 4.0), row("apart", 1.0, 1.1, 4.0), row("gone", 1, 1.1)]
    new = [row("same", 0.98, 1.02), row("near", 1.095, 1.2), row("apart", 1.2, 1.3), row("other", 1, 1.1)]
    found = script.compared(old, new)
    assert (found["graphs"], found["timed_by_both"]) == (3, 3)
    assert found["intervals_overlap"] == pytest.approx(2 / 3)
    assert found["paired_within"] == pytest.approx(1 / 3)
    assert [one["graph"] for one in found["apart"]] == ["apart"]
    assert found["judged_old_over_new"]["figure"] == 4.0
    assert found["judged_old_over_new"]["of_means"] == 4.0
    assert found["speedup_new_over_old"]["figure"] > 1


def test_a_side_that_ended_wide_is_charged_for_what_it_lacks(script: ModuleType) -> None:
    """A half width that is twice as wide as the wanted one needs four times the measurements."""
    wide, narrow = row("a", 0.8, 1.25, 4.0) | {"half_width": 0.1}, row("a", 0.98, 1.02, 2.0) | {"half_width": 0.02}
    found = script.compared([wide], [narrow], 0.05)
    assert found["judged_old_over_new"]["figure"] == 2.0
    assert found["judged_at_equal_width_old_over_new"]["figure"] == pytest.approx(8.0)
    assert "judged_at_equal_width_old_over_new" not in script.compared([wide], [narrow])


def test_an_outcome_that_changed_is_named(script: ModuleType) -> None:
    found = script.compared([row("a", 1, 1.1)], [row("a", 1, 1.1, outcome="unstable")])
    assert found["other_outcome"] == [{"graph": "a", "outcomes": ["correct", "unstable"]}]


@pytest.mark.parametrize(("text", "value"), [("5%", 0.05), ("2%", 0.02), ("1%", 0.01), ("0.02", 0.02)])
def test_a_precision_is_a_share(script: ModuleType, text: str, value: float) -> None:
    assert script.percent(text) == value


def test_the_order_of_the_tasks_is_drawn_by_the_seed(script: ModuleType) -> None:
    tasks = BENCHMARKS.parent / "data" / "tasks"

    def order(seed: int | None, tasks_wanted: int | None = None) -> list[Path]:
        given = argparse.Namespace(turn=False, paths=[tasks], seed=seed, tasks=tasks_wanted)
        found: list[Path] = script.ordered(given)
        return found

    assert order(1) == order(1) != order(2)
    assert sorted(order(1)) == order(None)
    assert order(1, 3) == order(1)[:3]


def test_no_graph_is_begun_after_the_time_and_what_was_judged_is_kept(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def evaluate(asked: object, report: Any) -> None:
        for number in (1, 2, 3):
            record = SimpleNamespace(task="t", graph=str(number), detail=None, seconds=1.0, timing=None)
            record.outcome = SimpleNamespace(value="accuracy")
            report(SimpleNamespace(done=number, total=3, resumed=number == 1, record=record))

    monkeypatch.setattr(script, "evaluate", evaluate)
    script.judged(object(), argparse.Namespace(seconds=math.inf), 0.0, tmp_path)
    assert [one["graph"] for one in script.read_rows(tmp_path)] == ["t/2", "t/3"]
    began = script.time.monotonic()
    script.judged(object(), argparse.Namespace(seconds=-1e-9), began, tmp_path)
    assert len(script.read_lines(tmp_path / script.SPENT)) == 1
    monkeypatch.setattr(script.time, "monotonic", iter([0.0, 0.5, 0.6, 5.0]).__next__)
    script.judged(object(), argparse.Namespace(seconds=1.0), 0.0, tmp_path / "..")
