"""Each way in which a pass can be wrong gets exactly its outcome, in real candidate processes."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from passnet.bench.engine import bench as bench_module
from passnet.bench.timing import interleave
from passnet.bench.timing.estimate import Unstable
from passnet.bench.verdict import judge as judge_module
from passnet.bench.verdict.judge import Judge
from passnet.roofline import peaks
from passnet.score import Outcome
from tests.bench.conftest import SHORT, job_for, make_graph, write_passes
from tests.bench.verdict.test_least_time import CEILINGS
from tests.patience import PatientJudge

PASS = '''
import torch
from passnet.kernels import cpp
{imports}
library = cpp(r"""
#include <cmath>
#include <cstdlib>
extern "C" void fused(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {{
  for (int64_t i = 0; i < n; ++i) {{
    float v = x[i] * w[i % width] + b[i % width];
    {body}
  }}
}}
""")


def pattern(x, w, b):
    return torch.nn.functional.gelu(x * w + b)


def replacement_args(x, w, b):
    return (x, w, b)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    {before}
    library.fused(x, w, b, out, x.numel(), x.shape[-1])
    {after}
    return out


def replacement_func():
    return wrapper
'''
GELU = "    return torch.nn.functional.gelu(x * w + b)"
SEGFAULT = "volatile int64_t nowhere = 8; *(volatile float*)(int64_t)nowhere = v;"
RIGHT = "out[i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));"


def passes(body: str = RIGHT, before: str = "pass", after: str = "pass", imports: str = "") -> str:
    return PASS.format(body=body, before=before, after=after, imports=imports)


def judged(judge: Judge, graph: Path, tmp_path: Path, text: str):
    return judge.judge(job_for(graph, write_passes(tmp_path / "pass_dir", fuse=text)))


def test_an_honest_pass_is_correct_and_timed(
    judge: Judge, gelu_graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Rates of no machine: on a busy one its own are such that the products of so small a graph could be the bound.
    monkeypatch.setattr(peaks, "measure", lambda device: CEILINGS)
    record = judged(judge, gelu_graph, tmp_path, passes())
    assert record.outcome is Outcome.CORRECT, record.detail
    assert record.correct_at is not None
    assert record.correct_at <= -5
    assert record.timing is not None
    assert record.timing.speedup > 0
    assert record.timing.deployed_speedup is not None
    assert record.timing.bound_us is not None and record.timing.bound_by == "memory"
    assert all(share is not None and share > 0 for share in record.bound_shares)
    assert record.replacements == {"fuse": 1}
    assert record.fp64_reference is True
    assert record.compared_calls >= 2 * len(judge.pairs)
    assert record.own_kernels is True


def test_figures_that_contradict_each_other_are_no_timing(
    judge: Judge, gelu_graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One such record would make its whole run unreadable."""
    monkeypatch.setattr(judge_module, "contradictions", lambda made: ("it is odd",) if made.timing is not None else ())
    record = judged(judge, gelu_graph, tmp_path, passes())
    assert (record.outcome, record.timing) == (Outcome.UNSTABLE, None)
    assert record.detail == "figures that contradict each other: it is odd"


VIEWED = """import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0):
        tmp_0 = torch.nn.functional.gelu(in_0)
        tmp_1 = tmp_0.view(32, 128)
        tmp_0 = None
        return (tmp_1,)
"""
TIE = """
import torch


def pattern(x):
    return x.view(32, 128)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    return x.view(32, 128)


def replacement_func():
    return wrapper
"""


def test_a_view_replaced_by_itself_is_right_and_no_solution(judge: Judge, tmp_path: Path) -> None:
    """However fast it were: no kernel of the pass ran, and the judge knows without asking the pass."""
    make_graph(VIEWED, {"in_0": torch.randn(64, 64)}, "viewed").write(tmp_path / "viewed")
    record = judge.judge(job_for(tmp_path / "viewed", write_passes(tmp_path / "pass_dir", tie=TIE)))
    assert record.outcome is Outcome.CORRECT, record.detail
    assert record.timing is not None
    assert record.own_kernels is False
    assert record.solution == (False, "")
    fast = record.model_copy(update={"timing": record.timing.model_copy(update={"speedup_ci": (2.0, 2.1)})})
    assert fast.solution == (False, "")


@pytest.mark.parametrize(
    ("name", "text", "outcome"),
    [
        ("off_by_a_constant", passes(RIGHT + " out[i] += 0.01f;"), Outcome.ACCURACY),
        ("zeros", passes("out[i] = 0.0f;"), Outcome.ACCURACY),
        ("unwritten", passes("if (v > 1e30f) out[i] = v;"), (Outcome.ACCURACY, Outcome.NAN_INF)),
        ("wrong_dtype", passes(after="return torch.empty(x.shape, dtype=torch.float64)"), Outcome.DTYPE_MISMATCH),
        ("wrong_shape", passes(after="return torch.empty(x.shape[0], 1)"), Outcome.SHAPE_MISMATCH),
        ("nan", passes("out[i] = std::nanf(\"\");"), Outcome.NAN_INF),
        ("mutates_input", passes(RIGHT + " const_cast<float*>(x)[i] = 0.0f;"), Outcome.INTEGRITY),
        ("no_match", passes().replace("x * w + b)", "x * w - b)"), Outcome.NO_MATCH),
        ("raises", passes(after="raise ValueError('no')"), Outcome.RUNTIME_ERROR),
        ("raises_on_load", passes(imports="raise ImportError('no')"), Outcome.COMPILE_ERROR),
        ("hangs", passes(after="while True: pass"), Outcome.TIMEOUT),
        ("hangs_in_native_code", passes("for (volatile int k = 0; ; ) { k = k; }"), Outcome.TIMEOUT),
        ("segfaults", passes(SEGFAULT), Outcome.RUNTIME_ERROR),
        ("aborts", passes("std::abort();"), Outcome.RUNTIME_ERROR),
        ("exits_early", passes("std::_Exit(0);"), Outcome.INTEGRITY),
        ("eats_memory", passes(after="hoard = [torch.ones(1 << 26) for _ in range(200)]"), Outcome.RUNTIME_ERROR),
        ("control_flow", passes().replace(GELU, f"    if x.sum() > 0: return x\n{GELU}"), Outcome.COMPILE_ERROR),
        ("replacement_args_computes", passes().replace("return (x, w, b)", "return (x * 2, w, b)"), Outcome.INTEGRITY),
        ("does_not_compile", passes("this is not C++;"), Outcome.COMPILE_ERROR),
    ],
)  # fmt: skip
def test_a_wrong_pass_gets_its_outcome(
    judge: Judge, gelu_graph: Path, tmp_path: Path, name: str, text: str, outcome: Outcome | tuple[Outcome, ...]
) -> None:
    record = judged(judge, gelu_graph, tmp_path, text)
    allowed = outcome if isinstance(outcome, tuple) else (outcome,)
    assert record.outcome in allowed, f"{name}: {record.outcome}: {record.detail}"
    assert record.detail
    assert record.timing is None or record.outcome is Outcome.ACCURACY


def test_taking_all_memory_is_the_candidates_own_failure(
    gelu_graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within its own limit, of which five candidates together could fill the machine: a share of what is free holds."""
    monkeypatch.setattr(bench_module, "memory_share", lambda candidates: 1 << 30)
    protocol = SHORT.model_copy(update={"memory_bytes": 6 << 30})
    hoard = passes(after="hoard = [torch.ones(1 << 26) for _ in range(6)]")
    with bench_module.Bench("cpu", "passes", protocol, tmp_path, pairs=1) as bench:
        judge = PatientJudge(bench.pairs, protocol, 1, turn=bench.turn)
        record = judge.check(job_for(gelu_graph, write_passes(tmp_path / "hoard", fuse=hoard)))
        assert record.outcome is Outcome.RUNTIME_ERROR, record.detail
        after = judge.check(job_for(gelu_graph, write_passes(tmp_path / "honest", fuse=passes())))
        assert after.correct_at is not None, after.detail


def test_a_fork_bomb_is_contained_and_the_next_graph_runs(judge: Judge, gelu_graph: Path, tmp_path: Path) -> None:
    bomb = passes(imports="import os", after="\n    while True:\n        os.fork()\n")
    record = judged(judge, gelu_graph, tmp_path / "bomb", bomb)
    assert record.outcome in (Outcome.RUNTIME_ERROR, Outcome.TIMEOUT), record.detail
    after = judged(judge, gelu_graph, tmp_path / "honest", passes())
    assert after.outcome is Outcome.CORRECT, after.detail


def test_huge_output_to_the_log_does_no_harm(judge: Judge, gelu_graph: Path, tmp_path: Path) -> None:
    shout = passes(imports="import sys", after="sys.stdout.write('x' * (1 << 22))")
    record = judged(judge, gelu_graph, tmp_path / "shout", shout)
    assert record.outcome in (Outcome.CORRECT, Outcome.RUNTIME_ERROR), record.detail
    after = judged(judge, gelu_graph, tmp_path / "honest", passes())
    assert after.outcome is Outcome.CORRECT, after.detail


def test_near_misses_of_a_pass_that_matches_nothing_are_recorded(
    judge: Judge, gelu_graph: Path, tmp_path: Path
) -> None:
    record = judged(
        judge, gelu_graph, tmp_path, passes().replace("gelu(x * w + b)", 'gelu(x * w + b, approximate="tanh")')
    )
    assert record.outcome is Outcome.NO_MATCH
    assert record.near_misses
    assert {"graph", "pattern_node", "expected", "found", "reason"} <= record.near_misses[0].keys()


SOFTMAX = """import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0):
        tmp_0 = torch.nn.functional.softmax(in_0, dim = -1)
        return (tmp_0,)
"""
ZEROS = """
import torch
def pattern(x):
    return torch.nn.functional.softmax(x, dim=-1)
def replacement_args(x):
    return (x,)
@torch.fx.wrap
def zeros(x):
    return torch.zeros_like(x)
def replacement_func():
    return zeros
"""


@pytest.mark.parametrize(("wrong", "outcome"), [(True, Outcome.ACCURACY), (False, Outcome.UNSTABLE)])
def test_what_is_wrong_does_not_vanish_in_times_that_vary(
    judge: Judge, gelu_graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: bool, outcome: Outcome
) -> None:
    """A pass that is wrong at the strict tolerance and makes its own times unsteady is wrong."""

    def unsteady(run: interleave.TimingRun) -> None:
        raise Unstable("too wide")

    monkeypatch.setattr(interleave.TimingRun, "measure", unsteady)
    record = judged(judge, gelu_graph, tmp_path, passes(RIGHT + " out[i] *= 1.001f;" if wrong else RIGHT))
    assert record.outcome is outcome, record.detail
    assert record.timing is None


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
def test_zeros_never_pass_where_outputs_are_small(judge: Judge, tmp_path: Path, dtype: torch.dtype) -> None:
    make_graph(SOFTMAX, {"in_0": torch.randn(4, 16384).to(dtype)}, "softmax").write(tmp_path / "softmax")
    record = judged(judge, tmp_path / "softmax", tmp_path, ZEROS)
    assert record.outcome is Outcome.ACCURACY, record.detail
    assert record.correct_at is None
    assert record.published_at is not None, "the published tolerances alone let zeros through; the record shows both"


CONSTANT = """import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0):
        tmp_0 = in_0 * 0.0
        return (tmp_0,)
