"""The careful draws in which rows of one input are those of another one in another order."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
import torch

from passnet.bench.draws.relations.shuffled_rows import shuffled_rows
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.shuffled import Shuffled, shuffled_of
from tests.graph.graph_helpers import graph_of, spec

IDS: dict[str, Any] = {"dtype": "int64", "min_val": 0, "max_val": 49_999}
NARROW: dict[str, Any] = {"dtype": "int64", "min_val": 10_000, "max_val": 49_999}
SORTED = ("s = torch.sort(p, dim=-1)", "u = s[0]", "t = torch.sort(q, dim=-1)", "v = t[0]", "e = u == v", "return (e,)")


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """The inputs in each of the draws."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    first = len(given.draws)
    given.draws += shuffled_rows(graph, itertools.repeat(given.draws[0]), Random(seed))
    return [[each.clone() for each in given.values(given.key(n))] for n in range(first, len(given.draws))]


def common(p: torch.Tensor, q: torch.Tensor) -> list[int]:
    """How many numbers two rows have in common, row by row."""
    return [len(set(one.tolist()) & set(other.tolist())) for one, other in zip(p, q, strict=True)]


def test_rows_are_others_in_another_order_or_nearly_so() -> None:
    ((p, q), *_) = drawn(graph_of([spec("p", 64, 256, **IDS), spec("q", 64, 256, **IDS)], *SORTED))
    whole = (p.sort().values == q.sort().values).all(-1)
    assert int(whole.sum()) == 16 and not bool((p == q)[whole].all(-1).any())
    assert sum(each >= 250 for each in common(p, q)) >= 30, "some but for one or two numbers"
    assert sum(100 < each < 160 for each in common(p, q)) == 16, "and some in part"
    sums = (p.sum(-1) == q.sum(-1)) & ~whole
    assert bool(sums.any()), "a sum does not tell"


def test_few_of_many_rows_are_so_in_another_draw() -> None:
    """Whoever finds nothing in some rows must not be right that there is nothing."""
    _, (p, q) = drawn(graph_of([spec("p", 64, 256, **IDS), spec("q", 64, 256, **IDS)], *SORTED))
    assert 1 <= sum(each >= 64 for each in common(p, q)) <= 4


def test_numbers_stay_within_bounds_and_a_narrow_input_gives() -> None:
    ((p, q), *_) = drawn(graph_of([spec("p", 64, 256, **NARROW), spec("q", 64, 256, **IDS)], *SORTED))
    assert int(p.min()) >= 10_000 and bool((p.sort().values == q.sort().values).all(-1).any())


def test_one_row_is_so_in_one_of_three_draws() -> None:
    made = drawn(graph_of([spec("p", 1, 256, **IDS), spec("q", 1, 256, **IDS)], *SORTED))
    assert len(made) == 3
    assert sum(bool((p.sort().values == q.sort().values).all()) for p, q in made) == 1


def test_rows_of_one_input_are_others_of_its_own() -> None:
    lines = ["s = torch.sort(p, dim=-1)", "u = s[0]", "a = u[:, None]", "b = u[None]", "e = a == b", "return (e,)"]
    lines = [line.replace("[:, None]", "[(slice(None, None, None), None)]") for line in lines]
    graph = graph_of([spec("p", 32, 64, **IDS)], *lines)
    assert shuffled_of(graph) == [Shuffled(0, 0, (1,), (1,))]
    ((p,), *_) = drawn(graph)
    rows = p.sort().values
    assert int((rows[:, None] == rows[None]).all(-1).sum()) >= 32 + 8


@pytest.mark.parametrize(
    ("lines", "along"),
    [
        (("s = torch.topk(p, 8, dim=0)", "u = s[0]", "t = torch.topk(q, 8, dim=0)", "v = t[0]", "e = u - v"), (0,)),
        (("u = torch.msort(p)", "v = torch.msort(q)", "e = u != v"), (0,)),
        (("u = torch.bincount(p, None, 50000)", "v = torch.bincount(q, None, 50000)", "e = u == v"), (0, 1)),
        (("u = p.sum(-1)", "v = q.sum(-1)", "e = u == v"), (1,)),
        (("a = p.flatten()", "b = q.flatten()", "e = torch.isin(a, b)"), (0, 1)),
        (("a = p.unsqueeze(-1)", "b = q.unsqueeze(-2)", "e = a == b", "f = e.any(-1)", "g = f.all(-1)"), (1,)),
        (
            ("z = torch.zeros(64, 50000)", "o = torch.ones(64, 32)", "u = z.scatter_add(1, p, o)",
             "v = z.scatter_add(1, q, o)", "e = u == v"),
            (1,),
        ),
    ],
)  # fmt: skip
def test_order_does_not_matter_in_many_forms(lines: Sequence[str], along: tuple[int, ...]) -> None:
    last = lines[-1].partition(" ")[0]
    graph = graph_of([spec("p", 64, 32, **IDS), spec("q", 64, 32, **IDS)], *lines, f"return ({last},)")
    assert shuffled_of(graph) == [Shuffled(0, 1, along, along)]


@pytest.mark.parametrize(
    "lines",
    [
        ("e = p == q",),
        ("s = torch.sort(p, dim=-1)", "u = s[1]", "t = torch.sort(q, dim=-1)", "v = t[1]", "e = u == v"),
        ("s = torch.sort(p, dim=-1)", "u = s[0]", "e = u == q"),
        ("f = p.float()", "g = q.float()", "u = f.mean(-1)", "v = g.mean(-1)", "e = u - v"),
    ],
)
def test_other_graphs_have_no_such_draw(lines: Sequence[str]) -> None:
    graph = graph_of([spec("p", 64, 32, **IDS), spec("q", 64, 32, **IDS)], *lines, "return (e,)")
    assert drawn(graph) == []


def test_floats_are_ordered_too() -> None:
    ((p, q), *_) = drawn(graph_of([spec("p", 64, 256), spec("q", 64, 256)], *SORTED))
    assert int((p.sort().values == q.sort().values).all(-1).sum()) == 16
