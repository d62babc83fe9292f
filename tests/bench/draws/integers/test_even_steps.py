"""Rows are evenly spaced where a graph takes differences of neighbours."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest
import torch

from passnet.bench.draws.integers import even_steps as tried
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

OFFSETS = ("d = torch.diff(p, dim = -1)", "m = d == 64", "return (m,)")
TIMES = ("d = torch.diff(p, dim = -1)", "c = d - 0.04", "a = c.abs()", "m = a < 0.001", "return (m,)")


def drawn(of: Graph, seed: int = 3) -> list[torch.Tensor]:
    """The input in each of the draws."""
    given = SecretInputs.draw(of, "cpu", seed, ["normal"], hard=0)
    first = len(given.draws)
    given.draws += tried.even_steps(of, itertools.repeat(given.draws[0]), Random(seed))
    return [given.values(given.key(draw))[0].clone() for draw in range(first, len(given.draws))]


def offsets(*shape: int, lines: tuple[str, ...] = OFFSETS, **fields: Any) -> Graph:
    return graph_of([spec("p", *shape, **{"dtype": "int64", "min_val": 0, "max_val": 65535} | fields)], *lines)


def times(*shape: int, lines: tuple[str, ...] = TIMES, **fields: Any) -> Graph:
    return graph_of(
        [spec("p", *shape, **{"mean": 20.0, "std": 12.0, "min_val": 0.0, "max_val": 41.0} | fields)], *lines
    )


def test_rows_of_integers_are_as_far_apart_as_a_program_asks() -> None:
    for seed in range(4):
        every, some = drawn(offsets(128, 256), seed)
        steps = every.diff(dim=-1)
        assert bool((steps == 64).all(-1).any()), "whole rows"
        assert bool(((steps == 64).sum(-1) == 254).any()), "rows with a gap"
        assert bool(((steps == 64).sum(-1) % 255).bool().any()), "runs"
        assert len(steps[(steps == steps[:, :1]).all(-1)][:, 0].unique()) > 4, "other steps, and secret ones"
        assert int(every.min()) >= 0 and int(every.max()) <= 65535
        whole = (some.diff(dim=-1) == 64).all(-1)
        assert 0 < int(whole.sum()) < 8


def test_rows_of_floats_are_regular_too() -> None:
    for seed in range(4):
        every, some = drawn(times(128, 1024), seed)
        steps = every.diff(dim=-1)
        assert bool(((steps - 0.04).abs() < 0.001).all(-1).any()) and bool((steps == steps[:, :1]).all(-1).any())
        assert float(every.min()) >= 0 and float(every.max()) <= 41
        assert 0 < int(((some.diff(dim=-1) - 0.04).abs() < 0.001).all(-1).sum()) < 8
    halves = ("d = torch.diff(p, dim = -1)", "m = d == 0.5", "return (m,)")
    (every, _) = drawn(times(64, 64, lines=halves))
    assert bool((every.diff(dim=-1) == 0.5).all(-1).any())


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_differences_of_floats_do_not_round(dtype: str) -> None:
    lines = ("d = torch.diff(p, dim = -1)", "m = d < 3.0", "return (m,)")
    for seed in range(3):
        every = drawn(graph_of([spec("p", 64, 100, dtype=dtype)], *lines), seed)[0].double()
        assert sum(len(row.diff().unique()) <= 2 for row in every) > 16


@pytest.mark.parametrize("shape", [(2, 64), (64,)])
def test_few_rows_have_more_draws(shape: tuple[int, ...]) -> None:
    for seed in range(4):
        rows = [row for p in drawn(offsets(*shape), seed) for row in p.reshape(-1, 64)]
        assert len(rows) == 3 * len(rows[0].new_empty(shape).reshape(-1, 64))
        assert any(bool((row.diff() == 64).all()) for row in rows)


def test_neighbours_are_of_any_dimension() -> None:
    lines = ("a = p.narrow(1, 2, 62)", "b = p.narrow(1, 0, 62)", "c = a - b", "m = c > 10", "return (m,)")
    every, _ = drawn(offsets(32, 64, 3, lines=lines))
    assert every.shape == (32, 64, 3)
    steps = every.diff(dim=1)
    assert bool((steps == steps[:, :1]).all(1).any()) and not bool(
        (every.diff() == every.diff()[..., :1]).all(-1).all()
    )


@pytest.mark.parametrize("fields", [{"dtype": "uint8", "max_val": 5}, {"min_val": None, "max_val": None}])
def test_narrow_ranges_and_open_ones_have_steps(fields: dict[str, Any]) -> None:
    lines = ("d = torch.diff(p, dim = -1)", "m = d == 2", "return (m,)")
    for every in drawn(offsets(64, 100, lines=lines, **fields)):
        assert bool(((every.to(torch.int64).diff(dim=-1) == 2).sum(-1) > 1).any())


@pytest.mark.parametrize("lines", [("y = p * 2", "return (y,)"), ("a = p.sum(-1)", "m = a == 64", "return (m,)")])
def test_other_graphs_have_none(lines: tuple[str, ...]) -> None:
    assert drawn(offsets(64, 64, lines=lines)) == [] == drawn(times(64, 64, lines=lines))


def test_rows_of_large_inputs_come_again() -> None:
    every, _ = drawn(offsets(1200, 1024))
    assert bool((every.diff(dim=-1) == 64).all(-1)[1024:].any())
    assert torch.equal(every[1024:], every[:176])
