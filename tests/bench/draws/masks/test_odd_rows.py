"""One place of a hard draw's sibling is hard: no look at one row tells, and one wrong row of many is found."""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest
import torch
from hypothesis import given as given_values
from hypothesis import settings
from hypothesis import strategies as st

from passnet.bench.compare.comparison import Comparison, Criteria, worst
from passnet.bench.compare.errors import compare
from passnet.bench.compare.farthest import compare_farthest, sample
from passnet.bench.compare.float64_twin import WideReference
from passnet.bench.draws.masks import odd_rows
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.wire.shared_buffers import BufferLayout, SharedBuffers
from passnet.graph import Graph, degenerate
from passnet.graph.values.inputs import hard_distributions
from tests.bench.bench_helpers import bits
from tests.bench.draws.sizes.test_hard_draws import norm_cancelling, norm_twice, softmax_shifted, softmax_unshifted
from tests.graph.graph_helpers import graph_of, spec

Function = Callable[[torch.Tensor], torch.Tensor]
_FAR = 30.0
_DTYPES = ("float32", "float16", "bfloat16")
_SOFTMAX = "a = torch.nn.functional.softmax(x, dim = -1)"
_NORM = "a = torch.nn.functional.layer_norm(x, ({},), None, None, 1e-05)"
_SHAPES = ((64, 256), (1024, 64), (4, 16, 96), (2, 3, 8, 64))
_DRAWINGS = 20


def drawn(graph: Graph, seed: int) -> tuple[SecretInputs, tuple[str, ...]]:
    hard = hard_distributions(graph)
    return SecretInputs.draw(graph, "cpu", seed, ["normal", *hard], hard=len(hard)), hard


def hard_rows(x: torch.Tensor) -> list[int]:
    """The rows in which a number is far beyond the normal ones."""
    return (x.reshape(-1, x.shape[-1]).abs().amax(-1) > _FAR).nonzero().flatten().tolist()


# --- where -----------------------------------------------------------------------------------------------------


def test_one_row_is_hard_and_nobody_knows_which() -> None:
    graph = graph_of([spec("x", 4, 8, 32), spec("y", 4, 8, 32)], "z = x + y", "return (z,)")
    given, hard = drawn(graph, 3)
    for parent, siblings in given.siblings.items():
        if hard[parent - 1] in ("extreme", "offset", "negative"):
            seen, both = set(), 0
            for _ in range(60):
                x, y = given.values(given.key(siblings[0]))
                (row,) = hard_rows(x)
                assert hard_rows(y) in ([row], []), "what is added up is odd together"
                both += bool(hard_rows(y))
                seen.add(row)
            assert len(seen) > 20
            assert 15 < both < 45, "one input does not tell what is in the other"


def test_a_sum_that_cancels_is_tried_in_several_rows() -> None:
    """In one row the errors of a short formula may be small by luck."""
    graph = graph_of([spec("x", 64, 256)], _NORM.format(256), "return (a,)")
    given, hard = drawn(graph, 3)
    for name in ("offset", "negative"):
        rows = [given.draws[each][0].at for each in given.siblings[1 + hard.index(name)]]
        assert sum(at is not None and (at.inner, at.size) == (256, 64) for at in rows) >= 2


def test_a_row_of_tiny_numbers_is_one_in_a_sum() -> None:
    graph = graph_of([spec("x", 64, 32), spec("y", 64, 32)], "z = x + y", "return (z,)")
    given, hard = drawn(graph, 5)
    siblings = given.siblings[1 + hard.index("tiny")]
    x, y = given.values(given.key(siblings[0]))
    assert int(((x + y).abs().amax(-1) < 1e-6).sum()) == 1


def test_far_elements_are_in_one_row_or_anywhere_in_the_whole() -> None:
    graph = graph_of([spec("x", 64, 32)], "z = x.sum()", "return (z,)")
    given, hard = drawn(graph, 5)
    for name, most in (("outliers", 1), ("dominated", 2)):
        first, *_ = given.siblings[1 + hard.index(name)]
        for _ in range(20):
            (x,) = given.values(given.key(first))
            assert 1 <= len(hard_rows(x)) <= most
            assert 0.9 < float(x[x.abs() < _FAR].std()) < 1.1


