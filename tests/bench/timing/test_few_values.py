"""The careful draw of few numbers that all floats share."""

from __future__ import annotations

from random import Random

import pytest
import torch

from passnet.bench.timing.draws import InputSource, SecretInputs
from passnet.bench.timing.few_values import few_values
from passnet.graph import Graph, TensorSpec
from tests.graph.graph_helpers import graph_of, spec


def drawn(graph: Graph, seed: int = 3, count: int = 8) -> list[list[torch.Tensor]]:
    """Calls of the draw. None where there is none."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    given.draws += few_values(graph, given.draws[0], Random(seed))
    draws = given.timed + given.careful
    if len(given.draws) == len(draws):
        return []
    return [[value.clone() for value in given.values(given.key(len(given.draws) - 1))] for _ in range(count)]


@pytest.mark.parametrize("shape", [(64, 32), (2, 4), (1, 8), (8,), (3, 2, 5)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "float8_e5m2"])
def test_numbers_tie_in_rows_and_between_inputs_whatever_their_shape(shape: tuple[int, ...], dtype: str) -> None:
    specs = [spec("x", *shape, dtype=dtype), spec("y", *shape, dtype=dtype)]
    calls = [call for seed in range(6) for call in drawn(graph_of(specs, "z = x.float()", "return (z, y)"), seed)]
    x, y = (torch.stack(each).double() for each in zip(*calls, strict=True))
    assert bool((x * 2 == (x * 2).round()).all()) and float(x.abs().max()) <= 5.0
    assert bool((x == y).flatten(1).any(1).float().mean() > 0.7), "nearly every call has equal numbers"
    assert {-2.0, -1.0, -0.5, 0.5, 1.0, 2.5} <= {*x.unique().tolist(), *y.unique().tolist()}
    zeros = torch.cat([x, y]).flatten()
    zeros = zeros[zeros == 0]
    assert bool(torch.signbit(zeros).any()) and not bool(torch.signbit(zeros).all())


def test_the_largest_numbers_of_a_long_row_are_few() -> None:
    """A form may treat ties at the top of a row apart."""
    for (x,) in drawn(graph_of([spec("x", 16, 1000)], "y = x.topk(50)", "z = y[0]", "return (z,)")):
        top, kth = x.amax(-1), x.topk(50).values[:, -1]
        ties = (x == kth[:, None]).sum(-1) > 1
        assert bool((ties & (top > kth)).any())


def test_bounds_hold_and_their_ends_are_among_the_numbers() -> None:
    specs = [
        spec("x", 64, 8, min_val=1.0, max_val=640.0),
        spec("p", 64, 8, min_val=0.0, max_val=1.0),
        spec("far", 64, 8, min_val=200.25, max_val=300.5),
        spec("one", 1),
    ]
    graph = graph_of(specs, "a = x * p", "b = far * one", "return (a, b)")
    calls = drawn(graph)
    x, p, far, one = (torch.cat([value.flatten() for value in each]) for each in zip(*calls, strict=True))
    assert float(x.min()) == 1.0 and float(x.max()) == 640.0
    assert set(p.tolist()) == {0.0, 0.5, 1.0} and not bool(torch.signbit(p).any())
    assert float(far.min()) == 200.25 and float(far.max()) == 300.5 and 201.0 in far
    assert bool((one != 0).all())


def test_what_is_no_plain_float_is_as_usual() -> None:
    specs = [
        spec("x", 8, 8),
        spec("mask", 8, 8, mean=-1e38, std=1e38),
        spec("running_var", 8, mean=1.0, std=0.1, min_val=0),
        spec("k", 8, data=(0.25,) * 8),
        spec("n", 8, dtype="int64"),
    ]
    graph = graph_of(specs, "a = x + mask", "b = torch.rsqrt(running_var)", "c = a * b", "d = c * k", "return (d, n)")
    assert _changed(graph) == {0}


def test_a_step_behind_a_rounding_meets_no_exact_numbers() -> None:
    graph = graph_of([spec("x", 8, 8), spec("z", 8, 8)], "a = x * 0.3", "y = torch.floor(a)", "return (y, z)")
    assert _changed(graph) == {1}


@pytest.mark.parametrize(
    ("size", "line", "drawn"),
    [
        (3, "y = torch.nn.functional.layer_norm(x, (3,))", False),
        (3, "y = x.var(-1)", False),
        (3, "y = x.sum(-1)", True),
        (512, "y = torch.nn.functional.layer_norm(x, (512,))", True),
    ],
)
def test_no_row_of_equal_numbers_is_normalised(size: int, line: str, drawn: bool) -> None:
    assert bool(_changed(graph_of([spec("x", 64, size)], line, "return (y,)"))) is drawn


def _changed(graph: Graph) -> set[int]:
    usual = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0).draws[0]
    rows: list[list[InputSource]] = few_values(graph, usual, Random(3))
    specs: tuple[TensorSpec, ...] = graph.specs
    return {index for row in rows for index in range(len(specs)) if row[index] is not usual[index]}
