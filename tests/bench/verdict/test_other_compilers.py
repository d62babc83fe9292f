"""The bench on compilers of other packages, in real workers: the outcomes, the time of compiling, and who imports."""

from __future__ import annotations

import os

import pytest

from passnet.bench.engine.bench import Bench
from passnet.bench.verdict.judge import Judge
from passnet.score import Outcome
from tests.bench.conftest import SHORT, job_for
from tests.graph.graph_helpers import graph_of, spec
from tests.planted_compilers import install

GRAPH = graph_of([spec("x", 8, 32)], "a = x * 2", "b = torch.tanh(a)", "c = b + 1", "return (c,)", name="tanh")


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """Judge the graph without timing it. The package is importable in workers, which get this process's path."""
    place = tmp_path_factory.mktemp("planted")
    path = place / "tanh"
    GRAPH.write(path)
    log = install(place)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(place)

        def check(name):
            with Bench("cpu", name, SHORT, place / "logs", pairs=1) as bench:
                return Judge(bench.pairs, SHORT, 7, turn=bench.turn).check(job_for(path, None, name))

        yield check
    assert str(os.getpid()) not in log.read_text().split()


@pytest.mark.parametrize(
    ("name", "outcome", "words"),
    [
        ("planted-right", Outcome.CORRECT, ""),
        ("planted-wrong-tanh", Outcome.ACCURACY, "right"),
        ("planted-raises", Outcome.COMPILE_ERROR, "no such target"),
        ("planted-fails-later", Outcome.RUNTIME_ERROR, "lost it"),
        ("planted-crashes", Outcome.RUNTIME_ERROR, ""),
        ("planted-hangs", Outcome.TIMEOUT, ""),
    ],
)
def test_outcomes(checked, name, outcome, words):
    record = checked(name)
    assert record.outcome is outcome, record.detail
    assert words in (record.detail or "")
    assert record.compiler == name
    built = outcome is not Outcome.COMPILE_ERROR
    assert (record.compile_s is not None and record.compile_s > 0) == built
    assert record.summary()["compile_s"] == record.compile_s
