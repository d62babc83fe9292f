"""What lies beside the records: graphs and passes of the judged tasks, taken only where their hash is the recorded one.

A run directory may be hostile. So its paths are read only where a task, a list or a directory of tasks is, and nothing
below them is searched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from textwrap import shorten
from typing import Final

from passnet.authored import is_path, one_line
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import place_of
from passnet.errors import MachineError, PassNetError
from passnet.graph import Graph
from passnet.graph.listing import SUFFIXES
from passnet.graph.targets import Target, find_targets, placed
from passnet.report.run.names import short_names
from passnet.report.run.reading import RunData
from passnet.report.traits import UNKNOWN, Traits
from passnet.rewrite import read_pass_set

_MOST_CHILDREN: Final = 20_000
_NAMED: Final = 3
_AUTHORED: Final = "passes"
_LONGEST_REASON: Final = 120
NOT_TIMED: Final = "not timed"
NOT_CAPTURED: Final = "not captured"


@dataclass(frozen=True)
class RunSources:
    """The tasks of one run as they lie on this machine. `problems`: why some are not at hand.

    `root`: the directory from which the run's paths count.
    """

    run: RunData
    targets: Mapping[str, Target]
    problems: tuple[str, ...]
    root: Path
    _graphs: dict[tuple[str, str], Graph] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for target in self.targets.values():
            self._graphs.update({(target.name, name): graph for name, _, graph in target.graphs})

    def graph(self, record: GraphRecord) -> Graph | None:
        """The graph of a record, if it is here and has not changed."""
        found = self._graphs.get((record.task, record.graph))
        return found if found is not None and found.content_hash == record.graph_hash else None

    def passes(self, record: GraphRecord) -> Mapping[str, str]:
        """The judged passes by file name. Empty where they are not here, or have changed."""
        if record.pass_set_hash is None:
            return {}
        target = self.targets.get(record.task)
        authored = self.run.path / "tasks" / place_of(record.task) / _AUTHORED
        for directory in (authored, target.pass_dir if target is not None else None):
            if directory is None or not is_path(str(directory)) or not directory.is_dir() or directory.is_symlink():
                continue
            try:
                found = read_pass_set(directory, target.const_pass_dir if target is not None else None)
            except MachineError:
                raise
            except (PassNetError, OSError):  # what is there now is no pass set, so it is not the judged one
                continue
            if found.content_hash == record.pass_set_hash:
                return found.texts()
        return {}

    def place(self, task: str) -> Path | None:
        """The directory of a task below the root, as a command names it. None where it is not there."""
        target = self.targets.get(task)
        if target is None or target.pass_dir is None:
            return None
        directory, root = target.pass_dir.parent.resolve(), self.root.resolve()
        return directory.relative_to(root) if directory.is_relative_to(root) else None

    def traits(self, record: GraphRecord) -> Traits:
        return Traits.of(f"{record.task}/{record.graph}", self.graph(record), _regime(record))

    def labels(self, task: str) -> Mapping[str, str]:
        """Graph -> its dtype, if that tells the task's graphs apart, else a short name."""
        dtypes = {record.graph: self.traits(record).dtype for record in self.run.by_task[task]}
        told_apart = len(set(dtypes.values())) == len(dtypes) and UNKNOWN not in dtypes.values()
        return dtypes if told_apart else short_names(dtypes)

    def missing(self) -> int | None:
        """How many graphs of an evaluation have no record. None where the tasks are not at hand."""
        if self.problems or not self.targets or self.run.is_agent:
            return None
        limit = self.run.settings.get("graphs")
        chosen = slice(limit if isinstance(limit, int) else None)
        planned = {(target.name, name) for target in self.targets.values() for name, _, _ in target.graphs[chosen]}
        return len(planned - {(record.task, record.graph) for record in self.run.records})


def _regime(record: GraphRecord) -> str | None:
    """What limits eager on a GPU, or why nobody knows. None on a CPU, and where the record does not say why."""
    if record.timing is not None and record.timing.regime is not None:
        return record.timing.regime
    if record.device == "cpu":
        return None
    return NOT_TIMED if record.timing is None else NOT_CAPTURED if record.timing.not_captured else None


def why_not_captured(record: GraphRecord) -> str | None:
    """Why a timed graph has no captured figure and so no regime, in one line. None for others."""
    if _regime(record) != NOT_CAPTURED or record.timing is None:
        return None
    return shorten(one_line(record.timing.not_captured or ""), _LONGEST_REASON, placeholder="…")


def find_sources(run: RunData, root: Path, read: dict[Path, Sequence[Target]] | None = None) -> RunSources:
    """The tasks that a run names. Its paths count from `root`, where the run was started.

    `read`: the tasks of paths that were read before. It is added to.
    """
    read = {} if read is None else read
    given = run.settings.get("paths")
    paths = [path for path in given if isinstance(path, str)] if isinstance(given, list) else []
    targets: dict[str, Target] = {}
    problems = [] if paths else ["the run does not say which tasks it judged"]
    absent: list[str] = []
    for path in paths:
        try:
            place = placed(Path(path), root)
            if not _looks_like_tasks(place):
                absent.append(one_line(path))
                continue
            if place not in read:
                read[place] = find_targets([place])
            targets |= {target.name: target for target in read[place]}
        except (PassNetError, OSError, ValueError) as error:
            problems.append(f"the tasks of the run are not at hand: {one_line(str(error))}")
    if absent:
        more = f" and {len(absent) - _NAMED} more" if len(absent) > _NAMED else ""
        problems.append(f"the tasks of the run are not at hand: no task is now at {', '.join(absent[:_NAMED])}{more}")
    return RunSources(run, targets, tuple(problems), root)


def _looks_like_tasks(path: Path) -> bool:
    """Whether the path is a list, a task, a graph, or a directory with one of these directly inside."""
    if path.is_file():
        return path.suffix.lower() in SUFFIXES
    marks = ("graph_list.txt", "graph_net.json")
    if any((path / mark).is_file() for mark in marks):
        return True
    children = islice(path.iterdir(), _MOST_CHILDREN) if path.is_dir() else ()
    return any((child / mark).is_file() for child in children for mark in marks)
