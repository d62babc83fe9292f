"""What C++ and CUDA handed to the helpers may do: compute on the memory that it is given, and nothing else.

Two looks: at the text, by a table of rules, and at what the compiler made of it, by an allow-list of the functions that
it may call and the condition that it keeps no state. A tripwire: whoever overcomes it is still in the
sandbox and still has to deliver the right outputs within the clock.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from passnet.errors import UsageError
from passnet.kernels.elf import UnreadableObject, symbols

Language = Literal["C++", "CUDA"]
Hits = Iterator[tuple[int, str]]


class KernelPolicyError(UsageError):
    """A kernel source that does more than compute."""


@dataclass(frozen=True)
class SourceRule:
    """A row: its name, why it exists, what it finds in a text (line, what), and the languages it is about."""

    name: str
    why: str
    find: Callable[[str], Hits]
    languages: tuple[Language, ...] = ("C++", "CUDA")


_TOKEN = re.compile(
    r'R"([^\s()\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL
)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(.*)$", re.MULTILINE)
_HEADERS = (
    "passnet.h inductor.h algorithm array bit cassert cfloat climits cmath complex cstddef cstdint cstdlib cstring "
    "functional initializer_list iterator limits memory numeric optional span stdexcept tuple type_traits utility "
    "vector new string assert.h float.h limits.h math.h stddef.h stdint.h stdlib.h string.h immintrin.h x86intrin.h "
    "arm_neon.h xmmintrin.h emmintrin.h pmmintrin.h smmintrin.h nmmintrin.h omp.h cuda_fp16.h cuda_bf16.h cuda_fp8.h "
    "cuda_runtime.h cuda_pipeline.h mma.h math_constants.h vector_types.h cooperative_groups.h cuda_fp16.hpp "
    "cuda_bf16.hpp device_functions.h"
)
HEADERS = frozenset(_HEADERS.split())
_HEADER_FAMILIES = ("cuda/std/", "cooperative_groups/", "cub/")
# Only what the compiled object would not show; calls are judged there, where no spelling hides them.
_WORDS = (
    (re.compile(r"\b(?:asm|__asm|__asm__)\b"), "assembly can do what the compiled code does not show"),
    (re.compile(r"\b_?Py[A-Z]\w*"), "the interpreter is not a kernel's business"),
    (re.compile(r"\b(?:__|_)?(?:builtin_ia32_)?rdtscp?\b"), "a kernel needs no clock"),
    (
        re.compile(r"(?:\b__attribute__\s*\(\(|\[\[)[^)\]]*\b(?:con|de)structor\b"),
        "it would run when the library is loaded or left",
    ),
    (
        re.compile(r"(?:\b__attribute__\s*\(\(|\[\[)[^)\]]*\b(?:section|alias|ifunc|cleanup|init_priority)\b"),
        "code and data belong where the compiler puts them",
    ),
    (re.compile(r"\bpassnet_binding\b"), "the binding is not a kernel's business"),
)
_DEVICE_VARIABLE = re.compile(r"\b(?:__device__|__managed__)\b(?![^;{}()]*\()[^;{}()]*[;={\[]")


def _words(text: str) -> Hits:
    for pattern, why in _WORDS:
        for match in pattern.finditer(text):
            yield _line(text, match.start()), f"{match.group().split('(')[0]}: {why}"


def _includes(text: str) -> Hits:
    for match in _INCLUDE.finditer(text):
        named = re.fullmatch(r"[<\"]([^>\"]+)[>\"]", match.group(1).strip())
        name = named.group(1) if named else ""
        if (name not in HEADERS and not name.startswith(_HEADER_FAMILIES)) or ".." in name:
            yield _line(text, match.start()), f"#include {match.group(1).strip()}"


def _device_state(text: str) -> Hits:
    for match in _DEVICE_VARIABLE.finditer(text):
        if not re.search(r"\b(?:const|constexpr|struct|class|enum|union)\b", match.group()):
            yield _line(text, match.start()), match.group().strip()[:60]


RULES: tuple[SourceRule, ...] = (
    SourceRule("include", "a kernel needs mathematics and containers", _includes),
    SourceRule("word", "a kernel computes on its arguments and nothing else", _words, ("C++",)),
    SourceRule(
        "device state", "device memory that outlives the call can hold earlier results", _device_state, ("CUDA",)
    ),
)


def check_source(text: str, language: Language) -> None:
    """KernelPolicyError for the first breach in a source, with its line and reason."""
    plain, bare = _without_comments(text), _bare(text)
    for rule in RULES:
        if language in rule.languages:
            for line, what in rule.find(plain if rule.name == "include" else bare):
                raise _refused(language, f"line {line}", what, rule.why)


def _without_comments(text: str) -> str:
    """Comments replaced by spaces, texts left."""
    return _TOKEN.sub(lambda m: _blank(m.group()) if m.group().startswith("/") else m.group(), _joined(text))


def _bare(text: str) -> str:
    """Neither comments nor texts nor include lines: what is left are the author's own words."""
    return _INCLUDE.sub(lambda m: " " * len(m.group()), _TOKEN.sub(lambda m: _blank(m.group()), _joined(text)))


