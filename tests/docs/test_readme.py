"""What the README tells a stranger to type exists: make targets, commands, options."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from passnet.cli.main import app

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PUBLISHED = (ROOT / "docs" / "published.md").read_text(encoding="utf-8")


def test_make_targets_of_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^make (\w+)", README, flags=re.MULTILINE)
    assert targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), f"make {target}"


@pytest.mark.parametrize("name", sorted(set(re.findall(r"passnet (\w+) ", README))))
def test_commands_of_the_readme_exist(name: str) -> None:
    assert name in {entry.name for entry in (*app.registered_commands, *app.registered_groups)}


def test_what_the_page_about_the_published_harness_maps_to_exists() -> None:
    """The right-hand column and the prose: commands, and the options in one code span with them."""
    commands = {entry.name: entry.callback for entry in app.registered_commands}
    groups = {entry.name for entry in app.registered_groups}
    spans = re.findall(r"passnet (\w+)([^`\n]*)", PUBLISHED)
    assert len(spans) >= 20
    for name, rest in spans:
        assert name in commands or name in groups, name
        known = str(inspect.signature(commands[name]) if name in commands else "")
        for option in re.findall(r"--([a-z][a-z-]+)", rest) if name in commands else ():
            assert option.replace("-", "_") in known or f"--{option}" in known, (name, option)


def test_links_of_the_readme_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).exists(), target
    for target in re.findall(r"\]\(([^)]+)\)", PUBLISHED):
        assert (ROOT / "docs" / target).exists(), target


# What both READMEs have alike: code, results, what a command printed, commands of the table, options.
_ALIKE = (
    r"^```sh\n.*?^```$",
    r"^<!-- results -->.*?^<!-- /results -->$",
    r"^```text\n.*?^```$",
    r"^\| `(passnet [^`]*)` \|",
)


def test_the_chinese_readme_has_the_same_commands_links_and_results() -> None:
    chinese = (ROOT / "README.zh-CN.md").read_text(encoding="utf-8")
    for what in _ALIKE:
        found = re.findall(what, README, re.MULTILINE | re.DOTALL)
        assert found, what
        assert re.findall(what, chinese, re.MULTILINE | re.DOTALL) == found, what
    for what in (r"\]\(((?!README)[^)]+)\)", r"--[a-z][a-z-]+"):
        assert set(re.findall(what, chinese)) == set(re.findall(what, README)), what
