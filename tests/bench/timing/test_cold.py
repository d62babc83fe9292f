"""Cold figures: the worker sweeps its caches before every call, and what is far slower then was kept."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing import blocks, cold
from passnet.bench.timing.cold import Cold
from passnet.bench.verdict.judge import Judge
from passnet.bench.wire.shared_buffers import SharedBuffers
from passnet.score import Outcome
from tests.bench.bench_helpers import TIMING, affine_graph, buffers_for
from tests.bench.conftest import job_for


@dataclass
class FakePair:
    """Memory lent to nobody; says when a worker would have been woken."""

    log: list[Any]
    device: str = "cpu"
    trusted: bool = False
    lent: dict[tuple[str, str], SharedBuffers] = field(default_factory=dict)

    def timing_buffers(self, role: str) -> SharedBuffers:
        return self.lent[role, "timing"]

    @contextmanager
    def awake(self, role: str) -> Iterator[str]:
        self.log.append(("awake", role))
        yield role


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What happens, in order: workers woken, blocks run."""
    events: list[Any] = []
    monkeypatch.setattr(cold, "cpu_cache_bytes", lambda level: 1 << 20)

    def run(worker: str, buffers: SharedBuffers, given: Any, plan: blocks.BlockPlan, *_: Any) -> blocks.Block:
        events.append(("ran", plan))
        if plan.variant == "null":
            return blocks.Block(1.0, least_us=0.9)
        us = 11.0 if worker == "reference" else 6.0
        return blocks.Block(us, least_us=us)

    monkeypatch.setattr(cold.blocks, "run", run)
    return events


def cold_of(log: list[Any], **settings: Any) -> Cold:
    graph = affine_graph()
    pair = FakePair(log)
    for role in ("reference", "candidate"):
        pair.lent[role, "timing"] = buffers_for(graph, places=1, slots=1)
    given = SecretInputs.draw(graph, "cpu", 1, ["normal"])
    return Cold(pair, given, Protocol(**settings), random.Random(1))


def test_both_sides_are_swept(log: list[Any]) -> None:
    timing = cold_of(log, cold_blocks=2).measure(TIMING)
    assert (timing.cold_speedup, timing.cold_eager_us, timing.cold_compiled_us) == (2.0, 10.0, 5.0)
    assert [event[0] for event in log] == ["awake", "ran"] * 5
    assert [event[1] for event in log if event[0] == "awake"] == [*["reference", "candidate"] * 2, "reference"]
    assert [event[1].variant for event in log if event[0] == "ran"] == [*["direct"] * 4, "null"]
    assert {event[1].swept for event in log if event[0] == "ran"} == {2 << 20}


def test_calls_that_are_not_timed_sweep_nothing() -> None:
    plan = blocks.BlockPlan("direct", lead=2, timed=3, swept=1 << 20)
    assert [plan.swept_before(call) for call in range(plan.calls)] == [0, 0, *[1 << 20] * 3]


def test_none_are_measured_where_none_are_asked_for(log: list[Any]) -> None:
    assert cold_of(log, cold_blocks=0).measure(TIMING) is TIMING
    assert log == []


@pytest.mark.slow
def test_they_stand_in_the_record(judge: Judge, gelu_graph: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cold, "_UNSTEADY", float("inf"))  # tests run beside other work
    record = judge.judge(job_for(gelu_graph, None, "eager"))
    assert record.outcome is Outcome.CORRECT
    timing = record.timing
    assert timing is not None
    assert timing.cold_eager_us
    assert timing.cold_speedup == pytest.approx(timing.cold_eager_us / timing.cold_compiled_us)
    assert record.summary()["cold_speedup"] == timing.cold_speedup


