"""The words of `docs/glossary.md` and the sentences that the code says of them.

`python -m tests.docs.glossary` writes the last column anew from the docstrings.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from tests.docs import house

PAGE = house.ROOT / "docs" / "glossary.md"
_ROW = re.compile(
    r"^\| \*\*(?P<word>[^*]+)\*\* \| (?P<means>.+?) \| `(?P<home>[^`]+)` \| ?(?P<says>.*) \|$", re.MULTILINE
)
_SENTENCE = re.compile(r".+?\.(?=\s|$)|.+")


@dataclass(frozen=True)
class Word:
    """One row: the word, what it means, the file or `file:name` where it lives, and what the code says there."""

    word: str
    means: str
    home: str
    says: str


def words(page: str) -> list[Word]:
    return [Word(**found.groupdict()) for found in _ROW.finditer(page)]


def said(home: str) -> str:
    """The first sentence of the docstring at a home, as it stands in a cell; empty where there is none."""
    file, _, name = home.partition(":")
    node: ast.AST | None = ast.parse((house.SOURCE / file).read_text(encoding="utf-8"))
    for part in name.split(".") if name else ():
        node = next((child for child in getattr(node, "body", ()) if getattr(child, "name", None) == part), None)
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
        return ""
    text = " ".join((ast.get_docstring(node) or "").split())
    first = _SENTENCE.match(text)
    return first[0].rstrip(".").replace("|", "\\|") if first else ""


def written(page: str) -> str:
    """The page with the last column as the docstrings have it."""
    return _ROW.sub(lambda row: f"| **{row['word']}** | {row['means']} | `{row['home']}` | {said(row['home'])} |", page)


def main(page: Path = PAGE) -> None:
    page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
