"""The careful draws of data whose mean is many of its deviations."""

from __future__ import annotations

import math
from itertools import repeat
from random import Random

import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.sizes.common_offsets import common_offsets
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec


def drawn(graph: Graph, seed: int) -> list[list[torch.Tensor]]:
    """A call of each draw."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual, made = len(given.draws), common_offsets(graph, repeat(given.draws[0]), Random(seed))
    given.draws += made
    return [
        [value.clone().double() for value in given.values(given.key(usual + number))] for number in range(len(made))
    ]


def mean_in_deviations(values: torch.Tensor) -> float:
    return float(values.mean() / values.std())


def test_means_of_all_sizes_between_three_and_ninety_deviations_on_both_sides() -> None:
    graph, met = graph_of([spec("x", 64, 64)], "y = x.softmax(-1)", "return (y,)"), []
    for seed in range(12):
        calls = [mean_in_deviations(x) for (x,) in drawn(graph, seed)]
        powers = [math.log2(abs(mean)) for mean in calls]
        assert len(powers) == 3 and powers == sorted(powers)
        assert all(1.4 + 5 / 3 * place < power < 1.6 + 5 / 3 * (place + 1) for place, power in enumerate(powers))
        met += calls
    assert min(met) < -45 and max(met) > 45


def test_inputs_lie_on_one_side_or_on_both() -> None:
    graph = graph_of([spec("x", 64, 64), spec("y", 64, 64)], "z = x - y", "return (z,)")
    sides = [math.copysign(1, x.mean() * y.mean()) for seed in range(12) for x, y in drawn(graph, seed)]
    assert 0 < sides.count(-1) < sides.count(1)


def test_narrow_dtypes_keep_digits_and_bounds_hold() -> None:
    graph = graph_of([spec("x", 64, 64, dtype="bfloat16"), spec("p", 64, 64, min_val=0.0)], "y = x * p", "return (y,)")
    for seed in range(6):
        for x, p in drawn(graph, seed):
            assert abs(mean_in_deviations(x)) < 4.5 and x.unique().numel() > 16
            assert float(p.min()) >= 0.0
