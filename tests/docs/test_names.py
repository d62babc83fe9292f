"""What the pages name in code spans exists: files of the package, the tests and the repository, and names in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs import house

PAGES = sorted([*house.ROOT.glob("docs/*.md"), *house.ROOT.glob("*.md"), *house.ROOT.glob("*/README.md")])
_FILE = re.compile(r"`([\w./-]*\w\.py)(?::([\w.]+))?`")
_PLACES = (house.SOURCE, house.ROOT, house.ROOT / "benchmarks", house.ROOT / "tests" / "integrity")
# Files that a reader has or makes, and those of other projects.
_NOT_OURS = frozenset({"model.py", "weight_meta.py", "input_meta.py", "input_tensor_constraints.py"})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_and_names_exist(page: Path) -> None:
    for file, name in _FILE.findall(page.read_text(encoding="utf-8")):
        if file in _NOT_OURS or file.startswith(("pass_dir/", "mine/")):
            continue
        assert any((place / file).is_file() for place in _PLACES), f"{page.name}: no file {file}"
        if name:
            assert name in house.names_in(file), f"{page.name}: no {name} in {file}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if "://" in target or target == "...":
            continue
        goal = page.parent / path if path else page
        assert goal.exists(), f"{page.name}: {target}"
        if anchor and goal.suffix == ".md":
            assert anchor in anchors(goal.read_text(encoding="utf-8")), f"{page.name}: no heading {target}"


def anchors(text: str) -> set[str]:
    """The headings of a page, as links have them."""
    heads = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
