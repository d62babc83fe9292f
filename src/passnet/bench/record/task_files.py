"""The tasks of a run as they were judged: their graphs, and the passes whose hash the records hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import place_of
from passnet.errors import UsageError
from passnet.graph import Graph
from passnet.graph.targets import Target, find_targets
from passnet.rewrite import read_pass_set

_HINT: Final = "--logs-only writes scores, logs and lists alone"
# The place where an author's run keeps the best pass set of each task.
_AUTHORED: Final = "passes"


@dataclass(frozen=True)
class TaskFiles:
    """The tasks that a run named, read again. All methods raise `UsageError` for what has changed."""

    run: Path
    targets: Mapping[str, Target]

    @classmethod
    def of_run(cls, run: Path, settings: Mapping[str, Any]) -> TaskFiles:
        """The tasks at the paths of a run. Paths count from the directory in which the run was started."""
        paths = settings.get("paths")
        if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
            raise UsageError("the run does not say what it judged", path=run, hint=_HINT)
        try:
            return cls(run, {target.name: target for target in find_targets([Path(path) for path in paths])})
        except UsageError as error:
            raise UsageError(
                f"the tasks of the run cannot be read: {error}", path=run,
                hint=f"run this where the run was started; {_HINT}",
            ) from error  # fmt: skip

    @property
    def places(self) -> list[Path]:
        """The directories of all graphs and passes."""
        passes = [target.pass_dir for target in self.targets.values() if target.pass_dir is not None]
        return passes + [place for target in self.targets.values() for _, place, _ in target.graphs]

    def graph(self, record: GraphRecord) -> Graph:
        """The graph of a record."""
        for name, _, graph in self._target(record).graphs:
            if name == record.graph and graph.content_hash == record.graph_hash:
                return graph
        raise self._changed(f"the graph {record.graph}", record)

    def passes(self, record: GraphRecord) -> dict[str, str]:
        """The passes that a record judged, as one flat directory: name -> text. Empty where there were none."""
        if record.pass_set_hash is None:
            return {}
        target = self._target(record)
        authored = self.run / "tasks" / place_of(record.task) / _AUTHORED
        directory = authored if authored.is_dir() else target.pass_dir
        if directory is not None:
            found = read_pass_set(directory, target.const_pass_dir)
            if found.content_hash == record.pass_set_hash:
                return found.texts()
        raise self._changed("the passes", record)

    def _target(self, record: GraphRecord) -> Target:
        if record.task not in self.targets:
            raise UsageError(f"the task {record.task} is not where it was", path=self.run, hint=_HINT)
        return self.targets[record.task]

    def _changed(self, what: str, record: GraphRecord) -> UsageError:
        return UsageError(f"{what} of {record.task} changed since the run", path=self.run, hint=_HINT)
