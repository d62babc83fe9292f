"""The careful draw of rows that are opposite to those of other inputs, multiples of them, or sums of two others."""

from __future__ import annotations

from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.relations.related_rows import related_rows
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.sizes.cancelling_levels import cancelling_levels, sums_of
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec


def drawn(graph: Graph, seed: int = 3) -> list[torch.Tensor]:
    """A call of the draw of rows."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    made = related_rows(graph, given.draws[0], Random(seed))
    given.draws += made
    return [value.clone() for value in given.values(given.key(len(given.draws) - len(made)))]


def share(rows: torch.Tensor) -> float:
    """The share of rows in which all is so."""
    return float(rows.flatten(1).all(1).double().mean())


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_rows_are_equal_or_opposite(dtype: str) -> None:
    specs = [spec("x", 512, 48, dtype=dtype), spec("y", 512, 48, dtype=dtype)]
    x, y = drawn(graph_of(specs, "z = x * y", "return (z,)"))
    assert 0.2 < share(x == y) < 0.55 and 0.2 < share(x == -y) < 0.55
    assert share((x != y) & (x != -y) | (x == 0)) > 0.1, "some are as they are drawn"
    assert float(x.double().std()) > 0.1 and float((x[:, :-1] != x[:, 1:]).double().mean()) > 0.9


def test_what_is_scaled_first_cancels() -> None:
    specs = [spec("x", 512, 32), spec("y", 512, 32)]
    for lines in (("c = y * 0.25", "z = x - c"), ("z = torch.sub(x, y, alpha = 0.25)",)):
        x, y = drawn(graph_of(specs, *lines, "return (z,)"))
        assert 0.05 < share(x == y * 0.25) < 0.5 and 0.05 < share(x == y * -0.25) < 0.5
        assert share(x == y) > 0.03


def test_each_of_three_is_the_sum_of_the_others() -> None:
    specs = [spec(name, 512, 32) for name in "xyz"]
    x, y, z = drawn(graph_of(specs, "a = x + y", "b = a - z", "return (b,)"))
    for one, two, three in ((x, y, z), (x, z, y), (y, z, x)):
        assert 0.03 < share(one + two == three) < 0.3


def test_chances_add_up_to_one_and_bounds_hold() -> None:
    bounds = {"mean": 0.5, "std": 0.25, "min_val": 0, "max_val": 1}
    x, y, low = drawn(
        graph_of(
            [spec("x", 512, 16, **bounds), spec("y", 512, 16, **bounds), spec("low", 512, 16, min_val=0)],
            "a = x + y", "b = a * low", "return (b,)",
        )
    )  # fmt: skip
    assert share((x + y - 1).abs() < 1e-6) > 0.1 and share(x == y) > 0.1
    for each in (x, y, low):
        assert float(each.min()) >= 0 and float(each[:, :].max()) <= 8
    assert float(x.max()) <= 1 and float(y.max()) <= 1


def test_complex_rows_are_conjugate() -> None:
    specs = [spec("x", 512, 16, dtype="complex64"), spec("y", 512, 16, dtype="complex64")]
    x, y = drawn(graph_of(specs, "z = x * y", "return (z,)"))
    for other in (y, -y, y.conj(), -y.conj()):
        assert 0.08 < share(x == other) < 0.35


def test_some_samples_are_opposite_as_a_whole() -> None:
    graph = graph_of([spec("x", 256, 8, 16), spec("y", 256, 8, 16)], "z = x * y", "return (z,)")
    x, y = drawn(graph)
    assert 0.05 < share(x == -y) < 0.3 and 0.05 < share((x == -y).flatten(0, 1)) < 0.6


def test_one_input_has_nothing_to_be_related_to() -> None:
    for graph in (
        graph_of([spec("x", 8, 16)], "z = x * 2.0", "return (z,)"),
        graph_of([spec("x", 8, 16), spec("y", 8, 12)], "z = x * 2.0", "return (z, y)"),
        graph_of([spec("x", 8, 1), spec("y", 8, 1)], "z = x * y", "return (z,)"),
    ):
        given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
        assert related_rows(graph, given.draws[0], Random(3)) == []


def test_sums_are_found_whole() -> None:
    specs = [spec(name, 8, 16) for name in "xyz"]
    graph = graph_of(
        specs, "a = x + y", "b = a.unsqueeze(1)", "c = z * 0.5", "d = b - c", "e = torch.add(x, y, alpha = 3)",
        "f = x * y", "g = f + z", "h = d * f", "return (h, e, g)",
    )  # fmt: skip
    assert [each for each in sums_of(graph) if len(each) > 1] == [{0: 1.0, 1: 1.0, 2: -0.5}, {0: 1.0, 1: 3.0}]


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_levels_cancel_in_every_element(dtype: str) -> None:
    specs = [spec(name, 64, 32, dtype=dtype) for name in "xyz"]
    lines = ("a = x + y", "c = z * 0.5", "b = a - c", "d = x - y", "e = b * d", "return (e,)")
    graph = graph_of(specs, *lines)
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    made = cancelling_levels(graph, repeat(given.draws[0]), Random(3))
    assert len(made) == 1, "of a difference there is none"
    given.draws += made
    x, y, z = (value.double() for value in given.values(given.key(1)))
    level = {"float32": 64, "float16": 16, "bfloat16": 2}[dtype]
    assert all(float(each.mean().abs()) > level for each in (x, y, z))
    assert float((x + y - z * 0.5).abs().max()) < 20 and float((x + y - z * 0.5).std()) > 0.5
    bounded = graph_of([spec("x", 8, 16, min_val=0), spec("y", 8, 16, min_val=0)], "z = x + y", "return (z,)")
    given = SecretInputs.draw(bounded, "cpu", 3, ["normal"], hard=0)
    assert cancelling_levels(bounded, repeat(given.draws[0]), Random(3)) == []
