"""Units on one device: the bench lives on between them, and compiled kernels outlive the run."""

from __future__ import annotations

import dataclasses
import os
from functools import partialmethod
from pathlib import Path

import pytest
import torch

from passnet.bench.engine import judging
from passnet.bench.engine.judging import UnitJudge
from passnet.bench.engine.unit import EvaluationUnit, UnitGraph
from passnet.bench.evaluate import pass_files
from passnet.bench.isolation.kept_kernels import KernelPlaces
from passnet.bench.record.records import GraphRecord
from passnet.bench.verdict.job import Job
from passnet.bench.wire.requests import PassFiles
from passnet.graph import Task
from passnet.kernels.compilation import compile as compilation
from passnet.rewrite import read_pass_set
from passnet.score import Outcome
from tests.bench.conftest import SHORT, SOURCE, make_graph, write_passes

TASKS = Path(__file__).parents[3] / "data" / "tasks"

# {more} stands in the kernel's text, so that each pass set has a kernel of its own.
RULE = '''
import torch
from passnet.kernels import cpp
kernel = cpp("""
#include <cmath>
extern "C" void run(float* out, const float* x, const float* w, const float* b, long rows, long columns) {{
  for (long row = 0; row < rows; ++row)
    for (long column = 0; column < columns; ++column) {{
      float v = x[row * columns + column] * w[column] + b[column];
      out[row * columns + column] = 0.5f * v * (1.0f + std::erf(v * 0.70710678118654752f));
    }}
}}
#define MORE "{more}"
""")

def pattern(x, w, b):
    return torch.nn.functional.gelu(x * w + b)

def replacement_args(x, w, b):
    return (x, w, b)

def wrapper(x, w, b):
    out = torch.empty_like(x)
    kernel.run(out, x, w, b, x.shape[0], x.shape[1])
    return out

def replacement_func():
    return wrapper
'''


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of kept kernels, for this test alone."""
    monkeypatch.setattr(compilation, "_settings", compilation.CompileSettings(tmp_path / "cache"))
    return tmp_path / "cache" / "judged"


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "gelu"
    torch.manual_seed(0)
    make_graph(SOURCE, {"in_0": torch.randn(8, 32), "in_1": torch.randn(32), "in_2": torch.randn(32)}).write(path)
    return path


def passes(directory: Path, more: str = "") -> PassFiles:
    return write_passes(directory, rule=RULE.format(more=more))


def judged(judge: UnitJudge, graph: Path, files: PassFiles, following: PassFiles | None = None) -> GraphRecord:
    """The record of one graph without much measuring."""
    unit = EvaluationUnit(
        id=os.urandom(4).hex(),
        task="gelu",
        graphs=(UnitGraph.read("gelu", graph, "gelu"),),
        wanted=("gelu",),
        passes=files,
        compiler="passes",
        device="cpu",
        protocol=SHORT,
        following=following,
    )
    (record,) = judge.judge(unit)
    return record


def built(kernels: Path) -> dict[Path, int]:
    """The objects that lie there, and the file that each one is: a new one would be another."""
    return {path: path.stat().st_ino for path in kernels.rglob("*.so")}


@pytest.mark.slow
def test_a_kernel_is_compiled_once_for_all_runs(graph: Path, tmp_path: Path, kernels: Path) -> None:
    files = passes(tmp_path / "passes")
    seen = []
    for number in range(2):
        with UnitJudge(tmp_path / f"logs{number}") as judge:
            record = judged(judge, graph, files)
            assert record.outcome is Outcome.CORRECT, record.detail
        seen.append(built(kernels))
    assert len(seen[0]) == 1
    assert seen[0] == seen[1]


@pytest.mark.slow
def test_what_is_too_large_is_not_kept(
    graph: Path, tmp_path: Path, kernels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else pass sets that write what they like would fill the disk from run to run."""
    monkeypatch.setattr(judging, "_MOST_WRITTEN", (1 << 10, 10_000))
    with UnitJudge(tmp_path / "logs") as judge:
        record = judged(judge, graph, passes(tmp_path / "passes"))
        assert record.outcome is Outcome.CORRECT, record.detail
        assert not list(kernels.glob("*/*"))


@pytest.mark.slow
def test_what_all_runs_share_is_not_kept_when_it_is_too_large(
    graph: Path, tmp_path: Path, kernels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KernelPlaces, "open", partialmethod(KernelPlaces.open, shared=True))
    files = passes(tmp_path / "passes")
    for number, (most, kept) in enumerate([((256 << 20, 20_000), True), ((1 << 10, 10_000), False)]):
        monkeypatch.setattr(judging, "_MOST_WRITTEN", most)
        with UnitJudge(tmp_path / f"logs{number}") as judge:
            record = judged(judge, graph, files)
            assert record.outcome is Outcome.CORRECT, record.detail
            assert bool(list(kernels.glob("*/*"))) is kept


@pytest.mark.slow
def test_the_process_of_the_next_pass_set_is_ready_when_it_comes(graph: Path, tmp_path: Path, kernels: Path) -> None:
    first, second = passes(tmp_path / "first"), passes(tmp_path / "second", "# another one")
    with UnitJudge(tmp_path / "logs") as judge:
        assert judged(judge, graph, first, second).outcome is Outcome.CORRECT
        assert judge._bench is not None
        (pair, *_) = judge._bench.pairs
        assert pair.expects(second) and pair.expecting is not None
        waits = pair.expecting.worker
        assert judged(judge, graph, second).outcome is Outcome.CORRECT
        assert pair.candidate is waits
        assert pair.expecting is None


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_on_a_gpu_the_process_of_the_next_pass_set_is_ready_too(tmp_path: Path, kernels: Path) -> None:
    task = Task.read(TASKS / "llama_residual_rmsnorm")
    ref, files = task.refs[0], pass_files(read_pass_set(task.pass_dir))
    following = dataclasses.replace(files, content_hash="f" * 64)
    protocol = SHORT.model_copy(update={"build_s": 200.0, "first_call_s": 60.0, "memory_bytes": 6 << 30})
    graph = ref.load()
    job = Job(task.name, ref.name, ref.path, graph, "passes", "cuda", files)
    unit = EvaluationUnit.of("first", [job], [(ref.name, ref.path, graph)], protocol)
    with UnitJudge(tmp_path / "logs") as judge:
        (record,) = judge.judge(unit.model_copy(update={"following": following}))
        assert record.outcome is Outcome.CORRECT, record.detail
        assert judge._bench is not None
        (pair, *_) = judge._bench.pairs
        assert pair.expects(following) and pair.expecting is not None
        waits = pair.expecting.worker
        (record,) = judge.judge(unit.model_copy(update={"id": "second", "passes": following}))
        assert record.outcome is Outcome.CORRECT, record.detail
        assert pair.candidate is waits
        assert record.sandbox
