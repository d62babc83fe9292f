"""How long is warmed up; and when an interval is too wide: whose fault it is, and what is scored then."""

from __future__ import annotations

import contextlib
import itertools
import math
import random
import statistics
from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.bench.draws.secret_inputs import Key, SecretInputs
from passnet.bench.record.protocol import make
from passnet.bench.timing import blocks, gpu_idle, hard_turns, stats
from passnet.bench.timing.block_maker import BlockMaker
from passnet.bench.timing.blocks import Block, BlockPlan, KeptCall
from passnet.bench.timing.estimate import PairFigures, TimingEnd, Unstable, candidate_estimate
from passnet.bench.timing.groups import GrossGroup
from passnet.bench.timing.interleave import TimingRun, WantedPair
from passnet.bench.timing.quiet_core import QuietCore
from passnet.bench.timing.sizing import GraphShape
from passnet.bench.timing.visits import CheckedBlock, Looks, PairOnTrial, Visits
from passnet.bench.timing.warm_up import WarmUp
from passnet.bench.wire.replies import OutputFacts

EAGER = 100.0


def pair(candidate: Sequence[float], control: Sequence[float]) -> PairFigures:
    """One group per given time: eager takes 100 us, candidate and control what is said."""
    pairs = zip(candidate, control, strict=True)
    quads = tuple(stats.Quad((EAGER, EAGER), (c, c), (k, k)) for c, k in pairs)
    return PairFigures(quads, (), 100, 1.0)


def context() -> TimingRun:
    shape = GraphShape("cpu", [((4,), "float32")], [((4,), "float32")])
    given = SecretInputs([], [], "cpu", random.Random(0), ())
    protocol = make("direct", deployed_groups=0)
    return TimingRun((), protocol, given, random.Random(0), shape, OutputFacts())


def pairs(candidate: Sequence[float], control: Sequence[float]) -> list[PairFigures]:
    """Five processes: the candidate's and the control's time in each."""
    return [pair([c] * 4, [k] * 4) for c, k in zip(candidate, control, strict=True)]


STEADY = [100.0] * 5
UNSTEADY = [60.0, 150.0, 100.0, 70.0, 140.0]


def test_a_narrow_interval_is_scored_at_its_centre() -> None:
    timing = context()._accept(pairs([50.0, 50.1, 49.9, 50.0, 50.2], STEADY), 0, "cpu")
    assert timing.scored_at == "centre"
    assert timing.speedup == pytest.approx(2.0, rel=0.01)


@pytest.mark.parametrize("candidate", [[80.0, 140.0, 90.0, 200.0, 110.0], [20.0, 50.0, 25.0, 60.0, 30.0]])
def test_a_candidate_that_varies_on_a_steady_machine_is_scored_at_the_low_end(candidate: list[float]) -> None:
    timing = context()._accept(pairs(candidate, STEADY), 0, "cpu")
    assert timing.scored_at == "low"
    assert timing.speedup == timing.speedup_ci[0] < 100.0 / sorted(candidate)[2]


def test_a_clear_winner_on_an_unsteady_machine_is_scored_at_the_low_end() -> None:
    timing = context()._accept(pairs([20.0, 32.0, 25.0, 35.0, 30.0], UNSTEADY), 0, "cpu")
    assert timing.half_width > 0.1
    assert timing.speedup == timing.speedup_ci[0] > 1.0


def test_an_unsteady_machine_that_cannot_tell_gives_no_score() -> None:
    with pytest.raises(Unstable, match="either way"):
        context()._accept(pairs([80.0, 140.0, 90.0, 200.0, 60.0], UNSTEADY), 0, "cpu")


def test_no_figures_at_all_is_the_control() -> None:
    with pytest.raises(Unstable, match="control left its band"):
        context()._accept([], 5, "cpu")


def test_what_was_decided_counts_at_its_lower_end() -> None:
    run = context()
    run._ended = TimingEnd("decided", look=3)
    timing = run._accept(pairs([50.0, 50.1, 49.9, 50.0, 50.2], STEADY), 0, "cpu")
    assert (timing.scored_at, timing.ended) == ("low", "decided")
    assert timing.speedup == timing.speedup_ci[0] < 2.0
    width = candidate_estimate(pairs([50.0, 50.1, 49.9, 50.0, 50.2], STEADY), run.protocol).half_width
    assert timing.half_width > width, "the interval that decided is that of its look"


