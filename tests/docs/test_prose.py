"""The pages read at first sight: no sentence of more than 30 words, no line of prose over 120 characters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs import house

# The page of figures is made by a script, out of cells.
PAGES = sorted({*house.ROOT.glob("docs/*.md"), *house.ROOT.glob("*.md"), *house.ROOT.glob("*/README.md")})
PROSE = [page for page in PAGES if page.name != "figures.md"]


@pytest.mark.parametrize("page", PROSE, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_sentences_are_short(page: Path) -> None:
    assert not house.longest(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PROSE, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_lines_of_prose_are_short(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if len(line) > 120 and not line.startswith("|")]
