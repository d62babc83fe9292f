"""The script that judges each cheat several times: what it makes of the verdicts, and what it leaves out."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.integrity import corpus

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import catch_rates

    return catch_rates


def _verdict(name: str, *, caught: bool) -> dict[str, Any]:
    return {"cheat": name, "caught": caught, "ended": "accuracy" if caught else "correct, no faster"}


def test_who_came_through_is_counted_beside_all_verdicts(script: ModuleType) -> None:
    rows = [_verdict("a", caught=True), _verdict("b", caught=False), _verdict("b", caught=True)]
    found = script.summary([*rows, _verdict("b", caught=False)])
    assert (found["all_verdicts"], found["all_through"]) == (4, 2)
    assert found["verdicts"] == {"a": 1, "b": 3} and found["came_through"] == {"b": 2}
    assert found["ended"] == {"b": "correct, no faster"}


def test_verdicts_that_are_there_are_not_made_again(script: ModuleType, tmp_path: Path) -> None:
    (entry,) = (each for each in corpus.entries(corpus.CHEATS) if each.name == "shortcut/close_is_equal")
    rows = tmp_path / "rows"
    rows.write_text(json.dumps(_verdict(entry.name, caught=False)) + "\n")
    script.judge_all([entry], 2, 600.0, rows, tmp_path)
    first, second = map(json.loads, rows.read_text().splitlines())
    assert not first["caught"] and second["cheat"] == entry.name and second["ended"]
    script.judge_all([entry], 3, -1.0, rows, tmp_path / "other")
    assert len(rows.read_text().splitlines()) == 2, "the time is over"
