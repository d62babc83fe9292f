"""Short names for graphs of a task: parts that all of them share are left out, but for the dtype or else the first."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from passnet.authored import as_text, one_line
from passnet.dataset.layout import DTYPES

_LONGEST: Final = 200


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Name -> a printable name that is unique among them: the dtype, and the next parts that tell them apart.

    Where the parts have no dtype at one place, the first part stands for it.
    """
    known = list(dict.fromkeys(names))
    parts = [name.split("/") for name in known]
    if len(known) < 2:
        return {name: shown_name("/".join(_beginning(words))) for name, words in zip(known, parts, strict=True)}
    if len({len(words) for words in parts}) > 1:
        return {name: shown_name(name) for name in known}
    kept = _place_of_dtype(parts)
    differing = [place for place, column in enumerate(zip(*parts, strict=True)) if len(set(column)) > 1]
    for count in range(1, len(differing) + 1):
        found = {
            name: shown_name("/".join(words[p] for p in sorted({kept, *differing[:count]})))
            for name, words in zip(known, parts, strict=True)
        }
        if len(set(found.values())) == len(known):
            return found
    return {name: shown_name(name) for name in known}


def _beginning(words: list[str]) -> list[str]:
    first = _place_of_dtype([words])
    return words[first : first + 2] if len(words) > 3 else words


def _place_of_dtype(parts: list[list[str]]) -> int:
    """The first place at which all have a dtype, else 0."""
    return next((place for place, column in enumerate(zip(*parts, strict=True)) if set(column) <= {*DTYPES}), 0)


def shown_name(name: str) -> str:
    """A name in one printable line. A very long one is cut, with a part of its hash at the end."""
    line = one_line(name)
    if len(line) <= _LONGEST:
        return line
    return f"{line[: _LONGEST - 20]}… {hashlib.sha256(as_text(name).encode()).hexdigest()[:12]}"
