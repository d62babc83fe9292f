"""Reads a path of the command line: a task, a single graph, a directory of tasks, or a list file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from passnet.authored import is_text
from passnet.errors import UsageError
from passnet.graph import Graph, Task, bundled
from passnet.graph.discover import in_natural_order, is_graph, refuse_endless, walked
from passnet.graph.listing import SUFFIXES, ListEntry, find_entry, read_entries
from passnet.graph.task import GRAPH_LIST

# A list may name other lists. Below this depth, one of them must name itself.
_DEEPEST_LIST = 8
# What tells a directory of passes, and what to do with one.
_MANIFESTS = "sorted_*_pass_rule_names.json"
_OF_PASSES = "passes lie in pass_dir of their task; `passnet tasks export NAME --out DIR` makes a task to put them in"


@dataclass(frozen=True)
class Target:
    """A task, or a single graph as a task without passes. Graphs are read here. Passes are not."""

    name: str
    graphs: tuple[tuple[str, Path, Graph], ...]
    pass_dir: Path | None
    const_pass_dir: Path | None = None


def find_targets(paths: Sequence[Path]) -> list[Target]:
    """All tasks and graphs of the paths, in order. A path may be the name of a bundled task or set.

    UsageError when a path does not exist or holds no graph.
    """
    targets: dict[str, Target] = {}
    for target in (target for path in paths for target in _targets_of(placed(path))):
        name = target.name
        if not name.strip("./"):
            raise UsageError("a task has no name of its own", found=repr(name), hint="give its directory by name")
        unwritable = next(
            (each for each in (name, *(inner for inner, _, _ in target.graphs)) if not is_text(each)), None
        )
        if unwritable is not None:
            what = "the name of a task or graph is no text, so no record can hold it"
            raise UsageError(what, found=unwritable, hint="rename it")
        if name in targets:  # said at once: a path that is given a million times is read twice
            raise UsageError(f"two tasks have the name {name!r}", hint="evaluate them in separate runs")
        targets[name] = target
    return list(targets.values())


def placed(path: Path, root: Path = Path()) -> Path:
    """The path below `root` if it exists there. Otherwise the bundled task or set of that name, if there is one."""
    place = root / path
    if len(path.parts) != 1 or os.path.lexists(place):
        return place
    return bundled.place_of(path.name) or place


def _targets_of(path: Path, *, depth: int = 0) -> list[Target]:
    if path.is_file():
        return _of_list(path, depth)
    if not path.is_dir():
        raise _missing(path)
    if is_task(path):
        return [_task(path)]
    if (path / "pass_dir").is_dir() and (path / "graphs").is_dir():
        raise UsageError(
            "a task without its list of graphs", path=path, expected="graph_list.txt, a path in each line",
            hint="name the directories of graphs there that hold graph_net.json",
        )  # fmt: skip
    if all((path / name).exists() for name in ("graph_net.json", "model.py")):
        return [Target(path.name, ((path.name, path, Graph.read(path)),), None)]
    tasks, graphs = _below(path)
    if tasks:
        return [_task(child) for child in tasks]
    if graphs:
        return [Target(str(g.relative_to(path)), ((g.name, g, Graph.read(g)),), None) for g in graphs]
    raise UsageError(
        "neither a task nor a directory of tasks or graphs",
        path=path,
        expected="graph_list.txt, graph_net.json, or directories that have one",
        hint=_instead(path),
    )


def _instead(path: Path) -> str | None:
    """What to do with a directory that holds something else than tasks. None where nothing is known of it."""
    if (path / "settings.json").is_file() and (path / "records.jsonl").is_file():
        return f"it is a run; `passnet score {path}` reads it"
    if next(path.glob(_MANIFESTS), None) is not None:
        return _OF_PASSES
    return None


def _missing(path: Path) -> UsageError:
    """The error for a path at which there is neither a list nor a directory."""
    what = "no such list" if path.suffix.lower() in SUFFIXES else "no such directory"
    if path.exists():
        what = "neither a file nor a directory"
    own = path.parts[-1] if path.parts[-3:-1] == ("data", "tasks") else None
    if path.parts[-2:] == ("data", "tasks") or (own and bundled.place_of(own)):
        return UsageError(what, path=path, hint=f"without the repository its name is {own or 'bundled'}")
    near = bundled.nearest(path.name) if len(path.parts) == 1 else None
    hint = (
        "give a task directory, a graph directory, a directory of tasks, a list, or a name that "
        "`passnet tasks list` shows"
    )
    return UsageError(what, path=path, hint=f"{near} Or {hint}" if near else hint)


def _of_list(listing: Path, depth: int) -> list[Target]:
    """The tasks and graphs of a list. Two graphs with the same name are named by their entries."""
    if listing.suffix.lower() not in SUFFIXES:
        raise UsageError(
            "a file, but no list",
            path=listing,
            expected=f"a directory, or a list that ends in {', '.join(SUFFIXES)}",
            hint=_OF_PASSES if listing.suffix == ".py" else None,
        )
    if depth > _DEEPEST_LIST:
        raise UsageError("lists name each other in a circle", path=listing, hint="name tasks or graphs in it")
    entries = read_entries(listing)
    found: list[tuple[ListEntry, Target]] = []
    first: dict[str, int] = {}
    for entry in entries:
        place = find_entry(listing, entry)
        line = first.setdefault(os.path.realpath(place), entry.line)
        if line != entry.line:  # however it is spelled: what is named a million times is read once
            raise UsageError(
                f"names the same path as line {line}", path=listing, field=f"line {entry.line}",
                expected="every task once", found=entry.path,
            )  # fmt: skip
        found += [(entry, target) for target in _of_entry(listing, entry, place, depth)]
    names = Counter(target.name for _, target in found)
    return [
        replace(target, name=entry.path.strip("/"))
        if names[target.name] > 1 and target.pass_dir is None and len(target.graphs) == 1
        else target
        for entry, target in found
    ]


def _of_entry(listing: Path, entry: ListEntry, place: Path, depth: int) -> Iterator[Target]:
    """The tasks or graphs of one entry, which lie at `place`. If they cannot be read, the error also names the line."""
    try:
        targets = _targets_of(place, depth=depth + 1)
    except UsageError as error:
        raise UsageError(str(error), path=listing, field=f"line {entry.line}") from error
    if entry.name is None:
        yield from targets
    elif len(targets) == 1:
        yield replace(targets[0], name=entry.name)
    else:
        raise UsageError(
            f'"sample_dir" holds {len(targets)} tasks', path=listing, field=f"line {entry.line}",
            expected="the directory of one task", found=place,
        )  # fmt: skip


def is_task(path: Path) -> bool:
    """Whether a path is the directory of one task."""
    return (path / GRAPH_LIST).exists()


def _below(root: Path) -> tuple[list[Path], list[Path]]:
    """The directories of tasks at any depth, since an export sorts its tasks by hash, and those of graphs beside them.

    None inside of another. Errors: as `refuse_endless`.
    """
    tasks: list[Path] = []
    graphs: list[Path] = []
    for looked, (directory, children, files) in enumerate(walked(root)):
        refuse_endless(root, looked, len(tasks) + len(graphs))
        if is_graph(files):
            graphs.append(Path(directory))
            children.clear()
        visible = [Path(directory, child) for child in children if not child.startswith(".")]
        here = {child for child in visible if os.path.exists(child / GRAPH_LIST)}  # false where this user may not look
        tasks += here
        children[:] = [child.name for child in visible if child not in here]
    return sorted(tasks), in_natural_order(graphs, root)


def _task(path: Path) -> Target:
    task = Task.read(path)
    graphs = tuple((ref.name, ref.path, ref.load()) for ref in task.refs)
    return Target(task.name, graphs, task.pass_dir, task.const_pass_dir)
