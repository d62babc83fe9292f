"""The careful draws in which gates stay open for long."""

from __future__ import annotations

from itertools import repeat
from random import Random

import torch

from passnet.bench.draws.relations.open_gates import open_gates
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec
from tests.graph.values.test_gates import scan

_STEPS = 32


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """One call of each draw."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual = len(given.draws)
    given.draws += open_gates(graph, repeat(given.draws[0]), given.draws[0], Random(seed))
    return [[each.clone() for each in given.values(given.key(draw))] for draw in range(usual, len(given.draws))]


def test_a_few_series_of_each_kind_are_open_and_then_half_of_them() -> None:
    specs = [spec("x", 8, _STEPS, 64), spec("y", 8, _STEPS, 64)]
    graph = graph_of(specs, *scan("g[:, @]", "y[:, @]", "g = torch.sigmoid(x)"))
    for seed in range(4):
        kinds = []
        for x, _ in drawn(graph, seed):
            open_ones = ((x.abs() > 3.5).sum(1) > 0.35 * _STEPS).nonzero().tolist()
            rows, channels = {row for row, _ in open_ones}, {channel for _, channel in open_ones}
            kinds.append((len(open_ones), len(rows), len(channels)))
        (by_row, first, _), (by_channel, _, second), (few, _, _), (half, _, _) = (*kinds[:3], kinds[-1])
        assert first == 2 and 120 < by_row <= 128
        assert 2 <= second < 5 and 7 * second < by_channel <= 8 * second
        assert 2 <= few < 24 and 120 < half < 340


def test_half_of_the_open_ones_are_so_by_a_low_number() -> None:
    specs = [spec("x", 8, _STEPS, 64), spec("y", 8, _STEPS, 64)]
    x, _ = drawn(graph_of(specs, *scan("g[:, @]", "y[:, @]", "g = torch.sigmoid(x)")))[-1]
    low = float((x < -3.5).double().mean() / (x.abs() > 3.5).double().mean())
    assert 0.3 < low < 0.7


def test_plain_gates_are_near_one_and_within_their_bounds() -> None:
    specs = [spec("x", 8, _STEPS, 64, mean=0.5, std=0.25, min_val=0, max_val=1), spec("y", 8, _STEPS, 64)]
    for x, _ in drawn(graph_of(specs, *scan("x[:, @]", "y[:, @]"))):
        assert float(x.min()) >= 0 and float(x.max()) <= 1
        assert int(((x > 0.93).sum(1) > 0.35 * _STEPS).sum()) >= 1


def test_cells_of_one_operator_keep_some_numbers_of_a_state() -> None:
    specs = [spec("x", 2, 6, 8), spec("h", 1, 2, 16), spec("w", 64, 8), spec("u", 64, 16), spec("b", 64), spec("c", 64)]
    call = "o = torch.lstm(x, [h, h], [w, u, b, c], True, 1, 0.0, False, False, True)"
    made = drawn(graph_of(specs, call, "z = o[0]", "return (z,)"))
    assert len(made) == 6
    for row in made:
        for bias in row[4:]:
            kept = bias > 3.9
            assert int(kept[16:32].sum()) >= 1 and int(kept.sum()) == int(kept[16:32].sum())


def test_no_draw_without_gates() -> None:
    assert drawn(graph_of([spec("x", 8, 16), spec("y", 8, 16)], "z = x * y", "return (z,)")) == []
