"""Differences of neighbours are found, and the numbers with which they are compared."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from passnet.graph.values.neighbours import neighbours
from tests.graph.graph_helpers import graph_of, spec

LATER, EARLIER = (f"x[(slice(None, None, None), slice({ends}, None))]" for ends in ("1, None", "None, -1"))


def steps(*lines: str, **fields: Any) -> dict[int, set[float]]:
    """Dimension -> the steps of the input along it."""
    found = neighbours(graph_of([spec("x", 16, 64, **fields)], *lines), Random(1))
    return {each.dim: set(each.steps) for each in found.get(0, ())}


def test_a_number_is_met_beside_and_beyond() -> None:
    found = steps("d = torch.diff(x)", "e = d == 64", "return (e,)", dtype="int64")
    assert found == {1: {64, 63, 65, 32, 96}}


def test_between_two_numbers_is_first() -> None:
    graph = graph_of([spec("x", 16, 64)], "d = x.diff()", "c = d - 0.5", "a = c.abs()", "e = a < 0.125", "return (e,)")
    (known,) = neighbours(graph, Random(1))[0]
    assert known.steps[0] == 0.5 and {0.375, 0.625}.isdisjoint(known.steps)


@pytest.mark.parametrize(
    ("lines", "step"),
    [
        ((f"a = {LATER}", f"b = {EARLIER}", "c = a - b", "e = c == 8", "return (e,)"), 8),
        ((f"a = {EARLIER}", f"b = {LATER}", "c = a - b", "e = c == 8", "return (e,)"), -8),
        ((f"a = {LATER}", f"b = {EARLIER}", "c = b + 8", "e = a == c", "return (e,)"), 8),
        (("y = x * 2", "d = torch.diff(y)", "e = d == 16", "return (e,)"), 8),
        (("a = torch.roll(x, 1, -1)", "c = x - a", "e = c == 8", "return (e,)"), 8),
        (("a = x.narrow(-1, 4, 60)", "b = x.narrow(1, 0, 60)", "c = a - b", "e = c == 32", "return (e,)"), 8),
    ],
)
def test_slices_are_taken_in_many_ways(lines: tuple[str, ...], step: float) -> None:
    found = steps(*lines, dtype="int64")
    assert found.keys() == {1} and step in found[1] and -step not in found[1]


def test_rows_have_neighbours_too() -> None:
    lines = ("a = x.narrow(0, 1, 15)", "b = x.narrow(0, 0, 15)", "c = a - b", "y = c.mean()", "return (y,)")
    assert steps(*lines) == {0: set()}


@pytest.mark.parametrize(
    "lines",
    [
        ("e = x == 64", "return (e,)"),
        ("a = x.narrow(1, 1, 63)", "b = x.narrow(1, 1, 63)", "c = a - b", "return (c,)"),
        ("a = x[(slice(None, None, None), 1)]", "b = x[(slice(None, None, None), 0)]", "c = a - b", "return (c,)"),
        ("a = x.flip(-1)", "c = x - a", "e = c == 1", "return (e,)"),
    ],
)
def test_others_are_no_neighbours(lines: tuple[str, ...]) -> None:
    assert steps(*lines) == {}
