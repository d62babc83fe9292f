"""Assembly that stands in a Triton kernel as a text: arithmetic on registers, by an allow-list of instructions."""

from __future__ import annotations

import re

from passnet.op_classes import word_set

# Instructions of PTX that compute from registers to registers. Each is followed by `.type` and further words.
_ARITHMETIC = word_set(
    "abs add addc and bfe bfi bfind bmsk brev clz cnot copysign cos cvt div dp2a dp4a ex2 fma fns lg2 lop3 mad mad24 "
    "madc max min mov mul mul24 neg not or popc prmt rcp rem rsqrt sad selp set setp shf shl shr sin slct sqrt sub "
    "subc szext tanh testp xor"
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|(?P<open>\Z))", re.DOTALL)
_INSTRUCTION = re.compile(r"(?:@!?(?P<guard>%?\w+)\s+)?(?P<name>[a-z]\w*)(?:\.\w+)*(?:\s+(?P<operands>.*))?", re.DOTALL)
_REGISTERS = re.compile(r"\.reg\s*\.\w+\s(?P<names>[\w%<>,\s]+)")
_NAME = re.compile(r"[%A-Za-z_]\w*")
_NUMBER = re.compile(r"\$\{?\d+(?::\w+\})?|\b0[fFdDxX][0-9a-fA-F]+U?\b|-?\b\d[\w.]*")


def wrong_in_assembly(text: str) -> str | None:
    """The first part of a text that is more than arithmetic on its operands and its own registers. None without one."""
    declared: set[str] = set()
    families: set[str] = set()
    if any(comment["open"] is not None for comment in _COMMENT.finditer(text)):
        return "a comment without an end"
    for statement in _COMMENT.sub(" ", text).split(";"):
        words = statement.lstrip("{} \t\r\n").rstrip()  # braces before an instruction open and close scopes
        if registers := _REGISTERS.fullmatch(words):
            for name in (each.strip() for each in registers["names"].split(",")):
                (families if "<" in name else declared).add(name.partition("<")[0])
        elif words:
            found = _INSTRUCTION.fullmatch(words)
            if found is None or found["name"] not in _ARITHMETIC:
                return f"instruction {words.split()[0]}"
            for name in _NAME.findall(_NUMBER.sub(" ", f"{found['guard'] or ''} {found['operands'] or ''}")):
                if name not in declared and name.rstrip("0123456789") not in families:
                    return f"operand {name}"
    return None
