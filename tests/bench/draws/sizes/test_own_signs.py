"""What a root is taken of has both signs in one careful draw, unless its bounds say that it is never below zero."""

from __future__ import annotations

from random import Random

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.sizes.own_signs import own_signs
from tests.graph.graph_helpers import graph_of, spec

NAMES = ("normal", "small", "extreme", "offset", "negative")


def below_zero(*lines: str, **fields: float) -> list[float]:
    """For each careful draw the share of numbers below zero in an input."""
    graph = graph_of([spec("x", 64, 32, **fields)], *lines, "return (y,)")
    given = SecretInputs.draw(graph, "cpu", 5, NAMES, hard=3)
    return [float((given.values(given.key(draw))[0] < -0.01).float().mean()) for draw in given.careful]


@pytest.mark.parametrize("leaf", ["sqrt", "rsqrt", "log"])
@pytest.mark.parametrize(("mean", "std"), [(0.0, 1.0), (1.0, 0.25), (5.0, 0.0)])
def test_a_root_meets_numbers_below_zero(leaf: str, mean: float, std: float) -> None:
    found = below_zero(f"y = torch.{leaf}(x)", mean=mean, std=std)
    assert sum(share > 0.2 for share in found) == 1
    assert max(found) < 0.8, "it has numbers above zero too"


def test_bounds_and_graphs_without_roots_have_no_such_draw() -> None:
    assert not any(below_zero("y = torch.sqrt(x)", mean=1.0, std=0.3, min_val=0))
    graph = graph_of([spec("running_var", 64, 32)], "y = running_var * 2", "return (y,)")
    given = SecretInputs.draw(graph, "cpu", 5, NAMES[:2], hard=0)
    assert own_signs(graph, given.draws[0], Random(0)) == []


def test_some_are_of_all_sizes() -> None:
    graph = graph_of([spec("x", 64, 32)], "y = torch.sqrt(x)", "return (y,)")
    given = SecretInputs.draw(graph, "cpu", 5, NAMES[:2], hard=0)
    (row,) = own_signs(graph, given.draws[0], Random(0))
    table = row[0].table
    assert float(table.min()) < -100 and bool(((table > -0.01) & (table < 0)).any())
    assert torch.isfinite(table).all()
