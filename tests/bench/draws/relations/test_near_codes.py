"""The careful draws in which rows of integers are others but for a few places."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
import torch

from passnet.bench.draws.relations.near_codes import near_codes
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.counted_rows import CountedRows, counted_of
from tests.graph.graph_helpers import graph_of, spec

CODES: dict[str, Any] = {"dtype": "int64", "min_val": 0, "max_val": 255}
A, B = "[(slice(None, None, None), None)]", "[(None, slice(None, None, None))]"
PAIRS = (f"a = p{A}", f"b = p{B}")


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """The inputs in each of the draws."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    first = len(given.draws)
    given.draws += near_codes(graph, itertools.repeat(given.draws[0]), Random(seed))
    return [[each.clone() for each in given.values(given.key(n))] for n in range(first, len(given.draws))]


def test_rows_differ_in_about_as_many_places_as_the_program_asks_for() -> None:
    lines = [*PAIRS, "d = a != b", "c = d.sum(-1)", "e = c <= 4", "return (e,)"]
    graph = graph_of([spec("p", 256, 32, **CODES)], *lines)
    assert counted_of(graph) == [CountedRows(0, 0, True, (4, 28))]
    ((p,), *_) = drawn(graph)
    nearest = (p[:, None] != p[None]).sum(-1).fill_diagonal_(32).amin(-1).tolist()
    assert all(nearest.count(count) >= 4 for count in (3, 4, 5)) and sum(each > 20 for each in nearest) >= 32
    assert int(p.min()) >= 0 and int(p.max()) <= 255


@pytest.mark.parametrize(
    ("lines", "differing"),
    [
        (("d = a == b", "f = d.float()", "c = f.mean(-1)", "e = c > 0.5"), (16,)),
        (("d = a == b", "c = d.sum(-1)", "e = c >= 28"), (4, 28)),
        (("d = a != b", "c = torch.count_nonzero(d, -1)", "e = c < 4"), (4, 28)),
        (("d = a == b", "f = d.float()", "c = f.mean(-1)", "e = c * 2.0"), ()),
    ],
)
def test_counts_and_shares_are_compared(lines: Sequence[str], differing: tuple[int, ...]) -> None:
    graph = graph_of([spec("p", 256, 32, **CODES)], *PAIRS, *lines, "return (e,)")
    assert counted_of(graph) == [CountedRows(0, 0, True, differing)]
    ((p,), *_) = drawn(graph)
    assert int(((p[:, None] == p[None]).sum(-1).fill_diagonal_(0) > 6).any(-1).sum()) > 40


def test_rows_of_one_number_are_compared_too() -> None:
    lines = ["d = p != q", "c = d.sum(-1)", "e = c <= 4", "return (e,)"]
    graph = graph_of([spec("p", 256, 32, **CODES), spec("q", 256, 32, **CODES)], *lines)
    assert counted_of(graph) == [CountedRows(0, 1, False, (4, 28))]
    ((p, q), *_) = drawn(graph)
    found = (p != q).sum(-1).tolist()
    assert all(found.count(count) >= 4 for count in (3, 4, 5)) and sum(each > 28 for each in found) >= 32


def test_few_rows_are_near_in_more_draws() -> None:
    lines = ["d = p != q", "c = d.sum(-1)", "e = c <= 4", "return (e,)"]
    made = drawn(graph_of([spec("p", 1, 32, **CODES), spec("q", 1, 32, **CODES)], *lines))
    assert len(made) == 3 and any(int((p != q).sum()) < 30 for p, q in made)


@pytest.mark.parametrize(
    "lines",
    [
        ("d = p != q", "c = d.sum(-1)", "return (c,)"),
        ("d = p != q", "c = d.sum(0)", "e = c <= 4", "return (e,)"),
        ("d = p != q", "c = d.any(-1)", "return (c,)"),
    ],
)
def test_other_graphs_have_no_such_draw(lines: Sequence[str]) -> None:
    assert drawn(graph_of([spec("p", 64, 32, **CODES), spec("q", 64, 32, **CODES)], *lines)) == []
