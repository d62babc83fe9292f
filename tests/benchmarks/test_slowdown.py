"""The benchmark of slowdowns: shares with intervals, from rows that are given."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from passnet.diagnose.losses import LossRow, Slowdown
from tests.diagnose.test_losses import row

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    import slowdown

    yield slowdown
    sys.modules.pop("slowdown", None)


def test_shares_have_intervals_that_hold_them(script):
    rows = [row(0.5 if number % 4 == 0 else 2.0, 0.5 if number % 2 else 2.0, name=f"g{number}") for number in range(40)]
    failed = LossRow("z", "m", "full", ("relu",), 1, "timeout")
    result = script.reduced(Slowdown.of("inductor", "cpu", [*rows, failed]))
    assert result["slower"] == {"deployed": 0.5, "direct": 0.25, "captured": None, "device": None}
    for name in ("deployed", "direct"):
        low, high = result["slower_ci"][name]
        assert low < result["slower"][name] < high and high - low < 0.4
    assert result["slower_ci"]["device"] is None
    assert result["left_out"] == {"timeout": 1} and result["graphs"] == 40


def test_the_selection_is_what_was_asked_for(script, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["slowdown.py", "a", "b", "--seed", "3", "--graphs", "7", "--revision", "0" * 40])
    monkeypatch.setattr(script.common.environment, "revision", lambda: None)
    found = script.selection(script.arguments())
    assert (found.targets, found.graphs, found.seed) == (("a", "b"), 7, 3)