def test_the_record_says_what_was_asked_and_what_was_reached() -> None:
    run = context()
    run._ended = TimingEnd("limit", look=9)
    timing = run._accept(pairs([50.0, 52.0, 47.0, 53.0, 49.0], STEADY), 1, "cpu")
    assert (timing.precision, timing.ended, timing.voided_pairs) == (0.02, "limit", 1)
    assert timing.precision < timing.half_width < run.protocol.max_half_width
    assert timing.scored_at == "centre"


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ([10.0] * 9, 2),
        ([30.0, 20.0, 10.0, 10.2], 4),
        ([100.0 - 15.0 * i for i in range(6)] + [1.0] * 9, 8),
        ([10.0 * 2**i for i in range(20)], 9),
        ([1e5, 1.0], 1),
    ],
)
def test_a_warm_up_ends_where_two_short_blocks_agree(
    times: list[float], expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[float] = []

    def block(self: BlockMaker, pair: object, role: str, variant: str, timed: int) -> SimpleNamespace:
        made.append(times[len(made)])
        return SimpleNamespace(us_per_call=made[-1])

    monkeypatch.setattr(BlockMaker, "make", block)
    found = context()._warm_up.worker(None, "reference")  # type: ignore[arg-type]
    assert found.us_per_call == min(made)
    assert len(made) == expected


def test_a_reference_that_was_warmed_up_as_a_control_is_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[object, str]] = []

    def warm_up(self: WarmUp, pair: object, role: str) -> Block:
        made.append((pair, role))
        return Block(10.0)

    monkeypatch.setattr(WarmUp, "worker", warm_up)
    run, first, second, fresh = context(), object(), object(), object()
    for index, (own, control) in enumerate([(first, second), (second, first), (fresh, second)]):
        run._begin(index, own, control)  # type: ignore[arg-type]
    both = ["reference", "candidate"]
    assert [role for pair, role in made if pair is first] == both
    assert sorted(role for pair, role in made if pair is second) == sorted(both)
    assert [role for pair, role in made if pair is fresh] == both


EVERY_BLOCK = Looks(random.Random(1), 1, 1)


def test_a_control_leaves_its_band_only_surely() -> None:
    assert pair([100.0] * 6, [110.0] * 6).left_band(0.05)
    assert not pair([100.0] * 6, [104.0] * 6).left_band(0.05)
    assert not pair([100.0] * 4, [80.0, 125.0, 108.0, 109.0]).left_band(0.05), "groups so far apart show nothing yet"


