"""The site's hooks: links between directories, quoted files."""

from __future__ import annotations

import importlib.util
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.docs import house


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    pytest.importorskip("mkdocs", reason="needs mkdocs, the extra `docs`")
    spec = importlib.util.spec_from_file_location("hooks", house.ROOT / "docs" / "_site" / "hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shown(hooks: ModuleType, uri: str, text: str) -> str:
    known = {"bench.md", "bundled.md", "index.md", "contributing.md", "assets/passnet.svg"}
    files = SimpleNamespace(get_file_from_path=lambda path: path if path in known else None)
    page: Any = SimpleNamespace(file=SimpleNamespace(src_uri=uri))
    return str(hooks.on_page_markdown(text, page=page, files=files))


@pytest.mark.parametrize(
    ("uri", "text", "found"),
    [
        ("use.md", "[b](bench.md#right)", "[b](bench.md#right)"),
        ("use.md", "[tasks](../data/README.md)", "[tasks](bundled.md)"),
        ("index.md", "[b](docs/bench.md#fast), [c](CONTRIBUTING.md)", "[b](bench.md#fast), [c](contributing.md)"),
        ("index.md", "![p](docs/assets/passnet.svg)", "![p](assets/passnet.svg)"),
        ("bundled.md", "[read](../README.md)", "[read](index.md)"),
        ("use.md", "[licence](../LICENSE)", "licence"),
        ("use.md", "[gone](gone.md)", "[gone](gone.md)"),
        ("use.md", "[out](https://example.org/a.md)", "[out](https://example.org/a.md)"),
        ("use.md", "```python file=examples/a.py\nx[i](y.md)\n```", '```python title="examples/a.py"\nx[i](y.md)\n```'),
    ],
)
def test_links_lead_to_pages_of_the_site(hooks: ModuleType, uri: str, text: str, found: str) -> None:
    assert shown(hooks, uri, text) == found
