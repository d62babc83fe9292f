"""A judge with real sandboxed candidates and the graphs of the corpus, once for each module of tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from passnet.bench.evaluate import Bench
from passnet.bench.judge import Judge
from tests.integrity import corpus
from tests.integrity.judging import ON_DEVICE, QUICK

SEED = 4321


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    everything = (*corpus.entries(corpus.CHEATS), *corpus.entries(corpus.HONEST))
    return corpus.write_graphs(everything, tmp_path_factory.mktemp("graphs"))


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    with Bench("cpu", "passes", QUICK, tmp_path_factory.mktemp("logs")) as bench:
        yield Judge(bench.lanes, QUICK, SEED)


@pytest.fixture(scope="module")
def device() -> str:
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device on this machine")
    return "cuda"


@pytest.fixture(scope="module")
def device_judge(device: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    with Bench(device, "passes", ON_DEVICE, tmp_path_factory.mktemp("logs")) as bench:
        yield Judge(bench.lanes, ON_DEVICE, SEED)
