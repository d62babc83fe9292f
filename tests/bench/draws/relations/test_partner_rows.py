"""The careful draws in which rows have a partner of their own in what they are multiplied with."""

from __future__ import annotations

from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.relations.partner_rows import partner_rows
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.paired_rows import paired_inputs
from tests.graph.graph_helpers import graph_of, spec

_SCORES = ("a = y.transpose(-2, -1)", "z = torch.matmul(x, a)", "s = z / 8.0", "return (s,)")


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """One call of each draw."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual = len(given.draws)
    given.draws += partner_rows(graph, repeat(given.draws[0]), Random(seed))
    return [[each.clone() for each in given.values(given.key(draw))] for draw in range(usual, len(given.draws))]


def cosines(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    one, other = (torch.nn.functional.normalize(each.double(), dim=-1) for each in (x, y))
    return one @ other.mT


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_rows_have_partners_at_their_place_then_anywhere_and_then_a_few(dtype: str) -> None:
    graph = graph_of([spec("x", 1024, 64, dtype=dtype), spec("y", 1024, 64, dtype=dtype)], *_SCORES)
    shares, on_diagonal, most = [], [], []
    for x, y in drawn(graph):
        near = cosines(x, y) > 0.75
        either = near if int(near.any(1).sum()) >= int(near.any(0).sum()) else near.T
        shares.append(float(either.any(1).double().mean()))
        on_diagonal.append(int(near.diagonal().sum()) / max(1, int(near.sum())))
        most.append(int(either.sum(1).max()))
    assert len(shares) == 4
    assert all(0.2 < share < 0.45 for share in shares[:3]), shares
    assert 0 < shares[3] < 0.03, shares
    assert on_diagonal[0] == 1 and max(on_diagonal[1:]) < 0.1, on_diagonal
    assert most == [1, 1, 1, 1], "each has one partner of its own"


def test_scores_of_partners_stand_out_from_the_logarithm_of_their_number() -> None:
    graph = graph_of([spec("x", 512, 64, std=0.05), spec("y", 512, 64, std=0.05)], *_SCORES)
    by_root, _, alone, _ = ((x.double() @ y.double().T).amax() for x, y in drawn(graph))
    assert by_root / 8 > 6.3
    assert 6.3 < alone < 40


def test_partners_are_in_the_same_matrix() -> None:
    graph = graph_of([spec("x", 6, 64, 32), spec("y", 6, 64, 32)], *_SCORES)
    for x, y in drawn(graph)[:3]:
        found = float((cosines(x, y) > 0.8).any(1).double().mean()), float((cosines(x, y) > 0.8).any(2).double().mean())
        assert max(found) > 0.18, found


def test_two_and_two_rows_are_partners_where_an_input_meets_itself() -> None:
    graph = graph_of([spec("x", 512, 64)], "a = x.t()", "z = x @ a", "return (z,)")
    for (x,) in drawn(graph)[:3]:
        near = (cosines(x, x) > 0.8).sum(1) - 1
        assert 0.1 < float((near > 0).double().mean()) < 0.45
        assert int(near.max()) < 9


def test_labels_name_partners() -> None:
    specs = [spec("x", 256, 64), spec("y", 256, 64), spec("at", 256, dtype="int64")]
    body = ("a = y.t()", "z = x @ a", "out = torch.nn.functional.cross_entropy(z, at)", "return (out,)")
    named = 0
    for x, y, at in drawn(graph_of(specs, *body))[:3]:
        named = max(named, int((cosines(x, y)[torch.arange(256), at.clamp(min=0)] > 0.75).sum()))
    assert named > 10


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_partners_are_so_behind_two_weights(dtype: str) -> None:
    specs = [spec("x", 512, 64, dtype=dtype), spec("y", 512, 64, dtype=dtype)]
    specs += [spec(name, 48, 64, dtype=dtype, std=0.1) for name in ("w_1", "w_2")]
    body = [f"{to} = torch.nn.functional.linear({of}, {by})" for to, of, by in (("a", "x", "w_1"), ("b", "y", "w_2"))]
    graph = graph_of(specs, *body, "c = b.t()", "z = a @ c", "out = z.logsumexp(-1)", "return (out,)")
    for x, y, u, v in drawn(graph)[:3]:
        near = cosines(x.double() @ u.double().T, y.double() @ v.double().T) > 0.7
        assert max(int(near.any(0).sum()), int(near.any(1).sum())) > 60


def test_no_draw_where_no_rows_of_data_meet() -> None:
    graph = graph_of([spec("x", 32, 16), spec("y", 32, 16)], "z = x * y", "return (z,)")
    assert drawn(graph) == []


def test_inputs_that_meet_are_paired() -> None:
    assert paired_inputs(graph_of([spec("x", 8, 16), spec("y", 9, 16)], *_SCORES)) == [(0, 1)]
    assert paired_inputs(graph_of([spec("x", 8, 16), spec("y", 8, 16)], "a = x.t()", "z = x @ a", "return (z,)")) == []
    specs = [spec(name, 2, 8, 16) for name in "xyz"]
    attention = "o = torch.nn.functional.scaled_dot_product_attention(x, y, z)"
    assert paired_inputs(graph_of(specs, attention, "return (o,)")) == [(0, 1)]
