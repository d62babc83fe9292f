"""What kernel tests need of the machine, as marks that say what is missing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from passnet.errors import InfrastructureError
from passnet.kernels import triton_check
from passnet.kernels.compilation.cuda_toolchain import find_cuda_compiler
from passnet.kernels.compilation.toolchain import find_toolchain, is_clang


def _compiles_cuda() -> bool:
    try:
        find_cuda_compiler()
    except InfrastructureError:
        return False
    return True


IS_CLANG = is_clang(find_toolchain().compiler)
needs_openmp = pytest.mark.skipif(IS_CLANG, reason="OpenMP of kernels needs g++")
needs_cuda_compiler = pytest.mark.skipif(not _compiles_cuda(), reason="neither NVRTC nor nvcc is on this machine")
needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device on this machine")
needs_triton = pytest.mark.skipif(triton_check.available() is not None, reason=str(triton_check.available()))


def on_gpu(test: Callable[..., None]) -> Callable[..., None]:
    """A test that compiles CUDA C++ and launches it."""
    return pytest.mark.gpu(needs_gpu(needs_cuda_compiler(test)))
