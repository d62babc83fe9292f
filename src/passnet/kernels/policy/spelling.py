"""Says of a compiled name what stands in the source: the name as its author wrote it, and its line."""

from __future__ import annotations

import re

from passnet.kernels.policy.breach import KernelPolicyError, refused

COMPILED = "compiled code"
_CPP = re.compile(r"_Z(?:GV|GR|TH|TW)?")
_COUNTED = re.compile(r"L?(\d{1,4})(?=[A-Za-z_])")
_OF_A_SPACE = re.compile(r"N[rVK]*")
_ENDS = 16  # the end of the function's own name is among the last
_LONGEST = 200
_NUMBERED = re.compile(r"(?:_\d*_?)?")
_KEEPS = re.compile(r"\b(?:static|thread_local|__thread|_Thread_local)\b")
_KEEP_LOCAL = (
    "make tables const or constexpr arrays, keep the rest local; an object with a constructor, such as std::vector, is "
    "never a table"
)


def spelled(symbol: str) -> str:
    """A name without C++'s marks, such as `passes` of `_ZL6passes`. A name of another form stays as it is."""
    mark = _CPP.match(symbol)
    if mark is None:
        return symbol
    rest = symbol[mark.end() :]
    if not rest.startswith("Z"):
        return (_parsed(rest) or (symbol, 0))[0]
    around = _parsed(rest[1:])
    for end in [found.end() for found in re.finditer("E", rest)][: -_ENDS - 1 : -1]:
        inner = _parsed(rest[end:])
        if inner is not None and _NUMBERED.fullmatch(rest, end + inner[1]):
            return f"{inner[0]} in {around[0]}" if around else inner[0]
    return symbol


def _parsed(text: str) -> tuple[str, int] | None:
    """The name with which a text begins, and where it ends. None for other texts."""
    space = _OF_A_SPACE.match(text)
    at, names = space.end() if space else 0, list[str]()
    while counted := _COUNTED.match(text, at):
        at = counted.end() + int(counted[1])
        names.append(text[counted.end() : at])
        if space is None:
            break
    if not names or at > len(text) or (space and not text.startswith("E", at)):
        return None
    return "::".join(names), at + (space is not None)


def kept_variable(symbol: str, source: str = "") -> KernelPolicyError:
    """The error for a variable that outlives the call. `source`: the text in which its line is looked for."""
    name = spelled(symbol)
    place = _place(name.partition(" in ")[0].rpartition("::")[2], source)
    return refused("C++", place, f"variable {name} outlives the call", _KEEP_LOCAL)


def _place(name: str, source: str) -> str:
    """The first line that names a static variable so. Without one: the first that declares something of that name."""
    if len(name) > _LONGEST:
        return COMPILED
    word = re.compile(rf"\b{re.escape(name)}\b")
    declared = re.compile(rf"\s*\w[^=;()]*[\s*&>]{re.escape(name)}\s*[=;\[{{]")
    lines = [(number, line) for number, line in enumerate(source.split("\n"), 1) if word.search(line)]
    kept = [number for number, line in lines if _KEEPS.search(line)]
    kept += [number for number, line in lines if declared.match(line)]
    return f"line {kept[0]}" if kept else COMPILED
