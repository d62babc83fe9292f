"""Blocks of calls against real workers: every call reads what its key says, outputs are those of it, cheats fail."""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch
from hypothesis import given as given_values
from hypothesis import strategies as st

from passnet.bench.compare.comparison import Criteria
from passnet.bench.compare.errors import compare
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.isolation.worker_process import Worker, WorkerDead, WorkerFailure
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.timing import blocks
from passnet.bench.timing.blocks import BlockPlan, typical
from passnet.bench.timing.observe import Observations, counted_us
from passnet.bench.wire import staying
from passnet.bench.wire.course import Course
from passnet.bench.wire.replies import OutputFacts
from passnet.bench.wire.shared_buffers import BufferLayout, SharedBuffers
from passnet.bench.wire.staying import Memory
from passnet.errors import InfrastructureError
from passnet.graph import Graph
from tests.bench.bench_helpers import LONG, affine_graph, asked, bits, buffers_for, built_worker, lend, shapes_of
from tests.graph.graph_helpers import graph_of, spec

CRITERIA = Criteria(4.0, 0.1)


@pytest.fixture(scope="module")
def graph_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graphs") / "affine"
    affine_graph().write(path)
    return path


@pytest.fixture(scope="module")
def reference(fork_server: ForkServer, graph_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    with built_worker(fork_server, tmp_path_factory.mktemp("log"), graph_path) as worker:
        yield worker


@pytest.fixture
def candidate(fork_server: ForkServer, graph_path: Path, tmp_path: Path) -> Iterator[Worker]:
    with built_worker(fork_server, tmp_path, graph_path) as worker:
        yield worker


class Bench:
    """A worker with an buffers, and eager in this process to compare with."""

    def __init__(
        self,
        worker: Worker,
        *,
        places: int = 3,
        slots: int = 2,
        seed: int = 5,
        graph: Graph | None = None,
        stays: bool = False,
    ) -> None:
        self.worker, self.graph = worker, graph or affine_graph()
        self.given = SecretInputs.draw(self.graph, "cpu", seed, ("normal", "large"))
        self.buffers = buffers_for(self.graph, places=places, slots=slots, given=self.given, stays=stays)
        lend(worker, self.buffers)
        self.module, self.rng = self.graph.module("cpu"), random.Random(seed)

    def run(self, plan: BlockPlan, *, timeout_s: float = LONG) -> blocks.Block:
        return blocks.run(self.worker, self.buffers, self.given, plan, self.rng, timeout_s)

    def expected(self, kept: blocks.KeptCall) -> list[torch.Tensor]:
        return list(self.module.forward(*self.given.values(kept.key)))

    def wrong(self, block: blocks.Block) -> list[int]:
        """Calls whose kept outputs are not those of eager on the inputs of their keys, bit by bit."""
        return [
            call
            for call, kept in block.kept.items()
            if [bits(t) for t in kept.outputs] != [bits(t) for t in self.expected(kept)]
        ]


@pytest.mark.parametrize("stays", [False, True])
@pytest.mark.parametrize(("places", "slots"), [(1, 1), (1, 3), (4, 1), (3, 2)])
@pytest.mark.parametrize(("lead", "timed"), [(0, 1), (2, 1), (1, 7), (3, 48)])
def test_blocks_end_and_keep_what_eager_gives(
    reference: Worker, places: int, slots: int, lead: int, timed: int, stays: bool
) -> None:
    bench, calls = Bench(reference, places=places, slots=slots, stays=stays), lead + timed
    for checked in (frozenset(), frozenset({0}), frozenset({calls - 1}), frozenset(range(calls))):
        block = bench.run(BlockPlan("direct", lead, timed, checked))
        assert set(block.kept) == checked
        assert bench.wrong(block) == []
        assert block.us_per_call > 0 and math.isfinite(block.us_per_call)
        assert block.draw_us > 0
        assert block.reply.calls == calls
        least, most = block.span_us
        assert least <= block.reply.span_us + 1.0 and block.reply.span_us <= most  # whoever was interrupted
    bench.buffers.close()


def test_no_two_calls_read_the_same(reference: Worker) -> None:
    bench = Bench(reference)
    seen = set()
    for _ in range(3):
        block = bench.run(BlockPlan("direct", 2, 30, frozenset(range(32)), inputs=True))
        for kept in block.kept.values():
            assert kept.inputs is not None
            assert [bits(t) for t in kept.inputs] == [bits(t) for t in bench.given.values(kept.key)]
            seen.add(bits(kept.inputs[0]))
    assert len(seen) == 96
    bench.buffers.close()


def test_a_call_can_get_an_earlier_key_again(reference: Worker) -> None:
    bench = Bench(reference)
    block = bench.run(BlockPlan("direct", 0, 9, frozenset({2, 7}), draw=1, again={7: 2}))
    assert block.kept[2].key == block.kept[7].key
    assert block.kept[2].key.draw == 1
    assert [bits(t) for t in block.kept[2].outputs] == [bits(t) for t in block.kept[7].outputs]
    bench.buffers.close()


def test_a_call_apart_does_not_count_and_neither_does_the_call_after_a_kept_one(
    reference: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int] = []
    monkeypatch.setattr(blocks, "typical", lambda times: counted.append(len(times)) or 1.0)
    bench = Bench(reference)
    for place in (2, 5, 9):
        block = bench.run(BlockPlan("direct", 2, 7, frozenset({3}), draw=0, apart={place: 1}))
        assert {call: kept.key.draw for call, kept in block.kept.items()} == {3: 0, place: 1}
        assert block.reply.calls == 10
        assert bench.wrong(block) == []
    assert counted == [5] * 4 + [6] * 2, "times of calls and of draws, without the calls after"
    bench.buffers.close()


def test_calls_after_a_kept_one_do_not_count() -> None:
    plan = BlockPlan("direct", 2, 30, frozenset({10}), apart={20: 1}, disturbed=3)
    assert plan.counted == set(range(2, 33)) - {11, 12, 13, 20, 21, 22, 23}
    assert BlockPlan("direct", 0, 4, frozenset({1})).counted == {0, 1, 3}


def test_calls_that_all_come_after_calls_apart_count_all_the_same() -> None:
    plan = BlockPlan("direct", 0, 3, frozenset({1, 5}), apart={0: 1, 2: 1, 4: 1})
    assert plan.counted == {1, 3, 5}


def test_of_many_kept_calls_chance_decides_which_stay(reference: Worker) -> None:
    """A controller that kept the last ones would tell a candidate which of its calls are not compared."""
    bench, stayed = Bench(reference), []
    for _ in range(60):
        block = bench.run(BlockPlan("direct", 0, 8, frozenset({1, 3, 4, 6}), most_kept=2, apart={7: 1}))
        assert len(block.kept) == 3
        assert 7 in block.kept
        assert bench.wrong(block) == []
        stayed += [call for call in block.kept if call != 7]
    assert all(stayed.count(call) > 12 for call in (1, 3, 4, 6))
    bench.buffers.close()


def test_null_delivers_and_empty_does_not(reference: Worker) -> None:
    bench = Bench(reference)
    for variant in ("null", "empty"):
        block = bench.run(BlockPlan(variant, 2, 30))
        assert block.us_per_call > 0
        assert block.kept == {}
    bench.buffers.close()


def test_deployed_outputs_are_those_of_eager_too(reference: Worker) -> None:
    bench = Bench(reference)
    assert bench.wrong(bench.run(BlockPlan("deployed", 3, 10, frozenset({4, 12})))) == []
    bench.buffers.close()


def test_sweeping_leaves_inputs_and_outputs_as_they_are(reference: Worker) -> None:
    bench = Bench(reference)
    block = bench.run(BlockPlan("direct", 1, 4, frozenset(range(5)), swept=1 << 20))
    assert bench.wrong(block) == []
    bench.buffers.close()


def test_an_input_that_eager_changes_is_drawn_anew(fork_server: ForkServer, tmp_path: Path) -> None:
    graph = graph_of([spec("x", 4, 6), spec("y", 4, 6)], "x += y", "z = x", "return (z,)")
    graph.write(tmp_path / "in_place")
    with built_worker(fork_server, tmp_path, tmp_path / "in_place") as worker:
        bench = Bench(worker, places=1, graph=graph)
        block = bench.run(BlockPlan("direct", 1, 20, frozenset(range(21)), inputs=True))
        for kept in block.kept.values():
            x, y = (t.clone() for t in bench.given.values(kept.key))
            assert kept.inputs is not None
            assert bits(kept.inputs[0]) == bits(kept.outputs[0]) == bits(x + y)
            assert bits(kept.inputs[1]) == bits(y)
        bench.buffers.close()


@given_values(st.lists(st.integers(1, 10**9), min_size=1, max_size=60))
def test_what_a_block_took_is_between_its_calls_and_spares_an_eighth(times: list[int]) -> None:
    figure = typical(times)
    assert min(times) <= figure * 1e3 * (1 + 1e-9) and figure * 1e3 <= max(times) * (1 + 1e-9)
    spared = len(times) // 8
    slow = sorted(times)[: len(times) - spared] + [10**12] * spared
    assert typical(slow) == pytest.approx(figure)
    assert typical([*times, *[max(times) * 8] * len(times)]) > figure, "work cannot be put into half of the calls"


# --- a worker that does not play along -----------------------------------------------------------------------------


def cheating(worker: Worker, name: str) -> Bench:
    asked(worker, "cheat", LONG, name=name)
    return Bench(worker)


PLAN = BlockPlan("direct", 3, 30, frozenset({20}))


@pytest.mark.parametrize("name", ["claims_early", "claims_another"])
def test_a_claim_that_was_not_asked_for_is_a_broken_protocol(candidate: Worker, name: str) -> None:
    """Showing a call done that was not to be made yet would stop the clock before it started."""
    bench = cheating(candidate, name)
    with pytest.raises(WorkerDead) as caught:
        bench.run(PLAN, timeout_s=10.0)
    assert caught.value.kind == "protocol"
    bench.buffers.close()


@pytest.mark.parametrize("name", ["hang", "flood_and_hang", "fail_and_flood"])
def test_a_block_that_does_not_end_is_ended(candidate: Worker, name: str) -> None:
    bench = cheating(candidate, name)
    with pytest.raises(WorkerDead) as caught:
        bench.run(PLAN, timeout_s=0.5)
    assert caught.value.kind in {"timeout", "protocol"}
    assert not candidate.alive
    bench.buffers.close()


@pytest.mark.parametrize(
    ("passed", "awaits", "drawer", "late"),
    [
        (9.0, 8.0, 8.5, None),
        (11.0, 0.5, 1.5, None),
        (11.0, 0.01, 0.5, WorkerDead),
        (11.0, 0.0, 0.5, WorkerDead),
        (70.0, 59.0, 65.0, None),
        (70.0, 61.0, 65.0, InfrastructureError),
        (70.0, 0.0, 65.0, None),
    ],
    ids=[
        "in_time", "with_the_draws", "slept_until_a_draw", "slept", "slow_draw", "lost_drawer", "slow_draws",
    ],
)  # fmt: skip
def test_who_is_late_when_the_limit_has_passed(
    passed: float, awaits: float, drawer: float, late: type[Exception] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that sleeps until the limit has passed during a draw is late itself. What draws took is not its own."""
    worker = SimpleNamespace(
        ended=lambda: False, watch=lambda usage: None, overdue=lambda limit_s: WorkerDead("timeout", f"{limit_s}")
    )
    driver = object.__new__(blocks._Driver)
    driver.worker, driver.buffers = cast(Any, worker), cast(Any, SimpleNamespace(control=[0] * 64))
    driver.course = cast(Any, SimpleNamespace(awaits_drawer_s=awaits, drawer_s=drawer))
    driver.began, driver.limit_s = 100.0, 10.0
    monkeypatch.setattr(blocks.time, "monotonic", lambda: 100.0 + passed)
    with pytest.raises(late) if late else contextlib.nullcontext():
        driver._watch()


def test_a_crash_within_a_block_is_described(candidate: Worker) -> None:
    bench = cheating(candidate, "crash_midway")
    with pytest.raises(WorkerDead, match="signal 11") as caught:
        bench.run(PLAN, timeout_s=20.0)
    assert caught.value.kind == "crash"
    bench.buffers.close()


def test_an_exception_within_a_block_is_an_answer_and_the_worker_goes_on(candidate: Worker) -> None:
    bench = cheating(candidate, "raise_midway")
    with pytest.raises(WorkerFailure, match="not today") as caught:
        bench.run(PLAN)
    assert not isinstance(caught.value, WorkerDead)
    assert asked(candidate, "ping", LONG)["pid"] == candidate.pid
    bench.buffers.close()


def test_remembered_outputs_are_wrong_ones(candidate: Worker) -> None:
    """The author who caches by address gives what an earlier call read there."""
    bench = cheating(candidate, "stale")
    for _ in range(5):
        block = bench.run(BlockPlan("direct", 3, 30, frozenset({31})))
        expected = bench.expected(block.kept[31])
        assert not compare(block.kept[31].outputs, expected, [t.double() for t in expected], CRITERIA).strict
    bench.buffers.close()


def drawn(*draw_us: float, call_us: float = 100.0) -> list[blocks.Block]:
    return [blocks.Block(call_us, draw_us=us) for us in draw_us]


def awaited(*wait_us: float, holding: float = 0.5) -> list[blocks.Block]:
    """The drawer takes its time, and another one each time. `holding`: this share of a wait comes after its work."""
    return [
        blocks.Block(100.0, draw_us=us + 1000.0 / (1 + at), wait_us=us, holding_us=holding * us)
        for at, us in enumerate(wait_us)
    ]


@pytest.mark.parametrize(
    ("eager", "candidate", "late"),
    [
        ((50.0, 60.0), (55.0, 58.0), 0.0),
        ((50.0, 60.0), (60.0, 64.0), 0.0),
        ((50.0, 60.0), (300.0, 400.0), 2 * (350.0 - 1.05 * 60.0 - 1.0)),
        ((50.0, 60.0), (55.0, 400.0), 400.0 - 1.05 * 60.0 - 1.0),  # late in one block of two
        ((50.0, 900.0), (300.0, 400.0), 0.0),  # eager was disturbed: nothing is certain
    ],
)
def test_what_drawing_takes_a_worker_beyond_eager_counts_twice(
    eager: tuple[float, ...], candidate: tuple[float, ...], late: float
) -> None:
    """Whatever the control takes."""
    assert counted_us(drawn(*eager), drawn(900.0, 900.0), drawn(*candidate)) == pytest.approx(late)


@pytest.mark.parametrize(
    ("candidate", "late"), [((4.0, 6.0), 0.0), ((5.5, 5.7), 0.6), ((5.0, 25.0), 10.0), ((2.0, 3.0), 0.0)]
)
def test_nothing_between_calls_is_free_where_a_drawer_draws(candidate: tuple[float, ...], late: float) -> None:
    """Whatever the drawer itself takes."""
    assert counted_us(awaited(4.0, 4.5), awaited(5.0, 4.8), awaited(*candidate)) == pytest.approx(late)


def test_who_is_quick_before_the_inputs_are_there_gains_no_time_with_them() -> None:
    eager = awaited(4.0, 4.0), awaited(4.0, 4.0)
    assert counted_us(*eager, awaited(4.0, 4.0, holding=0.9)) == pytest.approx(0.4 * 4.0)
    assert counted_us(*eager, awaited(4.5, 4.5, holding=0.1)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("draw", "candidate", "call", "found"),
    [(50.0, 900.0, 10.0, True), (50.0, 900.0, 2000.0, False), (700.0, 1400.0, 10.0, False), (5.0, 20.0, 1.0, False)],
    ids=["its work", "less than its calls", "what caches cost", "few microseconds"],
)
def test_only_much_more_is_a_finding(draw: float, candidate: float, call: float, found: bool) -> None:
    watch = Observations()
    for _ in range(5):
        watch.group(drawn(draw, draw), [], drawn(candidate, candidate, call_us=call))
    if not found:
        watch.decide()
        return
    with pytest.raises(Verdict) as caught:
        watch.decide()
    assert caught.value.findings[0].exploit == "outside_clock"


def test_work_that_is_moved_out_of_some_calls_is_in_what_their_waiting_adds() -> None:
    """Half of the calls are made ahead, while they are waited for. Undisturbed calls are short, and so are waits."""
    calls, waits = [100, 10] * 8, [5, 95] * 8
    assert blocks._added(calls, waits, drawn=True) == pytest.approx(0.095)
    assert blocks._added([100] * 16, [5, 5, 5, 9000] * 4, drawn=True) == pytest.approx(0.005), "others had the core"
    assert blocks._added(calls, waits, drawn=False) is None


def test_who_is_late_by_chance_is_not_accused() -> None:
    """Somebody else had the core in every second group. The time counts, and that is all."""
    watch = Observations()
    for at in range(8):
        watch.group(drawn(50.0, 50.0), [], drawn(*(900.0 if at % 2 else 52.0,) * 2, call_us=10.0))
    watch.decide()


@pytest.mark.slow
def test_work_before_the_clock_is_seen_in_what_drawing_takes(
    fork_server: ForkServer, reference: Worker, tmp_path: Path
) -> None:
    """A worker whose loop a pass has replaced may compute before it says that the inputs are drawn; its outputs are
    right and its calls short. Eager draws the same inputs in less time, and the difference counts."""
    graph = graph_of([spec("x", 768, 768)], "y = x @ x", "z = y @ x", "return (z,)")
    graph.write(tmp_path / "slow")
    with (
        built_worker(fork_server, tmp_path, tmp_path / "slow") as honest,
        built_worker(fork_server, tmp_path, tmp_path / "slow") as cheat,
    ):
        asked(cheat, "cheat", LONG, name="ahead")
        ours, theirs = Bench(honest, graph=graph), Bench(cheat, graph=graph)
        watch = Observations()
        for _ in range(5):
            plan = BlockPlan("direct", 1, 4, frozenset({3}))
            eager, ahead = ([bench.run(plan) for _ in range(2)] for bench in (ours, theirs))
            assert all(theirs.wrong(block) == [] for block in ahead)
            watch.group(eager, [], ahead)
        with pytest.raises(Verdict, match="longer than eager") as caught:
            watch.decide()
        assert caught.value.findings[0].exploit == "outside_clock"
        ours.buffers.close()
        theirs.buffers.close()


@pytest.mark.parametrize(
    ("layout", "kind"),
    [(lambda o: o[:1], "shape_mismatch"), (lambda o: [((3, 3), "float32"), o[1]], "shape_mismatch"),
     (lambda o: [(o[0][0], "float16"), o[1]], "dtype_mismatch")],
)  # fmt: skip
def test_outputs_of_another_kind_are_an_answer(candidate: Worker, layout: Any, kind: str) -> None:
    inputs, outputs = shapes_of(affine_graph())
    given = SecretInputs.draw(affine_graph(), "cpu", 1, ["normal"])
    buffers = SharedBuffers.create(
        BufferLayout.plan("cpu", inputs, layout(outputs), places=2, slots=2, draws=given.layout())
    )
    given.write(buffers)
    lend(candidate, buffers)
    with pytest.raises(WorkerFailure) as caught:
        blocks.run(candidate, buffers, given, BlockPlan("direct", 0, 2), random.Random(1), LONG)
    assert caught.value.kind == kind
    assert asked(candidate, "ping", LONG)
    buffers.close()


def test_a_call_that_is_kept_cannot_be_finished_later(candidate: Worker) -> None:
    """A worker that finishes a call only where nobody orders the next one at once: then this one is kept.

    It is stopped before it knows. Where the controller itself is held up it has luck, or is seen. On a busy machine
    that may be so for seconds, so there are four rounds.
    """
    bench = Bench(candidate)
    asked(candidate, "cheat", LONG, name="finishes_late")
    plan = BlockPlan("direct", 0, 20, frozenset({17}))
    lucky = []
    for _ in range(4):
        found: list[object] = []
        while len(found) < 30 and "late_output" not in found:
            try:
                found.append(bench.wrong(bench.run(plan)))
            except WorkerDead as error:
                found.append(error.kind)
        assert all(each in ([], [17], "late_output") for each in found)
        lucky.append(0 if "late_output" in found else found.count([]))  # who is seen has ended
        if lucky[-1] < 10:
            break
    assert min(lucky) < 10
    bench.buffers.close()


@pytest.fixture
def awake(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are not stopped at the end of a kept call, as if a part of them could go on."""
    go_on = Course.go_on
    monkeypatch.setattr(Course, "go_on", lambda self, end, slice_s, stops=0: go_on(self, end, slice_s))
    monkeypatch.setattr(Worker, "held", lambda self: contextlib.nullcontext())


def test_outputs_must_be_there_when_a_call_is_shown_done(candidate: Worker, awake: None) -> None:
    """It may be so late that the outputs are kept without what it was to add."""
    bench = Bench(candidate)
    asked(candidate, "cheat", LONG, name="finishes_late")
    plan = BlockPlan("direct", 0, 20, frozenset({17}))
    with pytest.raises(WorkerDead, match="after it had shown a call done") as caught:
        assert all(bench.run(plan).kept for _ in range(100))
    assert caught.value.kind == "late_output"
    bench.buffers.close()


def test_who_finishes_a_call_late_and_takes_it_back_is_found(
    reference: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept counts, and not what lies in memory when it is looked at."""
    bench = Bench(reference)
    keep = blocks.copied_whole

    def finished_meanwhile(tensor: torch.Tensor) -> torch.Tensor:
        before = tensor.clone()
        tensor.zero_()
        made = keep(tensor)
        tensor.copy_(before)
        return made

    monkeypatch.setattr(blocks, "copied_whole", finished_meanwhile)
    with pytest.raises(WorkerDead, match="after it had shown a call done"):
        bench.run(BlockPlan("direct", 0, 4, frozenset({2})))
    bench.buffers.close()


def test_nothing_can_be_kept_on_the_control_page(candidate: Worker) -> None:
    bench = Bench(candidate)
    asked(candidate, "cheat", LONG, name="scribbles")
    with pytest.raises(WorkerDead, match="where nobody does") as caught:
        bench.run(BlockPlan("direct", 0, 3))
    assert caught.value.kind == "guard_changed"
    bench.buffers.close()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("shows_nothing", "showed what is not there"),
        ("changes_what_it_showed", "after it had shown a call done"),
    ],
)
def test_outputs_that_stay_must_be_there_and_stay_as_they_are(
    candidate: Worker, awake: None, name: str, message: str
) -> None:
    bench = Bench(candidate, stays=True)
    asked(candidate, "cheat", LONG, name=name)
    with pytest.raises(WorkerDead, match=message):
        assert all(bench.run(PLAN).kept for _ in range(100))
    bench.buffers.close()


@pytest.mark.parametrize(
    ("name", "kind", "message", "facts"),
    [
        ("shows_overlapping_rows", "lazy_output", "output 0 in 9 places; eager's lies in 24", OutputFacts((), (9, 4))),
        ("shows_one_output_twice", "output_alias", "outputs 0 and 1 in the same memory", OutputFacts((), (), (0, 0))),
    ],
)
def test_outputs_that_stay_lie_apart_where_eager_s_do(
    candidate: Worker, name: str, kind: str, message: str, facts: OutputFacts
) -> None:
    """Without facts nothing is allowed. With `facts`, eager's lie as those that are shown."""
    bench = Bench(candidate, stays=True)
    plan = BlockPlan("direct", 1, 6, frozenset(range(7)), own=True)
    assert bench.wrong(bench.run(plan)) == []
    asked(candidate, "cheat", LONG, name=name)
    assert len(bench.run(replace(plan, facts=facts)).kept) == 7
    with pytest.raises(WorkerDead, match=message) as caught:
        bench.run(plan)
    assert caught.value.kind == kind
    bench.buffers.close()


@pytest.mark.parametrize("own", [False, True])
def test_rows_that_lie_nowhere_are_not_read(candidate: Worker, own: bool) -> None:
    bench = Bench(candidate, stays=True)
    asked(candidate, "cheat", LONG, name="shows_a_step_that_leads_nowhere")
    with pytest.raises(WorkerDead, match="output 0 beyond all memory") as caught:
        bench.run(BlockPlan("direct", 1, 6, frozenset({3}), own=own))
    assert caught.value.kind == "lazy_output"
    bench.buffers.close()


def test_outputs_that_stay_lie_in_memory_of_one_address(candidate: Worker) -> None:
    bench = Bench(candidate, stays=True)
    plan = BlockPlan("direct", 1, 6, frozenset(range(7)), own=True)
    asked(candidate, "cheat", LONG, name="shows_shared_memory")
    assert len(bench.run(replace(plan, own=False)).kept) == 7
    with pytest.raises(WorkerDead, match="output 0 in memory that is shared") as caught:
        bench.run(plan)
    assert caught.value.kind == "lazy_output"
    bench.buffers.close()


def test_pages_tell_what_was_moved_before_anybody_asked(candidate: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(candidate, stays=True)
    plan = BlockPlan("direct", 1, 6, frozenset(range(7)), own=True)
    monkeypatch.setattr(staying, "lies_in", lambda *_: frozenset({Memory.OWN}))
    assert len(bench.run(plan).kept) == 7
    asked(candidate, "cheat", LONG, name="shows_shared_memory")
    assert len(bench.run(replace(plan, facts=OutputFacts(shared=(0,)))).kept) == 7
    with pytest.raises(WorkerDead, match="output 0 in memory that is shared"):
        bench.run(plan)
    bench.buffers.close()


def test_outputs_that_stay_may_lie_as_they_like(fork_server: ForkServer, tmp_path: Path) -> None:
    graph = graph_of(
        [spec("x", 6, 40, 8), spec("y", 6, 40, 8)],
        "a = x + y",
        "last = a[:, -1]",
        "b = a.permute(2, 0, 1)",
        "c = a[:, ::3]",
        "s = x.sum(1)",
        "n = s[:, :1]",
        "d = n.expand(6, 8)",
        "e = a.sum()",
        "f = a > 0.0",
        "return (last, b, c, d, e, f, x)",
    )
    graph.write(tmp_path / "strided")
    with built_worker(fork_server, tmp_path, tmp_path / "strided") as worker:
        bench = Bench(worker, graph=graph, stays=True)
        block = bench.run(BlockPlan("direct", 1, 6, frozenset(range(7)), inputs=True))
        assert len(block.kept) == 7
        assert bench.wrong(block) == []
        bench.buffers.close()


def test_slots_are_poisoned_before_the_block(candidate: Worker) -> None:
    """A worker that delivers nothing at all leaves the poison, not the outputs of an earlier block."""
    bench = Bench(candidate, places=2, slots=4)
    assert bench.wrong(bench.run(BlockPlan("direct", 0, 2, frozenset({0, 1})))) == []
    asked(candidate, "cheat", LONG, name="lazy")
    block = bench.run(BlockPlan("direct", 0, 2, frozenset({0, 1})))
    assert all(bool(torch.isnan(t).all()) for kept in block.kept.values() for t in kept.outputs)
    bench.buffers.close()
