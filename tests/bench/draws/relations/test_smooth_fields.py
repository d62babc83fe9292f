"""Floats resemble their neighbours where a graph mixes these."""

from __future__ import annotations

from itertools import repeat
from random import Random
from typing import Any

import pytest
import torch

from passnet.bench.draws.relations.smooth_fields import smooth_fields
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

EDGES = ("d = x - y", "z = torch.conv2d(d, weight)", "return (z,)")


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """The inputs of each draw."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual = len(given.draws)
    given.draws += smooth_fields(graph, repeat(given.draws[0]), Random(seed))
    draws = range(usual, len(given.draws))
    return [[each.clone().double() for each in given.values(given.key(draw))] for draw in draws]


def pictures(**fields: Any) -> Graph:
    specs = [spec("x", 2, 3, 64, 48, **fields), spec("y", 2, 3, 64, 48, **fields)]
    return graph_of([*specs, spec("weight", 8, 3, 3, 3, dtype=fields.get("dtype", "float32"), std=0.2)], *EDGES)


def resemblance(values: torch.Tensor, dim: int) -> float:
    """The correlation of neighbours along a dimension."""
    mean = values.mean((-2, -1), keepdim=True)
    centred = values - mean
    length = values.shape[dim] - 1
    pair = centred.narrow(dim, 0, length) * centred.narrow(dim, 1, length)
    return float(pair.mean() / centred.square().mean())


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_pictures_and_their_difference_are_smooth(dtype: str) -> None:
    for seed in range(4):
        (x, y, w), (a, b, _), (s, t, _) = drawn(pictures(dtype=dtype), seed)
        for each in (x, y, x - y):
            assert min(resemblance(each, dim) for dim in (-2, -1)) > 0.4
        assert max(resemblance(a - b, dim) for dim in (-2, -1)) > 0.4
        assert min(resemblance(s, dim) for dim in (-2, -1)) < -0.4 and not torch.equal(s, t)
        corners = torch.corrcoef(torch.stack([x.flatten(), y.flatten()]))
        assert abs(float(corners[0, 1])) < 0.3, "two inputs are fields of their own"
        taps = w.flatten(2)
        assert float(taps.mean(-1).square().mean()) < 1e-3 * float(taps.square().mean()), "filters of edges"


def test_values_are_the_usual_ones() -> None:
    for seed in range(4):
        for x, *_ in drawn(pictures(mean=0.5, std=0.3, min_val=0.0, max_val=1.0), seed):
            assert float(x.min()) >= 0 and float(x.max()) <= 1
            assert abs(float(x.mean()) - 0.5) < 0.05 and 0.2 < float(x.std()) < 0.35


def test_no_strip_is_larger_than_the_next() -> None:
    for seed in range(4):
        x = drawn(pictures(), seed)[0][0]
        strips = x.reshape(2, 3, 4, 16, 48).square().mean((-2, -1))
        assert float(strips.min()) > 0.5 and float(strips.max()) < 1.7


def test_channels_are_nearly_one_in_a_draw() -> None:
    for seed in range(4):
        first, one, _ = drawn(pictures(), seed)
        cosines = [float(torch.corrcoef(values[0][0].flatten(1))[0, 1]) for values in (first, one)]
        assert abs(cosines[0]) < 0.5 and cosines[1] > 0.8


def test_pictures_of_bytes_are_smooth_too() -> None:
    lines = ("a = x.float()", "b = a / 255", "z = torch.conv2d(b, weight)", "return (z,)")
    graph = graph_of(
        [spec("x", 1, 3, 32, 32, dtype="uint8", min_val=0, max_val=255), spec("weight", 8, 3, 3, 3)], *lines
    )
    first, _, turning = (x for x, _ in drawn(graph))
    assert resemblance(first, -1) > 0.4 > -0.4 > min(resemblance(turning, dim) for dim in (-2, -1))
    assert len(set(first.flatten().tolist())) > 100 and float(first.max()) <= 255


def test_rows_are_smooth_along_what_is_summed_up() -> None:
    graph = graph_of([spec("x", 64, 256)], "z = x.cumsum(0)", "return (z,)")
    for seed in range(4):
        (x,), (y,), (z,) = drawn(graph, seed)
        assert resemblance(x.t(), -1) > 0.4 and resemblance(y.t(), -1) > 0.4 > -0.4 > resemblance(z.t(), -1)
        assert abs(resemblance(x, -1)) < 0.2


def test_of_large_inputs_a_part_comes_again() -> None:
    graph = graph_of([spec("x", 8, 1 << 17)], "z = x.cumsum(-1)", "return (z,)")
    x = drawn(graph)[0][0]
    assert torch.equal(x[:2], x[2:4]) and not torch.equal(x[0], x[1])


@pytest.mark.parametrize(
    "lines", [("z = x.softmax(-1)", "return (z,)"), ("z = x @ y", "return (z,)"), ("z = x - y", "return (z,)")]
)
def test_other_graphs_pay_nothing(lines: tuple[str, ...]) -> None:
    graph, rng = graph_of([spec("x", 64, 64), spec("y", 64, 64)], *lines), Random(1)
    assert smooth_fields(graph, iter(()), rng) == [] and rng.random() == Random(1).random()


def test_what_is_stored_or_a_mask_is_left() -> None:
    graph = graph_of([spec("x", 64, dtype="bool"), spec("i", 64, dtype="int64")], "z = i.cumsum(-1)", "return (z, x)")
    assert drawn(graph) == []