def _joined(text: str) -> str:
    return text.replace("\\\r\n", "").replace("\\\n", "")


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _refused(language: str, where: str, what: str, why: str) -> KernelPolicyError:
    return KernelPolicyError(
        f"the {language} source does more than compute: {what}", field=where, hint=f"write the kernel without it: {why}"
    )


# --- the compiled object ---------------------------------------------------------------------------------------

_MATH = (
    "a?(?:cos|sin|tan)h?|atan2|sincos|exp(?:2|10|m1)?|log(?:2|10|1p|b)?|pow|sqrt|cbrt|hypot|erfc?|[tl]gamma|ceil|floor|trunc|"
    "round(?:even)?|rint|nearbyint|l?lrint|l?lround|fmod|remainder|remquo|fma|fmin|fmax|fdim|fabs|frexp|ldexp|modf|"
    "scalbl?n|ilogb|nextafter|nexttoward|copysign|nan|c?abs|j[01n]|y[01n]|finite|isnan|isinf|fpclassify|signbit"
)
_C = (
    "mem(?:cpy|set|move|cmp|chr|pcpy)|str(?:len|cmp|ncmp|cpy|ncpy|chr)|malloc|calloc|realloc|free|aligned_alloc|"
    "posix_memalign|abort|_Exit|exit|qsort|bsearch|v?snprintf|div|ldiv|strto(?:d|f|l|ul|ll)"
)
ALLOWED_CALLS = re.compile(
    "|".join(
        (
            r"_?Py\w+",  # the binding's own
            rf"(?:__)?c?(?:{_MATH})[fl]?(?:_r|_finite)?",
            rf"_ZGV\w+_\w*(?:{_MATH})[fl]?",
            rf"(?:__)?(?:{_C})(?:_chk)?",
            r"__(?:extend|trunc|float|fix|mul|div|udiv|umod|mod|pow|popcount|clz|ctz|add|sub|neg|cmp|eq|ne|lt|gt|le|ge|unord)\w*",
            r"__cpu_\w+|__stack_chk_fail|__assert_fail|__gmon_start__|_ITM_\w+|__cxa_\w+|_Unwind_\w+|__gxx_personality_v0",
            r"_Zn[aw]\w+|_Zd[al]\w+|_ZSt\d+__throw_\w+|_ZT[ISV]\w+|_ZSt9terminatev|_ZSt7nothrow",
            r"_ZNK?St(?:9|11|12|13|16|20)(?:exception|logic_error|length_error|out_of_range|runtime_error|domain_error|"
            r"bad_array_new_length|invalid_argument|bad_alloc)\w*|_ZNK?St7__cxx1112basic_string\w+",
            r"GOMP_\w+|omp_\w+|__kmpc_\w+",
        )
    )
)
# Names of libraries, which are no slip of the pen even where the library is not at hand.
_LIBRARIES = re.compile(
    r"c?blas_\w+|cblas\w+|lapack\w+|[sdcz](?:ge|sy|tr|he)(?:mm|mv|mm3m)_|mkl_\w+|openblas\w+|dnnl_\w+|cu(?:blas|dnn|fft|solver)\w+"
    r"|_ZNK?(?:2at|3c10|5torch)\w+"
)
_FORBIDDEN_CXA = frozenset({"__cxa_atexit", "__cxa_thread_atexit", "__cxa_guard_acquire"})
_RUNTIME_OBJECTS = re.compile(
    r"completed\.\d+|__\w+|_DYNAMIC|_GLOBAL_OFFSET_TABLE_|DW\.ref\..*|_ZT[VISC].*|.*15passnet_binding.*"
)
_LINKED = ("libstdc++.so.6", "libm.so.6", "libgomp.so.1")
_STATE_SECTIONS = (".data", ".bss", ".tdata", ".tbss")


def check_object(path: Path) -> None:
    """KernelPolicyError when a compiled C++ source calls what it must not or keeps variables between calls.

    UsageError for a function that exists nowhere: a slip of the pen, and no finding. Not so where it is a known
    library's, or declared weak so that it need not exist.
    """
    try:
        found = symbols(path)
    except UnreadableObject:
        return  # another kind of system: the text was looked at, which must do
    for symbol in found:
        if symbol.section is None:
            name = symbol.name.partition("@")[0]
            if name in _FORBIDDEN_CXA or not ALLOWED_CALLS.fullmatch(name):
                if not (symbol.weak or _LIBRARIES.fullmatch(name) or _exists(name)):
                    raise UsageError(f"the kernel source uses {name} and nothing defines it")
                raise _refused("C++", "compiled code", f"it calls {name}", "only mathematics and memory functions")
        elif (
            _is_state(symbol.section)
            and symbol.variable
            and symbol.size
            and not _RUNTIME_OBJECTS.fullmatch(symbol.name)
        ):
            raise _refused(
                "C++",
                "compiled code",
                f"variable {symbol.name} outlives the call",
                "make tables const or constexpr, keep the rest local",
            )


def _exists(name: str) -> bool:
    """Does this process or a library that kernels are linked with define the function?"""
    for library in (None, *_LINKED):
        try:
            if hasattr(ctypes.CDLL(library), name):
                return True
        except OSError:
            continue
    return False


def _is_state(section: str) -> bool:
    return section.startswith(_STATE_SECTIONS) and not section.startswith(".data.rel.ro")
