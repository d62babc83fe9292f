"""The careful draws of rows and columns that are equal or in order, and of symmetric matrices."""

from __future__ import annotations

from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.relations.alike_lines import alike_lines
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.wire.generator import BLENDS
from passnet.graph import Distribution, Graph
from tests.graph.graph_helpers import graph_of, spec


def drawn(graph: Graph, draw: int, seed: int = 3, *, usual_draw: Distribution = "normal") -> list[torch.Tensor]:
    """A call of one of the draws."""
    given = SecretInputs.draw(graph, "cpu", seed, [usual_draw], hard=0)
    usual = len(given.draws)
    given.draws += alike_lines(graph, repeat(given.draws[0]), Random(seed))
    return [value.clone() for value in given.values(given.key(usual + draw))]


def alike(one: torch.Tensor, other: torch.Tensor) -> float:
    """The share of rows that are equal."""
    return float((one == other).all(-1).double().mean())


@pytest.mark.parametrize("bounds", [{}, {"dtype": "int64", "min_val": 0, "max_val": 30521}, {"dtype": "float16"}])
def test_rows_are_equal_to_others_or_in_order(bounds: dict[str, object]) -> None:
    specs = [spec("x", 256, 32, **bounds), spec("y", 256, 32, **bounds)]
    x, y = drawn(graph_of(specs, "z = x == y", "return (z,)"), 0)
    assert 0.2 < alike(x, y) < 0.6
    same = (x[:, None] == x[None]).all(-1).sum(-1) > 8
    assert 0.05 < float(same.double().mean()) < 0.3
    rising, falling = ((x.diff(dim=-1) * sign >= 0).all(-1).double().mean() for sign in (1, -1))
    assert 0.1 < float(rising) < 0.5 and 0.05 < float(falling) < 0.3
    assert float((x.diff(dim=-1) != 0).double().mean()) > 0.9, "these are no constants"


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16", "float64"])
def test_no_row_is_of_one_number_where_half_of_the_elements_are_one(dtype: str) -> None:
    """Its mean rounds in one form and not in the next, and the epsilon of a norm magnifies that."""
    specs = [spec(name, 2048, 32, mean=0.17, dtype=dtype) for name in ("x", "y")]
    graph = graph_of(specs, "z = x + y", "return (z,)")
    usual = SecretInputs.draw(graph, "cpu", 3, ["sparse"], hard=0).draws[0][0].table
    assert int(usual.unique(return_counts=True)[1].max()) > len(usual) / 4
    for made in alike_lines(graph, repeat(SecretInputs.draw(graph, "cpu", 3, ["sparse"], hard=0).draws[0]), Random(3)):
        assert all(source.kind == BLENDS[getattr(torch, dtype)] for source in made), "drawn as what it is"
    for draw in (0, 1):
        for rows in drawn(graph, draw, usual_draw="sparse"):
            # Two drawn numbers of bfloat16 are equal now and then, and some rows repeat two.
            assert int((rows == rows[:, :1]).all(1).sum()) <= (1 if dtype == "bfloat16" else 0)


def test_a_single_row_is_never_as_usual() -> None:
    graph = graph_of([spec("x", 512), spec("y", 512)], "z = x == y", "return (z,)")
    for seed in range(8):
        x, y = drawn(graph, 0, seed)
        ordered = any(bool((x.diff() * sign >= 0).all()) for sign in (1, -1))
        assert bool((x == y).all()) or ordered or bool(periodic(x))


def periodic(rows: torch.Tensor) -> torch.Tensor:
    """Which rows come again after two to eight elements."""
    periods = range(2, min(8, rows.shape[-1] // 2) + 1)
    return torch.stack([(rows[..., period:] == rows[..., :-period]).all(-1) for period in periods]).any(0)


@pytest.mark.parametrize("length", [4, 5, 32, 256])
def test_some_rows_are_periodic(length: int) -> None:
    graph = graph_of([spec("x", 256, length), spec("y", 256, length)], "z = x * y", "return (z,)")
    x = drawn(graph, 0)[0]
    found = x[periodic(x)]
    assert 0.04 < len(found) / len(x) < 0.25
    assert bool((found[:, 0] != found[:, 1]).all()), "none is a constant"
    if length > 16:
        alternate = (found[:, 2:] == found[:, :-2]).all(-1)
        assert 0 < int(alternate.sum()) < len(found)
        assert bool((found[alternate][:, 0] * found[alternate][:, 1] < 0).any())


def test_square_matrices_are_symmetric_and_columns_equal() -> None:
    specs = [spec("x", 16, 32, 32), spec("one", 32, 32), spec("z", 64, 24)]
    x, one, _ = drawn(graph_of(specs, "a = x + one", "return (a, z)"), 1)
    symmetric = (x == x.mT).flatten(1).all(1)
    assert 2 <= int(symmetric.sum()) < 16 and bool((one == one.mT).all())
    z = drawn(graph_of([spec("z", 64, 24), spec("y", 64, 24)], "a = z + y", "return (a,)"), 1)[0]
    assert float((z.diff(dim=0) >= 0).all(0).double().mean()) > 0.1


def test_integers_keep_to_their_own_range_and_masks_stay() -> None:
    specs = [
        spec("x", 8, 4, 4),
        spec("i", 64, 16, dtype="int64", min_val=5, max_val=90),
        spec("n", 64, 16, dtype="int64", min_val=0, max_val=7),
        spec("mask", 8, 4, 4, mean=-1e38, std=1e38),
    ]
    graph = graph_of(specs, "a = x + mask", "return (a, i, n)")
    for draw in (0, 1):
        _, i, n, mask = drawn(graph, draw)
        assert 5 <= int(i.min()) <= int(i.max()) <= 90 and 0 <= int(n.min()) <= int(n.max()) <= 7
        assert not bool((mask == mask.mT).all())


def test_complex_rows_are_equal_and_in_order() -> None:
    specs = [spec("x", 256, 32, dtype="complex64"), spec("y", 256, 32, dtype="complex64")]
    x, y = drawn(graph_of(specs, "z = x == y", "return (z,)"), 0)
    assert 0.2 < alike(x, y) < 0.6
    assert 0.1 < float((x.real.diff(dim=-1) >= 0).all(-1).double().mean()) < 0.5
    assert float((x.real != x.imag).double().mean()) > 0.9
    square = drawn(graph_of([spec("x", 16, 8, 8, dtype="complex128")], "z = x * x", "return (z,)"), 1)[0]
    assert 2 <= int((square == square.mT).flatten(1).all(1).sum()) < 16


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_halves_lie_far_from_zero_where_a_floor_is_taken(dtype: str) -> None:
    graph = graph_of([spec("x", 64, 32, dtype=dtype)], "y = torch.round(x)", "return (y,)")
    seen = torch.stack([drawn(graph, 1, seed)[0].double() for seed in range(8)])
    assert bool((seen.frac().abs() == 0.5).any()) and float(seen.abs().max()) > 200
    assert bool((seen.flatten(1).std(1) < 12).all()), "half a unit is much there"
