"""The tasks that requests may name: those of directories, of lists, and the bundled ones."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from passnet.errors import UsageError
from passnet.graph.targets import find_targets, is_task, placed


class TaskCatalogue:
    """Looks up tasks by name in `sources`, each of which is what any command takes as a path.

    A source is a task, a directory of tasks, a list, or the name of a bundled task or set. Lists are read at once.
    Directories are looked at whenever a name is asked for, so tasks may be added to them; they come after the lists,
    in order. UsageError for a source that does not exist, for a graph in place of a task, and for two tasks of one name
    in the lists.
    """

    def __init__(self, sources: Sequence[Path] = ()) -> None:
        places = [placed(source) for source in sources]
        self._directories = [place for place in places if place.is_dir() and not is_task(place)]
        self._named: dict[str, Path] = {}
        for target in find_targets([place for place in places if place not in self._directories]):
            if target.pass_dir is None:
                raise UsageError(f"{target.name} is a graph, not a task", field="--tasks", expected="names of tasks")
            self._named[target.name] = target.pass_dir.parent

    def find(self, name: str) -> Path | None:
        """The directory of the task of this name. None when there is none."""
        if name in self._named:
            return self._named[name]
        if "/" in name or not name.strip("."):
            return None  # a path, which could lead out of the directories
        return next((place / name for place in self._directories if os.path.isdir(place / name)), None)
