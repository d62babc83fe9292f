"""Rules for C++ and CUDA source: a kernel computes on the memory that it is given, and does nothing else.

This check reads the text before a compiler does, so that it can name lines. `policy.canonical` makes of it the one text
that is compiled. `policy.objects` and `policy.device_code` check the compiled code, and they decide. If a source passes
all checks by a trick, it is still in the sandbox and must still give the right outputs in time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from passnet.kernels.policy.breach import ONE_PROCESSOR, Language, refused
from passnet.kernels.policy.canonical import canonical, without_texts

Hits = Iterator[tuple[int, str]]


@dataclass(frozen=True)
class SourceRule:
    """A rule: its name, its reason, the function that finds breaches in a text (line, what), and its languages.

    `with_texts`: the function also sees the string literals.
    """

    name: str
    why: str
    find: Callable[[str], Hits]
    languages: tuple[Language, ...] = ("C++", "CUDA")
    with_texts: bool = False


_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)(.*)$", re.MULTILINE)
_ABOUT_PRAGMAS = re.compile(
    r"[ \t]*#[ \t]*(?:(?:(?:un|ifn?)def|define)[ \t]*|(?:el)?if\b.*\bdefined\b[ \t(]*)_Pragma\b"
)
_MARKING = re.compile(r"[ \t]*\w+\b(?!\()[^\n]*#")  # a macro without parameters that holds a mark
_DIRECTIVES = frozenset(
    ["include", "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "pragma", "error", "warning"]
)
# Not here, though the object would decide: atomic, thread, mutex, future, chrono, random, fstream, iostream.
_HEADERS = (
    "passnet.h inductor.h algorithm array bit bitset cassert cfloat cinttypes climits cmath complex concepts cstddef "
    "cstdint cstdlib cstring deque forward_list functional initializer_list iterator limits list map memory numeric "
    "optional queue ratio set span stack stdexcept string_view tuple type_traits unordered_map unordered_set utility "
    "valarray variant vector new string alloca.h assert.h float.h inttypes.h limits.h math.h stdbool.h stddef.h "
    "stdint.h stdlib.h string.h immintrin.h x86intrin.h arm_neon.h xmmintrin.h emmintrin.h pmmintrin.h smmintrin.h "
    "nmmintrin.h omp.h cuda_fp16.h cuda_bf16.h cuda_fp8.h cuda_runtime.h cuda_pipeline.h mma.h math_constants.h "
    "vector_types.h cooperative_groups.h cuda_fp16.hpp cuda_bf16.hpp device_functions.h"
)
HEADERS = frozenset(_HEADERS.split())
_HEADER_FAMILIES = ("cuda/std/", "cooperative_groups/", "cub/")
# Names of the compilers' own tables in device memory, entry points of OpenMP, what says which files there are and what
# the time is, what the system's headers make declarations of, and the operator that joins words.
_COMPILERS_NAMES = re.compile(
    r"__cudart\w*|__unnamed\w*|GOMP_\w*|__kmpc_\w*|__has_(?:include|embed)\w*|__(?:TIME|DATE|TIMESTAMP)__"
    r"|__passnet\w*|__CONCAT|__STRING|__REDIRECT\w*|__ASMNAME\w*|__LDBL_\w+|__DARWIN_\w+|GCC\s+dependency|[$]"
)
_PASTED = re.compile(r"(?<![ \t])[ \t]+##[ \t]*|##[ \t]*")  # a long run of spaces is tried once
# Where a call came from, and what lies on the stack about it.
_CALLERS = (
    re.compile(
        r"__builtin_(?:return(?:_address)?|frame_address|stack_address|(?:extract|frob)_return_addr\w*|dwarf_\w+|eh_\w+"
        r"|unwind_init|(?:set_)?thread_pointer|apply\w*|(?:set|long)jmp|sponentry)\b"
    ),
    re.compile(r"ReturnAddress\b"),
)
# What asks at run time which processor this is, and functions of which the loader chooses one.
_PROCESSOR = re.compile(r"\b(?:__builtin_cpu_(?:supports|is|init)|(?:__)?target_clones(?:__)?)\s*\(")
# Pragmas of loops, threads, code and warnings. Others name or hide symbols, or read files.
_PRAGMAS = re.compile(
    r"(?:once|omp|(?:no)?unroll(?:_and_jam)?|ivdep|simd|vector|pack|STDC|nv_\w+|hd_warning_disable"
    r"|GCC\s+(?:unroll|ivdep|novector|optimize|target|(?:push|pop|reset)_options|diagnostic|visibility)"
    r"|clang\s+(?:loop|fp|diagnostic|unroll))\b"
)
_CHANGES_MACROS = re.compile(r"once\b|GCC\s+(?:optimize|target|(?:push|pop|reset)_options)\b")
_PRAGMA_OPERATOR = re.compile(r'\b_Pragma\b(?:\s*\(\s*"([^"\\\n]*)"\s*\))?')
# What `optimize` may ask for, as a pragma or an attribute. Other options change what code means: where exceptions go,
# what is instrumented.
_OPTION = (
    r"(?:(?:-?O)?(?:[0-3sgz]|fast)|(?:-f)?(?:no-)?(?:unroll-(?:all-)?loops|tree-[a-z-]+|ipa-[a-z-]+|fast-math"
    r"|finite-math-only|math-errno|trapping-math|signed-zeros|associative-math|reciprocal-math|rounding-math"
    r"|unsafe-math-optimizations|signaling-nans|peel-loops|split-loops|unswitch-loops|inline(?:-small)?-functions"
    r"|strict-aliasing|prefetch-loop-arrays|omit-frame-pointer|gcse|schedule-insns2?"
    r"|(?:vect|simd)-cost-model=[a-z-]+|fp-contract=[a-z]+))"
)
_OPTIONS = re.compile(rf'\(?\s*(?:[0-3]|"{_OPTION}(?:,{_OPTION})*"|[\s,])*\)?')
_OPTIMIZE = re.compile(r"(?:#\s*pragma\s+GCC\s+optimize(.*)|\b(?:__)?optimize(?:__)?\s*\(([\s(]*[^()]*))")
_ASSEMBLY = re.compile(r"\b(?:asm|__asm|__asm__)\b")
# Texts that a compiler writes into its assembly as they are. They must be one plain name.
_PLACED = re.compile(
    r"\b(?:__)?(?:section|alias|weakref|ifunc|symver)(?:__)?\s*\("
    r'(?=[\s(]*(?:u8|[uUL])?")(?![\s(]*(?:"[A-Za-z0-9_.$@]*"\s*)+\))[\s(]*[^\n]{0,40}'
)
# Names with an underscore first that a condition may have: the compiler's own, and questions of features.
_PREDEFINED = re.compile(
    r"__\w+__|__cplusplus|_OPENMP|__has_(?:builtin|attribute|cpp_attribute|feature|extension)|__GNUC_PREREQ|__builtin_\w+"
)
_PARAMETERS = re.compile(r"^\([^)]*\)")
_HEADERS_NAMES = ("_", "PASSNET")
_SETTING = re.compile(r"\s*\w*\s*")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(.*)$", re.MULTILINE)


def _assembly(text: str) -> Hits:
    for match in _ASSEMBLY.finditer(text):
        yield _line(text, match.start()), match.group()


def _reserved(text: str) -> Hits:
    """Also finds names that a macro joins from parts."""
    for match in _COMPILERS_NAMES.finditer(_PASTED.sub("", text)):
        yield _line(text, match.start()), match.group()


def _directives(text: str) -> Hits:
    """Also finds marks that a macro could put at the beginning of a line."""
    for match in _DIRECTIVE.finditer(text):
        word, rest = match.groups()
        unknown = (word not in _DIRECTIVES and (word or rest.strip())) or _ABOUT_PRAGMAS.match(match.group())
        if unknown or (word == "define" and _MARKING.match(rest.replace("##", "  "))):
            yield _line(text, match.start()), match.group().strip()[:60]


def _includes(text: str) -> Hits:
    for match in _DIRECTIVE.finditer(text):
        if match.group(1) != "include":
            continue
        named = re.fullmatch(r"[<\"]([^>\"]+)[>\"]", match.group(2).strip())
        name = named.group(1) if named else ""
        if (name not in HEADERS and not name.startswith(_HEADER_FAMILIES)) or ".." in name:
            yield _line(text, match.start()), f"#include {match.group(2).strip()}"


def is_plain_pragma(text: str) -> bool:
    """Whether a pragma is of the allow-list, and changes nothing that a condition asks."""
    return _PRAGMAS.match(text) is not None and not _CHANGES_MACROS.match(text)


def _pragmas(text: str) -> Hits:
    for match in _DIRECTIVE.finditer(text):
        if match.group(1) == "pragma" and not _PRAGMAS.match(match.group(2).strip()):
            yield _line(text, match.start()), match.group().strip()[:60]


def _pragma_operators(text: str) -> Hits:
    """Pragmas in macros. C++ is expanded before it is compiled, and its pragmas are checked then."""
    for match in _PRAGMA_OPERATOR.finditer(text):
        if match[1] is None or not is_plain_pragma(match[1].strip()):
            yield _line(text, match.start()), match.group()[:60]


def _options(text: str) -> Hits:
    for match in _OPTIMIZE.finditer(text):
        pragma, attribute = match.groups()
        asked = pragma if attribute is None else attribute
        if (attribute is None or '"' in asked) and not _OPTIONS.fullmatch(asked.strip()):
            yield _line(text, match.start()), match.group().strip()[:60]


def _placed(text: str) -> Hits:
    for match in _PLACED.finditer(text):
        yield _line(text, match.start()), match.group()


def _conditions(text: str) -> Hits:
    """Conditions that use joined words, or what a header defines. No expanded text shows what they ask.

    Macros of headers that join words, or ask for files, have names with an underscore first.
    """
    defined = [(name, _PARAMETERS.sub("", body)) for name, body in _MACRO.findall(text)]
    users: dict[str, list[str]] = {}
    for name, body in defined:
        for word in set(re.findall(r"\w+", body)):
            users.setdefault(word, []).append(name)
    unclear = [name for name, body in defined if _is_unclear(body)]
    found = set(unclear)
    while unclear:
        new = set(users.pop(unclear.pop(), ())) - found
        found |= new
        unclear.extend(new)
    for match in _DIRECTIVE.finditer(text):
        asked = re.sub(r"\bdefined\b[ \t]*\(?[ \t]*\w+[ \t]*\)?", "", match.group(2))
        unclear_here = _is_unclear(asked) or not found.isdisjoint(re.findall(r"\w+", asked))
        if match.group(1) in ("if", "elif") and unclear_here:
            yield _line(text, match.start()), match.group().strip()[:60]


def _is_unclear(text: str) -> bool:
    """Whether a condition with this text could join words: by `##`, or by a name that a header may define."""
    return "##" in text or any(not _PREDEFINED.fullmatch(word) for word in re.findall(r"(?<!\w)_\w+", text))


def _asking_headers(text: str) -> Hits:
    """Headers behind a macro that joins words, or that a header may ask for and is no number: conditions may use it."""
    asking = ""
    for match in _DIRECTIVE.finditer(text):
        if match.group(1) == "include" and asking:
            yield _line(text, match.start()), f"{match.group().strip()[:60]}, behind the macro {asking}"
        elif defined := _MACRO.match(match.group()):
            name, body = defined.groups()
            setting = name.startswith(_HEADERS_NAMES) and not _SETTING.fullmatch(body)
            asking = name if "##" in body or setting else asking


def _callers(text: str) -> Hits:
    for pattern in _CALLERS:
        for match in pattern.finditer(text):
            yield _line(text, match.start()), match.group()


def _processors(text: str) -> Hits:
    for match in _PROCESSOR.finditer(text):
        yield _line(text, match.start()), match.group().rstrip("(").rstrip()


RULES: tuple[SourceRule, ...] = (
    SourceRule("directive", "directives must have the plain form, so that the check can read them", _directives),
    SourceRule("include", "headers are those of mathematics, containers, texts and types", _includes, with_texts=True),
    SourceRule("pragma", "pragmas are for loops, threads and warnings; symbols keep their names", _pragmas),
    SourceRule("pragma text", "a pragma's text stands in the source", _pragma_operators, ("CUDA",), with_texts=True),
    SourceRule("options", "a kernel's exceptions and regions stay what they are", _options, ("C++",), with_texts=True),
    SourceRule("condition", "what is asked must stand in the text", _conditions),
    SourceRule("order", "headers come before macros that their conditions could ask", _asking_headers),
    SourceRule("placed", "code and data belong where the compiler puts them", _placed, ("C++",), with_texts=True),
    SourceRule("caller", "a kernel's results must not follow from where it is called", _callers, ("C++",)),
    SourceRule("processor", ONE_PROCESSOR, _processors, ("C++",)),
    SourceRule("reserved", "the name belongs to the compiler", _reserved, with_texts=True),
    SourceRule("assembly", "assembly can do more than the compiler allows", _assembly, ("C++",)),
)


def check_source(text: str, language: Language) -> str:
    """The text as it must be compiled (`canonical`). KernelPolicyError for its first breach, with line and reason."""
    plain = canonical(text, language)
    bare = without_texts(plain)
    for rule in RULES:
        if language in rule.languages:
            for line, what in rule.find(plain if rule.with_texts else bare):
                raise refused(language, f"line {line}", what, rule.why)
    return plain


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
