"""The script that runs the corpus: what it says of tests that were tried twice."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import integrity_corpus

    return integrity_corpus


def _row(name: str, outcome: str, message: str = "") -> str:
    return json.dumps({"id": f"tests/x.py::{name}", "outcome": outcome, "message": message})


def test_a_test_that_passed_in_a_later_try_is_named(script: ModuleType, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    lines = [
        _row("right", "passed"),
        _row("noisy", "failed", "unstable"),
        _row("wrong", "failed", "correct"),
        _row("noisy", "passed"),
        _row("wrong", "failed", "correct"),
    ]
    rows.write_text("\n".join(lines) + "\n")
    assert script.failed_first(rows) == {"tests/x.py::noisy": "unstable"}
    assert [row["outcome"] for row in script.read_rows(rows)] == ["passed", "passed", "failed"]
