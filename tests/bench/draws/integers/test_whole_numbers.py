"""The careful draws of integers: all that they may be, and few that meet."""

from __future__ import annotations

from itertools import pairwise, repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.content.input_source import InputSource
from passnet.bench.draws.integers import whole_numbers
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.sizes import hard_parts
from passnet.bench.wire.generator import drawer
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec


def drawn(graph: Graph, way: str, seed: int = 3, count: int = 4) -> list[list[torch.Tensor]]:
    """Calls of one kind of draw. None where there is none."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    made = {
        "far": whole_numbers.far,
        "meeting": whole_numbers.meeting,
        "indices": hard_parts.indices,
    }[way]
    before = len(given.draws)
    given.draws += made(graph, given.draws[0], Random(seed))
    assert len(given.draws) <= before + 1
    if len(given.draws) == before:
        return []
    return [[value.clone() for value in given.values(given.key(before))] for _ in range(count)]


def counted(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """A call of each draw of rows that count."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    before = len(given.draws)
    given.draws += whole_numbers.counting(graph, repeat(given.draws[0]), Random(seed))
    draws = range(before, len(given.draws))
    return [[value.clone() for value in given.values(given.key(draw))] for draw in draws]


def pieces(row: torch.Tensor) -> list[int]:
    """The lengths of the parts of a row in which it counts up."""
    ends = [0, *(1 + (row.diff() != 1).nonzero().flatten()).tolist(), len(row)]
    return [end - begin for begin, end in pairwise(ends)]


@pytest.mark.parametrize("fields", [{}, {"min_val": 0, "max_val": 1 << 30}, {"min_val": 0}])
def test_integers_meet_within_and_between_inputs_anywhere_in_their_range(fields: dict[str, int]) -> None:
    specs = [spec(name, 64, 16, dtype="int64", **fields) for name in "ab"]
    graph, sizes = graph_of(specs, "m = a == b", "return (m,)"), []
    for seed in range(4):
        for a, b in drawn(graph, "meeting", seed):
            assert 32 < int((a == b).sum()) < 512 and bool((a[:, 1:] == a[:, :-1]).any())
            sizes += a[a == b].abs().tolist()
    assert any(1 << 22 < size < fields.get("max_val", 1 << 62) - (1 << 22) for size in sizes)


def test_ranges_that_overlap_share_numbers() -> None:
    specs = [spec("a", 64, dtype="int64"), spec("b", 64, dtype="int32", min_val=100, max_val=900)]
    for a, b in drawn(graph_of(specs, "c = a[:, None]", "m = c == b", "return (m,)"), "meeting"):
        assert bool(torch.isin(a, b).any()) and int(b.min()) >= 100 and int(b.max()) <= 900


def test_words_meet_a_long_list_that_is_stored() -> None:
    listed = tuple(range(1000, 100_000, 999))
    specs = [spec("t", 8, 16, dtype="int64", min_val=0, max_val=100_000), spec("bad", 100, dtype="int64", data=listed)]
    for t, bad in drawn(graph_of(specs, "u = t.unsqueeze(-1)", "m = u == bad", "return (m,)"), "meeting"):
        assert bool(torch.isin(t, bad).any())


def test_an_index_comes_twice_unless_it_is_chance_which_one_wins() -> None:
    specs = [spec("x", 20_000, 4), spec("i", 6, dtype="int64"), spec("s", 6, 4)]
    for _, index, _ in drawn(graph_of(specs, "y = x.index_add(0, i, s)", "return (y,)"), "meeting"):
        assert len(index.unique()) < 6
    assert not drawn(graph_of(specs, "y = x.index_copy(0, i, s)", "return (y,)"), "meeting")


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
def test_the_ends_of_a_dtype_are_drawn(dtype: str) -> None:
    info = torch.iinfo(getattr(torch, dtype))
    for line, least in ("y = n.float()", info.min), ("y = n.abs()", -info.max if info.min else 0):
        for (n,) in drawn(graph_of([spec("n", 64, 8, dtype=dtype)], line, "return (y,)"), "far"):
            assert (int(n.min()), int(n.max())) == (least, info.max)
            assert int(((n == info.max) | (n == least)).sum()) > 20


