"""Lets Inductor lower and schedule for a CUDA device that this machine does not have. No code is generated or run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import torch
from torch._inductor import config
from torch._inductor.runtime.hints import DeviceProperties
from torch._inductor.scheduler import Scheduler
from torch._prims_common import suggest_memory_format


@dataclass(frozen=True)
class _Accelerator:
    """Properties of a device that fusion decisions read: the figures of an H100 or H200."""

    name: str = "H200"
    major: int = 9
    minor: int = 0
    multi_processor_count: int = 132
    regs_per_multiprocessor: int = 65536
    max_threads_per_multi_processor: int = 2048
    max_threads_per_block: int = 1024
    warp_size: int = 32
    total_memory: int = 141 * 10**9
    shared_memory_per_block: int = 49152
    shared_memory_per_block_optin: int = 232448
    L2_cache_size: int = 50 * 1024**2
    # A torch without CUDA asks for it where one with CUDA asks for the name.
    gcnArchName: str = ""  # noqa: N815


# Settings that only change how kernels are written or ordered, or that would compute on the missing device.
_SETTINGS: dict[str, object] = {
    "joint_graph_constant_folding": False,
    "reorder_for_peak_memory": False,
    "fx_graph_cache": False,
    "max_autotune": False,
    "max_autotune_gemm": False,
    "benchmark_fusion": False,
    "benchmark_epilogue_fusion": False,
    "compile_threads": 1,
}


@contextmanager
def scheduling(device: torch.device) -> Iterator[None]:
    """Inductor's settings for scheduling alone. If `device` is CUDA and missing, also the replies in its place."""
    with config.patch(_SETTINGS), replaced(Scheduler, "merge_loops", _nothing), present(device):
        # Rewriting the loops of fused kernels is for code generation. It fuses nothing.
        yield


@contextmanager
def present(device: torch.device) -> Iterator[None]:
    """Replies in place of a missing CUDA device, so that Inductor lowers for it."""
    with ExitStack() as stack:
        if device.type == "cuda" and not torch.cuda.is_available():
            _pretend(stack)
        yield


def _pretend(stack: ExitStack) -> None:
    accelerator = _Accelerator()
    properties = DeviceProperties(
        type="cuda",
        index=0,
        multi_processor_count=accelerator.multi_processor_count,
        cc=90,
        major=accelerator.major,
        regs_per_multiprocessor=accelerator.regs_per_multiprocessor,
        max_threads_per_multi_processor=accelerator.max_threads_per_multi_processor,
        max_threads_per_block=accelerator.max_threads_per_block,
        warp_size=accelerator.warp_size,
    )
    known = DeviceProperties.create
    answers: dict[str, object] = {
        "get_device_properties": lambda *device: accelerator,
        "get_device_capability": lambda *device: (accelerator.major, accelerator.minor),
        "get_device_name": lambda *device: accelerator.name,
        "current_device": lambda: 0,
    }
    for name, answer in answers.items():
        stack.enter_context(replaced(torch.cuda, name, answer))
    stack.enter_context(replaced(torch._C, "_conv_determine_backend_memory_format", _convolution_format))
    # These methods ask for the driver, the operators that they stand for do not.
    stack.enter_context(replaced(torch.Tensor, "copy_", _copy))
    stack.enter_context(replaced(torch.Tensor, "contiguous", _contiguous))
    stack.enter_context(replaced(torch.Tensor, "nonzero", _nonzero))
    create = staticmethod(lambda device: properties if device.type == "cuda" else known(device))
    stack.enter_context(replaced(DeviceProperties, "create", create))
    stack.enter_context(replaced(Scheduler, "create_backend", _create_backend))


def _convolution_format(values: torch.Tensor, weight: torch.Tensor, backend: object) -> torch.memory_format:
    """The order in memory of what cuDNN's convolutions return: channels last where an operand has it."""
    last = {4: torch.channels_last, 5: torch.channels_last_3d}.get(weight.ndim)
    formats = (suggest_memory_format(values), suggest_memory_format(weight))
    return last if last in formats and values.dtype != torch.float64 else torch.contiguous_format


def _copy(target: torch.Tensor, source: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    copied: torch.Tensor = torch.ops.aten.copy_.default(target, source, non_blocking)
    return copied


def _contiguous(value: torch.Tensor, *, memory_format: torch.memory_format = torch.contiguous_format) -> torch.Tensor:
    made: torch.Tensor = torch.ops.aten.contiguous.default(value, memory_format=memory_format)
    return made


def _nonzero(value: torch.Tensor) -> torch.Tensor:
    """Called when a mask of booleans is an index."""
    found: torch.Tensor = torch.ops.aten.nonzero.default(value)
    return found


@contextmanager
def replaced(owner: object, name: str, value: object) -> Iterator[None]:
    """Sets another attribute of a module or class for a while. An inherited one is restored too."""
    own = name in vars(owner)
    known = vars(owner).get(name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if own:
            setattr(owner, name, known)
        else:
            delattr(owner, name)


def _nothing(scheduler: Scheduler) -> None:
    """Replaces a step that is left out."""


def _create_backend(scheduler: Scheduler, device: torch.device) -> object:
    """The backend of the device, without asking whether Triton could run on it."""
    from torch._inductor.codegen.common import get_scheduling_for_device
    from torch._inductor.virtualized import V

    V.graph.add_device_info(device)
    make = get_scheduling_for_device(device.type)
    assert make is not None, f"Inductor has no scheduling for {device.type}"
    return make(scheduler)
