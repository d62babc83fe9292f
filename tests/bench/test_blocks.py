"""Blocks of calls against real workers: all combinations end, outputs are those of the inputs, cheats fail."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from passnet.bench import blocks
from passnet.bench.arena import RING_SLOTS, Arena, ArenaLayout
from passnet.bench.blocks import BlockPlan
from passnet.bench.pool import InputPool
from passnet.bench.session import Worker, WorkerDead, WorkerFailure
from passnet.bench.verify import Criteria, compare
from passnet.bench.zygote import Zygote
from tests.bench.bench_helpers import LONG, SEED, affine_graph, arena_for, bits, lend, shapes_of, start_worker

CRITERIA = Criteria(4.0, 0.1)


@pytest.fixture(scope="module")
def graph_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graphs") / "affine"
    affine_graph().write(path)
    return path


def built_worker(zygote: Zygote, log: Path, graph_path: Path) -> Worker:
    worker = start_worker(zygote, log)
    order = {"do": "build", "graph": str(graph_path), "device": "cpu", "seed": SEED, "compiler": "eager"}
    worker.request(order, LONG)
    return worker


@pytest.fixture(scope="module")
def reference(zygote: Zygote, graph_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    with built_worker(zygote, tmp_path_factory.mktemp("log"), graph_path) as worker:
        yield worker


@pytest.fixture
def candidate(zygote: Zygote, graph_path: Path, tmp_path: Path) -> Iterator[Worker]:
    with built_worker(zygote, tmp_path, graph_path) as worker:
        yield worker


class Bench:
    """A worker with a filled arena, and eager in this process to compare with."""

    def __init__(self, worker: Worker, *, sets: int, slots: int, seed: int = 5) -> None:
        self.worker, self.graph = worker, affine_graph()
        self.pool = InputPool.draw(self.graph, "cpu", seed, ("normal", "large"))
        self.arena = arena_for(self.graph, sets=sets, slots=slots)
        lend(worker, self.arena)
        self.module, self.rng = self.graph.module("cpu"), random.Random(seed)
        self.fill()

    def fill(self) -> None:
        for index in range(self.arena.layout.sets):
            self.pool.fill(self.arena, index)

    def run(self, plan: BlockPlan, *, patched: bool = True, timeout_s: float = LONG) -> blocks.Block:
        self.fill()
        return blocks.run(self.worker, self.arena, self.pool if patched else None, plan, self.rng, timeout_s)

    def wrong(self, block: blocks.Block) -> list[int]:
        """Calls whose kept outputs are not those of eager on the reconstructed inputs, bit by bit."""
        found = []
        for call, outputs in block.kept.items():
            expected = self.module.forward(*self.pool.reconstruct(block.sets[call], call))
            if [bits(t) for t in outputs] != [bits(t) for t in expected]:
                found.append(call)
        return found


def checks_of(calls: int, lead: int) -> list[frozenset[int]]:
    """None, the first, the last, one in the middle, the last of the lead-in, and all of them."""
    picks = [frozenset(), frozenset({0}), frozenset({calls - 1}), frozenset({calls // 2}), frozenset(range(calls))]
    return [*dict.fromkeys([*picks, frozenset({max(lead - 1, 0)})])]


def run_all(reference: Worker, sets: int, slots: int, *, every_check: bool) -> None:
    bench = Bench(reference, sets=sets, slots=slots)
    turn = itertools.count()
    for lead, timed, window in itertools.product((0, 1, sets), (1, 2, 7, 40), (2, 3, 16)):
        checks = checks_of(lead + timed, lead)
        for checked in checks if every_check else [checks[next(turn) % len(checks)]]:
            plan = BlockPlan("direct", lead, timed, checked, window)
            block = bench.run(plan)
            assert set(block.kept) == set(block.sets) == checked, plan
            assert bench.wrong(block) == [], plan
            assert block.us_per_call > 0, plan
            assert math.isfinite(block.us_per_call), plan
            least, most = block.span_us
            assert least <= block.reply["span_us"] <= most, plan  # whoever was interrupted, and for how long
    bench.arena.close()


@pytest.mark.parametrize(("sets", "slots"), [(2, 2), (2, 4), (3, 3), (6, 2), (6, 4)])
def test_combinations_end_and_keep_what_eager_gives(reference: Worker, sets: int, slots: int) -> None:
    run_all(reference, sets, slots, every_check=False)


@pytest.mark.slow
@pytest.mark.parametrize("sets", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("slots", [1, 2, 3, 4])
def test_every_combination_ends_and_keeps_what_eager_gives(reference: Worker, sets: int, slots: int) -> None:
    run_all(reference, sets, slots, every_check=True)


def test_random_plans(reference: Worker) -> None:
    rng = random.Random(42)
    for _ in range(10):
        bench = Bench(reference, sets=rng.randint(1, 7), slots=rng.randint(1, 5), seed=rng.randrange(1 << 30))
        for _ in range(4):
            lead, timed = rng.randint(0, 9), rng.randint(1, 60)
            checked = frozenset(rng.sample(range(lead + timed), rng.randint(0, min(5, lead + timed))))
            plan = BlockPlan("direct", lead, timed, checked, rng.randint(1, 20))
            block = bench.run(plan)
            assert bench.wrong(block) == [], plan
            assert set(block.kept) == checked
        bench.arena.close()


def test_without_a_pool_every_set_is_read_as_it_lies(reference: Worker) -> None:
    bench = Bench(reference, sets=3, slots=2)
    before = [[t.clone() for t in group] for group in bench.arena.sets]
    blocks.run(reference, bench.arena, None, BlockPlan("direct", 1, 20), bench.rng, LONG)
    assert all(
        bits(a) == bits(b) for g, h in zip(before, bench.arena.sets, strict=True) for a, b in zip(g, h, strict=True)
    )
    bench.arena.close()


def test_the_longest_block_fits_the_ring(reference: Worker) -> None:
    bench = Bench(reference, sets=3, slots=2)
    plan = BlockPlan("direct", 3, blocks.MAX_CALLS - 3, frozenset({blocks.MAX_CALLS - 1}))
    assert plan.calls < RING_SLOTS
    assert bench.wrong(bench.run(plan)) == []
    bench.arena.close()


def test_null_delivers_and_empty_does_not(reference: Worker) -> None:
    bench = Bench(reference, sets=2, slots=2)
    for variant, window in itertools.product(("null", "empty"), (2, 310)):
        for slot in bench.arena.slots:
            for tensor in slot:
                tensor.fill_(7.0)
        block = blocks.run(reference, bench.arena, None, BlockPlan(variant, 10, 300, window=window), bench.rng, LONG)
        assert block.us_per_call > 0
        assert block.kept == {}
        assert all(bool((t == 7.0).all()) for slot in bench.arena.slots for t in slot)
    bench.arena.close()


def test_deployed_outputs_are_those_of_eager_too(reference: Worker) -> None:
    bench = Bench(reference, sets=3, slots=2)
    block = bench.run(BlockPlan("deployed", 3, 10, frozenset({4, 12})))
    assert bench.wrong(block) == []
    bench.arena.close()


def test_the_order_of_sets_differs_from_block_to_block(reference: Worker) -> None:
    bench = Bench(reference, sets=6, slots=4)
    orders = {tuple(bench.run(BlockPlan("direct", 0, 6, frozenset(range(6)))).sets.values()) for _ in range(12)}
    assert len(orders) > 6
    assert all(sorted(order) == list(range(6)) for order in orders)
    bench.arena.close()


# --- a worker that does not play along -----------------------------------------------------------------------------


def cheating(worker: Worker, name: str, *, sets: int = 3, slots: int = 2) -> Bench:
    worker.request({"do": "test_cheat", "name": name}, LONG)
    return Bench(worker, sets=sets, slots=slots)


PLAN = BlockPlan("direct", 3, 30, frozenset({20}), window=16)


@pytest.mark.parametrize("name", ["rewind", "overclaim", "backwards"])
def test_progress_that_cannot_be_is_a_broken_protocol(candidate: Worker, name: str) -> None:
    """Showing an old or a future call would restart the clock, or stop it before the work is done."""
    bench = cheating(candidate, name)
    with pytest.raises(WorkerDead) as caught:
        bench.run(PLAN, timeout_s=10.0)
    assert caught.value.kind == "protocol"
    bench.arena.close()


@pytest.mark.parametrize("name", ["hang", "flood_and_hang", "fail_and_flood"])
def test_a_block_that_does_not_end_is_ended(candidate: Worker, name: str) -> None:
    bench = cheating(candidate, name)
    with pytest.raises(WorkerDead) as caught:
        bench.run(PLAN, timeout_s=0.5)
    assert caught.value.kind in {"timeout", "protocol"}
    assert not candidate.alive
    bench.arena.close()


def test_a_crash_within_a_block_is_described(candidate: Worker) -> None:
    bench = cheating(candidate, "crash_midway")
    with pytest.raises(WorkerDead, match="signal 11") as caught:
        bench.run(PLAN, timeout_s=20.0)
    assert caught.value.kind == "crash"
    bench.arena.close()


def test_an_exception_within_a_block_is_an_answer_and_the_worker_goes_on(candidate: Worker) -> None:
    bench = cheating(candidate, "raise_midway")
    with pytest.raises(WorkerFailure, match="not today") as caught:
        bench.run(PLAN)
    assert not isinstance(caught.value, WorkerDead)
    assert candidate.request({"do": "test_ping"}, LONG)["pid"] == candidate.pid
    bench.arena.close()


def test_remembered_outputs_are_wrong_ones(candidate: Worker) -> None:
    """The author who caches by address gives what the set held before it was patched."""
    bench = cheating(candidate, "stale")
    found = 0
    for _ in range(5):
        block = bench.run(BlockPlan("direct", 3, 60, frozenset({62})))
        expected = list(bench.module.forward(*bench.pool.reconstruct(block.sets[62], 62)))
        found += not compare(block.kept[62], expected, [t.double() for t in expected], CRITERIA).strict
    assert found == 5
    bench.arena.close()


def test_work_done_before_the_clock_cannot_be_timed_work(candidate: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """No timed call may be published before the clock runs, whatever the worker holds back in the lead-in."""
    bench = cheating(candidate, "hoard", sets=6, slots=4)
    events: list[tuple[str, int]] = []
    publish = blocks._Driver._publish

    def watched(self: Any, done: int) -> None:
        publish(self, done)
        events.append((str(done), self.published))

    monkeypatch.setattr(blocks._Driver, "_publish", watched)
    plan = BlockPlan("direct", 6, 8, frozenset({13}), window=16)
    block = bench.run(plan)
    assert bench.wrong(block) == []
    assert all(published <= plan.lead for done, published in events if int(done) < plan.lead)
    bench.arena.close()


@pytest.mark.parametrize(
    ("layout", "kind"),
    [(lambda o: o[:1], "shape_mismatch"), (lambda o: [((3, 3), "float32"), o[1]], "shape_mismatch"),
     (lambda o: [(o[0][0], "float16"), o[1]], "dtype_mismatch")],
)  # fmt: skip
def test_outputs_of_another_kind_are_an_answer(candidate: Worker, layout: Any, kind: str) -> None:
    inputs, outputs = shapes_of(affine_graph())
    arena = Arena.create(ArenaLayout.plan("cpu", inputs, layout(outputs), sets=2, slots=2))
    lend(candidate, arena)
    with pytest.raises(WorkerFailure) as caught:
        blocks.run(candidate, arena, None, BlockPlan("direct", 0, 2), random.Random(1), LONG)
    assert caught.value.kind == kind
    assert candidate.request({"do": "test_ping"}, LONG)
    arena.close()


def test_a_checked_slot_is_poisoned_before_the_block(candidate: Worker) -> None:
    """A worker that delivers nothing at all leaves the poison, not the outputs of an earlier block."""
    bench = Bench(candidate, sets=2, slots=4)
    assert bench.wrong(bench.run(BlockPlan("direct", 0, 2, frozenset({0, 1})))) == []
    candidate.request({"do": "test_cheat", "name": "lazy"}, LONG)
    block = bench.run(BlockPlan("direct", 0, 2, frozenset({0, 1})))
    assert all(bool(torch.isnan(t).all()) for outputs in block.kept.values() for t in outputs)
    bench.arena.close()


@pytest.mark.parametrize(("sets", "lead", "timed"), [(12, 30, 8), (3, 9, 5), (40, 4, 36)])
def test_the_clocked_calls_read_sets_that_the_lead_in_left_alone(sets: int, lead: int, timed: int) -> None:
    order = list(range(sets))
    sequence = BlockPlan("direct", lead, timed, lead_sets=4).sequence(order)
    assert len(sequence) == lead + timed and set(sequence) <= set(order)
    if sets > 4:
        assert not set(sequence[:lead]) & set(sequence[lead:])
        assert len(set(sequence[lead:])) == min(timed, sets - 4)
