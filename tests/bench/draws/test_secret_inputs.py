"""Secret inputs: equal keys give equal bytes on both sides, no two keys do, and values follow the input policy."""

from __future__ import annotations

import itertools
import os
import random
import time
from collections import Counter

import pytest
import torch
from hypothesis import given as given_values
from hypothesis import settings
from hypothesis import strategies as st

from passnet.bench.draws.content.input_source import InputSource
from passnet.bench.draws.secret_inputs import Key, OwnInputs, SecretInputs
from passnet.bench.wire.generator import DrawKind, Filled, drawer
from passnet.bench.wire.shared_buffers import BufferLayout, SharedBuffers
from passnet.graph import Graph
from passnet.graph.values.inputs import hard_distributions
from tests.bench.bench_helpers import bits, buffers_for
from tests.graph.graph_helpers import graph_of, spec

NAMES = ("normal", "small", "large")


def mixed_graph() -> Graph:
    """Every element size, literal data, scalars, masks with row structure."""
    return graph_of(
        [
            spec("x", 5, 7),
            spec("h", 9, dtype="bfloat16"),
            spec("g", 33, dtype="float16"),
            spec("d", 6, dtype="float64"),
            spec("i", 8, dtype="int64", min_val=0, max_val=99),
            spec("b", 4, 3, dtype="bool"),
            spec("z", 5, dtype="complex128"),
            spec("c", 5, 2, dtype="complex64"),
            spec("table", 4, dtype="int64", data=(3, 1, 2, 0)),
            spec("s", dtype="float32"),
            spec("m", 3, 5, dtype="float32", mean=-1e38, std=1e38),
            spec("e", 0, 3),
            spec("v", 300, dtype="int16", min_val=-9000, max_val=30_000),
            spec("w", 300, dtype="int64", min_val=-9000, max_val=1 << 40),
        ],
        "y = x * s",
        "return (y, h, g, d, i, b, z, c, table, m, e, v, w)",
    )


def same(left: list[torch.Tensor], right: list[torch.Tensor]) -> bool:
    return [bits(t) for t in left] == [bits(t) for t in right]


def copied(tensors: list[torch.Tensor]) -> list[torch.Tensor]:
    return [t.clone() for t in tensors]


def draw_of(graph: Graph, seed: int = 3, names: tuple[str, ...] = NAMES) -> SecretInputs:
    return SecretInputs.draw(graph, "cpu", seed, names)