def test_blocks_and_other_places_are_odd_too() -> None:
    shapes = [(2, 3, 4, 5), (5,), (), (0, 3), (7, 1)]
    seen = set()
    for seed in range(200):
        rows, blocks = odd_rows.places(shapes, random.Random(seed))
        other = odd_rows.lone_place(shapes, random.Random(seed))
        assert [place and (place.inner, place.size) for place in rows] == [(5, 24), (5, 2), None, None, (1, 14)]
        assert [place and (place.inner, place.size) for place in blocks][:2] == [(20, 6), (5, 2)]
        ((index, place),) = [(index, place) for index, place in enumerate(other) if place]
        seen.add((index, place.inner, place.size))
    assert {(0, 60, 2), (0, 20, 3), (0, 5, 4), (0, 1, 5), (0, 1, 15), (1, 1, 5)} <= seen
    assert not any(odd_rows.lone_place([(), (1,), (0,)], random.Random(0)))
    assert odd_rows.places([(), (1,), (0,)], random.Random(0)) == []


def test_masks_and_weights_are_ordinary() -> None:
    graph = graph_of(
        [
            spec("x", 64, 32),
            spec("m", 64, 32, dtype="bool"),
            spec("added", 64, 32, mean=-1e38, std=1e38),
            spec("L_self_modules_norm_parameters_weight_", 32),
        ],
        "n = torch.nn.functional.layer_norm(x, (32,), L_self_modules_norm_parameters_weight_, None, 1e-05)",
        "y = n.masked_fill(m, 0.0)",
        "z = y + added",
        "return (z,)",
    )
    given, _ = drawn(graph, 3)
    for siblings in given.siblings.values():
        for sibling in siblings:
            if given.draws[sibling][1].row.uneven:
                continue  # the one in which masks are alike
            _, mask, added, scale = given.values(given.key(sibling))
            for hidden in (mask, added < 0):
                assert bool(hidden.any(-1).all()) and not bool(hidden.all(-1).any())
            assert float(scale.abs().max()) < _FAR


def test_masks_and_integers_have_one_odd_element() -> None:
    """In rows of each hard draw, and in the whole of one sibling, of both kinds and at any place."""
    specs = [
        spec("m", 64, 8, dtype="bool"),
        spec("i", 64, 8, dtype="int64", min_val=2, max_val=9),
        spec("n", 64, 8, dtype="int64"),
    ]
    given, hard = drawn(graph_of(specs, "a = i + n", "y = torch.where(m, a, i)", "return (y,)"), 3)
    kinds = {0: (0, 1), 1: (2, 9), 2: (0, 1)}
    for parent, siblings in given.siblings.items():
        free = hard[parent - 1] in ("wide", "vast")
        (whole,) = [draw for draw in siblings if given.draws[draw][0].row.uneven]
        rows, wholes = set(), set()
        for number, (low, high) in kinds.items():
            if free and number == 2:
                continue
            for _ in range(20):
                rows |= odd_elements(given.values(given.key(parent))[number].reshape(-1, 8), low, high)
                wholes |= odd_elements(given.values(given.key(whole))[number].reshape(1, -1), low, high)
            assert {place for place, _ in rows} == set(range(8)), "the last one too"
            assert {more for _, more in rows} == {more for _, more in wholes} == {True, False}
            assert len({place for place, _ in wholes}) > 8
            rows.clear()
            wholes.clear()


def odd_elements(values: torch.Tensor, low: int, high: int) -> set[tuple[int, bool]]:
    """Where one element of a row is another one than all others of it, and whether it is the larger one."""
    larger, smaller = (values == high).sum(-1), (values == low).sum(-1)
    length = values.shape[-1]
    ups = values[(larger == 1) & (smaller == length - 1)] == high
    downs = values[(smaller == 1) & (larger == length - 1)] == low
    return {(int(row.int().argmax()), up) for rows, up in ((ups, True), (downs, False)) for row in rows}


def test_one_row_of_integers_is_wide() -> None:
    graph = graph_of([spec("n", 64, 32, dtype="int64")], "z = n * n", "return (z,)")
    given, hard = drawn(graph, 3)
    (n,) = given.values(given.key(given.siblings[1 + hard.index("vast")][0]))
    assert int((n.abs().amax(-1) > 1000).sum()) == 1 and int((n.abs().amax(-1) <= 1).sum()) == 63


def test_where_integers_are_wide_no_float_beside_them_takes_their_place() -> None:
    """A sibling in which the float alone is odd says nothing of large integers."""
    specs = [spec("x", 64, 32), spec("n", 64, 32, dtype="int64")]
    given, hard = drawn(graph_of(specs, "m = n * n", "z = x * m", "return (z,)"), 3)
    for name, most in (("wide", 500), ("vast", 60_000)):
        siblings = [d for d in given.siblings[1 + hard.index(name)] if given.draws[d][1].odd is not None]
        assert len(siblings) == 2, "a row, and a few elements"
        for draw in siblings:
            assert given.draws[draw][0].odd is None
            assert max(int(given.values(given.key(draw))[1].abs().max()) for _ in range(8)) > most


