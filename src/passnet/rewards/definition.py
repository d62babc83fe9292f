"""What a reward is: AS of the task, from its records. Also for episodes, where the best pass set's AS is the reward."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from passnet.bench.evaluate import score_task
from passnet.bench.record.records import Finding, GraphRecord, GraphSummary, Interval, Timing
from passnet.errors import InfrastructureError
from passnet.score import Outcome

# As in an episode in which nothing could be measured.
NOTHING_MEASURED = 0.0


class NoReward(InfrastructureError):
    """The machine failed. There is no reward, which is not a reward of zero. Ask again."""


class Reward(BaseModel):
    """What a pass set earned on a task.

    `reward`: AS of the task; about 0.1 for passes that are wrong, cheat, hang or crash, and 0 for a pass set that
    cannot be read. `outcome`: `correct` if every graph is; else the worst of the graphs, where cheating is worst.
    `speedup`, `ci`: the geometric mean over the graphs that were timed, and its interval. None when none was timed.
    `seconds`: from the beginning of the work to its end, without waiting. `detail`: why it is not correct.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    reward: float
    outcome: Outcome
    speedup: float | None
    ci: Interval | None
    seconds: float
    findings: tuple[Finding, ...] = ()
    detail: str | None = None
    graphs: tuple[GraphSummary, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As the document of `POST /reward`."""
        return self.model_dump(mode="json", by_alias=True)


def reward_of(records: Sequence[GraphRecord], seconds: float) -> Reward:
    """The reward from the records of all graphs of a task. NoReward when none says anything of the candidate."""
    lost = next((record for record in records if record.outcome is Outcome.INFRASTRUCTURE), None)
    if lost is not None:
        raise NoReward(f"{lost.task}/{lost.graph}: {lost.detail}")
    score = score_task("", records).aggregated
    if score is None:
        first = records[0]
        raise NoReward(f"{first.task}/{first.graph}: {first.outcome}: {first.detail or 'the machine could not tell'}")
    worst = _worst(records)
    speedup, interval = _together([record.timing for record in records if record.timing is not None])
    return Reward(
        reward=score,
        outcome=worst.outcome,
        speedup=speedup,
        ci=interval,
        seconds=round(seconds, 3),
        findings=tuple(finding for record in records for finding in record.findings),
        detail=worst.detail,
        graphs=tuple(GraphSummary.of(record) for record in records),
    )


def unreadable(reason: str) -> Reward:
    """The reward of a pass set that cannot be read. Nothing was run."""
    return Reward(
        reward=NOTHING_MEASURED, outcome=Outcome.COMPILE_ERROR, speedup=None, ci=None, seconds=0.0, detail=reason
    )


def _worst(records: Sequence[GraphRecord]) -> GraphRecord:
    cheats = [record for record in records if record.outcome is Outcome.INTEGRITY]
    wrong = [record for record in records if record.outcome is not Outcome.CORRECT]
    return (cheats or wrong or list(records))[0]


def _together(timings: Sequence[Timing]) -> tuple[float | None, Interval | None]:
    """Geometric mean of the speedups. The graphs' intervals are independent, so their widths add in squares."""
    if not timings:
        return None, None
    if len(timings) == 1:
        return timings[0].speedup, timings[0].speedup_ci
    count = len(timings)
    centre = math.fsum(math.log(timing.speedup) for timing in timings) / count
    halves = [[abs(math.log(end) - math.log(timing.speedup)) for end in timing.speedup_ci] for timing in timings]
    below, above = (math.sqrt(math.fsum(half[side] ** 2 for half in halves)) / count for side in (0, 1))
    return math.exp(centre), (math.exp(centre - below), math.exp(centre + above))
