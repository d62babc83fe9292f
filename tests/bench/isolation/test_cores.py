"""The cores of a device: measuring is apart from preparing, and lanes prepare apart from each other."""

from __future__ import annotations

import os

import pytest

from passnet.bench.isolation import cores
from passnet.bench.isolation.cores import Cores


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Eight cores of one hardware thread each."""
    return of(monkeypatch, 8)


def of(monkeypatch: pytest.MonkeyPatch, count: int, *, threads: int = 1) -> pytest.MonkeyPatch:
    """A machine with so many cores for this process. Those that share hardware are `count / threads` apart."""
    apart = count // threads
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(count)))
    monkeypatch.setattr(cores, "_siblings", lambda core: set(range(core % apart, count, apart)))
    return monkeypatch


def test_one_core_is_not_parted(monkeypatch: pytest.MonkeyPatch) -> None:
    of(monkeypatch, 1)
    assert Cores.divide(1) == Cores((), (), ())


def test_with_two_cores_everything_prepares_on_both(monkeypatch: pytest.MonkeyPatch) -> None:
    of(monkeypatch, 2)
    assert Cores.divide(1) == Cores((0,), (1,), (0, 1))


def test_the_last_cores_measure_and_the_others_prepare(machine: pytest.MonkeyPatch) -> None:
    assert Cores.divide(1) == Cores((6,), (7,), (0, 1, 2, 3), (5, 4))
    assert Cores.divide(1).places == (7, 5, 4, 6)
    assert Cores.divide(1).all == tuple(range(8))
    assert Cores.divide(3) == Cores((4,), (5, 6, 7), (0, 1, 2, 3))


def test_as_many_threads_as_cores_are_not_parted(machine: pytest.MonkeyPatch) -> None:
    assert Cores.divide(8) == Cores((), (), ())


def test_nobody_prepares_on_the_other_thread_of_a_measuring_core(monkeypatch: pytest.MonkeyPatch) -> None:
    of(monkeypatch, 8, threads=2)
    assert Cores.divide(1) == Cores((6,), (7,), (0, 1, 4, 5))


def test_two_threads_of_one_core_are_better_than_none(monkeypatch: pytest.MonkeyPatch) -> None:
    of(monkeypatch, 2, threads=2)
    assert Cores.divide(1) == Cores((0,), (1,), (0, 1))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("lanes", [1, 2, 3, 4])
def test_lanes_measure_on_the_same_cores_and_prepare_on_their_own(
    monkeypatch: pytest.MonkeyPatch, lanes: int, threads: int
) -> None:
    of(monkeypatch, 16, threads=threads)
    parts = [Cores.divide(1, lane, lanes) for lane in range(lanes)]
    assert {part.places for part in parts} == {parts[0].places}
    measuring = set(parts[0].places)
    preparing = [core for part in parts for core in part.preparing]
    spare = len(parts[0].spare)
    assert spare == (6 if threads == 1 else 4)
    assert len(preparing) == len(set(preparing)) == 16 - (2 + spare) * threads
    assert not {sibling for core in measuring for sibling in cores._siblings(core)} & set(preparing)
    assert max(len(part.preparing) for part in parts) - min(len(part.preparing) for part in parts) <= 1


def test_every_core_is_among_its_siblings() -> None:
    assert all(core in cores._siblings(core) for core in os.sched_getaffinity(0))
