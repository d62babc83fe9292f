"""The careful drawings of what another call may have, and of rows that are not finite."""

from __future__ import annotations

import math
from itertools import repeat
from random import Random

import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.sizes.not_finite import not_finite
from passnet.bench.draws.stored.other_calls import other_calls
from tests.graph.graph_helpers import graph_of, spec


def test_what_has_one_number_has_others() -> None:
    specs = [
        spec("x", 64, 16),
        spec("t", 64, dtype="int64", min_val=500, max_val=500),
        spec("m", 64, dtype="int64", min_val=1, max_val=1),
        spec("wave", 64, 16, std=12000.0),
        spec("heat", 1, data=(1.0,)),
    ]
    graph = graph_of(specs, "a = x / heat", "b = a + wave", "c = t + m", "d = c.float()", "return (b, d)")
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    given.draws += other_calls(graph, given.draws[0], Random(3))
    _, t, m, wave, heat = given.values(given.key(len(given.draws) - 1))
    assert 500 not in t and set(m.tolist()) == {0, 1} and float(heat) > 0 and abs(float(heat) - 1) > 0.3
    assert bool((wave < 0).any()) and bool((wave > 0).any())


def test_where_a_call_begins_is_later_in_another_call() -> None:
    start, flag = spec("start", dtype="int64", data=(0,)), spec("flag", dtype="int64", data=(1,))
    lines = ("p = torch.arange(64)", "a = p + start", "m = 1 - flag", "b = x + m", "return (a, b)")
    graph = graph_of([spec("x", 64), start, flag], *lines)
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    given.draws += other_calls(graph, given.draws[0], Random(3))
    _, begun, flagged = given.values(given.key(len(given.draws) - 1))
    assert 2 <= int(begun) <= 9 and int(flagged) in (0, 1)


def test_integers_of_other_calls_are_as_many_as_their_range_has() -> None:
    """A pass had room for 4096 different ones."""
    specs = [
        spec("x", 200, 200),
        spec("t", 200, 200, dtype="int64", min_val=100_000, max_val=100_000),
        spec("ids", 200, 200, dtype="int64", data=(7,) * 40_000),
        spec("near", 200, 200, dtype="int64", data=tuple(5 * n % 39_999 for n in range(40_000))),
        spec("w", 50_000, 2),
    ]
    graph = graph_of(specs, "a = w[ids]", "b = w[near]", "c = t * x", "return (a, b, c)")
    given = SecretInputs.draw(graph, "cpu", 3, ["normal", "small"], hard=1)
    _, _, ids, near, _ = given.values(given.key(given.altered))
    assert len(ids.unique()) > 10_000 and len(near.unique()) > 10_000
    assert int(near.min()) >= 0 and int(near.max()) < 50_000 and set(ids.flatten().tolist()) >= {0, 49_999}
    given.draws += other_calls(graph, given.draws[0], Random(3))
    t = given.values(given.key(len(given.draws) - 1))[1]
    assert len(t.unique()) > 10_000 and not bool(((t > 99_999) & (t < 100_001)).any())


def test_rows_are_not_finite() -> None:
    graph = graph_of([spec("x", 64, 16)], "i = torch.isnan(x)", "y = x.masked_fill(i, 0.0)", "return (y,)")
    usual = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    count = len(usual.draws)
    usual.draws += not_finite(graph, repeat(usual.draws[0]))
    calls = [usual.values(usual.key(draw))[0].clone() for draw in range(count, len(usual.draws))]
    assert any(bool(torch.isnan(x).all(-1).any()) for x in calls)
    assert any(bool(torch.isposinf(x).all(-1).any()) for x in calls)


def test_complex_numbers_are_others_and_not_finite_too() -> None:
    specs = [spec("z", 64, 16, dtype="complex64"), spec("turn", 1, dtype="complex64", data=(2 + 0.5j,))]
    graph = graph_of(specs, "a = z * turn", "y = torch.isfinite(a)", "return (y, a)")
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    (row,), rows = other_calls(graph, given.draws[0], Random(3)), not_finite(graph, repeat(given.draws[0]))
    given.draws += [row, *rows]
    turn = given.values(given.key(len(given.draws) - len(rows) - 1))[1]
    assert complex(turn) != 2 + 0.5j and float(turn.real) > 0 and float(turn.imag) > 0
    whole = [~torch.isfinite(given.values(given.key(len(given.draws) - 1 - n))[0]).all(-1) for n in range(len(rows))]
    assert any(bool(each.any()) for each in whole)


def test_infinite_stored_bounds_are_finite_in_another_call() -> None:
    infinite = [spec("low", data=(-math.inf,)), spec("high", data=(math.inf,))]
    veil = spec("veil", 2, data=(0.0, -math.inf))
    graph = graph_of([*infinite, veil, spec("x", 64, 2)], "y = x.clamp(low, high)", "z = y + veil", "return (z,)")
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    usual = [each.clone() for each in given.values(given.key(0))]
    given.draws += other_calls(graph, given.draws[0], Random(3))
    low, high, veil_now, _ = given.values(given.key(len(given.draws) - 1))
    assert math.isinf(usual[0]) and -10 < float(low) < 0 < float(high) < 10
    assert not bool(torch.isfinite(veil_now).all()) or bool((veil_now == 0).any())
