"""`cpp`: C++ source in, fast CPU functions on tensors out."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from passnet.errors import UsageError
from passnet.kernels import binding, build
from passnet.kernels.diagnostics import compile_error
from passnet.kernels.prototypes import Prototype, exported
from passnet.kernels.source_policy import check_object, check_source
from passnet.kernels.toolchain import Toolchain, find_toolchain

_INCLUDE = Path(__file__).parent / "include"
_SOURCE_NAME = "kernel.cpp"
_EXAMPLE = 'extern "C" void scale(const float* x, float* out, int64_t count) { ... }'


class Library:
    """The exported functions of one source, as attributes: `library.scale(x, out, x.numel())`.

    Pointer parameters take tensors (or None for a null pointer) and pass their `data_ptr()`; integer, floating and
    bool parameters take numbers. A wrong number of arguments, another dtype than the pointer's, a tensor that is
    not on the CPU or a number that does not fit raises TypeError. Strides are not looked at: a function that needs
    contiguous memory is given contiguous tensors by its wrapper. On fake and meta tensors a call does nothing.
    """

    def __init__(self, path: Path, prototypes: tuple[Prototype, ...]) -> None:
        self._path = path
        self._prototypes = prototypes
        self._functions = binding.load(path, prototypes)
        self.__dict__.update(self._functions)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        raise AttributeError(f"the kernel source exports no {name!r}; it exports {', '.join(self._functions)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __repr__(self) -> str:
        return f"<passnet C++ library: {'; '.join(map(str, self._prototypes))}>"


def cpp(source: str, *, fast_math: bool = True, threads: int = 1) -> Library:
    """Compile C++ source with the system compiler and return its `extern "C"` functions.

    source: C++17; `#include "passnet.h"` gives half-precision types and vectorising mathematics. No torch headers.
    fast_math: compile with -ffast-math (the library is never linked with it, so torch's own results stay as they are).
    threads: above one, OpenMP is on and the macro PASSNET_THREADS holds the number.

    The result is cached on disk by the content of source, flags, headers, compiler and processor. Raises UsageError
    with the compiler's first errors, at the author's line numbers; KernelPolicyError for a source that does more than
    compute (`source_policy`); InfrastructureError without a compiler.
    """
    if threads < 1:
        raise UsageError("threads must be positive", field="threads", expected=">= 1", found=threads)
    toolchain = find_toolchain()
    flags = toolchain.compile_flags(fast_math=fast_math, threads=threads)
    check_source(source, "C++")
    expanded = _expanded(source, toolchain, flags)
    check_source(expanded, "C++")  # names can be put together by macros
    prototypes = exported(expanded)
    if not prototypes:
        raise binding.no_exports("C++", _EXAMPLE)
    text = f'#include "binding.h"\n#line 1 "{_SOURCE_NAME}"\n{source}\n{binding.wrapper_source(prototypes)}'
    built = build_library(text, fast_math=fast_math, threads=threads)
    check_object(built)
    return Library(built, prototypes)


def build_library(text: str, *, fast_math: bool, threads: int) -> Path:
    """The shared object of a whole C++ text, built unless it is cached."""
    toolchain = find_toolchain()
    flags = toolchain.compile_flags(fast_math=fast_math, threads=threads)
    links = toolchain.link_flags(threads=threads)
    key = build.content_key([text, *flags, "", *links, toolchain.identity, headers_key()])

    def make(work: Path) -> Path:
        return _compile(toolchain, text, flags, links, work)

    return build.built(f"{key}.so", make)


@functools.cache
def headers_key() -> str:
    """A hash of the headers that come with this room."""
    return build.content_key(path.read_text(encoding="utf-8") for path in sorted(_INCLUDE.rglob("*")) if path.is_file())


def _compile(toolchain: Toolchain, text: str, flags: tuple[str, ...], links: tuple[str, ...], work: Path) -> Path:
    (work / _SOURCE_NAME).write_text(text, encoding="utf-8")
    compiler = str(toolchain.compiler)
    command = [compiler, *flags, f"-I{_INCLUDE}", "-c", _SOURCE_NAME, "-o", "kernel.o"]
    done = build.run(command, cwd=work)
    if done.code == 0:
        done = build.run([compiler, *links, "kernel.o", "-o", "kernel.so"], cwd=work)
    if done.code != 0:
        raise compile_error("C++", done.output)
    return work / "kernel.so"


def _expanded(source: str, toolchain: Toolchain, flags: tuple[str, ...]) -> str:
    """The source with the author's own macros expanded when it has any, since they may define functions.

    Includes are blanked first: what the author exports is in the author's own text, and the system's headers would
    only cost time.
    """
    if "#" not in source.replace("#include", "").replace("#pragma", ""):
        return source
    lines = ["" if line.lstrip().startswith("#include") else line for line in source.splitlines()]
    key = build.content_key([*lines, "expand", *flags, toolchain.identity])

    def make(work: Path) -> Path:
        (work / _SOURCE_NAME).write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [str(toolchain.compiler), *flags, "-E", "-P", _SOURCE_NAME, "-o", "expanded.cpp"]
        done = build.run(command, cwd=work)
        if done.code != 0:
            raise compile_error("C++", done.output)
        return work / "expanded.cpp"

    return build.built(f"{key}.cpp", make).read_text(encoding="utf-8")
