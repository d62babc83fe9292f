"""Finds a compiler for CUDA C++ on this machine: the NVRTC library that comes with torch, or nvcc."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from passnet.errors import InfrastructureError
from passnet.kernels.compilation.toolchain import file_identity

SOURCE_NAME = "kernel.cu"
OUTPUT_NAME = "kernel.cubin"

_HERE = Path(__file__).parents[1]
_TOOLKITS = (Path("/usr/local/cuda"), Path("/opt/cuda"))


@dataclass(frozen=True)
class CudaCompiler:
    """One way to make a cubin: the command up to its options, and the options that are always given."""

    name: str
    command: tuple[str, ...]
    options: tuple[str, ...]
    identity: str

    def command_line(self, *, arch: str, fast_math: bool) -> list[str]:
        """The whole command. It runs in a directory that holds SOURCE_NAME and writes OUTPUT_NAME."""
        fast = ["--use_fast_math"] if fast_math else []
        return [*self.command, *self.options, f"--gpu-architecture={arch}", *fast]


@functools.cache
def find_cuda_compiler() -> CudaCompiler:
    """NVRTC before nvcc, because it is faster and comes with torch. InfrastructureError when there is neither."""
    found = _nvrtc() or _nvcc()
    if found is None:
        raise InfrastructureError(
            "no CUDA compiler on this machine: neither the NVRTC library (it comes with torch's CUDA builds; alone: "
            "pip install nvidia-cuda-nvrtc) nor nvcc (the CUDA toolkit) was found"
        )
    return found


def _nvrtc() -> CudaCompiler | None:
    candidates = [path for root in _library_roots() for path in root.glob("libnvrtc.so*")]
    if not candidates:
        return None
    library = max(candidates, key=_version)
    command = (sys.executable, "-I", str(_HERE / "gpu" / "nvrtc.py"), str(library), SOURCE_NAME, OUTPUT_NAME)
    headers = (_HERE / "include" / "nvrtc", *_header_directories())
    options = ("--std=c++17", *(f"-I{path}" for path in headers))
    return CudaCompiler("nvrtc", command, options, file_identity(library.resolve()))


def _version(path: Path) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", path.resolve().name))


def _nvcc() -> CudaCompiler | None:
    found = shutil.which("nvcc") or next((str(p) for root in _TOOLKITS if (p := root / "bin" / "nvcc").exists()), None)
    if found is None:
        return None
    options = ("-O3", "-std=c++17", "-cubin", SOURCE_NAME, "-o", OUTPUT_NAME)
    return CudaCompiler("nvcc", (found,), options, file_identity(Path(found).resolve()))


def _library_roots() -> list[Path]:
    torch_library = _package("torch")
    roots = [base / "lib" for base in _nvidia_packages()]
    if torch_library is not None:
        roots.append(torch_library / "lib")
    return [*roots, *(root / "lib64" for root in _TOOLKITS)]


def _header_directories() -> list[Path]:
    """The directories of cuda_fp16.h and similar headers. Plain kernels need none of them."""
    found = [base / "include" for base in _nvidia_packages()] + [root / "include" for root in _TOOLKITS]
    return [path for path in found if (path / "cuda_fp16.h").exists()][:1]


def _nvidia_packages() -> list[Path]:
    """The directories of NVIDIA's wheels: `nvidia/cu13` (one for all) or `nvidia/cuda_nvrtc` and similar ones."""
    spec = find_spec("nvidia")
    roots = [Path(path) for path in spec.submodule_search_locations or ()] if spec is not None else []
    return sorted((path for root in roots for path in root.iterdir() if path.is_dir()), reverse=True)


def _package(name: str) -> Path | None:
    spec = find_spec(name)
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None


def cuda_compiler_version(compiler: CudaCompiler) -> str:
    """One line for people and records."""
    if compiler.name == "nvrtc":
        return f"NVRTC {Path(compiler.command[3]).resolve().name}"
    done = subprocess.run([*compiler.command, "--version"], capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if "release" in line]
    return f"nvcc, {lines[0].strip()}" if lines else "nvcc"
