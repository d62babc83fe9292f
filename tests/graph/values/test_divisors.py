"""What a graph divides by: which inputs, and products of how many numbers."""

from __future__ import annotations

import pytest

from passnet.graph.values.divisors import degree_of_divisors, stored_divisors
from tests.graph.graph_helpers import graph_of, spec


@pytest.mark.parametrize(
    ("lines", "degree"),
    [
        (["y = x * z"], 0),
        (["y = x / 3.0"], 0),
        (["y = x / z"], 1),
        (["a = x * z", "y = x / a"], 2),
        (["a = x * z", "b = a * x", "c = b.sum()", "y = x / c"], 3),
        (["a = x.square()", "b = a.sum(-1)", "c = b.sqrt()", "y = z / c"], 1),
        (["a = x ** 4", "y = z / a"], 4),
        (["a = x * z", "b = a + 1e-06", "y = x / b"], 0),
        (["a = x * z", "b = torch.add(a, z, alpha = 2)", "y = x / b"], 2),
        (["a = x * z", "b = a.clamp(min = 1e-06)", "y = x / b"], 0),
        (["a = x * z", "b = a.clamp(max = 6.0)", "y = x / b"], 2),
        (["a = x * z", "b = torch.exp(a)", "y = x / b"], 0),
        (["a = x * z", "y = torch.log(a)"], 2),
    ],
)
def test_of_how_many_numbers_a_divisor_is_the_product(lines: list[str], degree: float) -> None:
    graph = graph_of([spec("x", 8, 8), spec("z", 8, 8)], *lines, "return (y,)")
    assert degree_of_divisors(graph, {0, 1}) == degree


def test_stored_integers_by_which_something_is_divided() -> None:
    counts, marks = (spec(name, 4, dtype="int64", data=(1, 2, 3, 4)) for name in ("n", "m"))
    some = spec("some", 4, dtype="int64", data=(0, 1, 1, 1))
    lines = ["f = n.float()", "a = x / f", "b = a * m", "y = b / some"]
    assert stored_divisors(graph_of([spec("x", 8, 4), counts, marks, some], *lines, "return (y,)")) == {1}
