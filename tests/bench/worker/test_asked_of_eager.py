"""Of which numbers that are not finite eager makes other integers and booleans than of any finite ones."""

from __future__ import annotations

import math

import pytest

from passnet.bench.worker.asked_of_eager import asked_of_eager
from passnet.graph.values.finite import also_asked, asked
from tests.graph.graph_helpers import graph_of, spec

NAN, INF = {"nan"}, {"inf", "-inf"}


def found(*lines: str, dtype: str = "float32", **bounds: float) -> dict[int, set[str]]:
    graph = graph_of([spec("x", 32, 16, dtype=dtype, **bounds), spec("w", 32, 16, dtype=dtype)], *lines)
    made = asked_of_eager(graph, graph.module("cpu"), 7)
    return {index: set(map(str, numbers)) for index, numbers in made.items()}


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float64"])
@pytest.mark.parametrize(
    ("lines", "numbers"),
    [
        (["d = x - x", "y = d != 0"], NAN | INF),
        (["d = x * 0.0", "y = d != 0"], NAN | INF),
        (["d = x - x", "y = d.any(-1)"], NAN | INF),
        (["d = x * 0.0", "s = d.sum(-1)", "y = s == 0"], NAN | INF),
        (["d = x * 0.0", "y = d.argmax(-1)"], NAN | INF),
        (["d = x.clone()", "y = x != d"], NAN),
        (["d = x.view(16, 32)", "e = d.reshape(32, 16)", "y = x == e"], NAN),
        (["p = x < 0", "q = x >= 0", "y = p | q"], NAN),
        (["d = x - x", "m = d == 0", "y = torch.where(m, w, x)"], NAN | INF),
    ],
)
def test_ways_to_ask(lines: list[str], numbers: set[str], dtype: str) -> None:
    assert found(*lines, "return (y,)", dtype=dtype) == {0: numbers}


@pytest.mark.parametrize(
    "lines",
    [
        ["y = torch.relu(x)"],
        ["y = x.clamp(-1.0, 1.0)"],
        ["m = x > 0", "y = torch.where(m, x, w)"],
        ["m = x > -1e9", "y = torch.where(m, x, w)"],
        ["m = x < 1e30", "y = x.masked_fill(m, 0.0)"],
        ["s = x.abs()", "n = s.sum(-1, keepdim = True)", "m = n > 1e-12", "y = torch.where(m, x, w)"],
        ["q = torch.softmax(x, -1)", "m = q > 0.5", "y = q.masked_fill(m, 0.0)"],
        ["m = w == 0", "s = x.masked_fill(m, float('-inf'))", "y = torch.softmax(s, -1)"],
        ["n = x.amax(-1, keepdim = True)", "y = x == n"],
        ["y = x.argmax(-1)"],
        ["t = torch.topk(x, 3)", "y = t[1]"],
        ["y = torch.argsort(x, -1)"],
        ["t = torch.max(x, -1)", "y = t[1]"],
        ["y = x == w"],
        ["f = torch.floor(x)", "y = f.long()"],
        ["o = torch.ones(16, 16)", "t = torch.tril(o)", "m = t == 0", "d = x @ t", "y = m & m"],
    ],
)
def test_what_finite_numbers_change_is_not_asked(lines: list[str]) -> None:
    assert found(*lines, "return (y,)") == {}


def test_what_no_more_than_a_bound_decides_is_not_asked() -> None:
    assert found("y = x >= 0", "return (y,)", min_val=0.0, max_val=1.0) == {}


def test_the_inputs_that_come_into_it() -> None:
    made = found("d = w - w", "e = d != 0", "b = e.any()", "y = x.masked_fill(b, 0.0)", "return (y,)")
    assert made == {1: NAN | INF}


def test_what_was_seen_is_asked_beside_what_is_read() -> None:
    graph = graph_of([spec("x", 4, 8), spec("w", 4, 8)], "y = x == float('inf')", "return (y,)")
    also_asked(graph, [(0, math.nan), (0, math.inf), (1, -math.inf)])
    also_asked(graph, [(0, math.nan)])
    assert {index: set(map(str, numbers)) for index, numbers in asked(graph).items()} == {
        0: {"inf", "nan"}, 1: {"-inf"},
    }  # fmt: skip
