"""Careful draws in which rows have sizes of their own."""

from __future__ import annotations

import math
from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.sizes.row_sizes import sizes
from tests.graph.graph_helpers import graph_of, spec

_AREA = ["w = b - a", "h = d - c", "area = w * h"]


@pytest.mark.parametrize(
    ("lines", "small"),
    [
        ([*_AREA, "y = area * 2.0"], True),
        ([*_AREA, "e = area + 1e-06", "y = a / e"], True),
        ([*_AREA, "y = a / area"], False),
        ([*_AREA, "i = torch.zeros_like(area)", "u = area - i", "y = i / u"], False),
    ],
)
def test_products_by_which_a_graph_divides_are_normal_numbers(lines: list[str], small: bool) -> None:
    """A division by a subnormal number is infinite where a compiler multiplies by its inverse: 0 / area was NaN."""
    graph = graph_of([spec(name, 256, 16, mean=0.5, std=0.25) for name in "abcd"], *lines, "return (y,)")
    least = math.inf
    for seed in range(4):
        given = SecretInputs.draw(graph, "cpu", seed, ["normal", "small"], hard=0)
        made = sizes(graph, repeat(given.draws[1]), Random(seed))
        first = len(given.draws)
        given.draws += made
        for draw in range(first, len(given.draws)):
            a, b, c, d = given.values(given.key(draw))
            area = ((b - a) * (d - c)).abs()
            least = min(least, float(area[area > 0].min()))
    assert (least < torch.finfo(torch.float32).tiny) is small
