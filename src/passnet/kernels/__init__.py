"""The trusted helpers that pass files import. They turn kernel source into functions on tensors.

For passes: `cpp`, `cuda`. For the process that runs them: `configure` (cache directory, how compilers are run), and the
module `triton_check`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from passnet.kernels.compilation.compile import configure
    from passnet.kernels.gpu.library import CudaLibrary, cuda
    from passnet.kernels.native import Library, cpp

_HOMES = {
    "CudaLibrary": "gpu.library",
    "Library": "native",
    "configure": "compilation.compile",
    "cpp": "native",
    "cuda": "gpu.library",
}

__all__ = ["CudaLibrary", "Library", "configure", "cpp", "cuda"]


def __getattr__(name: str) -> Any:
    """Loads each name on first use, so that importing this package does not import torch."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
