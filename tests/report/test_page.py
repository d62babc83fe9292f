"""The page is well-formed HTML that stands alone, says what the numbers say, and can be read without seeing it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from passnet.dataset.capture.record import ModelRecord
from passnet.dataset.examine.capture_stats import of_records
from passnet.dataset.examine.stats import Stats
from passnet.errors import UsageError
from passnet.report.charts import bars, columns, stacked
from passnet.report.dataset_page import dataset_page, write_dataset_page
from passnet.report.page import Page, PageSection, PageTable, render, write

VOID = {"meta", "link", "br", "img", "hr", "input"}
NASTY = "<script>alert('x') & \"y\"</script>"


class Checker(HTMLParser):
    """Every element is closed in order; ids are unique; keeps texts, elements and references."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self.texts: list[tuple[str, str]] = []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        assert len(found) == len(attrs), f"an attribute twice in {tag}"
        self.elements.append((tag, found))
        if found.get("id"):
            self.ids.append(found["id"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data):
        if data.strip():
            self.texts.append((self.open[-1] if self.open else "", data.strip()))


def checked(html: str) -> Checker:
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == []
    assert len(set(checker.ids)) == len(checker.ids)
    names = [tag for tag, _ in checker.elements]
    assert html.startswith("<!DOCTYPE html>")
    assert (names.count("h1"), names.count("main"), names.count("title") >= 1) == (1, 1, True)
    assert "script" not in names
    references = [value for _, found in checker.elements for key in ("href", "src") if (value := found.get(key))]
    assert all(value.startswith("#") and value[1:] in checker.ids for value in references)
    labels = [word for _, found in checker.elements for word in (found.get("aria-labelledby") or "").split()]
    assert set(labels) <= set(checker.ids)
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", html)
    return checker


def stats(**changes: object) -> Stats:
    values: dict[str, object] = {
        "name": "s",
        "graphs": 60123,
        "structures": 5000,
        "tasks": 900,
        "models": 800,
        "families_total": 300,
        "operators": 120,
        "bytes_on_disk": 12_300_000,
        "tables": {"eval": {"fusible": {"graphs": 5, "structures": 2, "tasks": 1}}},
        "kinds": {"fusible": 40000, "typical": 20123},
        "dtypes": {"float32": 60123},
        "domains": {"nlp": 60123},
        "libraries": {"timm": 60123},
        "families": {f"family{number}": 100 - number for number in range(60)},
        "shapes": {"0": 1, "original": 2},
        "sizes": {"1": 3, "2": 0, "3-4": 9},
        "memory": {"4 KB": 5},
        "variants": {"17-32": 5},
        "task_sizes": {"1": 4},
        "op_frequency": {"add": 10, NASTY: 5},
        "patterns": {2: {"add → mul": 3}, 3: {}, 4: {"a → b → c → d" * 9: 1}},
        "sequences": {"add → mul": 6},
        "notes": {"licences": ["MIT"], "versions": {"torch": "2.13.0"}, "words": NASTY},
    }
    return Stats(**{**values, **changes})  # type: ignore[arg-type]


RECORDS = [
    ModelRecord(
        library="timm", model="good", family="f", domain="computer_vision", outcome="captured", stage="done",
        method="real", graphs=1,
    ),
    ModelRecord(
        library="timm", model=NASTY, family="f", domain="other", outcome="failed", stage="build", reason=NASTY,
        seconds=7200,
    ),
]  # fmt: skip


def test_the_page_of_a_dataset(tmp_path):
    path = write_dataset_page(stats(capture=of_records(RECORDS)), tmp_path / "deep" / "page.html")
    html = path.read_text(encoding="utf-8")
    checker = checked(html)
    words = " ".join(text for _, text in checker.texts)
    for expected in (
        "60,123",
        "12.3 MB",
        "Dataset s",
        "fusible",
        "1 of 2 models",
        "2.0 hours",
        "licences",
        "torch 2.13.0",
    ):
        assert expected in words
    assert NASTY in words
    assert NASTY not in html
    assert [path.name for path in path.parent.iterdir()] == ["page.html"]
    headings = [text for tag, text in checker.texts if tag == "h2"]
    assert headings == [
        "Contents", "Operators and structural patterns", "Sizes", "Where the graphs come from", "Capture",
        "How it was made",
    ]  # fmt: skip


def test_every_chart_has_a_name_and_its_numbers_in_words():
    checker = checked(render(dataset_page(stats(capture=of_records(RECORDS)))))
    charts = [found for tag, found in checker.elements if tag == "svg"]
    assert len(charts) >= 14
    assert all(found["role"] == "img" and len(found["aria-labelledby"].split()) == 2 for found in charts)
    described = [text for tag, text in checker.texts if tag == "desc"]
    assert len(described) == len(charts)
    assert any("fusible 40000; typical 20123" in text for text in described)
    assert all(found.get("scope") == "col" for tag, found in checker.elements if tag == "th")


def test_an_empty_dataset_and_one_without_records_have_pages():
    mappings = """kinds dtypes domains libraries families shapes sizes memory variants task_sizes op_frequency patterns
    sequences tables notes"""
    empty = {name: {} for name in mappings.split()}
    checker = checked(render(dataset_page(stats(**empty))))
    assert "Capture" not in [text for tag, text in checker.texts if tag == "h2"]
    assert not [tag for tag, _ in checker.elements if tag == "svg"]


def numbers(svg: str, tag: str, name: str) -> list[float]:
    return [float(value) for value in re.findall(rf'<{tag}[^>]* {name}="([\d.]+)"', svg)]


def test_bars_are_as_long_as_their_counts_and_stay_inside():
    chart = bars("t", {"a": 100, "b": 25, "c": 0}, unit="graphs", key="k")
    widths = numbers(chart.svg, "rect", "width")
    assert widths[0] == pytest.approx(4 * widths[1], abs=0.3)
    assert widths[2] == 0
    frame = [float(part) for part in re.search(r'viewBox="([^"]*)"', chart.svg)[1].split()]
    ends = [x + width for x, width in zip(numbers(chart.svg, "rect", "x"), widths, strict=True)]
    assert max(ends) + 60 < frame[2]
    assert max(numbers(chart.svg, "text", "y")) <= frame[3]


def test_parts_stand_one_after_the_other():
    chart = stacked("t", {"a": (30, 10), "b": (5, 15)}, series=("captured", "failed"), key="k")
    # The first two are the legend.
    x, width = numbers(chart.svg, "rect", "x")[2:], numbers(chart.svg, "rect", "width")[2:]
    assert x[1] == pytest.approx(x[0] + width[0], abs=0.2)
    assert width[0] == pytest.approx(3 * width[1], abs=0.3)
    assert "30 / 40" in chart.svg
    assert "captured</text>" in chart.svg


def test_columns_are_as_high_as_their_counts():
    chart = columns("t", {"1": 10, "2": 0, "3-4": 5}, unit="structures", key="k")
    heights = numbers(chart.svg, "rect", "height")
    assert heights[0] == 2 * heights[2] > 0 == heights[1]


def test_long_names_are_cut_but_not_lost():
    name = "add → " * 30
    chart = bars("t", {name: 1}, unit="graphs", key="k")
    assert "…" in chart.svg
    assert f"<title>{name}</title>" in chart.svg


def test_colours_have_enough_contrast():
    """Text and bars against the page, in both themes, as the accessibility guidelines count it."""
    html = render(Page("t", ""))
    themes = re.findall(r"--page: (#\w+); --ink: (#\w+); --soft: (#\w+);.*?--s0: (#\w+); --s1: (#\w+);", html, re.S)
    assert len(themes) == 2
    for page, ink, soft, *series in themes:
        assert contrast(ink, page) > 7
        assert contrast(soft, page) > 4.5
        assert all(contrast(colour, page) > 4.5 for colour in series)


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_tables_set_numbers_to_the_right():
    table = PageTable("t", ("name", "count"), [("a", "1"), ("b", "2.5")])
    assert table.numeric == [False, True]
    checker = checked(render(Page("p", "", sections=[PageSection("s", tables=[table])])))
    assert [found.get("class") for tag, found in checker.elements if tag == "td"] == [None, "n", None, "n"]


def test_no_name_turns_the_order_of_a_page():
    """A text with signs of another direction would look like another text, in tables and drawings alike."""
    name = "a\u202efles\u2066\nb"
    page = Page(
        "t",
        name,
        figures=[("1", name)],
        sections=[PageSection("s", charts=[bars("c", {name: 1}, unit="calls", key="k")])],
    )
    html = render(page)
    assert not set("\u202e\u2066") & set(html)
    assert html.count(r"a\u202efles\u2066") >= 4


def test_a_place_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be written"):
        write(Page("p", ""), tmp_path / "file" / "page.html")
