"""Numbers that a program looks for are met beyond the recorded bounds, where nothing ends before them."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest
import torch

from passnet.bench.draws.integers.beyond_bounds import beyond_bounds
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.looked_up import may_be
from tests.graph.graph_helpers import graph_of, spec

IDS: dict[str, Any] = {"dtype": "int64", "min_val": 4, "max_val": 947}
LOOKED_UP = ("e = torch.nn.functional.embedding(d, w)", "return (e,)")


def graph(*lines: str, shape: tuple[int, ...] = (8, 64), **fields: Any) -> Graph:
    return graph_of([spec("ids", *shape, **IDS | fields), spec("w", 1009, 4)], *lines)


def drawn(of: Graph) -> list[torch.Tensor]:
    """The first input in each of the draws."""
    given = SecretInputs.draw(of, "cpu", 3, ["normal"], hard=0)
    made = beyond_bounds(of, itertools.repeat(given.draws[0]), Random(3))
    first = len(given.draws)
    given.draws += made
    return [given.values(given.key(draw))[0].clone() for draw in range(first, len(given.draws))]


def met(of: Graph) -> set[int]:
    return {int(n) for values in drawn(of) for n in values.unique() if not 4 <= n <= 947}


@pytest.mark.parametrize(
    ("lines", "due"),
    [
        (("c = ids == 1004", "d = torch.where(c, 0, ids)", *LOOKED_UP), {1004}),
        (("c = ids == -1", "d = ids.masked_fill(c, 0)", *LOOKED_UP), {-1}),
        (("c = ids == -1", "m = ids.clamp_min(-5)", "d = torch.roll(m, 1)", *LOOKED_UP), set()),
        (("c = ids == -1", "d = torch.where(c, 0, ids)", *LOOKED_UP), {-1}),
        (("c = ids == -1", "d = ids + 0", *LOOKED_UP), set()),
        (("c = ids == 1004", "d = ids + 0", *LOOKED_UP), {1004}),
        (("c = ids == 5000", "d = ids + 0", *LOOKED_UP), set()),
        (("c = ids == -10", "f = ids.float()", "return (c, f)"), {-10}),
        (("c = ids < 0", "f = ids.float()", "return (c, f)"), {-1, 0, 1}),
        (("c = ids > 947", "f = ids.float()", "return (c, f)"), {948}),
        (("c = ids == -1", "e = w[ids]", "return (c, e)"), set()),
        (("p = ids + 1", "q = p // 4", "c = q == 0", "return (c,)"), set()),
        (("t = torch.arange(64)", "c = ids >= t", "return (c,)"), {0, 1, 2, 3}),
        (("b = ids.bool()", "f = ids.float()", "return (b, f)"), {0}),
        (("h = ids == -7", "m = torch.where(h, 5, ids)", "c = m == 3", "f = m.float()", "return (c, f)"), {-7, 3}),
        (("h = ids == -7", "m = ids.masked_fill(h, 5)", "c = m == 3", "f = m.float()", "return (c, f)"), {-7, 3}),
        (("m = torch.cat([ids, ids], 1)", "c = m == 3", "f = m.float()", "return (c, f)"), {3}),
        (("n = ids + 1", "m = torch.cat([ids, n], 1)", "c = m == 3", "f = m.float()", "return (c, f)"), set()),
        (("c = ids == 500", "f = ids.float()", "return (c, f)"), set()),
        (("f = ids / 3.0", "c = f > 4000.7", "return (c,)"), set()),
    ],
)
def test_which_numbers_are_met(lines: tuple[str, ...], due: set[int]) -> None:
    assert met(graph(*lines)) == due


def test_a_length_is_any_place_of_a_row() -> None:
    lines = ("t = torch.arange(128)", "u = t[:, None, None]", "c = u < ids", "return (c,)")
    numbers = {int(n) for values in drawn(graph(*lines, min_val=0, max_val=1)) for n in values.unique()}
    assert len(numbers) > 12 and numbers <= set(range(-1, 129))
    halves = ("t = torch.arange(128)", "v = t / 7", "u = v[:, None, None]", "c = ids < u", "return (c,)")
    assert drawn(graph(*halves, min_val=0, max_val=1)) == []


def test_no_number_is_met_that_the_dtype_has_not() -> None:
    assert met(graph("c = ids == 300", "return (c,)", dtype="int8", min_val=0, max_val=7)) == set()


def test_a_few_elements_are_one_of_them() -> None:
    assert met(graph("c = ids == -10", "f = ids.float()", "return (c, f)", shape=(1,))) == {-10}


def test_what_is_counted_or_written_keeps_its_bounds() -> None:
    counts = graph("c = ids == 1004", "r = torch.repeat_interleave(w, ids)", "return (c, r)", shape=(1009,))
    assert not may_be(counts, 0, 1004) and met(counts) == set()
    written = graph("c = ids == 1004", "z = w.index_copy(0, ids, w)", "return (c, z)", shape=(1009,))
    assert met(written) == set()


END: Any = ("c = ids == 1004", "d = torch.where(c, 0, ids)", *LOOKED_UP)


def test_how_often_it_is_met() -> None:
    """Half of all, a few, the ends of rows and their beginnings, and whole rows: no look at some tells the others."""
    half, rare, right, left, whole = ((values == 1004) for values in drawn(graph(*END, shape=(64, 64))))
    assert 0.4 < float(half.float().mean()) < 0.6
    assert 0 < int(rare.sum()) < 32
    assert all(bool((rows.int().diff() >= 0).all()) and not bool(rows[:, 0].any()) for rows in (right, left.flip(1)))
    assert 0 < int(whole.all(1).sum()) < 64 and int((whole.sum(1) == 1).sum()) and int((whole.sum(1) == 63).sum())


def test_what_stands_for_the_first_of_its_row_is_met_behind_it_alone() -> None:
    """An empty place of a group is the group's first one. No group begins with it."""
    lines = ("f = ids[:, :1]", "c = ids == 1009", "d = torch.where(c, f, ids)", *LOOKED_UP)
    of = graph(*lines, shape=(64, 32))
    assert not may_be(of, 0, 1009) and may_be(of, 0, 1009, behind=True)
    (padded,) = drawn(of)
    assert 0.2 < float((padded == 1009).float().mean()) < 0.8 and not bool((padded[:, 0] == 1009).any())


