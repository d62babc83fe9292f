"""Checks a compiled C++ source: nothing in it may outlive a call or reach outside the kernel.

The author's source is compiled by itself, so everything in its object is the author's. The check reads instructions,
sections and symbols of the object. The spelling in the source, macros and attributes make no difference.
"""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from passnet.errors import UsageError
from passnet.kernels.policy.breach import ONE_PROCESSOR, KernelPolicyError, refused
from passnet.kernels.policy.elf import Bind, Elf, FileKind, Flag, ObjectSymbol, Section, UnreadableObject, read_elf
from passnet.kernels.policy.spelling import COMPILED, kept_variable, spelled

# --- sections ---------------------------------------------------------------------------------------------------

_DATA_TYPES = (1, 7, 0x70000001)  # contents, notes, tables for unwinding: these are no variables
_LOADER_ROUTINES = (14, 15, 16)  # routines for the loader: at the start, at the end, before all others
_NO_SECTION = re.compile(r"(?!)")
# Allocated sections by name. `.data.rel.ro` holds constants with addresses. It is read-only once these are known.
_CODE = re.compile(r"\.text(?:\.[\w.$]+)?")
_CONSTANTS = re.compile(r"\.(?:rodata|gcc_except_table|eh_frame|note\.gnu\.property)(?:\.[.\w$]+)?")
_ADDRESSES = re.compile(r"\.data\.rel\.ro(?:\.[.\w$]+)?")
_BOOKKEEPING = re.compile(
    r"|\.(?:symtab|strtab|shstrtab|symtab_shndx|comment|group|llvm_addrsig|note\.GNU-stack|debug_\w+|rela?\.[\w.$]+)"
)


def check_object(path: Path, taken: frozenset[str] = frozenset(), source: str = "") -> None:
    """KernelPolicyError when an author's object keeps variables, runs by itself, or makes a forbidden call.

    taken: names of the code that is linked with the object. The object must not define them. source: what was compiled.
    It tells the line of a variable. UsageError for a call of a function that exists nowhere: this is a typing mistake,
    not a breach. It is a breach if a known library has the function or if it is declared weak.
    """
    try:
        found = read_elf(path)
    except UnreadableObject as error:
        if sys.platform == "linux":
            raise _breach(str(error), "only objects that can be checked are loaded") from error
        return  # Another kind of system, without a sandbox. The check of the text must be enough.
    for section in found.sections:
        if section.size:
            _check_section(section, found, source)
    for symbol in found.symbols:
        if symbol.undefined:
            _check_call(symbol, taken)
        elif symbol.kind not in (FileKind.SECTION, FileKind.FILE):
            _check_definition(symbol, taken, source)


def check_exports(path: Path, names: Sequence[str]) -> None:
    """KernelPolicyError when an author's object does not itself define a function that Python would call."""
    try:
        symbols = read_elf(path).symbols
    except UnreadableObject:
        return  # `check_object` says so, or this is another kind of system
    defined = {
        symbol.name
        for symbol in symbols
        if symbol.leaves and symbol.kind == FileKind.FUNCTION and symbol.section is not None
    }
    for name in names:
        if name not in defined:
            raise _breach(f"it exports {name} and does not define it", "write the whole function, as an ordinary one")


def _check_section(section: Section, whole: Elf, source: str) -> None:
    if not section.flags & Flag.ALLOCATED:
        if not _BOOKKEEPING.fullmatch(section.name):
            raise _breach(f"a section {section.name}", "code and data belong where the compiler puts them")
    elif section.type in _LOADER_ROUTINES:
        raise _breach(f"a section {section.name}", "it would run when the library is loaded or unloaded")
    elif section.type not in _DATA_TYPES or not _kinds_of(section).fullmatch(section.name):
        names = (symbol.name for symbol in whole.symbols if symbol.section is section and symbol.size)
        if section.flags & Flag.WRITE:
            raise kept_variable(next(names, section.name), source)
        raise _breach(f"a section {section.name}", "code and data belong where the compiler puts them")


def _kinds_of(section: Section) -> re.Pattern[str]:
    """The names that a section with these flags may have."""
    kind = section.flags & (Flag.WRITE | Flag.EXECUTABLE | Flag.THREAD_LOCAL)
    return {0: _CONSTANTS, Flag.EXECUTABLE: _CODE, Flag.WRITE: _ADDRESSES}.get(Flag(kind), _NO_SECTION)


