"""Builds of one graph that run beside other work: who takes one gets its program or its failure."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest

from passnet.bench.isolation.cores import Cores
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.isolation.turn import DeviceTurn
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.verdict import programs
from passnet.bench.verdict.ahead import BuildsAhead, MadeProgram
from passnet.bench.verdict.evidence import GraphTrial
from passnet.bench.verdict.job import Job
from passnet.bench.wire.replies import ProgramBuilt
from passnet.score import Outcome
from tests.bench.conftest import SHORT

LIVES_S = 60.0
CANDIDATE, REFERENCE = (0, "candidate"), (0, "reference")
MADE = MadeProgram(ProgramBuilt(), {"rule": "it prints"})


@pytest.fixture
def ahead() -> Iterator[BuildsAhead]:
    ahead = BuildsAhead()
    yield ahead
    ahead.settle()


def failing() -> MadeProgram:
    raise Verdict(Outcome.NO_MATCH, "matched nothing")


def test_a_build_is_taken_once(ahead: BuildsAhead) -> None:
    assert not ahead.has(CANDIDATE)
    ahead.begin(CANDIDATE, lambda: MADE)
    assert ahead.has(CANDIDATE)
    assert not ahead.has(REFERENCE)
    making = ahead.take(CANDIDATE)
    assert making is not None
    assert making.result(LIVES_S) is MADE
    assert ahead.take(CANDIDATE) is None
    assert not ahead.has(CANDIDATE)


def test_builds_run_side_by_side(ahead: BuildsAhead) -> None:
    """Each waits for the other."""
    together = threading.Barrier(2, timeout=LIVES_S)

    def build() -> MadeProgram:
        together.wait()
        return MADE

    ahead.begin(CANDIDATE, build)
    ahead.begin(REFERENCE, build)
    for key in (CANDIDATE, REFERENCE):
        making = ahead.take(key)
        assert making is not None
        assert making.result(LIVES_S) is MADE


def test_the_failure_of_a_build_comes_to_who_takes_it(ahead: BuildsAhead) -> None:
    ahead.begin(CANDIDATE, failing)
    ahead.begin(REFERENCE, lambda: MADE)
    ahead.wait()
    making = ahead.take(CANDIDATE)
    assert making is not None
    with pytest.raises(Verdict, match="matched nothing") as caught:
        making.result(LIVES_S)
    assert caught.value.outcome is Outcome.NO_MATCH


def test_when_a_graph_is_settled_no_build_runs_any_more(ahead: BuildsAhead) -> None:
    """Also one that was taken and not waited for: its worker is about to get the next graph."""
    begun, ended = threading.Event(), threading.Event()

    def build() -> MadeProgram:
        begun.set()
        threading.Event().wait(0.2)
        ended.set()
        return MADE

    ahead.begin(CANDIDATE, build)
    ahead.begin(REFERENCE, failing)
    assert begun.wait(LIVES_S)
    assert ahead.take(CANDIDATE) is not None
    ahead.settle()
    assert ended.is_set()
    assert not ahead.has(REFERENCE), "a failure that nobody took is forgotten"
    ahead.begin(CANDIDATE, lambda: MADE)
    ahead.wait()
    assert ahead.has(CANDIDATE)


@pytest.mark.parametrize("lanes", [False, True])
def test_who_has_the_device_alone_draws_while_candidates_are_built(
    lanes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With other lanes the first pair is waited for. Further pairs are still built when the first one is checked."""
    checked, frozen = threading.Event(), list[int]()

    def build(pair: WorkerPair, *_: object) -> ProgramBuilt:
        assert (lanes and pair.index == 0) or checked.wait(LIVES_S)
        return ProgramBuilt()

    def build_candidate(made: programs.Programs, pair: WorkerPair, job: Job) -> MadeProgram:
        if pair.index == 1:
            raise RuntimeError("does not build")
        return MadeProgram(build(pair))

    monkeypatch.setattr(programs, "build_baseline", build)
    monkeypatch.setattr(programs.Programs, "_build_candidate", build_candidate)
    monkeypatch.setattr(programs.Programs, "_freeze", lambda made, pair, job: frozen.append(pair.index) or {})
    monkeypatch.setattr(WorkerPair, "staged", lambda *_: "")
    pairs = [WorkerPair(at, cast(ForkServer, None), SHORT, "cpu", tmp_path, tmp_path, ()) for at in range(3)]
    trial = GraphTrial(cast(Job, SimpleNamespace(path=tmp_path, graph=SimpleNamespace(nbytes=1))), 0, Random(0))
    made = programs.Programs(pairs, SHORT, DeviceTurn(Cores((), (), (0, 1)), tmp_path / "lock" if lanes else None))
    made.build_apart(pairs, trial)
    made.begin_freezes(pairs, trial)
    checked.set()  # not before: a build that was waited for would have failed
    trial.ahead.wait()
    assert sorted(frozen) == ([0] if lanes else [0, 2])
    for at in range(3):
        building = trial.ahead.begun((at, "candidate"))
        assert building is not None and (building.exception() is None) == (at != 1)
    assert made.frozen_calls(pairs[0], trial) == {}
    with pytest.raises(RuntimeError, match="does not build"):
        made.built_candidate(pairs[1], trial)
    trial.ahead.settle()


@pytest.mark.parametrize(("preparing", "beside"), [((), False), ((0,), False), ((0, 1), True)])
def test_a_candidate_is_built_beside_a_reference_on_another_core_only(
    preparing: tuple[int, ...], beside: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With thousands of threads on its core it could let the reference fail, and the graph would not count."""
    built, candidate = threading.Event(), threading.Event()
    seen: list[bool] = []

    def build_reference(*_: object) -> ProgramBuilt:
        candidate.wait(LIVES_S if beside else 0.2)
        built.set()
        return ProgramBuilt()

    def build_candidate(*_: object) -> ProgramBuilt:
        seen.append(built.is_set())
        candidate.set()
        return ProgramBuilt()

    monkeypatch.setattr(programs, "build_baseline", build_reference)
    monkeypatch.setattr(programs.Programs, "_build_candidate", build_candidate)
    monkeypatch.setattr(WorkerPair, "staged", lambda *_: "")
    pair = WorkerPair(0, cast(ForkServer, None), SHORT, "cpu", tmp_path, tmp_path, ())
    trial = GraphTrial(cast(Job, SimpleNamespace(path=tmp_path)), 0, Random(0), frugal=False)
    programs.Programs([pair], SHORT, DeviceTurn(Cores((), (), preparing)))._begin_build(pair, trial)
    trial.ahead.wait()
    assert seen == [not beside]
    trial.ahead.settle()
