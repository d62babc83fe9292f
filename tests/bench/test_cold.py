"""Cold figures: every timed call reads a set that is out of the caches, and they stand beside the score, not in it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import torch

from passnet.bench import blocks, cold, sizing
from passnet.bench.arena import Arena, ArenaLayout
from passnet.bench.cold import Cold
from passnet.bench.judge import Judge
from passnet.bench.pool import InputPool
from passnet.bench.protocol import Protocol
from passnet.score import Outcome
from tests.bench.bench_helpers import affine_graph, shapes_of
from tests.bench.conftest import job_for


@dataclass
class FakeLane:
    """Lends real memory to nobody; says when a worker would have been woken."""

    log: list[Any]
    device: str = "cpu"
    arenas: dict[tuple[str, str], Arena] = field(default_factory=dict)

    def lend(self, role: str, name: str, layout: ArenaLayout) -> None:
        self.arenas[role, name] = Arena.create(layout)

    @contextmanager
    def awake(self, role: str) -> Iterator[str]:
        self.log.append(("awake", role))
        yield role


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What happens, in order: sets filled, memory run through, workers woken, blocks run."""
    events: list[Any] = []
    fill_all = InputPool.fill_all
    monkeypatch.setattr(
        InputPool, "fill_all", lambda pool, arena: (events.append(("filled", arena.layout.sets)), fill_all(pool, arena))
    )

    class Buffer(torch.Tensor):
        def add_(self, other: Any) -> Any:
            events.append(("evicted", self.numel()))
            return self

    zeros = torch.zeros
    monkeypatch.setattr(cold.torch, "zeros", lambda *args, **kwargs: zeros(*args, **kwargs).as_subclass(Buffer))
    monkeypatch.setattr(cold, "cpu_cache_bytes", lambda level: 1 << 20)

    def run(worker: str, arena: Arena, pool: Any, plan: blocks.BlockPlan, *_: Any) -> blocks.Block:
        events.append(("ran", plan, arena.layout))
        return blocks.Block(11.0 if worker == "reference" else 6.0)

    monkeypatch.setattr(cold.blocks, "run", run)
    return events


def cold_of(log: list[Any], **settings: Any) -> Cold:
    graph = affine_graph()
    inputs, outputs = shapes_of(graph)
    shape = sizing.GraphShape("cpu", inputs, outputs, False)
    pool = InputPool.draw(graph, "cpu", 1, ["normal"])
    return Cold(FakeLane(log), shape, pool, Protocol(**settings), random.Random(1), harness_us=1.0)


def test_sets_are_written_then_evicted_then_read_once(log: list[Any]) -> None:
    fields = cold_of(log, cold_blocks=2).measure()
    assert fields == {"cold_speedup": 2.0, "cold_eager_us": 10.0, "cold_compiled_us": 5.0}
    assert [event[0] for event in log] == ["filled", "evicted", "awake", "ran"] * 4
    assert [event[1] for event in log if event[0] == "awake"] == ["reference", "candidate"] * 2
    assert {event[1] for event in log if event[0] == "evicted"} == {2 << 20}
    for _, plan, layout in (event for event in log if event[0] == "ran"):
        order = plan.sequence(range(layout.sets))
        timed = order[plan.lead :]
        assert len(set(timed)) == len(timed) == plan.timed
        assert not set(timed) & set(order[: plan.lead])
        assert layout.slots >= plan.calls  # nor is any output slot written twice


def test_what_no_cache_holds_anyway_is_not_measured(log: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cold, "_HOST_BYTES", 1024)
    assert cold_of(log).measure() == {}
    assert cold_of(log, cold_blocks=0).measure() == {}
    assert log == []


def test_they_stand_in_the_record(judge: Judge, gelu_graph: Path) -> None:
    record = judge.judge(job_for(gelu_graph, None, "eager"))
    assert record.outcome is Outcome.CORRECT
    timing = record.timing
    assert timing is not None
    assert timing.cold_eager_us
    assert timing.cold_speedup == pytest.approx(timing.cold_eager_us / timing.cold_compiled_us)
    assert record.summary()["cold_speedup"] == timing.cold_speedup
