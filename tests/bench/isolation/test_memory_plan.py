"""Memory: what a graph gets follows from what is free, what does not fit is said in bytes, and nobody hides there."""

from __future__ import annotations

import gc
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from passnet.bench.isolation.memory_plan import MemoryNeed, MemoryPlan, plan
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.outcome.ownership import owned_by
from passnet.bench.verdict.judge import Judge
from passnet.bench.wire import memory
from passnet.bench.wire.memory import NoRoom
from passnet.bench.worker import heap
from passnet.score import OUTCOME_RULES, Outcome, Owner
from tests.bench.conftest import job_for, write_passes
from tests.bench.verdict.test_outcomes import passes

GIB = 1 << 30
# 136 MiB of inputs, an output of 1 GiB, 4 GiB between them: with 8 processes a side more than 139 GiB.
LARGE = MemoryNeed("cuda", 136 << 20, GIB, 1 << 20, 6 * GIB, 4 * GIB, 512 << 20)
SMALL = MemoryNeed("cpu", 1 << 20, 1 << 20, 1 << 16, 1 << 21, 1 << 22, 1 << 18)
needs = st.builds(
    MemoryNeed,
    st.sampled_from(["cpu", "cuda"]),
    *(st.integers(0, 1 << 33) for _ in range(6)),
)


def fitting(*arguments: Any, **options: Any) -> MemoryPlan | NoRoom:
    try:
        return plan(*arguments, **options)
    except NoRoom as short:
        return short


def test_a_large_device_gives_all() -> None:
    assert plan(LARGE, 400 * GIB, 8, 1, 1) == MemoryPlan(8, 1, 1)
    assert plan(SMALL, 4 * GIB, 5, 4, 4) == MemoryPlan(5, 4, 4)


def test_the_graph_that_ended_a_run_is_measured_on_the_device_where_it_did() -> None:
    found = plan(LARGE, 138 * GIB, 8, 1, 1)
    assert found == MemoryPlan(8, 1, 1, release=True)
    assert found.given_up(8, 1, 1) == ("memory kept between blocks",)


