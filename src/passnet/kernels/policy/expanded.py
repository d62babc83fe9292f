"""Rules for what a preprocessor makes of a C++ source: the author's lines, and those of headers around them.

Macros of headers reach into the author's lines, and the author's macros into the headers after them. So the author's
lines are checked once more, as a source is, and the other lines for what no header has. A preprocessor writes each
token as it reads it, so its output must be read in one way only, as the source is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from passnet.kernels.policy.breach import refused
from passnet.kernels.policy.source import RULES, Hits, check_source, is_plain_pragma

# Before each part: its line and its file. Nothing else in the output begins like this, because no source can make it.
_MARKER = re.compile(r'(\d+) "((?:[^"\\\n]|\\.)*)"[ 1-4]*')
# Each pattern here begins with a literal: headers have megabytes. In lines about these words all rules are asked.
_TOLD = ("optimize", "section", "alias", "weakref", "ifunc", "symver")
_NEAR = 400
# What a preprocessor leaves of a header: no comment, no raw string, no joined line, no quote without an end or in a
# number. So all compilers find the same texts in it. No group is possessive: Python 3.11.2 finds no match then.
_READ_ALIKE = re.compile(
    r"""(?:[^"'/\\]++|/(?![/*])|(?<!R)"(?:[^"\\\n]|\\.)*"|(?:(?<![A-Za-z0-9_])|(?<=\b[LuU])|(?<=\bu8))'(?:[^'\\\n]|\\.)+')*"""
)
_ASSEMBLY = re.compile(r"asm(?:(?<!\wasm)|(?<=__asm)(?<!\w__asm))(?:__)?\b")
_REGISTER = re.compile(r"register(?<!\wregister)\b")
_NAMING = re.compile(r"pragma\s+(?:weak|redefine_extname|extern_prefix)\b.*")
# The name that a symbol has for the assembler may be a plain one. A statement shows in the assembly.
_PLAIN = re.compile(r'\s*\(\s*(?:"[\w.$]*"\s*)+\)')
_STATEMENT = re.compile(r'\s*(?:(?:__)?(?:volatile|goto|inline)(?:__)?\b|\(\s*(?:"(?:[^"\\\n]|\\.)*"\s*)+:)')

# The word that a preprocessor leaves in place of `_Pragma`. It would obey some pragmas, and leave nothing to check.
PRAGMA = "__passnet_pragma"
_PRAGMA_WORD = re.compile(rf"\b(?:_Pragma|{PRAGMA})\b")
# Where a system's header has one, a line between word and text says that the lines are the header's.
_BETWEEN = r'(?:\s|(?<=\n)# \d+ "(?:[^"\\\n]|\\.)*"[ 1-4]*(?=\n))*'
_PRAGMA = re.compile(rf'\b{PRAGMA}{_BETWEEN}\({_BETWEEN}"((?:[^"\\\n]|\\["\\])*)"{_BETWEEN}\)')


def has_pragmas(text: str) -> bool:
    """Whether a preprocessor that leaves `PRAGMA` in place of `_Pragma` met one in a source or its headers.

    KernelPolicyError for one that is not a single text, that is none of the allow-list, or that changes the compiler's
    own macros: then what the preprocessor makes of the source with these pragmas is what was checked.
    """
    for match in _PRAGMA_WORD.finditer(text):
        pragma = _PRAGMA.match(text, match.start())
        told = pragma and re.sub(r'\\(["\\])', r"\1", pragma[1]).strip()
        if not told or not is_plain_pragma(told):
            line = text[match.start() : match.start() + 60].partition("\n")[0]
            what = f"_Pragma of {told[:60]}" if told else line
            raise refused("C++", "a pragma in a macro", what, "it is a text of loops, threads or warnings")
    return _PRAGMA_WORD.search(text) is not None


def authors_lines(text: str, name: str) -> str:
    """The lines of a preprocessor's output that come from the file `name`, each at its own number."""
    lines: list[str] = []
    at, after_pragma = 1, False
    for file, number, body in _parts(text):
        if file == name:
            apart = after_pragma or body.startswith("#")
            lines.append("\n" * max(number - at, apart) or " ")
            lines.append(body)
            at = max(number, at + apart) + body.count("\n")
            after_pragma = body.rpartition("\n")[2].startswith("#")
    return "".join(lines)


def check_authors_lines(text: str) -> None:
    """KernelPolicyError for a breach in what `authors_lines` gave, and where it is not plain as it stands."""
    if check_source(text, "C++") != text:
        raise refused("C++", "expanded source", "words that stand together by a macro", "tokens stand in the text")


def check_headers(text: str, name: str) -> None:
    """KernelPolicyError when a macro of the author put something into the lines of other files than `name`."""
    parts = list(_parts(text))
    for file, _, body in parts:
        if file != name:
            _refuse(_read_in_two_ways(body), "a header's words and texts are whole")
    around = "\n".join(body for file, _, body in parts if file != name)
    # What a header begins, the author's lines may end.
    told = "\n".join(_lines_about("\n".join(body for _, _, body in parts)))
    for rule in RULES:
        if rule.name in ("options", "placed"):
            _refuse(rule.find(told), rule.why)
        elif rule.name in ("caller", "pragma"):
            _refuse(rule.find(around), rule.why)
    _refuse(_assembly(around), "assembly can do more than the compiler allows")
    _refuse(((0, found.group()) for found in _NAMING.finditer(around)), "symbols keep their names")


def _refuse(hits: Hits, why: str) -> None:
    for _, what in hits:
        raise refused("C++", "a header", f"{what}, by a macro", why)


def _read_in_two_ways(body: str) -> Hits:
    """The first line of a header's part in which a compiler may find other texts than this check."""
    for at, line in enumerate(body.split("\n") if not _is_plain(body) else (), 1):
        if not _is_plain(line):
            yield at, line.strip()[:60]


def _is_plain(text: str) -> bool:
    return text.isascii() and _READ_ALIKE.fullmatch(text) is not None


def _lines_about(text: str) -> Iterator[str]:
    for word in _TOLD:
        for hit in re.finditer(word, text):
            end = text.find("\n", hit.end() + _NEAR)
            yield text[text.rfind("\n", 0, hit.start()) + 1 : len(text) if end < 0 else end]


def _assembly(text: str) -> Hits:
    for match in _ASSEMBLY.finditer(text):
        after = match.end()
        if not _PLAIN.match(text, after) and not _STATEMENT.match(text, after):
            yield 0, text[match.start() : after + 40].partition("\n")[0]
    for match in _REGISTER.finditer(text):
        yield 0, match.group()


def _parts(text: str) -> Iterator[tuple[str, int, str]]:
    """The file, the first line and the text of each part of a preprocessor's output."""
    before, *parts = f"\n{text}".split("\n# ")
    for part in ([before] if before.strip() else []) + parts:
        head, _, body = part.partition("\n")
        marker = _MARKER.fullmatch(head)
        if marker is None:
            raise refused("C++", "expanded source", f"a line # {head[:40]}", "the check must know whose lines it reads")
        yield marker[2], int(marker[1]), body
