"""The site in a real browser: it sorts by mouse and keyboard, asks for nothing, and is accessible in both colours.

Needs playwright, axe-playwright-python and a Chromium of the system; skipped without them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from passnet.report.leaderboard.site import PAGE, write_site
from tests.report.recorded_runs import MACHINE, NASTY, benchmark, write_run

pytestmark = pytest.mark.slow
sync_api = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium on this machine")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def address(tmp_path: Path) -> str:
    runs = [
        write_run(tmp_path / "eager", benchmark(speedup=1.0, compiler="eager"), compiler="eager"),
        write_run(tmp_path / "author", benchmark(speedup=1.5), author=NASTY),
        write_run(tmp_path / "loose", benchmark(tamper_proof=False)),
        write_run(tmp_path / "dirty", benchmark(), machine=MACHINE | {"revision": "0123456789ab+dirty"}),
    ]
    write_site(runs, tmp_path / "site")
    return (tmp_path / "site" / PAGE).as_uri()


def systems(page: object) -> list[str]:
    """The names of the first table, without what they were made by below them."""
    cells = page.locator("table").first.locator("tbody th").all_inner_texts()
    return [text.partition("\n")[0] for text in cells]


def test_tables_sort_by_mouse_and_keyboard(browser: object, address: str) -> None:
    page = browser.new_page()
    page.goto(address)
    assert systems(page) == ["author", "eager"]
    page.get_by_role("button", name="AS").first.click()
    assert systems(page) == ["author", "eager"]
    page.get_by_role("button", name="AS").first.press("Enter")
    assert systems(page) == ["eager", "author"]
    assert page.locator("th[aria-sort=ascending]").count() == 1


def test_names_and_scores_are_seen_without_scrolling(browser: object, address: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 900})
    page.goto(address)
    for table in page.locator(".scroll").all():
        head = table.get_by_role("button", name="AS", exact=True).bounding_box()
        assert head["x"] + head["width"] <= 390
    wide = browser.new_page(viewport={"width": 1400, "height": 900})
    wide.goto(address)
    for table in wide.locator(".scroll").all():
        assert table.evaluate("box => box.scrollWidth <= box.clientWidth")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_is_accessible_and_asks_for_nothing(browser: object, address: str, width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(address)
    assert asked == [address]
    assert said == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
