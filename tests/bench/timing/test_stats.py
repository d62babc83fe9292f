"""From blocks to one ratio: known data, robustness against one slow process, invariance, widths, errors."""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.bench.record.protocol import Protocol
from passnet.bench.timing.stats import (
    Estimate,
    Process,
    Quad,
    Spread,
    candidate_side,
    control_side,
    estimate,
    figure_of,
    figure_variance,
    median_variance,
    ratio_of_medians,
    spread,
    t_quantile,
)

PRIOR = Protocol()
CONFIDENCE: dict[str, Any] = {"confidence": 0.95, "prior": PRIOR}
LOGS = st.lists(st.lists(st.floats(-0.5, 0.5), min_size=2, max_size=12), min_size=1, max_size=9)


def arrays(logs: Sequence[Sequence[float]]) -> list[np.ndarray]:
    return [np.asarray(each) for each in logs]


def process(ratio: float, *, groups: int = 12, noise: float = 0.0, seed: int = 0, scale: float = 100.0) -> Process:
    """Eager takes `scale` us, the candidate `ratio` times less, both with symmetric multiplicative noise."""
    rng = random.Random(seed)

    def pair(us: float) -> tuple[float, float]:
        return us * (1 + rng.uniform(-noise, noise)), us * (1 + rng.uniform(-noise, noise))

    return Process(tuple(pair(scale) for _ in range(groups)), tuple(pair(scale / ratio) for _ in range(groups)))


@given(st.floats(0.05, 50), st.integers(1, 6), st.integers(2, 8), st.floats(0.1, 1e6))
@settings(max_examples=60, deadline=None)
def test_noiseless_data_give_the_ratio_and_what_is_known_beforehand(
    ratio: float, count: int, groups: int, scale: float
) -> None:
    """However alike a few processes look, others would differ."""
    found = estimate([process(ratio, groups=groups, scale=scale) for _ in range(count)], **CONFIDENCE)
    assert found.ratio == pytest.approx(ratio)
    assert found.low < ratio < found.high
    known = PRIOR.process_sd * t_quantile(0.95, PRIOR.process_sd_dof) / math.sqrt(count)
    assert found.half_width < 1.1 * known


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


@given(LOGS, st.floats(-5, 5))
@settings(max_examples=60, deadline=None)
def test_a_factor_moves_the_centre_and_nothing_else(logs: list[list[float]], shift: float) -> None:
    found, moved = spread(arrays(logs), PRIOR), spread([each + shift for each in arrays(logs)], PRIOR)
    assert moved.centre == pytest.approx(found.centre + shift, abs=1e-9)
    assert moved.variance == pytest.approx(found.variance, rel=1e-6)
    assert moved.dof == pytest.approx(found.dof, rel=1e-6)
    turned = spread([-each for each in arrays(logs)], PRIOR)
    assert turned.centre == pytest.approx(-found.centre, abs=1e-12), "neither side is favoured"
    assert turned.variance == pytest.approx(found.variance, rel=1e-9)


@given(LOGS, st.randoms())
@settings(max_examples=60, deadline=None)
def test_order_does_not_count(logs: list[list[float]], rng: random.Random) -> None:
    other = [rng.sample(each, len(each)) for each in rng.sample(logs, len(logs))]
    found, again = spread(arrays(logs), PRIOR), spread(arrays(other), PRIOR)
    assert again.centre == pytest.approx(found.centre, abs=1e-12)
    assert again.variance == pytest.approx(found.variance, rel=1e-9)


@given(LOGS.filter(lambda logs: len(logs) > 1), st.floats(1.1, 5.0))
@settings(max_examples=60, deadline=None)
def test_the_interval_widens_with_the_spread(logs: list[list[float]], factor: float) -> None:
    found = spread(arrays(logs), PRIOR)
    wider = spread([each * factor for each in arrays(logs)], PRIOR)
    assert wider.variance >= found.variance


@pytest.mark.parametrize("groups", [2, 5, 12])
def test_the_interval_narrows_with_every_further_process_that_agrees(groups: int) -> None:
    """The step to a trimmed centre is no exception worth a name: it costs less than the process brings."""
    logs = arrays([[0.02 * (-1) ** i for i in range(groups)]] * 12)
    widths = [spread(logs[:count], PRIOR).estimate(0.95).half_width for count in range(1, 13)]
    steps = [later / before for before, later in itertools.pairwise(widths)]
    assert all(step < 1.0 for step in steps[:3] + steps[4:])
    assert steps[3] < 1.08


def test_a_careful_prior_is_a_wide_interval() -> None:
    logs = arrays([[0.01, -0.01, 0.005], [0.0, 0.012, 0.004], [0.002, -0.004, 0.003]])
    widths = [
        spread(logs, PRIOR.model_copy(update=known)).estimate(0.95).half_width
        for known in ({"process_sd": 0.005}, {}, {"process_sd": 0.03})
    ]
    assert widths == sorted(widths)
    assert widths[2] > 3 * widths[0]


def test_more_groups_narrow_only_what_lies_within_a_process() -> None:
    rng = np.random.default_rng(5)
    few, many = (spread([rng.normal(0.0, 0.05, count) for _ in range(4)], PRIOR) for count in (4, 48))
    assert many.within < few.within / 5
    assert few.figure > few.within
    assert many.figure > PRIOR.process_sd**2 / 2


