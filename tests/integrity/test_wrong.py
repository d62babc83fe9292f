"""Passes near an honest one that are simply wrong: what is free in its outputs is no more than that."""

from __future__ import annotations

from pathlib import Path

import pytest

from passnet.bench.verdict.judge import Judge
from passnet.rewrite import check_policy
from tests.integrity import corpus
from tests.integrity.judging import Report, ids, judged, pass_set, reported

pytestmark = pytest.mark.integrity
ENTRIES = corpus.entries(corpus.WRONG)


@pytest.mark.parametrize("entry", ENTRIES, ids=ids)
def test_it_is_refused_for_its_values(
    entry: corpus.Entry, judge: Judge, graphs: dict[str, Path], tmp_path: Path, record_property: Report
) -> None:
    passes = pass_set(entry, tmp_path / "p")
    assert check_policy(passes, entry.level) == ()
    entry.endings.check(reported(judged(judge, entry, graphs, passes), record_property))
