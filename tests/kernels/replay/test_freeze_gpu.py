"""Frozen launches on a real GPU: Triton, autotuned Triton, CUDA C++; user streams, other devices, threads, graphs."""

from __future__ import annotations

import threading

import pytest
import torch

from passnet.kernels.ghost import ghosts
from passnet.kernels.replay.freeze import freeze
from passnet.kernels.replay.frozen_launch import DriverLaunch, TritonLaunch
from passnet.kernels.replay.plan import NotFrozen

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device on this machine"),
]

SOURCE = """
#include <cuda_fp16.h>
extern "C" __global__ void times(const float* x, float* out, long long count, float factor) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < count) out[i] = x[i] * factor;
}
extern "C" __global__ void add(const __half* x, const __half* y, __half* out, int count, bool twice, double scale) {
  extern __shared__ float row[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  row[threadIdx.x] = i < count ? __half2float(x[i]) + __half2float(y[i]) : 0.0f;
  __syncthreads();
  if (i < count) out[i] = __float2half(row[threadIdx.x] * (twice ? 2.0f : 1.0f) * (float)scale);
}
"""


@pytest.fixture(scope="module")
def library():
    from passnet.errors import InfrastructureError
    from passnet.kernels import cuda

    try:
        return cuda(SOURCE)
    except InfrastructureError as error:
        pytest.skip(str(error))


@pytest.fixture
def x():
    return torch.randn(100, 40, device="cuda")


def triton_wrappers():
    pytest.importorskip("triton")
    from tests.kernels import triton_kernels

    return triton_kernels


