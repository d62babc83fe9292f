"""Reads trees of published graph and task directories into rows, with nothing lost and nothing assumed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from passnet.authored import is_below, one_line
from passnet.dataset.layout import naming_root
from passnet.dataset.split.assemble import Assembled, assemble
from passnet.dataset.split.grouping import task_of
from passnet.dataset.tables.cards import Card
from passnet.dataset.tables.rows import Row
from passnet.dataset.tables.task_row import TaskRow
from passnet.errors import MachineError, PassNetError
from passnet.graph import Graph, Task, find_graphs
from passnet.graph.discover import walked
from passnet.graph.files import read_text
from passnet.graph.task import GRAPH_LIST
from passnet.writing import refuse_replacing

# Files that tools leave behind. They say nothing about a graph.
_IGNORED = frozenset({"__pycache__", ".DS_Store"})
_NO_PLACE = "no list can hold its path: it is too long, or not one line of text"
_PARTS = ("graph_net.json", "model.py")


@dataclass(frozen=True)
class RefusedSample:
    """A refused item, and why: a directory, or with `part` one entry of a graph that was imported."""

    path: str
    reason: str
    part: bool = False


@dataclass(frozen=True)
class Imported:
    """The imported and the refused items of an import."""

    store: Assembled
    refused: tuple[RefusedSample, ...]

    def text(self) -> str:
        """A few lines for people."""
        refused = (one_line(f"  not taken: {item.path}: {item.reason}") for item in self.refused)
        return "\n".join([self.store.text(), *refused])


def import_tree(root: Path | str, out: Path | str, *, overwrite: bool = False) -> Imported:
    """Store the graphs below `root` at `out`.

    Existing task directories stay the same tasks. Otherwise tasks are made. A graph's path begins at `samples` even
    where `root` lies below that.

    Errors: `GraphError` when `root` is no directory, `UsageError` when `out` exists. Problems of single directories are
    in the result.
    """
    root = Path(root)
    refused: list[RefusedSample] = []
    has_tasks = root.is_dir() and bool(_task_directories(root))

    if overwrite:
        refuse_replacing(Path(out), [Path(root)])

    def rows() -> Iterator[Row]:
        for item in read_tree(root, from_samples=not has_tasks):
            if isinstance(item, Row):
                yield item
            else:
                refused.append(item)

    def tasks(cards: list[Card]) -> list[TaskRow]:
        found = list(read_task_rows(root, cards))
        refused.extend(item for item in found if isinstance(item, RefusedSample))
        return [item for item in found if isinstance(item, TaskRow)]

    stored = assemble(rows(), out, tasks=tasks if has_tasks else None, overwrite=overwrite)
    return Imported(stored, tuple(refused))


def read_tree(root: Path | str, *, from_samples: bool = False) -> Iterator[Row | RefusedSample]:
    """The graphs below `root`, one after the other in natural order. A `RefusedSample` for each that cannot be read.

    A row's path is relative to `root`, or with `from_samples` to the parent of the published `samples` (see
    `naming_root`). Files that differ from ours are kept as they are. Errors: `GraphError` when `root` is no directory.
    """
    root = Path(root)
    for directory in find_graphs(root):
        yield from read_directory(directory, naming_root(directory, root) if from_samples else root)
    yield from incomplete(root)


def read_directory(directory: Path, root: Path) -> Iterator[Row | RefusedSample]:
    """The graph of one directory, its path relative to `root`, and the parts that a row cannot hold."""
    path = _name_of(root.resolve(), directory.resolve())
    parts: list[RefusedSample] = []
    if not is_below(path):
        yield RefusedSample(path, _NO_PLACE)
        return
    try:
        graph = Graph.read(directory)
        originals = _originals(graph, directory, parts, path)
        yield Row.from_graph(graph, path=path, originals=originals)
    except MachineError:
        raise
    except PassNetError as error:
        yield RefusedSample(path, _reason(error, directory))
    else:
        yield from parts


def _name_of(root: Path, directory: Path) -> str:
    """The path below the root. The root's own name when it is the graph or the task itself."""
    path = directory.relative_to(root).as_posix()
    return root.resolve().name if path == "." else path


def _reason(error: PassNetError, directory: Path) -> str:
    return str(error).replace(f"{directory}{os.sep}", "").replace(str(directory), "")


def _originals(graph: Graph, directory: Path, parts: list[RefusedSample], path: str) -> dict[str, str | None]:
    """The files whose text differs from ours (None: we would add the file), and those that we do not write.

    Parts that a row cannot hold are added to `parts`.
    """
    ours = graph.files()
    entries = {entry.name: entry for entry in sorted(directory.iterdir()) if entry.name not in _IGNORED}
    found: dict[str, str | None] = {name: None for name in ours if name not in entries}
    for name, entry in entries.items():
        try:
            text = read_text(entry)
        except MachineError:
            raise
        except PassNetError as error:
            parts.append(RefusedSample(f"{path}/{name}", _reason(error, entry).removeprefix(": "), part=True))
            continue
        if text != ours.get(name):
            found[name] = text
    return found


def incomplete(root: Path) -> Iterator[RefusedSample]:
    """Directories that hold one half of what makes a graph, outside every graph."""
    for directory, children, files in walked(root):
        present = [name for name in _PARTS if name in files]
        if len(present) == 1:
            (missing,) = set(_PARTS) - set(present)
            yield RefusedSample(_name_of(root, Path(directory)), f"{missing} is missing beside {present[0]}")
        children[:] = [] if len(present) == 2 else sorted(child for child in children if not child.startswith("."))


def read_task_rows(root: Path | str, cards: list[Card]) -> Iterator[TaskRow | RefusedSample]:
    """The task directories below `root` as they are. The operators of a task are those of its first graph."""
    root = Path(root)
    by_path = {card.path: card for card in cards}
    for directory in _task_directories(root):
        path = _name_of(root, directory)
        if not is_below(path):
            yield RefusedSample(path, _NO_PLACE)
            continue
        try:
            task = Task.read(directory)
        except MachineError:
            raise
        except PassNetError as error:
            yield RefusedSample(path, _reason(error, directory))
            continue
        places = [_below(ref.path, root) for ref in task.refs]
        missing = [ref.name for ref, place in zip(task.refs, places, strict=True) if place not in by_path]
        members = [by_path[place] for place in places if place in by_path]
        if missing:
            yield RefusedSample(path, f"{len(missing)} of {len(places)} listed graphs were not imported: {missing[0]}")
        if members:
            made = task_of(members, split=members[0].split, total=len(members))
            yield replace(made, path=path, published_uids=task.uids)


def _task_directories(root: Path) -> list[Path]:
    found = []
    for directory, children, files in walked(root):
        children[:] = sorted(child for child in children if not child.startswith("."))
        if GRAPH_LIST in files:
            found.append(Path(directory))
    return found


def _below(path: Path, root: Path) -> str | None:
    """The path below the root of a graph that may be behind links. None when it lies elsewhere."""
    resolved, home = path.resolve(), root.resolve()
    return _name_of(home, resolved) if resolved.is_relative_to(home) else None
