"""The pre-flight tells each graph as it is done, and each reason once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from passnet.bench.preflight import check
from passnet.bench.preflight.check import CheckStep, judge_all
from passnet.bench.record.protocol import Protocol


def test_every_graph_is_told_when_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    told: list[tuple[int, int, str, int]] = []

    def judged(job: str) -> str:
        begun.append(job)
        return f"record of {job}"

    def tell(step: CheckStep) -> None:
        told.append((step.done, step.total, cast(str, step.record), len(begun)))

    monkeypatch.setattr(check, "Judge", lambda *_: SimpleNamespace(check=judged))
    found = judge_all([], Protocol(), cast(Any, ["a", "b"]), tell)
    assert found == ["record of a", "record of b"]
    # An endless graph would be told before the next one begins.
    assert told == [(1, 2, "record of a", 1), (2, 2, "record of b", 2)]


def test_a_reason_is_told_once() -> None:
    found = check._once([("a", "timeout: no answer"), ("b", "accuracy: off"), ("c", "timeout: no answer")])
    assert found == ["a (and 1 more): timeout: no answer", "b: accuracy: off"]


def test_a_check_has_limits() -> None:
    """Without them an endless kernel would never be told."""
    assert 0 < check.PROTOCOL.first_call_s <= 60 and 0 < check.PROTOCOL.build_s <= 120
