"""A judge with real sandboxed candidates and the graphs of the corpus, once for each module of tests.

With `--default-protocol` it judges as `passnet eval` does, takes several times as long, and needs a quiet machine.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from passnet.bench.engine.bench import Bench
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.verdict.judge import Judge
from tests.integrity import corpus
from tests.integrity.judging import ON_DEVICE, QUICK
from tests.patience import PatientJudge

SEED = 4321
_WHOLE = "--default-protocol"
_MESSAGE = 400  # characters of a failure that a row keeps


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    everything = [entry for root in corpus.FIELDS for entry in corpus.entries(root)]
    return corpus.write_graphs(everything, tmp_path_factory.mktemp("graphs"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(_WHOLE, action="store_true", help="judge by the bench's default protocol, not by a short one")


def pytest_configure(config: pytest.Config) -> None:
    """A part of a run in parts keeps to its own cores and its own GPU (`benchmarks/integrity_corpus.py --shards`)."""
    parts, worker = os.environ.get("PASSNET_PARTS"), os.environ.get("PYTEST_XDIST_WORKER")
    if parts and worker:
        cores, gpu = json.loads(parts)[int(worker.removeprefix("gw"))]
        os.sched_setaffinity(0, cores)
        if gpu is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without those that an earlier run of `benchmarks/integrity_corpus.py --run` has an outcome of."""
    if path := os.environ.get("PASSNET_DONE"):
        done = set(json.loads(Path(path).read_text()))
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in done])
        items[:] = [item for item in items if item.nodeid not in done]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """One row a test, and another where it fails while it is cleared away; the parts' reports come to their parent."""
    path = os.environ.get("PASSNET_ROWS")
    if not path or "PYTEST_XDIST_WORKER" in os.environ or (report.when != "call" and report.passed):
        return
    told = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
    crash = getattr(getattr(report.longrepr, "reprcrash", None), "message", told)
    row = {
        "id": report.nodeid,
        "outcome": report.outcome,
        "message": crash[:_MESSAGE],
        "ended": dict(report.user_properties).get("ended"),
        "seconds": round(report.duration, 3),
    }
    with Path(path).open("a") as file:
        file.write(json.dumps(row) + "\n")


def chosen(request: pytest.FixtureRequest, short: Protocol, device: str) -> Protocol:
    """The short protocol, unless the default one was asked for."""
    return make("direct", device=device) if request.config.getoption(_WHOLE, default=False) else short


@pytest.fixture(scope="module")
def judge(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    protocol = chosen(request, QUICK, "cpu")
    with Bench("cpu", "passes", protocol, tmp_path_factory.mktemp("logs")) as bench:
        yield PatientJudge(bench.pairs, protocol, SEED, turn=bench.turn)


@pytest.fixture(scope="module")
def device() -> str:
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device on this machine")
    return "cuda"


@pytest.fixture(scope="module")
def device_judge(
    device: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Judge]:
    protocol = chosen(request, ON_DEVICE, device)
    with Bench(device, "passes", protocol, tmp_path_factory.mktemp("logs")) as bench:
        yield PatientJudge(bench.pairs, protocol, SEED, turn=bench.turn)
