"""What a dry run shows: the worker's report in the agreed form, and nothing of a graph whose report failed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.preflight import check_rewrite
from passnet.bench.record.protocol import Protocol
from passnet.bench.verdict.job import Job
from passnet.bench.wire.replies import RewriteDone, RuleWork
from passnet.bench.wire.requests import Rewrite

JOB = cast(Job, SimpleNamespace(name="g", path=Path("g"), device="cpu", passes=object()))
WORK = RuleWork(rule="r", tried=1, rejected_early=0, matched=1, refused=0, replaced=1, us=2.5)


def pair(*, fails: frozenset[bool] = frozenset()) -> WorkerPair:
    """A pair whose candidate fails where a request is as published (`raw`), or is not."""

    def ask(role: str, request: Rewrite, timeout_s: float) -> RewriteDone:
        if request.raw in fails:
            raise WorkerFailure("exception", "no")
        return RewriteDone(diff="+", rules=(WORK,), replacements={"r": 1 + request.raw})

    return cast(WorkerPair, SimpleNamespace(ask=ask, load=lambda passes: None, staged=str))


def test_a_report_is_shown_with_the_counts_as_published() -> None:
    (found,) = check_rewrite.shown(pair(), [JOB], Protocol())
    assert (found.stats, found.raw) == ((WORK,), {"r": 2})
    row: dict[str, Any] = {"graph": "g", "diff": "+", "stats": [WORK.model_dump()], "raw": {"r": 2}}
    assert found.to_json() == row


def test_what_failed_is_left_out() -> None:
    (found,) = check_rewrite.shown(pair(fails=frozenset({True})), [JOB], Protocol())
    assert found.raw is None
    assert check_rewrite.shown(pair(fails=frozenset({False})), [JOB], Protocol()) == []
