"""Inputs that bound a clamp are in order in every timed call, and out of order in one compared draw."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.clamp_bounds import clamp_bounds
from passnet.graph.values.inputs import hard_distributions
from tests.graph.graph_helpers import graph_of, spec

NAMES = ("normal", "small", "large", "sparse")


def drawn(graph: Graph, seed: int = 3) -> SecretInputs:
    hard = hard_distributions(graph)
    return SecretInputs.draw(graph, "cpu", seed, (*NAMES, *hard), hard=len(hard))


@pytest.mark.parametrize(
    ("shape", "fields", "lines"),
    [
        ((), {}, ("y = torch.clamp(x, a, b)",)),
        ((), {"dtype": "bfloat16"}, ("y = torch.clip(x, min = a, max = b)",)),
        ((64, 1), {"dtype": "float16"}, ("y = x.clamp(a, b)",)),
        ((16,), {}, ("c = a.expand(64, 16)", "d = b.view(1, 16)", "y = x.clamp_(c, d)")),
        ((16,), {}, ("c = a.half()", "d = b * 2.0", "e = d.to(torch.float16)", "y = torch.clamp(x, c, e)")),
        ((16,), {"dtype": "int64", "min_val": 0, "max_val": 4000}, ("y = torch.clamp(x, a, b)",)),
        ((16,), {"dtype": "int32", "min_val": 0, "max_val": 9}, ("y = torch.clamp(x, a, b)",)),
    ],
)
def test_two_bounds_are_in_order_in_timed_calls(
    shape: tuple[int, ...], fields: dict[str, Any], lines: tuple[str, ...]
) -> None:
    specs = [spec("a", *shape, **fields), spec("b", *shape, **fields), spec("x", 64, 16)]
    given = drawn(graph_of(specs, *lines, "return (y,)"))
    factor = 2 if "* 2.0" in " ".join(lines) else 1
    for _ in range(16):
        a, b, _ = given.values(given.key())
        assert bool((a.double() < factor * b.double()).all())


@pytest.mark.parametrize(
    ("lines", "holds"),
    [
        (("n = -a", "y = torch.clamp(x, n, a)"), lambda a: a > 0),
        (("n = a * -3.0", "y = torch.clamp(x, a, n)"), lambda a: a < 0),
        (("q = torch.full((), 0.25)", "y = torch.clamp(x, q, a)"), lambda a: a > 0.25),
        (("z = torch.zeros(())", "y = torch.clamp(x, a, z)"), lambda a: a < 0),
    ],
)
def test_one_input_may_be_both_bounds_or_the_only_one(lines: tuple[str, ...], holds: Any) -> None:
    given = drawn(graph_of([spec("a"), spec("x", 64, 16)], *lines, "return (y,)"))
    for _ in range(16):
        assert bool(holds(given.values(given.key())[0]))
    crossed = [not holds(given.values(given.key(draw))[0]) for draw in given.careful for _ in range(4)]
    assert any(crossed)


def test_bounds_are_crossed_in_one_compared_draw() -> None:
    graph = graph_of([spec("a", 16), spec("b", 16), spec("x", 64, 16)], "y = torch.clamp(x, a, b)", "return (y,)")
    given = drawn(graph)
    whole = 0
    for draw in given.careful:
        a, b, _ = given.values(given.key(draw))
        opposite = given.draws[draw][0].related is not None
        whole += bool((a > b).all()) and not opposite
    assert whole == 1


def test_recorded_bounds_that_are_in_no_order_stay_so() -> None:
    specs = [spec("a", 16, mean=5.0, std=0.5), spec("b", 16), spec("x", 64, 16)]
    given = drawn(graph_of(specs, "y = torch.clamp(x, a, b)", "return (y,)"))
    a, b, _ = given.values(given.key())
    assert float(a.mean()) > 3.0 and bool((a > b).any())


def test_stored_bounds_are_what_the_other_one_keeps_to() -> None:
    specs = [spec("a", data=(0.5,)), spec("b"), spec("x", 64, 16)]
    given = drawn(graph_of(specs, "y = torch.clamp(x, a, b)", "return (y,)"))
    assert all(float(given.values(given.key())[1]) > 0.5 for _ in range(16))


@pytest.mark.parametrize("line", ["y = torch.clamp(x, a)", "y = torch.clamp(x, a, c)", "y = x * a"])
def test_what_is_no_pair_of_bounds_is_left(line: str) -> None:
    graph = graph_of([spec("a", 16), spec("b", 16), spec("x", 64, 16)], "c = torch.exp(b)", line, "return (y, c)")
    assert clamp_bounds(graph) == ()
    assert any(float(drawn(graph, seed).values(drawn(graph).key())[0].max()) > 0 for seed in range(3))


def test_numbers_stay_what_they_are_between() -> None:
    graph = graph_of([spec("a", 512), spec("b", 512), spec("x", 64, 512)], "y = torch.clamp(x, a, b)", "return (y,)")
    a, b, _ = drawn(graph).values(drawn(graph).key(0))
    assert a.dtype is torch.float32 and len(a.unique()) > 500 and len(b.unique()) > 500
