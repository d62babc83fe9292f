"""The careful draw in which few elements are halfway between whole numbers."""

from __future__ import annotations

from random import Random

import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.values.few_values import few_values
from passnet.bench.draws.values.halfway import halfway
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

FLOORED = ["y = torch.floor(x)", "return (y,)"]


def values_of(graph: Graph, seed: int) -> list[torch.Tensor] | None:
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    row = halfway(graph, given.draws[0], range(len(graph.specs)), Random(seed))
    if row is None:
        return None
    given.draws.append(row)
    return [value.clone() for value in given.values(given.key(len(given.draws) - 1))]


def test_every_side_is_there() -> None:
    for seed in range(8):
        (x,) = values_of(graph_of([spec("x", 2, 2)], *FLOORED), seed)
        assert bool((x - torch.floor(x) == 0.5).all())
        assert len({(bool(each < 0), float(abs(each) - 0.5) % 2) for each in x.flatten()}) == 4


def test_bounds_hold() -> None:
    (x,) = values_of(graph_of([spec("x", 8, min_val=0, max_val=2)], *FLOORED), 1)
    assert set(x.tolist()) == {0.5, 1.5}


def test_none_for_many_elements_for_none_halfway_and_where_nothing_rounds() -> None:
    assert values_of(graph_of([spec("x", 64)], *FLOORED), 1) is None
    assert values_of(graph_of([spec("x", 4, min_val=0, max_val=1)], *FLOORED), 1) is None
    assert values_of(graph_of([spec("x", 4)], "y = torch.sin(x)", "return (y,)"), 1) is None


def test_outputs_behind_a_rounding_are_not_compared() -> None:
    lines = ["f = torch.floor(x)", "s = x * 0.3", "g = torch.floor(s)", "return (f, g)"]
    graph = graph_of([spec("x", 4)], *lines)
    given = SecretInputs.draw(graph, "cpu", 1, ["normal"], hard=0)
    found = few_values(graph, given.draws[0], Random(1))
    assert found[-1].row[0].same and found[-1].unclear == found[0].unclear == {1}


def test_what_rounds_before_its_only_step_is_not_halfway() -> None:
    graph = graph_of([spec("x", 4)], "s = x * 0.3", "g = torch.floor(s)", "return (g,)")
    given = SecretInputs.draw(graph, "cpu", 1, ["normal"], hard=0)
    assert not any(each.row[0].same for each in few_values(graph, given.draws[0], Random(1)))


def test_a_cast_to_integers_rounds() -> None:
    for cast in ("x.long()", "x.to(torch.int32)", "torch.div(x, 2, rounding_mode = 'floor')"):
        assert values_of(graph_of([spec("x", 4)], f"y = {cast}", "return (y,)"), 1) is not None
    assert values_of(graph_of([spec("x", 4)], "y = x.to(torch.float16)", "return (y,)"), 1) is None
