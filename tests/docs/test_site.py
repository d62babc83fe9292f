"""The site builds without a warning, asks no other host for anything, and its pages have the pictures of the pages."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs import house
from tests.report.run.browser import chromium

needs_docs = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("mkdocs", "material", "mkdocstrings")),
    reason="needs mkdocs-material and mkdocstrings, the extra `docs`",
)
# What makes a browser ask for something when a page is opened.
_ASKED = re.compile(r"""<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)=["']?(?:https?:)?//[^"'\s>]+""")
_IN_STYLE = re.compile(r"""url\(["']?(?:https?:)?//|@import\s+["'](?:https?:)?//""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(out)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "true"}
    done = subprocess.run(command, cwd=house.ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr, done.stderr
    return out


def test_every_page_is_in_the_navigation() -> None:
    text = (house.ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"(\S+\.md)$", text, re.MULTILINE))
    assert {path.name for path in house.ROOT.glob("docs/*.md")} <= named


@needs_docs
def test_the_pages_ask_no_other_host(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        asked = [found for found in _ASKED.findall(page.read_text(encoding="utf-8")) if 'rel="canonical"' not in found]
        assert not asked, page.name
    for style in site.rglob("*.css"):
        assert not _IN_STYLE.search(style.read_text(encoding="utf-8")), style.name


@needs_docs
def test_links_of_the_site_lead_somewhere(site: Path) -> None:
    for page in site.glob("*.html"):
        if page.name == "404.html":
            continue
        for target in re.findall(r'(?:href|src)="([^"#:?]+)(?:[#?][^"]*)?"', page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@needs_docs
def test_mermaid_is_loaded_where_a_page_draws_and_only_there(site: Path) -> None:
    for page in site.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert ('class="mermaid"' in text) == ("assets/mermaid.tiny.js" in text), page.name
    assert (site / "concepts.html").read_text(encoding="utf-8").count('class="mermaid"') == 5


@needs_docs
def test_quoted_files_are_code(site: Path) -> None:
    text = (site / "passes.html").read_text(encoding="utf-8")
    assert text.count('class="filename"') == len(list((house.ROOT / "docs" / "examples").rglob("*.py")))


@needs_docs
def test_the_settings_ask_for_nothing_outside() -> None:
    import yaml

    class Loader(yaml.SafeLoader):
        """Reads the names of Python functions as text."""

    Loader.add_multi_constructor("tag:yaml.org,2002:python/name:", lambda loader, suffix, node: suffix)
    settings = yaml.load((house.ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader)
    assert settings["theme"]["font"] is False
    assert settings["strict"] is True
    assert "analytics" not in {*settings, *settings.get("extra", {})}
    for script in settings["extra_javascript"]:
        assert (house.ROOT / "docs" / script).is_file()


@needs_docs
@pytest.mark.browser
def test_the_search_works_on_a_site_that_is_opened_from_a_disk(site: Path) -> None:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        asked: list[str] = []
        problems: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(f"file://{site}/agent.html")
        page.locator(".md-search__form").click()
        page.keyboard.type("regression")
        page.wait_for_selector(".md-search-result__item")
        assert "matching" in page.locator(".md-search-result__meta").inner_text()
        assert problems == []
        assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


@needs_docs
@pytest.mark.browser
def test_no_part_of_a_command_is_hidden(site: Path) -> None:
    hidden = "all => all.filter(code => code.scrollWidth > code.clientWidth + 1).map(code => code.innerText)"
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 900}, color_scheme="light")
        for name in ("index", "agent", "bundled", "use"):
            page.goto(f"file://{site}/{name}.html")
            assert page.locator(".language-sh pre > code").count() > 0
            assert page.locator(".language-sh pre > code").evaluate_all(hidden) == [], name


@needs_docs
@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", 390)])
def test_pages_have_no_finding_of_axe(site: Path, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    with chromium() as browser:
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        for name in ("index", "agent", "bundled", "integrity", "scoring"):
            page.goto(f"file://{site}/{name}.html")
            page.wait_for_selector("nav.md-code__nav[aria-label], article")
            found = axe.Axe().run(page).response["violations"]
            assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], name


@needs_docs
@pytest.mark.browser
def test_the_words_of_the_first_picture_can_be_read_on_a_phone(site: Path) -> None:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(f"file://{site}/index.html")
        picture = page.locator('img[src$="assets/passnet.svg"]')
        shown = re.search(r'url\("file://([^"]+)"\)', picture.evaluate("image => getComputedStyle(image).content"))
        assert shown is not None
        drawing = Path(shown[1]).read_text(encoding="utf-8")
        (width,) = re.findall(r'viewBox="0 0 (\d+) \d+" role', drawing)
        smallest = min(map(int, re.findall(r'font-size="(\d+)"', drawing)))
        assert smallest * picture.bounding_box()["width"] / int(width) >= 11
        wide = (house.ROOT / "docs" / "assets" / "passnet.svg").read_text(encoding="utf-8")
        words = r"<text [^>]*>([^<]+)</text>"
        assert sorted(re.findall(words, drawing)) == sorted(re.findall(words, wide))