def test_small_integers_are_drawn_between_far_bounds() -> None:
    specs = [spec("n", 64, 8, dtype="int64", min_val=50, max_val=2**31)]
    for (n,) in drawn(graph_of(specs, "y = n.float()", "return (y,)"), "far"):
        assert (int(n.min()), int(n.max())) == (50, 2**31)
        assert int(((n > 50) & (n < 4096)).sum()) > 60 and int((n > 2**29).sum()) > 60


def test_indices_from_the_end_are_drawn_unless_a_bound_leaves_them_out() -> None:
    for fields, least in ({}, -20), ({"min_val": 0, "max_val": 3}, 0):
        specs = [spec("x", 20, 4), spec("i", 200, dtype="int64", **fields)]
        for _, index in drawn(graph_of(specs, "y = x[i]", "return (y,)"), "indices"):
            assert (int(index.min()), int(index.max())) == (least, 19)


def test_floats_that_are_compared_with_integers_are_equal_to_some() -> None:
    specs = [spec("x", 64, 32), spec("n", 64, 32, dtype="int64", min_val=0, max_val=5000)]
    for seed in range(4):
        for x, n in drawn(graph_of(specs, "a = n * 2", "m = x >= a", "return (m,)"), "meeting", seed):
            assert 0.3 < float((x == x.round()).double().mean()) < 0.7 and bool(torch.isin(x, n.float()).any())
        assert bool((x == n).any())
    for x, _ in drawn(graph_of(specs, "m = x * n", "return (m,)"), "meeting"):
        assert not bool((x == x.round()).any()), "nothing compares these"


@pytest.mark.parametrize("dtype", ["int16", "int32", "int64", "uint16"])
def test_timed_calls_have_as_many_integers_as_a_range_has(dtype: str) -> None:
    """A pass had room for as many different words as a table of 4096 draws, and computed each of them once."""
    most = 30_000
    graph = graph_of([spec("i", 1 << 15, dtype=dtype, min_val=5, max_val=most)], "y = i.to(torch.int64)", "return (y,)")
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"])
    (values,) = (each.to(torch.int64) for each in given.values(given.key()))
    uniform = torch.randint(5, most + 1, (1 << 15,), generator=torch.Generator().manual_seed(0))
    assert abs(len(values.unique()) / len(uniform.unique()) - 1) < 0.03
    assert int(values.min()) >= 5 and int(values.max()) <= most
    shares = values.double().histc(16, 5, most) / len(values) * 16
    assert float(shares.min()) > 0.85 and float(shares.max()) < 1.15


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3, 9), (0, 2047), (0, 2048), (-5000, 3), (-(2**63), 2**63 - 1)])
def test_a_range_is_drawn_with_both_ends(low: int, high: int) -> None:
    source = InputSource.of_range(low, high, torch.int64)
    out = torch.empty(1 << 16, dtype=torch.int64)
    drawer([source.filled(out, source.table, 0)], "cpu")(1, 2)
    found = out.tolist()
    assert min(found) >= low and max(found) <= high
    if high - low < 1 << 13:
        assert set(found) == set(range(low, high + 1)) or high - low > 4000
    assert abs(sum(found) / len(found) - (low + high) / 2) < 0.02 * (high - low) + 0.1


def test_single_numbers_stay_what_they_are_among_ranges() -> None:
    source = InputSource.of_range(0, 50_000, torch.int64).mixed(torch.tensor([-100]), 64)
    out = torch.empty(1 << 15, dtype=torch.int64)
    drawer([source.filled(out, source.table, 0)], "cpu")(1, 2)
    assert 0.01 < float((out == -100).double().mean()) < 0.022
    assert int(out[out != -100].min()) >= 0 and len(out.unique()) > 15_000