_HEAP = "malloc|calloc|realloc|free|aligned_alloc|posix_memalign"
# All of libc's that begin with `mem`, and what clang makes of `memcmp`. Compilers, libgcc and the binding call some.
_MEMORY = "bcmp|mem(?:align|ccpy|chr|cmp|cpy|fd_create|frob|mem|move|pcpy|rchr|set(?:_explicit)?)"
# Names of the language, of code that starts and ends programs and libraries, and of the binding. C++'s own names begin
# with `_Z`.
_RESERVED = re.compile(rf"(?!_Z)_[_A-Z]\w*|_(?:init|fini|start)|Py[A-Z_]\w*|passnet_\w*|{_MEMORY}|{_HEAP}|abort")
# What a compiler gives each object that needs it: addresses for exceptions, and clang's end of a function without them.
_SHARED = re.compile(r"DW\.ref\.\w+|__clang_call_terminate")


def _check_definition(symbol: ObjectSymbol, taken: frozenset[str], source: str) -> None:
    if symbol.common:
        raise kept_variable(symbol.name, source)
    if symbol.kind == FileKind.CHOSEN_WHEN_LOADED:
        raise _breach(f"function {spelled(symbol.name)} is chosen when the library is loaded", ONE_PROCESSOR)
    shared = symbol.bind == Bind.WEAK and _SHARED.fullmatch(symbol.name)  # the binding's own comes first
    if symbol.leaves and not shared and (symbol.name in taken or _RESERVED.fullmatch(symbol.name)):
        raise _breach(f"it defines {symbol.name}", "the name is taken, choose another")


# --- calls ------------------------------------------------------------------------------------------------------

