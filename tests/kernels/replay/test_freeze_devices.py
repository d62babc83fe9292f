"""Frozen launches of CUDA C++ and Triton, from the wrapper to the driver's door, on a device that is not there."""

from __future__ import annotations

import gc
import types

import pytest
import torch

from passnet.kernels.ghost import ghosts
from passnet.kernels.gpu.launch import ArgumentKind
from passnet.kernels.replay import codegen, frozen_launch, recorder
from passnet.kernels.replay.freeze import freeze
from passnet.kernels.replay.frozen_launch import DriverLaunch, TritonLaunch, packed_scalar
from passnet.kernels.replay.plan import NotFrozen
from passnet.rewrite.rules.kept_memory import PACKAGE_PREFIX, held_memory
from tests.kernels.device_fakes import HANDLE, FakeDevice, triton_driver

X = torch.randn(40, 25)


@pytest.fixture
def device(monkeypatch) -> FakeDevice:
    made = FakeDevice()
    monkeypatch.setattr(frozen_launch, "cuda_driver", lambda: made)
    monkeypatch.setattr(codegen, "raw_stream", lambda index: made.now)
    monkeypatch.setattr(recorder._Recorder, "_current_stream", lambda self: made.now)
    return made


# --- CUDA C++ ------------------------------------------------------------------------------------------------


