"""The least time of a graph's work in a record: the bound of the roofline room, and null where a peak is not known."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from passnet.bench.record.protocol import make
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.least_time import bounded
from passnet.graph import Graph
from passnet.roofline import peaks
from passnet.roofline.inspect import inspect_graph
from passnet.roofline.peaks import Ceilings, Level
from tests.bench.bench_helpers import TIMING, job_of
from tests.bench.inspect_graphs import graph, linear, pointwise

CEILINGS = Ceilings(
    "cpu", "a machine", 1, (Level("L2", 1 << 20, 100.0, 1), Level("memory", None, 10.0, 1)),
    {"float32": 100.0, "bfloat16": 400.0}, {}, 2.0, 0.0,
)  # fmt: skip
ON_CPU = make("direct")


def known(monkeypatch: pytest.MonkeyPatch, ceilings: Ceilings = CEILINGS) -> None:
    monkeypatch.setattr(peaks, "measure", lambda device: ceilings)


@pytest.mark.parametrize(
    ("found", "us", "by"),
    [
        (pointwise(), 4 * (4096 + 64 + 4096) / 100.0 / 1e3, "memory"),
        (linear(), 2 * 32 * 128 * 64 / 100.0 / 1e3, "compute"),
        (graph("view", {"x": ((4, 4), "float32")}, "y = x.t()", "return (y,)"), 0.0, "memory"),
    ],
)
def test_it_is_the_bound_that_inspect_shows(monkeypatch: pytest.MonkeyPatch, found: Graph, us: float, by: str) -> None:
    known(monkeypatch)
    timing = bounded(TIMING, job_of(found), ON_CPU)
    assert (timing.bound_us, timing.bound_by) == (pytest.approx(inspect_graph(found, ceilings=CEILINGS).bound.us), by)
    assert timing.bound_us is not None
    # The bias row and the sum of it are little beside the product.
    assert timing.bound_us == pytest.approx(us, rel=0.02)
    assert timing == TIMING.model_copy(update={"bound_us": timing.bound_us, "bound_by": by})


DATA = graph("data", {"x": ((4,), "float32")}, "n = torch.nonzero(x)", "f = n.float()", "return (f,)")
WIDE = linear("float64")


@pytest.mark.parametrize("found", [DATA, WIDE])
def test_what_nobody_knows_is_null(monkeypatch: pytest.MonkeyPatch, found: Graph) -> None:
    """Shapes that follow from values, and products of a dtype whose peak is not measured."""
    known(monkeypatch)
    assert bounded(TIMING, job_of(found), ON_CPU) == TIMING


def test_a_look_measures_no_peaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peaks, "measure", lambda device: pytest.fail("measured"))
    job = job_of(pointwise())
    assert bounded(TIMING, job, make("direct", question="decided")) == TIMING


def test_the_peaks_of_one_core_say_nothing_of_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    known(monkeypatch)
    assert bounded(TIMING, job_of(pointwise()), make("direct", threads=2)) == TIMING
    assert bounded(TIMING, job_of(pointwise()), make("direct", threads=1)) != TIMING


@pytest.mark.parametrize("error", [torch.OutOfMemoryError("CUDA out of memory"), MemoryError()])
def test_without_memory_to_measure_nothing_is_known(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fails(device: str) -> Ceilings:
        raise error

    monkeypatch.setattr(peaks, "measure", fails)
    assert bounded(TIMING, job_of(pointwise()), ON_CPU) == TIMING


def test_any_other_failure_of_measuring_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(device: str) -> Ceilings:
        raise RuntimeError("the device is lost")

    monkeypatch.setattr(peaks, "measure", fails)
    with pytest.raises(RuntimeError, match="the device is lost"):
        bounded(TIMING, job_of(pointwise()), ON_CPU)


@pytest.mark.parametrize("allowed", [True, False])
def test_convolutions_on_a_gpu_have_the_rate_that_torch_gives_them(
    monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    """Nothing is run: the graph is followed by its shapes."""
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", allowed)
    shapes = {"x": ((1, 64, 32, 32), "float32"), "w_1": ((64, 64, 3, 3), "float32")}
    found = graph("conv", shapes, "y = torch.conv2d(x, w_1, None, (1, 1), (1, 1))", "return (y,)")
    flops = 2 * 64 * 64 * 9 * 32 * 32
    plain = replace(CEILINGS, device="cuda")
    job: Job = job_of(found, "cuda")
    known(monkeypatch, replace(plain, matmul_gflops={"float32": 10.0, "tf32": 80.0, "bfloat16": 160.0}))
    rate = 80.0 if allowed else 10.0
    assert bounded(TIMING, job, ON_CPU).bound_us == pytest.approx(flops / rate / 1e3)
    known(monkeypatch, plain)  # peaks that were measured without TF32
    assert (bounded(TIMING, job, ON_CPU).bound_us is None) == allowed
