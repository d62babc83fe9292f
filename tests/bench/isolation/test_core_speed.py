"""Whether a core is slow now, by what the same work takes when it is quiet."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.bench.isolation import core_speed
from passnet.bench.isolation.core_speed import CoreSpeed

QUIET = 3300.0


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_speed.time, "sleep", lambda seconds: None)


def test_a_neighbour_is_seen_on_the_core_where_he_is() -> None:
    slow: set[int | None] = set()
    speed = CoreSpeed(lambda core: QUIET * (1.5 if core in slow else 1.0))
    assert not speed.knows
    speed.learn([0, 1])
    assert speed.knows
    assert not speed.is_slow(0)
    slow.add(1)
    assert speed.is_slow(1)
    assert not speed.is_slow(0)


def test_where_the_first_look_is_in_doubt_the_second_decides() -> None:
    """Just after it was woken a core may be slower for a moment. A clock that was turned down stays slower."""
    looks = [QUIET] * 50
    speed = CoreSpeed(lambda core: looks.pop())
    speed.learn([None])
    for first, second, slow in ((1.25, 1.0, False), (1.25, 1.2, True), (1.25, 1.6, True)):
        looks[:] = [QUIET * second, QUIET * first]
        assert speed.is_slow(None) == slow
        assert not looks
    looks[:] = [QUIET, QUIET * 1.5]
    assert speed.is_slow(None), "one look is enough where it leaves no doubt"
    assert looks == [QUIET]


def test_what_is_quiet_is_learnt_on_any_of_the_cores() -> None:
    speed = CoreSpeed(lambda core: QUIET * (1.5 if core == 0 else 1.0))
    speed.learn([0, 1])
    assert speed.is_slow(0)
    assert speed.quiet_ns == QUIET


@given(st.lists(st.floats(1.0, 1e6), min_size=51, max_size=400), st.integers(60, 120))
@settings(max_examples=30, deadline=None)
def test_quiet_is_a_tenth_of_the_latest_looks(found: list[float], kept: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core_speed, "_KEPT", kept)
        seen: list[float] = []
        looks = iter(found)
        speed = CoreSpeed(lambda core: seen.append(next(looks)) or seen[-1])  # type: ignore[func-returns-value]
        speed.learn([None])
        while len(found) - len(seen) >= 2:
            speed.is_slow(None)
            latest = sorted(seen[-kept:])
            assert speed.quiet_ns == latest[int(0.1 * len(latest))]


def test_the_core_that_was_quick_is_looked_at_first() -> None:
    slow = {0, 1}
    speed = CoreSpeed(lambda core: QUIET * (1.5 if core in slow else 1.0))
    speed.learn([0, 1, 2])
    assert speed.by_latest([0, 1, 2]) == [2, 0, 1]
    slow.remove(1)
    assert not speed.is_slow(1)
    assert speed.by_latest([0, 1, 2]) == [1, 2, 0]


def test_a_machine_that_became_slower_for_good_is_quiet_again_some_time() -> None:
    """A clock that the system has turned down is no neighbour: nobody waits for ever."""
    now = [QUIET]
    speed = CoreSpeed(lambda core: now[0])
    speed.learn([None])
    now[0] = 1.4 * QUIET
    looks = 0
    while speed.is_slow(None):
        looks += 1
        assert looks < 2000
    assert looks > 50


@given(st.integers(0, 1000), st.floats(0.0, 0.8), st.floats(1.3, 2.5))
@settings(max_examples=30, deadline=None)
def test_neighbours_who_come_and_go_are_told_from_quiet(seed: int, share: float, factor: float) -> None:
    rng = random.Random(seed)
    busy = [False]

    def look(core: int | None) -> float:
        return QUIET * rng.uniform(1.0, 1.03) * (factor if busy[0] else 1.0)

    speed = CoreSpeed(look)
    speed.learn([None])
    for _ in range(300):
        busy[0] = rng.random() < share
        assert speed.is_slow(None) == busy[0]
