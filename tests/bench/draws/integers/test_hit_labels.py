"""The careful draws in which labels are what a graph chooses."""

from __future__ import annotations

from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.integers.hit_labels import hit_labels
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.chosen_places import labels_of
from tests.graph.graph_helpers import graph_of, spec


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """A call of each draw."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual, made = len(given.draws), hit_labels(graph, repeat(given.draws[0]), Random(seed))
    given.draws += made
    return [[value.clone() for value in given.values(given.key(usual + number))] for number in range(len(made))]


LABELS = spec("n", 64, dtype="int64", min_val=0, max_val=31_999)


@pytest.mark.parametrize(
    ("lines", "inputs", "choose"),
    [
        (["a = x.argmax(-1)"], {}, lambda x: x.argmax(-1)),
        (["t = torch.sigmoid(x)", "a = torch.argmin(t, dim = 1)"], {}, lambda x: x.argmin(-1)),
        (["m = torch.max(x, 1)", "i = m[1]", "a = i.view(64)"], {}, lambda x: x.argmax(-1)),
        (["a = x.argmax(-1)"], {"min_val": 0, "max_val": 1}, lambda x: x.argmax(-1)),
    ],
)
def test_some_labels_are_chosen_and_most_are_not(lines, inputs, choose) -> None:
    graph = graph_of([spec("x", 64, 32_000, **inputs), LABELS], *lines, "h = a == n", "return (h,)")
    hits = []
    for seed in range(6):
        ((x, n),) = drawn(graph, seed)
        assert 0 <= int(n.min()) <= int(n.max()) < 32_000
        hits.append(int((choose(x) == n).sum()))
    assert min(hits) >= 1 and max(hits) < 40


def test_classes_of_a_weight_and_moved_labels() -> None:
    graph = graph_of(
        [spec("x", 64, 16), spec("w", 3000, 16), spec("n", 64, dtype="int64", min_val=1, max_val=3000)],
        "y = torch.nn.functional.linear(x, w)", "t = torch.topk(y, 5)", "i = t[1]", "m = n - 1", "u = m.unsqueeze(-1)",
        "h = i == u", "return (h,)",
    )  # fmt: skip
    ((x, w, n),) = drawn(graph)
    assert int(((x @ w.T).topk(5).indices == n[:, None] - 1).sum()) >= 1


def test_one_label_has_two_draws() -> None:
    graph = graph_of(
        [spec("x", 1, 1000), spec("n", 1, dtype="int64", min_val=0, max_val=999)], "a = x.argmax(-1)", "h = a == n",
        "return (h,)",
    )  # fmt: skip
    found = [bool(x.argmax() == n) for seed in range(20) for x, n in drawn(graph, seed)]
    assert len(found) == 40 and sum(found) >= 5


def test_others_have_none() -> None:
    plain = [spec("x", 64, 32_000), LABELS]
    for lines in (["a = x.argmax()", "h = a == n"], ["a = x.argmax(-1)", "h = a + n"], ["s = x.sum()", "h = s == n"]):
        assert labels_of(graph_of(plain, *lines, "return (h,)")) == []
