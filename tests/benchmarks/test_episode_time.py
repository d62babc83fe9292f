"""`benchmarks/episode_time.py`: ratios are of the same repeat and task, and the result stands beside the time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def row(side: str, repeat: int, wall: float, **tasks: float) -> dict[str, Any]:
    episodes = {task: {"AS": 1.5, "seconds": spent, "evaluations": 2} for task, spent in tasks.items()}
    return {"side": side, "repeat": repeat, "wall": wall, "load": 0.1, "episodes": episodes}


def test_both_sides_are_compared_repeat_by_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import episode_time

    rows = [
        row("before", 0, 90.0, a=30.0, b=60.0),
        row("after", 0, 30.0, a=10.0, b=20.0),
        row("before", 1, 80.0, a=40.0, b=40.0),
    ]
    found = episode_time.summary(rows)
    assert found["wall_before_over_after"]["figure"] == 3.0
    assert found["episode_before_over_after"]["figure"] == 3.0
    assert found["before"]["wall"] == 85.0
    assert found["before"]["episodes"]["a"] == {"seconds": 35.0, "AS": 1.5}
    assert "wall_before_over_after" not in episode_time.summary(rows[:1])
