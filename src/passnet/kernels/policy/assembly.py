"""Checks the assembly that a compiler makes of an author's C++: only instructions that compute, in a compiler's form.

No text of an author reaches the assembly as it is, but names. What a compiler does not write is refused, so that one
that came through shows: other directives, capitals, quotes, comments.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass

from passnet.kernels.policy.breach import KernelPolicyError, refused


@dataclass(frozen=True)
class _Row:
    """A pattern, and why a kernel may not have what it finds."""

    pattern: re.Pattern[str]
    why: str


def _row(pattern: str, why: str) -> _Row:
    return _Row(re.compile(pattern), why)


# x86-64 and AArch64. All other instructions compute on registers and memory, or move these. So do hints and stores past
# the caches (`prefetch`, `movnt`, `sfence`): kernels of large outputs use them. `pause` does nothing. Compilers write
# `lahf`, `sahf` and `fnstsw` for comparisons of long double: the first two move what every sum changes, and the
# binding clears the x87 unit after a call.
_INSTRUCTIONS = (
    _row(r"syscall|sysenter|int[13o]?|vm(?:m?call|func)|encl[suv]|svc|hvc|smc", "a kernel may not call the system"),
    _row(r"rdtscp?|rdpmc|rdpru|rdpid|u(?:monitor|mwait)|tpause", "a kernel needs no clock"),
    _row(r"rdrand\w?|rdseed\w?", "a kernel's results must follow from its arguments"),
    _row(r"(?:rd|wr)(?:fs|gs)base\w?|(?:rd|wr)pkru|(?:rd|wr)ssp\w?|mrs|msr|sysl?", "a register that outlives the call"),
    _row(r"v?(?:ld|st)mxcsr|f(?:ld|n?st)env|f(?:rstor|n?save|n?clex)|emms|femms", "a register that outlives the call"),
    _row(r"(?:push|pop)f[wlqd]?|std|cld|stac|clac", "a register that outlives the call"),
    _row(r"fx(?:save|rstor)\w*|xsave\w*|xrstor\w*|xsetbv", "a register that outlives the call"),
    _row(r"clflush(?:opt)?|clwb|cldemote|clzero|movdir\w+|enqcmds?|dc|ic", "the caches are not the kernel's alone"),
    _row(r"x(?:begin|end|abort|test|susldtrk|resldtrk)|t(?:start|commit|cancel|test)", "a kernel has no transactions"),
    _row(r"m(?:onitor|wait)x?|wf[ei]t?|sevl?|ptwrite|hreset|serialize", "a kernel waits for nothing and tells nobody"),
    _row(r"xgetbv|cpuid", "a kernel is for one processor"),
    _row(r"wru?ss[dq]|incssp\w*|saveprevssp|rstorssp|[sc]tui|clui|testui|senduipi|uiret", "a register of the system's"),
    _row(r"[ls]lwpcb|lwp(?:ins|val)", "a register that outlives the call"),
    _row(r"[fg]s|s[gi]dt\w?|sldt\w?|smsw\w?", "a register of the system's"),
    _row(r"l(?:call|jmp|ret)\w?|iret\w?", "a kernel stays in its code"),
    _row(r"t(?:ile|dp|cmm|2rpntlvw)\w+|(?:ld|st)tilecfg", "a tile register that outlives the call"),
)
# Compilers write few of these, and an assembler skips them all.
_PREFIX = re.compile(
    r"^(?:(?:rep\w*|lock|notrack|data(?:16|32)|addr(?:16|32)|bnd|xacquire|xrelease|rex[\w.]*|[cdes]s|\{\w+\})\s+)+"
)
_FORBIDDEN_OPERAND = _row(
    r"(?i)%\s*[fg]s\b|%\s*mm\d|_GLOBAL_OFFSET_TABLE_|%%", "it is the thread's or the loader's, and outlives the call"
)
_IS_ARM = platform.machine().lower() in {"aarch64", "arm64"}
_INSTRUCTION = re.compile(r"[a-z][a-z0-9_.]*(?:\s+[-+\w.$@%(),*{}:!\[\]/ \t" + ("#" if _IS_ARM else "") + "]+)?")

_SECTION_LINE = re.compile(r"\.(?:section\s+(?P<name>[^,\s\"]+)|(?P<plain>text|data|bss))\b")
_DATA = re.compile(
    r"\.(?!byte\s+0x66$|value\s+0x6666$)(?:[248]?byte|[dx]?word|long|quad|octa|short|hword|int|value|string\d*|asci[iz]"
    r"|fill|skip|space|zero|[us]leb128|float|double|single|(?:p2|b)?align[wl]?\s+\w+\s*,\s*(?!0x90\b)[^,\s])"
)
# What GCC and clang write for ELF, and clang for Mach-O. `.arch` names the processor on AArch64.
_DIRECTIVES = re.compile(
    r"\.(?:file|ident|text|data|bss|section|globl|global|weak|hidden|protected|internal|local|l?comm|type|size|set|equ"
    r"|weakref|symver|(?:p2|b)?align[wl]?|prefalign|cfi_\w+|loc|addrsig(?:_sym)?|cpu|tune|arch(?=\s+armv)|variant_pcs"
    r"|subsections_via_symbols|build_version|macosx_version_min|zerofill|private_extern|weak_definition|weak_reference"
    r"|weak_def_can_be_hidden|no_dead_strip|alt_entry|desc|indirect_symbol|c?string\d*|const|literal\d+"
    r"|(?:end_)?data_region|asci[iz]|[248]?byte|[dx]?word|long|quad|octa|short|hword|int|value|fill|skip|space|zero"
    r"|[us]leb128|float|double|single)(?:\s[-+\w.$@%(),*/:<>|~&? \t\"]*)?"
)
_TEXTUAL = re.compile(r"\.(?:file|ident|section|c?string\d*|asci[iz]|loc|build_version)\b")
_PLACE = re.compile(r"\.(?:set|equ)\s+\.\s*,|\.section\s+\"")  # an address as a symbol, a name in quotes
_TEXTS = re.compile(r'"(?:[^"\\]|\\.)*"')
_LABEL = re.compile(r"[\w.$@]+\s*:\s*")
_INLINE = re.compile(r"(?:#|//|;)+\s*(?:APP|InlineAsm Start|Start of user assembly)\b")


def check_assembly(text: str) -> None:
    """KernelPolicyError for the first line in a compiler's assembly that does more than compute."""
    executable = True
    for line in map(str.strip, text.split("\n")):
        if _INLINE.match(line):
            raise _breach("assembly in the source", "assembly can do more than the compiler allows")
        if not line.startswith(("#", "//")):
            for statement in _statements(line):
                if statement.startswith("."):
                    executable = _executable(statement, executable)
                else:
                    _check_instruction(statement)


