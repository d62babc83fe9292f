"""Short names for graphs of a task: what all of them share at the end or the beginning is left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from passnet.authored import one_line


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Name -> a printable name that is unique among them: the parts in which they differ, or the first two of one."""
    known = list(dict.fromkeys(names))
    parts = [name.split("/") for name in known]
    if len(known) < 2:
        return {
            name: one_line("/".join(words[:2] if len(words) > 3 else words))
            for name, words in zip(known, parts, strict=True)
        }
    if len({len(words) for words in parts}) > 1:
        return {name: one_line(name) for name in known}
    differing = [place for place, column in enumerate(zip(*parts, strict=True)) if len(set(column)) > 1]
    found = {name: one_line("/".join(_few(words, differing))) for name, words in zip(known, parts, strict=True)}
    return found if len(set(found.values())) == len(known) else {name: one_line(name) for name in known}


def _few(words: Sequence[str], differing: Sequence[int]) -> list[str]:
    return [words[place] for place in differing]
