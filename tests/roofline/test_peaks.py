"""Ceilings are measured and plausible in kind (no figure is demanded of the machine); bounds are arithmetic."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from passnet.errors import UsageError
from passnet.roofline import peaks
from passnet.roofline.peaks import Ceilings, Level, bound, cpu_cache_bytes, measure

CEILINGS = Ceilings(
    device="cpu", hardware="a machine", threads=1,
    levels=(Level("L2", 1000, 80.0, 1), Level("L3", 10_000, 40.0, 1), Level("memory", None, 10.0, 1)),
    matmul_gflops={"float32": 100.0, "bfloat16": 50.0}, matmul_size={}, dispatch_us=1.5, seconds=0.0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("nbytes", "level"), [(0, "L2"), (1000, "L2"), (1001, "L3"), (10_000, "L3"), (10_001, "memory")]
)
def test_the_fastest_level_that_holds_the_bytes(nbytes, level):
    assert CEILINGS.level_for(nbytes).name == level
    assert bound(CEILINGS, nbytes=nbytes, flops={}, kernels=0).level == level


def test_half_precision_never_has_less_than_single():
    assert CEILINGS.gflops_for("bfloat16") == CEILINGS.gflops_for("float32") == CEILINGS.gflops_for(None) == 100.0


@pytest.mark.parametrize(
    ("kind", "known"),
    [("float32", True), ("float16", True), ("tf32", False), ("float64", False), ("int64", False),
     ("float8_e5m2", False), (None, False)],
)  # fmt: skip
def test_a_rate_that_was_not_measured_is_not_known(kind, known):
    assert CEILINGS.knows(kind) == known


def test_tf32_is_a_rate_of_its_own_where_it_was_measured():
    with_tf32 = replace(CEILINGS, matmul_gflops={"float32": 100.0, "tf32": 700.0, "bfloat16": 50.0})
    assert with_tf32.knows("tf32")
    assert (with_tf32.gflops_for("tf32"), with_tf32.gflops_for("float32")) == (700.0, 100.0)
    assert CEILINGS.gflops_for("tf32") == 100.0


@given(st.integers(0, 10**9), st.integers(0, 10**12), st.integers(0, 1000))
def test_the_bound_is_the_larger_of_its_parts(nbytes, flops, kernels):
    found = bound(CEILINGS, nbytes=nbytes, flops={"float32": flops}, kernels=kernels)
    assert found.us == max(found.memory_us, found.compute_us)
    assert found.main_memory_us >= found.memory_us
    assert {"memory": found.memory_us, "compute": found.compute_us}[found.limited_by] == found.us
    assert found.launch_us == kernels * 1.5


def test_no_cache_is_slower_than_what_lies_behind_it():
    levels = (Level("L2", 10, 5.0, 1), Level("L3", 100, 3.0, 1), Level("memory", None, 4.0, 1))
    assert [level.gb_s for level in peaks.monotone(levels)] == [5.0, 4.0, 4.0]


def check(ceilings: Ceilings) -> None:
    assert all(level.gb_s > 0 for level in ceilings.levels)
    assert ceilings.levels[-1].capacity_bytes is None
    capacities = [level.capacity_bytes for level in ceilings.levels[:-1]]
    assert capacities == sorted(capacities)
    assert set(ceilings.matmul_gflops) == {"float32", "bfloat16"} | ({"tf32"} if ceilings.device == "cuda" else set())
    assert all(rate > 0 for rate in ceilings.matmul_gflops.values())
    assert ceilings.dispatch_us > 0
    assert "copies" in ceilings.to_json()["method"]


def test_measured_on_the_cpu_once_and_threads_put_back():
    threads = torch.get_num_threads()
    found = measure("cpu")
    check(found)
    assert found.threads == 1
    assert measure("cpu") is found
    assert torch.get_num_threads() == threads
    assert found.levels[-1].copied_bytes > max((level.copied_bytes for level in found.levels[:-1]), default=0)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_measured_on_cuda():
    allowed = torch.backends.cuda.matmul.allow_tf32
    found = measure("cuda")
    check(found)
    assert found.hardware == torch.cuda.get_device_name()
    assert torch.backends.cuda.matmul.allow_tf32 == allowed


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_inspect_on_cuda():
    from passnet.roofline.inspect import inspect_graph
    from tests.bench.inspect_graphs import linear, pointwise

    for graph in (linear("float16"), pointwise()):
        on_cuda, on_cpu = inspect_graph(graph, "cuda"), inspect_graph(graph, "cpu")
        assert on_cuda.bytes == on_cpu.bytes
        assert on_cuda.total_flops == on_cpu.total_flops
        assert on_cuda.bound.us > 0


@pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without CUDA")
def test_cuda_that_is_not_there():
    with pytest.raises(UsageError, match="no CUDA device"):
        measure("cuda")


def test_cache_size_from_the_file_system(monkeypatch, tmp_path):
    for index, (level, kind, size) in enumerate(
        [("1", "Data", "48K"), ("2", "Instruction", "9M"), ("2", "Unified", "2M")]
    ):
        directory = tmp_path / f"index{index}"
        directory.mkdir()
        for name, text in (("level", level), ("type", kind), ("size", size)):
            (directory / name).write_text(f"{text}\n")
    monkeypatch.setattr(peaks, "_CACHES", tmp_path)
    monkeypatch.setattr(peaks.os, "sysconf", lambda name: 0)
    cpu_cache_bytes.cache_clear()
    try:
        assert [cpu_cache_bytes(level) for level in (1, 2, 3)] == [48 << 10, 2 << 20, None]
    finally:
        cpu_cache_bytes.cache_clear()
