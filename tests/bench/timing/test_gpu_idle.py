"""A GPU at rest before each block: what another tenant does is no finding, what the candidates left behind is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from passnet.bench.outcome.ownership import Verdict
from passnet.bench.timing import gpu_idle


@dataclass
class FakePair:
    """A pair of which only the candidate's end is of interest."""

    device: str = "cuda"
    ended: list[str] = field(default_factory=list)

    def end(self, role: str) -> None:
        self.ended.append(role)


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> FakePair:
    monkeypatch.setattr(gpu_idle.time, "sleep", lambda _: None)
    monkeypatch.setattr(gpu_idle, "at_rest_us", lambda device: 10.0)
    return FakePair()


def probes(monkeypatch: pytest.MonkeyPatch, *us: float) -> None:
    """What the probes show, one after the other; the last one for ever."""
    values: Iterator[float] = iter(us)
    last = us[-1]
    monkeypatch.setattr(gpu_idle, "_probe_us", lambda device: next(values, last))


def settle(pair: Any) -> None:
    gpu_idle.settle([pair])


def test_a_device_at_rest(pair: FakePair, monkeypatch: pytest.MonkeyPatch) -> None:
    probes(monkeypatch, 12.0)
    settle(pair)
    assert pair.ended == []


def test_what_ends_by_itself_is_waited_for(pair: FakePair, monkeypatch: pytest.MonkeyPatch) -> None:
    probes(monkeypatch, 3000.0, 2500.0, 11.0)
    settle(pair)
    assert pair.ended == []


def test_programs_that_another_lane_builds_are_waited_for(pair: FakePair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen on an H100 with two lanes: an honest pass was found guilty of 712 us."""
    probes(monkeypatch, *[712.0] * 50, 13.0)
    settle(pair)
    assert pair.ended == []


def test_another_tenants_load_is_no_finding(pair: FakePair, monkeypatch: pytest.MonkeyPatch) -> None:
    probes(monkeypatch, 3000.0)
    with pytest.raises(gpu_idle.Busy, match="somebody else"):
        settle(pair)
    assert pair.ended == ["candidate"]


def test_work_that_ends_with_the_candidate_is_one(pair: FakePair, monkeypatch: pytest.MonkeyPatch) -> None:
    probes(monkeypatch, *[3000.0] * 100, 10.0)
    with pytest.raises(Verdict) as caught:
        settle(pair)
    assert caught.value.findings[0].exploit == "background_work"
    assert "3000 us" in caught.value.detail
