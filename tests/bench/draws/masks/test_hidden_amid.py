"""Draws of scores with a mask in them: ordinary where nothing is hidden, and masks of two numbers in others."""

from __future__ import annotations

import math

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.inputs import hard_distributions
from tests.graph.graph_helpers import graph_of, spec

_TIMED = ["normal", "small", "large", "sparse"]


def drawn(graph: Graph, seed: int = 3) -> SecretInputs:
    hard = hard_distributions(graph)
    return SecretInputs.draw(graph, "cpu", seed, [*_TIMED, *hard], hard=len(hard))


def one(given: SecretInputs, draw: int, index: int = 0) -> torch.Tensor:
    return given.values(given.key(draw))[index].clone()


@pytest.mark.parametrize("mean", [-math.inf, -1.7e38, -1e9])
def test_two_timed_draws_hold_scores_and_two_hold_masks(mean: float) -> None:
    given = drawn(graph_of([spec("x", 64, 256, mean=mean, std=0.0)], "y = x.softmax(-1)", "return (y,)"))
    kinds = []
    for draw in given.timed:
        values = one(given, draw)
        shown = values > -1e6
        assert shown.any(-1).all() and not shown.all(-1).any()
        kinds.append(len(values[shown].unique()) > 1000)
        if kinds[-1]:
            assert (values[shown] > 0).any() and (values[shown] < 0).any()
        else:
            assert values.unique().tolist() == torch.tensor([mean, 0.0]).tolist()
    assert sorted(kinds) == [False, False, True, True]


def test_masks_of_a_hundred_are_drawn_as_such() -> None:
    specs = [spec("x", 16, 49, 49), spec("mask", 16, 49, 49, mean=-22.9904, std=42.0777)]
    given = drawn(graph_of(specs, "y = x + mask", "z = y.softmax(-1)", "return (z,)"))
    of_two = [set(one(given, draw, 1).unique().tolist()) == {-100.0, 0.0} for draw in given.timed]
    assert sum(of_two) == 2


def test_where_another_mask_hides_one_element_of_a_row_is_hidden() -> None:
    specs = [spec("x", 64, 256, mean=-math.inf, std=0.0), spec("m", 64, 256, dtype="bool")]
    given = drawn(graph_of(specs, "y = x.masked_fill(m, -3.0)", "return (y,)"))
    hidden = [int((one(given, draw) == -math.inf).sum(-1).max()) for draw in given.timed]
    assert sorted(each == 1 for each in hidden) == [False, False, True, True]


@pytest.mark.parametrize("added", [False, True])
def test_careful_draws_take_them_for_data(added: bool) -> None:
    specs = [spec("x", 64, 256, mean=-1.7e38, std=0.0), spec("w", 64, 256)]
    graph = graph_of(specs, "a = x + w" if added else "a = x.softmax(-1)", "y = a * w", "return (y,)")
    data, masks = 0, 0
    for seed in range(3):
        given = drawn(graph, seed)
        for draw in given.careful:
            values = one(given, draw)
            data += float(values.min()) > -1e30 and len(values.unique()) > 2
            masks += values.unique().numel() == 2 and float(values.min()) < -1e30
    assert data > 0 and masks > 0
