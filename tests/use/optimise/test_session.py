"""The time of an author: none is asked where a judgement could not end in it."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from passnet.use.optimise.session import LEAST_AUTHOR_S, Optimization
from passnet.use.optimise.subject import ModelSubject
from passnet.use.optimise.trials import TrialRequest

SUBJECT = cast(ModelSubject, None)


@pytest.mark.parametrize(
    ("left_s", "asked"), [(None, True), (LEAST_AUTHOR_S, True), (LEAST_AUTHOR_S - 1, False), (0.0, False)]
)
def test_an_author_is_asked_only_where_there_is_time(tmp_path: Path, left_s: float | None, asked: bool) -> None:
    limits: list[float | None] = []

    def write(subject: ModelSubject, limit_s: float | None) -> Path:
        limits.append(limit_s)
        return tmp_path

    command = Optimization(cast(TrialRequest, None), lambda step: None, write)
    assert command._written(write, SUBJECT, left_s) == (tmp_path if asked else None)
    assert limits == ([left_s] if asked else [])
    assert bool(command.notes) != asked, "who gets no author is told why"