def test_every_hard_draw_is_met_amid_the_timed_calls_at_a_secret_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is right on hard draws in its first calls only is wrong on one of these."""
    plans: list[BlockPlan] = []

    def run(worker: object, buffers: object, given: object, plan: BlockPlan, *_: object) -> Block:
        plans.append(plan)
        return Block(10.0)

    monkeypatch.setattr(blocks, "run", run)
    monkeypatch.setattr(hard_turns, "plain_ones", lambda *_: frozenset({5, 9}))
    awake = contextlib.nullcontext()
    place = SimpleNamespace(device="cpu", trusted=False, awake=lambda role: awake, timing_buffers=lambda role: None)
    siblings = {2: (5, 6, 7), 3: (8, 9, 10), 4: (11, 12)}
    given = SecretInputs([], [], "cpu", random.Random(0), (0, 1), hard=frozenset({2, 3, 4}), siblings=siblings)
    trial = replace(context(), given=given)
    on_trial = trial._begin(0, place, place)  # type: ignore[arg-type]
    plans.clear()
    looked_at = 0
    for _ in range(12):
        looked_at += len(list(trial.visits.group(on_trial, "direct", EVERY_BLOCK)))
    met = [draw for plan in plans for draw in plan.apart.values()]
    hard = [draw for draw in met if draw in {2, 3, 4}]
    assert len(hard) == looked_at == 24, "one in a block"
    assert all(set(hard[at : at + 3]) == {2, 3, 4} for at in range(0, 24, 3))
    for plan in plans:
        beside = [draw for draw in plan.apart.values() if draw >= 5]
        assert not plan.apart or 4 <= len(beside) <= 6
    often = Counter(draw for draw in met if draw >= 5)
    assert len(often) == 8 and max(often.values()) - min(often.values()) <= 1, "all take turns"
    apart = [plan for plan in plans if plan.apart]
    assert all(plan.lead <= call < plan.calls for plan in apart for call in (*plan.apart, *plan.checked))
    assert not any(plan.checked & plan.apart.keys() for plan in apart)
    assert len({next(iter(plan.apart)) - plan.lead for plan in apart}) > 6, "any place"


def test_all_blocks_of_a_candidate_are_made_alike_and_some_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who could tell one that is compared from others would compute nothing in these."""
    made: list[tuple[str, bool, Sequence[int]]] = []

    def block(self: BlockMaker, pair: object, role: str, *_: object, keeps: bool, hard: Sequence[int] = ()) -> Block:
        made.append((role, keeps, hard))
        return Block(1.0, kept={0: KeptCall(Key(0, (1, 2)), [])})

    monkeypatch.setattr(BlockMaker, "make", block)
    place = SimpleNamespace(device="cpu", trusted=False, timing_buffers=lambda role: None)
    given = SecretInputs([], [], "cpu", random.Random(0), (0, 1), hard=frozenset({2, 3, 4}))
    run = replace(context(), given=given)
    on_trial = PairOnTrial(0, place, place, {"reference": 8, "candidate": 8}, {})  # type: ignore[arg-type]
    numbers = []
    for _ in range(100):
        looks = Looks(random.Random(run.rng.random()), 2, 8)
        seen = [wanted.block for _ in range(4) for wanted in run.visits.group(on_trial, "direct", looks)]
        assert all(block.kept for block in seen)
        numbers.append(len(seen))
    assert all(bool(hard) == keeps == (role == "candidate") for role, keeps, hard in made)
    assert min(numbers) == 1, "at least one"
    assert 1.6 < statistics.fmean(numbers) < 2.5
    hard = [draw for _, keeps, draws in made if keeps for draw in draws]
    assert set(hard) == {2, 3, 4}, "those of blocks that were not compared come again"


