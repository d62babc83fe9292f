"""Speedups by convention and regime: a figure is of the graphs that have it, and of no other convention."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from typing import Any

import pytest
from pydantic import ValidationError

from passnet.bench.record.conventions import (
    BOUND_SHARES,
    CONVENTIONS,
    by_regime,
    convention_of,
    conventions_document,
    measured_graphs,
)
from passnet.bench.record.records import GraphRecord
from passnet.score import Outcome, score_benchmark
from tests.report.recorded_runs import record, timing

# Eager's device time of a call, by the regime that follows from issuing taking 10 us.
BUSY = {"launch": 5.0, "mixed": 20.0, "work": 60.0}


def on_gpu(task: str, regime: str, speedup: float, **other: Any) -> GraphRecord:
    """A record of a GPU, right and captured: half of the direct speedup captured, a quarter by device time."""
    busy = BUSY[regime]
    fields = {
        "deployed_speedup": speedup * 0.9, "captured_speedup": speedup / 2, "busy_speedup": speedup / 4,
        "eager_busy_us": busy, "compiled_busy_us": busy * 4 / speedup, "launch_us": 10.0, "bound_us": 1.0,
    }  # fmt: skip
    return record(task, speedup=speedup, device="cuda", timing=timing(speedup, **(fields | other)))


RECORDS = [
    on_gpu("a", "launch", 4.0),
    on_gpu("b", "launch", 1.0, captured_speedup=None, busy_speedup=None, compiled_busy_us=None, not_captured="why"),
    on_gpu("c", "mixed", 2.0),
    on_gpu("d", "work", 0.5),
    record("e", outcome=Outcome.TIMEOUT),
    record("f", speedup=9.0, outcome=Outcome.ACCURACY),
]


def figures(records: list[GraphRecord]) -> dict[str, dict[str, Any]]:
    return conventions_document(measured_graphs(records))


def test_each_regime_has_its_graphs_and_all_have_all() -> None:
    found = figures(RECORDS)
    assert list(found) == ["all", "launch", "mixed", "work", "unknown"]
    assert {name: group["graphs"] for name, group in found.items()} == {
        "all": 4, "launch": 2, "mixed": 1, "work": 1, "unknown": 0,
    }  # fmt: skip
    assert all(set(group) == {"graphs", *CONVENTIONS, *BOUND_SHARES} for group in found.values())


def test_means_are_of_the_graphs_that_have_the_figure() -> None:
    found = figures(RECORDS)
    assert found["launch"]["direct"]["value"] == pytest.approx(2.0)
    assert found["launch"]["direct"]["graphs"] == 2
    # Of b no captured call was measured. Its direct figure stands in for nothing.
    assert (found["launch"]["captured"]["graphs"], found["launch"]["captured"]["value"]) == (1, pytest.approx(2.0))
    assert (found["launch"]["device"]["graphs"], found["launch"]["device"]["value"]) == (1, pytest.approx(1.0))
    assert found["all"]["captured"]["graphs"] == found["all"]["device"]["graphs"] == 3
    assert found["all"]["deployed"]["value"] == pytest.approx(0.9 * (4 * 1 * 2 * 0.5) ** 0.25)
    assert (found["launch"]["eager_bound_share"]["graphs"], found["launch"]["bound_share"]["graphs"]) == (2, 1)
    assert found["work"]["bound_share"]["value"] == pytest.approx(1.0 / (60 * 8))


def test_what_was_not_measured_has_no_figure() -> None:
    nothing = {"graphs": 0, "value": None, "low": None, "high": None}
    found = figures([record("a", speedup=2.0), record("b", speedup=8.0)])
    assert found["all"]["direct"]["value"] == pytest.approx(4.0)
    assert found["unknown"] == found["all"]
    for name in ("deployed", "captured", "device", "cold", "published", *BOUND_SHARES):
        assert found["all"][name] == nothing, name
    assert all(found["work"][name] == nothing for name in CONVENTIONS)
    json.dumps(found, allow_nan=False)


def test_the_direct_mean_is_that_of_the_score_with_its_interval() -> None:
    """All tasks have a right graph, so both resample the same tasks."""
    records = [record(f"t{n}", f"g{k}", 1.0 + n / 7 + k / 3) for n in range(9) for k in range(2)]
    expected = score_benchmark(record.result() for record in records).figures["speedup_gmean"]
    found = by_regime(measured_graphs(records))["all"].means["direct"]
    assert found.graphs == 18
    assert found.figure.value == pytest.approx(expected.value, rel=1e-12)
    assert (found.figure.low, found.figure.high) == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_one_task_has_no_interval() -> None:
    found = figures([record("one", "g0", 2.0), record("one", "g1", 8.0)])["all"]["direct"]
    assert (found["graphs"], found["value"], found["low"], found["high"]) == (2, pytest.approx(4.0), None, None)


def test_the_published_protocol_is_a_convention_of_its_own() -> None:
    published = record("a", timing=timing(3.0, control_ratio=None))
    assert convention_of(published, "published") == 3.0
    assert convention_of(published, "direct") is None
    assert convention_of(record("a", speedup=3.0), "published") is None
    found = figures([published, record("b", speedup=2.0)])["all"]
    assert (found["published"]["value"], found["direct"]["value"]) == (pytest.approx(3.0), pytest.approx(2.0))


@pytest.mark.parametrize("speedup", [math.nan, math.inf, 0.0, -1.0])
def test_a_figure_that_no_clock_can_tell_is_refused(speedup: float) -> None:
    """A run directory may come from a stranger."""
    with pytest.raises(ValidationError, match=r"deployed_speedup\s.*no positive number"):
        timing(2.0, deployed_speedup=speedup)


def test_grouping_needs_no_torch() -> None:
    code = "import sys, passnet.bench.record.conventions as c; print('torch' in sys.modules, len(c.CONVENTIONS))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["False", str(len(CONVENTIONS))]