def cuda_wrapper(device, factor=2.5):
    kernel = device.kernel()

    def times(x):
        out = torch.empty_like(x)
        kernel[-(-x.numel() // 128), 128, 64](x, out, x.numel(), factor)
        return out

    return times


def test_a_cuda_launch_is_replayed_as_it_was(device):
    wrapper = cuda_wrapper(device)
    assert torch.equal(wrapper(X), X * 2.5)
    ordinary = device.last
    made = freeze(wrapper, (X,))
    device.now = 1234  # the user's stream of the moment
    before = device.launched
    assert torch.equal(made.call(X + 1), (X + 1) * 2.5)
    assert device.launched == before + 1
    assert device.last == ordinary | {"stream": 1234}
    assert [step.name for step in made.plan.launches] == ["times"]


def test_a_launch_that_was_watched_keeps_nothing_of_it(device):
    kernel = device.kernel()

    def times(x):
        out = torch.empty_like(x)
        kernel[1, 128, 64](x, out, x.numel(), 2.5)
        return out

    module = types.ModuleType(f"{PACKAGE_PREFIX}watched")
    module.kernel = kernel
    freeze(times, (X,))
    assert held_memory([module], [times]) == []


def test_a_launch_of_a_wrapper_that_takes_no_tensor_is_replayed(device):
    kernel = device.kernel()

    def constant():
        ones, out = torch.ones(5, 25), torch.empty(5, 25)
        kernel[1, 128](ones, out, 125, 4.0)
        return out

    made = freeze(constant, ())
    device.now = 77
    before = device.launched
    assert torch.equal(made.call(), torch.full((5, 25), 4.0))
    assert device.launched == before + 1
    assert device.last["stream"] == 77


def test_the_address_of_a_view_is_the_views(device):
    kernel = device.kernel()

    def rows(x):
        out = torch.empty(3, x.shape[1])
        kernel[1, 32](x[5], out[0], x.shape[1], 1.0)
        kernel[1, 32](x[7], out[1:], x.shape[1], 2.0)
        kernel[1, 32](x.view(-1)[10:], out[2], x.shape[1], 3.0)
        return out

    made = freeze(rows, (X,))
    other = torch.randn_like(X)
    assert torch.equal(made.call(other), torch.stack((other[5], other[7] * 2, other.view(-1)[10:35] * 3)))


def test_the_drivers_refusal_is_told(device):
    wrapper = cuda_wrapper(device, 700.0)
    with pytest.raises(NotFrozen, match=r"raises RuntimeError: launching times.*code 700"):
        freeze(wrapper, (X,))
    launch = DriverLaunch(
        "times", HANDLE, (1, 1, 1), (1, 1, 1), 0, (None, None, 0, packed_scalar("", ArgumentKind.FLOAT, 700))
    )
    prepared = launch.prepare()
    with pytest.raises(RuntimeError, match="launching times failed: code 700"):
        prepared.call(0, X.data_ptr(), X.data_ptr())
    with pytest.raises(TypeError, match="takes a stream and 2 addresses"):
        prepared.call(0, X.data_ptr())


def test_a_thread_without_a_context_gets_one(device, monkeypatch):
    asked = []
    device.entered = lambda index: not asked.append(index) and len(asked) == 1
    values = (None, None, 0, packed_scalar("", ArgumentKind.FLOAT, 700.0))
    failing = DriverLaunch("times", HANDLE, (1, 1, 1), (1, 1, 1), 0, values, device=3).prepare()
    before = device.launched
    with pytest.raises(RuntimeError):
        failing.call(0, X.data_ptr(), X.data_ptr())
    assert asked == [3, 3]
    assert device.launched == before + 2  # tried again once, in the context


def cuda_frozen(device):
    wrapper = cuda_wrapper(device)
    wrapper(X)
    return freeze(wrapper, (X,))


def test_a_stream_of_its_own_is_refused(device, monkeypatch):
    streams = iter([0, 9])  # when the recording begins, and when the kernel is launched
    wrapper = cuda_wrapper(device)
    wrapper(X)
    monkeypatch.setattr(recorder._Recorder, "_current_stream", lambda self: next(streams))
    with pytest.raises(NotFrozen, match="launches times on a stream of its own"):
        freeze(wrapper, (X,))


def test_frozen_cuda_launches_can_be_switched_off(device):
    made = cuda_frozen(device)
    before = device.launched
    with ghosts() as skipped:
        made.call(X)
        made.call(X)
        assert skipped() == 2
    assert device.launched == before
    assert torch.equal(made.call(X), X * 2.5)


@pytest.mark.parametrize(
    ("kind", "value", "bits"),
    [
        (ArgumentKind.FLOAT, 1.0, 0x3F800000),
        (ArgumentKind.DOUBLE, 1.0, 0x3FF0000000000000),
        (ArgumentKind.TRUTH, True, 1),
        (ArgumentKind.SIGNED, -3, 2**64 - 3),
        (ArgumentKind.UNSIGNED, 2**63, 2**63),
        (ArgumentKind.POINTER, None, 0),
    ],
)
def test_numbers_are_packed_as_the_driver_reads_them(kind, value, bits):
    assert packed_scalar("k", kind, value) == bits


def test_other_arguments_cannot_be_packed():
    with pytest.raises(NotFrozen, match="k is given a str"):
        packed_scalar("k", ArgumentKind.SIGNED, "3")


# --- Triton --------------------------------------------------------------------------------------------------


@pytest.fixture
def launcher(device, monkeypatch):
    pytest.importorskip("triton")
    from triton.runtime.driver import driver

    made, counted = triton_driver(device)
    before = driver._active
    driver.set_active(made)
    forget_compiled()  # by other drivers
    yield counted
    forget_compiled()
    driver._active = before


def forget_compiled():
    from tests.kernels import triton_kernels

    triton_kernels.COMPILED.clear()
    for kernel in (triton_kernels.times_kernel, triton_kernels.tuned_times.fn.fn):
        kernel.device_caches.clear()
    gc.collect()  # kernels are unloaded by their driver, while it is there


def test_a_triton_launch_is_replayed_by_the_driver_alone(device, launcher):
    from tests.kernels.triton_kernels import times

    assert torch.equal(times(X), X * 2.5)
    made = freeze(times, (X,))
    (launch,) = made.plan.launches
    assert isinstance(launch.launcher, DriverLaunch)
    assert launch.name == "times_kernel"
    before, device.now = launcher.calls, 99
    assert torch.equal(made.call(X * 2), X * 5)
    assert launcher.calls == before
    assert device.last["stream"] == 99
    assert device.last["grid"] == [8, 1, 1]
    assert device.last["block"] == [128, 1, 1]


def test_an_autotuned_kernel_with_heuristics_resolves_to_one(device, launcher):
    from tests.kernels.triton_kernels import tuned

    tuned(X)
    made = freeze(tuned, (X,))
    assert len(made.plan.launches) == 1
    before = device.launched
    assert torch.equal(made.call(X + 1), (X + 1) * 2.5)
    assert device.launched == before + 1


def test_a_kernel_kept_compiled_is_seen_too(device, launcher):
    from tests.kernels.triton_kernels import kept_compiled

    kept_compiled(X)
    made = freeze(kept_compiled, (X,))
    assert [step.name for step in made.plan.launches] == ["times_kernel"]
    assert torch.equal(made.call(X - 1), (X - 1) * 2.5)


@pytest.mark.parametrize("sizes", [None, (8, 8, 4), (8, 8, 8, 4, 8, 8), (8, 8, 4, 4, 8, 8, 8)])
def test_a_kernel_of_other_parameters_goes_through_tritons_launcher(device, launcher, sizes):
    from tests.kernels.triton_kernels import times

    times(X)
    device.sizes = sizes
    made = freeze(times, (X,))
    assert isinstance(made.plan.launches[0].launcher, TritonLaunch)
    before = launcher.calls
    assert torch.equal(made.call(X * 2), X * 5)
    assert launcher.calls == before + 1
    with ghosts() as skipped:
        made.call(X)
        assert skipped() == 1
    assert launcher.calls == before + 1


@pytest.mark.parametrize("sizes", [(8, 8, 4, 4), (8, 8, 4, 4, 8)])
def test_fewer_scratch_parameters_are_no_matter(device, launcher, sizes):
    from tests.kernels.triton_kernels import times

    times(X)
    device.sizes = sizes
    made = freeze(times, (X,))
    assert isinstance(made.plan.launches[0].launcher, DriverLaunch)
    assert torch.equal(made.call(X * 2), X * 5)


def test_other_alignment_is_another_kernel(device, launcher):
    """Triton compiles wide loads for addresses that are multiples of 16."""
    from tests.kernels.triton_kernels import times

    times(X)
    made = freeze(times, (X,))
    shifted = torch.randn(X.numel() + 1)[1:].view(X.shape)
    before = launcher.calls
    assert torch.equal(made.call(shifted), shifted * 2.5)
    assert launcher.calls == before + 1
    odd = freeze(times, (shifted,))
    assert torch.equal(odd.call(shifted), shifted * 2.5)
    assert launcher.calls == before + 3  # two recordings
    assert torch.equal(odd.call(X), X * 2.5)
    assert launcher.calls == before + 4


def test_kernels_kept_compiled_can_be_switched_off(device, launcher):
    from tests.kernels.triton_kernels import kept_compiled

    kept_compiled(X)
    before = device.launched
    with ghosts() as skipped:
        kept_compiled(X)
        assert skipped() == 1
    assert device.launched == before


@pytest.mark.slow
def test_an_empty_grid_launches_nothing(device, launcher):
    from tests.kernels.triton_kernels import nothing

    nothing(X)
    assert freeze(nothing, (X,)).plan.launches == ()