def test_a_gpu_is_looked_at_after_each_block_of_a_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one left running there would slow the next block, whoever makes it."""
    done: list[str] = []
    monkeypatch.setattr(blocks, "run", lambda *_: Block(10.0))
    monkeypatch.setattr(gpu_idle, "settle", lambda pairs: done.append("idle"))

    @contextlib.contextmanager
    def awake(role: str) -> Generator[None, None, None]:
        done.append(role)
        yield

    place = SimpleNamespace(device="cuda", trusted=False, awake=awake, timing_buffers=lambda role: None)
    given = SecretInputs([], [], "cpu", random.Random(0), (0, 1))
    run = replace(context(), given=given)
    on_trial = run._begin(0, place, place)  # type: ignore[arg-type]
    for _ in range(5):
        list(run.visits.group(on_trial, "direct", EVERY_BLOCK))
    worked = True
    for what, following in itertools.pairwise(done):
        worked = what == "candidate" or (worked and what != "idle")
        assert (following == "idle") == worked
    assert done.count("idle") < len(done) / 2, "two blocks of eager in a row need one look"


class Places:
    """Stands in for workers: groups come from given process effects, and every pair that is asked for is noted."""

    def __init__(self, effects: list[float], noise: float, scale: float, seed: int = 3) -> None:
        self.effects, self.noise, self.scale = effects, noise, scale
        self.rng = random.Random(seed)

    def visit(self, lane: Any, groups: int) -> Generator[CheckedBlock, None, None]:
        for _ in range(groups):
            us = EAGER * self.scale * math.exp(self.effects[lane.index] + self.rng.gauss(0.0, self.noise))
            lane.groups.append(GrossGroup((EAGER, EAGER), (us, us), (EAGER, EAGER)))
        lane.idle.append(1e-6)
        yield from ()

    def run(self, monkeypatch: pytest.MonkeyPatch, places: int = 4, **settings: object) -> tuple[TimingRun, list[int]]:
        run = replace(context(), protocol=make("direct", deployed_groups=0, **settings), pairs=[object()] * places)

        def begin(run: TimingRun, index: int, pair: object, control: object) -> PairOnTrial:
            calls: dict[Any, int] = {"reference": 8, "candidate": 8}
            return PairOnTrial(index, pair, control, calls, calls)  # type: ignore[arg-type]

        monkeypatch.setattr(TimingRun, "_begin", begin)
        monkeypatch.setattr(Visits, "visit", lambda run, lane, groups: self.visit(lane, groups))
        asked = [wanted.index for wanted in run.measure() if isinstance(wanted, WantedPair)]
        return run, asked


EFFECTS = [0.004, -0.006, 0.002, 0.009, -0.003, 0.0, 0.005, -0.008, 0.001, 0.003] * 4


def test_pairs_are_asked_for_only_when_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    run, asked = Places(EFFECTS, 0.004, 1.0).run(monkeypatch, precision=0.05)
    assert asked == [1], "pair 0 is ready, and pair 1 is its control"
    assert run._ended.why == "narrow"
    assert [len(lane.groups) for lane in run._tried] == [4, 4]


def test_more_pairs_than_places_are_fresh_ones_and_the_old_are_not_visited_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    visited: list[tuple[int, int]] = []
    places = Places(EFFECTS, 0.03, 1.0)
    visit = places.visit

    def noted(lane: Any, groups: int) -> Generator[CheckedBlock, None, None]:
        visited.append((len(visited), lane.index))
        return visit(lane, groups)

    monkeypatch.setattr(places, "visit", noted)
    _, asked = places.run(monkeypatch, places=2, precision=0.01)
    assert asked == list(range(1, len(asked) + 1))
    assert len(asked) > 3
    newest = 0
    for _, index in visited:
        newest = max(newest, index)
        assert index > newest - 2, "this pair's place was taken"


@given(st.floats(1e-3, 1e3), st.integers(0, 50))
@settings(max_examples=15, deadline=None)
def test_a_factor_on_all_candidate_times_changes_no_decision(factor: float, seed: int) -> None:
    """A scored run stops by width alone."""
    found = []
    for scale in (1.0, factor):
        with pytest.MonkeyPatch.context() as patch:
            run, asked = Places(EFFECTS, 0.03, scale, seed).run(patch, precision=0.02)
        found.append((asked, [len(lane.groups) for lane in run._tried], run._ended))
    assert found[0] == found[1]


def test_an_unreachable_precision_ends_at_a_limit_with_the_width_that_was_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wild = [0.5 * (-1) ** i for i in range(40)]
    run, asked = Places(wild, 0.3, 1.0).run(monkeypatch, precision=0.02, most_pairs=5, most_groups=8)
    assert len(asked) == 4
    assert run._ended.why == "limit"
    figures = [replace(found, quads=tuple(unsteady(quad, number) for number, quad in enumerate(found.quads)))
               for found in run._figures()]  # fmt: skip
    with pytest.raises(Unstable, match=r"reached \d+\.\d% either way.* 2% was asked for"):
        run._accept(figures, 0, "cpu")


def unsteady(quad: stats.Quad, number: int) -> stats.Quad:
    """The same group on a machine on which eager against eager is unsteady too."""
    return replace(quad, control=tuple(us * (3.0 if number % 2 else 0.3) for us in quad.candidate))  # type: ignore[arg-type]


def test_a_pair_whose_control_left_its_band_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    places = Places(EFFECTS, 0.004, 1.0)
    visit = places.visit

    def second_is_off(lane: Any, groups: int) -> Generator[CheckedBlock, None, None]:
        yield from visit(lane, groups)
        if lane.index == 1:
            lane.groups = [replace(group, control=(2 * EAGER, 2 * EAGER)) for group in lane.groups]

    monkeypatch.setattr(places, "visit", second_is_off)
    run, asked = places.run(monkeypatch, precision=0.05)
    assert asked == [1, 2]
    assert (run._voided, [lane.index for lane in run._tried]) == (1, [0, 2])


@pytest.mark.parametrize(
    ("harness", "asked", "refused"),
    [
        ([2.0, 3.0], 2, False),
        ([90.0, 130.0, 3.0], 3, False),
        ([90.0, 110.0, 160.0, 120.0, 180.0, 150.0], 6, True),
        ([130.0, 131.0, 130.0, 132.0, 130.0, 131.0], 6, True),
        ([95.0, 96.0], 2, False),
    ],
    ids=["quiet", "disturbed at both ends", "unsteady", "longer than eager", "eager does nothing"],
)
def test_the_harness_is_measured_again_where_it_hides_eager(
    monkeypatch: pytest.MonkeyPatch, harness: list[float], asked: int, refused: bool
) -> None:
    left = list(harness)

    def group(*_: object) -> Generator[CheckedBlock, None, GrossGroup]:
        yield from ()
        return GrossGroup((EAGER, EAGER), (EAGER, EAGER), (EAGER, EAGER))

    monkeypatch.setattr(Visits, "group", group)
    monkeypatch.setattr(Visits, "_harness", lambda *_: left.pop(0))
    calls: dict[Any, int] = {"reference": 8, "candidate": 8}
    tried = PairOnTrial(0, SimpleNamespace(trusted=True), SimpleNamespace(), calls, calls)  # type: ignore[arg-type]
    run = context()
    run._tried.append(tried)
    with pytest.raises(Unstable, match="nothing is computed") if refused else contextlib.nullcontext():
        list(run.visits.visit(tried, 3))
    assert len(harness) - len(left) == asked
    assert tried.figures(*run._common_us()).harness_us == blocks.lower_quartile(harness[:asked])


def test_a_block_is_made_again_where_its_core_became_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The try that counts is one on a quiet core, and what is to be compared is compared in that one."""
    made: list[tuple[str, float]] = []
    looked_at: list[bool] = []
    slow = [True, False, False, True, True, False] + [False] * 3

    def block(self: BlockMaker, pair: object, role: str, *_: object, keeps: bool, hard: Sequence[int] = ()) -> Block:
        looked_at.append(keeps)
        made.append((role, float(len(made))))
        return Block(made[-1][1])

    monkeypatch.setattr(BlockMaker, "make", block)
    place = SimpleNamespace(device="cpu", trusted=False, timing_buffers=lambda role: None)
    run = replace(context(), quiet_core=QuietCore(100.0, lambda _: 0.0, lambda: slow.pop(0)))
    calls: dict[Any, int] = {"reference": 8, "candidate": 8}
    on_trial = PairOnTrial(0, place, place, calls, calls)  # type: ignore[arg-type]
    whole = run.visits.group(on_trial, "direct", EVERY_BLOCK)
    compared = 0
    try:
        while True:
            next(whole)
            compared += 1
    except StopIteration as end:
        group = end.value
    assert not slow
    assert len(made) == 9
    assert run.quiet_core.set_aside == 3
    assert compared == 2
    assert looked_at == [role == "candidate" for role, _ in made], "eager's outputs are not kept"
    assert sorted(group.eager + group.candidate + group.control) == [1.0, 2.0, 5.0, 6.0, 7.0, 8.0]


