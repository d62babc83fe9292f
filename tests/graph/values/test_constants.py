"""What is the same in every call: literals, stored content, sizes, and what is computed of these."""

from __future__ import annotations

import math

import pytest
import torch

from passnet.graph.values.constants import constants, stored
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


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float16"])
def test_stored_numbers_of_narrow_dtypes(dtype: str) -> None:
    """What a dtype cannot hold is its largest number."""
    most = torch.finfo(getattr(torch, dtype)).max
    kept = stored(spec("k", 3, dtype=dtype, data=(0.5, -2.0, 1e30)))
    assert kept is not None
    assert kept.float().tolist() == [0.5, -2.0, most]
    graph = graph_of([spec("k", 3, dtype=dtype, data=(0.5, -2.0, 1e30))], "y = k.float()", "return (y,)")
    assert constants(graph)[0] == (0.5, -2.0, most)


def test_stored_infinities_stay() -> None:
    kept = stored(spec("k", 3, dtype="bfloat16", data=(math.inf, -math.inf, 1e39)))
    assert kept is not None
    assert kept.tolist() == [math.inf, -math.inf, torch.finfo(torch.bfloat16).max]
