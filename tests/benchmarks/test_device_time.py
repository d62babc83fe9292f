"""`benchmarks/device_time.py`: ratios of two compilers on the same graph, and who is slower beyond the interval."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from passnet.bench.record.records import GraphRecord, Timing
from passnet.score import Outcome

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import device_time

    return device_time


def record(graph: str, busy: float, half: float = 0.1, outcome: Outcome = Outcome.CORRECT) -> GraphRecord:
    timing = Timing(
        speedup=2.0, speedup_ci=(1.9, 2.1), eager_us=50.0, compiled_us=25.0, control_ratio=1.0, processes=(),
        busy_speedup=busy, busy_speedup_ci=(busy * (1 - half), busy / (1 - half)), eager_busy_us=30.0,
        compiled_busy_us=30.0 / busy, launch_us=40.0,
    )  # fmt: skip
    correct = outcome is Outcome.CORRECT
    return GraphRecord(
        task="t", graph=graph, graph_hash="", pass_set_hash=None, protocol_hash="", compiler="passes", device="cuda",
        outcome=outcome, correct_at=-5 if correct else None, timing=timing if correct else None,
    )  # fmt: skip


def reduced(script: ModuleType, ours: list[GraphRecord], theirs: list[GraphRecord]) -> dict[str, Any]:
    found: dict[str, Any] = script.reduced({"passes": script.by_graph(ours), "inductor": script.by_graph(theirs)})
    return found


def test_the_figure_is_the_ratio_of_device_times(script: ModuleType) -> None:
    found = reduced(script, [record("a", 2.0), record("b", 1.0)], [record("a", 1.0), record("b", 2.0)])
    assert found["all"]["device"] == {"gmean": 1.0, "slower": 1, "faster": 1, "of": 2}
    assert found["by_regime"]["launch"]["graphs"] == 2
    assert found["rows"][0]["device"]["ratio"] == pytest.approx(2.0)
    low, high = (found["rows"][0]["device"][end] for end in ("low", "high"))
    assert high / 2 == pytest.approx(2 / low)
    assert high / 2 == pytest.approx(0.9 ** -(2**0.5))


def test_what_lies_within_the_intervals_is_neither(script: ModuleType) -> None:
    found = reduced(script, [record("a", 1.1)], [record("a", 1.0)])
    assert found["all"]["device"] == {"gmean": 1.1, "slower": 0, "faster": 0, "of": 1}


def test_what_one_did_not_get_right_is_counted_and_not_compared(script: ModuleType) -> None:
    wrong = record("a", 2.0, outcome=Outcome.ACCURACY)
    found = reduced(script, [wrong, record("b", 2.0)], [record("a", 1.0), record("b", 1.0), record("c", 1.0)])
    assert found["outcomes"]["passes"] == {"accuracy": 1, "correct": 1}
    assert (found["graphs"], found["with_device_time"]) == (2, 1)
