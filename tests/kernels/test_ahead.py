"""Triton kernels compiled before the first call, without a device and without a trace in the program."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import torch

from passnet.kernels.ahead import compile_ahead
from passnet.kernels.triton_check import no_device
from tests.kernels.kernel_marks import needs_triton

pytestmark = needs_triton


@pytest.fixture
def kernels() -> Iterator[ModuleType]:
    sys.path.insert(0, str(Path(__file__).parent))
    sys.modules.pop("triton_kernels", None)
    import triton_kernels

    with no_device():
        yield triton_kernels
    sys.path.pop(0)


def two() -> tuple[torch.Tensor, torch.Tensor]:
    return torch.randn(1000), torch.randn(1000)


def kept(kernel: object) -> int:
    """The compiled forms that a kernel holds."""
    return sum(len(caches[0]) for caches in kernel.device_caches.values())  # type: ignore[attr-defined]


def test_what_a_call_launches_is_compiled_once(kernels: ModuleType) -> None:
    compile_ahead(kernels.add, two())
    assert kept(kernels.add_kernel) == 1
    kernels.add_kernel.warmup(*two(), torch.empty(1000), 1000, BLOCK=128, grid=(8,))
    assert kept(kernels.add_kernel) == 1, "the first call finds it"


def test_all_configurations_are_compiled_and_none_is_chosen(kernels: ModuleType) -> None:
    compile_ahead(kernels.tuned_add, two())
    assert kept(kernels.add_kernel) == 2
    assert not kernels.tuned_kernel.cache


def test_a_call_that_fails_on_tensors_without_data_is_left_alone(kernels: ModuleType) -> None:
    def reads(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        sums = kernels.add(x, y)
        return sums if float(x[0]) > 0 else y

    compile_ahead(reads, two())
    assert kept(kernels.add_kernel) == 1
    compile_ahead(lambda x, y: kernels.undefined_kernel[(1,)](x, 64), two())


def test_triton_launches_and_tunes_again_afterwards(kernels: ModuleType) -> None:
    from triton.runtime.autotuner import Autotuner
    from triton.runtime.jit import JITFunction

    before = JITFunction.run, Autotuner.run
    compile_ahead(kernels.tuned_add, two())
    assert (JITFunction.run, Autotuner.run) == before
