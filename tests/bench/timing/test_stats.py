"""From blocks to one ratio: known data, robustness against one slow process, invariance, determinism, errors."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.bench.timing.stats import Estimate, Process, Quad, candidate_side, control_side, estimate, ratio_of_medians

CONFIDENCE = {"confidence": 0.95, "resamples": 500, "seed": 3}


def process(ratio: float, *, groups: int = 12, noise: float = 0.0, seed: int = 0, scale: float = 100.0) -> Process:
    """Eager takes `scale` us, the candidate `ratio` times less, both with symmetric multiplicative noise."""
    rng = random.Random(seed)

    def pair(us: float) -> tuple[float, float]:
        return us * (1 + rng.uniform(-noise, noise)), us * (1 + rng.uniform(-noise, noise))

    return Process(tuple(pair(scale) for _ in range(groups)), tuple(pair(scale / ratio) for _ in range(groups)))


@given(st.floats(0.05, 50), st.integers(1, 6), st.integers(1, 8), st.floats(0.1, 1e6))
@settings(max_examples=60, deadline=None)
def test_noiseless_data_give_the_ratio_and_a_point(ratio: float, count: int, groups: int, scale: float) -> None:
    found = estimate([process(ratio, groups=groups, scale=scale) for _ in range(count)], **CONFIDENCE)
    assert found.ratio == pytest.approx(ratio)
    assert found.low == pytest.approx(ratio)
    assert found.high == pytest.approx(ratio)
    assert found.half_width == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("ratio", [0.4, 1.0, 3.0])
def test_the_interval_contains_the_figure_and_the_truth(ratio: float, count: int) -> None:
    inside = 0
    for seed in range(20):
        rows = [process(ratio, noise=0.1, seed=100 * seed + i) for i in range(count)]
        found = estimate(rows, **CONFIDENCE)
        assert found.low <= found.ratio <= found.high
        inside += found.low <= ratio <= found.high
    assert inside >= 17


def test_one_slow_process_of_three_does_not_move_the_figure() -> None:
    honest = [process(1.5, noise=0.02, seed=i) for i in range(3)]
    for factor in (0.1, 0.5, 2.0, 10.0):
        slow = Process(honest[2].eager, tuple((a * factor, b * factor) for a, b in honest[2].candidate))
        found = estimate([honest[0], honest[1], slow], **CONFIDENCE)
        assert found.ratio == pytest.approx(1.5, rel=0.02)
        assert found.half_width > 0.05, "but the interval shows that the processes disagree"


def test_preempted_blocks_do_not_move_the_figure() -> None:
    clean = process(2.0, groups=20)
    hit = Process(
        tuple((a * 30, b) if i % 4 == 0 else (a, b) for i, (a, b) in enumerate(clean.eager)),
        tuple((a, b * 30) if i % 5 == 0 else (a, b) for i, (a, b) in enumerate(clean.candidate)),
    )
    assert estimate([hit, hit, hit], **CONFIDENCE).ratio == pytest.approx(2.0)


@given(st.lists(st.floats(0.5, 2.0), min_size=2, max_size=4), st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_the_figure_does_not_depend_on_the_order_of_processes_or_groups(ratios: list[float], seed: int) -> None:
    rows = [process(ratio, noise=0.1, seed=seed + i) for i, ratio in enumerate(ratios)]
    found = [estimate(order, **CONFIDENCE) for order in itertools.permutations(rows)]
    assert len({e.ratio for e in found}) == 1
    backwards = [Process(row.eager[::-1], row.candidate[::-1]) for row in rows]
    assert estimate(backwards, **CONFIDENCE).ratio == found[0].ratio
    widths = [e.high - e.low for e in found]
    assert max(widths) - min(widths) < 0.3 * found[0].ratio, "the interval only by the luck of the draw"


def test_a_seed_gives_the_same_interval_and_another_one_need_not() -> None:
    rows = [process(1.2, noise=0.2, seed=i) for i in range(3)]
    assert estimate(rows, **CONFIDENCE) == estimate(rows, **CONFIDENCE)
    assert estimate(rows, **CONFIDENCE) != estimate(rows, **(CONFIDENCE | {"seed": 4}))


def test_more_confidence_is_a_wider_interval() -> None:
    rows = [process(1.2, noise=0.2, seed=i) for i in range(3)]
    widths = [estimate(rows, confidence=c, resamples=2000, seed=1).half_width for c in (0.5, 0.8, 0.95, 0.99)]
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]


def test_disagreeing_processes_widen_the_interval() -> None:
    agreeing = [process(1.0, noise=0.02, seed=i) for i in range(3)]
    apart = [process(ratio, noise=0.02, seed=i) for i, ratio in enumerate((0.8, 1.0, 1.25))]
    assert estimate(apart, **CONFIDENCE).half_width > 5 * estimate(agreeing, **CONFIDENCE).half_width


@pytest.mark.parametrize("rows", [[], [Process((), ())], [process(1.0), Process((), ())]])
def test_no_data_is_an_error(rows: list[Process]) -> None:
    with pytest.raises(ValueError, match="at least one group"):
        estimate(rows, **CONFIDENCE)


def test_sides_of_a_group() -> None:
    quads = [Quad((10.0, 12.0), (5.0, 6.0), (20.0, 24.0)), Quad((11.0, 11.0), (5.5, 5.5), (22.0, 22.0))]
    assert candidate_side(quads).ratio == pytest.approx(2.0)
    assert control_side(quads).ratio == pytest.approx(0.5)
    assert candidate_side(quads).eager == control_side(quads).eager == ((10.0, 12.0), (11.0, 11.0))


def test_half_width_is_relative() -> None:
    assert Estimate(2.0, 1.9, 2.1).half_width == pytest.approx(0.05)


def test_what_slows_both_sides_of_a_group_does_not_count() -> None:
    clean = process(1.3, groups=12)
    slowed = Process(
        tuple((a * (1 + i), b * (1 + i)) for i, (a, b) in enumerate(clean.eager)),
        tuple((a * (1 + i), b * (1 + i)) for i, (a, b) in enumerate(clean.candidate)),
    )
    assert slowed.ratio == pytest.approx(1.3)


def test_the_published_figure_is_the_ratio_of_medians() -> None:
    found = ratio_of_medians([3.0, 30.0, 2.0], [1.0, 2.0, 50.0], **CONFIDENCE)
    assert found.ratio == 1.5
    assert found.low <= found.ratio <= found.high
