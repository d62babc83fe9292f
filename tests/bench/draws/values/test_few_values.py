"""The careful draw of few numbers that all floats share."""

from __future__ import annotations

from random import Random

import pytest
import torch

from passnet.bench.draws.content.input_source import InputSource
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.values.few_values import few_values
from passnet.graph import Graph, TensorSpec
from tests.graph.graph_helpers import graph_of, spec


def drawn(graph: Graph, seed: int = 3, count: int = 8) -> list[list[torch.Tensor]]:
    """Calls of the draw. None where there is none."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    given.draws += [each.row for each in few_values(graph, given.draws[0], Random(seed))]
    draws = given.timed + given.careful
    if len(given.draws) == len(draws):
        return []
    return [[value.clone() for value in given.values(given.key(len(given.draws) - 1))] for _ in range(count)]


@pytest.mark.parametrize("shape", [(64, 32), (2, 4), (1, 8), (8,), (3, 2, 5)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "float8_e5m2"])
def test_numbers_tie_in_rows_and_between_inputs_whatever_their_shape(shape: tuple[int, ...], dtype: str) -> None:
    specs = [spec("x", *shape, dtype=dtype), spec("y", *shape, dtype=dtype)]
    calls = [call for seed in range(6) for call in drawn(graph_of(specs, "z = x.float()", "return (z, y)"), seed)]
    x, y = (torch.stack(each).double() for each in zip(*calls, strict=True))
    halves = x * 2 == (x * 2).round()
    assert 0.3 < float(halves.double().mean()) < 1.0, "halves, and others that are drawn in secret"
    assert bool((x == y).flatten(1).any(1).float().mean() > 0.7), "nearly every call has equal numbers"
    assert {-2.0, -1.0, -0.5, 0.5, 1.0, 2.5} <= {*x.unique().tolist(), *y.unique().tolist()}
    zeros = torch.cat([x, y]).flatten()
    zeros = zeros[zeros == 0]
    assert bool(torch.signbit(zeros).any()) and not bool(torch.signbit(zeros).all())


def test_the_largest_numbers_of_a_long_row_are_few() -> None:
    """A form may treat ties at the top of a row apart."""
    for (x,) in drawn(graph_of([spec("x", 16, 1000)], "y = x.topk(50)", "z = y[0]", "return (z,)")):
        top, kth = x.amax(-1), x.topk(50).values[:, -1]
        ties = (x == kth[:, None]).sum(-1) > 1
        assert bool((ties & (top > kth)).any())


def test_bounds_hold_and_their_ends_are_among_the_numbers() -> None:
    specs = [
        spec("x", 64, 8, min_val=1.0, max_val=640.0),
        spec("p", 64, 8, min_val=0.0, max_val=1.0),
        spec("far", 64, 8, min_val=200.25, max_val=300.5),
        spec("one", 1),
    ]
    graph = graph_of(specs, "a = x * p", "b = far * one", "return (a, b)")
    calls = drawn(graph)
    x, p, far, one = (torch.cat([value.flatten() for value in each]) for each in zip(*calls, strict=True))
    assert float(x.min()) == 1.0 and float(x.max()) == 640.0
    assert {0.0, 0.5, 1.0} <= set(p.tolist()) and 0.0 <= float(p.min()) <= float(p.max()) <= 1.0
    assert not bool(torch.signbit(p).any())
    assert float(far.min()) == 200.25 and float(far.max()) == 300.5 and 201.0 in far
    assert bool((one != 0).all())


def test_ties_of_secret_numbers_and_near_ones_are_the_largest_and_the_least_of_rows() -> None:
    specs = [spec("x", 64, 32), spec("y", 64, 32)]
    graph = graph_of(specs, "m = torch.isclose(x, y)", "out = x.masked_fill(m, 0.0)", "return (out,)")
    for seed in range(4):
        calls = drawn(graph, seed)
        seen = [value for call in calls for value in call[0].unique().tolist()]
        assert len({each for each in seen if each * 2 != round(each * 2)}) >= 6
        for x, y in calls:
            for reduced in (x.amax(-1, keepdim=True), x.amin(-1, keepdim=True)):
                ties = ((x == reduced).sum(-1) > 1) & (reduced * 2 != (reduced * 2).round())[:, 0]
                assert bool(ties.any())
            assert bool(((x == y) & (x * 2 != (x * 2).round())).any())
            assert bool((torch.isclose(x, y, atol=0.0) & (x != y)).any())
    assert set(drawn(graph, 1)[0][0].unique().tolist()) != set(drawn(graph, 2)[0][0].unique().tolist())


def test_numbers_of_ordinary_size_are_nearly_equal_where_all_of_an_input_is_large() -> None:
    specs = [spec("x", 64, 32, std=100.0), spec("y", 64, 32, std=100.0)]
    graph = graph_of(specs, "m = torch.isclose(x, y)", "out = x.masked_fill(m, 0.0)", "return (out,)")
    for seed in range(4):
        x, y = (torch.stack(each) for each in zip(*drawn(graph, seed), strict=True))
        near = torch.isclose(x, y, atol=0.0) & (x != y)
        assert bool((x[near].abs() > 10.0).any()) and bool(((x[near].abs() > 2**-6) & (x[near].abs() < 8.0)).any())


def test_larger_halves_and_multiples_at_which_steps_turn() -> None:
    x = drawn(graph_of([spec("x", 64, 64)], "y = torch.round(x)", "return (y,)"))[0][0]
    far = x[(x.abs() > 5) & (x.abs() < 256)]
    assert bool((far - far.floor() == 0.5).any())
    x = drawn(graph_of([spec("x", 64, 64, std=50.0)], "y = x / 16.0", "z = torch.floor(y)", "return (z,)"))[0][0]
    assert {-16.0, -32.0} <= set(x.unique().tolist())
    x = drawn(graph_of([spec("x", 64, 64, std=300.0)], "y = torch.remainder(x, 360.0)", "return (y,)"))[0][0]
    assert {-360.0, -720.0, 360.0} <= set(x.unique().tolist())


def test_weights_and_what_is_never_negative_hold_few_numbers_too() -> None:
    specs = [spec("x", 8, 64), spec("w", 32, 64, std=0.1), spec("r", 8, 64, mean=0.4, std=0.6, min_val=0.0)]
    graph = graph_of(
        specs, "a = w * 8.0", "b = torch.floor(a)", "c = x + r", "z = torch.nn.functional.linear(c, b)", "return (z,)"
    )
    _, w, r = drawn(graph)[0]
    assert -0.125 in w and float(r.min()) == 0.0
    assert len(r.unique()) < 64


def test_an_output_behind_a_rounding_does_not_take_others_with_it() -> None:
    lines = ["f = torch.floor(x)", "s = x * 0.3", "g = torch.floor(s)", "return (f, g)"]
    graph = graph_of([spec("x", 16, 16)], *lines)
    usual = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0).draws[0]
    (found,) = few_values(graph, usual, Random(3))
    assert found.unclear == {1} and found.row[0] is not usual[0]


def test_a_mean_of_one_output_does_not_take_others_with_it() -> None:
    graph = graph_of(
        [spec("x", 2, 128)], "f = torch.floor(x)", "m = x.mean(-1, keepdim = True)", "c = x - m", "return (f, c)"
    )
    assert _changed(graph) == {0}
    lines = ["f = torch.floor(x)", "m = x.mean(0, keepdim = True)", "c = x - m", "return (f, c)"]
    graph = graph_of([spec("x", 2, 128)], *lines)
    usual = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0).draws[0]
    (found,) = few_values(graph, usual, Random(3))
    assert found.unclear == {1}


def test_what_is_no_plain_float_is_as_usual() -> None:
    specs = [
        spec("x", 8, 8),
        spec("mask", 8, 8, mean=-1e38, std=1e38),
        spec("running_var", 8, mean=1.0, std=0.1, min_val=0),
        spec("k", 8, data=(0.25,) * 8),
        spec("n", 8, dtype="int64"),
    ]
    graph = graph_of(specs, "a = x + mask", "b = torch.rsqrt(running_var)", "c = a * b", "d = c * k", "return (d, n)")
    assert _changed(graph) == {0}


def test_a_step_behind_a_rounding_meets_no_exact_numbers() -> None:
    graph = graph_of([spec("x", 8, 8), spec("z", 8, 8)], "a = x * 0.3", "y = torch.floor(a)", "return (y, z)")
    assert _changed(graph) == {1}


@pytest.mark.parametrize(
    ("size", "line", "drawn"),
    [
        (3, "y = torch.nn.functional.layer_norm(x, (3,))", False),
        (3, "y = x.var(-1)", False),
        (3, "y = x.sum(-1)", True),
        (512, "y = torch.nn.functional.layer_norm(x, (512,))", True),
    ],
)
def test_no_row_of_equal_numbers_is_normalised(size: int, line: str, drawn: bool) -> None:
    assert bool(_changed(graph_of([spec("x", 64, size)], line, "return (y,)"))) is drawn


def _changed(graph: Graph) -> set[int]:
    usual = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0).draws[0]
    rows: list[list[InputSource]] = [each.row for each in few_values(graph, usual, Random(3))]
    specs: tuple[TensorSpec, ...] = graph.specs
    return {index for row in rows for index in range(len(specs)) if row[index] is not usual[index]}


def test_complex_numbers_tie_and_lie_on_the_branch_cut() -> None:
    z = torch.stack(
        [z for (z,) in drawn(graph_of([spec("z", 64, 32, dtype="complex64")], "a = z.log()", "return (a,)"))]
    )
    cut = z[(z.imag == 0) & (z.real < 0)]
    assert len(cut) > 0.03 * z.numel() and 0.2 < float(torch.signbit(cut.imag).double().mean()) < 0.8
    parts = torch.view_as_real(z)
    assert {-1.5, -1.0, 0.5, 2.5} <= {*parts.unique().tolist()}


def test_a_cut_behind_a_complex_product_is_met_by_no_few_numbers() -> None:
    """The sign of a zero is another one in another form there."""
    specs = [spec("z", 64, 32, dtype="complex64"), spec("w", 64, 32, dtype="complex64")]
    assert not drawn(graph_of(specs, "a = z * w", "b = a.log()", "return (b,)"))
    assert drawn(graph_of(specs, "a = z * w", "b = torch.view_as_real(a)", "c = b.floor()", "return (c,)"))


@pytest.mark.parametrize(("aligned", "size"), [(False, 32), (False, 24), (True, 33)])
def test_places_of_a_grid_are_halfway_between_pixels(aligned: bool, size: int) -> None:
    specs = [spec("x", 1, 2, size, size), spec("grid", 1, 48, 48, 2)]
    line = f"a = torch.nn.functional.grid_sample(x, grid, mode='nearest', align_corners={aligned})"
    even = 0.0
    for seed in range(4):
        for _, grid in drawn(graph_of(specs, line, "return (a,)"), seed, 2):
            places = (grid + 1) / 2 * (size - 1) if aligned else ((grid + 1) * size - 1) / 2
            inside = (places >= 0) & (places < size - 1)
            even += float(((places - places.floor() == 0.5) & (places.floor() % 2 == 0) & inside).double().mean()) / 8
    assert even > 0.01


def test_numbers_lie_beside_the_turns_of_a_step() -> None:
    found = torch.cat(
        [
            x.flatten()
            for seed in range(4)
            for (x,) in drawn(graph_of([spec("x", 64, 32)], "a = x.floor()", "return (a,)"), seed)
        ]
    )
    beside = (found != found.round()) & ((found - found.round()).abs() <= 4e-6) & (found.abs() > 0.5)
    assert bool((found[beside] < found[beside].round()).any()) and bool((found[beside] > found[beside].round()).any())


@pytest.mark.parametrize(
    ("line", "unit"),
    [
        ("a = torch.round(x, decimals=2)", 0.125),
        ("a = torch.round(x, decimals=-1)", 5.0),
        ("a = torch.histc(x, 16, -2, 2)", 0.25),
    ],
)
def test_steps_of_decimals_and_bins_are_met(line: str, unit: float) -> None:
    known = [x for seed in range(4) for (x,) in drawn(graph_of([spec("x", 64, 32)], line, "return (a,)"), seed)]
    odd = torch.cat([x.flatten() for x in known]) / unit
    assert bool(((odd == odd.round()) & (odd % 2 == 1)).any())
