"""The embedded author by name, whole and without some of its parts."""

from __future__ import annotations

import pytest

from passnet.agent.authors.registry import make_author
from passnet.errors import UsageError


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("distill", (True, True)),
        ("distill:no-regions", (False, True)),
        ("distill:no-configurations", (True, False)),
        ("distill:no-regions,no-configurations", (False, False)),
    ],
)
def test_parts_are_settings(spec: str, parts: tuple[bool, bool]) -> None:
    author = make_author(spec)
    settings = author.settings()
    assert (settings["regions"], settings["configurations"]) == parts
    assert author.name == spec


@pytest.mark.parametrize("rest", ["regions", "no-replay", "no-regions,", "no-regions no-configurations"])
def test_other_words_are_refused(rest: str) -> None:
    with pytest.raises(UsageError, match="expected distill, or distill: and some of no-regions, no-configurations"):
        make_author(f"distill:{rest}")
