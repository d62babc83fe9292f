"""Factories of a user's in a directory of his own, and verdicts of the bench without measuring."""

from __future__ import annotations

import sys

import pytest

from passnet.bench.record.records import GraphRecord, Timing
from passnet.use.optimise import search as optimizing
from passnet.use.optimise.session import Optimization
from tests.use.scripted_stage import ScriptedStage

FACTORIES = """
import torch
from torch import nn

def bloom_gelu(x):
    return x * 0.5 * (1.0 + torch.tanh(0.79788456 * x * (1 + 0.044715 * x * x)))

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(16, 16)
    def forward(self, x):
        return bloom_gelu(self.linear(x))

class Broken(nn.Module):
    def forward(self, x):
        y = bloom_gelu(x)
        torch._dynamo.graph_break()
        return bloom_gelu(y)

class Still(nn.Module):
    def forward(self, x):
        return x

class Branching(nn.Module):
    def forward(self, x):
        return bloom_gelu(x) if x.abs().sum() < 0 else x

class Scattered(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(16, 16)
        self.far = nn.Parameter(torch.empty(16, device="meta"))
    def forward(self, x):
        return bloom_gelu(self.linear(x))

def model(): return Model(), torch.randn(4, 16)
def other(): return Model(), torch.randn(8, 16)
def broken(): return Broken(), torch.randn(4, 16)
def branching(): return Branching(), torch.randn(4, 16)
def scattered(): return Scattered(), torch.randn(4, 16)
def other_calls(): return [torch.randn(8, 16), (torch.randn(2, 16),)]
def no_calls(): return 5
def still(): return Still(), torch.randn(4, 16)
def number(): return 3
def raises(): raise ValueError("no weights here")
def without_arguments(): return Model()
def wrong_arguments(): return Model(), torch.randn(3, 3)
def leaves(): raise SystemExit("no weights, goodbye")
def lazy():
    from neighbour_of_mine import size
    return Model(), torch.randn(4, size)
def large():  # 2.25 GiB that nobody fills
    weight = torch.empty(1 << 16, 9 << 10)
    return nn.Embedding(*weight.shape, _weight=weight), torch.zeros(1, dtype=torch.int64)
constant = 5
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "factories_of_mine.py").write_text(FACTORIES)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("factories_of_mine", None)


FAST = {
    "eager": 100e-6, "torch.compile": 60e-6, "torch.compile max-autotune": 55e-6, "torch.compile lite": 90e-6,
    "inductor": 50e-6, "passes+inductor": 40e-6, "passes": 70e-6, "*": 58e-6,
}  # fmt: skip


@pytest.fixture
def raced(monkeypatch):
    """Times without measuring: seconds of each form by its name. Returns the stages that were opened."""
    stages = []

    def use(**times):
        table = FAST | times

        def opened(session, model, passes):
            stages.append(ScriptedStage(table))
            stages[-1].passes = passes
            return stages[-1]

        monkeypatch.setattr(Optimization, "_opened", opened)
        return stages

    return use


@pytest.fixture
def judged(monkeypatch, raced):
    """Verdicts without measuring: what the bench would say of every program."""

    def use(outcome, speedup):
        interval = (speedup - 0.01, speedup + 0.01)
        timing = Timing(
            speedup=speedup, speedup_ci=interval, eager_us=100.0, compiled_us=100.0 / speedup, control_ratio=1.0,
            deployed_speedup=speedup, deployed_speedup_ci=interval, processes=(),
        )  # fmt: skip

        def judged(trials, units, *, again=False):
            job = trials.job(units)
            record = GraphRecord(
                task=job.task, graph=job.name, graph_hash="", pass_set_hash="", protocol_hash="", compiler="passes",
                device="cpu", outcome=outcome, correct_at=-6, timing=timing, replacements={"bloom_gelu_cpp": 1},
            )  # fmt: skip
            trials.report(optimizing.TrialStep(job.name, record, False))
            return record

        monkeypatch.setattr(optimizing.Trials, "judged", judged)
        return raced()

    return use
