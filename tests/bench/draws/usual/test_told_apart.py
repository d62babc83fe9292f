"""What chooses in any order among equal numbers, or inverts what may have no inverse, is given no number twice."""

from __future__ import annotations

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.distinct import distinct
from tests.graph.graph_helpers import graph_of, spec

ROWS = [spec("x", 32, 64), spec("y", 32, 64)]
HIDDEN = ["t = torch.topk(s, 4, dim = -1)", "i = t[1]", "o = torch.gather(y, 1, i)", "return (o,)"]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["s = x.sigmoid()", *HIDDEN], {0}),
        (["s = x.softmax(-1)", *HIDDEN[:-1], "return (o, i)"], set()),
        (["s = x.softmax(-1)", *HIDDEN[:-1], "j = i.to(torch.int32)", "return (o, j)"], set()),
        (["z = y.t()", "s = torch.matmul(x, z)", "t = torch.topk(s, 4, dim = -1)", *HIDDEN[1:]], set()),
        (["i = x.argsort(-1)", "o = torch.gather(y, 1, i)", "return (o,)"], {0}),
        (["i = torch.argsort(x, dim = -1, stable = True)", "o = torch.gather(y, 1, i)", "return (o,)"], set()),
        (["i = x.argmax(-1, keepdim = True)", "o = torch.gather(y, 1, i)", "return (o,)"], set()),
        (["t = torch.topk(x, 4)", "o = t[0]", "return (o,)"], set()),
        (["a = x.view(8, 16, 16)", "k = torch.linalg.inv(a)", "return (k, y)"], {0}),
        (["a = x.view(8, 16, 16)", "b = y.view(8, 16, 16)", "k = torch.linalg.solve(a, b)", "return (k,)"], {0, 1}),
    ],
)
def test_the_inputs_are_found(lines: list[str], found: set[int]) -> None:
    assert distinct(graph_of(ROWS, *lines)) == found


def drawn(graph: Graph) -> list[torch.Tensor]:
    given = SecretInputs.draw(graph, "cpu", 3, ["sparse"])
    return [each.clone() for each in given.values(given.key(0))]


def test_half_zeros_become_small_numbers_there() -> None:
    x, y = drawn(graph_of(ROWS, "s = x.sigmoid()", *HIDDEN))
    assert len(x.unique()) > 0.99 * x.numel()
    assert 0.3 < float((x.abs() < 0.5).float().mean()) < 0.9
    assert float((y == 0).float().mean()) > 0.4


def test_a_small_matrix_has_an_inverse_on_each_timed_draw() -> None:
    graph = graph_of([spec("x", 8, 3, 3)], "o = torch.linalg.inv(x)", "return (o,)")
    given = SecretInputs.draw(graph, "cpu", 3, ["normal", "small", "large", "sparse"])
    for draw in given.timed * 20:
        graph.module("cpu").forward(*given.values(given.key(draw)))
