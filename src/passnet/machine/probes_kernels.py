"""Probes of the kernel languages of passes. Each compiles a small kernel, and runs it where that is possible."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from passnet.environment import version_of
from passnet.errors import PassNetError
from passnet.machine.probes import ProbeResult, one_line, run_child

_CPP_SOURCE = """
#include <cstdint>
extern "C" void twice(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = 2 * x[i];
}
"""
_CUDA_SOURCE = 'extern "C" __global__ void twice(float* x, int n) { int i = threadIdx.x; if (i < n) x[i] *= 2; }'
_CUDA_ARCH, _PTX_TARGET = "sm_90", 90
_TRITON_SOURCE = f"""
import triton, triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

@triton.jit
def twice(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) * 2, at < n)

signature = {{"x": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}}
source = ASTSource(twice, signature, constexprs={{"BLOCK": 128}})
assert ".target" in triton.compile(source, target=GPUTarget("cuda", {_PTX_TARGET}, 32)).asm["ptx"]
"""
_NUMBA_SOURCE = """
import numba
assert numba.njit(lambda x: 2 * x)(2.0) == 4.0
"""


def cpp_compiler() -> ProbeResult:
    """Compiles, loads and calls a tiny source without the cache."""
    import torch

    from passnet.kernels import cpp
    from passnet.kernels.compilation.toolchain import compiler_version, find_toolchain

    with _fresh_kernel_cache():
        try:
            toolchain = find_toolchain()
            start = time.perf_counter()
            library = cpp(_CPP_SOURCE)
        except PassNetError as error:
            return ProbeResult.missing(one_line(str(error)))
        seconds = time.perf_counter() - start
        values = torch.arange(4.0)
        result = torch.zeros(4)
        library.twice(values, result, 4)
    text = f"{compiler_version(toolchain)} at {toolchain.compiler}; compiled and loaded in {seconds:.2f} s"
    return (
        ProbeResult.ok(text)
        if torch.equal(result, 2 * values)
        else ProbeResult.limited(f"{text}, but it computes wrong results")
    )


@contextlib.contextmanager
def _fresh_kernel_cache() -> Iterator[None]:
    from passnet.kernels.compilation import compile

    earlier = compile.settings()
    with tempfile.TemporaryDirectory(prefix="passnet-doctor-") as scratch:
        compile.configure(cache_dir=scratch)
        try:
            yield
        finally:
            compile.restore(earlier)


def cuda_compiler() -> ProbeResult:
    """NVRTC or nvcc: compiles for one architecture. No device is needed."""
    from passnet.kernels.compilation import compile
    from passnet.kernels.compilation.cuda_toolchain import (
        OUTPUT_NAME,
        SOURCE_NAME,
        cuda_compiler_version,
        find_cuda_compiler,
    )

    try:
        compiler = find_cuda_compiler()
        with tempfile.TemporaryDirectory(prefix="passnet-doctor-") as scratch:
            (Path(scratch) / SOURCE_NAME).write_text(_CUDA_SOURCE, encoding="utf-8")
            command = compiler.command_line(arch=_CUDA_ARCH, fast_math=True)
            start = time.perf_counter()
            done = compile.run(command, cwd=Path(scratch))
            seconds = time.perf_counter() - start
            made = (Path(scratch) / OUTPUT_NAME).is_file()
    except PassNetError as error:
        return ProbeResult.missing(one_line(str(error)))
    if done.code != 0 or not made:
        return ProbeResult.missing(f"{compiler.name} is there but does not compile: {one_line(done.output)}")
    return ProbeResult.ok(f"{cuda_compiler_version(compiler)}; a cubin for {_CUDA_ARCH} in {seconds:.2f} s")


def triton() -> ProbeResult:
    version = version_of("triton")
    if version is None:
        return ProbeResult.missing("not installed")
    worked, said = run_child(_TRITON_SOURCE)
    if worked:
        return ProbeResult.ok(f"{version}; compiles to PTX for sm_{_PTX_TARGET}")
    return ProbeResult.limited(f"{version}; does not compile to PTX: {said}")


def numba() -> ProbeResult:
    version = version_of("numba")
    if version is None:
        return ProbeResult.missing("not installed")
    worked, said = run_child(_NUMBA_SOURCE)
    return (
        ProbeResult.ok(f"{version}; compiles and runs")
        if worked
        else ProbeResult.limited(f"{version}; does not run: {said}")
    )
