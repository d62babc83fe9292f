"""Calls in plain text, for models without tool calls: fenced blocks, read without guessing.

    ```call
    create {"path": "Fuse.py"}
    --- text
    import torch
    ```

First line: the tool, then its arguments as JSON, which may be left out. `--- NAME` begins an argument that is raw text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from passnet import authored

_FENCE = re.compile(r"^(?P<fence>`{3,}|~{3,})(?P<opens>call)?[ \t]*$", re.MULTILINE)
_SECTION = re.compile(r"^--- (\w+)[ \t]*$", re.MULTILINE)
_HEAD = re.compile(r"\s*(?P<tool>\w+)\s*(?P<arguments>.*)", re.DOTALL)
# This argument is a whole text of lines. Other arguments end without the last line end.
_LINES = "text"


@dataclass(frozen=True)
class TextCall:
    """One block.

    `problem` is the reason why it is no call, or None for a call. `raw` is its text as it was written.
    """

    tool: str
    arguments: dict[str, object] = field(default_factory=dict)
    problem: str | None = None
    raw: str = ""


def text_calls(text: str) -> list[TextCall]:
    """All blocks of an answer, in order. A block that was never closed is a call with a problem."""
    text = text.replace("\r\n", "\n")
    found, parts, at = [], [], 0
    for opening, closing in _blocks(text):
        found.append(_call(text[opening.end() + 1 : closing.start()]))
        parts.append(text[at : opening.start()])
        at = closing.end()
    rest = "".join((*parts, text[at:]))
    if any(mark["opens"] for mark in _FENCE.finditer(rest)):
        found.append(TextCall("", problem="the last block of a call is not closed; end it with its fence", raw=rest))
    return found


def _blocks(text: str) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """The opening and the closing line of each closed block. A block ends with the next line of its own fence alone."""
    marks, nearest = list(_FENCE.finditer(text)), dict[str, re.Match[str]]()
    closed: list[tuple[re.Match[str], re.Match[str]]] = []
    for mark in reversed(marks):
        if not mark["opens"]:
            nearest[mark["fence"]] = mark
        elif mark["fence"] in nearest:
            closed.append((mark, nearest[mark["fence"]]))
    end = 0
    for opening, closing in reversed(closed):
        if opening.start() >= end:
            yield opening, closing
            end = closing.end()


def _call(body: str) -> TextCall:
    head, *sections = _SECTION.split(body)
    match = _HEAD.fullmatch(head)
    if match is None:
        return TextCall("", problem="a block without a call; its first line names the tool", raw=body)
    tool, written = match["tool"], match["arguments"].strip()
    try:
        arguments = authored.parse_json(written) if written else {}
    except ValueError as error:
        return TextCall(tool, problem=f"the arguments of {tool} are not JSON: {error}", raw=body)
    if not isinstance(arguments, dict):
        return TextCall(tool, problem=f"the arguments of {tool} must be a JSON object", raw=body)
    for name, value in zip(sections[::2], sections[1::2], strict=True):
        arguments[name] = _raw(name, value)
    return TextCall(tool, arguments, raw=body)


def _raw(name: str, value: str) -> str:
    """The lines after `--- NAME`, without the line end that belongs to the next mark."""
    value = value.removeprefix("\n").removesuffix("\n")
    return f"{value}\n" if name == _LINES and value else value
