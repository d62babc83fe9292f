"""Which siblings of hard draws the blocks of a verification hold, and what else is in them."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from types import SimpleNamespace
from typing import Any, cast

import pytest

from passnet.bench.record.protocol import make
from passnet.bench.timing import blocks
from passnet.bench.timing.blocks import BlockPlan
from passnet.bench.timing.sizing import GraphShape
from passnet.bench.verdict.verified_calls import VerifiedCalls
from passnet.bench.wire.replies import OutputFacts

_SIBLINGS = {4: tuple(range(10, 22)), 5: (22, 23), 6: ()}


def blocks_of(numbers: int, *, every: bool) -> list[tuple[int, list[int]]]:
    """The blocks of a graph whose input has so many floats."""
    shape = GraphShape("cpu", [((numbers,), "float32")], [((numbers,), "float32")])
    parts: Any = (
        SimpleNamespace(shape=shape),
        SimpleNamespace(siblings=_SIBLINGS),
        SimpleNamespace(rng=random.Random(3)),
    )
    verified = VerifiedCalls(cast("Any", None), *parts)
    return [(draw, list(siblings)) for draw, siblings in verified._blocks([0, 4, 5, 6], every=every)]


@pytest.mark.parametrize("numbers", [1 << 10, 3 << 20, 5 << 20, 20 << 20])
def test_every_sibling_is_in_one_block_of_its_draw(numbers: int) -> None:
    """Above 8 MiB each hard draw had one sibling compared, and what only one draw shows was often not looked at."""
    found = blocks_of(numbers, every=True)
    assert Counter((draw, each) for draw, siblings in found for each in siblings) == Counter(
        (draw, each) for draw, siblings in _SIBLINGS.items() for each in siblings
    )
    assert {draw for draw, _ in found} == {0, 4, 5, 6}
    assert (len(found) > 4) == (numbers > 1 << 10)


def test_of_very_large_tensors_some_are_and_elsewhere_one_of_each_draw() -> None:
    assert sum(len(siblings) for _, siblings in blocks_of(1 << 28, every=True)) in range(4, 8)
    assert [len(siblings) for _, siblings in blocks_of(3 << 20, every=False)] == [0, 1, 1, 0]
    assert [len(siblings) for _, siblings in blocks_of(1 << 10, every=False)] == [0, 12, 2, 0]


def test_the_draws_of_a_verification_tell_it_from_no_timed_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sees one kind of input in all calls of a block could do its work in these alone."""
    plans: list[BlockPlan] = []

    def run(worker: object, buffers: object, given: object, plan: BlockPlan, *_: object) -> blocks.Block:
        plans.append(plan)
        return blocks.Block(30.0)

    monkeypatch.setattr(blocks, "run", run)
    shape = GraphShape("cpu", [((64,), "float32")], [((64,), "float32")])
    reference = SimpleNamespace(shape=shape, facts=OutputFacts())
    given = SimpleNamespace(siblings=_SIBLINGS, hard={4, 5})
    pair = SimpleNamespace(trusted=False, awake=lambda role: contextlib.nullcontext(), timing_buffers=lambda role: None)
    parts: Any = (reference, given, SimpleNamespace(rng=random.Random(3)))
    verified = VerifiedCalls(make("direct"), *parts)
    for draw, siblings in ((0, ()), (4, (10, 11, 12)), (6, ())):
        plans.clear()
        verified._block(cast("Any", pair), draw, siblings, 30.0)
        (plan,) = plans
        assert plan.draw is None, "calls that are not compared are of timed draws"
        first = next(iter(plan.again.values()))
        assert plan.apart[first] == draw and plan.checked == set(plan.again)
        assert sorted(set(plan.apart.values()) - {draw}) == sorted(siblings)
        assert plan.calls - len(plan.apart) >= 5, "most calls are ordinary"


@pytest.mark.parametrize(("cores", "first"), [((), 2), ((0,), 2), ((0, 1, 2, 3), 4)])
def test_calls_elsewhere_have_a_thread_for_each_core_and_all_are_compared(
    monkeypatch: pytest.MonkeyPatch, cores: tuple[int, ...], first: int
) -> None:
    plans: list[BlockPlan] = []
    spread: list[tuple[int, ...]] = []

    def run(worker: object, buffers: object, given: object, plan: BlockPlan, *_: object) -> blocks.Block:
        plans.append(plan)
        return blocks.Block(30.0)

    def spreads(role: str, cores: tuple[int, ...]) -> contextlib.AbstractContextManager[None]:
        spread.append(cores)
        return contextlib.nullcontext()

    monkeypatch.setattr(blocks, "run", run)
    compared: list[blocks.Block] = []

    def compare(given: object, seen: list[blocks.Block]) -> list[object]:
        compared.extend(seen)
        return []

    reference = SimpleNamespace(
        shape=GraphShape("cpu", [((64,), "float32")], [((64,), "float32")]),
        facts=OutputFacts(),
        compare_blocks=compare,
    )
    trial = SimpleNamespace(rng=random.Random(3), comparisons=[])
    parts: Any = (reference, SimpleNamespace(siblings=_SIBLINGS, hard={4, 5}), trial)
    verified = VerifiedCalls(make("direct"), *parts)
    pair = SimpleNamespace(
        device="cpu", trusted=False, awake=lambda role: contextlib.nullcontext(), timing_buffers=lambda role: None,
        spread=spreads,
    )  # fmt: skip
    verified.make_elsewhere(cast("Any", pair), [0, 4, 5], cores)
    assert plans[0].team == first and 2 <= plans[1].team <= 2 * first
    assert spread == [cores, cores] and len(compared) == 2
    for plan in plans:
        assert len(plan.apart) == 8 and plan.calls == 10 and plan.inputs and plan.mode == "plain"
    for other in ({"device": "cuda"}, {"trusted": True}):
        verified.make_elsewhere(cast("Any", SimpleNamespace(**{**vars(pair), **other})), [0], cores)
    assert len(plans) == 2
