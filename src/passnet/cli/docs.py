"""`passnet docs`: the documentation that comes with the package.

JSON, schema 1: {"schema", "directory", "pages": [{"page", "title", "path"}]}; of one page {"schema", "page", "title",
"path", "text"}.
"""

from __future__ import annotations

import os
import sys

import typer

from passnet import pages
from passnet.cli.console import print_json, say, say_text
from passnet.cli.options import AsJson

SCHEMA = 1


def command(
    page: str | None = typer.Argument(None, metavar="[PAGE]", help="A page. Default: the list of pages."),
    directory: bool = typer.Option(False, "--dir", help="Only print where the pages lie, or where PAGE lies."),
    as_json: AsJson = False,
) -> None:
    """Read the documentation: a list of pages, or one page. In a pipe a page is plain Markdown."""
    found = pages.find(page) if page is not None else None
    if as_json:
        print_json({"schema": SCHEMA, **(_listed() if found is None else {**_row(found), "text": found.text})})
    elif directory:
        say(str(pages.home() if found is None else found.path))
    elif found is None:
        _print_list()
    elif sys.stdout.isatty():
        _show(found)
    else:
        say_text(found.text)


def _row(page: pages.DocPage) -> dict[str, str]:
    return {"page": page.name, "title": page.title, "path": str(page.path)}


def _listed() -> dict[str, object]:
    return {"directory": str(pages.home()), "pages": [_row(page) for page in pages.all_pages()]}


def _print_list() -> None:
    found = pages.all_pages()
    width = max(len(page.name) for page in found)
    for page in found:
        say(f"{page.name:<{width}}  {page.title}")
    say("", f"`passnet docs PAGE` shows a page; the files lie in {pages.home()}")


def _show(page: pages.DocPage) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    # `less`, the usual pager, shows colours only with -R.
    os.environ.setdefault("LESS", "-R")
    console = Console()
    with console.pager(styles=True):
        console.print(Markdown(page.text, hyperlinks=False))
