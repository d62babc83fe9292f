"""Careful draws in which a whole block, a whole input or one input alone is at an end of what it may be."""

from __future__ import annotations

import itertools
from random import Random

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.sizes.level_blocks import level_blocks
from passnet.bench.draws.sizes.one_large import one_large
from passnet.bench.draws.values import about_thresholds
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec


def calls_of(graph: Graph, way: str, seed: int, count: int = 6) -> list[list[list[torch.Tensor]]]:
    """For each draw of one kind the inputs of some calls."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual, rng, before = given.draws[0], Random(seed), len(given.draws)
    made = {"level": level_blocks, "marks": about_thresholds.marks, "large": one_large}[way]
    given.draws += made(graph, itertools.repeat(usual), rng)
    return [
        [[value.clone() for value in given.values(given.key(draw))] for _ in range(count)]
        for draw in range(before, len(given.draws))
    ]


@pytest.mark.parametrize("shape", [(6, 3, 8, 8), (1, 3, 16, 16), (200,)])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_means_of_blocks_reach_both_ends(shape: tuple[int, ...], dtype: str) -> None:
    graph = graph_of([spec("x", *shape, dtype=dtype, min_val=-1, max_val=1)], "y = x.mean()", "return (y,)")
    several = len(shape) > 1 and shape[0] > 1
    for seed in range(4):
        draws = calls_of(graph, "level", seed)
        for (x,) in (call for calls in draws for call in calls):
            assert float(x.abs().max()) <= 1.0
            assert len(x.unique()) > 4, "a norm asks for more than one number"
        means = [[x.double().reshape(shape[0] if several else 1, -1).mean(1) for (x,) in calls] for calls in draws]
        assert all(float(mean.max()) < -0.9 for mean in means[-2]), "all of it, in every call"
        assert all(float(mean.min()) > 0.9 for mean in means[-1])
        if several:
            assert all(float(mean.min()) < -0.9 and float(mean.max()) > 0.9 for mean in means[0])
            assert len({bool(mean[0] > 0) for mean in means[0]}) == 2, "nobody knows with which end a call begins"
        assert len(draws) == 2 + several


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
def test_bytes_hardly_differ_near_each_end(dtype: str) -> None:
    graph = graph_of([spec("x", 8, 64, dtype=dtype)], "y = x.float()", "z = y.mean(-1)", "return (z,)")
    rows = torch.cat([x for calls in calls_of(graph, "level", 3) for (x,) in calls]).double()
    info = torch.iinfo(getattr(torch, dtype))
    assert float(rows.mean(1).max()) > info.max - 3 and float(rows.mean(1).min()) < info.min + 3
    assert float(rows.std(1).max()) < 3


def test_what_is_multiplied_is_the_end_itself() -> None:
    graph = graph_of([spec("g", 4, 512, min_val=0, max_val=1)], "y = torch.cumprod(g, -1)", "return (y,)")
    blocks, least, largest = calls_of(graph, "level", 1)
    assert any(bool((g == 1).all(-1).any()) for (g,) in blocks)
    assert all(bool((g == 1).all()) for (g,) in largest) and all(not bool(g.any()) for (g,) in least)


def test_no_number_is_beyond_the_only_end() -> None:
    specs = [spec("x", 8, 8, max_val=2.0), spec("y", 8, 8, min_val=0.5), spec("z", 8, 8, min_val=3.0, max_val=3.0)]
    draws = calls_of(graph_of(specs, "s = x + y", "t = s + z", "return (t,)"), "level", 1)
    for x, y, z in (call for calls in draws for call in calls):
        assert float(x.max()) <= 2.0 and float(y.min()) >= 0.5 and bool((z == 3.0).all())


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e5m2"])
def test_a_range_of_few_steps_is_kept(dtype: str) -> None:
    graph = graph_of([spec("x", 8, 8, dtype=dtype, min_val=4.0, max_val=6.0)], "y = x.float()", "return (y,)")
    for calls in calls_of(graph, "level", 1):
        for (x,) in calls:
            assert float(x.float().min()) >= 4.0 and float(x.float().max()) <= 6.0


def test_without_ends_there_is_no_such_draw() -> None:
    assert not calls_of(graph_of([spec("x", 8, 8)], "y = x.mean()", "return (y,)"), "level", 1)


def test_a_mask_hides_all_or_nothing_and_marks_fill_an_input() -> None:
    specs = [
        spec("x", 8, 16),
        spec("m", 8, 16, dtype="bool"),
        spec("y", 8, 16, dtype="int64", min_val=-100, max_val=50),
    ]
    lines = ("v = y != -100", "w = v & m", "z = x * w", "return (z,)")
    draws = calls_of(graph_of(specs, *lines), "marks", 2)
    assert [{bool(m.all()) for _, m, _ in calls} for calls in draws] == [{True}, {False}]
    assert not any(bool(m.any()) for _, m, _ in draws[1])
    assert all(bool((y == -100).all()) for calls in draws for _, _, y in calls)
    assert not calls_of(graph_of([spec("x", 8, 8)], "y = x.mean()", "return (y,)"), "marks", 1)


def test_each_input_is_large_alone() -> None:
    graph = graph_of([spec("p", 8, 64), spec("x", 8, 64)], "z = x - p", "return (z,)")
    large = [[float(value.std()) > 4096 for value in call] for calls in calls_of(graph, "large", 5) for call in calls]
    assert sorted(map(tuple, large)) == [(False, True)] * 6 + [(True, False)] * 6
    assert not calls_of(graph_of([spec("x", 8, 8)], "y = x.mean()", "return (y,)"), "large", 1)
    bounded = [spec("p", 8, 64, min_val=0, max_val=1), spec("x", 8, 64)]
    assert not calls_of(graph_of(bounded, "z = x - p", "return (z,)"), "large", 1)
