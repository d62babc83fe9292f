"""Finds graph directories below a root and reads lists of graph paths."""

from __future__ import annotations

import csv
import os
import re
from pathlib import Path

from passnet import authored
from passnet.graph.errors import GraphError
from passnet.graph.files import read_text

_PATH_COLUMNS = ("graph", "path", "graph_path", "model_path", "relative_model_path")
MAX_ENTRIES = 1_000_000


def find_graphs(root: Path | str) -> list[Path]:
    """Every graph directory at or below `root`, in natural order.

    A directory that holds `graph_net.json` and `model.py` is a graph and is not searched further; a model with graph
    breaks is thereby its `subgraph_0`, `subgraph_1`, ...  Hidden directories and links to directories are skipped.
    Errors: `GraphError` when `root` is no directory.
    """
    root = Path(root)
    if not root.is_dir():
        raise GraphError("no such directory" if not root.exists() else "not a directory", path=root)
    found = []
    for directory, children, files in os.walk(root):
        if "graph_net.json" in files and "model.py" in files:
            found.append(Path(directory))
            children.clear()
        children[:] = [child for child in children if not child.startswith(".")]
    return sorted(found, key=lambda path: natural_key(path.relative_to(root).as_posix()))


def natural_key(text: str) -> tuple[tuple[int, int | str], ...]:
    """Sort key under which `subgraph_2` comes before `subgraph_10`."""
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in re.split(r"(\d+)", text) if part)


def read_graph_list(path: Path | str) -> tuple[str, ...]:
    """The entries of a list file: one path per line, or a CSV with a header (column `graph`, `path`, ... or the first).

    Blank lines and lines that start with `#` are skipped.  Errors: `GraphError` when missing or without entries.
    """
    path = Path(path)
    text = read_text(path).removeprefix("\ufeff")
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    entries = _csv_column(lines, path) if path.suffix.lower() == ".csv" else lines
    if not entries:
        raise GraphError("the list is empty", path=path, expected="one graph path per line")
    foreign = next((entry for entry in entries if not authored.is_path(entry)), None)
    if foreign is not None:
        raise GraphError("an entry cannot be a path", path=path, expected="one graph path per line", found=foreign[:80])
    if len(entries) > MAX_ENTRIES:
        raise GraphError("the list is too long", path=path, expected=f"at most {MAX_ENTRIES}", found=len(entries))
    return tuple(entries)


def _csv_column(lines: list[str], path: Path) -> list[str]:
    try:
        rows = [row for row in csv.reader(lines) if row]
    except csv.Error as error:
        raise GraphError(f"not a table: {error}", path=path) from None
    if not rows:
        return []
    header = [cell.strip().lower() for cell in rows[0]]
    named = next((header.index(name) for name in _PATH_COLUMNS if name in header), None)
    body = rows if named is None and "/" in rows[0][0] else rows[1:]
    return [row[named or 0].strip() for row in body if len(row) > (named or 0)]