@pytest.mark.parametrize("law", ["normal", "preempted"])
@pytest.mark.parametrize("groups", [3, 4, 12, 60])
def test_the_spread_of_groups_is_found_from_few_and_from_heavy_tails(law: str, groups: int) -> None:
    """Differences within a process need no centre, and their median ignores outliers."""
    rng, found = np.random.default_rng(1), []
    for _ in range(200):
        logs = rng.normal(0.0, 0.04, (3, groups)) + rng.normal(0.0, 0.5, (3, 1))
        if law == "preempted":
            logs += np.where(rng.random(logs.shape) < 0.1, 2.0, 0.0)
        found.append(spread(list(logs), PRIOR).group_sd)
    assert statistics.median(found) == pytest.approx(0.04, rel=0.35)


@pytest.mark.parametrize("count", [*range(1, 13), 24, 25, 60])
def test_the_variance_of_a_median_is_known(count: int) -> None:
    medians = np.median(np.random.default_rng(count).normal(size=(40_000, count)), axis=1)
    assert median_variance(count) == pytest.approx(float(medians.var()), rel=0.06)


@pytest.mark.parametrize("count", [*range(1, 13), 24, 48])
def test_the_variance_of_a_figure_is_known(count: int) -> None:
    rows = np.random.default_rng(count).normal(size=(20_000, count))
    assert figure_variance(count) == pytest.approx(statistics.variance(map(figure_of, rows)), rel=0.06)
    assert count < 4 or figure_variance(count) < 0.93 * median_variance(count)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=12), st.sampled_from([-1e6, 1e6]))
def test_one_spoilt_group_does_not_move_a_figure_beyond_the_others(others: list[float], spoilt: float) -> None:
    assert min(others) - 1e-9 <= figure_of(np.array([*others, spoilt])) <= max(others) + 1e-9


@pytest.mark.parametrize(
    ("confidence", "dof", "known"),
    [(0.95, 1, 12.706), (0.95, 2, 4.303), (0.95, 5, 2.571), (0.95, 10, 2.228), (0.95, 30, 2.042), (0.99, 8, 3.355),
     (0.999, 6, 5.959), (0.5, 4, 0.741)],
)  # fmt: skip
def test_quantiles_of_students_t(confidence: float, dof: float, known: float) -> None:
    assert t_quantile(confidence, dof) == pytest.approx(known, rel=2e-3)
    assert t_quantile(confidence, dof + 0.05) >= t_quantile(confidence, dof + 1)


def test_a_spread_is_an_interval_around_its_centre() -> None:
    found = Spread(4, math.log(2.0), 0.01**2, 10.0, 0.0, 0.0, 0.02**2).estimate(0.95)
    assert found.ratio == pytest.approx(2.0)
    assert found.high / found.ratio == pytest.approx(found.ratio / found.low)
    assert found.half_width == pytest.approx(0.0223, abs=1e-4)


def test_one_slow_process_of_five_does_not_move_the_figure() -> None:
    honest = [process(1.5, noise=0.02, seed=i) for i in range(5)]
    for factor in (0.1, 0.5, 2.0, 10.0):
        slow = Process(honest[4].eager, tuple((a * factor, b * factor) for a, b in honest[4].candidate))
        found = estimate([*honest[:4], slow], **CONFIDENCE)
        assert found.ratio == pytest.approx(1.5, rel=0.02)
        assert found.half_width < 0.05


def test_one_slow_process_of_three_is_seen_in_the_interval() -> None:
    honest = [process(1.5, noise=0.02, seed=i) for i in range(3)]
    for factor in (0.1, 0.5, 2.0, 10.0):
        slow = Process(honest[2].eager, tuple((a * factor, b * factor) for a, b in honest[2].candidate))
        found = estimate([honest[0], honest[1], slow], **CONFIDENCE)
        assert found.low < 1.5 < found.high
        assert found.half_width > 0.05


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
    assert len({e.half_width for e in found}) == 1
    backwards = [Process(row.eager[::-1], row.candidate[::-1]) for row in rows]
    assert estimate(backwards, **CONFIDENCE).ratio == found[0].ratio


def test_more_confidence_is_a_wider_interval() -> None:
    rows = [process(1.2, noise=0.2, seed=i) for i in range(3)]
    widths = [estimate(rows, confidence=c, prior=PRIOR).half_width for c in (0.5, 0.8, 0.95, 0.99)]
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]


def test_disagreeing_processes_widen_the_interval() -> None:
    agreeing = [process(1.0, noise=0.02, seed=i) for i in range(3)]
    apart = [process(ratio, noise=0.02, seed=i) for i, ratio in enumerate((0.8, 1.0, 1.25))]
    assert estimate(apart, **CONFIDENCE).half_width > 5 * estimate(agreeing, **CONFIDENCE).half_width


@pytest.mark.parametrize("rows", [[], [Process((), ())], [process(1.0), Process((), ())], [process(1.0, groups=1)] * 3])
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
    found = ratio_of_medians([3.0, 30.0, 2.0], [1.0, 2.0, 50.0], confidence=0.95, resamples=500, seed=3)
    assert found.ratio == 1.5
    assert found.low <= found.ratio <= found.high
