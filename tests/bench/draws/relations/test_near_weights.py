"""The careful draws in which rows of data lie near rows of a weight, and labels name these."""

from __future__ import annotations

import math
from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.relations.near_rows import near_rows
from passnet.bench.draws.relations.near_weights import near_weights
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

LINEAR = "z = torch.nn.functional.linear(x, w_1)"
LOSS = "out = torch.nn.functional.cross_entropy(z, labels)"


def head(dtype: str = "float32", *, rows: int = 512, most: int = 1023) -> Graph:
    specs = [spec("x", rows, 64, dtype=dtype), spec("w_1", 1024, 64, dtype=dtype, std=0.1)]
    specs.append(spec("labels", rows, dtype="int64", min_val=0, max_val=most))
    return graph_of(specs, LINEAR, LOSS, "return (out,)")


def given_draws(graph: Graph, seed: int, make: object = near_weights) -> tuple[SecretInputs, range]:
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual = len(given.draws)
    given.draws += (near_rows if make is near_rows else near_weights)(graph, repeat(given.draws[0]), Random(seed))
    return given, range(usual, len(given.draws))


def drawn(graph: Graph, seed: int = 3, make: object = near_weights) -> list[list[torch.Tensor]]:
    """A call of each draw."""
    given, draws = given_draws(graph, seed, make)
    return [[each.clone() for each in given.values(given.key(draw))] for draw in draws]


def cosines(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    one, other = (torch.nn.functional.normalize(each.double().flatten(0, -2), dim=-1) for each in (x, w))
    return one @ other.T


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_shares_of_rows_are_near_rows_of_their_own(dtype: str) -> None:
    shares = []
    for x, w, _ in drawn(head(dtype)):
        best = cosines(x, w).max(-1)
        near = best.values > 0.75
        shares.append(float(near.double().mean()))
        assert len(best.indices[near].unique()) > 0.6 * int(near.sum()), "not all are near one row"
        own = cosines(w, w).fill_diagonal_(0)
        assert float(own.max()) < 0.75, "rows of the weight are as usual"
    ends = [(0.12, 0.45), (0.04, 0.2), (0.02, 0.11), (0.0, 0.02)]
    assert all(low <= share <= high for share, (low, high) in zip(shares, ends, strict=True)), shares


def test_scores_of_near_rows_stand_out_in_both_ways() -> None:
    changed = set()
    for seed in range(4):
        for x, w, _ in drawn(head(), seed)[:3]:
            scores, cosine = x @ w.T, cosines(x, w)
            near = cosine.max(-1).values > 0.9
            above = scores.max(-1).values[near].median() - math.log(1024) if near.any() else torch.tensor(5.0)
            assert 2.0 < float(above) < 20.0, float(above)
            changed.add(tuple(abs(math.log(float(each.std()) / std)) > 0.1 for each, std in ((x, 1.0), (w, 0.1))))
    assert {(True, False), (False, True)} <= changed


def test_labels_name_the_row_of_their_own_or_of_the_one_before_or_neither() -> None:
    x, w, labels = drawn(head())[0]
    best = cosines(x, w).max(-1)
    near = best.values > 0.75
    own = (best.indices == labels)[near].double().mean()
    before = (best.indices[:-1] == labels[1:])[near[:-1]].double().mean()
    assert 0.35 < float(own) < 0.65 and 0.12 < float(before) < 0.38


def test_labels_stay_within_their_bounds() -> None:
    for x, w, labels in drawn(head(most=99)):
        assert int(labels.max()) <= 99
        best = cosines(x, w).max(-1)
        near = best.indices[best.values > 0.9]
        assert not len(near) or int(near.max()) <= 99


def test_columns_of_a_weight_and_channels_of_data() -> None:
    specs = [spec("x", 4, 48, 64), spec("w_1", 48, 96)]
    graph = graph_of(specs, "z = torch.einsum('bdi,dj->bij', x, w_1)", "out = z.softmax(-1)", "return (out,)")
    x, w = drawn(graph)[0]
    assert float((cosines(x.mT, w.T).max(-1).values > 0.8).double().mean()) > 0.12


def test_some_elements_are_drawn_as_all_are() -> None:
    given, draws = given_draws(head(rows=64), 5)
    at = [0, 7, 33, 63]
    for draw in draws:
        key = given.key(draw)
        whole = [each.clone().flatten()[at] for each in given.values(key)]
        assert all(map(torch.equal, given.some(key, [at, at, at]), whole))


def test_rows_of_data_that_meet_each_other_and_a_weight_have_both_in_one_draw() -> None:
    specs = [spec("x", 256, 64), spec("y", 256, 64), spec("w_1", 128, 64)]
    body = ("a = y.t()", "s = x @ a", "p = s.softmax(-1)", LINEAR, "q = z.softmax(-1)")
    graph = graph_of(specs, *body, "return (p, q)")
    assert drawn(graph) == []
    made = drawn(graph, make=near_rows)
    assert len(made) == 7
    found = [float(cosines(x, w).max()) > 0.75 for x, _, w in made]
    assert found[0] and found[2] and not found[1], found
    x, y, _ = made[2]
    assert int((cosines(x, y) > 0.75).sum()) > 8


def test_no_draw_where_no_weight_is_met() -> None:
    graph = graph_of([spec("x", 32, 16)], "out = x.softmax(-1)", "return (out,)")
    assert drawn(graph) == []
