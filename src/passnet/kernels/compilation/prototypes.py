"""Reads the exported functions of a kernel source: their names, parameters and lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from passnet.errors import UsageError

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*\#(?:[^\n\\]|\\.)*)
      |(?P<text>R"(?P<mark>[^()\\ ]{0,16})\(.*?(?:\)(?P=mark)"|\Z)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)
      |(?P<word>[A-Za-z_]\w*)
      |(?P<other>\d[\w.']*|::|->|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_CLOSING = {"(": ")", "{": "}", "[": "]"}
# Words before a parameter list that are no function name. The parentheses after them are skipped.
_ATTRIBUTES = frozenset({"__attribute__", "__launch_bounds__", "__declspec", "alignas", "noexcept", "decltype"})


@dataclass(frozen=True)
class Parameter:
    """One parameter as written: its type, with `*` for pointers and arrays, and its name (may be empty)."""

    type: str
    name: str

    @property
    def is_pointer(self) -> bool:
        return self.type.endswith("*")

    def __str__(self) -> str:
        return f"{self.type} {self.name}".strip()


@dataclass(frozen=True)
class Prototype:
    """One function with C linkage and a body."""

    name: str
    returns: str
    parameters: tuple[Parameter, ...]

    def __str__(self) -> str:
        return f"{self.returns} {self.name}({', '.join(map(str, self.parameters))})"


def exported(source: str) -> tuple[Prototype, ...]:
    """The `extern "C"` functions that `source` defines, in order. Macros are not expanded.

    Raises UsageError when a function is defined twice or an extern "C" block does not end.
    """
    found = list(_scan(_tokens(source)))
    names = [prototype.name for prototype in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise UsageError(
            f"exported twice: {', '.join(sorted(twice))}",
            expected='one extern "C" function of each name',
            hint="overloads cannot have C linkage; give each type its own name",
        )
    return tuple(found)


def _tokens(source: str) -> list[str]:
    return [match.group() for match in _TOKEN.finditer(source) if match.lastgroup != "skip"]


def _scan(tokens: list[str]) -> Iterator[Prototype]:
    at = 0
    while at + 1 < len(tokens):
        if tokens[at] == "extern" and tokens[at + 1] == '"C"':
            at += 2
            if tokens[at : at + 1] == ["{"]:
                end = _matching(tokens, at)
                yield from _definitions(tokens[at + 1 : end])
                at = end + 1
            else:
                end = _end_of_declaration(tokens, at)
                yield from _definitions(tokens[at:end])
                at = end
        else:
            at += 1


def _matching(tokens: list[str], at: int) -> int:
    opening, closing, depth = tokens[at], _CLOSING[tokens[at]], 0
    for index in range(at, len(tokens)):
        depth += (tokens[index] == opening) - (tokens[index] == closing)
        if depth == 0:
            return index
    raise UsageError(f"the kernel source has an unclosed {opening!r}", expected=closing, found="the end of the source")


def _end_of_declaration(tokens: list[str], at: int) -> int:
    """One past the `;` or the body that ends the declaration at `at`."""
    while at < len(tokens):
        if tokens[at] == ";":
            return at + 1
        if tokens[at] in _CLOSING:
            closed = _matching(tokens, at)
            if tokens[at] == "{":
                return closed + 1
            at = closed
        at += 1
    return at


def _definitions(tokens: list[str]) -> Iterator[Prototype]:
    at = 0
    while at < len(tokens):
        end = _end_of_declaration(tokens, at)
        prototype = _definition(tokens[at:end])
        if prototype is not None:
            yield prototype
        at = end


def _definition(tokens: list[str]) -> Prototype | None:
    """The function that these tokens define. None for declarations, types, variables and static functions."""
    head = tokens[: tokens.index("{")] if "{" in tokens else []
    if not head or tokens[-1] != "}" or "static" in head:
        return None
    at = 0
    while at < len(tokens) and tokens[at] != "{":
        if tokens[at] == "(":
            closed = _matching(tokens, at)
            word = tokens[at - 1] if at else ""
            if word not in _ATTRIBUTES and re.fullmatch(r"[A-Za-z_]\w*", word):
                returns = _type_text(_without_attributes(tokens[: at - 1]))
                return Prototype(word, returns, tuple(_parameters(tokens[at + 1 : closed])))
            at = closed
        at += 1
    return None


def _without_attributes(tokens: list[str]) -> list[str]:
    kept: list[str] = []
    at = 0
    while at < len(tokens):
        if tokens[at] in _ATTRIBUTES and tokens[at + 1 : at + 2] == ["("]:
            at = _matching(tokens, at + 1)
        elif tokens[at] not in {"inline", "__global__"}:
            kept.append(tokens[at])
        at += 1
    return kept


def _parameters(tokens: list[str]) -> Iterator[Parameter]:
    for part in _split(tokens):
        if part and part != ["void"]:
            yield _parameter(part)


def _split(tokens: list[str]) -> Iterator[list[str]]:
    """Cut at the commas outside brackets."""
    depth = 0
    part: list[str] = []
    for token in tokens:
        depth += (token in "([{<") - (token in ")]}>")
        if token == "," and depth == 0:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _parameter(tokens: list[str]) -> Parameter:
    if "=" in tokens:
        tokens = tokens[: tokens.index("=")]
    is_array = "[" in tokens
    if is_array:
        tokens = tokens[: tokens.index("[")]
    words = [token for token in tokens if token not in {"__restrict__", "__restrict", "restrict"}]
    named = len(words) > 1 and words[-1].isidentifier() and words[-1] not in _TYPE_WORDS and words[-2] != "::"
    name = words.pop() if named and words[:-1] not in (["const"], ["struct"]) else ""
    return Parameter(_type_text([*words, "*"] if is_array else words), name)


_TYPE_WORDS = frozenset({"int", "long", "short", "char", "float", "double", "bool", "unsigned", "signed", "const"})


def _type_text(tokens: list[str]) -> str:
    return re.sub(r"\s*(::|<)\s*|\s+(?=[*&>,])", r"\1", " ".join(tokens))
