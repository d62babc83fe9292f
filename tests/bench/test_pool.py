"""Secret inputs: what a set holds is always known from the controller's own draws, and never the same twice."""

from __future__ import annotations

import itertools
import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.bench.arena import Arena, ArenaLayout
from passnet.bench.pool import InputPool
from passnet.graph import Graph
from tests.bench.bench_helpers import arena_for, bits
from tests.graph.graph_helpers import graph_of, spec

NAMES = ("normal", "small", "large")


def mixed_graph() -> Graph:
    """Every element size that can be patched, one that cannot (complex128), literal data and a scalar."""
    return graph_of(
        [
            spec("x", 5, 7),
            spec("h", 9, dtype="bfloat16"),
            spec("d", 6, dtype="float64"),
            spec("i", 8, dtype="int64", min_val=0, max_val=99),
            spec("b", 4, 3, dtype="bool"),
            spec("z", 5, dtype="complex128"),
            spec("table", 4, dtype="int64", data=(3, 1, 2, 0)),
            spec("s", dtype="float32"),
        ],
        "y = x * s",
        "return (y, h, d, i, b, z, table)",
    )


def arena_of(graph: Graph, sets: int) -> Arena:
    return Arena.create(ArenaLayout.plan("cpu", [(s.shape, s.dtype) for s in graph.specs], [], sets=sets, slots=1))


def values(tensor: torch.Tensor) -> list[bytes]:
    """The elements as bytes, sorted: equal for two tensors that hold the same values in any order."""
    raw, size = bits(tensor), tensor.element_size()
    return sorted(raw[i : i + size] for i in range(0, len(raw), size))


def same(left: list[torch.Tensor], right: list[torch.Tensor]) -> bool:
    return [bits(t) for t in left] == [bits(t) for t in right]