def test_who_feels_that_a_call_was_kept_cannot_know_that_it_was_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the kept calls of a block and after them."""
    plans: list[BlockPlan] = []
    monkeypatch.setattr(blocks, "run", lambda _worker, _buffers, _given, plan, *_: plans.append(plan) or Block(1.0))
    pair = SimpleNamespace(
        device="cpu", trusted=True, awake=lambda role: contextlib.nullcontext(), timing_buffers=lambda role: None
    )
    run = context()
    for _ in range(400):
        run.blocks.make(pair, "candidate", "direct", 12, keeps=True)  # type: ignore[arg-type]
    kept = [sorted(plan.checked) for plan in plans]
    for many in (1, 2, 3):
        going_on = sum(len(calls) > many for calls in kept) / sum(len(calls) >= many for calls in kept)
        assert 0.15 < going_on < 0.7, f"after {many} kept calls"
    lead = plans[0].lead
    assert all(len(plan.counted) >= 12 for plan in plans), "what is not counted comes in addition"
    firsts = {calls[0] - lead for calls in kept if calls}
    assert firsts >= set(range(10)), "any call may be the first"
    plans.clear()
    run.blocks.make(pair, "candidate", "direct", 12)  # type: ignore[arg-type]
    assert not plans[0].checked


def test_even_the_shortest_block_counts_a_call() -> None:
    for timed in (1, 2, 3):
        for kept in range(1, timed + 1):
            for checked in itertools.combinations(range(2, 2 + timed + kept), kept):
                plan = BlockPlan("direct", 2, timed + kept, frozenset(checked))
                assert len(plan.counted) >= timed
                assert all(call - 1 not in checked for call in plan.counted)