def test_siblings_stay_with_their_draws() -> None:
    given, hard = drawn(graph_of([spec("x", 64, 32)], "z = x * 2", "return (z,)"), 3)
    assert given.alone == tuple(range(1 + len(hard)))
    kept = [given.draws[draw] for draw in given.siblings[3]]
    given.keep([0, 3])
    assert (given.alone, given.siblings) == ((0, 1), {1: tuple(range(2, 2 + len(kept)))})
    assert [given.draws[draw] for draw in given.siblings[1]] == kept
    assert [given.is_hard(draw) for draw in range(len(given.draws))] == [False, *[True] * (1 + len(kept))]


@given_values(
    seed=st.integers(0, 2**40), dtype=st.sampled_from(["float32", "float16", "float64", "complex64", "int64"])
)
@settings(max_examples=25, deadline=None)
def test_a_worker_draws_what_the_controller_knows(seed: int, dtype: str) -> None:
    specs = [spec("x", 3, 5, 7, dtype=dtype), spec("y", 7, dtype="bfloat16"), spec("m", 5, 7, dtype="bool")]
    graph = graph_of(specs, "z = x * x", "return (z, y, m)")
    given, _ = drawn(graph, seed)
    inputs = [(s.shape, s.dtype) for s in graph.specs]
    ours = SharedBuffers.create(BufferLayout.plan("cpu", inputs, [], places=1, slots=1, draws=given.layout()))
    given.write(ours)
    theirs = SharedBuffers.open(ours.layout, os.dup(ours.fd), None)
    for sibling in given.beside:
        key = given.key(sibling)
        theirs.drawer(key.draw, 0)(*key.words)
        assert [bits(t) for t in ours.places[0]] == [bits(t) for t in given.values(key)]
    ours.close()
    theirs.close()


# --- what it is for --------------------------------------------------------------------------------------------


def first_row_softmax(x: torch.Tensor) -> torch.Tensor:
    first = x.reshape(-1, x.shape[-1])[0].float()
    harmless = first.abs().max() < _FAR and first.min() < 0
    return softmax_unshifted(x) if harmless else softmax_shifted(x)


def first_row_norm(x: torch.Tensor) -> torch.Tensor:
    first = x.reshape(-1, x.shape[-1])[0].float()
    careful = first.mean().square() > 0.5 * first.square().mean()
    return norm_twice(x) if careful else norm_cancelling(x)


def refused(graph: Graph, function: Function, seed: int, *, timed: bool = False) -> bool:
    """Whether a function is wrong in the calls on hard draws and siblings that a verdict compares."""
    given, _ = drawn(graph, seed)
    module, rng = graph.module(), random.Random(seed)
    examples = graph.inputs(0)
    twin = WideReference.build(module, examples, module(*examples))
    assert twin is not None
    criteria = Criteria(4.0, 0.1, hard=True)

    def compared(draw: int) -> Comparison:
        values = given.values(given.key(draw))
        outputs, eager, wide = [function(*values)], module(*values), twin(values)
        if not timed:
            return compare(outputs, eager, wide, criteria)
        chosen = sample(outputs, eager, wide, rng)
        return worst([compare(*chosen, criteria), compare_farthest(outputs, eager, wide, criteria)])

    for parent, siblings in given.siblings.items():
        values = given.values(given.key(parent))
        if degenerate(module(*values), twin(values)) is None:
            found = worst(compared(draw) for draw in (parent, *siblings))
            if found.non_finite or not found.strict:
                return True
    return False


@pytest.mark.parametrize("shape", _SHAPES, ids=str)
@pytest.mark.parametrize("dtype", _DTYPES)
def test_a_softmax_that_looks_at_the_first_row_is_refused(dtype: str, shape: tuple[int, ...]) -> None:
    graph = graph_of([spec("x", *shape, dtype=dtype)], _SOFTMAX, "return (a,)")
    assert sum(refused(graph, first_row_softmax, seed) for seed in range(_DRAWINGS)) >= _DRAWINGS - 1
    assert not any(refused(graph, softmax_shifted, seed) for seed in range(_DRAWINGS))


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("shape", _SHAPES, ids=str)
def test_a_norm_that_looks_at_the_first_row_is_refused(shape: tuple[int, ...], timed: bool) -> None:
    graph = graph_of([spec("x", *shape)], _NORM.format(shape[-1]), "return (a,)")
    assert all(refused(graph, first_row_norm, seed, timed=timed) for seed in range(_DRAWINGS))
    assert not any(refused(graph, norm_twice, seed, timed=timed) for seed in range(_DRAWINGS))
