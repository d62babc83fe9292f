"""Frozen programs in the bench: guard and ghosts see the replays, and cheats gain nothing by being recorded."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from passnet.bench.verdict.judge import Judge
from passnet.bench.wire.replies import OutputFacts
from passnet.bench.worker import compilers
from passnet.bench.worker.compilers import PassesCompiler, Program
from passnet.graph import Graph
from passnet.kernels.compilation.compile import restore, settings
from passnet.kernels.ghost import ghosts
from passnet.rewrite.rules.kept_memory import PACKAGE_PREFIX
from passnet.score import Outcome
from tests.bench.conftest import job_for, write_passes
from tests.bench.verdict.test_outcomes import passes

# Reads a value in its first call, and from then on fills its output with the number that it kept.
KEEPS_A_NUMBER = passes(
    imports="SEEN = {}",
    before='SEEN.setdefault("v", SEEN.get("v") or torch.nn.functional.gelu(x * w + b).mean().item())',
    after='return torch.full_like(x, SEEN["v"])',
)
# Computes in its first call, and from then on hands copies of that result on.
KEEPS_A_TENSOR = passes(
    imports="SEEN = {}",
    after='SEEN["v"] = SEEN.get("v", out); return SEEN["v"].clone()',
)
EVERY_THIRD = passes(
    imports="COUNT = [0]",
    before="COUNT[0] += 1",
    after="return out if COUNT[0] % 3 else torch.empty_like(x)",
)
READS = passes(before="x.data_ptr()")


@pytest.fixture(scope="module")
def kernel_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    before = settings()
    path = tmp_path_factory.mktemp("kernels")
    yield path
    restore(before)


def frozen(
    text: str, graph: Path, tmp_path: Path, cache: Path
) -> tuple[Program, Sequence[torch.Tensor], Sequence[torch.Tensor]]:
    """The frozen program of a pass, in this process; inputs, and what eager makes of them."""
    for name in [name for name in sys.modules if name.startswith(PACKAGE_PREFIX)]:
        del sys.modules[name]  # a worker has one pass set
    files = write_passes(tmp_path / "pass_dir", fuse=text)
    rules = compilers.load_passes(files.files, tmp_path / "scratch", cache, "cpu", on_processor=True)
    loaded = Graph.read(graph)
    program = PassesCompiler(rules).build(loaded.module(), loaded.inputs(1))
    assert program.freeze is not None
    inputs = loaded.inputs(2)
    with torch.no_grad():
        return program.freeze(loaded.inputs(1)), inputs, loaded.module().forward(*inputs)


def test_guarded_calls_run_the_replay_that_is_timed(gelu_graph: Path, tmp_path: Path, kernel_cache: Path) -> None:
    program, inputs, wanted = frozen(passes(), gelu_graph, tmp_path, kernel_cache)
    assert program.not_frozen == {}
    assert program.guard is not None
    guarded = program.guard.caller(1.0, OutputFacts(), [wanted[0].nbytes])
    with torch.no_grad():
        for call in (guarded, guarded, guarded, program.call, program.deployed):
            torch.testing.assert_close(call(*inputs)[0], wanted[0])
    assert program.guard.take_notes() == []


def test_ghosts_switch_a_frozen_program_off(gelu_graph: Path, tmp_path: Path, kernel_cache: Path) -> None:
    program, inputs, wanted = frozen(passes(), gelu_graph, tmp_path, kernel_cache)
    with torch.no_grad(), ghosts() as skipped:
        program.call(*inputs)
        program.deployed(*inputs)
        assert skipped() == 2
    with torch.no_grad():
        torch.testing.assert_close(program.call(*inputs)[0], wanted[0])


def test_a_wrapper_that_is_not_replayed_stays_under_the_guard(
    gelu_graph: Path, tmp_path: Path, kernel_cache: Path
) -> None:
    program, inputs, wanted = frozen(passes(after="return torch.relu(out)"), gelu_graph, tmp_path, kernel_cache)
    assert program.not_frozen == {"fuse": "calls aten.relu, which is no allocation, view or copy"}
    assert program.guard is not None
    guarded = program.guard.caller(1.0, OutputFacts(), [wanted[0].nbytes])
    with torch.no_grad():
        guarded(*inputs)
        guarded(*inputs)
    assert ("library_call", "wrapper wrapper called aten.relu") in program.guard.take_notes()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (KEEPS_A_TENSOR, "neither an argument nor allocated"),
        (EVERY_THIRD, "changes COUNT[0]"),
        (READS, "reads data_ptr"),
        (passes(before="x.sum().item()"), "calls aten.sum"),
    ],
    ids=["keeps a tensor", "every third call", "reads an address", "reads a value"],
)
def test_what_a_recording_would_hide_is_not_recorded(
    gelu_graph: Path, tmp_path: Path, kernel_cache: Path, text: str, reason: str
) -> None:
    program, _, _ = frozen(text, gelu_graph, tmp_path, kernel_cache)
    assert reason in program.not_frozen["fuse"]


@pytest.mark.parametrize("text", [KEEPS_A_NUMBER, KEEPS_A_TENSOR, EVERY_THIRD], ids=["number", "tensor", "third"])
def test_a_recorded_cheat_is_caught_as_ever(judge: Judge, gelu_graph: Path, tmp_path: Path, text: str) -> None:
    record = judge.judge(job_for(gelu_graph, write_passes(tmp_path / "pass_dir", fuse=text)))
    assert record.outcome in (Outcome.ACCURACY, Outcome.INTEGRITY, Outcome.NAN_INF), record.detail


@pytest.mark.slow
def test_the_record_tells_what_is_not_replayed(judge: Judge, gelu_graph: Path, tmp_path: Path) -> None:
    honest = judge.judge(job_for(gelu_graph, write_passes(tmp_path / "honest", fuse=passes())))
    assert honest.outcome is Outcome.CORRECT, honest.detail
    assert honest.not_frozen == {}
    ordinary = judge.judge(job_for(gelu_graph, write_passes(tmp_path / "ordinary", fuse=READS)))
    assert ordinary.outcome is Outcome.CORRECT, ordinary.detail
    assert "reads data_ptr" in ordinary.not_frozen["fuse"]
    assert ordinary.summary()["not_frozen"] == ordinary.not_frozen


def test_without_freezing_nothing_is_recorded(judge: Judge, gelu_graph: Path, tmp_path: Path) -> None:
    plain = replace(judge, protocol=judge.protocol.model_copy(update={"freeze": False}), seed=7)
    record = plain.judge(job_for(gelu_graph, write_passes(tmp_path / "pass_dir", fuse=READS)))
    assert record.outcome is Outcome.CORRECT, record.detail
    assert record.not_frozen == {}
    assert plain.protocol.content_hash != judge.protocol.content_hash
