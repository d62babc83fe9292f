"""The compiler `passes+inductor` in the sandbox: right, fused round its operators, and watched like passes alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from passnet.bench.engine.bench import Bench
from passnet.bench.evaluate import pass_files
from passnet.bench.names import COMPILERS, WITH_PASSES
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.judge import Judge
from passnet.bench.wire.replies import OutputFacts
from passnet.bench.worker import compilers
from passnet.graph import Graph, Task
from passnet.rewrite import load_rules, read_pass_set
from passnet.score import Outcome
from tests.bench.conftest import SHORT, job_for, make_graph, write_passes
from tests.patience import PatientJudge

SOURCE = """import torch

class GraphModule(torch.nn.Module):

    def forward(self, x, w):
        tmp_0 = torch.tanh(x)
        tmp_1 = tmp_0 * w
        tmp_0 = None
        tmp_2 = tmp_1 + w
        tmp_1 = None
        tmp_3 = torch.nn.functional.silu(tmp_2)
        tmp_4 = tmp_3.sum(-1)
        return (tmp_3, tmp_4)
"""
RULE = """import torch
{imports}
{kernel}

def pattern(t, w):
    return t * w + w


def replacement_args(t, w):
    return (t, w)


@torch.fx.wrap
def scale_shift(t, w):
{body}


def replacement_func():
    return scale_shift
"""
KERNEL = '''
library = cpp(r"""
extern "C" void scale_shift(const float* t, const float* w, float* out, long rows, long columns) {
  for (long r = 0; r < rows; ++r)
    for (long c = 0; c < columns; ++c) out[r * columns + c] = t[r * columns + c] * w[c] + w[c];
}
""")
'''
HONEST = """    out = torch.empty_like(t)
    library.scale_shift(t, w, out, t.shape[0], t.shape[1])
    return out"""
COMPUTES = "    return torch.addcmul(w, t, w)"
LAZY = "    return torch.empty(1, t.shape[1]).expand(t.shape)"
COMPILER = "passes+inductor"
TASKS = Path(__file__).parents[3] / "data" / "tasks"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graphs") / "scaled"
    make_graph(SOURCE, {"x": torch.randn(8, 32), "w": torch.randn(32)}).write(path)
    return path


def rule(body: str) -> str:
    kernel = KERNEL if "library" in body else ""
    return RULE.format(imports="from passnet.kernels import cpp" if kernel else "", kernel=kernel, body=body)


def guarded(graph: Path, tmp_path: Path, body: str) -> set[str]:
    """What the guard notes of a program in this process."""
    (tmp_path / "rule.py").write_text(rule(body))
    (tmp_path / "sorted_output_pass_rule_names.json").write_text(json.dumps(["rule"]))
    found = Graph.read(graph)
    module, inputs = found.module(), found.inputs(3)
    made = compilers.make(COMPILER, load_rules(read_pass_set(tmp_path), "cpu").rules)
    with torch.no_grad():
        program = made.build(module, inputs)
        assert program.guard is not None
        call = program.guard.caller(1.0, OutputFacts(), [1024])
        for _ in range(3):
            call(*inputs)
        outputs = program.call(*inputs)
        if body == HONEST:
            for left, right in zip(outputs, module(*inputs), strict=True):
                torch.testing.assert_close(left, right)
    return {name for name, _ in program.guard.take_notes()}


def test_it_is_a_compiler_with_passes() -> None:
    assert COMPILER in COMPILERS
    assert {"passes", COMPILER} == WITH_PASSES


@pytest.mark.slow
def test_the_guard_sees_wrappers_inside_compiled_code(graph: Path, tmp_path: Path) -> None:
    for name, body, notes in (("a", HONEST, set()), ("b", COMPUTES, {"library_call"}), ("c", LAZY, {"lazy_output"})):
        (tmp_path / name).mkdir()
        assert guarded(graph, tmp_path / name, body) == notes, name


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    protocol = SHORT.model_copy(update={"build_s": 200.0, "first_call_s": 60.0, "memory_bytes": 6 << 30})
    with Bench("cpu", COMPILER, protocol, tmp_path_factory.mktemp("logs")) as bench:
        yield PatientJudge(bench.pairs, protocol, 1234, turn=bench.turn)


@pytest.mark.slow
def test_an_honest_pass_is_judged_in_the_sandbox(judge: Judge, graph: Path, tmp_path: Path) -> None:
    record = judge.judge(job_for(graph, write_passes(tmp_path / "honest", rule=rule(HONEST)), COMPILER))
    assert record.outcome is Outcome.CORRECT, record.detail
    assert record.replacements == {"rule": 1}
    assert record.sandbox
    assert record.timing is not None
    assert record.timing.deployed_speedup is not None


@pytest.mark.slow
@pytest.mark.parametrize(("body", "check"), [(COMPUTES, "library_call"), (LAZY, "lazy_output")])
def test_a_cheat_is_found_inside_compiled_code(
    judge: Judge, graph: Path, tmp_path: Path, body: str, check: str
) -> None:
    record = judge.judge(job_for(graph, write_passes(tmp_path / "cheat", rule=rule(body)), COMPILER))
    assert record.outcome is Outcome.INTEGRITY, f"{record.outcome}: {record.detail}"
    assert check in {finding.exploit for finding in record.findings}


@pytest.mark.slow
def test_without_a_match_there_is_no_program(judge: Judge, gelu_graph: Path, tmp_path: Path) -> None:
    record = judge.judge(job_for(gelu_graph, write_passes(tmp_path / "none", rule=rule(HONEST)), COMPILER))
    assert record.outcome is Outcome.NO_MATCH
    assert record.near_misses[0]["rule"] == "rule"


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_a_triton_pass_is_judged_in_the_sandbox(tmp_path: Path) -> None:
    task = Task.read(TASKS / "llama_residual_rmsnorm")
    ref = task.refs[0]
    passes = pass_files(read_pass_set(task.pass_dir))
    protocol = SHORT.model_copy(update={"build_s": 200.0, "first_call_s": 60.0, "memory_bytes": 6 << 30})
    with Bench("cuda", COMPILER, protocol, tmp_path) as bench:
        job = Job(task.name, ref.name, ref.path, ref.load(), COMPILER, "cuda", passes)
        record = PatientJudge(bench.pairs, protocol, 1234, turn=bench.turn).judge(job)
    assert record.outcome is Outcome.CORRECT, record.detail
    assert record.replacements["rms_float32_triton"] == 1
    assert record.sandbox
