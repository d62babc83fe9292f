"""Finds the C++ compiler of this machine, once, and holds the flags for kernels."""

from __future__ import annotations

import functools
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from passnet.errors import InfrastructureError

COMPILERS = ("g++", "clang++", "c++")

# Vector code for this processor. `omp simd` pragmas work without an OpenMP run-time.
_COMMON = ("-pipe", "-std=c++17", "-fPIC", "-fno-plt", "-fvisibility=hidden", "-w")
# A stack protector would read the thread's memory. Kernels must not.
_COMPILE = ("-O3", *_COMMON, "-fopenmp-simd", "-fno-stack-protector")
_BINDING = ("-O2", *_COMMON)
_FAST_MATH = ("-ffast-math",)
_LINK = ("-shared",)
# Constants are read-only after loading, and so is the table of addresses. Data cannot be executed. Only the binding's
# functions are visible from outside.
_LINK_ELF = (
    "-Wl,-z,relro,-z,now,-z,noexecstack",
    f"-Wl,--version-script={Path(__file__).parents[1] / 'include/exports.map'}",
)


@dataclass(frozen=True)
class Toolchain:
    """A C++ compiler: its path, and an identity. A cached object must have the same identity to be used."""

    compiler: Path
    identity: str

    def compile_flags(self, *, fast_math: bool, threads: int) -> tuple[str, ...]:
        """Flags of the compile step. `threads` above one turns OpenMP on."""
        flags = (*_COMPILE, *_native_flags())
        if fast_math:
            flags += _FAST_MATH
        if threads > 1:
            flags += ("-fopenmp",)
        return (*flags, f"-DPASSNET_THREADS={threads}")

    def binding_flags(self) -> tuple[str, ...]:
        """Flags of the compile step for the code that joins kernels to Python."""
        return _BINDING

    def link_flags(self, *, threads: int) -> tuple[str, ...]:
        """Flags of the link step.

        Never fast-math. A shared object linked with it switches denormals off for the whole thread when it is loaded
        (set_fast_math of crtfastm.o). That changes the results of every other operation.
        """
        flags: tuple[str, ...] = _LINK
        if sys.platform == "darwin":
            flags += ("-undefined", "dynamic_lookup")
        else:
            flags += _LINK_ELF
        return (*flags, "-fopenmp") if threads > 1 else flags


def kernel_flags(names: Sequence[str]) -> tuple[str, ...]:
    """Flags of the link step that say which function each kernel of the binding is (include/exports.h), in order."""
    if sys.platform == "darwin":
        return ()
    return tuple(f'-Wl,--defsym=__passnet_kernel_{index}="{name}"' for index, name in enumerate(names))


def _native_flags() -> tuple[str, ...]:
    machine = platform.machine().lower()
    if machine in {"x86_64", "amd64"}:
        # Compilers prefer 256-bit vectors even where 512-bit ones exist. The wide ones were 1.2-1.5 times faster on the
        # helpers of passnet.h. Without AVX-512 the second flag has no effect.
        return ("-march=native", "-mprefer-vector-width=512")
    return ("-mcpu=native",) if machine in {"aarch64", "arm64"} else ("-march=native",)


@functools.cache
def find_toolchain() -> Toolchain:
    """The first C++ compiler on the path. InfrastructureError when there is none."""
    for name in COMPILERS:
        found = shutil.which(name)
        if found is not None:
            path = Path(found).resolve()
            return Toolchain(Path(found), f"{file_identity(path)} {processor()}")
    raise InfrastructureError(
        f"no C++ compiler on this machine: looked for {', '.join(COMPILERS)} on the path; "
        "install one (Debian, Ubuntu: apt install g++; Fedora: dnf install gcc-c++; conda: conda install gxx)"
    )


@functools.cache
def is_clang(compiler: Path) -> bool:
    """Whether a compiler is clang, whatever its name. It is started for that, so ask only where it matters."""
    command = [str(compiler), "-dM", "-E", "-x", "c++", os.devnull]
    return "__clang__" in subprocess.run(command, capture_output=True, text=True, check=False).stdout


def file_identity(path: Path) -> str:
    """A text that differs between two installed compilers. No compiler is run for it."""
    stat = path.stat()
    return f"{path} {stat.st_size} {stat.st_mtime_ns}"


@functools.cache
def processor() -> str:
    """The properties that native code depends on: model and instruction sets. No process is started for them."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
            text = file.read(16384)
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    wanted = r"^(?:model name|flags|Features|CPU implementer|CPU part)\s*:\s*(.*)$"
    seen = dict.fromkeys(re.findall(wanted, text.split("\n\n")[0], flags=re.MULTILINE))
    return f"{platform.machine()} {' '.join(seen)}"


def compiler_version(toolchain: Toolchain) -> str:
    """The first line of `compiler --version`, for people and records."""
    done = subprocess.run([str(toolchain.compiler), "--version"], capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).splitlines()[0].strip() if done.stdout or done.stderr else "unknown"
