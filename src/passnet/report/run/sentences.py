"""Sentences of the page with links into it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from passnet.report.run.names import shown_name


@dataclass(frozen=True)
class Link:
    """Words that lead to an address of the page, which begins with #."""

    text: str
    address: str


Sentence = Sequence[str | Link]


def plain(sentence: Sentence) -> str:
    """The words alone."""
    return "".join(part if isinstance(part, str) else part.text for part in sentence)


def joined(parts: Iterable[Sentence], between: str = ", ") -> list[str | Link]:
    """The parts as one sentence."""
    found: list[str | Link] = []
    for place, part in enumerate(parts):
        found += [*([between] if place else []), *part]
    return found


def rows_of(count: int, table: str, shown: Sequence[str] = (), **filters: str) -> str | Link:
    """A number as a link to the rows of a table that it counts. 0 leads nowhere.

    `filters`: column -> value. `shown`: columns that are hidden at first and say why the rows are these.
    """
    given = [*((f"f.{key}", value) for key, value in filters.items()), *(("show", key) for key in shown)]
    return Link(f"{count:,}", f"#{table}?{urlencode(given)}") if count else "0"


def task_link(task: str) -> Link:
    name = shown_name(task)
    return Link(name, f"#task?{urlencode({'name': name})}")


def of_run(run: str, sentence: Sentence, *, several: bool) -> Sentence:
    """The sentence, beginning with the run that it is about if the page has several."""
    return [f"{run}: ", *sentence] if several else sentence
