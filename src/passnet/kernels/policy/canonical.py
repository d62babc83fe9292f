"""Turns an author's C++ or CUDA text into one that is read in one way only. Only this text is checked and compiled.

Compilers differ from each other, and from any check, where a text has joined lines, raw strings, other alphabets, other
spellings of marks, or quotes without an end. So the first are undone, and the rest is refused. What is left are plain
words, numbers, texts and marks in ASCII. Comments may hold any character, because they are dropped.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from passnet.kernels.policy.breach import KernelPolicyError, Language

_SPLICE = re.compile(r"\\[ \t\f\v]*\n")
# A number is taken as long as compilers take it, and `_NUMBER` says whether it is one. `::` is one mark because `<::`
# and `::>` are no digraphs.
_TOKEN = re.compile(
    r"""(?P<space>[ \t]+)
      |(?P<end>\n)
      |(?P<comment>//[^\n]*|/\*.*?\*/)
      |(?P<text>(?:u8|[uUL])?(?:"(?:\\[ -~]|[ !\#-[\]-~\t])*"|'(?:\\[ -~]|[ -&(-[\]-~\t])+'))
      |(?P<word>[A-Za-z_][A-Za-z0-9_]*)
      |(?P<number>\.?[0-9](?:[eEpP][+-]|'?[A-Za-z0-9_]|\.)*)
      |(?P<mark>::|[]{}[();:,?.~!%^&*+=|<>/#-])""",
    re.DOTALL | re.VERBOSE,
)
_WORD_OR_TEXT = re.compile(
    r"""(?P<kept>[A-Za-z_][A-Za-z0-9_]*+(?!["'])|\.?[0-9](?:[eEpP][+-]|'?[A-Za-z0-9_]|\.)*)
      |(?:u8|[uUL])?(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""",
    re.VERBOSE,
)
_DIGITS = r"[0-9](?:'?[0-9])*"
_HEX = r"[0-9a-fA-F](?:'?[0-9a-fA-F])*"
_NUMBER = re.compile(
    rf"""\.?[0-9][A-Za-z0-9_.]*
      |(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?(?:[A-Za-z_][A-Za-z0-9_]*)?
      |0[bB]{_DIGITS}(?:[A-Za-z_][A-Za-z0-9_]*)?
      |0[xX](?:{_HEX}(?:\.(?:{_HEX})?)?|\.{_HEX})(?:[pP][+-]?{_DIGITS})?(?:[g-zG-Z_][A-Za-z0-9_]*)?""",
    re.VERBOSE,
)
_QUOTES = ('"', "'")
_RAW = re.compile(r'(?:u8|[uUL])?R"')
_CLOSED = re.compile(r"""(["'])(?:\\.|(?!\1)[^\\\n])+\1""")
_DIGRAPH = re.compile(r"%:|%>|<%|:>|<:(?!:(?![:>]))|\?\?[=/'()!<>-]")
# In a text `?\?=` is the same as `??=`, and no compiler takes it for another mark.
_TRIGRAPH = re.compile(r"\?(?=\?[=/'()!<>-])")
# What may follow a text at once: the endings of the standard library, and an author's own. Others are macros.
_ENDING = re.compile(r"_[A-Za-z0-9_]*|s|sv")
_SHOWN = 40


@dataclass
class _Place:
    """Where a reader of a text is: at a place of the joined text, behind `last` (empty behind spaces), in a line."""

    at: int = 0
    line: int = 1
    last: str = ""
    last_kind: str = "end"
    begins: bool = True
    directive: bool = False


def canonical(text: str, language: Language) -> str:
    """The text without comments and joined lines, in ASCII, with its words and numbers at their lines.

    KernelPolicyError, with the line, for what compilers may read in more than one way.
    """
    joined, splices = _joined(text.replace("\r\n", "\n"))
    parts: list[str] = []
    written = 1  # the line that the next part is for
    place, ends = _Place(), 0
    while place.at < len(joined):
        place.line = 1 + ends + bisect_right(splices, place.at)
        match = _TOKEN.match(joined, place.at)
        _refuse_strange(joined, place, match, language)
        assert match is not None  # refused
        kind, token = str(match.lastgroup), match.group()
        ends += token.count("\n")
        place.at = match.end()
        if kind in ("space", "comment"):
            parts.append("" if token.startswith("//") else " " if kind == "comment" else token)
            place.last = ""
            continue
        if kind == "end" or not place.directive:
            wanted = place.line + (kind == "end")
            parts.append("\n" * (wanted - written))
            written = wanted
        place.directive = kind != "end" and (place.directive or (token == "#" and place.begins))
        place.begins = kind == "end"
        if kind != "end":
            parts.append(_apart(place, kind, token))
        place.last, place.last_kind = token, kind
    return "".join(parts)


def without_texts(text: str) -> str:
    """A canonical text with spaces in place of its texts: only the author's own words."""
    return _WORD_OR_TEXT.sub(lambda found: found.group() if found["kept"] else " " * len(found.group()), text)


def _joined(text: str) -> tuple[str, list[int]]:
    """The text with its joined lines as one, and where they were joined."""
    pieces = _SPLICE.split(text)
    places: list[int] = []
    at = 0
    for piece in pieces[:-1]:
        at += len(piece)
        places.append(at)
    return "".join(pieces), places


def _apart(place: _Place, kind: str, token: str) -> str:
    """A token, behind a space where some compilers would take it together with the one before it."""
    joins = (
        (kind == "text" and place.last_kind == "word")
        or (kind == "word" and place.last_kind == "text" and not _ENDING.fullmatch(token))
        or (token == "::" and place.last == "<")
    )
    plain = _TRIGRAPH.sub(r"?\\", token) if kind == "text" else token
    return f" {plain}" if joins and place.last else plain


def _refuse_strange(joined: str, place: _Place, match: re.Match[str] | None, language: Language) -> None:
    what, why = _unreadable(joined, place.at) if match is None else _ambiguous(joined, place, match)
    if what:
        seen = joined[place.at : place.at + _SHOWN].partition("\n")[0].rstrip()
        shown = seen if seen.isprintable() else ascii(seen)[1:-1]
        raise KernelPolicyError(f"the {language} source has {what}: {shown}", field=f"line {place.line}", hint=why)


def _ambiguous(joined: str, place: _Place, match: re.Match[str]) -> tuple[str, str]:
    """What a token is that compilers take in different ways, and what to do. Empty for others."""
    following = joined[match.end() : match.end() + 1]
    if match["word"] and _RAW.match(joined, place.at) and following == '"':
        return "a raw string", 'write it as an ordinary text, "..." with \\n and \\"'
    if match["mark"] and joined.startswith("/*", place.at):
        return "a comment without an end", "close it with */"
    if match["mark"] and _DIGRAPH.match(joined, place.at):
        return "another spelling of a mark", "write # [ ] { } or put a space between"
    if match["number"] and (following in _QUOTES or not _NUMBER.fullmatch(match["number"])):
        return "a number in no plain form", "write a space before a sign or a text, and ' between digits alone"
    if match["mark"] == "#" and not (place.begins or place.directive):
        return "a mark # amid a line", "it belongs into directives, which begin their lines"
    return "", ""


def _unreadable(joined: str, at: int) -> tuple[str, str]:
    """What begins at a place where no token does, and what to do."""
    first = joined[at]
    if first in _QUOTES:
        if _CLOSED.match(joined, at):
            return "a character beyond ASCII in a text", "write it as \\u and four hexadecimal digits"
        return "a text without an end", "a text ends in the line where it begins"
    if not first.isascii():
        return "a character beyond ASCII", "names and marks are ASCII; comments may hold any character"
    if joined[at + 1 : at + 2] in ("u", "U") and first == "\\":
        return "a universal character name", "names are ASCII"
    return f"the character {first!a}", "it has no meaning outside of texts and comments"
