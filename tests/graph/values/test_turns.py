"""From where on an input of integers leads to something else, beyond what was recorded."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from passnet.graph.values.turns import turns
from tests.graph.graph_helpers import graph_of, spec

BOUNDS: Any = {"dtype": "int64", "min_val": 0, "max_val": 255}


def found(*lines: str) -> dict[int, set[tuple[float, float]]]:
    """For each of two inputs from where on it does so in some elements, and whatever the other one is."""
    made = turns(graph_of([spec("p", 64, **BOUNDS), spec("k", 64, **BOUNDS), spec("x", 64)], *lines), Random(3))
    return {index: {(round(turn.first, 6), round(turn.surely, 6)) for turn in each} for index, each in made.items()}


@pytest.mark.parametrize(
    ("lines", "due"),
    [
        (("a = p + 1", "b = a.float()", "c = b / 128000", "d = c.clamp(min=1.0)", "return (d,)"), {127999}),
        (("c = p / 3.0", "d = c > 4000", "return (d,)"), {12000}),
        (("d = 300 - p", "c = d.clamp(min=0)", "return (c,)"), {300}),
        (("a = p / 8192", "c = torch.floor(a)", "return (c,)"), {8192}),
        (("a = p / 8192", "c = a.long()", "return (c,)"), {8192}),
        (("a = p / 8192", "c = torch.round(a)", "return (c,)"), {4096}),
        (("c = p // 8192", "return (c,)"), {8192}),
        (("c = torch.div(p, 8192, rounding_mode='floor')", "return (c,)"), {8192}),
        (("a = p * 1", "b = a.add_(100)", "c = a // 8192", "return (c,)"), {8092}),
        (("a = p * 1", "a[0] = 3", "c = a // 8192", "return (c,)"), {8192}),
        (("c = p % 8192", "return (c,)"), {8192}),
        (("c = p >> 10", "return (c,)"), {1024}),
        (("a = p / 8192", "b = torch.floor(a)", "c = b >= 3", "return (c,)"), {8192, 24576, 32768}),
        (("c = p // 8", "return (c,)"), set()),
        (("c = p.float()", "d = c.long()", "return (d,)"), set()),
        (("c = p > 100", "return (c,)"), set()),
        (("c = p == 1000", "return (c,)"), set()),
        (("c = p < 0", "return (c,)"), set()),
        (("a = p % 7", "c = a < 9", "return (c,)"), set()),
        (("a = p * x", "c = a > 1000", "return (c,)"), set()),
        (("t = torch.arange(64)", "c = t < p", "return (c,)"), set()),
    ],
)
def test_where_one_input_leads_to_something_else(lines: tuple[str, ...], due: set[float]) -> None:
    assert {first for first, _ in found(*lines).get(0, set())} == due


@pytest.mark.parametrize(
    ("lines", "due"),
    [
        (("a = p[:, None]", "d = a - k", "c = d >= 1024", "return (c,)"), {0: {(1024, 1279)}}),
        (("d = p - k", "c = d.clamp(-1000, 1023)", "return (c,)"), {0: {(1023, 1278)}, 1: {(1000, 1255)}}),
        (("d = p - k", "e = d.abs()", "c = e <= 512", "return (c,)"), {0: {(512, 767)}, 1: {(512, 767)}}),
        (("a = p - 512", "c = k > a", "return (c,)"), {0: {(512, 767)}}),
        (("a = p + k", "c = a > 1000", "return (c,)"), {0: {(745, 1000)}, 1: {(745, 1000)}}),
        (("d = p - k", "c = d >= 100", "return (c,)"), {}),
        (("c = k <= p", "return (c,)"), {}),
        (("a = p[1:]", "b = p[:-1]", "d = a - b", "c = d > 500", "return (c,)"), {}),
    ],
)
def test_what_two_inputs_lead_to(lines: tuple[str, ...], due: dict[int, set[tuple[float, float]]]) -> None:
    assert found(*lines) == due


def test_nothing_is_beyond_bounds_that_are_not_known() -> None:
    free = graph_of([spec("p", 64, dtype="int64"), spec("k", 64, **BOUNDS)], "d = k - p", "c = d > 999", "return (c,)")
    assert turns(free, Random(3)) == {}
