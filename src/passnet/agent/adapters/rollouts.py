"""Episodes for trainers: they are played call by call from outside, and only the bench gives the reward.

They are recorded like all other episodes.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType

from pydantic import BaseModel, ConfigDict, Field, field_validator

from passnet.agent.env.env import EpisodeOver, PassEnv
from passnet.agent.env.files import files_hash
from passnet.agent.record.budget import Budget
from passnet.agent.record.journal import Journal
from passnet.agent.record.names import DEFAULT_STEPS, ExitReason
from passnet.agent.record.records import Final
from passnet.agent.run.play import confirmed, export
from passnet.agent.workbench.live import LiveWorkbench
from passnet.agent.workbench.protocol import Workbench
from passnet.bench.isolation.allowance import REWARD_LIMIT_S
from passnet.bench.record.protocol import Protocol, make
from passnet.errors import InfrastructureError, UsageError
from passnet.graph.targets import Target, find_targets


class RolloutSettings(BaseModel):
    """How rollouts are played.

    `records` is the directory for their records. `graphs` limits the number of variants. `minutes` limits the wall time
    of one rollout. 0 means no limit. `limit_s`: seconds that the passes of one check or evaluation may take over all
    graphs; those that are not judged by then are timeouts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    device: str = "cpu"
    policy: str = "strict"
    threads: int = Field(1, ge=1)
    sandbox: bool = True
    graphs: int | None = Field(None, ge=1)
    steps: int = Field(DEFAULT_STEPS, ge=0)
    evaluations: int = Field(0, ge=0)
    minutes: float = Field(0.0, ge=0)
    limit_s: float = Field(REWARD_LIMIT_S, gt=0, allow_inf_nan=False)
    records: Path = Field(Path("runs/rollouts"), validate_default=True)

    @field_validator("records")
    @classmethod
    def _from_anywhere(cls, records: Path) -> Path:
        """Tool servers run in directories of their own."""
        return records.absolute()

    @property
    def budget(self) -> Budget:
        return Budget(steps=self.steps, evaluations=self.evaluations, wall_s=60.0 * self.minutes)

    @property
    def protocol(self) -> Protocol:
        return make("direct", device=self.device, policy=self.policy, threads=self.threads, sandbox=self.sandbox)


Opener = Callable[[str, Protocol, Path], AbstractContextManager[Workbench]]


def target_of(task: Path, graphs: int | None) -> Target:
    """The task of a directory, with its first variants. Raises UsageError for anything else."""
    found = find_targets([task])
    if len(found) != 1 or found[0].pass_dir is None:
        raise UsageError("not a task", path=task, expected="a directory with graph_list.txt")
    return replace(found[0], graphs=found[0].graphs[:graphs])


def task_paths(path: Path) -> dict[str, Path]:
    """The directory by name for every task of a path. The path is a task, a directory of tasks, or a list of them."""
    targets = find_targets([path])
    bare = next((target for target in targets if target.pass_dir is None), None)
    if bare is not None:
        raise UsageError(f"{bare.name} is a graph, not a task", path=path)
    return {target.name: target.pass_dir.parent.resolve() for target in targets if target.pass_dir is not None}


