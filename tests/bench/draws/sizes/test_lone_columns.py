"""The careful draws in which one column or slice is far above all others."""

from __future__ import annotations

from itertools import repeat
from random import Random

import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.sizes.lone_columns import lone_columns
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

FAR = 1e5


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """A call of each draw."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual, made = len(given.draws), lone_columns(graph, repeat(given.draws[0]), Random(seed))
    given.draws += made
    return [[value.clone() for value in given.values(given.key(usual + number))] for number in range(len(made))]


def test_one_column_is_far_and_then_a_row() -> None:
    for seed in range(4):
        (columns,), (rows,) = drawn(graph_of([spec("x", 24, 32)], "y = x * x", "return (y,)"), seed)
        for far, dim in ((columns.abs() > FAR, 0), (rows.abs() > FAR, 1)):
            assert int(far.all(dim).sum()) == 1 and int(far.sum()) == far.shape[dim]
        assert float(columns.abs().median()) < 2 and bool((columns < -FAR).any()) and bool((columns > FAR).any())


def test_all_inputs_have_the_same_column_and_then_one_has_any_slice() -> None:
    graph = graph_of([spec("x", 24, 32), spec("y", 4, 6, 32)], "z = x.sum()", "a = y * z", "return (a,)")
    slices = set()
    for seed in range(12):
        (x, y), others = drawn(graph, seed)
        assert torch.equal((x.abs() > FAR).all(0), (y.abs() > FAR).flatten(0, 1).all(0))
        odd = [index for index, value in enumerate(others) if bool((value.abs() > FAR).any())]
        assert len(odd) == 1
        slices.add((odd[0], int((others[odd[0]].abs() > FAR).sum())))
    assert len(slices) > 2


def test_narrow_dtypes_and_bounds_hold() -> None:
    graph = graph_of(
        [spec("x", 24, 32, dtype="float16"), spec("p", 24, 32, min_val=0, max_val=1)], "y = x * p", "return (y,)"
    )
    for x, p in drawn(graph):
        assert bool(torch.isfinite(x).all()) and 0 <= float(p.min()) <= float(p.max()) <= 1
