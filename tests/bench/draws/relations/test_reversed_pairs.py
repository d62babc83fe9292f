"""The careful draws in which pairs of integers come a second time with their numbers exchanged."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
import torch

from passnet.bench.draws.relations.reversed_pairs import reversed_pairs
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.origins import InputPart
from passnet.graph.values.reversed_pairs import Reversed, reversed_of
from tests.graph.graph_helpers import graph_of, spec

IDS: dict[str, Any] = {"dtype": "int64", "min_val": 0, "max_val": 1_048_575}
CODES = ("f = s * 1048576", "g = f + d", "h = d * 1048576", "i = h + s", "e = torch.isin(g, i)", "return (e,)")
NEW, OLD = "[(slice(None, None, None), None)]", "[(None, slice(None, None, None))]"
PAIRS = (
    f"a = s{NEW}",
    f"b = d{OLD}",
    "f = a == b",
    f"g = d{NEW}",
    f"h = s{OLD}",
    "i = g == h",
    "e = f & i",
    "return (e,)",
)


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """The inputs in each of the draws."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    first = len(given.draws)
    given.draws += reversed_pairs(graph, itertools.repeat(given.draws[0]), Random(seed))
    return [[each.clone() for each in given.values(given.key(n))] for n in range(first, len(given.draws))]


def share(s: torch.Tensor, d: torch.Tensor) -> float:
    """How many pairs have their reverse among all."""
    return float(torch.isin(s * 1048576 + d, d * 1048576 + s).float().mean())


@pytest.mark.parametrize("lines", [CODES, PAIRS])
def test_a_share_of_edges_has_the_reverse_too(lines: Sequence[str]) -> None:
    graph = graph_of([spec("s", 4096, **IDS), spec("d", 4096, **IDS)], *lines)
    assert reversed_of(graph) == [Reversed(InputPart(0), InputPart(1))]
    made = drawn(graph)
    low, some, many = (share(s, d) for s, d in made)
    assert 0.05 < low < 0.2 < some < 0.5 and 0.4 < many < 0.8
    for s, d in made:
        codes = s * 1048576 + d
        assert len(codes) - len(codes.unique()) >= 80, "some edges come twice"
        assert float(torch.isin(s, d).float().mean()) > share(s, d), "and some have half of a reverse"
        assert int(s.min()) >= 0 and int(d.max()) <= 1_048_575


@pytest.mark.parametrize(
    ("shape", "lines", "dim"),
    [
        ((2, 512), ("s = p[0]", "d = p[1]", *CODES), 0),
        ((2, 512), ("u = p.unbind(0)", "s = u[0]", "d = u[1]", *CODES), 0),
        ((512, 2), ("s = p[(slice(None, None, None), 0)]", "d = p.select(1, 1)", *CODES), 1),
        ((512, 2), ("v = p.flip(-1)", f"a = p{NEW}", f"b = v{OLD}", "e = a == b", "return (e,)"), 1),
    ],
)
def test_both_may_be_parts_of_one_input(shape: tuple[int, ...], lines: Sequence[str], dim: int) -> None:
    graph = graph_of([spec("p", *shape, **IDS)], *lines)
    assert reversed_of(graph) == [Reversed(InputPart(0, dim, 0), InputPart(0, dim, 1))]
    ((p,), *_) = drawn(graph)
    assert share(p.select(dim, 0), p.select(dim, 1)) > 0.03


def test_reverses_are_in_the_same_row() -> None:
    made = drawn(graph_of([spec("s", 8, 256, **IDS), spec("d", 8, 256, **IDS)], *CODES))
    assert all(share(one, other) > 0.03 for s, d in made for one, other in zip(s, d, strict=True))


@pytest.mark.parametrize(
    "lines",
    [
        ("e = s == d", "return (e,)"),
        ("a = torch.stack([s, d], -1)", "e = a.flip(-1)", "return (e,)"),
        ("f = s * 1048576", "g = f + d", "e = torch.isin(g, s)", "return (e,)"),
        (f"a = s{NEW}", f"b = d{OLD}", "e = a == b", f"g = s{NEW}", f"h = d{OLD}", "i = g == h", "return (e, i)"),
    ],
)
def test_other_graphs_have_no_such_draw(lines: Sequence[str]) -> None:
    assert drawn(graph_of([spec("s", 64, **IDS), spec("d", 64, **IDS)], *lines)) == []


def test_an_input_that_is_only_turned_has_no_such_draw() -> None:
    graph = graph_of([spec("p", 512, 2, **IDS)], "v = p.flip(-1)", "e = v + 1", "return (e,)")
    assert reversed_of(graph) == []