class Rollout:
    """One episode.

    A call never raises because of what a model did. The reward is only what the bench measured.
    """

    def __init__(self, bench: Workbench, directory: Path, task: Path, settings: RolloutSettings, author: str) -> None:
        directory.mkdir(parents=True)
        self._journal = Journal(directory)
        self._broken: InfrastructureError | None = None
        self._closed = False
        self._score: float | None = None
        self._again: tuple[str, Final] | None = None
        self._final: Final | None = None
        self.env = PassEnv(
            bench, directory, budget=settings.budget, sink=self._journal.append, author=author,
            author_settings=settings.model_dump(mode="json", exclude={"records"}), seed=secrets.randbits(48),
        )  # fmt: skip
        self.opening = self.env.reset(target_of(task, settings.graphs)).text

    def call(self, name: str, arguments: object) -> str:
        """Call a tool by name. Returns the text that a model reads.

        Raises InfrastructureError when the bench cannot go on.
        """
        try:
            text = self.env.call(name, arguments).text
        except EpisodeOver as over:
            text = str(over)
        except InfrastructureError as error:
            self._broken = error
            raise
        if self.env.done:
            self.close()
        return text

    @property
    def failure(self) -> str | None:
        """Why the rollout has no reward: the bench could not go on, or could not tell of any set. None where it has."""
        if self._broken is not None:
            return str(self._broken)
        unscored = self.env.state.unscored
        if self.env.best is None and unscored is not None and unscored.asked:
            return "the machine could not tell; evaluate it again"
        untold = self._final is not None and self._final.score is None
        return "the machine could not tell when the best pass set was measured once more" if untold else None

    @property
    def score(self) -> float:
        """What is paid for the rollout as far as it was settled or closed; 0 before that.

        It is AS of the best pass set. A set that was chosen among several has the AS of another measurement, whether it
        was submitted or not: the best of many figures is too high by chance.
        """
        return self._score or 0.0

    def reward(self) -> float:
        """The score. Raises InfrastructureError if the bench failed."""
        if self.failure is not None:
            raise InfrastructureError(f"the rollout has no reward: {self.failure}") from self._broken
        return self.score

    def settle(self) -> None:
        """Have the score be what is paid if nothing follows. For a caller whom nobody tells that a rollout has ended.

        A bench that fails at it is a `failure`.
        """
        if self._closed or self._broken is not None:
            return
        try:
            final = self._measured_again()
        except InfrastructureError as error:
            self._broken = error
            return
        self._final = final
        self._score = final.score if final is not None else self.env.reward()

    def _measured_again(self) -> Final | None:
        """The best pass set measured once more, once for each set, where it was chosen among several."""
        best = self.env.best
        key = files_hash(best.files) if best is not None else ""
        if self._again is None or self._again[0] != key:
            found = confirmed(self.env)
            if found is None:
                return None
            self._again = key, found
        return self._again[1]

    def close(self) -> None:
        """Measure the best pass set once more where it was chosen among several, and write the last record and the
        exports, once.
        """
        if self._closed:
            return
        self._closed = True
        final = None
        if self._broken is None:
            try:
                final = self._measured_again()
            except InfrastructureError as error:
                self._broken = error
        if self._broken is not None:
            self.env.state.leave_open(ExitReason.INFRASTRUCTURE, str(self._broken))
        else:
            self._final = final
            self._score = self.env.state.close(ExitReason.AUTHOR_STOPPED, None, final).score
        directory = self.env.state.directory
        export(directory, self.env.records, directory.parent.name)


class Rollouts:
    """Rollouts of one process on one bench. The first rollout opens the bench. Use it from one thread."""

    def __init__(self, settings: RolloutSettings, author: str, open_bench: Opener | None = None) -> None:
        self.settings, self._author = settings, author
        self._open_bench = open_bench or partial(LiveWorkbench, limit_s=settings.limit_s)
        # Each process has its own records, because several processes may serve one training run.
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}"
        self.directory = settings.records / name
        self._stack = ExitStack()
        self._bench: Workbench | None = None
        self._count = 0

    def begin(self, task: Path) -> Rollout:
        """A new episode on a task."""
        if self._bench is None:
            opened = self._open_bench(self.settings.device, self.settings.protocol, self.directory)
            self._bench = self._stack.enter_context(opened)
        self._count += 1
        directory = self.directory / f"rollout-{self._count:05d}"
        return Rollout(self._bench, directory, task, self.settings, self._author)

    def close(self) -> None:
        """Give the workers back."""
        self._stack.close()
        self._bench = None

    def __enter__(self) -> Rollouts:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, t: TracebackType | None) -> None:
        self.close()
