"""An author's passes for one model of a user's: the model's own graph is the task.

DIRECTORY/HASH/task    the graph as a task with one variant. Another model or other shapes have another hash.
DIRECTORY/HASH/run     the author's run. The same command continues it where it was stopped. A run with another author
                       or other settings has a directory of its own; the time that it may use is none of these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from passnet.agent.authors.registry import make_author
from passnet.agent.env.state import BEST_DIR, PASS_DIR, UNSCORED_DIR
from passnet.agent.record.budget import Budget
from passnet.agent.run.progress import RunProgress
from passnet.agent.run.request import TASKS, AgentRequest
from passnet.agent.run.session import machine_of, run_agent
from passnet.bench.record.protocol import Protocol
from passnet.graph.task import GRAPH_LIST
from passnet.rewrite.passes.pass_set import OUTPUT_MANIFEST as MANIFEST
from passnet.use.optimise.journal import key_of
from passnet.use.optimise.subject import ModelSubject
from passnet.use.time_limit import TimeIsOver
from passnet.writing import new_directory

_GRAPH, _TASK, _RUN = "model", "task", "run"


@dataclass(frozen=True)
class AuthorForModel:
    """The author, the directory, and the protocol that judges its passes. `minutes`: of the whole command."""

    author: str
    directory: Path
    protocol: Callable[[str], Protocol]
    minutes: float
    report: Callable[[RunProgress], None]

    def check(self) -> None:
        """Check the settings. Raises UsageError for an unknown author before anything else is done."""
        make_author(self.author)

    def passes(self, subject: ModelSubject, limit_s: float | None) -> Path | None:
        """The directory of the best pass set for a captured model, or of the draft that it left after so many seconds.
        None when it wrote none.

        Raises UsageError for everything that `passnet agent` refuses.
        """
        home = self.directory / subject.graph.content_hash[:12]
        task, protocol = home / _TASK, self.protocol(subject.device)
        settings = {"author": self.author, "minutes": self.minutes, "protocol": protocol.model_dump()}
        run = home / f"{_RUN}-{key_of(settings | {'machine': machine_of(subject.device)})}"
        if not (task / GRAPH_LIST).exists():
            with new_directory(task) as made:
                subject.graph.write(made / _GRAPH)
                (made / GRAPH_LIST).write_text(f"{_GRAPH}\n", encoding="utf-8")
        steps = make_author(self.author).default_steps
        request = AgentRequest(
            path=task,
            author=self.author,
            device=subject.device,
            protocol=protocol,
            run_path=run,
            budget=Budget(steps=steps, wall_s=limit_s or 0.0),
            any_time=True,
            elsewhere="give another --out",
        )
        try:
            (row,) = run_agent(request, self.report)["tasks"]
        except TimeIsOver:  # in the middle of a judgement
            row = {"passes": None}
        # An author whose time was over has a draft. It is judged like every other set.
        names, episodes = (BEST_DIR, UNSCORED_DIR, PASS_DIR), run / TASKS / _TASK
        drafts = [path for name in names for path in sorted(episodes.glob(f"*/{name}"))]
        places = ([Path(row["passes"])] if row["passes"] is not None else []) + drafts
        return next((place for place in places if (place / MANIFEST).exists()), None)
