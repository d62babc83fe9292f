"""`cpp`: compiles C++ source to fast CPU functions on tensors."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from passnet.errors import UsageError
from passnet.kernels.compilation import binding, compile
from passnet.kernels.compilation.diagnostics import compile_error
from passnet.kernels.compilation.prototypes import Prototype, exported
from passnet.kernels.compilation.signature import description, read_signatures
from passnet.kernels.compilation.toolchain import Toolchain, find_toolchain, is_clang, kernel_flags
from passnet.kernels.policy.assembly import check_assembly, read_only_references
from passnet.kernels.policy.elf import UnreadableObject, read_elf
from passnet.kernels.policy.expanded import PRAGMA, authors_lines, check_authors_lines, check_headers, has_pragmas
from passnet.kernels.policy.objects import check_exports, check_object
from passnet.kernels.policy.source import check_source

_INCLUDE = Path(__file__).parent / "include"
_SOURCE_NAME, _EXPANDED_NAME = "kernel.cpp", "kernel.ii"
_BYTES = "surrogateescape"  # headers may hold any
# What is compiled must not follow from the time. The names stay in the text, and are refused there.
_NO_TIME = ("-U__TIME__", "-U__DATE__", "-U__TIMESTAMP__")
_PRAGMAS_STAY = f"-D_Pragma={PRAGMA}"
_X87 = re.compile(r"(?:^|[:;])\s*f[a-z]\w*(?:[\s;]|$)", re.MULTILINE)  # in the assembly of x86-64
_EXAMPLE = 'extern "C" void scale(const float* x, float* out, int64_t count) { ... }'


class Library:
    """The exported functions of one source, as attributes: `library.scale(x, out, x.numel())`.

    Pointer parameters take tensors (or None for a null pointer) and pass their `data_ptr()`. Integer, floating and bool
    parameters take numbers. TypeError for a wrong number of arguments, for a dtype other than the pointer's, for a
    tensor that is not on the CPU or that torch negates or conjugates lazily, and for a number that does not fit.
    Strides are not checked: if a function needs contiguous memory, its wrapper must pass contiguous tensors. On fake
    and meta tensors a call does nothing.
    """

    def __init__(self, path: Path, prototypes: tuple[Prototype, ...]) -> None:
        self._path = path
        self._prototypes = prototypes
        self._functions = binding.load(path, prototypes)
        self.__dict__.update(self._functions)

    def __getattr__(self, name: str) -> Callable[..., object]:
        raise AttributeError(f"the kernel source exports no {name!r}; it exports {', '.join(self._functions)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __repr__(self) -> str:
        return f"<passnet C++ library: {'; '.join(map(str, self._prototypes))}>"


class NoLibrary(Library):
    """What `cpp` gives where no C++ of an author may run. Its functions raise UsageError when they are called."""

    def __init__(self) -> None:
        """Nothing is compiled."""

    def __getattr__(self, name: str) -> Callable[..., object]:
        def refuse(*_: object) -> object:
            raise UsageError(
                f"the C++ function {name} would run on the processor",
                expected="kernels of the GPU (cuda, Triton) for a graph that is there",
                hint="the policy native allows it",
            )

        return refuse

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __repr__(self) -> str:
        return "<passnet C++ library: not compiled>"


def cpp(source: str, *, fast_math: bool = True, threads: int = 1) -> Library:
    """Compile C++ source with the system compiler and return its `extern "C"` functions.

    source: C++17 without torch headers. `#include "passnet.h"` gives half-precision types and vectorised mathematics.
    fast_math: compile with -ffast-math. The library is never linked with it, so torch's own results stay as they are.
    threads: above one, OpenMP is on and the macro PASSNET_THREADS holds the number. Only g++ makes that.

    The result is cached on disk by the content of source, flags, headers, compiler and processor. Errors:

    - UsageError: the compiler's first errors, at the author's line numbers.
    - KernelPolicyError: a source that does more than compute (`policy.source`).
    - InfrastructureError: no compiler.
    """
    binding.check_settings(source, fast_math)
    if type(threads) is not int or threads < 1:
        raise UsageError("threads must be positive", field="threads", expected=">= 1", found=repr(threads))
    if not compile.settings().on_processor:
        return NoLibrary()
    toolchain = find_toolchain()
    _check_openmp(toolchain, threads)
    flags = toolchain.compile_flags(fast_math=fast_math, threads=threads)
    text = _Text(check_source(source, "C++"), toolchain, flags)
    authors = text.authors()
    check_authors_lines(authors)  # Macros can put names together.
    prototypes = exported(authors)
    if not prototypes:
        raise binding.no_exports("C++", _EXAMPLE)
    links = toolchain.link_flags(threads=threads)
    key = compile.content_key([text.source, *flags, "", *links, toolchain.identity, room_key()])

    def make(work: Path) -> Path:
        return _build(_Kernel(text, prototypes, key), links, work)

    return Library(compile.built(f"{key}.so", make), prototypes)


def _check_openmp(toolchain: Toolchain, threads: int) -> None:
    """Raises UsageError where OpenMP cannot be bounded (include/regions.h): clang's keeps its locks in variables."""
    if threads > 1 and is_clang(toolchain.compiler):
        raise UsageError(
            f"{toolchain.compiler} is clang, whose OpenMP keeps variables between calls",
            field="threads",
            expected="1",
            found=str(threads),
            hint="with g++ on the path, kernels may have more threads",
        )


