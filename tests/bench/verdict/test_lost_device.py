"""A kernel that fails takes its process's device away. The next graph is judged in a fresh process."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from passnet.bench.engine.bench import Bench
from passnet.bench.record.protocol import make
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.judge import Judge
from passnet.graph import Graph
from passnet.score import Outcome
from tests.bench.bench_helpers import SEED, affine_graph
from tests.graph.graph_helpers import graph_of, spec


def _beyond() -> Graph:
    """Looks up rows that the table does not have. On a GPU that is a failed assertion inside a kernel."""
    return graph_of(
        [spec("x", 8, 4)],
        "rows = torch.full_like(x, 64, dtype=torch.int64)",
        "found = torch.nn.functional.embedding(rows, x, None, None, 2.0, False, False)",
        "return (found,)",
    )


def _job(name: str, graph: Graph, root: Path) -> Job:
    graph.write(root / name)
    return Job("task", name, root / name, graph, "eager", "cuda", None)


@pytest.mark.gpu
def test_a_failed_kernel_of_eager_fails_one_graph_only(tmp_path: Path) -> None:
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device on this machine")
    protocol = make("direct", device="cuda", precision=0.05)
    with Bench("cuda", "eager", protocol, tmp_path / "logs") as bench:
        judge = Judge(bench.pairs, protocol, SEED, turn=bench.turn)
        fine, beyond = _job("fine", affine_graph(), tmp_path), _job("beyond", _beyond(), tmp_path)
        outcomes = [judge.judge(job).outcome for job in (fine, beyond, fine)]
    assert outcomes == [Outcome.CORRECT, Outcome.REFERENCE_ERROR, Outcome.CORRECT]
