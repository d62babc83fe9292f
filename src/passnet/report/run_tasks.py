"""The tasks of a run as they lie on this machine. A run names paths; only tasks at these are read, nothing is searched.

A run directory may come from a stranger. So a path of it leads to a task, a list, or the tasks right below it, or it is
the name of bundled ones.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from passnet.authored import is_path
from passnet.errors import UsageError, blaming_machine, first_line
from passnet.graph.listing import SUFFIXES, find_entry, read_entries
from passnet.graph.targets import Target, find_targets, placed
from passnet.graph.task import GRAPH_LIST
from passnet.report.recorded import RecordedRun

_GRAPH = "graph_net.json"


@dataclass(frozen=True)
class RunTasks:
    """`found`: task -> what lies here now. `unreadable`: task -> why it cannot be read. `here`: all names at the paths.

    `missing`: paths of the run at which nothing is.
    """

    found: dict[str, Target]
    unreadable: dict[str, str]
    here: tuple[str, ...]
    missing: tuple[str, ...]


def run_tasks(run: RecordedRun, given: Sequence[Path] = ()) -> RunTasks:
    """The tasks that the run has records of. `given`: paths of the user's own choice, in place of those of the run.

    Errors: `UsageError` when a path of the user's cannot be read.
    """
    wanted = {graph.task for graph in run.graphs}
    if given:
        targets = {target.name: target for target in find_targets(given)}
        return RunTasks(targets, {}, tuple(targets), ())
    places: dict[str, Path] = {}
    missing = []
    for path in map(placed, _paths(run)):
        if not os.path.exists(path):
            missing.append(str(path))
        for name, place in _named(path, wanted, set()):
            places.setdefault(name, place)
    found: dict[str, Target] = {}
    unreadable: dict[str, str] = {}
    for name in sorted(wanted & places.keys()):
        try:
            found[name] = find_targets([places[name]])[0]
        except UsageError as error:
            unreadable[name] = first_line(str(error))
    return RunTasks(found, unreadable, tuple(places), tuple(missing))


def _paths(run: RecordedRun) -> list[Path]:
    paths = run.settings.get("paths")
    texts = (
        [path for path in paths if isinstance(path, str) and path and is_path(path)] if isinstance(paths, list) else []
    )
    return [Path(text) for text in texts]


def _named(path: Path, wanted: set[str], lists: set[str]) -> Iterator[tuple[str, Path]]:
    """The names and places of tasks and graphs at a path. Nothing below them is opened. `lists`: see `_of_list`."""
    if os.path.isfile(path) and path.suffix.lower() in SUFFIXES:
        yield from _of_list(path, wanted, lists)
    elif _holds(path):
        yield path.resolve().name, path
    elif os.path.isdir(path):
        below = [child for child in _children(path) if os.path.isfile(child / GRAPH_LIST)]
        yield from ((child.name, child) for child in below)
        if not below:  # a directory of graphs: their names are their places in it
            inside = ((name, path / name) for name in sorted(wanted) if is_path(name) and ".." not in Path(name).parts)
            yield from ((name, place) for name, place in inside if _holds(place))


def _of_list(listing: Path, wanted: set[str], lists: set[str]) -> Iterator[tuple[str, Path]]:
    """The tasks of a list, and of the lists and directories that it names. `lists`: those that were read already."""
    real = os.path.realpath(listing)
    if real in lists:
        return
    lists.add(real)
    try:
        entries = read_entries(listing)
    except UsageError:
        return
    for entry in entries:
        try:
            place = find_entry(listing, entry)
        except UsageError:
            continue
        if _holds(place):
            yield entry.name or place.resolve().name, place
        else:
            yield from _named(place, wanted, lists)


def _holds(path: Path) -> bool:
    return os.path.isfile(path / GRAPH_LIST) or os.path.isfile(path / _GRAPH)


def _children(path: Path) -> list[Path]:
    """What lies in a directory. Nothing where this user may not look."""
    try:
        with blaming_machine(path):
            return sorted(path.iterdir())
    except OSError:
        return []