@functools.cache
def room_key() -> str:
    """A hash of everything that decides how a kernel is built and checked. Results of an older check are
    then not used.
    """
    paths = sorted([*_INCLUDE.rglob("*"), *Path(__file__).parent.rglob("*.py")])
    return compile.content_key(path.read_text(encoding="utf-8") for path in paths if path.is_file())


class _Text:
    """A canonical source, and what the preprocessor makes of it: this is checked, and then compiled as it is."""

    def __init__(self, source: str, toolchain: Toolchain, flags: tuple[str, ...]) -> None:
        self.source, self.toolchain, self.flags = source, toolchain, flags
        self._whole: str | None = None

    def authors(self) -> str:
        """The author's lines with all macros expanded, because they may define functions and hide words. Cached."""
        key = compile.content_key([self.source, "expand", *self.flags, self.toolchain.identity, room_key()])

        def make(work: Path) -> Path:
            path = work / "expanded.cpp"
            path.write_text(authors_lines(self.whole(work), _SOURCE_NAME), encoding="utf-8", errors=_BYTES)
            return path

        return compile.built(f"{key}.cpp", make).read_text(encoding="utf-8", errors=_BYTES)

    def whole(self, work: Path) -> str:
        """All lines, those of headers too. They are expanded in the directory `work`, but once at most.

        KernelPolicyError for a pragma in a macro that is none of the allow-list: the first time it stays unobeyed.
        """
        if self._whole is None:
            (work / _SOURCE_NAME).write_text(f"{self.source}\n", encoding="utf-8")
            expanded = self._expanded(work, _PRAGMAS_STAY)
            self._whole = self._expanded(work) if has_pragmas(expanded) else expanded
        return self._whole

    def _expanded(self, work: Path, *more: str) -> str:
        include = (f"-I{_INCLUDE}", "-include", "signature.h")
        _run(self.toolchain, (*self.flags, *_NO_TIME, *more, *include, "-E", _SOURCE_NAME, "-o", _EXPANDED_NAME), work)
        return (work / _EXPANDED_NAME).read_text(encoding="utf-8", errors=_BYTES)


@dataclass(frozen=True)
class _Kernel:
    """A source with its exports, and the key that marks the data read from its object."""

    text: _Text
    prototypes: tuple[Prototype, ...]
    key: str


