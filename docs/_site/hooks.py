"""What the site has beyond `docs/`: pages of other directories, links to them, and Mermaid only where a page draws.

MkDocs calls the functions by their names. A link to a file that is on no page of the site becomes its text.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from passnet.pages import OTHERS

ROOT = Path(__file__).resolve().parents[2]
# Pages that stand outside `docs/` -> where they are on the site.
MOVED = {source: f"{name}.md" for name, source in OTHERS.items()}
_HOME = {uri: source for source, uri in MOVED.items()}
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]\n]*(?:\n[^\]\n]*)?)\]\((?P<target>[^)\s]+)\)")
_QUOTED = re.compile(r"^(`{3,}\w+) file=(\S+)$", re.MULTILINE)
_FENCE = re.compile(r"^( *)(`{3,})[^\n]*\n.*?^\1\2`*$", re.MULTILINE | re.DOTALL)
# What screen readers call parts of every page that the theme gives no name.
_NAMES = {
    'data-md-component="search" role="dialog"': "Search",
    'data-md-toggle="search" type="checkbox"': "Open the search",
    'data-md-toggle="drawer" type="checkbox"': "Open the navigation",
}
MERMAID = "assets/mermaid.tiny.js"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages of other directories."""
    for source, uri in MOVED.items():
        files.append(File.generated(config, uri, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, files: Files, **_: Any) -> str:
    """Points links at pages of the site, and shows of which file a code block is. Code itself stays as it is."""
    home = _HOME.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    parts, at = [], 0
    for fence in _FENCE.finditer(markdown):
        parts += [_linked(markdown[at : fence.start()], home, page.file.src_uri, files), fence[0]]
        at = fence.end()
    whole = "".join([*parts, _linked(markdown[at:], home, page.file.src_uri, files)])
    return _QUOTED.sub(r'\1 title="\2"', whole)


def _linked(text: str, home: str, uri: str, files: Files) -> str:
    return _LINK.sub(lambda found: _link(found, home, uri, files), text)


def _link(found: re.Match[str], home: str, uri: str, files: Files) -> str:
    path, hash_, anchor = found["target"].partition("#")
    if "://" in path or not path:
        return found[0]
    goal = posixpath.normpath(posixpath.join(posixpath.dirname(home), path))
    there = MOVED.get(goal, goal.removeprefix("docs/") if goal.startswith("docs/") else None)
    if there is None or files.get_file_from_path(there) is None:
        if (ROOT / goal).exists():
            return found["text"]
        return found[0]
    target = posixpath.relpath(there, posixpath.dirname(uri) or ".")
    return f"{found['image']}[{found['text']}]({target}{hash_}{anchor})"


def on_post_page(output: str, page: Page, **_: Any) -> str:
    """Loads Mermaid, from the site itself, on pages that have a picture of it."""
    output = _named(output)
    if 'class="mermaid"' not in output:
        return output
    place = posixpath.relpath(MERMAID, posixpath.dirname(page.file.dest_uri) or ".")
    return output.replace("</head>", f'<script src="{place}"></script></head>', 1)


def on_post_template(output_content: str, template_name: str, **_: Any) -> str:
    """The page for addresses that do not exist is made from a template."""
    return _named(output_content) if template_name == "404.html" else output_content


def _named(html: str) -> str:
    for part, name in _NAMES.items():
        html = html.replace(part, f'{part} aria-label="{name}"', 1)
    return html