@pytest.mark.parametrize(
    ("lines", "due"),
    [
        (("d = ids.clamp(min=0)", *LOOKED_UP), {-1, 0, 1}),
        (("d = ids.clamp(min=0)", "f = d.float()", "return (f,)"), {-1, 0, 1}),
        (("d = ids.clamp(0, 1005)", *LOOKED_UP), {-1, 0, 1, 1004, 1005, 1006}),
        (("t = torch.tensor(-3)", "d = torch.maximum(ids, t)", "f = d.float()", "return (f,)"), {-4, -3, -2}),
        (
            ("a = ids >= 0", "b = ids < 1009", "c = torch.logical_and(a, b)", "d = torch.where(c, ids, 0)", *LOOKED_UP),
            {-1, 0, 1, 1008, 1009, 1010},
        ),
    ],
)
def test_what_is_clamped_or_checked_is_met_beyond_it(lines: tuple[str, ...], due: set[int]) -> None:
    assert met(graph(*lines)) == due


def test_one_number_that_is_written_by_an_index_is_no_matter_of_chance() -> None:
    """The second pixel of a class writes what the first one wrote. Of two others it is chance which is left."""
    lines = ("c = ids == 955", "d = torch.where(c, 4, ids)", "z = torch.zeros(8, 1009)")
    one = graph(*lines, "s = z.scatter_(1, d, 1.0)", "return (s,)")
    assert met(one) == {955}
    several = graph(*lines, "v = d.float()", "s = z.scatter_(1, d, v)", "return (s,)")
    assert met(several) == set()
