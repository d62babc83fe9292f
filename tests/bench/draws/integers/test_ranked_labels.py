"""The careful draws in which labels have scores of chosen ranks."""

from __future__ import annotations

from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.integers.hit_labels import hit_labels
from passnet.bench.draws.integers.ranked_labels import ranked_labels
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.scored_labels import ranks_of, scored_labels
from tests.graph.graph_helpers import graph_of, spec


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """A call of each draw."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual, made = len(given.draws), ranked_labels(graph, repeat(given.draws[0]), Random(seed))
    given.draws += made
    return [[value.clone() for value in given.values(given.key(usual + number))] for number in range(len(made))]


def labels(*shape: int, least: int = 0, most: int = 3199) -> object:
    return spec("n", *shape, dtype="int64", min_val=least, max_val=most)


@pytest.mark.parametrize(
    ("fields", "shape", "lines"),
    [
        ({}, (64, 1), ["o = x.gather(1, n)", "c = x > o", "r = c.sum(-1)", "h = r < 5"]),
        ({}, (64,), ["u = n.unsqueeze(-1)", "o = torch.gather(x, 1, u)", "c = torch.lt(o, x)", "r = c.sum(-1)",
                     "h = r <= 4"]),
        ({"min_val": 0, "max_val": 1}, (64,), ["t = torch.arange(64)", "o = x[(t, n)]", "u = o.unsqueeze(-1)",
                                                "v = u + 0.001", "c = x >= v", "r = c.sum(-1)", "h = r < 5"]),
        ({"dtype": "bfloat16"}, (64, 1), ["y = torch.log_softmax(x, -1)", "o = torch.take_along_dim(y, n, -1)",
                                          "d = y - o", "c = d > 0", "r = c.sum(-1)", "h = r < 5"]),
    ],
)  # fmt: skip
def test_labels_are_among_the_best_and_beside(fields, shape, lines) -> None:
    graph = graph_of([spec("x", 64, 3200, **fields), labels(*shape)], *lines, "return (h,)")
    for seed in range(3):
        ((x, n),) = drawn(graph, seed)
        own = x.gather(1, n.reshape(64, 1))
        ranks = (x > own).sum(-1)
        assert 8 <= int((ranks < 5).sum()) <= 56
        assert {0, 4, 5} <= set(ranks.tolist()) or x.dtype is torch.bfloat16
        assert int(ranks.max()) > 2000


def test_one_row_has_two_draws_and_moved_labels_are_followed() -> None:
    specs = [spec("x", 1, 4000), labels(1, 1, least=1, most=4000)]
    lines = ["m = n - 1", "o = x.gather(1, m)", "t = x.amax(-1, keepdim = True)", "h = o == t"]
    graph = graph_of(specs, *lines, "return (h,)")
    found = [bool(x.argmax() == n - 1) for seed in range(20) for x, n in drawn(graph, seed)]
    assert len(found) == 40 and 4 <= sum(found) <= 36


def test_scores_of_a_product_have_far_classes() -> None:
    specs = [spec("x", 64, 16), spec("w", 3200, 16), labels(64, 1)]
    lines = ["y = torch.nn.functional.linear(x, w)", "o = y.gather(1, n)", "c = y > o", "r = c.sum(-1)", "h = r < 5"]
    graph = graph_of(specs, *lines, "return (h,)")
    assert drawn(graph) == [] and [each.scores for each in scored_labels(graph)] == [None]
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    (made,) = hit_labels(graph, repeat(given.draws[0]), Random(3))
    given.draws.append(made)
    x, w, n = given.values(given.key(len(given.draws) - 1))
    y = x @ w.T
    assert int(((y > y.gather(1, n)).sum(-1) < 5).sum()) >= 1


def test_others_have_none() -> None:
    specs = [spec("x", 64, 3200), labels(64, 1)]
    for lines in (["o = x.gather(1, n)", "h = o > 0.5"], ["o = x.gather(1, n)", "h = -o"], ["h = x > n"]):
        assert scored_labels(graph_of(specs, *lines, "return (h,)")) == []


def test_ranks_are_what_is_compared() -> None:
    graph = graph_of([spec("x", 64, 3200)], "r = x > 7", "s = r.sum(-1)", "h = s <= 5000", "return (h,)")
    assert ranks_of(graph) == [1, 7]
