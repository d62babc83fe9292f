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

from passnet.bench.evaluate import Bench
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.verdict.judge import Judge
from tests.integrity import corpus
from tests.integrity.judging import ON_DEVICE, QUICK

SEED = 4321
_WHOLE = "--default-protocol"


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    everything = (*corpus.entries(corpus.CHEATS), *corpus.entries(corpus.HONEST))
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


def chosen(request: pytest.FixtureRequest, short: Protocol, device: str) -> Protocol:
    """The short protocol, unless the default one was asked for."""
    return make("direct", device=device) if request.config.getoption(_WHOLE, default=False) else short


@pytest.fixture(scope="module")
def judge(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    protocol = chosen(request, QUICK, "cpu")
    with Bench("cpu", "passes", protocol, tmp_path_factory.mktemp("logs")) as bench:
        yield Judge(bench.lanes, protocol, SEED)


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
        yield Judge(bench.lanes, protocol, SEED)
