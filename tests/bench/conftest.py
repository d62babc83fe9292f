"""Real tasks, real workers: one fork_server or one bench for a module, judged graphs without long timing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from passnet.bench.engine.bench import Bench
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.record.protocol import Protocol
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.judge import Judge
from passnet.bench.wire.requests import PassFiles
from passnet.graph import Graph, TensorSpec
from passnet.rewrite import read_pass_set
from tests.bench.bench_helpers import started_fork_server
from tests.graph.graph_helpers import META
from tests.patience import PatientJudge

SOURCE = """import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2):
        tmp_0 = in_0 * in_1
        tmp_1 = tmp_0 + in_2
        tmp_0 = None
        tmp_2 = torch.nn.functional.gelu(tmp_1)
        return (tmp_2,)
"""

SHORT = Protocol(
    precision=0.05,
    least_pairs=2,
    most_pairs=2,
    open_pairs=2,
    visit_groups=2,
    most_groups=2,
    deployed_groups=2,
    block_us=300.0,
    warmup_calls=5,
    verify_seeds=3,
    spot_checks=2,
    max_half_width=1e9,
    control_band=1e9,
    build_s=60.0,
    first_call_s=10.0,
    memory_bytes=1 << 30,
    max_processes=16,
)


def make_graph(source: str, tensors: dict[str, torch.Tensor], name: str = "graph") -> Graph:
    specs = tuple(TensorSpec.from_tensor(key, value) for key, value in tensors.items())
    return Graph(name, source, specs, META, file_order=tuple(tensors))


def write_passes(directory: Path, **rules: str) -> PassFiles:
    """A pass directory with one file per rule, read back as the data that candidates get."""
    from passnet.bench.evaluate import pass_files

    directory.mkdir(parents=True, exist_ok=True)
    for name, text in rules.items():
        (directory / f"{name}.py").write_text(text)
    manifest = "[" + ", ".join(f'"{name}"' for name in rules) + "]"
    (directory / "sorted_output_pass_rule_names.json").write_text(manifest)
    return pass_files(read_pass_set(directory))


@pytest.fixture(scope="module")
def fork_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkServer]:
    with started_fork_server(tmp_path_factory.mktemp("fork_server")) as fork_server:
        yield fork_server


@pytest.fixture(scope="session")
def gelu_graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graphs") / "gelu"
    torch.manual_seed(0)
    make_graph(SOURCE, {"in_0": torch.randn(8, 32), "in_1": torch.randn(32), "in_2": torch.randn(32)}).write(path)
    return path


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    with Bench("cpu", "passes", SHORT, tmp_path_factory.mktemp("logs")) as bench:
        yield PatientJudge(bench.pairs, SHORT, 1234, turn=bench.turn)


def job_for(graph: Path, passes: PassFiles | None, compiler: str = "passes") -> Job:
    return Job("task", graph.name, graph, Graph.read(graph), compiler, "cpu", passes)