def test_what_is_given_up_comes_in_order() -> None:
    seen = []
    for free in range(400 * GIB, 0, -GIB // 4):
        found = fitting(LARGE, free, 8, 4, 4)
        if isinstance(found, NoRoom):
            assert found.free == free
            assert found.needed is not None and found.needed > free * 0.98
            break
        if found not in seen:
            seen.append(found)
    assert seen[0] == MemoryPlan(8, 4, 4)
    assert seen[1] == MemoryPlan(8, 1, 1)
    assert seen[2:-1] == [MemoryPlan(count, 1, 1, release=True) for count in range(8, 1, -1)]
    assert seen[-1] == MemoryPlan(2, 1, 1, release=True, on_host=True)


@given(needs, st.integers(0, 1 << 38), st.integers(1, 8), st.integers(1, 4), st.booleans())
def test_what_is_given_fits(need: MemoryNeed, free: int, pairs: int, places: int, frugal: bool) -> None:
    found = fitting(need, free, pairs, places, places, frugal=frugal)
    if isinstance(found, NoRoom):
        assert f"{found.needed} bytes needed, {free} bytes free" in str(found)
        return
    assert need.of(found) <= free
    assert min(2, pairs) <= found.pairs <= pairs
    assert not frugal or (found.release and found.pairs == min(2, pairs))
    assert plan(need, free * 2, pairs, places, places, frugal=frugal).pairs >= found.pairs


def test_the_machine_says_how_much_is_free() -> None:
    total = int(Path("/proc/meminfo").read_text().split()[1]) << 10
    assert 0 < memory.free_bytes("cpu") <= total


def test_a_control_group_bounds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = Path("/proc/self/cgroup").read_text().splitlines()[0].rpartition(":")[2].lstrip("/")
    group = tmp_path / name
    group.mkdir(parents=True, exist_ok=True)
    (group / "memory.max").write_text("1000000\n")
    (group / "memory.current").write_text("400000\n")
    (group / "memory.stat").write_text("anon 1\ninactive_file 1000\n")
    assert min(memory._left_in_groups(tmp_path)) == 601000
    (group / "memory.max").write_text("max\n")
    assert min(memory._left_in_groups(tmp_path)) == 1 << 62


def test_a_call_is_seen_with_what_it_takes() -> None:
    gc.collect()
    heap.give_back("cpu")
    taken = heap.watch("cpu")
    block = torch.ones(64 << 20, dtype=torch.uint8)
    assert taken() >= block.nbytes - (1 << 20)


@pytest.mark.parametrize("stage", ["reference", "build", "call"])
def test_memory_that_ran_out_is_nobodys_outcome_yet(stage: str) -> None:
    with pytest.raises(NoRoom) as caught, owned_by(stage):  # type: ignore[arg-type]
        raise WorkerFailure("out_of_memory", "OutOfMemoryError: tried to allocate 4.00 GiB")
    assert caught.value.stage == stage


def with_free(judge: Judge, free: int) -> Judge:
    """The same pairs, on a machine with so much free memory."""
    return replace(judge, free=lambda device: free)


@pytest.mark.slow
def test_what_does_not_fit_is_an_outcome_with_its_bytes_and_so_much_suffices(
    judge: Judge, gelu_graph: Path, tmp_path: Path
) -> None:
    job = job_for(gelu_graph, write_passes(tmp_path / "pass_dir", fuse=passes()))
    record = with_free(judge, 1 << 20).judge(job)
    assert record.outcome is Outcome.OUT_OF_MEMORY
    assert OUTCOME_RULES[record.outcome].owner is Owner.HARNESS
    told = re.search(rf": (\d+) bytes needed, {1 << 20} bytes free$", str(record.detail))
    assert told is not None
    record = with_free(judge, int(1.1 * int(told[1]))).judge(job)
    assert record.outcome is Outcome.CORRECT, record.detail
    assert record.given_up[-1] == "memory kept between blocks"
    assert record.timing is not None
    again = judge.judge(job)  # the pairs are as good as before
    assert again.outcome is Outcome.CORRECT, again.detail
    assert again.given_up == ()


EXHAUSTED = "raise MemoryError('not my fault')"


def test_a_pass_cannot_leave_the_score_by_saying_that_memory_ran_out(
    judge: Judge, gelu_graph: Path, tmp_path: Path
) -> None:
    """Otherwise whoever is slow would rather be out of memory: such graphs are not scored."""
    job = job_for(gelu_graph, write_passes(tmp_path / "pass_dir", fuse=passes(after=EXHAUSTED)))

    def free(device: str) -> int:
        """Nothing while a process of the passes is there."""
        return 0 if any(pair.candidate is not None and pair.candidate.alive for pair in judge.pairs) else 64 * GIB

    short = replace(judge, free=free)
    for tried in (judge, short):
        record = tried.judge(job)
        assert record.outcome is Outcome.RUNTIME_ERROR
        assert "not my fault" in str(record.detail)


def test_a_pass_that_holds_the_memory_answers_for_it(judge: Judge) -> None:
    """Eager ran out of memory; with the candidates ended far more is free than eager needs."""
    from passnet.bench.verdict.evidence import GraphTrial

    class Holding:
        candidate = type("Process", (), {"alive": True})()

        def end(self, role: str) -> None:
            assert role == "candidate"

    def verdict(after: int) -> Outcome:
        trial = GraphTrial(type("Job", (), {"device": "cuda"})(), 0, None, frugal=True, need=LARGE)  # type: ignore[arg-type]
        left = [GIB, after]
        found = replace(judge, pairs=[Holding(), Holding()], free=lambda device: left.pop(0))  # type: ignore[list-item]
        return found.memory.verdict(trial, NoRoom("eager")).outcome

    assert verdict(80 * GIB) is Outcome.RUNTIME_ERROR
    assert verdict(3 * GIB) is Outcome.OUT_OF_MEMORY
