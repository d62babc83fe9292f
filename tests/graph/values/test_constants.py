"""What is the same in every call: literals, stored content, sizes, and what is computed of these."""

from __future__ import annotations

import math

import pytest

from passnet.graph.values.constants import constants
from tests.graph.graph_helpers import graph_of, spec


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("y = torch.tensor([777, 778])", (777, 778)),
        ("y = torch.full((), 777)", (777,)),
        ("y = torch.arange(3)", (0, 1, 2)),
        ("y = torch.linspace(-1, 1, 3)", (-1, 0, 1)),
        ("y = torch.full_like(x, 7.5)", (7.5,)),
        ("y = x.new_full((2,), -math_inf)".replace("math_inf", "float('inf')"), (-math.inf,)),
        ("y = edges * 2", (1, 5)),
        ("y = edges[1]", (2.5,)),
        ("y = x.size(1)", (8,)),
        ("y = torch.rand(3)", ()),
        ("y = x * 2", ()),
        ("y = torch.arange(10000000000)", ()),
        ("y = torch.empty(3)", ()),
        ("y = edges.to(torch.complex64)", ()),
    ],
)
def test_the_numbers_of_a_value(line: str, expected: tuple[float, ...]) -> None:
    line = line.replace("-float('inf')", "float('-inf')")
    graph = graph_of([spec("x", 4, 8), spec("edges", 2, data=(0.5, 2.5))], line, "return (y,)")
    assert constants(graph).get(2, ()) == expected


def test_several_steps_and_what_fails() -> None:
    lines = ["n = x.shape", "k = n[0]", "a = torch.arange(k)", "b = a.view(2, 2)", "c = b.view(3)", "y = b + 1"]
    found = constants(graph_of([spec("x", 4, 8)], *lines, "return (y,)"))
    assert found[2] == (4,) and found[4] == (0, 1, 2, 3)
