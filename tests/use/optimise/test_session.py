"""The time of an author: none is asked where a judgement could not end in it. And answers of an unsteady machine."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from passnet.bench.timing.stats import Estimate
from passnet.use.form import EAGER, Form
from passnet.use.forms.choice import Choice
from passnet.use.optimise import session
from passnet.use.optimise.allowance import Allowance
from passnet.use.optimise.search import FoundPasses, find_passes
from passnet.use.optimise.session import AUTHOR_UNTIL, LEAST_AUTHOR_S, Optimization, unsteadiness
from passnet.use.optimise.subject import ModelSubject
from passnet.use.optimise.trials import TrialRequest
from tests.use.scripted_stage import ScriptedClock

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
    minutes = 10.0 if left_s is not None else 0.0
    clock = ScriptedClock()
    allowance = Allowance(minutes, clock)
    clock.now = AUTHOR_UNTIL * 600 - (left_s or 0.0)
    assert command._written(write, SUBJECT, allowance, lambda usual: usual) == (tmp_path if asked else None)
    assert limits == ([left_s] if asked else [])
    assert bool(command.notes) != asked, "who gets no author is told why"


@pytest.mark.parametrize(("spent_s", "limit_s"), [(60, 210), (300, 90), (420, 54), (540, None)])
def test_what_slow_forms_leave_is_shared_by_author_and_search(spent_s: float, limit_s: float | None) -> None:
    """A command of ten minutes: an author has until 45 % of it, or a part of what is left."""
    limits: list[float | None] = []

    def write(subject: ModelSubject, limit_s: float | None) -> None:
        limits.append(limit_s)

    command = Optimization(cast(TrialRequest, SimpleNamespace(passes=None)), lambda step: None, write)
    clock = ScriptedClock()
    allowance = Allowance(10.0, clock)
    clock.now = spent_s
    assert command._passes(cast(ModelSubject, object()), allowance) == FoundPasses()
    assert limits == ([pytest.approx(limit_s)] if limit_s is not None else [])


def test_an_author_that_never_ends_is_ended_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(subject: ModelSubject, limit_s: float | None) -> Path:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr(session, "LEAST_AUTHOR_S", 0.0)
    command = Optimization(cast(TrialRequest, None), lambda step: None, endless)
    assert command._written(endless, SUBJECT, Allowance(0.005), lambda usual: usual) is None
    assert "the author was ended with its time" in command.notes[0]


@pytest.mark.slow
def test_a_trace_that_never_ends_leaves_the_forms(monkeypatch: pytest.MonkeyPatch, request_for) -> None:
    def endless(*given: object) -> None:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr(session, "subject_of", endless)
    command = Optimization(request_for(), lambda step: None, None)
    model = command._model()
    assert command._subject(model, Allowance(0.005)) is None
    assert "tracing the model took too long" in command.notes[-1]


def test_a_judgement_that_never_ends_is_ended_and_leaves_what_was_right(request_for, scripted, monkeypatch) -> None:
    judge = scripted({"*": None})
    ends: list[float] = []

    def endless(job: object) -> None:
        ends.append(time.monotonic())
        while True:
            time.sleep(0.01)

    monkeypatch.setattr(judge, "judge", endless)
    request = request_for()
    subject = Optimization(request, lambda step: None, None)._subject(
        Optimization(request, lambda step: None, None)._model(), Allowance(0.0)
    )
    assert subject is not None
    left_s = lambda: 0.0 if ends else 60.0  # noqa: E731  over as soon as a judgement has begun
    found = find_passes(request, subject, request.passes, lambda step: None, left_s=lambda: min(left_s(), 0.05))
    assert found.units == () and found.whole is None
    assert {left.reason for left in found.left} == {"the time was over while it was judged, or before"}


MODE, OURS = Form(engine="torch.compile", mode="default"), Form(engine="inductor")


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        (None, None),
        (Choice(OURS, 1.0, MODE, Estimate(1.1, 0.7, 1.9), Estimate(2.0, 1.95, 2.05)), None),
        (Choice(OURS, 1.0, MODE, Estimate(1.1, 1.0, 1.2), Estimate(2.0, 1.2, 3.4)), "1.20 to 3.40 over eager"),
        (
            Choice(EAGER, 1.0, MODE, Estimate(0.3, 0.1, 1.2), Estimate(1.0, 1.0, 1.0)),
            "0.10 to 1.20 eager over torch.co",
        ),
        (Choice(EAGER, 1.0, MODE, Estimate(1.1, 1.08, 1.12), Estimate(1.0, 1.0, 1.0)), None),
        (Choice(EAGER, 1.0, None, None, Estimate(1.0, 1.0, 1.0)), None),
    ],
)
def test_an_answer_of_an_unsteady_machine_says_so(choice: Choice | None, found: str | None) -> None:
    notes = unsteadiness(choice)
    assert [found in note for note in notes] == ([True] if found else [])
