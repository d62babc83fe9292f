"""Checks the assembly that a compiler makes of an author's C++: only instructions that compute, in a compiler's form.

No text of an author reaches the assembly as it is, but names. What a compiler does not write is refused, so that one
that came through shows: other directives, prefixes, instructions and operands, capitals, quotes, comments.
"""

from __future__ import annotations

import functools
import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass

from passnet.kernels.policy.breach import KernelPolicyError, refused
from passnet.kernels.policy.spelling import kept_variable


@dataclass(frozen=True)
class _Row:
    """A pattern, and why a kernel may not have what it finds."""

    pattern: re.Pattern[str]
    why: str


def _row(pattern: str, why: str) -> _Row:
    return _Row(re.compile(pattern), why)


# x86-64 and AArch64: instructions that have a reason of their own to be refused. The others compute on registers and
# memory, or move these. So do hints and stores past the caches (`prefetch`, `movnt`, `sfence`): kernels of large
# outputs use them. `pause` does nothing. Compilers write `lahf`, `sahf` and `fnstsw` for comparisons of long double:
# the first two move what every sum changes, and the binding clears the x87 unit after a call.
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
_FORBIDDEN_OPERAND = _row(
    r"(?i)%\s*[fg]s\b|(?:,|^)\s*%\s*[cdes]s$|%\s*mm\d|%%",
    "it is the thread's or the loader's, and outlives the call",
)
_IS_ARM = platform.machine().lower() in {"aarch64", "arm64"}
# Instructions of x86-64 that compute, by families: integers, conditions, strings and bits; vectors of AVX and later
# (`v...`, but no virtual machines), masks, vectors of SSE; long double.
_SUFFIX = "[bwlq]?"
_CONDITION = "n?(?:ae?|be?|c|ge?|le?|e|o|p|s|z)|p[eo]"
_COMPUTING = re.compile(
    rf"(?:ad[cd]|adcx|adox|sub|sbb|and|andn|or|xor|cmp|test|mov|movabs|movbe|lea|not|neg|inc|dec|i?mul|i?div|ro[lr]|rc[lr]"
    rf"|s[ah][lr]|sh[lr]d|xchg|xadd|cmpxchg|bt[crs]?|bs[fr]|bswap|push|pop|popcnt|[lt]zcnt|crc32|nop){_SUFFIX}"
    r"|mov[sz](?:[bwl][wlq]|x)|movslq|movsxd|cmpxchg(?:8|16)b|(?:movs|stos|lods|scas|cmps)[bwlq]"
    r"|cltq|cltd|cqto|cwtl|cwtd|cbtw|cdqe?|cqo|cwde?|cbw|clc|stc|cmc|lahf|sahf"
    rf"|(?:set|cmov)(?:{_CONDITION}){_SUFFIX}|cmp(?:{_CONDITION})xadd[lq]?"
    r"|(?:bextr|bls(?:i|r|msk)|blc(?:fill|ic?|msk|s)|blsfill|blsic|t1mskc|tzmsk|bzhi|pdep|pext|rorx|s(?:ar|hl|hr)x|mulx)[lq]?"
    r"|ret[q]?|leave[q]?|ud2a?|endbr64|pause|[lms]fence|prefetch(?:nta|t[012]|wt?1?|it[01])?|movnti[lq]?"
    r"|v(?:[^elm_][a-z0-9]*|exp[a-z0-9]+|extract[a-z0-9]+|lddqu|mask[a-z0-9]+|max[a-z0-9]+|min[a-z0-9]+|mov[a-z0-9]+"
    r"|mpsadbw|mul[a-z0-9]+|cmp[a-z]+_[ou][qs][ps][sdh])"
    r"|k(?:add|andn?|mov|not|or|ortest|shift[lr]|test|unpck[a-z]|xnor|xor)[bdqw]"
    r"|(?:add|sub|mul|div|sqrt|min|max|andn?|x?or|cmp[a-z_]*|unpck[hl]|shuf|round|blendv?|rcp|rsqrt|dp|hadd|hsub|addsub)"
    r"[ps][sd]|u?comis[sd]|(?:insert|extract)ps|cvt[a-z0-9]+|mpsadbw|lddqu|maskmovdqu|extrq|insertq"
    r"|mov(?:[ahlu]p[sd]|lhps|hlps|s[sd]|dq[au]|mskp[sd]|s[hl]dup|ddup|nt(?:dqa?|p[sd]|s[sd]|q)|dq2q|q2dq)|movd"
    r"|p(?:abs|ack|add|align|and|avg|blend|clmul|cmp|extr|hadd|hmin|hsub|insr|madd|max|min|mov|mul|or|sad|shu|sign|s[lr]"
    r"|sub|test|unpck|xor)[a-z0-9]*|aes(?:enc|dec)(?:last)?|aesimc|aeskeygenassist|sha(?:1|256)[a-z0-9]+|gf2p8[a-z0-9]+"
    r"|f(?:ld(?:[slt1z]|cw|pi|l2[et]|l[gn]2)?|stp?[slt]?|i(?:ld|stt?p?)(?:[slq]|ll)?|i?(?:add|sub|mul|div)r?p?[sl]?"
    r"|i?u?comi?p{0,2}[sl]?|u?compi|cmovn?(?:be?|e|u|ae?)|chs|abs|sqrt|sin|cos|sincos|ptan|patan|2xm1|yl2x(?:p1)?|scale|prem1?"
    r"|rndint|xtract|xam|xch|tst|freep?|nst[cs]w|nop)"
)
_LEAVING = re.compile(rf"(?:j(?:mp|{_CONDITION}|[er]?cxz)|call|loopn?[ez]?)q?")
# What compilers write before an instruction, and before which. Clang also writes a line between them.
_PREFIXED = re.compile(
    r"(?:lock\s+(?=(?:ad[cd]|sub|sbb|and|x?or|inc|dec|neg|not|xadd|xchg|cmpxchg(?:8b|16b)?|bt[crs])[bwlq]?\s)"
    r"|rep(?:n?[ez])?\s+(?=(?:movs|stos|lods|scas|cmps)[bwlq]|bs[fr]|ret|nop)|notrack\s+(?=jmp|call)"
    r"|\{(?:vex[23]?|evex)\}\s+(?=v))"
)
_ALONE = re.compile(r"lock|rep(?:n?[ez])?|notrack")
_OFFSET = r"[-+\w.$@*/~]*"
_OPERAND = (
    rf"(?:\*?(?:%[a-z][a-z0-9]*(?:\([0-7]\))?|(?:%[cdes]s:)?{_OFFSET}\((?:%\w+)?(?:\s*,\s*(?:%\w+)?(?:\s*,\s*[1248])?)?\))"
    rf"|\$[-+\w.$@*/~()]+|\*?[-+]?[0-9][-+\w]*|(?=\{{))(?:\s?\{{[\w%-]+\}})*"
)
_OPERANDS = re.compile(rf"(?:{_OPERAND}(?:\s*,\s*{_OPERAND})*)?")
_AIM = re.compile(rf"[-+\w.$@]+|{_OPERAND}")
_ARM_INSTRUCTION = re.compile(r"[a-z][a-z0-9_.]*(?:\s+[-+\w.$@%(),*{}:!\[\]/ \t#]+)?")

