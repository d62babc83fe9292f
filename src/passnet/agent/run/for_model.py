"""An author's passes for one model of a user's: the model's own graph is the task.

DIRECTORY/HASH/task    the graph as a task with one variant. Another model or other shapes have another hash.
DIRECTORY/HASH/run     the author's run. The same command continues it where it was stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from passnet.agent.authors.registry import make_author
from passnet.agent.record.budget import Budget
from passnet.agent.run.progress import RunProgress
from passnet.agent.run.request import AgentRequest
from passnet.agent.run.session import run_agent
from passnet.bench.record.protocol import Protocol
from passnet.graph.task import GRAPH_LIST
from passnet.use.optimise.subject import ModelSubject
from passnet.writing import new_directory

_GRAPH, _TASK, _RUN = "model", "task", "run"


@dataclass(frozen=True)
class AuthorForModel:
    """The author, the directory, the protocol that judges its passes, and the most minutes it may use (0: no limit)."""

    author: str
    directory: Path
    protocol: Callable[[str], Protocol]
    minutes: float
    report: Callable[[RunProgress], None]

    def check(self) -> None:
        """Check the settings. Raises UsageError for an unknown author before anything else is done."""
        make_author(self.author)

    def passes(self, subject: ModelSubject) -> Path | None:
        """The directory of the best pass set for a captured model. None when the author found none.

        Raises UsageError for everything that `passnet agent` refuses.
        """
        home = self.directory / subject.graph.content_hash[:12]
        task = home / _TASK
        if not (task / GRAPH_LIST).exists():
            with new_directory(task) as made:
                subject.graph.write(made / _GRAPH)
                (made / GRAPH_LIST).write_text(f"{_GRAPH}\n", encoding="utf-8")
        steps = make_author(self.author).default_steps
        found = run_agent(
            AgentRequest(
                path=task,
                author=self.author,
                device=subject.device,
                protocol=self.protocol(subject.device),
                run_path=home / _RUN,
                budget=Budget(steps=steps, wall_s=60.0 * self.minutes),
            ),
            self.report,
        )
        (row,) = found["tasks"]
        return Path(row["passes"]) if row["passes"] is not None else None
