"""Compiles the Triton kernels of a program before it is first called.

A first call compiles, which takes seconds of a processor and none of a GPU. So a judge has it done beside other work,
before the device is held. The program runs on tensors without data, and its launches end where they would begin.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import torch

from passnet.kernels.triton_check import instead_of_launching


def compile_ahead(call: Callable[..., object], inputs: Sequence[torch.Tensor]) -> None:
    """Compile what a call launches with inputs like these. What cannot be compiled so is left to the first call.

    Whatever the call returns or raises says nothing: tensors without data may be a case that it is not made for.
    """
    if "triton" not in sys.modules:  # no file of the program uses it
        return
    shapes = [torch.empty_strided(t.shape, t.stride(), dtype=t.dtype, device="meta") for t in inputs]
    with _untuned(), instead_of_launching(_compile), suppress(Exception):
        call(*shapes)


@contextmanager
def _untuned() -> Iterator[None]:
    """An autotuned kernel is compiled in all its configurations, and none is chosen: nothing ran that was timed."""
    from triton.runtime.autotuner import Autotuner

    run = Autotuner.run

    def warm_up(tuner: Any, *args: Any, warmup: bool = False, **kwargs: Any) -> Any:
        return tuner.warmup(*args, **kwargs)

    Autotuner.run = warm_up
    try:
        yield
    finally:
        Autotuner.run = run


def _compile(run: Callable[..., Any], kernel: Any, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
    compiled = run(kernel, *args, grid=grid, warmup=True, **kwargs)
    _compile_launcher(compiled)
    return compiled


def _compile_launcher(compiled: Any) -> None:
    """Have Triton compile the C text that launches a kernel, which takes as long as the kernel. It keeps it on disk."""
    from triton.runtime.driver import driver

    with suppress(Exception):  # the first launch compiles it, and says what is wrong
        driver.active.launcher_cls(compiled.src, compiled.metadata)
