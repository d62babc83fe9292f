"""Integers are far beyond the largest recorded ones where a program computes something else there."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest
import torch

from passnet.bench.draws.integers.beyond_turns import beyond_turns
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.looked_up import may_be
from tests.graph.graph_helpers import graph_of, spec

PLACES: Any = {"dtype": "int64", "min_val": 0, "max_val": 255}


def graph(*lines: str, shape: tuple[int, ...] = (16, 64), **fields: Any) -> Graph:
    return graph_of([spec("p", *shape, **PLACES | fields), spec("k", 64, **PLACES), spec("w", 1024, 4)], *lines)


def drawn(of: Graph, index: int = 0) -> list[torch.Tensor]:
    """An input in each of the draws."""
    given = SecretInputs.draw(of, "cpu", 3, ["normal"], hard=0)
    made = beyond_turns(of, itertools.repeat(given.draws[0]), Random(3))
    first = len(given.draws)
    given.draws += made
    return [given.values(given.key(draw))[index].clone() for draw in range(first, len(given.draws))]


def beyond(of: Graph, index: int = 0) -> set[int]:
    return {int(n) for values in drawn(of, index) for n in values.unique() if n > 255}


@pytest.mark.parametrize(
    ("lines", "first"),
    [
        (("a = p / 8192", "b = torch.floor(a)", "return (b,)"), 8192),
        (("a = p + 1", "b = a.float()", "c = b / 128000", "d = c.clamp(min=1.0)", "return (d,)"), 127999),
    ],
)
def test_far_numbers_are_met_where_something_rounds(lines: tuple[str, ...], first: int) -> None:
    numbers = beyond(graph(*lines))
    assert len(numbers) == 4 and all(1.04 * first < number <= 6 * first for number in numbers)
    half, few, whole = (values > 255 for values in drawn(graph(*lines)))
    assert 0.4 < float(half.float().mean()) < 0.6 and 0 < int(few.sum()) < 200 and int(whole.all(1).sum())


def test_what_is_exact_is_met_next_to_it_too() -> None:
    numbers = beyond(graph("b = p // 8192", "return (b,)"))
    assert {8191, 8192, 8193} <= numbers and max(numbers) > 9000


def test_a_query_is_far_behind_all_keys() -> None:
    lines = ("d = p - k", "c = d.clamp(0, 1023)", "m = d >= 1024", "u = w[c]", "return (u, m)")
    numbers = beyond(graph(*lines))
    assert {1023, 1024, 1279} <= numbers and max(numbers) > 1.05 * 1279
    assert beyond(graph(*lines), 1) == set()


@pytest.mark.parametrize(
    "lines",
    [
        ("b = p // 8192", "e = w[p]", "return (b, e)"),
        ("b = p // 8192", "r = torch.repeat_interleave(w, p)", "return (b, r)"),
        ("b = p // 8192", "z = w.index_copy(0, p, w)", "return (b, z)"),
        ("c = p < 1", "return (c,)"),
        ("c = p == 4000", "return (c,)"),
    ],
)
def test_what_is_looked_up_or_counted_stays_where_it_is(lines: tuple[str, ...]) -> None:
    assert drawn(graph(*lines, shape=(1024,))) == []


def test_a_mask_is_no_larger() -> None:
    assert drawn(graph("c = p >= 1", "d = p.clamp(max=1)", "return (c, d)", max_val=1)) == []


def test_no_number_needs_more_bits_than_the_dtype_or_than_32_have() -> None:
    assert drawn(graph("c = p > 126", "return (c,)", dtype="int8", max_val=100)) != []
    assert all(
        int(values.max()) <= 127 for values in drawn(graph("c = p > 126", "return (c,)", dtype="int8", max_val=9))
    )
    assert drawn(graph("c = p.clamp(max=3000000000)", "return (c,)")) == []


def test_an_input_of_a_few_elements_is_far() -> None:
    assert beyond(graph("a = p / 8192", "b = torch.floor(a)", "return (b,)", shape=(1,)))


def test_an_index_that_a_clamp_keeps_within_may_be_anything() -> None:
    kept = graph("d = p - k", "c = d.clamp(0, 1023)", "e = w[c]", "return (e,)")
    assert may_be(kept, 0, 5000)
