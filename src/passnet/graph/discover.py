"""Finds graph directories below a root."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from passnet.errors import blaming_machine
from passnet.graph.errors import GraphError
from passnet.score.files import is_of_machine

# Directories that are looked into before the first find, and for each find. A path may be named by others: "/" is one.
_FIRST, _FOR_EACH = 10_000, 10


def find_graphs(root: Path | str) -> list[Path]:
    """Every graph directory at or below `root`, in natural order.

    A directory that holds `graph_net.json` and `model.py` is a graph and is not searched further. A model with graph
    breaks therefore appears as `subgraph_0`, `subgraph_1`, ...  Hidden directories and links to directories are
    skipped. Errors: `GraphError` when `root` is no directory, and as `refuse_endless`.
    """
    root = Path(root)
    if not root.is_dir():
        raise GraphError("no such directory" if not root.exists() else "not a directory", path=root)
    found: list[Path] = []
    for looked, (directory, children, files) in enumerate(walked(root)):
        refuse_endless(root, looked, len(found))
        if is_graph(files):
            found.append(Path(directory))
            children.clear()
        children[:] = [child for child in children if not child.startswith(".")]
    return in_natural_order(found, root)


def walked(root: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """As `os.walk`, which passes over what this user may not read. MachineError where the machine is to blame."""

    def refuse(error: OSError) -> None:
        with blaming_machine(error.filename):
            if is_of_machine(error):
                raise error

    return os.walk(root, onerror=refuse)


def is_graph(files: Iterable[str]) -> bool:
    """Whether a directory with these files is a graph."""
    return {"graph_net.json", "model.py"}.issubset(files)


def in_natural_order(found: Iterable[Path], root: Path) -> list[Path]:
    """Paths below `root`, so that `subgraph_2` comes before `subgraph_10`."""
    return sorted(found, key=lambda path: natural_key(path.relative_to(root).as_posix()))


def refuse_endless(root: Path, looked: int, found: int) -> None:
    """GraphError where many directories below `root` were looked into, and few of them hold a task or a graph."""
    if looked > _FIRST + _FOR_EACH * found:
        raise GraphError(
            "too many directories that hold no task and no graph", path=root,
            expected=f"a task or graph in most of them, or at most {_FIRST} directories", found=f"{found} in {looked}",
            hint="name the tasks or graphs, or a list of them",
        )  # fmt: skip


def natural_key(text: str) -> tuple[tuple[int, int | str], ...]:
    """Sort key under which `subgraph_2` comes before `subgraph_10`."""
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in re.split(r"(\d+)", text) if part)
