"""The numbers of a program with which an input is compared."""

from __future__ import annotations

import pytest

from passnet.graph import TensorSpec
from passnet.graph.values.thresholds import Threshold, exponents, thresholds
from tests.graph.graph_helpers import graph_of, spec

_X = spec("x", 4, 8)
_IDS = spec("x", 4, 8, dtype="int64", min_val=0, max_val=99)


def exact(*values: float) -> tuple[Threshold, ...]:
    return tuple(Threshold(value, exact=True) for value in values)


def about(*values: float) -> tuple[Threshold, ...]:
    return tuple(Threshold(value, exact=False) for value in values)


@pytest.mark.parametrize(
    ("given", "lines", "expected"),
    [
        (_IDS, ["y = x == 7"], exact(7)),
        (_IDS, ["a = x.view(-1)", "b = a - 3", "y = b > 20"], exact(23)),
        (_IDS, ["a = x + 0.5", "y = a > 20.5"], about(20)),
        (_X, ["a = x.unsqueeze(0)", "b = a.float()", "y = b < 1e5"], exact(1e5)),
        (_X, ["a = -x", "y = a.clamp(min=-7.0, max=9.0)"], exact(7, -9)),
        (_X, ["a = x * 0.5", "y = torch.clamp(a, -4.0, 4.0)"], about(-8, 8)),
        (_X, ["a = torch.tanh(x)", "y = a > 0.9"], about(0.9)),
        (_X, ["a = x.to(torch.float16)", "y = a > 0.9"], about(0.9)),
        (_X, ["a = x > 0.5", "b = a.float()", "y = b > 0.25"], exact(0.5)),
        (_X, ["y = torch.bucketize(x, edges)"], exact(0.5, 2.5)),
        (_X, ["y = torch.searchsorted(edges, x)"], exact(0.5, 2.5)),
        (_X, ["y = torch.clamp(x, least, None)"], exact(-3)),
        (_X, ["y = x.clamp(min=-float('inf'))"], None),
        (_X, ["y = x * 3.0"], None),
    ],
)
def test_what_an_input_is_compared_with(
    given: TensorSpec, lines: list[str], expected: tuple[Threshold, ...] | None
) -> None:
    specs = [given, spec("edges", 2, data=(0.5, 2.5)), spec("least", data=(-3.0,))]
    found = thresholds(graph_of(specs, *lines, "return (y,)"))
    assert found == ({} if expected is None else {0: expected})


def test_both_sides_of_a_sum_are_only_about_there() -> None:
    specs = [spec("x", 4), spec("w", 4)]
    found = thresholds(graph_of(specs, "a = x * w", "y = torch.clamp(a, max=1e4)", "return (y,)"))
    assert found == {0: about(1e4), 1: about(1e4)}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["y = x.softmax(-1)"], {0: 1.0}),
        (["a = x / -4.0", "b = a + 3.0", "y = torch.exp(b)"], {0: -0.25}),
        (["a = x * 2.0", "y = torch.nn.functional.softmin(a, -1)"], {0: -2.0}),
        (["a = x.view(-1)", "b = torch.exp(a)", "c = x * 8.0", "y = torch.logsumexp(c, -1)"], {0: 8.0}),
        (["a = -x", "b = a.exp()", "y = x.exp()"], {}),
        (["a = torch.tanh(x)", "y = a.exp()"], {}),
        (["a = x + edges", "y = a.exp()"], {}),
        (["a = x.exp()", "y = a.softmax(-1)"], {}),
        (["y = torch.sigmoid(x)"], {}),
    ],
)
def test_what_comes_into_an_exponential_as_a_linear_function_of_itself(
    lines: list[str], expected: dict[int, float]
) -> None:
    assert exponents(graph_of([_X, spec("edges", 8)], *lines, "return (y,)")) == expected
