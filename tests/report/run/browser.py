"""A headless Chromium for tests of pages. Tests are skipped with a reason where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> Iterator[Any]:
    """The system's Chromium, driven by playwright."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install playwright"
    )
    program = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


class Tab:
    """One page in a context of its own, and what went wrong in it."""

    def __init__(self, browser: Any, page: Path, fragment: str = "", **context: Any) -> None:
        self.context = browser.new_context(**({"viewport": {"width": 1200, "height": 900}} | context))
        self.page = self.context.new_page()
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.file = page
        self.page.on("console", lambda said: self.problems.append(said.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", lambda dialog: self.problems.append(dialog.message))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.open(fragment)

    def open(self, fragment: str) -> None:
        self.page.goto(f"file://{self.file}{fragment}")
        self.page.wait_for_selector("html[data-ready]", state="attached")
        if fragment.startswith(("#task?", "#episode?")):
            self.page.wait_for_selector("#detail article")

    def texts(self, selector: str) -> list[str]:
        return [text.strip() for text in self.page.locator(selector).all_inner_texts()]

    def close(self) -> None:
        self.context.close()
