"""The request for a run of an author over tasks, and its result: tasks, episodes, their directories."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from passnet.agent.authors.base import Author
from passnet.agent.record.budget import Budget
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.run import OTHER_RUN, place_of, refuse_names
from passnet.errors import UsageError
from passnet.graph.targets import Target, find_targets

TASKS, SEED = "tasks", "seed"
# Episodes of one task. Each has a directory, and is in the plan of the run from its start.
MOST_ATTEMPTS = 1000


@dataclass(frozen=True)
class AgentRequest:
    """The request to `passnet agent`.

    `tasks` and `start_idx` choose so many of the path's tasks, from this one on. `graphs` limits the variants of each
    task. `seed_from` gives the passes at the start, see `names.STARTING_PASSES`. None: no passes. `confirm`: measure
    the best of several pass sets once more. `jobs` is the number of episodes at a time. `any_time`: a run goes on with
    another limit of time. `options` are the user's settings for models, see `authors.model.options`. `elsewhere`: how a
    user of this command names another directory.
    """

    path: Path
    author: str
    device: str
    protocol: Protocol
    run_path: Path
    budget: Budget
    attempts: int = 1
    tasks: int | None = None
    start_idx: int = 0
    seed_from: str | None = None
    graphs: int | None = None
    confirm: bool = True
    seed: int = 0
    jobs: int = 1
    any_time: bool = False
    options: Mapping[str, object] = field(default_factory=dict)
    elsewhere: str = OTHER_RUN

    def __post_init__(self) -> None:
        if self.attempts > MOST_ATTEMPTS:
            raise UsageError(
                "number too large", field="--attempts", expected=f"at most {MOST_ATTEMPTS}", found=self.attempts
            )

    def settings(self, author: Author, first_author: Author | None = None) -> dict[str, object]:
        """The settings that must be the same for a run to be resumed. `first_author` makes the passes at the start."""
        first = {"seed_settings": first_author.settings()} if first_author is not None else {}
        return {
            "kind": "agent",
            "paths": [str(self.path)],
            "device": self.device,
            "compiler": "passes",
            "graphs": self.graphs,
            **({"tasks": [self.start_idx, self.tasks]} if self.tasks or self.start_idx else {}),
            "protocol": self.protocol.model_dump(),
            "author": self.author,
            "author_settings": author.settings(),
            "budget": self.budget.model_dump(exclude={"wall_s"} if self.any_time else None),
            "attempts": self.attempts,
            "seed_from": self.seed_from,
            "confirm": self.confirm,
            "seed": self.seed,
            **first,
        }


@dataclass(frozen=True)
class RunPlan:
    """One future episode: the task as the user has it, the attempt, and the directory."""

    target: Target
    attempt: int
    directory: Path
    seed: int

    @property
    def name(self) -> str:
        return f"{self.target.name} #{self.attempt}"


def find_tasks(request: AgentRequest) -> list[Target]:
    """The tasks of a path, in order. Each has at least one graph. Raises UsageError for anything that is no task."""
    targets = find_targets([request.path])
    refuse_names([target.name for target in targets])
    bare = next((target for target in targets if target.pass_dir is None), None)
    if bare is not None:
        raise UsageError(
            f"{bare.name} is a graph, not a task",
            path=request.path,
            expected="a directory with graph_list.txt, a directory of such, or a list of them",
        )
    chosen = targets[request.start_idx :][: request.tasks]
    if not chosen:
        raise UsageError(
            "no task is left", path=request.path, field="--start-idx", expected=f"less than {len(targets)}",
            found=request.start_idx,
        )  # fmt: skip
    if request.graphs is not None:
        chosen = [replace(target, graphs=target.graphs[: request.graphs]) for target in chosen]
    return chosen


def plans(request: AgentRequest, targets: Sequence[Target]) -> list[RunPlan]:
    """All episodes. The attempts at a task come one after the other."""
    return [
        RunPlan(target, attempt, task_path(request, target) / f"attempt-{attempt}", _seed(request, target, attempt))
        for target in targets
        for attempt in range(request.attempts)
    ]


def task_path(request: AgentRequest, target: Target) -> Path:
    """The directory of a run for everything that belongs to a task."""
    return request.run_path / TASKS / place_of(target.name)


def _seed(request: AgentRequest, target: Target, attempt: int) -> int:
    text = f"{request.seed}/{target.name}/{attempt}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")
