"""Assembly that stands in a Triton kernel as a text: arithmetic on registers, by an allow-list of instructions."""

from __future__ import annotations

import re

from passnet.kernels.policy.registers import COMMENT, SPECIAL
from passnet.op_classes import word_set

# Instructions of PTX that compute from registers to registers. Each is followed by `.type` and further words.
_ARITHMETIC = word_set(
    "abs add addc and bfe bfi bfind bmsk brev clz cnot copysign cos cvt div dp2a dp4a ex2 fma fns lg2 lop3 mad mad24 "
    "madc max min mov mul mul24 neg not or popc prmt rcp rem rsqrt sad selp set setp shf shl shr sin slct sqrt sub "
    "subc szext tanh testp xor"
)
_INSTRUCTION = re.compile(r"(?:@!?(?P<guard>%?\w+)\s+)?(?P<name>[a-z]\w*)(?:\.\w+)*(?:\s+(?P<operands>.*))?", re.DOTALL)
_REGISTERS = re.compile(r"\.reg\s*\.\w+\s(?P<names>[\w%<>,\s]+)")
_DECLARED = re.compile(r"\s*(?P<name>%?[A-Za-z_]\w*)(?:<(?P<count>\d{1,4})>)?\s*")
_NAME = re.compile(r"[%A-Za-z_]\w*")
_NUMBER = re.compile(r"\b0[fFdDxX][0-9a-fA-F]+U?\b|-?\b\d[\w.]*")
# The compiler writes an operand where `$` and a number stand. Whatever else begins so would be another text then.
_OPERAND = re.compile(r"\$(?:\d+|\{\d+(?::\w+)?\})")
_JOINED = re.compile(rf"[\w%$]{_OPERAND.pattern}|{_OPERAND.pattern}[\w%$]")
# Beside them stand line markers, texts and escapes.
_PLAIN = re.compile(r"[\w\s%$,.;{}\[\]()<>=+\-*/|&^~!?:@]*", re.ASCII)
_WRITTEN = re.compile(r"[\t\n -~]*")
_DIGITS = "0123456789"


def wrong_in_assembly(text: str) -> str | None:
    """The first part of a text that is more than arithmetic on its operands and its own registers. None without one."""
    if any(comment["open"] is not None for comment in COMMENT.finditer(text)):
        return "a comment without an end"
    code = COMMENT.sub(" ", text)
    if "$" in _OPERAND.sub(" ", text) or _JOINED.search(code):
        return "`$` that is no operand"
    if not _WRITTEN.fullmatch(text) or not _PLAIN.fullmatch(code):
        return "a character that no arithmetic needs"
    scopes = _Scopes()
    for statement in _OPERAND.sub(" ", code).split(";"):
        words = statement.lstrip("{} \t\n")  # braces before an instruction open and close scopes
        if not scopes.follow(statement[: len(statement) - len(words)]):
            return "a brace that closes what it did not open"
        wrong = _wrong_in_statement(words.rstrip(), scopes)
        if wrong is not None:
            return wrong
    return None


def _wrong_in_statement(words: str, scopes: _Scopes) -> str | None:
    if registers := _REGISTERS.fullmatch(words):
        return next(
            (f"register {name.strip()}" for name in registers["names"].split(",") if not scopes.add(name)), None
        )
    if not words:
        return None
    found = _INSTRUCTION.fullmatch(words)
    if found is None or found["name"] not in _ARITHMETIC:
        return f"instruction {words.split(maxsplit=1)[0]}"
    names = _NAME.findall(_NUMBER.sub(" ", f"{found['guard'] or ''} {found['operands'] or ''}"))
    return next((f"operand {name}" for name in names if not scopes.has(name)), None)


class _Scopes:
    """The registers that a text declares, by the braces around them. Outside of these, a name is another one's."""

    def __init__(self) -> None:
        self._open: list[dict[str, int | None]] = [{}]

    def follow(self, braces: str) -> bool:
        """Opens and closes scopes. Whether all that it closes was open."""
        for brace in braces:
            if brace == "{":
                self._open.append({})
            elif brace == "}":
                self._open.pop()
            if not self._open:
                return False
        return True

    def add(self, declared: str) -> bool:
        """Declares `name`, or with `name<4>` name0 to name3. Whether that is no name of a special register."""
        found = _DECLARED.fullmatch(declared)
        if found is None or SPECIAL.match(f"{found['name']}{'0' if found['count'] else ''}"):
            return False
        self._open[-1][found["name"]] = int(found["count"]) if found["count"] else None
        return True

    def has(self, name: str) -> bool:
        """Whether a name is declared here or around."""
        stem = name.rstrip(_DIGITS)
        number = name[len(stem) :]
        for scope in self._open:
            if name in scope and scope[name] is None:
                return True
            if number and int(number[:9]) < (scope.get(stem) or 0):
                return True
        return False