def cuda_times(library):
    def times(x):
        out = torch.empty_like(x)
        library.times[-(-x.numel() // 128), 128](x, out, x.numel(), 2.5)
        return out

    return times


@pytest.fixture(params=["times", "tuned", "kept_compiled", "cuda"])
def wrapper(request, library):
    chosen = cuda_times(library) if request.param == "cuda" else getattr(triton_wrappers(), request.param)
    if request.param == "kept_compiled":
        triton_wrappers().COMPILED.clear()

    def warm(x):
        chosen(x)
        chosen(x)
        return chosen

    warm.any_address = request.param != "kept_compiled"  # its wrapper reuses what was compiled for aligned memory
    return warm


def test_a_replay_gives_the_wrappers_bits(wrapper, x):
    chosen = wrapper(x)
    made = freeze(chosen, (x,))
    for _ in range(5):
        other = torch.randn_like(x)
        assert torch.equal(made.call(other), chosen(other))
    (launch,) = made.plan.launches
    assert isinstance(launch.launcher, DriverLaunch), "the driver is called directly"


def test_shared_memory_and_every_kind_of_number(library):
    def add(x, y):
        out = torch.empty_like(x)
        library.add[-(-x.numel() // 256), 256, 1024](x, y, out, x.numel(), True, 0.5)
        return out

    x, y = (torch.randn(1000, device="cuda").half() for _ in range(2))
    add(x, y)
    made = freeze(add, (x, y))
    assert torch.equal(made.call(y, x), add(y, x))
    assert torch.equal(made.call(x, y), x + y)


def test_a_view_is_handed_over_at_its_address(library):
    def rows(x):
        both = torch.zeros(2, x.shape[1], device=x.device)
        library.times[1, 64](x[3], both[0], x.shape[1], 1.0)
        library.times[1, 64](x[5], both[1], x.shape[1], 2.0)
        return both.unbind(0)

    x = torch.randn(8, 40, device="cuda")
    rows(x)
    made = freeze(rows, (x,))
    first, second = made.call(x)
    assert torch.equal(first, x[3])
    assert torch.equal(second, x[5] * 2)


def test_launches_follow_the_current_stream(wrapper):
    x = torch.randn(1 << 20, device="cuda")
    chosen = wrapper(x)
    made = freeze(chosen, (x,))
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.cuda._sleep(20_000_000)
        out = made.call(x)
        assert not side.query(), "the kernel waits behind what this stream does"
    side.synchronize()
    assert torch.equal(out, x * 2.5)


def test_another_shape_dtype_or_alignment_is_the_wrappers(wrapper, x):
    chosen = wrapper(x)
    made = freeze(chosen, (x,))
    others = [x[:50].contiguous(), x.t().contiguous()]
    if wrapper.any_address:
        others.append(torch.randn(x.numel() + 1, device="cuda")[1:].view(x.shape))
    for other in others:
        assert torch.equal(made.call(other), other * 2.5)


def test_a_misaligned_recording_serves_misaligned_tensors(wrapper, x):
    shifted = torch.randn(x.numel() + 1, device="cuda")[1:].view(x.shape)
    chosen = wrapper(shifted)
    made = freeze(chosen, (shifted,))
    assert torch.equal(made.call(shifted), shifted * 2.5)
    assert torch.equal(made.call(x), x * 2.5)


def test_a_fresh_thread_may_replay(wrapper, x):
    made = freeze(wrapper(x), (x,))
    found = []
    thread = threading.Thread(target=lambda: found.append(made.call(x)))
    thread.start()
    thread.join()
    assert torch.equal(found[0], x * 2.5)


def test_a_replay_can_be_captured_in_a_graph(wrapper, x):
    made = freeze(wrapper(x), (x,))
    made.call(x)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = made.call(x)
    x.fill_(3.0)
    graph.replay()
    assert torch.equal(out, x * 2.5)


def test_kernels_of_a_replay_can_be_switched_off(wrapper, x):
    made = freeze(wrapper(x), (x,))
    with ghosts() as skipped:
        made.call(x)
        made.call(x)
        assert skipped() == 2
    assert torch.equal(made.call(x), x * 2.5)


def test_the_slow_way_computes_the_same(x, monkeypatch):
    from passnet.kernels.gpu.driver import CudaDriver

    monkeypatch.setattr(CudaDriver, "parameter_sizes", lambda self, function: None)
    kernels = triton_wrappers()
    kernels.times(x)
    made = freeze(kernels.times, (x,))
    assert isinstance(made.plan.launches[0].launcher, TritonLaunch)
    assert torch.equal(made.call(x + 1), (x + 1) * 2.5)


def test_the_driver_knows_a_kernels_parameters(library):
    from passnet.kernels.gpu.driver import cuda_driver

    handle = cuda_driver().function(library.cubin, "add", torch.cuda.current_device(), 0)
    assert cuda_driver().parameter_sizes(handle) == (8, 8, 8, 4, 1, 8)


def test_another_device_is_the_wrappers(wrapper, x):
    if torch.cuda.device_count() < 2:
        pytest.skip("one CUDA device only")
    made = freeze(wrapper(x), (x,))
    there = x.to("cuda:1")
    with torch.cuda.device(1):
        assert torch.equal(made.call(there), there * 2.5)
    with pytest.raises(NotFrozen, match="not the current device"):
        freeze(wrapper(x), (there,))


def test_reading_a_value_is_refused(library, x):
    def reads(x):
        out = torch.empty_like(x)
        library.times[-(-x.numel() // 128), 128](x, out, x.numel(), x[0, 0].item())
        return out

    reads(x)
    with pytest.raises(NotFrozen, match="reads a value"):
        freeze(reads, (x,))


def test_a_stream_of_its_own_is_refused(library, x):
    side = torch.cuda.Stream()

    def aside(x):
        out = torch.empty_like(x)
        with torch.cuda.stream(side):
            library.times[-(-x.numel() // 128), 128](x, out, x.numel(), 2.5)
        return out

    aside(x)
    with pytest.raises(NotFrozen, match=r"torch\.cuda|stream"):
        freeze(aside, (x,))


def test_properties_of_the_device_may_be_asked(library, x):
    def by_processors(x):
        blocks = torch.cuda.get_device_properties(x.device).multi_processor_count
        out = torch.empty_like(x)
        with torch.cuda.device(x.device):
            library.times[max(blocks, -(-x.numel() // 128)), 128](x, out, x.numel(), 2.5)
        return out

    by_processors(x)
    assert torch.equal(freeze(by_processors, (x,)).call(x), x * 2.5)
