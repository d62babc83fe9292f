"""The arithmetic of comparisons: Student's t, Holm's correction, and an interval over tasks that holds what it says."""

from __future__ import annotations

import math
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.bench.timing.stats import t_quantile
from passnet.report.compare.statistics import clustered_mean, holm, two_sided


@pytest.mark.parametrize("dof", [1, 2, 3, 4, 7, 8, 11, 30, 201])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_p_values_are_the_inverse_of_quantiles(dof: int, level: float) -> None:
    assert two_sided(t_quantile(level, dof), 1.0, dof) == pytest.approx(1 - level, rel=2e-3)


def test_p_values_of_many_degrees_of_freedom_are_those_of_the_normal_distribution() -> None:
    expected = 2 * (1 - statistics.NormalDist().cdf(1.7))
    assert two_sided(1.7, 1.0, 100_000) == pytest.approx(expected, rel=1e-3)


def test_the_t_distribution_of_one_degree_of_freedom_is_cauchys() -> None:
    assert two_sided(3.0, 1.0, 1) == pytest.approx(1 - 2 / math.pi * math.atan(3.0))


def test_a_difference_without_spread_is_certain() -> None:
    assert two_sided(0.0, 0.0, 5) == 1.0
    assert two_sided(1e-6, 0.0, 5) == 0.0


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_never_lowers_and_keeps_the_order(p_values: list[float]) -> None:
    found = holm(p_values)
    assert all(p <= adjusted <= 1 for p, adjusted in zip(p_values, found, strict=True))
    ordered = [adjusted for _, adjusted in sorted(zip(p_values, found, strict=True))]
    assert ordered == sorted(ordered)
    assert min(found) == pytest.approx(min(1.0, min(p_values) * len(p_values)))


def test_equal_tasks_give_the_t_interval_over_their_means() -> None:
    values = {"a": [0.1, 0.3], "b": [0.0, 0.2], "c": [-0.1, 0.1], "d": [0.4, 0.0]}
    means = [statistics.mean(own) for own in values.values()]
    half = t_quantile(0.95, 3) * statistics.stdev(means) / math.sqrt(4)
    found = clustered_mean(values)
    assert (found.graphs, found.tasks) == (8, 4)
    assert found.mean == pytest.approx(statistics.mean(means))
    assert (found.low, found.high) == pytest.approx((found.mean - half, found.mean + half))


def test_one_task_has_no_interval() -> None:
    found = clustered_mean({"a": [0.1, 0.2, 0.3]})
    assert found.mean == pytest.approx(0.2)
    assert (found.low, found.high, found.p_value) == (None, None, None)


@given(st.dictionaries(st.text(max_size=3), st.lists(st.floats(-2, 2), min_size=1, max_size=5), min_size=2, max_size=8))
def test_the_interval_holds_1_exactly_when_the_p_value_is_not_below_5_percent(values: dict[str, list[float]]) -> None:
    found = clustered_mean(values)
    assert found.low is not None and found.high is not None and found.p_value is not None
    assert found.low <= found.mean <= found.high
    if abs(found.p_value - 0.05) > 1e-4:
        assert (found.low <= 0 <= found.high) == (found.p_value > 0.05)


def simulated(rng: random.Random, sizes: list[int], effect: float) -> dict[str, list[float]]:
    """Log ratios whose graphs move together within a task."""
    tasks = {}
    for task, size in enumerate(sizes):
        common = rng.gauss(0.0, 0.05)
        tasks[str(task)] = [effect + common + rng.gauss(0.0, 0.03) for _ in range(size)]
    return tasks


def covered(sizes: list[int], *, flat: bool = False) -> float:
    """How often the interval holds the true value. `flat`: as if each graph were a task of its own."""
    rng, hits, rounds, effect = random.Random(7), 0, 1500, 0.02
    for _ in range(rounds):
        values = simulated(rng, sizes, effect)
        if flat:
            values = {f"{task}/{at}": [one] for task, own in values.items() for at, one in enumerate(own)}
        found = clustered_mean(values)
        assert found.low is not None and found.high is not None
        hits += found.low <= effect <= found.high
    return hits / rounds


@pytest.mark.parametrize(
    "sizes", [[6] * 3, [6] * 5, [6] * 20, [6] * 60, [1, 2, 3, 4, 5, 6, 7, 8], [1] * 10 + [10] * 10], ids=str
)
def test_the_interval_covers_the_truth_as_often_as_it_says(sizes: list[int]) -> None:
    assert 0.93 <= covered(sizes) <= 0.98


def test_without_tasks_the_interval_would_cover_too_seldom() -> None:
    assert covered([6] * 20, flat=True) < 0.85