_MATH = (
    "a?(?:cos|sin|tan)h?|atan2|sincos|exp(?:2|10|m1)?|log(?:2|10|1p|b)?|pow|sqrt|cbrt|hypot|erfc?|[tl]gamma|ceil|floor|"
    "trunc|round(?:even)?|l?l?rint|nearbyint|l?lround|fmod|remainder|remquo|fma|fmin|fmax|fdim|fabs|frexp|ldexp|modf|"
    "scalbl?n|ilogb|nextafter|nexttoward|copysign|nan|c?abs|j[01n]|y[01n]|finite|isnan|isinf|fpclassify|signbit"
)
# Functions without a memory of their own. None formats text: `%m` would read a value that an earlier call left.
_C = "bcmp|mem(?:cpy|set|move|cmp|chr|pcpy)|str(?:len|cmp|ncmp|cpy|ncpy|chr)|abort|qsort|bsearch|l?div"
# Arithmetic that processors lack, from libgcc and compiler-rt: an operation and the modes of its operands.
_MODE = "(?:[hbsdtx]f|[qhsdt]i|[hsdtx]c)"
_ARITHMETIC = (
    "(?:add|sub|mul|div|mod|u?divmod|udiv|umod|neg|abs|ashl|ashr|lshr|u?cmp|eq|ne|lt|le|gt|ge|unord|powi?|"
    "ffs|clz|ctz|clrsb|popcount|parity|bswap)v?"
)
# A team that is started and not ended at once would work on after the call. Of itself a kernel may ask for its team and
# its place in it. How many processors or levels there are tells a judge's machine from a user's.
_OPENMP = (
    "GOMP_(?!parallel\\w*_(?:start|end)$)(?:parallel|loop|sections|single|barrier|atomic|critical|ordered|task|doacross|cancel)[a-z_]*|"
    "omp_get_(?:thread_num|num_threads|max_threads|level)"
)
# What std::list, std::map and std::unordered_map call in libstdc++. Each computes on the memory that it is given. What
# takes memory in there may not be called, because that would not be cleared.
_CONTAINERS = (
    "_ZNKSt8__detail20_Prime_rehash_policy(?:11_M_next_bktEm|14_M_need_rehashEmmm)|_ZSt11_Hash_bytesPKvmm|"
    "_ZSt18_Rb_tree_(?:in|de)crementPK?St18_Rb_tree_node_base|"
    "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_|"
    "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_|"
    "_ZNSt8__detail15_List_node_base(?:4swapERS0_S1_|7_M_hookEPS0_|9_M_unhookEv|10_M_reverseEv|11_M_transferEPS0_S1_)"
)
# libc's variable by which std::shared_ptr counts. Kernels are linked with a constant in its place (include/scratch.h).
_COUNTS = "__libc_single_threaded"
_EXCEPTIONS = "exception|logic_error|length_error|out_of_range|runtime_error|domain_error|bad_array_new_length|"
_EXCEPTIONS += "invalid_argument|bad_alloc|range_error|overflow_error|underflow_error"
_MORE_EXCEPTIONS = "bad_(?:function_call|optional_access|variant_access|cast|typeid|weak_ptr)"
# What tells types apart, and virtual functions of exceptions and types. Those of streams open, read and write files.
_TYPES = (
    r"_ZT[IS](?:St\d+\w+|N10__cxxabiv1\w+|P?K?[a-z])|_ZTVN10__cxxabiv1\d+__[a-z_]+_type_infoE|"
    rf"_ZTVSt\d+(?:{_EXCEPTIONS}|{_MORE_EXCEPTIONS})"
)
ALLOWED_CALLS = re.compile(
    "|".join(
        (
            rf"(?:__)?c?(?:{_MATH})[fl]?(?:_r|_finite)?",
            rf"_ZGV[a-z][NM]\d+[vlu]+_(?:__)?(?:{_MATH})[fl]?(?:_finite)?",
            rf"(?:__)?(?:{_C})(?:_chk)?|{_HEAP}",
            rf"__{_ARITHMETIC}{_MODE}{{1,2}}[234]?|__(?:extend|trunc|fix|fixuns|float|floatun){_MODE}{{2}}2?",
            r"_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__assert_fail|_Unwind_Resume|__gxx_personality_v0",
            r"__cxa_(?:throw|rethrow|begin_catch|end_catch|get_exception_ptr|pure_virtual|bad_cast|bad_typeid)",
            r"__cxa_(?:(?:allocate|free|init_primary)_exception|throw_bad_array_new_length)|__dynamic_cast",
            r"_Zn[aw]\w+|_Zd[al]\w+|_ZSt\d+__throw_\w+|_ZSt9terminatev|_ZSt7nothrow",
            _TYPES,
            rf"_ZNK?St\d+(?:{_EXCEPTIONS})(?:[CD][012]\w+|4whatEv|aSE\w+)",
            _OPENMP,
            _CONTAINERS,
            _COUNTS,
        )
    )
)
# Names of known libraries. A call of them is a breach, even where the library is not installed.
_LIBRARIES = re.compile(
    r"c?blas_\w+|cblas\w+|lapack\w+|[sdcz](?:ge|sy|tr|he)(?:mm|mv|mm3m)_|mkl_\w+|openblas\w+|dnnl_\w+|cu(?:blas|dnn|fft|solver)\w+"
    r"|_?Py\w+|__\w+|omp_\w+|GOMP_\w+|_ZNK?(?:2at|3c10|5torch)\w+"
)
_LINKED = ("libstdc++.so.6", "libm.so.6", "libgomp.so.1")
# Functions that stand in no source, and what authors write that calls them.
_CAUSES = (
    (re.compile("vsnprintf"), "std::to_string of a float calls it; that of an integer is admitted"),
    (re.compile(r"omp_(?:get|in)_\w+"), "a region has PASSNET_THREADS threads, or omp_get_num_threads() inside"),
    (re.compile(r"__cpu_(?:model|features2|indicator_init)"), f"asking for the processor calls it; {ONE_PROCESSOR}"),
)


def _check_call(symbol: ObjectSymbol, taken: frozenset[str]) -> None:
    name = symbol.name
    if ALLOWED_CALLS.fullmatch(name):
        return
    if not (symbol.bind == Bind.WEAK or name in taken or _LIBRARIES.fullmatch(name) or _exists(name)):
        raise UsageError(f"the kernel source uses {name} and nothing defines it")
    cause = next((f"; {told}" for names, told in _CAUSES if names.fullmatch(name)), "")
    raise _breach(f"it calls {name}", f"only mathematics and memory functions{cause}")


def _exists(name: str) -> bool:
    """Whether this process, or a library that kernels are linked with, defines the name."""
    for library in (None, *_LINKED):
        try:
            if hasattr(ctypes.CDLL(library), name):
                return True
        except OSError:
            continue
    return False


def _breach(what: str, why: str) -> KernelPolicyError:
    return refused("C++", COMPILED, what, why)
