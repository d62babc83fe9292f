"""What Triton finds out about its own installation before the first kernel, found out once for many processes."""

from __future__ import annotations

import contextlib
import importlib
import subprocess
from collections.abc import Callable
from typing import Any

import torch

# Functions that keep their answer. Their home differs between versions of Triton; one that is not there is left out,
# and each process then finds out by itself.
_ANSWERS: tuple[tuple[str, str, bool], ...] = (
    ("triton.runtime.cache", "triton_key", False),
    ("triton.compiler.compiler", "triton_key", False),
    ("triton.backends.nvidia.compiler", "get_ptxas_version", True),
    ("triton.backends.nvidia.driver", "libcuda_dirs", False),
)
_MODULES = ("triton.language", "triton.runtime.jit", "triton.experimental.gluon.nvidia.hopper")


def arch_of(device: str) -> int | None:
    """The architecture of the current GPU, as 90. None for the CPU."""
    if device == "cpu":
        return None
    major, minor = torch.cuda.get_device_capability()
    return 10 * major + minor


def remember(arch: int) -> None:
    """Ask for a hash of all of Triton's files, and for the version of its assembler. Never touches CUDA.

    Modules that Triton imports at its first launch are imported too.
    """
    for name in _MODULES:
        with contextlib.suppress(ImportError):  # another version of Triton has no such module
            importlib.import_module(name)
    for module, name, takes_arch in _ANSWERS:
        try:
            answer: Callable[..., Any] | None = getattr(importlib.import_module(module), name, None)
            if hasattr(answer, "cache_info"):
                assert answer is not None
                answer(*([arch] if takes_arch else []))
        except (ImportError, AssertionError, OSError, RuntimeError, subprocess.SubprocessError):
            continue  # only time is lost: a process that needs the answer asks again, and says why there is none
