"""No honest pass of the corpus is refused: not by its text, not when it runs, in any kernel language."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from passnet.bench.evaluate import Bench, pass_files
from passnet.bench.judge import Judge
from passnet.bench.oracle import Job
from passnet.graph import Graph
from passnet.rewrite import check_policy, read_pass_set
from passnet.score import Outcome
from tests.integrity import corpus
from tests.integrity.test_cheats import QUICK, ids

pytestmark = pytest.mark.integrity
ENTRIES = corpus.entries(corpus.HONEST)
ON_CPU = [entry for entry in ENTRIES if entry.fields.get("Needs") != "gpu"]
ON_GPU = [entry for entry in ENTRIES if entry not in ON_CPU]


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("graphs")
    return {name: corpus.write_graph(name, root) for name in sorted({entry.graph for entry in ENTRIES})}


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    with Bench("cpu", "passes", QUICK, tmp_path_factory.mktemp("logs")) as bench:
        yield Judge(bench.lanes, QUICK, 99)


def test_the_corpus_is_large() -> None:
    assert len(ENTRIES) >= 25
    assert len(ON_CPU) >= 25


@pytest.mark.parametrize("entry", ENTRIES, ids=ids)
def test_its_text_is_clean(entry: corpus.Entry, tmp_path: Path) -> None:
    found = check_policy(read_pass_set(entry.pass_dir(tmp_path / "p")), entry.level)
    assert [violation.text() for violation in found] == []


@pytest.mark.parametrize("entry", ON_CPU, ids=ids)
def test_it_is_accepted(entry: corpus.Entry, judge: Judge, graphs: dict[str, Path], tmp_path: Path) -> None:
    needs = entry.fields.get("Needs")
    if needs and importlib.util.find_spec(needs) is None:
        pytest.skip(f"{needs} is not installed")
    files = pass_files(read_pass_set(entry.pass_dir(tmp_path / "p")))
    graph = graphs[entry.graph]
    record = judge.judge(Job("corpus", entry.path.stem, graph, Graph.read(graph), "passes", "cpu", files))
    assert record.outcome is Outcome.CORRECT, record.detail
    assert record.findings == ()
    assert record.timing is not None
    assert record.replacements == {entry.path.stem: 1}


@pytest.mark.gpu
@pytest.mark.parametrize("entry", ON_GPU, ids=ids)
def test_it_is_accepted_on_a_gpu(entry: corpus.Entry, graphs: dict[str, Path], tmp_path: Path) -> None:
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device on this machine")
    files = pass_files(read_pass_set(entry.pass_dir(tmp_path / "p")))
    graph = graphs[entry.graph]
    with Bench("cuda", "passes", QUICK, tmp_path / "logs") as bench:
        job = Job("corpus", entry.path.stem, graph, Graph.read(graph), "passes", "cuda", files)
        record = Judge(bench.lanes, QUICK, 99).judge(job)
    assert record.outcome is Outcome.CORRECT, record.detail
    assert record.findings == ()
