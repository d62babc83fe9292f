"""A pass that has its process ended, as one does that cannot be captured on a GPU, is spared nothing by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from passnet.bench.record.records import Timing
from passnet.bench.timing.captured import CapturedCalls
from passnet.bench.verdict.judge import Judge
from tests.integrity import corpus
from tests.integrity.judging import judged, pass_set

pytestmark = pytest.mark.integrity
PLANNED = next(entry for entry in corpus.entries(corpus.CHEATS) if entry.path.stem == "planned_once")


def test_unseen_shapes_are_never_the_first_that_a_process_meets(
    judge: Judge, graphs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = []

    def refused(self: CapturedCalls, timing: Timing) -> Timing:
        for pair in self.pairs:
            ended.append(pair.index)
            pair.end("candidate")
        return timing

    monkeypatch.setattr(CapturedCalls, "measure", refused)
    record = judged(judge, PLANNED, graphs, pass_set(PLANNED, tmp_path / "passes"))
    assert ended
    PLANNED.endings.check(record)
    assert record.detail is not None
    assert "drawn between those of the task's variants" in record.detail