def test_rows_count_up_within_their_range_and_one_leaves_out_a_number() -> None:
    specs = [spec("p", 16, 64, dtype="int32", min_val=0, max_val=500), spec("few", 16, 64, dtype="int64", max_val=9)]
    graph = graph_of(specs, "d = p + few", "return (d,)")
    starts = set()
    for seed in range(12):
        p, _ = counted(graph, seed)[0]
        steps = p.diff(dim=-1)
        assert sorted((steps == 1).all(-1).tolist()) == [False] + [True] * 15
        assert int(steps.max()) == 2 and int(p.min()) == 0 and int(p.max()) <= 500
        starts |= set(p[:, 0].tolist())
    assert len(starts) > 8
    assert not counted(graph_of([spec("x", 8, 8)], "y = x + 1", "return (y,)"))
    written = [spec("x", 64, 4), spec("i", 2, 3, dtype="int64", max_val=63), spec("s", 6, 4)]
    assert not counted(graph_of(written, "j = i.flatten()", "y = x.index_copy(0, j, s)", "return (y,)"))


def test_rows_count_down_begin_again_and_repeat() -> None:
    graph = graph_of([spec("p", 96, 64, dtype="int64", min_val=7, max_val=500)], "d = p * 2", "return (d,)")
    for seed in range(6):
        up, (p,) = counted(graph, seed)
        assert bool((up[0].diff(dim=-1) == 1).all(-1).any()) and int(p.min()) == 7 and int(p.max()) <= 500
        groups = [p[number::3] for number in range(3)]
        down, repeated, again = sorted(groups, key=lambda rows: (int(rows.diff().max()), -int(rows.diff().min())))
        assert bool((down.diff() == -1).all()) and set(repeated.diff().unique().tolist()) == {0, 1}
        assert all(row[sum(pieces(row)[:n])] == row[0] for row in again for n in range(len(pieces(row))))
        assert any(pieces(row) == [32, 32] for row in again) and any(len(set(pieces(row)[:-1])) > 1 for row in again)
        assert len(p[:, 0].unique()) > 16 and int((p[:, 0] == 7).sum()) > 16
        lengths = {tuple(row.unique(return_counts=True)[1].tolist()[:-1]) for row in repeated}
        assert any(len(set(each)) == 1 and len(each) > 3 for each in lengths), "each number as often as another"
        assert any(len(set(each)) > 1 for each in lengths), "segments"


def test_one_row_is_of_each_order_in_one_draw() -> None:
    graph = graph_of([spec("p", 1, 512, dtype="int64", min_val=0, max_val=511)], "d = p * 2", "return (d,)")
    for seed in range(4):
        rows = [p.flatten() for (p,) in counted(graph, seed)]
        steps = [row.diff() for row in rows]
        assert len(rows) == 3, "none of 512 numbers counts up to 512 and leaves one out"
        assert sum(bool((step == -1).all()) for step in steps) == 1
        assert sum(bool((step == 0).any()) for step in steps) == 1
        assert sum(len(pieces(row)) > 1 and bool((step != 0).all()) for row, step in zip(rows, steps, strict=True)) == 2


@pytest.mark.parametrize("length", [2, 3, 5, 100])
def test_rows_of_few_numbers_are_in_order_too(length: int) -> None:
    graph = graph_of([spec("s", 24, length, dtype="uint8", min_val=3, max_val=5)], "d = s * 2", "return (d,)")
    for seed in range(8):
        (s,) = counted(graph, seed)[-1]
        assert int(s.min()) >= 3 and int(s.max()) <= 5 and len(s.unique()) == 3
        assert bool((s[:, 1:] == s[:, :-1]).any()) or length == 2


def test_rows_of_large_inputs_count_too() -> None:
    graph = graph_of([spec("p", 1100, 1000, dtype="int64", min_val=0, max_val=99_999)], "d = p * 2", "return (d,)")
    up, other = (p for (p,) in counted(graph))
    assert int((up.diff() == 1).all(-1).sum()) > 1090 and torch.equal(up[1048:], up[:52])
    assert int((other.diff() == -1).all(-1).sum()) > 300