def _statements(line: str) -> Iterator[str]:
    """The statements of a line without its labels."""
    bare = _TEXTS.sub('""', line)
    if "/*" in bare or "//" in bare or '"' in bare.replace('""', "") or ("#" in bare and not _IS_ARM):
        raise _breach(f"assembly, {line[:60]}", "a comment or a text without an end hides what follows")
    for part in bare.split(";"):
        statement = part.strip()
        while label := _LABEL.match(statement):
            statement = statement[label.end() :]
        if statement:
            yield statement


def _executable(directive: str, before: bool) -> bool:
    """Whether the next lines are code. Data among code would be instructions that this check does not see."""
    strange = '"' in directive and not _TEXTUAL.match(directive)
    if strange or _PLACE.match(directive) or not _DIRECTIVES.fullmatch(directive):
        raise _breach(f"the directive {directive[:40]}", "the lines after it are not what they seem")
    section = _SECTION_LINE.match(directive)
    if section:
        return section["plain"] == "text" or (section["name"] or "").startswith(".text")
    if before and _DATA.match(directive):
        raise _breach(f"data among code, {directive[:40]}", "data belongs where the compiler puts it")
    return before


def _check_instruction(line: str) -> None:
    plain = _PREFIX.sub("", line, count=1)
    if not _INSTRUCTION.fullmatch(plain):
        raise _breach(f"assembly, {line[:60]}", "no compiler writes it")
    name, _, operands = plain.replace("\t", " ").partition(" ")
    for row in _INSTRUCTIONS:
        if row.pattern.fullmatch(name):
            raise _breach(f"the instruction {name}", row.why)
    if found := _FORBIDDEN_OPERAND.pattern.search(operands):
        raise _breach(f"an operand {found.group()}", _FORBIDDEN_OPERAND.why)


def read_only_references(text: str) -> str:
    """Assembly with the pointers to exception routines moved to the constants. Compilers put them into variables."""
    reference = r"(\.section\s+)\.data(?:\.rel(?:\.local)?)?\.(DW\.ref\.\w+)(,\"awG\",[@%]progbits,\2,comdat)$"
    return re.sub(reference, r"\1.data.rel.ro.\2\3", text, flags=re.MULTILINE)


def _breach(what: str, why: str) -> KernelPolicyError:
    return refused("C++", "compiled code", what, why)
