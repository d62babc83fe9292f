"""Every cheat of the corpus wins against a naive harness, and ends here as an integrity finding or as a wrong pass."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from passnet.bench.evaluate import Bench, pass_files
from passnet.bench.judge import Judge
from passnet.bench.oracle import Job
from passnet.bench.protocol import Protocol
from passnet.bench.records import GraphRecord
from passnet.graph import Graph
from passnet.rewrite import check_policy, read_pass_set
from passnet.score import Outcome
from tests.integrity import corpus, naive

pytestmark = pytest.mark.integrity
ENTRIES = corpus.entries(corpus.CHEATS)
# By the text alone; the rest must be run.
READ = [entry for entry in ENTRIES if entry.fields["Caught by"] == "source policy"]
RUN = [entry for entry in ENTRIES if entry not in READ]
QUICK = Protocol(
    processes=2,
    quads=3,
    deployed_quads=0,
    block_us=2000.0,
    min_calls=20,
    warmup_calls=5,
    spot_checks=6,
    rounds=1,
    wanted_half_width=1e9,
    max_half_width=1e9,
    control_band=1e9,
    build_s=60.0,
    first_call_s=5.0,
)
_FAST = 1.5
# Which layers a finding may come from where the docstring names one.
_LAYERS = {
    "kernel source": {"source policy"},
    "run-time guard": {"run-time guard", "proof of work"},
    "clock truth": {"clock truth"},
    "proof of work": {"proof of work"},
}


def ids(entry: corpus.Entry) -> str:
    return entry.name


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("graphs")
    return {name: corpus.write_graph(name, root) for name in sorted({entry.graph for entry in ENTRIES})}


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    with Bench("cpu", "passes", QUICK, tmp_path_factory.mktemp("logs")) as bench:
        yield Judge(bench.lanes, QUICK, 4321)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kernels")


def judged(judge: Judge, entry: corpus.Entry, graph: Path, tmp_path: Path) -> GraphRecord:
    """The verdict on the pass when it is run, whatever the source policy says of its text."""
    files = pass_files(read_pass_set(entry.pass_dir(tmp_path / "pass_dir")))
    return judge.judge(Job("corpus", entry.path.stem, graph, Graph.read(graph), "passes", "cpu", files))


def test_the_corpus_is_large_and_documented() -> None:
    assert len(ENTRIES) >= 60
    assert len({entry.fields["Class"] for entry in ENTRIES}) >= 10
    assert len({entry.path.stem for entry in ENTRIES}) == len(ENTRIES)
    assert len({entry.trick for entry in ENTRIES}) == len(ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=ids)
def test_it_wins_against_a_naive_harness(
    entry: corpus.Entry, graphs: dict[str, Path], tmp_path: Path, cache: Path
) -> None:
    torch.set_num_threads(1)
    verdict = naive.judge(entry, graphs[entry.graph], tmp_path, cache)
    assert verdict.right, verdict.text
    if entry.fields["Wins"] == "speed":
        assert verdict.speedup > _FAST, verdict.text


@pytest.mark.parametrize("entry", READ, ids=ids)
def test_its_text_is_refused(entry: corpus.Entry, tmp_path: Path) -> None:
    found = check_policy(read_pass_set(entry.pass_dir(tmp_path / "pass_dir")), entry.level)
    assert any(violation.file == entry.path.name for violation in found)


@pytest.mark.parametrize("entry", RUN, ids=ids)
def test_it_is_caught_when_it_runs(entry: corpus.Entry, judge: Judge, graphs: dict[str, Path], tmp_path: Path) -> None:
    assert check_policy(read_pass_set(entry.pass_dir(tmp_path / "read")), entry.level) == ()
    check(judged(judge, entry, graphs[entry.graph], tmp_path), entry.fields["Caught by"])


@pytest.mark.slow
@pytest.mark.parametrize("entry", READ, ids=ids)
def test_it_fails_without_the_source_policy_too(
    entry: corpus.Entry, judge: Judge, graphs: dict[str, Path], tmp_path: Path
) -> None:
    check(judged(judge, entry, graphs[entry.graph], tmp_path), entry.fields["Then by"])


def check(record: GraphRecord, layer: str) -> None:
    said = f"{record.outcome}: {record.detail}"
    if layer == "harmless":  # the trick does not reach what it aims at, and the pass is judged by what it computes
        assert record.outcome in (Outcome.CORRECT, Outcome.INTEGRITY), said
        assert record.timing is None or record.timing.speedup < 10, said
        return
    assert record.outcome not in (Outcome.CORRECT, Outcome.REFERENCE_ERROR, Outcome.UNSTABLE), said
    if layer in _LAYERS:
        assert record.outcome is Outcome.INTEGRITY, said
        assert {finding.layer for finding in record.findings} <= _LAYERS[layer], said