@given(seed=st.integers(0, 2**40), sets=st.integers(2, 5), calls=st.integers(1, 40), blocks=st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_reconstruction_equals_what_lies_in_the_arena_at_every_call(
    seed: int, sets: int, calls: int, blocks: int
) -> None:
    graph, rng = mixed_graph(), random.Random(seed)
    pool, arena = InputPool.draw(graph, "cpu", seed, NAMES), arena_of(graph, sets)
    for _ in range(blocks):
        for index in range(sets):
            pool.fill(arena, index)
        order = rng.sample(range(sets), sets)
        plan = pool.plan_patches(arena, order, calls)
        seen = []
        for call in range(calls):
            if call in plan:
                view, element, new_bits = plan[call]
                view[element] = new_bits
            seen.append([t.clone() for t in arena.sets[order[call % sets]]])
        for call in rng.sample(range(calls), min(calls, 6)):
            index = order[call % sets]
            found = pool.reconstruct(index, call)
            assert same(found, seen[call]), f"call {call} on set {index}"
            for tensor, draw in zip(found, pool.draws[pool.states[index].draw], strict=True):
                assert set(values(tensor)) <= set(values(draw)), "only values of the draw, so that bounds hold"
                assert (tensor.shape, tensor.dtype) == (draw.shape, draw.dtype)
    arena.close()


def test_reconstruction_does_not_touch_the_draws_and_gives_tensors_of_its_own() -> None:
    graph = mixed_graph()
    pool, arena = InputPool.draw(graph, "cpu", 1, NAMES), arena_of(graph, 2)
    before = [[t.clone() for t in draw] for draw in pool.draws]
    pool.fill(arena, 0)
    for tensor in pool.reconstruct(0, 0):
        tensor.zero_()
    for tensor in arena.sets[0]:
        tensor.zero_()
    assert all(same(now, then) for now, then in zip(pool.draws, before, strict=True))
    arena.close()


def test_a_candidate_that_writes_to_its_inputs_does_not_change_the_reconstruction() -> None:
    graph = mixed_graph()
    pool, arena = InputPool.draw(graph, "cpu", 1, NAMES), arena_of(graph, 2)
    pool.fill(arena, 1)
    then = [t.clone() for t in arena.sets[1]]
    for tensor in arena.sets[1]:
        tensor.zero_()
    assert same(pool.reconstruct(1, 0), then)
    arena.close()


def test_literal_data_and_scalars_keep_their_place() -> None:
    graph = mixed_graph()
    pool, arena = InputPool.draw(graph, "cpu", 5, NAMES), arena_of(graph, 3)
    assert pool.rollable == (True, True, True, True, True, True, False, False)
    for _ in range(5):
        for index in range(3):
            pool.fill(arena, index)
        pool.plan_patches(arena, [0, 1, 2], 200)
        for index in range(3):
            tensors = pool.reconstruct(index, 199)
            assert tensors[6].tolist() == [3, 1, 2, 0]
            assert bits(tensors[7]) == bits(pool.draws[pool.states[index].draw][7])
    arena.close()


def test_no_two_fills_are_equal() -> None:
    graph = graph_of([spec("x", 64, 64), spec("y", 4096)], "z = x * 2", "return (z, y)")
    pool, arena = InputPool.draw(graph, "cpu", 3, NAMES), arena_of(graph, 4)
    seen: set[tuple[bytes, ...]] = set()
    for _ in range(10):
        for index in range(4):
            pool.fill(arena, index)
            seen.add(tuple(bits(t) for t in arena.sets[index]))
    assert len(seen) == 40
    assert {pool.states[i].draw for i in range(4)} <= {0, 1, 2}
    arena.close()


def test_a_set_that_comes_round_again_has_changed() -> None:
    graph = graph_of([spec("x", 128), spec("y", 32, 32)], "z = x * 2", "return (z, y)")
    pool, arena = InputPool.draw(graph, "cpu", 3, NAMES), arena_of(graph, 3)
    for index in range(3):
        pool.fill(arena, index)
    pool.plan_patches(arena, [2, 0, 1], 60)
    for index in range(3):
        held = [tuple(bits(t) for t in pool.reconstruct(index, call)) for call in range([2, 0, 1].index(index), 60, 3)]
        changed = sum(a != b for a, b in itertools.pairwise(held))
        assert changed >= len(held) - 3, "a patch that writes what was there is rare"
    arena.close()


def test_a_fill_moves_values_and_changes_none() -> None:
    graph = mixed_graph()
    pool, arena = InputPool.draw(graph, "cpu", 3, NAMES), arena_of(graph, 2)
    for _ in range(6):
        pool.fill(arena, 0)
        for tensor, draw in zip(arena.sets[0], pool.draws[pool.states[0].draw], strict=True):
            assert values(tensor) == values(draw)
    arena.close()


def test_many_patches_do_not_wear_a_set_out() -> None:
    """However often a set comes round, it must go on looking like a draw: a constant row means nothing to a norm."""
    graph = graph_of([spec("x", 24)], "y = x * 2", "return (y,)")
    pool, arena = InputPool.draw(graph, "cpu", 3, NAMES), arena_of(graph, 2)
    for index in range(2):
        pool.fill(arena, index)
    pool.plan_patches(arena, [0, 1], 3000)
    assert len(set(values(pool.reconstruct(0, 2999)[0]))) >= 8
    arena.close()


def test_a_chosen_draw_is_used() -> None:
    graph = mixed_graph()
    pool, arena = InputPool.draw(graph, "cpu", 3, NAMES), arena_of(graph, 2)
    for draw in range(3):
        pool.fill(arena, 1, draw=draw)
        assert pool.states[1].draw == draw
        assert values(arena.sets[1][0]) == values(pool.draws[draw][0])
    arena.close()


def test_a_seed_decides_everything() -> None:
    graph = mixed_graph()

    def one(seed: int) -> list[list[bytes]]:
        pool, arena = InputPool.draw(graph, "cpu", seed, NAMES), arena_of(graph, 2)
        for index in (0, 1, 0):
            pool.fill(arena, index)
        pool.plan_patches(arena, [1, 0], 30)
        found = [[bits(t) for t in pool.reconstruct(index, 29)] for index in (0, 1)]
        arena.close()
        return found

    assert one(8) == one(8)
    assert one(8) != one(9)


def test_draws_follow_their_distributions() -> None:
    graph = graph_of([spec("x", 4096)], "y = x * 2", "return (y,)")
    pool = InputPool.draw(graph, "cpu", 3, (*NAMES, "normal"))
    spreads = [float(draw[0].std()) for draw in pool.draws]
    assert spreads[1] < 0.1 < spreads[0] < 2.0 < spreads[2]
    assert bits(pool.draws[0][0]) != bits(pool.draws[3][0]), "the same distribution, but drawn anew"


@pytest.mark.parametrize(
    "specs", [[spec("s"), spec("t")], [spec("z", 5, dtype="complex128")]], ids=["scalars", "16 bytes"]
)
def test_nothing_to_exchange_is_no_plan(specs: list) -> None:
    graph = graph_of(specs, f"y = {specs[0].name} * 2", "return (y,)")
    pool, arena = InputPool.draw(graph, "cpu", 3, NAMES), arena_for(graph, sets=2, slots=1)
    for index in range(2):
        pool.fill(arena, index)
    assert pool.plan_patches(arena, [0, 1], 20) == {}
    assert same(pool.reconstruct(1, 19), list(arena.sets[1]))
    arena.close()


@given(seed=st.integers(0, 2**40), sets=st.integers(2, 70))
@settings(max_examples=30, deadline=None)
def test_filling_all_sets_at_once_is_known_and_moves_values_only(seed: int, sets: int) -> None:
    graph = mixed_graph()
    pool, arena = InputPool.draw(graph, "cpu", seed, NAMES), arena_of(graph, sets)
    pool.fill_all(arena)
    for index in range(sets):
        assert same(arena.sets[index], pool.reconstruct(index, 0))
        draw = pool.draws[pool.states[index].draw]
        assert all(values(t) == values(d) for t, d in zip(arena.sets[index], draw, strict=True))
    arena.close()


def test_large_tensors_differ_from_set_to_set_and_from_block_to_block() -> None:
    graph = graph_of(
        [spec("x", 64, 64), spec("y", 3, 4001), spec("w", 2, data=(1.0, 2.0))], "z = x * 2", "return (z, y)"
    )
    pool, arena = InputPool.draw(graph, "cpu", 3, NAMES), arena_of(graph, 60)
    seen: set[tuple[bytes, ...]] = set()
    for _ in range(3):
        pool.fill_all(arena)
        seen |= {tuple(bits(t) for t in arena.sets[index][:2]) for index in range(60)}
        for index in range(60):
            assert same(arena.sets[index], pool.reconstruct(index, 0))
    assert len(seen) == 180
    arena.close()