"""
RANDOM = CONSTANT.replace("in_0 * 0.0", "torch.nn.functional.dropout(in_0, 0.5, True, False)")


@pytest.mark.parametrize(("source", "word"), [(CONSTANT, "degenerate"), (RANDOM, "not comparable")])
def test_a_graph_on_which_any_pass_looks_right_is_not_scored(
    judge: Judge, tmp_path: Path, source: str, word: str
) -> None:
    make_graph(source, {"in_0": torch.randn(64, 64)}).write(tmp_path / "graph")
    record = judge.judge(job_for(tmp_path / "graph", None, "eager"))
    assert record.outcome is Outcome.REFERENCE_ERROR
    assert word in (record.detail or "")


MUTATING = """import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1):
        in_0 += in_1
        tmp_0 = in_0
        tmp_1 = tmp_0 * 2.0
        return (tmp_1,)
"""


def test_a_graph_that_changes_its_inputs_gets_fresh_ones_for_every_call(judge: Judge, tmp_path: Path) -> None:
    make_graph(MUTATING, {"in_0": torch.randn(16, 16), "in_1": torch.randn(16, 16)}).write(tmp_path / "graph")
    record = judge.judge(job_for(tmp_path / "graph", None, "eager"))
    assert record.outcome is Outcome.CORRECT, record.detail
    assert record.correct_at == -10


UNSTEADY = """

def applies(match):
    import os
    seen = os.path.join(os.path.dirname(os.environ["TRITON_CACHE_DIR"]), "seen")
    first = not os.path.exists(seen)
    open(seen, "w").close()
    return first
"""


def test_a_guard_that_answers_otherwise_in_the_next_process(judge: Judge, gelu_graph: Path, tmp_path: Path) -> None:
    """All draws are compared in the first process: a pass that is another one in the others must be found out."""
    record = judged(judge, gelu_graph, tmp_path, passes() + UNSTEADY)
    assert record.outcome is Outcome.INTEGRITY, record.detail
    assert [finding.exploit for finding in record.findings] == ["unsteady_match"]
    assert "{'fuse': 1}" in record.findings[0].evidence
