"""`passnet docs`: the pages of the documentation, which come with the package."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

import typer

import passnet
from passnet.errors import UsageError

_PACKAGE = Path(passnet.__file__).resolve().parent
# In a wheel, and in a checkout.
_PLACES = (_PACKAGE / "docs", _PACKAGE.parents[1] / "docs")


def command(
    page: str | None = typer.Argument(None, metavar="[PAGE]", help="Its name. Without one, all pages are listed."),
    directory: bool = typer.Option(False, "--dir", help="Only say in which directory the pages lie."),
) -> None:
    """Read the documentation: how passes are written, what a figure means, how one could cheat.

    A page is printed as Markdown; in a terminal it is laid out.
    """
    found = pages()
    if directory:
        typer.echo(next(iter(found.values())).parent)
    elif page is None:
        width = max(map(len, found))
        for name, path in found.items():
            typer.echo(f"{name:{width}}  {title(path)}")
        typer.echo("\n`passnet docs PAGE` prints one")
    else:
        _print(_page(page, found).read_text(encoding="utf-8"))


def pages() -> dict[str, Path]:
    """The pages by name. UsageError where the package was put together without them."""
    for place in _PLACES:
        if (place / "passes.md").is_file():
            return {path.stem: path for path in sorted(place.glob("*.md"))}
    raise UsageError("this package has no documentation", expected="its pages", path=_PLACES[0])


def title(path: Path) -> str:
    """The first heading of a page."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((line.removeprefix("# ") for line in lines if line.startswith("# ")), "")


def _page(name: str, found: dict[str, Path]) -> Path:
    stem = name.removeprefix("docs/").removesuffix(".md")
    if stem not in found:
        near = difflib.get_close_matches(stem, found, n=1)
        hint = f"did you mean {near[0]}?" if near else "`passnet docs` lists them"
        raise UsageError(f"no page {name!r}", expected=f"one of: {', '.join(found)}", hint=hint)
    return found[stem]


def _print(text: str) -> None:
    if not sys.stdout.isatty():
        typer.echo(text, nl=False)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    with console.pager(styles=True):
        console.print(Markdown(text))