@given_values(seed=st.integers(0, 2**40), places=st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_a_worker_draws_what_the_controller_knows(seed: int, places: int) -> None:
    graph, rng = mixed_graph(), random.Random(seed)
    given = draw_of(graph, seed)
    inputs = [(s.shape, s.dtype) for s in graph.specs]
    ours = SharedBuffers.create(BufferLayout.plan("cpu", inputs, [], places=places, slots=1, draws=given.layout()))
    given.write(ours)
    theirs = SharedBuffers.open(ours.layout, os.dup(ours.fd), None)
    for _ in range(5):
        key, place = given.key(rng.choice([None, 0, 1, 2])), rng.randrange(places)
        theirs.drawer(key.draw, place)(*key.words)
        assert same(ours.places[place], given.values(key))
    ours.close()
    theirs.close()


def rows_graph(dtype: str) -> Graph:
    rows = [spec(name, 48, 64, dtype=dtype) for name in "xy"]
    return graph_of([*rows, spec("n", 40, dtype="int64")], "z = x + y; s = z.sum(-1)", "return (s, n)")


@pytest.mark.parametrize("graph", [mixed_graph(), *map(rows_graph, ["float32", "bfloat16", "float64", "complex64"])])
def test_some_elements_are_drawn_as_the_whole_is(graph: Graph) -> None:
    """Also where rows are odd, have a run or a size, or have to do with other rows."""
    hard = hard_distributions(graph)
    given, rng = SecretInputs.draw(graph, "cpu", 3, ["normal", "sparse", *hard], hard=len(hard)), random.Random(4)
    assert any(source.at or source.sizes or source.runs or source.lines for row in given.draws for source in row)
    for draw in range(len(given.draws)):
        key = given.key(draw)
        places = [rng.sample(range(each.numel), min(each.numel, 50)) for each in graph.specs]
        wanted = [whole.reshape(-1)[at] for whole, at in zip(given.values(key), places, strict=True)]
        assert same(given.some(key, places), wanted), draw


def test_to_look_at_a_large_input_takes_no_longer() -> None:
    graph = graph_of([spec("x", 1 << 14, 1 << 14)], "z = x * 2", "return (z,)")
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"])
    began = time.process_time()
    assert given.some(given.key(), [[0, 5, (1 << 28) - 1]])[0].shape == (3,)
    assert time.process_time() - began < 0.1, "a gigabyte takes half a second"


def test_what_a_candidate_writes_changes_nothing_that_the_controller_knows() -> None:
    graph = mixed_graph()
    given = draw_of(graph)
    buffers = buffers_for(graph, places=1, slots=1, given=given)
    key = given.key()
    before = copied(given.values(key))
    for group in (*buffers.places, *buffers.tables):
        for tensor in group:
            tensor.zero_()
    assert same(given.values(key), before)
    buffers.close()


def test_values_are_those_of_the_input_policy() -> None:
    graph = mixed_graph()
    given = draw_of(graph)
    for _ in range(20):
        x, h, g, d, i, b, z, c, table, s, m, e, v, w = given.values(given.key())
        assert table.tolist() == [3, 1, 2, 0]
        assert all(torch.isfinite(t).all() for t in (x, h, g, d, z, c, s))
        assert int(i.min()) >= 0 and int(i.max()) <= 99
        assert bool(b.any(-1).all()) and not bool(b.all(-1).any()), "each row of a mask holds both"
        assert bool((m > -1e37).any(-1).all()) and bool((m < -1e37).any(-1).all())
        assert e.numel() == 0
        assert int(v.min()) >= -9000 and int(v.max()) <= 30_000 and int(w.min()) >= -9000 and int(w.max()) <= 1 << 40


def test_rows_of_a_mask_hide_all_or_nothing_where_draws_are_hard() -> None:
    graph = graph_of(
        [spec("b", 64, 9, dtype="bool"), spec("m", 64, 7, mean=-1e38, std=1e38)], "y = m + 1", "return (y, b)"
    )
    given = SecretInputs.draw(graph, "cpu", 3, ("normal", "tiny"), hard=1)
    for _ in range(5):
        mask, added = given.values(given.key(1))
        for hidden in (~mask, added < 0):
            kinds = (
                bool(hidden.all(-1).any()),
                bool((~hidden).all(-1).any()),
                bool((hidden.any(-1) & ~hidden.all(-1)).any()),
            )
            assert kinds == (True, True, True)
        mask, _ = given.values(given.key(0))
        assert bool(mask.any(-1).all()) and not bool(mask.all(-1).any())


@pytest.mark.parametrize("dtype", ["bool", "int64"])
def test_marks_of_one_column_are_all_alike_in_some_rows(dtype: str) -> None:
    """A row is as many of the last dimensions as have two elements."""
    graph = graph_of([spec("x", 32, 8), spec("m", 32, 6, 1, dtype=dtype)], "s = m.sum(1)", "y = x * s", "return (y,)")
    given = SecretInputs.draw(graph, "cpu", 3, ("normal", "extreme"), hard=1)
    marks = given.values(given.key(1))[1] != 0
    assert bool(marks.all(1).any()) and bool((~marks).all(1).any())


def test_stored_floats_are_drawn_in_timed_calls_and_integers_in_one_more_draw() -> None:
    """What follows from numbers that are the same in every call could be left in memory that the next call gets."""
    ways = tuple(range(1, 9))
    specs = [spec("x", 8), spec("k", 8, data=ways), spec("i", 8, dtype="int64", data=ways), spec("s", data=(16.0,))]
    graph = graph_of(specs, "a = x * k", "b = i * s", "y = a + b", "return (y,)")
    given = SecretInputs.draw(graph, "cpu", 3, ("normal", "extreme"), hard=1)
    assert (given.timed, given.hard, given.altered) == ((1,), frozenset({2, 3}), 3)
    floats, integers, scalar = ([given.values(given.key(draw))[i].tolist() for draw in range(4)] for i in (1, 2, 3))
    assert floats[0] == list(ways)
    assert all(found != list(ways) and set(found) <= set(ways) for found in floats[1:3])
    assert integers[:3] == [list(ways)] * 3 != [*integers[2:], list(ways)]
    assert integers[3] != list(ways) and set(integers[3]) <= set(ways)
    assert given.values(given.key(1))[1].tolist() != given.values(given.key(1))[1].tolist()
    assert scalar[:3] == [16.0] * 3 and 12 <= scalar[3] <= 20 and scalar[3] != 16.0


def test_stored_numbers_are_drawn_from_between_their_own_and_whole_ones_stay_whole() -> None:
    """A pass could have a table of what follows from them."""
    angles, whole = tuple(0.01 * i for i in range(512)), tuple(float(i) for i in range(512))
    specs = [spec("x", 512), spec("k", 512, data=angles), spec("w", 512, data=whole)]
    graph = graph_of(specs, "a = x * k", "y = a * w", "return (y,)")
    given = SecretInputs.draw(graph, "cpu", 3, ("normal",))
    (timed,) = given.timed
    _, k, w = given.values(given.key(timed))
    assert float(torch.isin(k, torch.tensor(angles)).float().mean()) < 0.1
    assert float(k.min()) >= 0.0 and float(k.max()) <= angles[-1]
    assert set(w.tolist()) <= set(whole)


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"])
def test_stored_numbers_of_eight_bits_are_drawn_from_themselves(dtype: str) -> None:
    specs = [spec("x", 4), spec("k", 4, dtype=dtype, data=(0.5, 1.5, -2.0, 3.0))]
    graph = graph_of(specs, "a = k.float()", "y = x + a", "return (y,)")
    given = SecretInputs.draw(graph, "cpu", 3, ("normal",))
    _, k = given.values(given.key(given.timed[0]))
    assert set(k.float().tolist()) <= {0.5, 1.5, -2.0, 3.0}


def test_what_is_constant_is_altered_where_it_is_known_how() -> None:
    """A pass could leave out an index that is zero in every element, or a scale that is one."""
    specs = [
        spec("table", 32, 4),
        spec("i", 8, dtype="int64", data=(0,) * 8),
        spec("n", 8, dtype="int64", data=(3,) * 8),
        spec("L_self_modules_norm_parameters_weight_", 4, data=(0.5, 0.5, 0.5, 1.0)),
    ]
    lines = ["r = torch.nn.functional.embedding(i, table)", "m = r.mean(0)"]
    lines += ["z = torch.nn.functional.layer_norm(m, (4,), L_self_modules_norm_parameters_weight_, None, 1e-05)"]
    graph = graph_of(specs, *lines, "y = n * 2", "return (z, y)")
    given = SecretInputs.draw(graph, "cpu", 3, ("normal", "extreme"), hard=1)
    assert given.altered is not None
    many = [[value.clone() for value in given.values(given.key(given.altered))] for _ in range(8)]
    assert len({int(value) for _, index, _, _ in many for value in index}) > 8
    assert max(int(index.max()) for _, index, _, _ in many) < 32
    assert {int(value) for _, _, number, _ in many for value in number} == {2, 3, 4}
    scales = torch.stack([scale for *_, scale in many])
    assert scales.min() < -0.5 < 0.5 < scales.max() and scales.abs().max() <= 1.0


def test_a_mask_that_hides_nothing_is_altered_and_a_size_is_not() -> None:
    """A pass could leave out a mask that was stored with ones."""
    specs = [
        spec("x", 4, 8),
        spec("mask", 1, 8, dtype="int64", data=(1,) * 8),
        spec("keep", 8, dtype="bool", data=(True,) * 8),
        spec("times", dtype="int64", data=(1,)),
        spec("steps", dtype="int64", data=(8,)),
    ]
    lines = ["a = mask.unsqueeze(1)", "b = a.to(torch.float32)", "c = 1.0 - b", "d = c * -10000.0", "e = x + d"]
    lines += ["h = torch.logical_not(keep)", "f = e.masked_fill(h, 0.0)", "g = f * times", "n = torch.arange(steps)"]
    graph = graph_of(specs, *lines, "y = g + n", "return (y,)")
    given = SecretInputs.draw(graph, "cpu", 3, ("normal", "extreme"), hard=1)
    assert given.altered is not None
    many = [[value.clone() for value in given.values(given.key(given.altered))] for _ in range(8)]
    for place, known in ((1, {0, 1}), (2, {0, 1}), (3, {2})):
        assert {int(value) for row in many for value in row[place].flatten()} == known
    assert {int(row[4]) for row in many} == {8}


def test_no_element_of_a_mask_is_known_without_reading_it() -> None:
    """Each row shows something and hides something, and where it does is drawn too."""
    given = draw_of(
        graph_of([spec("m", 512, 2, dtype="bool"), spec("n", 512, 3, dtype="bool")], "z = m.sum()", "return (z, n)")
    )
    for _ in range(5):
        m, n = given.values(given.key())
        assert all(bool(t.any(-1).all()) and not bool(t.all(-1).any()) for t in (m, n))
        assert bool((m[:, 0] ^ m[:, 1]).all()) and 0.4 < float(m[:, 0].float().mean()) < 0.6
        assert all(0.4 < share < 0.6 for share in n.float().mean(0).tolist())


def test_every_key_gives_other_values_in_every_input() -> None:
    graph = graph_of([spec("x", 64, 64), spec("y", 4096), spec("s")], "z = x * s", "return (z, y)")
    given = draw_of(graph)
    seen = [tuple(bits(t) for t in given.values(given.key())) for _ in range(50)]
    for column in zip(*seen, strict=True):
        assert len(set(column)) == 50
    x, y, _ = given.values(given.key())
    assert bits(x) != bits(y), "equal inputs do not get equal values"


def test_elements_are_drawn_anew_and_not_moved() -> None:
    """No value of one call stands in the next, wherever; and nothing hangs together within one."""
    given = draw_of(graph_of([spec("x", 1 << 16)], "z = x * 2", "return (z,)"), names=("normal",))
    first, second = (given.values(given.key())[0].clone() for _ in range(2))
    shared = len(set(first.tolist()) & set(second.tolist()))
    assert shared < 0.05 * first.numel()
    pairs = [(first, second), *[(first[:-lag], first[lag:]) for lag in (1, 2, 7, 64, 256, 2048)]]
    for left, right in pairs:
        assert abs(float(torch.corrcoef(torch.stack([left, right]))[0, 1])) < 0.02


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_draws_follow_their_distributions(dtype: str) -> None:
    graph = graph_of([spec("x", 1 << 15, dtype=dtype)], "y = x * 2", "return (y,)")
    given = draw_of(graph, names=(*NAMES, "sparse", "normal"))
    values = [given.values(given.key(draw))[0].double().clone() for draw in range(5)]
    spreads = [float(v.std()) for v in values]
    assert spreads[1] < 0.1 < 0.9 < spreads[0] < 1.1 < 3.0 < spreads[2]
    assert 0.4 < float((values[3] == 0).double().mean()) < 0.6
    assert abs(float(values[0].mean())) < 0.05
    ordered, other = values[0].sort().values, values[4].sort().values
    assert float((ordered - other)[500:-500].abs().max()) < 0.25, "the same distribution, drawn anew"


def test_a_seed_decides_everything() -> None:
    graph = mixed_graph()

    def one(seed: int) -> list[list[bytes]]:
        given = draw_of(graph, seed)
        return [[bits(t) for t in given.values(given.key())] for _ in range(4)]

    assert one(8) == one(8)
    assert one(8) != one(9)


def test_keys_cannot_be_told_from_one_another() -> None:
    """Words of 63 random bits: none twice, every bit as often 0 as 1, and no next one from those before."""
    given = draw_of(graph_of([spec("x", 4)], "y = x * 2", "return (y,)"))
    keys = [given.key() for _ in range(2000)]
    words = [word for key in keys for word in key.words]
    assert len(set(words)) == len(words)
    assert all(0 <= word < 2**63 for word in words)
    ones = [sum(word >> bit & 1 for word in words) / len(words) for bit in range(63)]
    assert min(ones) > 0.4 and max(ones) < 0.6
    assert {key.draw for key in keys} == {0, 1, 2}


def test_the_draws_of_timed_calls_come_equally_often_and_in_no_order() -> None:
    """Who knew which comes next could tell a timed call from every other one."""
    given = draw_of(graph_of([spec("x", 4)], "y = x * 2", "return (y,)"))
    draws = [given.key().draw for _ in range(600)]
    assert all(draws[at : at + 6].count(draw) == 2 for at in range(0, 600, 6) for draw in (0, 1, 2))
    after = Counter(itertools.pairwise(draws))
    assert all(after[one, other] > 30 for one in range(3) for other in range(3))
    assert len({tuple(draws[at : at + 6]) for at in range(0, 600, 6)}) > 40


def test_only_timed_draws_are_drawn_from_unless_one_is_named() -> None:
    graph = graph_of([spec("x", 4)], "y = x * 2", "return (y,)")
    given = SecretInputs.draw(graph, "cpu", 1, [*NAMES, "extreme"], hard=2)
    assert {given.key().draw for _ in range(50)} == {0, 1}
    assert given.key(3).draw == 3
    assert given.hard == {2, 3}
    given.keep([1, 3])
    assert (given.timed, given.hard) == ((0,), {1})
    given.keep([1])
    assert given.timed == (0,), "where no timed draw is left, all are"


OWN = OwnInputs(
    (torch.randn(64, 32), torch.arange(7), torch.randn(600, 600), torch.tensor(3.0)), (True, True, False, True)
)


def test_own_values_are_judged_as_they_are_and_drawn_from_where_they_may_change() -> None:
    given = SecretInputs.own(OWN, 5, "cpu", frozenset())
    exact = given.values(given.key(0))
    assert same(exact, list(OWN.tensors))
    drawn = copied(given.values(given.key()))
    assert bits(drawn[0]) != bits(OWN.tensors[0])
    assert drawn[0].min() >= OWN.tensors[0].min() and drawn[0].max() <= OWN.tensors[0].max()
    assert set(drawn[1].tolist()) <= set(range(7))
    assert bits(drawn[2]) == bits(OWN.tensors[2]), "a weight stays"
    assert given.same == (2, 3)


def test_what_stays_and_is_large_is_written_once_unless_eager_changes_it() -> None:
    for mutated, held in ((frozenset(), True), (frozenset({2}), False)):
        given = SecretInputs.own(OWN, 5, "cpu", mutated)
        shapes = [(tuple(t.shape), str(t.dtype)[6:]) for t in OWN.tensors]
        layout = BufferLayout.plan("cpu", shapes, [], places=2, slots=1, draws=given.layout())
        buffers = SharedBuffers.create(layout)
        given.write(buffers)
        assert layout.draws[0][2].held is held
        key = given.key()
        buffers.drawer(key.draw, 1)(*key.words)
        assert same(buffers.places[1], given.values(key))
        buffers.places[1][2].zero_()
        buffers.drawer(key.draw, 1)(*key.words)
        assert bool(buffers.places[1][2].any()) is not held
        buffers.close()


@pytest.mark.parametrize(
    "values", [torch.randn(3), torch.tensor([1.0, float("inf")]), torch.zeros(9), torch.arange(4.0)]
)
def test_few_or_infinite_values_stand_for_themselves(values: torch.Tensor) -> None:
    source = InputSource.of_values(values)
    if not torch.isfinite(values).all() or values.unique().numel() < 3:
        assert source.kind is DrawKind.PICK
    out = torch.empty(100, dtype=values.dtype)
    drawer([Filled(out, source.table, source.kind, source.entries, 0, source.row)], "cpu")(1, 2)
    assert out.min() >= values.min() and out.max() <= values.max()
    assert not out.isnan().any()


def test_nothing_to_draw_is_nothing_done() -> None:
    assert drawer([], "cpu")(1, 2) is None
    assert Key(0, (1, 2)) == Key(0, (1, 2))


@pytest.mark.gpu
def test_on_a_gpu_a_worker_draws_what_the_controller_knows() -> None:
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    graph = mixed_graph()
    given = SecretInputs.draw(graph, "cuda", 3, NAMES)
    assert [source.kind for source in given.draws[1]][-2:] == [DrawKind.RANGE] * 2
    shapes = [(s.shape, s.dtype) for s in graph.specs]
    buffers = SharedBuffers.create(BufferLayout.plan("cuda", shapes, [], places=2, slots=1, draws=given.layout()))
    given.write(buffers)
    seen = set()
    for call in range(20):
        key, place = given.key(call % 3), call % 2
        buffers.drawer(key.draw, place)(*key.words)
        mine = [t.cpu() for t in given.values(key)]
        assert same([t.cpu() for t in buffers.places[place]], mine)
        seen.add(bits(mine[0]))
        assert bool(mine[5].any(-1).all()) and not bool(mine[5].all(-1).any())
    assert len(seen) == 20
    buffers.close()


def test_numbers_of_another_kind_are_never_written_into_an_input() -> None:
    """Floats in the place of halves would reach beyond its end."""
    source = InputSource.of_values(torch.randn(4096))
    assert source.filled(torch.empty(8, dtype=torch.complex64), source.table, 0)
    with pytest.raises(ValueError, match="BLEND_FLOAT for an input of"):
        source.filled(torch.empty(8, dtype=torch.bfloat16), source.table, 0)
