"""Where one graph is measured: what patience buys, and what is recorded."""

from __future__ import annotations

import pytest

from passnet.bench.timing import quiet_core
from passnet.bench.timing.quiet_core import QuietCore


def core(slow: list[bool], *, patience_s: float, found: list[float] | None = None) -> QuietCore:
    """`slow`: what each look after a block says. `found`: takes the patience with which quiet was looked for."""

    def find_quiet(patience: float) -> float:
        if found is not None:
            found.append(patience)
        return 1.0

    return QuietCore(patience_s, find_quiet, lambda: slow.pop(0))


def test_a_block_counts_where_the_core_stayed_quick() -> None:
    here = core([False, False], patience_s=5.0)
    for _ in range(2):
        here.quieten()
        assert here.counts()
    assert here.figures() == {"set_aside": 0, "on_slow_core": 0}


def test_who_has_just_looked_does_not_look_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet_core, "_JUST_S", 60.0)
    found: list[float] = []
    here = core([False, True, False], patience_s=9.0, found=found)
    here.quieten()
    assert here.counts()
    here.quieten()
    assert len(found) == 1
    assert not here.counts()
    here.quieten()
    assert len(found) == 2
    assert here.counts()
    assert here.figures() == {"set_aside": 1, "on_slow_core": 0}
    monkeypatch.setattr(quiet_core, "_JUST_S", 0.0)
    here.quieten()
    assert len(found) == 3, "that look is too long ago"


def test_when_patience_is_over_all_blocks_count_and_are_noted() -> None:
    found: list[float] = []
    here = core([True, True, True], patience_s=1.5, found=found)
    here.quieten()
    assert not here.counts()
    here.quieten()
    assert found == [1.5, pytest.approx(0.5, abs=0.1)]
    assert here.counts()
    here.quieten()
    assert len(found) == 2, "nobody waits any more"
    assert here.counts()
    assert here.figures() == {"set_aside": 1, "on_slow_core": 2}


def test_without_patience_nothing_is_set_aside() -> None:
    here = QuietCore()
    here.quieten()
    assert here.counts()
    assert here.figures() == {"set_aside": 0, "on_slow_core": 0}


def test_who_makes_the_core_slow_after_each_block_of_its_own_gains_nothing() -> None:
    """A candidate that could slow the core would choose which of its blocks count."""
    here = QuietCore(1e9, lambda _: 0.0, lambda: True)
    aside = 0
    for _ in range(200):
        here.quieten()
        aside += not here.counts(candidate=True)
    assert aside == 10
    here = QuietCore(1e9, lambda _: 0.0, lambda: True)
    fair = [not here.counts(candidate=number % 3 == 0) for number in range(300)]
    assert all(fair), "a neighbour slows all sides alike"
