"""One HTML file of sections with figures and tables, written with jinja2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from passnet.errors import visible
from passnet.report.charts import Chart
from passnet.writing import write_atomic, writing

if TYPE_CHECKING:
    from jinja2 import Environment, Template


TEMPLATES: Final = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class PageTable:
    """Rows of text. A column whose cells are all numbers is aligned right.  `folded` hides the table behind a line."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    folded: bool = False

    @property
    def numeric(self) -> list[bool]:
        """For each column, whether it holds only numbers."""
        cells = [[row[place] for row in self.rows] for place in range(len(self.columns))]
        return [all(cell.replace(".", "", 1).isdecimal() for cell in column) for column in cells]


@dataclass(frozen=True)
class PageSection:
    """A heading, a sentence, charts, tables."""

    title: str
    lead: str = ""
    charts: Sequence[Chart] = ()
    tables: Sequence[PageTable] = ()


@dataclass(frozen=True)
class Page:
    """A page. It starts with `figures` (number, words) and ends with `notes` (name, text)."""

    title: str
    lead: str
    figures: Sequence[tuple[str, str]] = ()
    sections: Sequence[PageSection] = ()
    notes: Sequence[tuple[str, str]] = field(default_factory=tuple)


def as_seen(value: object) -> object:
    """What a template shows of a value. A name with signs of another direction must not pass for another name."""
    return visible(value) if type(value) is str else value  # markup of our own is of another type


def templates() -> Environment:
    """The templates of this room. What they are given is escaped. ImportError without jinja2."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=as_seen,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def template(name: str) -> Template:
    """One of them, in which only our own drawings pass through `markup`."""
    environment = templates()
    from markupsafe import Markup

    # Our own markup. Every text in it is already escaped.
    environment.filters["markup"] = Markup
    return environment.get_template(name)


def render(page: Page) -> str:
    """The HTML text: complete, without scripts and without references to anything outside."""
    return template("page.html").render(page=page)


def write(page: Page, path: Path | str) -> Path:
    """Write the page, all or nothing, and replace an older one.  Errors: `UsageError` when it cannot be written."""
    path = Path(path)
    text = render(page)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, text)
    return path
