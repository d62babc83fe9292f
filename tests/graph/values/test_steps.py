"""Which inputs may hold few exact numbers: none of which a rounded value meets a step."""

from __future__ import annotations

import pytest

from passnet.graph.values.steps import rounded_before_steps
from tests.graph.graph_helpers import graph_of, spec

STEADY = {
    "a floor": ["y = torch.floor(x)"],
    "a floor of an exact product": ["a = x * 0.5", "b = a + 1.5", "y = torch.floor(b)"],
    "a quotient by a half": ["y = torch.div(x, 0.5, rounding_mode = 'floor')"],
    "two inputs": ["y = x >= z"],
    "a number of the program": ["y = x > 0.3"],
    "the largest": ["m = x.amax(-1, keepdim = True)", "y = x == m"],
    "the largest of rounded numbers": ["a = x / 0.7", "m = a.amax(-1, keepdim = True)", "y = a == m"],
    "no step": ["a = x * 0.3", "y = torch.exp(a)"],
    "after a step": ["a = torch.floor(x)", "b = a * 0.3", "y = torch.tanh(b)"],
    "a sign that is copied": ["y = torch.copysign(x, z)"],
}
ROUNDED = {
    "a floor of a product": (["a = x * 0.3", "y = torch.floor(a)"], {0}),
    "a rounded quotient": (["a = x / 0.05", "y = torch.round(a)"], {0}),
    "a remainder": (["a = z - 0.1", "y = torch.remainder(a, 1.0)"], {1}),
    "an integer": (["a = torch.exp(z)", "y = a.to(torch.int32)"], {1}),
    "by another input": (["a = x * w", "y = torch.floor(a)"], {0, 2}),
    "a rounded and an exact one": (["a = torch.sin(x)", "y = a > z"], {0}),
    "two that round apart": (["a = torch.sin(x)", "b = torch.cos(x)", "y = a > b"], {0}),
    "a product in its place": (["x *= 0.3", "a = x", "y = torch.floor(a)"], {0}),
}
SPECS = [spec("x", 4, 8), spec("z", 4, 8), spec("w", 4, 8)]


@pytest.mark.parametrize("case", STEADY)
def test_exact_numbers_meet_steps(case: str) -> None:
    assert rounded_before_steps(graph_of(SPECS, *STEADY[case], "return (y,)"), {0, 1}) == set()


@pytest.mark.parametrize("case", ROUNDED)
def test_rounded_numbers_meet_none(case: str) -> None:
    lines, found = ROUNDED[case]
    assert rounded_before_steps(graph_of(SPECS, *lines, "return (y,)"), {0, 1}) == found