_SECTION_LINE = re.compile(r"\.(?:section\s+(?P<name>[^,\s\"]+)|(?P<plain>text|data|bss))\b")
_DATA = re.compile(
    r"\.(?:[248]?byte|[dx]?word|long|quad|octa|short|hword|int|value|string\d*|asci[iz]|fill|skip|space|zero|[us]leb128"
    r"|float|double|single)\b"
)
_ALIGN = re.compile(r"\.(?:p2|b)?align\s+\d+(?:\s*,\s*(?P<fill>0x90|0x0|0)?(?:\s*,\s*\d+)?)?")
_THREADS_OWN = re.compile(r"(?<![\w.$])([\w.$]+)@(?i:tls\w+|gottpoff|d?tpoff)\b")
# What GCC and clang write for ELF, and clang for Mach-O. `.arch` names the processor on AArch64.
_DIRECTIVES = re.compile(
    r"\.(?:file|ident|text|data|bss|section|globl|global|weak|hidden|protected|internal|local|l?comm|type|size|set|equ"
    r"|weakref|symver|prefalign(?=[^,]*,[^,]*,\s*nop$)|cfi_\w+|loc|addrsig(?:_sym)?|cpu|tune|arch(?=\s+armv)|variant_pcs"
    r"|subsections_via_symbols|build_version|macosx_version_min|zerofill|private_extern|weak_definition|weak_reference"
    r"|weak_def_can_be_hidden|no_dead_strip|alt_entry|desc|indirect_symbol|c?string\d*|const|literal\d+"
    r"|(?:end_)?data_region|asci[iz]|[248]?byte|[dx]?word|long|quad|octa|short|hword|int|value|fill|skip|space|zero"
    r"|[us]leb128|float|double|single)(?:\s[-+\w.$@%(),*/:<>|~&? \t\"]*)?"
)
_TEXTUAL = re.compile(r"\.(?:file|ident|section|c?string\d*|asci[iz]|loc|build_version)\b")
# An address as a symbol, a register by another name, a name in quotes.
_PLACE = re.compile(r"\.(?:set|equ)\s+(?:\.\s*,|[^%]*%)|\.section\s+\"")
_NO_STACK = re.compile(r'^\.section\s+"\.note\.GNU-stack"(?=,)')  # clang quotes names with a minus
_TEXTS = re.compile(r'"(?:[^"\\]|\\.)*"')
_LABEL = re.compile(r"[\w.$@]+\s*:\s*")
_ADDRESSES = "_GLOBAL_OFFSET_TABLE_"
_STRANGE = re.compile(r"[^\x00-\x7f]")
_INLINE = re.compile(r"(?:#|//|;)+\s*(?:APP|InlineAsm Start|Start of user assembly)\b")


