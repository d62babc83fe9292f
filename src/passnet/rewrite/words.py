"""One way to write a table of names: a string of words."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The names in a string, separated by spaces."""
    return frozenset(text.split())
