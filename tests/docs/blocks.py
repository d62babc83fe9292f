"""The code blocks of all pages, and how each of them is tested. A comment on the line before a block says it:

    <!-- run: slow with=NAME -->   slow: only under the marker `slow`; with: code around it, from `tests/docs/setups.py`
    <!-- not run: REASON -->       counted and printed; its commands are parsed all the same
    <!-- tested: PATH -->          another test runs it
    <!-- file: PATH -->            is written to the directory where the blocks of its page run
    <!-- output -->                what the block before it prints

A block of `sh` or `python` without a comment runs. Blocks of a page run in order, in one directory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.docs import house

PAGES = sorted([*house.ROOT.glob("docs/*.md"), *house.ROOT.glob("*.md"), *house.ROOT.glob("*/README.md")])
# Languages that nobody runs: pictures, output, trees of directories, a model's words.
SHOWN = frozenset({"", "mermaid", "text", "call"})
KINDS = ("run", "not run", "tested", "file", "output")
_BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*?) -->\n)?^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """One fenced block: where it stands, its language, its text, how it is tested (`kind`) and the rest of the mark."""

    page: Path
    line: int
    language: str
    info: str
    text: str
    kind: str
    words: str

    @property
    def place(self) -> str:
        return f"{self.page.parent.name}/{self.page.name}:{self.line}"

    @property
    def slow(self) -> bool:
        return "slow" in self.words.split() and self.kind == "run"

    @property
    def setup(self) -> str | None:
        return next((word.removeprefix("with=") for word in self.words.split() if word.startswith("with=")), None)

    @property
    def commands(self) -> Iterator[list[str]]:
        """The words of every call of `passnet` in a block for the shell, without comments."""
        for line in self.text.replace("\\\n", " ").splitlines():
            found = (
                re.match(r"(?:\S*/)?passnet(?= |$)(?P<rest>[^#|>]*)", line.strip()) if self.language == "sh" else None
            )
            if found:
                yield re.sub(r"'([^']*)'", lambda quoted: quoted[1].replace(" ", "\0"), found["rest"]).split()


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [_block(page, text, found) for found in _BLOCK.finditer(text)]


def _block(page: Path, text: str, found: re.Match[str]) -> Block:
    language, _, info = found["info"].strip().partition(" ")
    kind, words = _mark(found["mark"], language, info)
    line = text.count("\n", 0, found.start("fence")) + 1
    return Block(page, line, language, info, found["text"], kind, words)


def _mark(mark: str | None, language: str, info: str) -> tuple[str, str]:
    kind, _, words = (mark or "").partition(":")
    if kind in KINDS:
        return kind, words.strip()
    if info.startswith("file="):
        return "tested", "tests/kernels/test_docs.py"
    return ("shown", "") if language in SHOWN else ("run", "")


def every() -> list[Block]:
    return [block for page in PAGES for block in blocks(page)]