def check_assembly(text: str, source: str = "") -> None:
    """KernelPolicyError for the first line in a compiler's assembly that does more than compute.

    source: what was compiled. It tells the line of a variable.
    """
    if found := _STRANGE.search(text):
        raise _breach(f"assembly, {found.group()!a}", "names are ASCII")
    if _ADDRESSES in text:
        raise _breach(f"the table {_ADDRESSES}", "it holds the addresses of functions that no kernel may call")
    for found in _THREADS_OWN.finditer(text):
        if not text[text.rfind("\n", 0, found.start()) + 1 : found.start()].lstrip().startswith("."):
            raise kept_variable(found[1], source)
    executable = True
    check_instruction = _check_arm_instruction if _IS_ARM else _check_instruction
    for line in map(str.strip, text.split("\n")):
        if _INLINE.match(line):
            raise _breach("assembly in the source", "assembly can do more than the compiler allows")
        if not line.startswith(("#", "//")):
            for statement in _statements(line):
                if statement.startswith("."):
                    executable = _executable(statement, executable)
                else:
                    check_instruction(statement)


def _statements(line: str) -> Iterator[str]:
    """The statements of a line without its labels."""
    bare = _TEXTS.sub('""', _NO_STACK.sub(".section .note.GNU-stack", line))
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
    align = _ALIGN.fullmatch(directive)
    if align is None and (strange or _PLACE.match(directive) or not _DIRECTIVES.fullmatch(directive)):
        raise _breach(f"the directive {directive[:40]}", "the lines after it are not what they seem")
    section = _SECTION_LINE.match(directive)
    if section:
        return section["plain"] == "text" or (section["name"] or "").startswith(".text")
    if before and (_DATA.match(directive) or (align is not None and align["fill"] not in (None, "0x90"))):
        raise _breach(f"data among code, {directive[:40]}", "data belongs where the compiler puts it")
    return before


def _check_instruction(statement: str) -> None:
    """One of x86-64. Prefixes that a compiler does not write are no known instructions."""
    prefix = _PREFIXED.match(statement)
    name, *rest = statement[prefix.end() if prefix else 0 :].split(None, 1)
    operands = rest[0] if rest else ""
    leaves = _is_known(name)
    if found := _FORBIDDEN_OPERAND.pattern.search(operands):
        raise _breach(f"an operand {found.group()}", _FORBIDDEN_OPERAND.why)
    if not (_AIM if leaves else _OPERANDS).fullmatch(operands):
        raise _breach(f"assembly, {statement[:60]}", "no compiler writes it")


@functools.lru_cache(maxsize=4096)
def _is_known(name: str) -> bool:
    """Whether an instruction of x86-64 goes to another place, or computes. KernelPolicyError for any other."""
    _refuse_instruction(name)
    if _LEAVING.fullmatch(name):
        return True
    if not _COMPUTING.fullmatch(name) and not _ALONE.fullmatch(name):
        raise _breach(f"the instruction {name}", "it is none of those that compute")
    return False


def _check_arm_instruction(statement: str) -> None:
    if not _ARM_INSTRUCTION.fullmatch(statement):
        raise _breach(f"assembly, {statement[:60]}", "no compiler writes it")
    name, _, operands = statement.replace("\t", " ").partition(" ")
    _refuse_instruction(name)
    if found := _FORBIDDEN_OPERAND.pattern.search(operands):
        raise _breach(f"an operand {found.group()}", _FORBIDDEN_OPERAND.why)


def _refuse_instruction(name: str) -> None:
    for row in _INSTRUCTIONS:
        if row.pattern.fullmatch(name):
            raise _breach(f"the instruction {name}", row.why)


def read_only_references(text: str) -> str:
    """Assembly with the pointers to exception routines moved to the constants. Compilers put them into variables."""
    reference = r"(\.section\s+)\.data(?:\.rel(?:\.local)?)?\.(DW\.ref\.\w+)(,\"a(?:wG|Gw)\",[@%]progbits,\2,comdat)$"
    return re.sub(reference, r"\1.data.rel.ro.\2\3", text, flags=re.MULTILINE)


def _breach(what: str, why: str) -> KernelPolicyError:
    return refused("C++", "compiled code", what, why)
