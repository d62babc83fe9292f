"""The tables between comments: what they say of wide intervals and of graphs without a figure, and where they go."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
ROW = {"outcome": "correct", "direct": 2.0, "interval": [1.9, 2.1], "deployed": 1.5, "eager_us": 10.0}


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import page_tables

    return page_tables


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, ("2.00 [1.90, 2.10]", "1.50")),
        ({"direct": 1.9}, ("at least 1.90 (to 2.10)", "1.50")),
        ({"deployed": None}, ("2.00 [1.90, 2.10]", "not measured")),
        ({"outcome": "unstable", "direct": None, "interval": None}, ("unstable", "unstable")),
    ],
)
def test_a_figure_says_what_it_is(tables: ModuleType, changed: dict[str, object], said: tuple[str, str]) -> None:
    assert tables.both(ROW | changed) == said


def test_a_table_takes_the_place_of_the_one_before(tables: ModuleType) -> None:
    text = "before\n<!-- one -->\nold\n<!-- /one -->\nafter\n"
    made = tables.between(text, "one", tables.Block([("a", "b"), ("1", "2")]))
    assert made == "before\n<!-- one -->\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n<!-- /one -->\nafter\n"
    assert tables.between(made, "one", tables.Block([("a", "b"), ("1", "2")])) == made


def test_a_block_without_a_result_shows_nothing(
    tables: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "RESULTS", tmp_path)
    made = tables.leaderboard()
    assert made == tables.Block([])
    page = tables.between("before\n\n<!-- one -->\n\nold words\n\n| a |\n\n<!-- /one -->\n\nafter\n", "one", made)
    assert page == "before\n\n<!-- one -->\n\n<!-- /one -->\n\nafter\n"


def test_ablations_that_nobody_measured_are_said_to_be_so(
    tables: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "RESULTS", tmp_path)
    page = tables.between("before\n<!-- one -->\n<!-- /one -->\nafter\n", "one", tables.ablations())
    assert "was not measured" in page and "|" not in page
    assert page.startswith("before\n<!-- one -->\n\n") and page.endswith("\n\n<!-- /one -->\nafter\n")


def test_no_block_of_a_page_is_empty(tables: ModuleType) -> None:
    for name in tables.PAGES:
        assert not re.search(r"<!-- (\w+) -->\s*<!-- /\1 -->", (tables.ROOT / name).read_text()), name


def test_no_heading_stands_over_an_empty_block(tables: ModuleType) -> None:
    for name in tables.PAGES:
        text = (tables.ROOT / name).read_text()
        for block in re.finditer(r"<!-- (\w+) -->\s*<!-- /\1 -->", text):
            before = text[: block.start()].rstrip().splitlines()[-1]
            assert not before.startswith("#") and not before.endswith(":"), (name, before)


@pytest.mark.parametrize("text", ["", "<!-- one -->", "<!-- /one -->"])
def test_a_page_without_the_comments_is_told(tables: ModuleType, text: str) -> None:
    with pytest.raises(ValueError, match="expected <!-- one --> and <!-- /one -->"):
        tables.between(text, "one", tables.Block([("a",)]))


def test_every_page_has_its_comments(tables: ModuleType) -> None:
    for name in tables.PAGES:
        assert tables.written(name) == (tables.ROOT / name).read_text()
