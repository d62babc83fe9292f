"""Numbers with their nouns, as sentences of this room have them."""

from __future__ import annotations


def counted(number: int, word: str, verb: tuple[str, str] | None = None) -> str:
    """A number with its noun: `1 graph`, `2,000 graphs`; with `verb`, its form for one and for several behind it."""
    noun = f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
    return noun if verb is None else f"{noun} {verb[number != 1]}"
