"""`passnet docs`: pages are listed and printed, and an unknown one is answered with those that there are."""

from __future__ import annotations

from pathlib import Path

from tests.cli.cli_runner import run

PAGES = Path(__file__).resolve().parents[2] / "docs"


def test_pages_are_listed_with_their_titles() -> None:
    listed = run("docs").out
    assert {path.stem for path in PAGES.glob("*.md")} <= {line.split(" ")[0] for line in listed.splitlines()}
    assert "Writing passes" in listed


def test_a_page_is_printed_as_it_is() -> None:
    assert run("docs", "passes").out == (PAGES / "passes.md").read_text(encoding="utf-8")
    assert run("docs", "--dir").out.strip() == str(PAGES)


def test_an_unknown_page_is_told_with_the_known_ones() -> None:
    answer = run("docs", "pases")
    assert answer.code == 2
    assert "no page 'pases'" in answer.err
    assert "did you mean passes?" in answer.err