def _build(kernel: _Kernel, links: tuple[str, ...], work: Path) -> Path:
    """Compiles the author's source by itself, checks the object, and then joins it to Python."""
    toolchain, flags = kernel.text.toolchain, kernel.text.flags
    expanded = kernel.text.whole(work)
    check_headers(expanded, _SOURCE_NAME)
    described = f"{expanded}\n{description(kernel.prototypes, kernel.key)}\n"
    (work / _EXPANDED_NAME).write_text(described, encoding="utf-8", errors=_BYTES)
    _run(toolchain, (*flags, "-fno-verbose-asm", "-S", _EXPANDED_NAME, "-o", "kernel.s"), work)
    assembly = (work / "kernel.s").read_text(encoding="utf-8", errors="backslashreplace")
    check_assembly(assembly, kernel.text.source)
    (work / "kernel.s").write_text(read_only_references(assembly), encoding="utf-8")
    _run(toolchain, ("-c", "kernel.s", "-o", "kernel.o"), work)
    names = [prototype.name for prototype in kernel.prototypes]
    check_exports(work / "kernel.o", names)
    signatures = read_signatures((work / "kernel.o").read_bytes(), kernel.prototypes, kernel.key)
    heap, openmp = heap_functions(work / "kernel.o"), openmp_functions(work / "kernel.o")
    uses = binding.Uses(openmp, heap=bool(heap), x87=_X87.search(assembly) is not None)
    text = binding.binding_source(kernel.prototypes, signatures, uses)
    (work / "binding.cpp").write_text(text, encoding="utf-8")
    _run(toolchain, (*toolchain.binding_flags(), f"-I{_INCLUDE}", "-c", "binding.cpp", "-o", "binding.o"), work)
    check_object(work / "kernel.o", names_beside(work / "binding.o"), kernel.text.source)
    wraps = tuple(f"-Wl,--wrap={name}" for name in sorted(heap | openmp))
    _run(toolchain, (*links, *wraps, *kernel_flags(names), "binding.o", "kernel.o", "-o", "kernel.so"), work)
    return work / "kernel.so"


def names_beside(path: Path) -> frozenset[str]:
    """The names that the binding defines or uses. It has names of its own for the functions that it is made for."""
    try:
        return frozenset(symbol.name for symbol in read_elf(path).symbols if symbol.leaves)
    except UnreadableObject:
        return frozenset()


def heap_functions(path: Path) -> frozenset[str]:
    """The names that include/scratch.h replaces, if an object uses one of them: those of the heap. Else nothing."""
    offered = _replaced_in("scratch.h")
    return offered if _called(path) & offered else frozenset()


def openmp_functions(path: Path) -> frozenset[str]:
    """The names of libgomp that an object uses, with those that include/regions.h always replaces. Else nothing."""
    used = frozenset(name for name in _called(path) if re.fullmatch(r"GOMP_[a-z_]+", name))
    return used | _replaced_in("regions.h") if used else used


def _called(path: Path) -> frozenset[str]:
    try:
        return frozenset(symbol.name for symbol in read_elf(path).undefined)
    except UnreadableObject:
        return frozenset()  # Another kind of system. Its linker cannot redirect calls.


def _replaced_in(header: str) -> frozenset[str]:
    return frozenset(re.findall(r"\b__wrap_(\w+)[(;]", (_INCLUDE / header).read_text(encoding="utf-8")))


def build_trusted(text: str, *, computes: bool = False) -> Path:
    """The shared object of a C++ text of our own, from the cache or built. It gets a kernel's flags if it computes."""
    toolchain = find_toolchain()
    flags = toolchain.compile_flags(fast_math=False, threads=1) if computes else toolchain.binding_flags()
    links = toolchain.link_flags(threads=1)
    key = compile.content_key([text, *flags, "", *links, toolchain.identity, room_key()])

    def make(work: Path) -> Path:
        (work / _SOURCE_NAME).write_text(text, encoding="utf-8")
        _run(toolchain, (*flags, f"-I{_INCLUDE}", "-c", _SOURCE_NAME, "-o", "kernel.o"), work)
        _run(toolchain, (*links, "kernel.o", "-o", "kernel.so"), work)
        return work / "kernel.so"

    return compile.built(f"{key}.so", make)


def _run(toolchain: Toolchain, arguments: Sequence[str], work: Path) -> None:
    done = compile.run([str(toolchain.compiler), *arguments], cwd=work)
    if done.code != 0:
        raise compile_error("C++", done.output)
