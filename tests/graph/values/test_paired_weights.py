"""Weights of one shape behind both values whose rows are multiplied with each other."""

from __future__ import annotations

import pytest

from passnet.graph.values.paired_weights import paired_weights
from tests.graph.graph_helpers import graph_of, spec

F = "torch.nn.functional."
SCORES = ("t = b.t()", "z = a @ t")


@pytest.mark.parametrize(
    ("shapes", "body", "expected"),
    [
        ([(4, 8), (4, 8)], (f"a = {F}linear(x, w_1)", f"b = {F}linear(y, w_2)", *SCORES), [(2, 3)]),
        ([(4, 8), (5, 8)], (f"a = {F}linear(x, w_1)", f"b = {F}linear(y, w_2)",
          "c = a.sum(-1)", "d = b.sum(-1)", "z = c * d"), []),
        ([(4, 8), (4, 8)], (f"a = {F}linear(x, w_1)", f"b = {F}linear(x, w_2)", *SCORES), [(2, 3)]),
        ([(4, 8), (4, 8)], (f"a = {F}linear(x, w_1)", f"b = {F}linear(y, w_1)", *SCORES), []),
        ([(4, 8), (8, 8), (4, 8), (8, 8)],
         (f"c = {F}linear(x, w_2)", f"d = {F}linear(y, w_4)", f"a = {F}linear(c, w_1)", f"b = {F}linear(d, w_3)",
          *SCORES),
         [(3, 5), (2, 4)]),
        ([(4, 8), (4, 8), (4, 8)],
         (f"a = {F}linear(x, w_1)", f"b = {F}linear(x, w_2)", f"c = {F}linear(x, w_3)", "q = a.view(1, 1, 6, 4)",
          "k = b.view(1, 1, 6, 4)", "v = c.view(1, 1, 6, 4)", f"z = {F}scaled_dot_product_attention(q, k, v)"),
         [(2, 3)]),
    ],
)  # fmt: skip
def test_weights_are_paired_in_the_order_of_their_use(
    shapes: list[tuple[int, ...]], body: tuple[str, ...], expected: list[tuple[int, int]]
) -> None:
    weights = [spec(f"w_{number}", *shape) for number, shape in enumerate(shapes, start=1)]
    graph = graph_of([spec("x", 6, 8), spec("y", 6, 8), *weights], *body, "return (z,)")
    assert paired_weights(graph) == expected
