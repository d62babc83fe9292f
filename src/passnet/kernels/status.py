"""Which kernel languages work on this machine, for reports and `doctor`; starts at most `--version` commands."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass

from passnet.errors import InfrastructureError
from passnet.kernels.cuda_toolchain import cuda_compiler_version, find_cuda_compiler
from passnet.kernels.toolchain import compiler_version, find_toolchain


@dataclass(frozen=True)
class ToolStatus:
    """One language: whether kernels in it can be compiled here, and its version or what to do."""

    language: str
    usable: bool
    detail: str


def tools() -> tuple[ToolStatus, ...]:
    """C++, CUDA C++, Triton, numba, in this order. Whether a GPU is there is not asked."""
    return (
        _compiled("C++", lambda: compiler_version(find_toolchain())),
        _compiled("CUDA C++", lambda: cuda_compiler_version(find_cuda_compiler())),
        _installed("Triton", "triton"),
        _installed("numba", "numba"),
    )


def _compiled(language: str, version: Callable[[], str]) -> ToolStatus:
    try:
        return ToolStatus(language, True, version())
    except InfrastructureError as error:
        return ToolStatus(language, False, str(error))


def _installed(language: str, package: str) -> ToolStatus:
    if importlib.util.find_spec(package) is None:
        return ToolStatus(language, False, f"not installed (pip install {package})")
    return ToolStatus(language, True, f"{package} {importlib.metadata.version(package)}")
