"""The time left of a run, from its episodes and the share of those that are open."""

from __future__ import annotations

import time

import pytest

from passnet.agent.run.progress import ProgressCounts


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: found[0])
    return found


def test_nothing_is_promised_before_the_first_step(now: list[float]) -> None:
    counts = ProgressCounts(4, lambda _: None, 1, steps=10, began=0.0)
    now[0] = 60.0
    assert counts._eta() is None


def test_an_open_episode_counts_by_its_steps(now: list[float]) -> None:
    counts = ProgressCounts(4, lambda _: None, 1, steps=10, began=0.0)
    counts.taken["one"] = 5
    now[0] = 60.0
    assert counts._eta() == pytest.approx(60 / 0.5 * 3.5)


def test_more_steps_than_allowed_are_one_episode(now: list[float]) -> None:
    counts = ProgressCounts(2, lambda _: None, 1, steps=10, began=0.0)
    counts.taken["one"] = 25
    now[0] = 60.0
    assert counts._eta() == pytest.approx(60.0)


def test_without_a_limit_only_whole_episodes_count(now: list[float]) -> None:
    counts = ProgressCounts(4, lambda _: None, 1, done=2, played=1, began=0.0)
    counts.taken["two"] = 5
    now[0] = 60.0
    assert counts._eta() == pytest.approx(120.0)
