"""Finds graph directories below a root."""

from __future__ import annotations

import os
import re
from pathlib import Path

from passnet.graph.errors import GraphError


def find_graphs(root: Path | str) -> list[Path]:
    """Every graph directory at or below `root`, in natural order.

    A directory that holds `graph_net.json` and `model.py` is a graph and is not searched further. A model with graph
    breaks therefore appears as `subgraph_0`, `subgraph_1`, ...  Hidden directories and links to directories are
    skipped. Errors: `GraphError` when `root` is no directory.
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
