"""Of which inputs a graph asks whether their numbers are finite."""

from __future__ import annotations

import math

import pytest

from passnet.graph.values.finite import NOT_FINITE, asked
from tests.graph.graph_helpers import graph_of, spec

_LARGEST = "3.4028234663852886e+38"
INF = math.inf


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["y = torch.isnan(x)"], set(NOT_FINITE)),
        (["y = x != x"], {math.nan}),
        (["y = torch.fmax(x, x)"], {math.nan}),
        (["y = x == float('-inf')"], {-INF}),
        (["a = -x", "y = a == float('-inf')"], {INF}),
        (["a = x.abs()", "y = a.eq(other=float('inf'))"], {INF, -INF}),
        (["a = torch.full((), float('inf'))", "y = x == a"], {INF}),
        (["a = torch.tanh(x)", "y = a == float('inf')"], {INF, -INF}),
        ([f"y = x > {_LARGEST}"], {INF}),
        ([f"y = {_LARGEST} >= x"], {INF}),
        ([f"y = x < -{_LARGEST}"], {-INF}),
        ([f"y = x >= {_LARGEST}"], set()),
        ([f"y = x == -{_LARGEST}"], set()),
        (["y = x.clamp(min=float('-inf'))"], set()),
        (["y = x == w"], set()),
        (["y = x * 2"], set()),
    ],
)
def test_the_numbers_that_are_asked_for(lines: list[str], expected: set[float]) -> None:
    found = asked(graph_of([spec("x", 4, 8), spec("w", 4, 8)], *lines, "return (y,)"))
    assert {str(number) for number in found.get(0, ())} == {str(number) for number in expected}
    assert found.get(1, ()) in ((), NOT_FINITE)