@pytest.mark.parametrize(
    ("eager", "compiled", "cold_eager", "cold_least", "kept"),
    [
        (1000.0, 100.0, 1300.0, 400.0, False),  # a kernel that loses to the caches what eager loses
        (1000.0, 100.0, 1300.0, 1100.0, False),
        (1000.0, 100.0, 1300.0, 1350.0, True),  # what it saved was the repetition
        (20.0, 5.0, 25.0, 110.0, False),  # of so few microseconds nothing is certain
        (20.0, 5.0, 25.0, 150.0, True),
        (1800.0, 125.0, 2000.0, 1900.0, True),
        (100.0, 100.0, 80.0, 90.0, False),
    ],
)
def test_a_call_that_must_do_everything_again_may_not_cost_many_times_more(
    monkeypatch: pytest.MonkeyPatch, eager: float, compiled: float, cold_eager: float, cold_least: float, kept: bool
) -> None:
    """Other calls are slower still, as on a machine that does something else besides: that proves nothing."""
    figures = {
        "reference": blocks.Block(cold_eager + 1.0, least_us=1.0),
        "candidate": blocks.Block(1e6, least_us=cold_least + 1.0),
    }
    null = blocks.Block(1.0, least_us=1.0)

    def run(worker: str, buffers: SharedBuffers, given: Any, plan: blocks.BlockPlan, *_: Any) -> blocks.Block:
        return null if plan.variant == "null" else figures[worker]

    monkeypatch.setattr(cold.blocks, "run", run)
    timing = TIMING.model_copy(update={"eager_us": eager, "compiled_us": compiled})
    if not kept:
        assert cold_of([]).measure(timing) == timing
        return
    with pytest.raises(Verdict) as caught:
        cold_of([]).measure(timing)
    assert caught.value.findings[0].exploit == "kept_work"


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize(("eagers_least", "kept"), [(80.0, False), (35.0, True)])
def test_a_disturbed_null_block_accuses_nobody(
    monkeypatch: pytest.MonkeyPatch, trusted: bool, eagers_least: float, kept: bool
) -> None:
    """Null calls took longer than eager. Eager's quickest call still says what empty caches cost."""
    figures = {"reference": blocks.Block(90.0, least_us=eagers_least), "candidate": blocks.Block(200.0, least_us=165.0)}
    null = blocks.Block(500.0, least_us=1.0)

    def run(worker: str, buffers: SharedBuffers, given: Any, plan: blocks.BlockPlan, *_: Any) -> blocks.Block:
        return null if plan.variant == "null" else figures[worker]

    monkeypatch.setattr(cold.blocks, "run", run)
    measured = cold_of([])
    measured.pair.trusted = trusted
    timing = TIMING.model_copy(update={"eager_us": 34.0, "compiled_us": 17.0})
    if kept and not trusted:
        with pytest.raises(Verdict):
            measured.measure(timing)
    else:
        assert measured.measure(timing) == timing


@pytest.mark.parametrize("disturbed", ["reference", "candidate", "null"])
def test_a_figure_of_disturbed_calls_is_none(monkeypatch: pytest.MonkeyPatch, disturbed: str) -> None:
    """Of two calls a block the median is that of the other work. Beside it a cold speedup of 164 was shown."""
    figures = {"reference": (160.0, 150.0), "candidate": (100.0, 95.0), "null": (30.0, 28.0)}

    def run(worker: str, buffers: SharedBuffers, given: Any, plan: blocks.BlockPlan, *_: Any) -> blocks.Block:
        us, least_us = figures["null" if plan.variant == "null" else worker]
        return blocks.Block(us, least_us=least_us)

    monkeypatch.setattr(cold.blocks, "run", run)
    timing = TIMING.model_copy(update={"eager_us": 70.0, "compiled_us": 50.0})
    assert cold_of([]).measure(timing).cold_speedup == pytest.approx(130 / 70)
    figures[disturbed] = (16_000.0, figures[disturbed][1])
    assert cold_of([]).measure(timing) == timing


@pytest.mark.parametrize(("others", "figure"), [(90.0, 80.0), (15_000.0, 14_990.0)])
def test_a_figure_far_above_the_warm_one_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, others: float, figure: float
) -> None:
    """One block of two calls may be disturbed in both. Ten blocks that agree are a figure."""
    taken = iter([15_900.0])

    def run(worker: str, buffers: SharedBuffers, given: Any, plan: blocks.BlockPlan, *_: Any) -> blocks.Block:
        us = 10.0 if plan.variant == "null" else 80.0 if worker == "candidate" else next(taken, others)
        return blocks.Block(us, least_us=us)

    monkeypatch.setattr(cold.blocks, "run", run)
    timing = TIMING.model_copy(update={"eager_us": 70.0, "compiled_us": 50.0})
    assert cold_of([], cold_blocks=1).measure(timing).cold_eager_us == pytest.approx(figure)
