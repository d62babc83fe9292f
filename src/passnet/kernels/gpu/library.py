"""`cuda`: compiles CUDA C++ source to kernels that are launched on torch's current stream."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import torch

from passnet.errors import UsageError
from passnet.kernels.compilation import binding, compile
from passnet.kernels.compilation.cuda_toolchain import OUTPUT_NAME, SOURCE_NAME, CudaCompiler, find_cuda_compiler
from passnet.kernels.compilation.diagnostics import compile_error
from passnet.kernels.compilation.prototypes import Prototype, exported
from passnet.kernels.gpu.driver import cuda_driver
from passnet.kernels.gpu.launch import Driver, GpuKernel, scalar_kind
from passnet.kernels.native import room_key
from passnet.kernels.policy.device_code import check_cubin
from passnet.kernels.policy.source import check_source

_EXAMPLE = 'extern "C" __global__ void scale(const float* x, float* out, long long count) { ... }'

# The target on a machine without a GPU. Compiling for it finds mistakes.
DEFAULT_ARCH = "sm_90"
_ARCH = re.compile(r"sm_\d{2,3}[af]?")


class CudaLibrary:
    """The kernels of one source, as attributes: `library.scale[grid, block](x, out, x.numel())`.

    Pointer parameters take CUDA tensors (or None), scalar parameters take numbers. Arguments are checked as for C++.
    The device code is loaded when a kernel is first launched, so `cubin` can be read without a GPU.
    """

    def __init__(self, cubin: Path, prototypes: tuple[Prototype, ...], driver: Driver | None = None) -> None:
        self.cubin = cubin
        self.prototypes = {prototype.name: prototype for prototype in prototypes}
        self._driver = driver

    def __getattr__(self, name: str) -> GpuKernel:
        if name not in self.prototypes:
            raise AttributeError(f"the CUDA source exports no {name!r}; it exports {', '.join(self.prototypes)}")
        kernel = GpuKernel(self.cubin, self.prototypes[name], self._driver or cuda_driver())
        self.__dict__[name] = kernel
        return kernel

    def __iter__(self) -> Iterator[str]:
        return iter(self.prototypes)

    def __repr__(self) -> str:
        return f"<passnet CUDA library: {'; '.join(map(str, self.prototypes.values()))}>"


def cuda(source: str, *, fast_math: bool = False, arch: str | None = None) -> CudaLibrary:
    """Compile CUDA C++ and return its `extern "C" __global__` functions.

    source: CUDA C++17 without torch headers. `#include <cuda_fp16.h>` and `<cuda_bf16.h>` give the half types. arch:
    such as "sm_90". The default is the current device's, or sm_90 on a machine without one.

    The result is cached on disk by content. Errors:

    - UsageError: the compiler's first errors at the author's line numbers, or parameter types that cannot be passed.
    - KernelPolicyError: as for `cpp`.
    - InfrastructureError: no compiler for CUDA on this machine.
    """
    binding.check_settings(source, fast_math)
    if arch is not None and not (type(arch) is str and _ARCH.fullmatch(arch)):
        raise UsageError("the architecture is not one", field="arch", expected='such as "sm_90"', found=repr(arch))
    text = check_source(source, "CUDA")
    prototypes = tuple(exported(text))
    if not prototypes:
        raise binding.no_exports("CUDA", _EXAMPLE)
    if "__global__" not in text:
        raise UsageError("the CUDA source has no kernel", expected=f"at least one `{_EXAMPLE}`")
    for parameter in (parameter for prototype in prototypes for parameter in prototype.parameters):
        scalar_kind(parameter)  # This refuses types that cannot be passed before anything is compiled.
    return CudaLibrary(build_cubin(text, fast_math=fast_math, arch=arch), prototypes)


def build_cubin(source: str, *, fast_math: bool = False, arch: str | None = None) -> Path:
    """The device code of a whole CUDA text, built unless it is cached."""
    compiler = find_cuda_compiler()
    command = compiler.command_line(arch=arch or _current_arch(), fast_math=fast_math)
    key = compile.content_key([source, *command, compiler.identity, room_key()])

    def make(work: Path) -> Path:
        return _compile(compiler, command, source, work)

    return compile.built(f"{key}.cubin", make)


def _compile(compiler: CudaCompiler, command: list[str], source: str, work: Path) -> Path:
    (work / SOURCE_NAME).write_text(source, encoding="utf-8")
    done = compile.run(command, cwd=work)
    if done.code != 0:
        raise compile_error(f"CUDA ({compiler.name})", done.output)
    check_cubin(work / OUTPUT_NAME)
    return work / OUTPUT_NAME


def _current_arch() -> str:
    if not torch.cuda.is_available():
        return DEFAULT_ARCH
    major, minor = torch.cuda.get_device_capability()
    return f"sm_{major}{minor}"
