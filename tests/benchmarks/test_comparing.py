"""Both ways of comparing are timed on the same outputs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import comparing

    return comparing


def test_each_size_and_kind_has_both_times(script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(script, "ELEMENTS", (64, 1 << 15))
    words = ["comparing.py", "--calls", "3", "--turns", "2", "--out", str(tmp_path), "--revision", "0" * 40]
    monkeypatch.setattr(sys, "argv", words)
    monkeypatch.setattr("passnet.environment.revision", lambda: None)
    script.main()
    rows = json.loads((tmp_path / "comparing-cpu.json").read_text())["rows"]
    assert [(row["elements"], row["kind"]) for row in rows] == [
        (64, "verified"), (64, "timed"), (1 << 15, "verified"), (1 << 15, "timed")
    ]  # fmt: skip
    assert all(row["one by one_ms"] > 0 and row["together_ms"] > 0 for row in rows)


def test_wrong_outputs_end_it(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A time of comparisons that go wrong is no figure."""
    got, eager, truth = script.output(4096, 1, "cpu")
    with pytest.raises(RuntimeError, match="called wrong"):
        script.both([(got + 1.0, eager, truth)], False, None)
