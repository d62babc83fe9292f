"""What a path on the command line stands for: a task, a single graph, a directory of tasks, or a list file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from passnet.authored import is_text
from passnet.errors import UsageError
from passnet.graph import Graph, Task, find_graphs, read_graph_list

_LISTS = frozenset({".txt", ".csv"})


@dataclass(frozen=True)
class Target:
    """A task, or a single graph as a task without passes. Graphs are read; nothing of a pass is."""

    name: str
    graphs: tuple[tuple[str, Path, Graph], ...]
    pass_dir: Path | None
    const_pass_dir: Path | None = None


def find_targets(paths: Sequence[Path]) -> list[Target]:
    """Everything that the paths stand for, in order. UsageError for what does not exist or holds no graph."""
    targets = [target for path in paths for target in _targets_of(path)]
    names = [target.name for target in targets]
    unwritable = next((name for name in names if not is_text(name)), None)
    if unwritable is not None:
        raise UsageError("a task's name is no text, so no record can hold it", found=unwritable, hint="rename it")
    repeated = sorted(name for name, count in Counter(names).items() if count > 1)
    if repeated:
        raise UsageError(f"two tasks have the name {repeated[0]!r}", hint="evaluate them in separate runs")
    return targets


def _targets_of(path: Path) -> list[Target]:
    if path.is_file() and path.suffix in _LISTS:
        return [target for entry in read_graph_list(path) for target in _targets_of(_listed(path, entry))]
    if not path.is_dir():
        raise UsageError(
            "no such directory",
            path=path,
            hint="give a task directory, a graph directory, a directory of tasks or a list",
        )
    if _is_task(path):
        return [_task(path)]
    graphs = find_graphs(path)
    if graphs == [path]:
        return [Target(path.name, ((path.name, path, Graph.read(path)),), None)]
    tasks = sorted(child for child in path.iterdir() if child.is_dir() and _is_task(child))
    if tasks:
        return [_task(child) for child in tasks]
    if graphs:
        return [Target(str(g.relative_to(path)), ((g.name, g, Graph.read(g)),), None) for g in graphs]
    raise UsageError(
        "neither a task nor a directory of tasks or graphs",
        path=path,
        expected="graph_list.txt, graph_net.json, or directories that have one",
    )


def _listed(path: Path, entry: str) -> Path:
    """What a line of a list stands for, relative to the list."""
    found = path.parent / entry
    if not found.exists():
        raise UsageError(
            "names what is not there", path=path, found=entry, expected="directories, relative to the list"
        )
    return found


def _is_task(path: Path) -> bool:
    return (path / "graph_list.txt").exists()


def _task(path: Path) -> Target:
    task = Task.read(path)
    graphs = tuple((ref.name, ref.path, ref.load()) for ref in task.refs)
    return Target(task.name, graphs, task.pass_dir, task.const_pass_dir)
