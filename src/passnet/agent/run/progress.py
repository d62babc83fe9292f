"""The progress of a run. It is counted from the records of all its episodes, and told to those who watch."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from passnet.agent.record.budget import Used
from passnet.agent.record.records import End, EpisodeRecord, EpisodeStep, Message
from passnet.agent.run.play import Watcher
from passnet.agent.run.request import RunPlan
from passnet.agent.run.summary import sum_known


@dataclass(frozen=True)
class RunProgress:
    """The progress of a run after a record.

    `done` of `total` episodes are over. `best` is the episode's score so far. `cost_usd` and `tokens` are of all
    episodes in this session. None: some of it is not known.
    """

    done: int
    total: int
    task: str
    attempt: int
    record: EpisodeRecord
    best: float | None
    cost_usd: float | None
    tokens: int
    eta_s: float | None


@dataclass
class ProgressCounts:
    """Counts the events of a run for those who watch. The threads of all episodes call it.

    `steps`: those that an episode may take; 0 for any number.
    """

    total: int
    report: Callable[[RunProgress], None]
    jobs: int
    steps: int = 0
    done: int = 0
    played: int = 0
    used: dict[str, Used] = field(default_factory=dict)
    best: dict[str, float] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def watcher(self, plan: RunPlan, *, seed: bool = False) -> Watcher:
        """Start to watch an episode.

        `seed`: the episode only makes the passes with which another begins. It is not counted.
        """

        def watch(record: EpisodeRecord) -> None:
            with self.lock:
                self._count(plan, record, seed)
                self.report(
                    RunProgress(
                        self.done,
                        self.total,
                        plan.target.name,
                        plan.attempt,
                        record,
                        self.best.get(plan.name),
                        sum_known(used.cost_usd for used in self.used.values()),
                        sum(used.tokens for used in self.used.values()),
                        self._eta(),
                    )
                )

        return watch

    def _count(self, plan: RunPlan, record: EpisodeRecord, seed: bool) -> None:
        if isinstance(record, Message | EpisodeStep | End):
            self.used[str(plan.directory)] = record.used
        if seed:
            return
        if isinstance(record, EpisodeStep):
            self.taken[plan.name] = self.taken.get(plan.name, 0) + 1
        found = record.observation.evaluation if isinstance(record, EpisodeStep) else None
        if found is not None and found.best and found.score is not None:
            self.best[plan.name] = found.score
        if isinstance(record, End) and record.exit_reason.final:
            self.done += 1
            self.played += 1
            self.taken.pop(plan.name, None)
            if record.score is not None:
                self.best[plan.name] = record.score

    def _eta(self) -> float | None:
        """Seconds for the rest, at the rate of this session. None before the first step.

        An open episode counts by the share of its steps, as if it took all of them. So the first figures are high.
        """
        begun = sum(min(1.0, taken / self.steps) for taken in self.taken.values()) if self.steps else 0.0
        played = self.played + begun
        if not played:
            return None
        return (time.monotonic() - self.began) / played * (self.total - self.done - begun)
