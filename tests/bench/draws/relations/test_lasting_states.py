"""The careful draws in which what a step begins with decides the next one."""

from __future__ import annotations

from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.relations.lasting_states import lasting_states
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec
from tests.graph.values.test_recurrences import steps

_ADDED = ("x@ = e[@]", "u@ = a~.unsqueeze(2)", "s@ = u@ + w", "l@ = torch.logsumexp(s@, 1)", "a@ = l@ + x@")


def tagger(dtype: str = "float32", **fields: float) -> Graph:
    specs = [spec("e", 32, 16, 64, dtype=dtype), spec("w", 64, 64, dtype=dtype, **{"std": 0.5} | fields)]
    return graph_of(specs, "a0 = e[0]", *steps(31, *_ADDED), "return (a31,)")


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """One call of each draw."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    first = len(given.draws)
    given.draws += lasting_states(graph, repeat(given.draws[0]), given.draws[0], Random(seed))
    return [[each.clone() for each in given.values(given.key(draw))] for draw in range(first, len(given.draws))]


def goes_on(data: torch.Tensor, table: torch.Tensor) -> float:
    """In how many steps the largest number is where the table leads to from that of the step before."""
    largest = data.argmax(-1)
    return float((table.argmax(1)[largest[:-1]] == largest[1:]).double().mean())


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_a_table_and_data_lead_to_the_same(dtype: str) -> None:
    made = drawn(tagger(dtype))
    assert len(made) == 3
    shares = [goes_on(data.double(), table.double()) for data, table in made]
    assert shares[0] > 0.4 and shares[1] > 0.1, shares
    assert shares[2] < 0.1, "in the last draw one of both is as usual"


def test_one_draw_goes_on_and_one_follows_a_secret_order() -> None:
    kinds = set()
    for seed in range(8):
        made = drawn(tagger(), seed)
        same = [bool((table.argmax(1) == torch.arange(64)).double().mean() > 0.5) for _, table in made[:2]]
        assert sorted(same) == [False, True]
        kinds.add(tuple(same))
    assert len(kinds) == 2


def test_no_mean_tells_of_it() -> None:
    """No tag is above the others in the mean of all steps, and no row or column of the table."""
    for seed in range(4):
        for data, table in drawn(tagger(), seed):
            means = data.flatten(0, 1).mean(0)
            assert float(means.var()) < 0.02 * float(data.var())
            assert all(float(table.sum(dim).var()) < 1.8 * 64 * float(table.var()) for dim in (0, 1))
            assert float(table.abs().max()) < 0.5 * (6 + 5)


def test_recorded_bounds_are_kept() -> None:
    for _, table in drawn(tagger(min_val=-1.0, max_val=1.25)):
        assert float(table.min()) >= -1.0 and float(table.max()) <= 1.25


def test_the_states_of_a_cell_last() -> None:
    """A weight by which a state is multiplied is about a permutation, so nothing vanishes and nothing grows."""
    lines = steps(12, "m@ = torch.nn.functional.linear(h~, w)", "y@ = x[:, @]", "s@ = m@ + y@", "h@ = torch.tanh(s@)")
    specs = [spec("x", 8, 16, 32), spec("h0", 8, 32), spec("w", 32, 32, std=0.1)]
    both, other, _ = drawn(graph_of(specs, *lines, "return (h12,)"))
    for _, _, weight in (both, other):
        assert sorted(weight.argmax(1).tolist()) == list(range(32))
        largest = weight.max(1).values
        assert float(largest.min()) > 0.6 and float(largest.max()) < 1.2
        assert float(weight.abs().median()) < 0.05


def test_gates_have_a_square_each() -> None:
    lines = steps(4, "g@ = torch.nn.functional.linear(h~, w)", "p@ = g@[:, 0:16]", "q@ = g@[:, 16:32]", "h@ = p@ * q@")
    made = drawn(graph_of([spec("h0", 8, 16), spec("w", 32, 16, std=0.1)], *lines, "return (h4,)"))
    assert len(made) == 2
    for _, weight in made:
        assert all(sorted(part.argmax(1).tolist()) == list(range(16)) for part in weight.chunk(2))


def test_without_a_table_only_data_goes_on() -> None:
    lines = steps(12, "m@ = h~ * d", "y@ = x[@]", "h@ = m@ + y@")
    ((data, decay),) = drawn(graph_of([spec("x", 16, 8, 64), spec("d", 64)], "h0 = x[0]", *lines, "return (h12,)"))
    largest = data.argmax(-1)
    order = {(int(a), int(b)) for a, b in zip(largest[:-1].flatten(), largest[1:].flatten(), strict=True)}
    assert len(order) < 0.8 * largest[1:].numel() and decay.shape == (64,)


def test_other_graphs_have_none() -> None:
    graph = graph_of([spec("x", 8, 16), spec("w", 16, 16)], "y = x @ w", "z = torch.relu(y)", "return (z,)")
    assert drawn(graph) == []
