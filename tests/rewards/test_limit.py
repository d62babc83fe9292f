"""The time that the passes of one reward may take: it ends as their timeout, and the next reward is judged as ever."""

from __future__ import annotations

import math
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from passnet.bench.isolation.allowance import CandidateTime
from passnet.bench.isolation.worker_pair import WorkerPair, allow
from passnet.bench.isolation.worker_process import Worker, WorkerDead
from passnet.bench.record.protocol import make
from passnet.bench.verdict.judge import Judge
from passnet.errors import UsageError
from passnet.graph.targets import find_targets
from passnet.rewards.definition import NoReward
from passnet.rewards.request import RewardJob
from passnet.rewards.session import RewardSession
from passnet.score import Outcome

TASK = Path(__file__).parents[2] / "data" / "tasks" / "bloom_gelu"
FILES = {file.name: file.read_text() for file in (TASK / "pass_dir").iterdir() if file.is_file()}


class Silent(Worker):
    """A worker without a process, which is asked and never answers."""

    def __init__(self, allowance: CandidateTime) -> None:
        self.alive, self.allowance, self._asked_at, self._watched_at = True, allowance, None, math.inf
        self.options = cast("Any", SimpleNamespace(role="candidate worker"))
        self.channel = cast("Any", SimpleNamespace(send=lambda *_: None, poll=lambda seconds=0.0: time.sleep(seconds)))

    def ended(self) -> bool:
        return False

    def close(self) -> None:
        self.alive = False
        self._count_time()


def test_all_candidates_of_a_pass_set_share_one_time() -> None:
    allowance = CandidateTime(0.3)
    request: Any = SimpleNamespace()
    first = Silent(allowance)
    first._asked_at = time.monotonic()
    time.sleep(0.2)
    first._count_time()
    assert 0.2 <= allowance.spent_s < 0.3
    second = Silent(allowance)
    second._asked_at = time.monotonic()
    with pytest.raises(WorkerDead, match=r"used up the 0.3 s that its pass set may take") as late:
        second.answer(request, 60.0)
    assert late.value.kind == "timeout"
    assert allowance.used_up and not second.alive
    with pytest.raises(WorkerDead, match="used up"):
        Silent(allowance).send(request)


def test_what_follows_is_not_judged_and_a_timeout() -> None:
    (target,) = find_targets([TASK])
    job = RewardJob.prepare("1", target, FILES, "cpu", make("direct")).jobs[0]
    pair = cast("WorkerPair", SimpleNamespace())
    allow([pair], 5.0)
    pair.allowance.spent_s = 5.0
    record = Judge([pair], make("direct"), 1).judge(job)
    assert record.outcome is Outcome.TIMEOUT
    assert record.detail == "not judged: graphs before it used up the 5 s that its pass set may take over all graphs"
    allow([pair], None)
    assert not pair.allowance.used_up


def test_each_unit_carries_the_limit_of_its_session() -> None:
    (target,) = find_targets([TASK])
    unit = RewardJob.prepare("1", target, FILES, "cpu", make("direct"), 7.0).unit
    assert unit is not None and unit.limit_s == 7.0


@pytest.mark.parametrize("limit", [0.0, -1.0, math.inf, math.nan])
def test_a_limit_is_a_positive_number(limit: float) -> None:
    with pytest.raises(UsageError, match="limit_s: is no limit; expected a positive number of seconds"):
        RewardSession("cpu", limit_s=limit)


@pytest.mark.slow
def test_slow_passes_are_a_timeout_and_the_session_goes_on() -> None:
    with RewardSession("cpu", graphs=2, limit_s=0.1) as session:
        late = session.reward(TASK, FILES)
        assert late.outcome is Outcome.TIMEOUT
        assert [graph.outcome for graph in late.graphs] == [Outcome.TIMEOUT] * 2
        assert "used up the 0.1 s" in str(late.graphs[0].detail)
        assert 0 < late.reward < 0.2
        session.limit_s = 600.0
        try:
            assert session.reward(TASK, FILES).outcome is not Outcome.TIMEOUT
        except NoReward as busy:
            pytest.skip(f"this machine is too busy to time: {busy}")
