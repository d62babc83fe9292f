"""What the README tells a stranger to type exists: make targets, commands, options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from passnet.cli.main import app

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_make_targets_of_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^make (\w+)", README, flags=re.MULTILINE)
    assert targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), f"make {target}"


@pytest.mark.parametrize("name", sorted(set(re.findall(r"passnet (\w+) ", README))))
def test_commands_of_the_readme_exist(name: str) -> None:
    assert name in {entry.name for entry in (*app.registered_commands, *app.registered_groups)}


def test_links_of_the_readme_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).exists(), target
