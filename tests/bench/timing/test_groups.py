"""Six blocks as numbers: the harness's cost, lateness, and work in some of many calls."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.bench.timing import observe
from passnet.bench.timing.blocks import Block, lower_quartile
from passnet.bench.timing.groups import ByDraw, GrossGroup, Held, Uneven, held_us, hidden_us

US = st.floats(0.1, 1e6)


def group(*, eager: float = 10.0, candidate: float = 10.0, uneven: tuple[float, ...] = (0.0, 0.0)) -> GrossGroup:
    """`uneven`: of eager, of the candidate, and of the control where it is not as eager."""
    sides = Uneven(uneven[0], uneven[1], uneven[2] if len(uneven) > 2 else uneven[0])
    return GrossGroup((eager, eager), (candidate, candidate), (eager, eager), uneven_us=sides)


def test_blocks_become_a_group() -> None:
    found = {
        "eager": [Block(10.0, uneven_us=1.0, draw_us=100.0), Block(12.0, uneven_us=3.0, draw_us=100.0)],
        "candidate": [Block(4.0, uneven_us=0.5, draw_us=150.0), Block(5.0, uneven_us=0.5, draw_us=150.0)],
        "control": [Block(11.0, draw_us=100.0), Block(13.0, draw_us=120.0)],
    }
    made = GrossGroup.of(found)
    assert (made.eager, made.candidate, made.control) == ((10.0, 12.0), (4.0, 5.0), (11.0, 13.0))
    assert made.uneven_us == (2.0, 0.5, 0.0)
    assert made.late_us == observe.counted_us(found["eager"], found["control"], found["candidate"]) > 0


def test_lateness_counts_in_full_whatever_the_harness_costs() -> None:
    """What is done while inputs are drawn may not hide in what is subtracted for the harness."""
    late = GrossGroup((10.0, 12.0), (10.0, 12.0), (10.0, 12.0), late_us=3.0)
    assert late.net(4.0).eager == (6.0, 8.0)
    assert late.net(4.0).candidate == (9.0, 11.0)
    least, _ = late.net(40.0).eager
    assert late.net(40.0).candidate[0] == least + 3.0


def holding(*held: Held) -> list[GrossGroup]:
    return [GrossGroup((100.0, 100.0), (50.0, 50.0), (100.0, 100.0), held=each) for each in held]


def test_who_holds_inputs_longer_than_eager_is_found_however_long_eager_waits_by_chance() -> None:
    """A machine in which others have the core for a millisecond now and then."""
    rng = random.Random(4)

    def wait(us: float) -> float:
        return us + rng.expovariate(1.0) + (1000.0 if rng.random() < 0.2 else 0.0)

    groups = holding(*(Held(wait(5.0), wait(45.0), wait(5.0)) for _ in range(24)))
    assert held_us(groups) == pytest.approx(40.0, rel=0.2)
    assert groups[0].net(4.0, held_us=held_us(groups)).candidate[0] == pytest.approx(46.0 + held_us(groups))
    alike = [held_us(holding(*(Held(wait(5.0), wait(5.0), wait(5.0)) for _ in range(24)))) for _ in range(200)]
    assert statistics.fmean(us > 0.0 for us in alike) < 0.03
    assert held_us(holding(*(Held(5.0, 45.0, 5.0) for _ in range(7)))) == 0.0, "too few to tell"
    quick = GrossGroup((9.0, 9.0), (9.0, 9.0), (9.0, 9.0), late_us=3.0)
    assert quick.net(0.0, held_us=2.0).candidate == (12.0, 12.0), "counted once"


@pytest.mark.parametrize("candidate_us", [60.0, 96.0, 300.0])
def test_where_eager_does_nothing_no_candidate_is_faster(candidate_us: float) -> None:
    quad = group(eager=96.0, candidate=candidate_us).net(95.0)
    assert quad.eager[0] <= quad.candidate[0]


def test_work_in_some_of_many_calls_is_found() -> None:
    """One call of four takes ten times as long: undisturbed ones do not show it, and their mean does."""
    calls = [1000.0] * 6 + [10000.0] * 2
    us = lower_quartile(calls) / 1e3
    assert us == 1.0
    groups = [group(candidate=us, uneven=(0.3, sum(calls) / len(calls) / 1e3 - us))] * 8
    assert hidden_us(groups) == pytest.approx(2.25 - 0.3)
    assert groups[0].net(0.0, hidden_us(groups)).candidate[0] == pytest.approx(2.95)


def test_calls_that_vary_as_eagers_do_hide_nothing() -> None:
    assert hidden_us([group(uneven=(0.5, 0.6))] * 8) == 0.0
    assert hidden_us([group(uneven=(0.5, 0.2))] * 8) == 0.0
    assert hidden_us([group(uneven=(-1.0, -0.9))] * 8) == 0.0
    assert hidden_us([group(uneven=(0.0, 9.0))] * 7) == 0.0, "too few to tell"


def test_one_disturbed_group_of_several_accuses_nobody() -> None:
    assert hidden_us([group(uneven=(0.1, 0.1))] * 7 + [group(uneven=(0.1, 50.0))]) == 0.0


@pytest.mark.parametrize("groups", [8, 16, 48])
def test_chance_accuses_nobody_of_two_sides_that_are_disturbed_alike(groups: int) -> None:
    """Eager against eager on a busy machine: what disturbs a block takes a fifth of it, now more and now less."""
    rng = random.Random(groups)
    found = [
        hidden_us([group(uneven=tuple(rng.expovariate(0.5) for _ in range(3))) for _ in range(groups)])
        for _ in range(2000)
    ]
    assert sum(us > 0 for us in found) <= 12


def test_hidden_work_is_found_amid_such_disturbance() -> None:
    rng = random.Random(7)
    groups = [group(uneven=(rng.expovariate(2.0), 3.0 + rng.expovariate(2.0), rng.expovariate(2.0))) for _ in range(16)]
    assert hidden_us(groups) == pytest.approx(3.0, rel=0.3)


def test_who_varies_on_purpose_hides_no_more() -> None:
    """What its calls take by their mean is spread widely over groups, so that nothing would be sure."""
    rng = random.Random(3)
    groups = [group(uneven=(0.1, rng.choice([3.0, 40.0, 200.0]), 0.1 + rng.random())) for _ in range(16)]
    assert hidden_us(groups) >= 3.0


def drawn(rng: random.Random, kernel: Callable[[int], float]) -> GrossGroup:
    """Blocks of six calls on four draws. A neighbour slows one block of four, and some calls besides."""

    def block(us: Callable[[int], float]) -> list[tuple[int, float]]:
        slow = rng.choice([1.0, 1.0, 1.0, 1.6])
        return [(draw, us(draw) * slow * rng.lognormvariate(0, 0.05) * rng.choice([1, 1, 1, 1, 1, 3]))
                for draw in (rng.randrange(4) for _ in range(6))]  # fmt: skip

    sides = [[block(us) for _ in range(2)] for us in (lambda _: 60.0, kernel, lambda _: 60.0)]
    figures = [tuple(lower_quartile([us for _, us in calls]) for calls in two) for two in sides]
    return GrossGroup(*figures, by_draw=ByDraw(*(tuple(two[0] + two[1]) for two in sides)))  # type: ignore[arg-type]


def test_work_in_some_of_the_draws_is_found() -> None:
    """A kernel that knows two of four draws and is quick there shows only these in the quickest quarter of calls."""
    rng = random.Random(5)
    groups = [drawn(rng, lambda draw: 20.0 if draw < 2 else 120.0) for _ in range(16)]
    assert statistics.median(group.candidate[0] for group in groups) < 40.0
    assert hidden_us(groups) == pytest.approx(50.0, rel=0.3)


@pytest.mark.parametrize("groups", [8, 16, 48])
def test_draws_accuse_nobody_by_chance(groups: int) -> None:
    rng = random.Random(groups)
    found = [hidden_us([drawn(rng, lambda _: 20.0) for _ in range(groups)]) for _ in range(300)]
    assert sum(us > 0 for us in found) <= 9, sorted(found)[-12:]


@given(st.lists(st.tuples(US, US), min_size=1, max_size=12), st.integers(-6, 6))
def test_what_is_hidden_is_never_negative_and_scales(uneven: list[tuple[float, float]], power: int) -> None:
    factor = 2.0**power
    groups = [group(candidate=1.0, uneven=pair) for pair in uneven]
    more = [group(candidate=factor, uneven=(factor * eager, factor * other)) for eager, other in uneven]
    assert hidden_us(groups) >= 0.0
    assert hidden_us(more) == factor * hidden_us(groups)


@given(st.lists(US, min_size=1, max_size=40), st.lists(st.floats(0.0, 1e6), max_size=13))
def test_what_disturbs_a_quarter_of_the_calls_changes_nothing_much(calls: list[float], more: list[float]) -> None:
    """Calls may only become longer, so their lower quartile does, and never beyond the longest undisturbed one."""
    disturbed = list(calls)
    for place, us in zip(range(len(calls) // 2), more, strict=False):
        disturbed[place] += us
    assert lower_quartile(calls) <= lower_quartile(disturbed) <= max(calls)
