"""A library of three bundled pass sets, and `optimize` with scripted verdicts."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from passnet.bench.record.run import Run
from passnet.bench.verdict.job import Job
from passnet.use.library.add import add_run
from passnet.use.library.candidates import together
from passnet.use.optimise import search as optimizing
from passnet.use.optimise.session import Optimization
from passnet.use.optimise.trials import TrialRequest, Trials
from tests.use.library_runs import MACHINE, TASKS, write_run
from tests.use.scripted_judge import BLOOM, GPT2, PHI3, SPEC, Scripted
from tests.use.scripted_stage import ScriptedStage


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    root = tmp_path_factory.mktemp("library")
    run = write_run(root / "run", [TASKS / name for name in (BLOOM, GPT2, PHI3)])
    list(add_run(root / "lib", run))
    return root / "lib"


@pytest.fixture
def request_for(library, tmp_path):
    def request_for(**fields):
        known = {"spec": SPEC, "passes": library, "out": tmp_path / "out", "work": tmp_path / "out.run"}
        return TrialRequest(**(known | fields))

    return request_for


@pytest.fixture
def optimize(monkeypatch):
    """The whole command with times from a table: forms by name, with passes the fastest if nothing else is said."""

    def use(request, **times):
        table = {"*": 1e-4, "passes": 5e-5} | times
        monkeypatch.setattr(Optimization, "_opened", lambda self, model, passes: ScriptedStage(table))
        return Optimization(request, lambda step: None, None).run()

    return use


@pytest.fixture
def scripted(monkeypatch):
    """`optimize` with verdicts from a table; the judge that was asked."""

    def use(verdicts):
        judge = Scripted(verdicts)

        @contextlib.contextmanager
        def measuring(request, subject, protocol, report):
            request.work.mkdir(parents=True, exist_ok=True)
            run = Run.open(request.work / "passes", {"model": subject.name}, MACHINE)

            def job(units):
                name = " and ".join(unit.label for unit in units)
                return Job(subject.name, name, Path(), subject.graph, "passes", "cpu", together(units))

            yield Trials(run, job, lambda: judge, report)
            run.close()

        monkeypatch.setattr(optimizing, "measuring", measuring)
        return judge

    return use
