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
        (_IDS, ["y = torch.eq(x, other=7)"], exact(7)),
        (_IDS, ["y = torch.eq(other=7, input=x)"], exact(7)),
        (_IDS, ["y = x.__eq__(7)"], exact(7)),
        (_IDS, ["y = torch.ops.aten.eq.Scalar(x, 7)"], exact(7)),
        (_IDS, ["a = torch.tensor([7, 9])", "y = torch.isin(x, a)"], exact(7, 9)),
        (_IDS, ["a = torch.tensor([7, 9])", "y = torch.isin(a, x)"], exact(7, 9)),
        (_IDS, ["a = torch.full((), 7)", "y = x == a"], exact(7)),
        (_IDS, ["a = torch.arange(7, 9)", "b = a + 1", "y = torch.isin(x, b)"], exact(8, 9)),
        (_IDS, ["a = x - 7", "y = a.bool()"], exact(7)),
        (_IDS, ["a = 7 - x", "y = a.to(torch.bool)"], exact(7)),
        (_IDS, ["a = x ^ 7", "y = torch.logical_not(a)"], exact(7)),
        (_IDS, ["a = torch.sub(x, 3, alpha=2)", "y = a == 1"], exact(7)),
        (_IDS, ["a = torch.tensor(7)", "b = x * a", "y = b == 21"], exact(3)),
        (_IDS, ["a = torch.arange(100)", "y = x == a"], None),
        (_X, ["a = torch.arange(100)", "y = torch.bucketize(x, a)"], exact(*range(100))),
        (_X, ["a = x.long()", "y = a == 7"], exact(7, 8)),
        (_X, ["a = torch.floor(x)", "y = a == 7"], exact(7, 8)),
        (_X, ["y = torch.nn.functional.hardshrink(x, 0.25)"], exact(0.25, -0.25)),
        (_X, ["y = torch.histc(x, 64, -1.0, 1.0)"], exact(-1, 1)),
        (_X, ["y = torch.histc(x, 64)"], None),
        (_X, ["y = torch.logit(x, 0.25)"], exact(0.25, 0.75, 0, 1)),
        (_X, ["y = torch.nn.functional.hinge_embedding_loss(least, x)"], exact(1, -1)),
        (_X, ["y = torch.max(x, least)"], exact(-3)),
        (_X, ["y = x.max(-1)"], None),
        (_X, ["y = torch.nn.functional.dropout(x, 0.5)"], None),
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


@pytest.mark.parametrize(
    ("call", "mark"),
    [
        ("cross_entropy(x, i)", -100),
        ("cross_entropy(x, i, None, None, 3)", 3),
        ("cross_entropy(x, target=i, ignore_index=3)", 3),
        ("nll_loss(x, i, ignore_index=3)", 3),
        ("multilabel_margin_loss(x, j)", -1),
        ("embedding_bag(j, w, padding_idx=3)", None),
    ],
)
def test_the_label_that_is_left_out_is_found_wherever_it_stands(call: str, mark: int | None) -> None:
    specs = [spec("x", 4, 8), spec("i", 4, dtype="int64"), spec("j", 4, 8, dtype="int64"), spec("w", 9, 5)]
    found = thresholds(graph_of(specs, f"y = torch.nn.functional.{call}", "return (y,)"))
    (known,) = found.values()
    assert known == ((Threshold(mark, exact=True, mark=True),) if mark is not None else exact(3))


def test_a_padding_that_is_counted_from_the_end_is_found() -> None:
    specs = [spec("j", 4, 8, dtype="int64"), spec("w", 9, 5)]
    line = "y = torch.nn.functional.embedding_bag(j, w, padding_idx=-2)"
    (known,) = thresholds(graph_of(specs, line, "return (y,)")).values()
    assert known == exact(7)


def test_many_numbers_may_lead_to_one() -> None:
    graph = graph_of([_IDS], "a = x // 10", "y = a == 3", "return (y,)")
    (known,) = thresholds(graph).values()
    assert {30.0, 39.0} <= {each.value for each in known} <= set(range(30, 40))
