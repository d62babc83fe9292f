"""Short names for graphs of a task: parts that all of them share are left out."""

from __future__ import annotations

from collections.abc import Iterable

from passnet.authored import one_line


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Name -> a printable name that is unique among them: the first parts that tell them apart."""
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
    for count in range(1, len(differing) + 1):
        found = {
            name: one_line("/".join(words[p] for p in differing[:count]))
            for name, words in zip(known, parts, strict=True)
        }
        if len(set(found.values())) == len(known):
            return found
    return {name: one_line(name) for name in known}
