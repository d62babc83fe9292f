"""The careful draws in which indices meet every entry that they address."""

from __future__ import annotations

from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.integers.all_entries import all_entries
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph, TensorSpec
from tests.graph.graph_helpers import graph_of, spec


def ids(name: str, *shape: int, most: int = 31) -> TensorSpec:
    return spec(name, *shape, dtype="int64", min_val=0, max_val=most)


def met(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """A call of each draw."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual, made = len(given.draws), all_entries(graph, repeat(given.draws[0]), Random(seed))
    given.draws += made
    return [[value.clone() for value in given.values(given.key(usual + number))] for number in range(len(made))]


@pytest.mark.parametrize(
    ("specs", "lines", "lines_of_indices"),
    [
        ([ids("x", 32, 4096), ids("y", 32, 4096)], ["t = y * 32", "k = t + x", "r = torch.zeros((32, 1024))",
         "s = r.scatter(1, k, 1.0)", "o = s.amin(-1)"], 32),
        ([ids("y", 4, 600, 2, most=511)], ["r = torch.zeros((4, 512, 2))", "s = r.scatter(1, y, 1.0)",
         "o = s.amin(1)"], 8),
        ([ids("x", 8, 100)], ["h = torch.nn.functional.one_hot(x, 32)", "o = h.amax(1)"], 8),
        ([ids("x", 8, 100)], ["r = torch.zeros((8, 32))", "w = torch.ones((8, 100))", "s = r.scatter_add(1, x, w)",
         "o = s.amin(-1)"], 8),
        ([ids("x", 1000)], ["h = torch.bincount(x, minlength = 32)", "o = h.min()"], 1),
        ([ids("x", 2000), ids("y", 2000, most=15)], ["r = torch.zeros((16, 32))", "r[(y, x)] = 1.0", "o = r.all()"], 1),
        ([ids("x", 16, 200)], ["i = torch.arange(16)", "j = i.unsqueeze(-1)", "r = torch.zeros((16, 32))",
         "r[(j, x)] = 1.0", "o = r.amin(-1)"], 16),
        ([ids("e", 2, 3000)], ["a = e[0]", "b = e[1]", "r = torch.zeros((32, 32))", "r[(a, b)] = 1.0", "o = r.amin()"],
         1),
    ],
)  # fmt: skip
def test_some_lines_meet_all_and_some_all_but_one(
    specs: list[TensorSpec], lines: list[str], lines_of_indices: int
) -> None:
    graph = graph_of(specs, *lines, "return (o,)")
    answers = [graph.module("cpu")(*values)[0].flatten().bool() for values in met(graph)]
    assert len(answers) == (2 if lines_of_indices == 1 else 1)
    whole = torch.cat(answers)
    assert bool(whole.any()) and not bool(whole.all())
    assert any(not torch.equal(one, other) for one, other in zip(met(graph)[0], met(graph, 4)[0], strict=True))


@pytest.mark.parametrize(
    ("specs", "lines"),
    [
        ([ids("x", 8, 20)], ["r = torch.zeros((8, 32))", "s = r.scatter(1, x, 1.0)", "o = s.amin(-1)"]),
        ([ids("x", 8, 100)], ["r = torch.zeros((8, 32))", "s = r.scatter(1, x, 1.0)", "o = s * 2.0"]),
        ([ids("x", 8, 100), spec("v", 8, 100)], ["r = torch.zeros((8, 32))", "s = r.scatter_add(1, x, v)",
         "o = s.amin(-1)"]),
        ([ids("x", 8, 100)], ["q = x * x", "r = torch.zeros((8, 1024))", "s = r.scatter(1, q, 1.0)", "o = s.amin(-1)"]),
        ([ids("x", 8, 100)], ["o = x.sum()"]),
    ],
)  # fmt: skip
def test_others_have_none(specs: list[TensorSpec], lines: list[str]) -> None:
    assert met(graph_of(specs, *lines, "return (o,)")) == []
