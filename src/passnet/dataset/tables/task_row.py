"""`TaskRow`: one task of a dataset, that is the graphs with one sequence of operators, by their uids.  No torch."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class TaskRow:
    """One task.  `uids` are its graphs in the order of its list.

    `rank` is the place in the choice of evaluation tasks (0: chosen first), None for the others. `total_graphs` counts
    all graphs of its operators, also those outside the task.  `path` and `published_uids` are those of an imported task
    directory.
    """

    task_id: str
    kind: str
    split: str | None
    op_names: tuple[str, ...]
    uids: tuple[str, ...]
    total_graphs: int
    rarity: float | None = None
    rank: int | None = None
    dtypes: tuple[str, ...] = ()
    structures: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    path: str | None = None
    published_uids: tuple[str, ...] = ()

    @property
    def num_ops(self) -> int:
        """Length of the sequence of operators."""
        return len(self.op_names)

    @property
    def num_graphs(self) -> int:
        """Number of graphs that the task holds."""
        return len(self.uids)

    @property
    def directory(self) -> str:
        """The task's place in the published layout, below the root of tasks."""
        group = f"{self.kind}_subgraphs" if self.kind != "subgraph" else "subgraphs"
        return self.path or f"{group}/{self.task_id[:2]}/{self.task_id[2:4]}/{self.task_id}"


def task_id_of(uids: Iterable[str]) -> str:
    """The published name of a task: sha256 over its sorted uids."""
    return hashlib.sha256("\n".join(sorted(uids)).encode()).hexdigest()
