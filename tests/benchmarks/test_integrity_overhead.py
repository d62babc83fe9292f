"""`benchmarks/integrity_overhead.py`: its sides differ in layers alone."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

import pytest

from passnet.bench.record.protocol import make

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def overhead(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("integrity_overhead")


@pytest.mark.slow
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core cannot be parted")
def test_all_sides_have_cores_of_their_own_for_workers(overhead: Any, tmp_path: Path) -> None:
    """The judge that was made second had none, and its calls took several times as long as the first one's."""
    allowed = os.sched_getaffinity(0)
    settings = overhead.sides(make("direct", open_pairs=2), False)
    with overhead.judges_of(settings, "cpu", tmp_path) as judges:
        workers = {pair.cpus for judge in judges.values() for pair in judge.pairs}
        assert len(judges) == 2
        assert len(workers) == 1
        for judge in judges.values():
            judge.turn.measure(judge.pairs)
            assert os.sched_getaffinity(0).isdisjoint(*workers)
            judge.turn.leave(judge.pairs)
    assert os.sched_getaffinity(0) == allowed
