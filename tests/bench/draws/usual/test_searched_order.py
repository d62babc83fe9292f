"""What a graph searches is drawn in order, in every draw."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.inputs import hard_distributions
from passnet.graph.values.searched import searched, sorted_lines
from tests.graph.graph_helpers import graph_of, spec

NAMES = ("normal", "small", "large", "sparse")


def drawn(graph: Graph, seed: int = 3) -> SecretInputs:
    hard = hard_distributions(graph)
    return SecretInputs.draw(graph, "cpu", seed, (*NAMES, *hard), hard=len(hard))


@pytest.mark.parametrize(
    ("shape", "fields", "lines"),
    [
        ((64,), {}, ("p = torch.searchsorted(e, x)",)),
        ((64,), {"dtype": "bfloat16"}, ("f = e.float()", "p = torch.bucketize(x, f)")),
        ((64,), {"dtype": "float64", "min_val": 0.0, "max_val": 1.0}, ("p = torch.bucketize(x, e)",)),
        ((64,), {"dtype": "int64", "min_val": 0, "max_val": 8191}, ("p = torch.bucketize(x, e, right = True)",)),
        ((64,), {"dtype": "int32", "min_val": 0, "max_val": 99}, ("f = -e", "p = torch.bucketize(x, f)")),
        ((24, 3), {}, ("f = e.t()", "g = f.contiguous()", "h = g[1]", "p = torch.bucketize(x, h)")),
        ((24, 3), {"dtype": "int64", "min_val": 0, "max_val": 99}, ("f = e.flip(0)", "g = f.t()", "h = g[0]",
                                                                     "p = torch.bucketize(x, h)")),
        ((3, 24), {}, ("f = e.flip(-1)", "h = f[0]", "p = torch.bucketize(x, h)")),
        ((64,), {"data": tuple(float(-place) for place in range(64))}, ("f = e.flip(0)", "p = torch.bucketize(x, f)")),
    ],
)  # fmt: skip
def test_all_draws_are_in_order_and_differ(shape: tuple[int, ...], fields: dict[str, Any], lines: Any) -> None:
    graph = graph_of([spec("e", *shape, **fields), spec("x", 16, 8)], *lines, "return (p,)")
    (own,) = searched(graph).values()
    given, timed = drawn(graph), []
    for draw in range(len(given.draws)):
        for _ in range(3):
            values = given.values(given.key(draw))[0].clone()
            assert torch.equal(values, sorted_lines(values, own))
            timed += [values] if draw in given.timed else []
    assert all(not torch.equal(each, other) for each, other in pairwise(timed))


def test_some_lines_hold_numbers_several_times_and_some_do_not() -> None:
    specs = [spec("e", 3, 64), spec("x", 3, 8)]
    given = drawn(graph_of(specs, "p = torch.searchsorted(e, x)", "return (p,)"))
    kinds = set()
    for draw in given.careful:
        values = given.values(given.key(draw))[0]
        kinds |= {len(line.unique()) for line in values}
    assert max(kinds) == 64 and any(2 <= kind <= 8 for kind in kinds) and any(9 < kind < 33 for kind in kinds)


def test_offsets_leave_parts_empty_in_a_draw() -> None:
    specs = [spec("e", 64, dtype="int64", min_val=0, max_val=8191), spec("x", 8192)]
    lines = ("a = torch.arange(0, 8192)", "s = torch.bucketize(a, e, right = True)", "p = x * s")
    given = drawn(graph_of(specs, *lines, "return (p,)"))
    steps = [given.values(given.key(draw))[0].diff() for draw in given.careful]
    assert any(0 < int((each == 0).sum()) < 60 and int(each.max()) > 200 for each in steps)


def test_what_is_not_searched_is_in_no_order() -> None:
    graph = graph_of([spec("e", 64), spec("x", 16, 8)], "t = torch.sort(e)", "f = t[0]", "p = torch.bucketize(x, f)",
                     "return (p,)")  # fmt: skip
    values = drawn(graph).values(drawn(graph).key(0))
    assert bool((values[0].diff() < 0).any()) and bool((values[1].diff() < 0).any())
