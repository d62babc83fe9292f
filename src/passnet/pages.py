"""The documentation that comes with the package: pages by name, laid out as in the repository.  No torch.

`setup.py` reads `FILES` and `OTHERS` to put the pages into the wheel, so this needs nothing but Python.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from pathlib import Path

from passnet.errors import InfrastructureError, UsageError

# Where the pages stand in the package. In a repository they are read where they are.
DIRECTORY = "docs"
# Pages that stand outside `docs/`, by their names.
OTHERS = {
    "index": "README.md",
    "index.zh-CN": "README.zh-CN.md",
    "bundled": "data/README.md",
    "benchmarks": "benchmarks/README.md",
    "requirements": "requirements/README.md",
    "contributing": "CONTRIBUTING.md",
    "changelog": "CHANGELOG.md",
}
CONSTRAINTS = "constraints.txt"
# What the wheel carries for its readers, as globs from the root of the repository.
FILES = (
    *OTHERS.values(),
    "docs/*.md",
    "docs/examples/**/*.*",
    "docs/assets/passnet.svg",
    CONSTRAINTS,
    "requirements/*.txt",
)


@dataclass(frozen=True)
class DocPage:
    """One page. `name` is that of `passnet docs NAME`, and of the page on the site."""

    name: str
    path: Path

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def title(self) -> str:
        """The first heading."""
        return next(line.removeprefix("# ") for line in self.text.splitlines() if line.startswith("# "))


def home() -> Path:
    """The directory that holds the pages: the package's own, or the repository that the package is run from.

    Errors: `InfrastructureError` when there is neither.
    """
    here = Path(__file__).resolve().parent
    for place in (here / DIRECTORY, here.parents[1]):
        if (place / "docs" / "install.md").is_file():
            return place
    raise InfrastructureError(f"{here / DIRECTORY}: the pages are missing; install the package again, from its wheel")


def all_pages() -> list[DocPage]:
    """All pages: the README first, then those of `docs/` by name, then the others."""
    place = home()
    found = {path.stem: path for path in sorted(place.glob("docs/*.md"))}
    others = {name: place / file for name, file in OTHERS.items()}
    pages = {"index": others["index"], **found, **others}
    return [DocPage(name, path) for name, path in pages.items() if path.is_file()]


def find(name: str) -> DocPage:
    """The page of a name, or of a path as links have it (`passes.md`, `docs/passes.md`).

    Errors: `UsageError` for an unknown name, with the known ones.
    """
    known = {page.name: page for page in all_pages()}
    wanted = name_of(name) or name.removesuffix(".md")
    if wanted in known:
        return known[wanted]
    close = difflib.get_close_matches(wanted, known, n=1)
    hint = f"did you mean {close[0]}?" if close else None
    raise UsageError(f"unknown page {name!r}", expected=f"one of {', '.join(known)}", hint=hint)


def name_of(file: str) -> str | None:
    """The name of the page that a file of the repository is, by its path from the root. None when it is none."""
    moved = {path: name for name, path in OTHERS.items()}
    file = file.partition("#")[0]
    found = re.fullmatch(r"docs/([\w.-]+)\.md", file)
    return found[1] if found else moved.get(file)


def tested(package: str) -> str | None:
    """The version of a package that PassNet was tested with. None where the pins are missing or have no such row."""
    try:
        text = (home() / CONSTRAINTS).read_text(encoding="utf-8")
    except (InfrastructureError, OSError):
        return None
    found = re.search(rf"^{re.escape(package)}==(\S+)$", text, re.MULTILINE)
    return found[1] if found else None
