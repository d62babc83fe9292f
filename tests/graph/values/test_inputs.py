"""Input policy: deterministic, in range, never constant without need, and the published replay beside it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.errors import UsageError
from passnet.graph import Graph, Role, TensorSpec, degenerate, fake_inputs, propagate, roles_of
from passnet.graph.values.inputs import (
    HARD_DISTRIBUTIONS,
    Distribution,
    RowStructure,
    hard_distributions,
    row_structure,
)
from tests.graph.graph_helpers import FIXTURES, RUNNABLE, graph_of, same, spec

DISTRIBUTIONS = get_args(Distribution)
# Only integers are drawn otherwise with the others of these.
_ONE_FOR_FLOATS = {"normal", "wide", "vast"}


def one(item: TensorSpec, seed: int = 0, **options: object) -> torch.Tensor:
    (tensor,) = graph_of([item], f"a = {item.name} * 1", "return (a,)").inputs(seed, **options)  # type: ignore[arg-type]
    assert tuple(tensor.shape) == item.shape
    assert str(tensor.dtype) == f"torch.{item.dtype}"
    return tensor


@pytest.mark.parametrize("name", RUNNABLE)
@pytest.mark.parametrize("policy", ["default", "published"])
def test_a_seed_decides_everything(name: str, policy: str) -> None:
    graph = Graph.read(FIXTURES / name)
    first, again = graph.inputs(5, policy=policy), graph.inputs(5, policy=policy)  # type: ignore[arg-type]
    assert same(first, again)
    assert [tuple(t.shape) for t in first] == [s.shape for s in graph.specs]
    assert first[0].data_ptr() != again[0].data_ptr() or first[0].numel() == 0


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_seeds_and_distributions_differ(distribution: str) -> None:
    item = spec("in_0", 50)
    tensor = one(item, distribution=distribution)
    assert not same(tensor, one(item, 1, distribution=distribution))
    same_for_floats = _ONE_FOR_FLOATS if distribution in _ONE_FOR_FLOATS else {distribution}
    others = [one(item, distribution=other) for other in DISTRIBUTIONS if other not in same_for_floats]
    assert not any(same(tensor, other) for other in others)
    assert tensor[tensor.isfinite()].std() > 0


def test_an_input_does_not_depend_on_its_neighbours() -> None:
    few = graph_of([spec("a", 9), spec("b", 9)], "return (a, b)").inputs(0)
    more = graph_of([spec("a", 90_000), spec("b", 9)], "return (a, b)").inputs(0)
    assert same(few[1], more[1])
    assert not same(few[0], few[1])


def test_stored_statistics_are_followed() -> None:
    tensor = one(spec("in_0", 200, 200, mean=3.0, std=0.25))
    assert float(tensor.mean()) == pytest.approx(3.0, abs=0.01)
    assert float(tensor.std()) == pytest.approx(0.25, rel=0.02)


@pytest.mark.parametrize(
    ("mean", "std"), [(0.0, 0.0), (1.0, 0.0), (-7.5, 0.0), (0.0, math.nan), (None, None), (1e3, 0.001)]
)
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "float64"])
def test_float_inputs_are_never_constant(mean: float | None, std: float | None, dtype: str) -> None:
    for name in ("in_0", "L_self_modules_norm_parameters_weight_", "L_self_modules_bn_buffers_running_var_", "x_bias"):
        tensor = one(spec(name, 70, dtype=dtype, mean=mean, std=std))
        assert tensor.isfinite().all()
        assert len(tensor.unique()) > 8


@settings(max_examples=60, deadline=None)
@given(
    st.integers(-50, 50),
    st.integers(0, 40),
    st.lists(st.integers(1, 5), max_size=3),
    st.sampled_from(["int8", "int16", "int32", "int64"]),
    st.integers(0, 99),
)
def test_integers_stay_in_range_and_vary(low: int, width: int, shape: list[int], dtype: str, seed: int) -> None:
    tensor = one(TensorSpec("in_0", tuple(shape), dtype, min_val=low, max_val=low + width), seed)
    assert low <= int(tensor.min()) <= int(tensor.max()) <= low + width
    if width and tensor.numel() > 1:
        assert tensor.min() != tensor.max()


def test_both_integer_bounds_are_reached() -> None:
    assert set(one(TensorSpec("in_0", (200,), "int64", min_val=3, max_val=5)).tolist()) == {3, 4, 5}
    extremes = one(TensorSpec("in_0", (8,), "int64", min_val=-(2**63), max_val=2**63 - 1))
    assert extremes.dtype == torch.int64


def test_index_without_range_takes_it_from_the_table() -> None:
    specs = [TensorSpec("in_0", (100,), "int64"), spec("in_1", 7, 3)]
    ids, _ = graph_of(specs, "a = torch.nn.functional.embedding(in_0, in_1)", "return (a,)").inputs(0)
    assert (int(ids.min()), int(ids.max())) == (0, 6)


@settings(max_examples=60, deadline=None)
@given(
    st.floats(-5, 5, width=32),
    st.floats(0.125, 4, width=32),
    st.floats(-9, 9, width=32),
    st.sampled_from(["both", "low", "high"]),
    st.sampled_from(DISTRIBUTIONS),
)
def test_float_bounds_are_honoured_without_piling_up(
    low: float, width: float, mean: float, which: str, distribution: str
) -> None:
    high = low + width
    bounds = {"min_val": low if which != "high" else None, "max_val": high if which != "low" else None}
    tensor = one(spec("in_0", 64, mean=mean, **bounds), distribution=distribution)
    assert which == "high" or float(tensor.min()) >= low - 1e-5
    assert which == "low" or float(tensor.max()) <= high + 1e-5
    if distribution != "sparse":
        assert len(tensor.unique()) > 32


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_variances_stay_positive(distribution: str) -> None:
    specs = [spec("in_0", 2, 64), spec("in_1", 64, mean=0.0, std=0.0), spec("in_2", 64, mean=0.5, std=0.9)]
    body = ["a = torch.nn.functional.batch_norm(in_0, in_1, in_2, None, None, False, 0.1, 1e-05)", "return (a,)"]
    inputs = graph_of(specs, *body).inputs(0, distribution=distribution)  # type: ignore[arg-type]
    assert float(inputs[2].min()) > 0
    named = one(spec("L_bn_buffers_running_var_", 64, mean=0.0, std=0.0), distribution=distribution)
    assert float(named.min()) > 0


@pytest.mark.parametrize("std", [0.0, 900.0, 30_000.0])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_huge_running_statistics_are_no_mask(std: float, dtype: str) -> None:
    names = ("L_bn_buffers_running_var_", "L_bn_buffers_running_mean_")
    variance, mean = (one(spec(name, 64, mean=20_000.0, std=std, dtype=dtype)) for name in names)
    assert float(variance.min()) > 2_000
    assert float(variance.float().max()) < 200_000
    assert mean.isfinite().all()
    assert not (mean == 0).any()


@pytest.mark.parametrize("std", [0.0, math.nan, None])
def test_one_number_without_content_is_its_mean(std: float | None) -> None:
    specs = [spec("x", 2, 8), spec("L_bn_momentum", dtype="float64", mean=0.1, std=std)]
    specs.append(spec("L_norm_eps", dtype="float64", mean=0.0, std=std))
    body = [
        "p = L_bn_momentum.item()",
        "eps = L_norm_eps.item()",
        "a = torch.nn.functional.dropout(x, p, False, False)",
    ]
    graph = graph_of(specs, *body, "b = torch.nn.functional.layer_norm(a, (8,), None, None, eps)", "return (b,)")
    for seed in range(3):
        _, momentum, epsilon = graph.inputs(seed)
        assert (float(momentum), float(epsilon)) == (0.1, 1e-6)
    assert propagate(graph.module(propagated=False), fake_inputs(graph.specs)).complete


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["in_0", "L_m_parameters_weight_", "L_norm_parameters_weight_", "L_running_var_", "x_bias", "eps"]),
    st.sampled_from(["float64", "float32", "float16", "bfloat16", "complex64"]),
    st.sampled_from([(), (0,), (1,), (3, 0), (5,), (4, 6)]),
    st.none() | st.floats(),
    st.none() | st.floats(min_value=0) | st.just(math.nan),
)
def test_whatever_the_metadata_says_the_default_draw_is_finite(
    name: str, dtype: str, shape: tuple[int, ...], mean: float | None, std: float | None
) -> None:
    tensor = one(spec(name, *shape, dtype=dtype, mean=mean, std=std))
    assert tensor.isfinite().all()


def test_roles_are_read_off_uses_through_casts() -> None:
    specs = [spec(f"in_{i}", 8) for i in range(6)]
    body = [
        "a = in_1.to(torch.float32)",
        "b = torch.nn.functional.layer_norm(in_0, (8,), a, in_2, 1e-05)",
        "c = in_3 + 1e-06",
        "d = torch.rsqrt(c)",
        "e = torch._C._nn.linear(b, in_4, bias=in_5)",
        "return (e, d)",
    ]
    roles = roles_of(graph_of(specs, *body).program, tuple(specs))
    assert roles == (Role.DATA, Role.NORM_SCALE, Role.BIAS, Role.VARIANCE, Role.WEIGHT, Role.BIAS)


def test_literal_data_is_used_as_it_is_and_zero_epsilon_is_rescued() -> None:
    item = TensorSpec("in_0", (2, 2), "float32", data=(1.0, 2.0, 3.0, 4.0), mean=9.0, std=9.0)
    assert one(item).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    graph = Graph.read(FIXTURES / "dynamic_scalars")
    epsilon, dropout = graph.inputs(0)[3:]
    assert 0 < float(epsilon) < 1e-4
    assert float(dropout) == pytest.approx(0.1)
    assert float(graph.inputs(0, policy="published")[3]) == 0.0


def test_range_wins_over_data_for_integers_only() -> None:
    ranged = one(TensorSpec("in_0", (50,), "int64", data=(7,) * 50, min_val=0, max_val=3))
    assert int(ranged.max()) <= 3
    boolean = one(TensorSpec("in_0", (2,), "bool", data=(True, True)))
    assert boolean.tolist() == [True, True]


def test_boolean_rows_hold_both_values() -> None:
    mask = one(TensorSpec("in_0", (40, 3), "bool"))
    assert mask.any(-1).all()
    assert not mask.all(-1).any()


def test_additive_masks_keep_a_free_place_in_each_row() -> None:
    mask = one(spec("in_0", 6, 10, mean=-1.7e38, std=math.inf))
    assert (mask == 0).any(-1).all()
    assert (mask < -1e30).any()
    assert one(spec("in_0", 6, 10, dtype="float16", mean=-30000.0, std=32000.0)).isfinite().all()


_STRUCTURES = (
    (TensorSpec("in_0", (40, 3), "bool"), RowStructure(first=True, last=False)),
    (TensorSpec("in_0", (40, 1), "bool"), RowStructure()),
    (TensorSpec("in_0", (2,), "bool", data=(True, True)), RowStructure(literal=True)),
    (TensorSpec("in_0", (3,), "int64", data=(1, 2, 3)), RowStructure(literal=True)),
    (TensorSpec("in_0", (3,), "int64", data=(1, 2, 3), min_val=0, max_val=9), RowStructure()),
    (TensorSpec("in_0", (9, 3), "int32"), RowStructure()),
    (spec("in_0", 9, 4), RowStructure()),
    (spec("in_0", 9, 4, data=(0.5,) * 36), RowStructure(literal=True)),
    (spec("in_0", 9, 4, mean=-1e5), RowStructure(first=0.0, last=-1e5)),
    (spec("in_0", 9, 4, mean=0.0, std=2e4, max_val=5.0), RowStructure(first=0.0, last=5.0)),
    (spec("in_0", 9, 4, dtype="complex64", mean=1e5), RowStructure(first=0.0, last=complex(1e5, 1e5))),
    (spec("in_0", mean=-1e5), RowStructure()),
)


@pytest.mark.parametrize(("item", "expected"), _STRUCTURES, ids=str)
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_the_ends_of_rows_are_what_the_structure_says(
    item: TensorSpec, expected: RowStructure, distribution: str
) -> None:
    assert replace(row_structure(item, Role.DATA), hides=False) == expected
    for seed in range(2):
        tensor = one(item, seed, distribution=distribution)
        for place, value in ((0, expected.first), (-1, expected.last)):
            assert value is None or (tensor[..., place] == value).all()
        assert not expected.literal or tensor.flatten().tolist() == list(item.data or ())


@pytest.mark.parametrize("mean", [-math.inf, -1.7e38, -1e9])
@pytest.mark.parametrize("distribution", ["normal", "large", "extreme", "offset", "outliers"])
def test_what_is_not_hidden_is_ordinary(mean: float, distribution: str) -> None:
    item = spec("in_0", 64, 128, mean=mean, std=0.0)
    tensor = one(item, distribution=distribution)
    shown = tensor[tensor > -1e6]
    assert row_structure(item, Role.DATA, distribution).hides  # type: ignore[arg-type]
    assert 0.6 < shown.numel() / tensor.numel() < 0.9
    assert len(shown.unique()) > 4000
    if distribution == "offset":
        assert shown[shown != 0].min() > 88.8
    else:
        assert (shown > 0).float().mean() == pytest.approx(0.5, abs=0.05)
    assert bool((shown.abs() > 88.8).any()) == (distribution in ("extreme", "offset", "outliers"))
    (samples,) = graph_of([item], "a = in_0 * 1", "return (a,)").samples(0, 999, distribution=distribution)  # type: ignore[arg-type]
    assert samples.min() > -1e6, "rows are made of what is shown"


@pytest.mark.parametrize(("mean", "zeros"), [(0.0233, True), (-0.04, True), (0.5, False)])
def test_half_of_a_sparse_draw_is_zero_where_the_recorded_mean_is_chance(mean: float, *, zeros: bool) -> None:
    """Rows of another constant are normalised by nobody as by another: what is left of them is rounding."""
    tensor = one(spec("in_0", 200, 6, mean=mean, std=1.0), distribution="sparse")
    same = (tensor == (0.0 if zeros else mean)).float().mean()
    assert same == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize("distribution", ["small", "sparse", "tiny", "dominated"])
def test_a_mask_alone_is_of_two_numbers(distribution: str) -> None:
    tensor = one(spec("in_0", 64, 128, mean=-1.7e38, std=0.0), distribution=distribution)
    assert len(tensor.unique()) == 2
    assert (tensor == 0).float().mean() == pytest.approx(0.75, abs=0.05)


def test_what_is_not_hidden_keeps_the_bounds() -> None:
    tensor = one(spec("in_0", 64, 128, mean=-1e9, std=1e9, min_val=-4e9, max_val=0.0))
    shown = tensor[tensor > -1e6]
    assert shown.max() <= 0.0 and shown.min() > -10.0 and shown.std() > 0.3


def test_a_mask_of_integers_has_rows_on_hard_draws_only() -> None:
    mask = TensorSpec("in_0", (40, 6), "int64", min_val=0, max_val=1)
    assert row_structure(mask, Role.DATA) == row_structure(mask, Role.DATA, "large") == RowStructure()
    for distribution in HARD_DISTRIBUTIONS:
        assert row_structure(mask, Role.DATA, distribution) == RowStructure(first=1, last=0)
        tensor = one(mask, distribution=distribution)
        assert (tensor[:, 0] == 1).all() and (tensor[:, -1] == 0).all()
    index = TensorSpec("in_0", (40, 6), "int64", min_val=0, max_val=2)
    assert row_structure(index, Role.DATA, "extreme") == RowStructure()


def largest(distribution: str, dtype: str, **fields: float) -> tuple[float, float]:
    """The least and the largest of 64 rows, at worst."""
    tensor = one(spec("in_0", 64, 32, dtype=dtype, **fields), distribution=distribution).double()
    return float(tensor.min()), float(tensor.amax(-1).min())


@pytest.mark.parametrize("fields", [{}, {"std": 0.01}, {"std": 0.01, "mean": 1.0}], ids=str)
@pytest.mark.parametrize(("dtype", "overflow"), [("float64", 709.8), ("float32", 88.8), ("bfloat16", 88.8),
                                                 ("float16", 11.1)])  # fmt: skip
def test_hard_draws_reach_overflow_of_the_exponential(dtype: str, overflow: float, fields: dict[str, float]) -> None:
    assert largest("large", dtype)[1] < overflow, "which large ones do not"
    assert largest("extreme", dtype, **fields)[1] > overflow
    least, _ = largest("offset", dtype, **fields)
    assert least > overflow or dtype == "bfloat16"
    for name in HARD_DISTRIBUTIONS:
        assert one(spec("in_0", 64, 32, dtype=dtype, **fields), distribution=name).isfinite().all()
        weight = spec("L_self_modules_norm_parameters_weight_", 64, dtype=dtype, **fields)
        hard = one(weight, distribution=name)
        assert same(hard.abs(), one(weight).abs()), "only data is hard"
        if one(weight).amin() > 0:
            assert bool((hard < 0).any()) == (name == "negative"), "a scale may be negative"


def test_hard_draws_reach_squares_beyond_float16() -> None:
    assert largest("extreme", "float16")[1] > 255.9 / 2
    assert float(one(spec("in_0", 999, dtype="float16"), distribution="extreme").abs().max()) > 256


def test_unknown_policy_and_distribution_are_usage_errors() -> None:
    with pytest.raises(UsageError, match="policy"):
        one(spec("in_0", 2), policy="wild")
    with pytest.raises(UsageError, match="distribution"):
        one(spec("in_0", 2), distribution="wild")


def test_size_gate_comes_before_any_allocation() -> None:
    graph = graph_of([spec("in_0", 2**20, 2**20), spec("in_1", 4)], "a = in_0 + 1", "return (a,)")
    assert graph.nbytes == 2**42 + 16
    with pytest.raises(UsageError, match=r"4398046511120 bytes.*in_0"):
        graph.inputs(0)
    small = graph_of([spec("in_0", 4)], "a = in_0 + 1", "return (a,)")
    with pytest.raises(UsageError):
        small.inputs(0, limit_bytes=15)
    assert len(small.inputs(0, limit_bytes=16)) == 1


def test_published_replay_is_the_upstream_rule() -> None:
    specs = [
        TensorSpec("b", (3, 4), "float32", mean=0.5, std=2.0, class_name="B"),
        TensorSpec("c", (5,), "int64", min_val=-2, max_val=9, class_name="C"),
        TensorSpec("a", (6,), "bfloat16", mean=1.0, std=3.0, min_val=0.9, class_name="A"),
        TensorSpec("d", (4,), "bool", class_name="D"),
        TensorSpec("e", (2,), "float32", mean=0.25, std=0.0, class_name="E"),
        TensorSpec("f", (2,), "float64", mean=1e6, std=1.0, class_name="F"),
    ]
    found = graph_of(specs, "return (a, b, c, d, e, f)").inputs(77, policy="published")
    state = np.random.RandomState(77)
    integers = torch.from_numpy(state.randint(-2, 10, size=[5]))
    a = torch.from_numpy(state.randn(6) * 3.0 * 0.2 + 1.0).to(torch.bfloat16).clamp(min=0.9)
    b = torch.from_numpy(state.randn(3, 4) * 2.0 * 0.2 + 0.5).to(torch.float32)
    d = torch.from_numpy(state.rand(4) > 0.5)
    expected = [b, integers, a, d, torch.full((2,), 0.25), torch.full((2,), 100.0, dtype=torch.float64)]
    assert same(found, expected)


def test_published_replay_replaces_non_finite_values() -> None:
    (tensor,) = graph_of([spec("in_0", 80, std=math.inf)], "return (in_0,)").inputs(0, policy="published")
    assert tensor.isfinite().all()
    assert float(tensor.abs().max()) < 1


def test_degenerate_under_published_replay_is_rescued_by_default() -> None:
    graph = Graph.read(FIXTURES / "constant_norm")
    module = graph.module()
    reason = degenerate(module(*graph.inputs(0, policy="published")))
    assert reason == "output 0: constant 0"
    assert degenerate(module(*graph.inputs(0))) is None


def test_truly_constant_outputs_are_flagged_under_every_policy() -> None:
    graph = graph_of([spec("in_0", 8)], "a = torch.zeros_like(in_0)", "b = a / 0", "return (a, b)")
    for distribution in DISTRIBUTIONS:
        reason = degenerate(graph.module()(*graph.inputs(0, distribution=distribution)))
        assert reason == "output 0: constant 0; output 1: no finite value"


def test_one_telling_output_is_enough_and_rounding_noise_tells_nothing() -> None:
    constant, telling = torch.ones(9), torch.arange(9.0)
    assert degenerate((constant, [telling])) is None
    noisy = torch.full((9,), 0.2)
    noisy[3] = torch.nextafter(noisy[3], torch.tensor(1.0))
    assert "zero variance" in str(degenerate(noisy))
    assert degenerate(torch.tensor(3.0)) is None
    assert "empty" in str(degenerate(torch.empty(0)))
    assert "finite" in str(degenerate(torch.tensor(math.nan)))
    assert degenerate(torch.tensor([1 + 1j, 2.0])) is None
    assert degenerate(torch.tensor([1, 1])) is not None
    assert degenerate((3, None)) is None


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "complex64"])
def test_a_mask_of_infinities_tells(dtype: str) -> None:
    mask = torch.zeros(8, dtype=getattr(torch, dtype))
    assert degenerate(mask) == "output 0: constant 0"
    mask[:6] = -math.inf
    wide = mask.to(torch.complex128 if mask.is_complex() else torch.float64)
    assert degenerate(mask) is degenerate(mask, [wide]) is None
    assert degenerate(torch.full((8,), -math.inf)) == "output 0: no finite value"
    assert degenerate(torch.full((8,), math.nan).index_fill(0, torch.tensor([1]), 0)) == "output 0: mostly not finite"


def test_an_infinity_that_float64_does_not_have_tells_nothing() -> None:
    overflowed, mask = torch.zeros(8), torch.zeros(8)
    overflowed[5:] = mask[5:] = math.inf
    truth = overflowed.double()
    truth[5:] = 1e9
    assert degenerate(overflowed, [truth]) == "output 0: constant 0"
    assert degenerate((overflowed, mask), [truth, mask.double()]) is None
    overflowed[1:], truth[1:] = math.inf, 1e9
    assert degenerate(overflowed, [truth]) == "output 0: mostly not finite"
    assert degenerate(torch.arange(4), [torch.arange(4)]) is None


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("name", RUNNABLE)
def test_values_are_the_same_on_cuda_and_the_module_runs_there(name: str) -> None:
    graph = Graph.read(FIXTURES / name)
    here, there = graph.inputs(1, "cpu"), graph.inputs(1, "cuda")
    assert same(here, [tensor.cpu() for tensor in there])
    with torch.no_grad():
        outputs = graph.module("cuda")(*there)
    assert degenerate(outputs) is None


def test_only_a_graph_that_asks_for_numbers_that_are_not_finite_gets_them() -> None:
    asks = graph_of([spec("in_0", 2048)], "a = torch.nan_to_num(in_0)", "return (a,)")
    assert "nonfinite" in hard_distributions(asks)
    assert hard_distributions(graph_of([spec("in_0", 4)], "a = in_0 * 2", "return (a,)")) == HARD_DISTRIBUTIONS
    for dtype in ("float32", "float16", "bfloat16"):
        drawn = one(spec("in_0", 2048, dtype=dtype), distribution="nonfinite")
        assert drawn.isnan().any() and drawn.isposinf().any() and drawn.isneginf().any()


def test_examples_repeat_their_numbers_where_a_tensor_is_large() -> None:
    graph = graph_of([spec("x", 600, 500, mean=2.0, std=3.0), spec("y", 8)], "a = x * 1", "return (a,)")
    large, small = graph.examples(7)
    assert tuple(large.shape) == (600, 500)
    assert 100_000 < large.unique().numel() < 150_000
    assert large.mean() == pytest.approx(2.0, abs=0.1)
    assert large.std() == pytest.approx(3.0, rel=0.05)
    assert not torch.equal(large[0], large[1])
    assert torch.equal(small, graph.inputs(7)[1])


def test_a_mask_of_an_infinite_mean_is_zero_and_that_infinity() -> None:
    for mean in (-torch.inf, torch.inf):
        values = one(spec("mask", 64, 32, mean=mean, std=float("nan")), distribution="small")
        assert set(values.unique().tolist()) == {0.0, mean}
        assert not bool((values == mean).all(-1).any())
