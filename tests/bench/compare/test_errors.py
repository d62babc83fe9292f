"""The comparator: monotone, equal to the plain formula, not fooled by zeros, fair to what is nearer the truth."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from passnet.bench.compare import measures, on_host
from passnet.bench.compare.comparison import Comparison, Criteria, worst
from passnet.bench.compare.errors import compare
from passnet.bench.compare.farthest import SAMPLE, compare_farthest
from passnet.bench.compare.levels import Part
from passnet.bench.compare.measures import finite, largest
from passnet.bench.compare.objections import objection
from passnet.bench.record.records import Unseen
from passnet.bench.verdict.evidence import GraphTrial
from passnet.bench.verdict.job import Job
from passnet.score import STRICT_T, T_RANGE, Outcome, tolerance
from passnet.score.tolerances import T_MAX, T_MIN

CRITERIA = Criteria(fp64_factor=4.0, scale_cap=0.1)
FLOATS = ("float64", "float32", "float16", "bfloat16")
COMPLEX = ("complex128", "complex64", "complex32")
EXACT = ("int64", "int32", "int16", "int8", "uint8", "bool", "uint16", "uint32", "uint64", "float8_e4m3fn")
_floats = st.sampled_from(FLOATS)
_seeds = st.integers(0, 2**31)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def normal(seed: int, *shape: int, dtype: str = "float64") -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64).to(getattr(torch, dtype))


def level(output: torch.Tensor, eager: torch.Tensor, wide: torch.Tensor | None = None) -> int | None:
    return compare([output], [eager], None if wide is None else [wide], CRITERIA).correct_at


def at(found: int | None) -> float:
    return math.inf if found is None else found


def plain_published_level(output: torch.Tensor, eager: torch.Tensor) -> int | None:
    """The published comparison as one would first write it, level by level."""
    dtype = str(eager.dtype).removeprefix("torch.")
    for t in T_RANGE:
        bound = tolerance(dtype, t)
        if torch.allclose(output.double(), eager.double(), rtol=bound.rtol, atol=bound.atol):
            return t
    return None


def plain_scale_level(output: torch.Tensor, truth: torch.Tensor, dtype: str) -> int | None:
    error = torch.sqrt(torch.mean((output.double() - truth.double()) ** 2)).item()
    spread = torch.std(truth.double(), correction=0).item()
    for t in T_RANGE:
        if error / spread <= min(CRITERIA.scale_cap, max(tolerance(dtype, t))):
            return t
    return None


# --- identity and order --------------------------------------------------------------------------------------------


@given(_floats, _seeds, st.floats(1e-6, 1e3), st.floats(-100, 100), st.booleans())
@settings(max_examples=80, deadline=None)
def test_eagers_own_outputs_are_right_at_every_tolerance(
    dtype: str, seed: int, scale: float, offset: float, wide: bool
) -> None:
    truth = normal(seed, 5, 7) * scale + offset
    eager = truth.to(getattr(torch, dtype))
    found = compare([eager.clone()], [eager], [truth] if wide else None, CRITERIA)
    assert found.correct_at == T_MIN
    assert found.published_at == T_MIN
    assert (found.max_abs, found.max_rel) == (0.0, 0.0)
    assert found.strict
    assert found.fp64_ratio in {None, 1.0}


@pytest.mark.parametrize("dtype", [*FLOATS, *COMPLEX, *EXACT])
@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (4, 3)])
def test_identical_outputs_of_every_dtype_and_shape(dtype: str, shape: tuple[int, ...]) -> None:
    if dtype in COMPLEX:
        eager = torch.complex(normal(1, *shape), normal(2, *shape)).to(getattr(torch, dtype))
    else:
        eager = (normal(1, *shape).abs() * 3).to(getattr(torch, dtype))
    found = compare([eager.clone()], [eager], None, CRITERIA)
    assert found.correct_at == T_MIN
    assert not found.non_finite


@given(_floats, _seeds, st.lists(st.floats(0, 1), min_size=2, max_size=5))
@settings(max_examples=60, deadline=None)
def test_more_error_is_never_judged_better(dtype: str, seed: int, scales: list[float]) -> None:
    eager = normal(seed, 40, dtype=dtype)
    direction = normal(seed + 1, 40)
    levels = []
    for scale in sorted(scales):
        output = (eager.double() + scale * direction).to(torch.float64)
        # Compared in float64, so that rounding of the output does not hide the order.
        levels.append(at(compare([output], [eager], None, CRITERIA).correct_at))
    assert levels == sorted(levels)


@given(_floats, _seeds, st.floats(-9, 1), st.integers(2, 60))
@settings(max_examples=120, deadline=None)
def test_the_smallest_level_is_that_of_the_plain_formula(dtype: str, seed: int, exponent: float, count: int) -> None:
    eager = normal(seed, count, dtype=dtype) * 3
    output = (eager.double() + 10.0**exponent * normal(seed + 1, count)).to(eager.dtype)
    found = compare([output], [eager], None, CRITERIA)
    assume(len(found.parts) == 1)  # elements far below the others are judged by themselves
    assert found.published_at == plain_published_level(output, eager)
    scale = plain_scale_level(output, eager, dtype)
    expected = max(at(found.published_at), at(scale))
    assert at(found.correct_at) == expected
    assert found.max_abs == pytest.approx((output.double() - eager.double()).abs().max().item())


@given(st.lists(st.tuples(_seeds, st.floats(-9, 1)), min_size=2, max_size=4))
@settings(max_examples=40, deadline=None)
def test_worst_does_not_depend_on_the_order(rows: list[tuple[int, float]]) -> None:
    comparisons = []
    for seed, exponent in rows:
        truth = normal(seed, 30)
        eager = truth.to(torch.bfloat16)
        output = (truth + 10.0**exponent * normal(seed + 1, 30)).to(torch.bfloat16)
        comparisons.append(compare([output], [eager], [truth], CRITERIA))
    results = {figures(worst(order)) for order in itertools.permutations(comparisons)}
    assert len(results) == 1
    found = worst(comparisons)
    alone = max(at(row.correct_at) for row in comparisons)
    assert at(found.correct_at) == alone or (found.correct_at == STRICT_T < alone)
    assert found.max_abs == max(row.max_abs for row in comparisons)
    assert figures(worst([found, found])) == figures(found)


def figures(found: Comparison) -> tuple[object, ...]:
    """All that a record shows of a comparison."""
    return found.correct_at, found.published_at, found.max_abs, found.max_rel, found.scaled_error, found.fp64_ratio


def test_worst_is_the_worst_of_every_kind() -> None:
    fine = Comparison((Part(0, "float32", -6, -7),), -7, 0.1, 0.2, 0.01, 0.005)
    broken = Comparison((Part(0, "float32", None, -7),), -10, 0.05, 3.0, math.inf, None, non_finite=True)
    assert fine.correct_at == -6
    for rows in ([fine, broken], [broken, fine]):
        found = worst(rows)
        assert found.correct_at is None
        assert found.published_at == -7
        assert (found.max_abs, found.max_rel) == (0.1, 3.0)
        assert found.scaled_error == math.inf
        assert found.non_finite


# --- what must never pass ------------------------------------------------------------------------------------------


def _softmax(seed: int, classes: int) -> torch.Tensor:
    return torch.softmax(normal(seed, 2 if classes > 10_000 else 3, classes), dim=-1)


def _normalised(seed: int, classes: int) -> torch.Tensor:
    return torch.nn.functional.normalize(normal(seed, 2 if classes > 10_000 else 3, classes), dim=-1)


def _layer_norm(seed: int, classes: int) -> torch.Tensor:
    return torch.layer_norm(normal(seed, 2 if classes > 10_000 else 3, classes), (classes,))


def _tiny(seed: int, classes: int) -> torch.Tensor:
    return normal(seed, 2 if classes > 10_000 else 3, classes) * 1e-6


_GUESSES = {
    "zeros": torch.zeros_like,
    "ones": torch.ones_like,
    "mean": lambda t: torch.full_like(t, t.double().mean().item()),
    "row mean": lambda t: t.double().mean(-1, keepdim=True).expand_as(t).to(t.dtype).contiguous(),
    "median": lambda t: torch.full_like(t, t.double().median().item()),
    "negated": torch.neg,
    "shuffled": lambda t: t.flip(-1).contiguous(),
    "rolled": lambda t: t.roll(1, -1),
    "other row": lambda t: t.roll(1, 0),
}


@pytest.mark.parametrize("with_wide", [True, False], ids=["fp64", "eager only"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("make", [_softmax, _normalised, _layer_norm, _tiny], ids=lambda f: f.__name__[1:])
@pytest.mark.parametrize("classes", [10, 1000, 4096, 32768])
def test_no_guess_is_right_at_any_tolerance(make, classes: int, dtype: str, with_wide: bool) -> None:
    truth = make(3, classes)
    eager = truth.to(getattr(torch, dtype))
    if not eager.any():
        pytest.skip("the dtype cannot hold these outputs at all")
    names = _GUESSES if classes < 4096 else ("zeros", "mean", "row mean")
    for name in names:
        output = _GUESSES[name](eager)
        assert level(output, eager, truth if with_wide else None) is None, name


@given(_floats, _seeds, st.floats(-8, 2), st.integers(3, 400))
@settings(max_examples=80, deadline=None)
def test_zeros_are_never_right_where_outputs_vary(dtype: str, seed: int, exponent: float, count: int) -> None:
    truth = normal(seed, count) * 10.0**exponent
    eager = truth.to(getattr(torch, dtype))
    kind = torch.finfo(eager.dtype)
    assume(float(truth.std()) > 8 * kind.smallest_normal * kind.eps)  # float16 flushes the smallest to zero
    assert level(torch.zeros_like(eager), eager, truth) is None
    assert level(torch.zeros_like(eager), eager) is None


@pytest.mark.parametrize("rounding", [0.3, 0.6, 1.0])
def test_zeros_are_not_right_because_eager_itself_is_poor(rounding: float) -> None:
    """Cancellation in a narrow dtype: eager is far from float64, and a multiple of that would let anything through."""
    truth = normal(1, 500) * 1e-3
    eager = truth + rounding * truth.std() * normal(2, 500)
    eager32 = eager.to(torch.float32)
    assert level(torch.zeros_like(eager32), eager32, truth) is None
    assert level(eager32.clone(), eager32, truth) == T_MIN
    assert at(level(truth.to(torch.float32), eager32, truth)) <= STRICT_T


@pytest.mark.parametrize("rounding", [0.1, 0.5, 0.8, 1.2])
@pytest.mark.parametrize("hard", [False, True])
def test_where_outputs_hardly_vary_chance_decides_which_of_two_errors_is_larger(rounding: float, hard: bool) -> None:
    """Seen in float32 and bfloat16: RMS errors of 0.1153463 of eager's and 0.1153464 of a kernel's, in spreads."""
    criteria = replace(CRITERIA, hard=hard)
    error, more = rounding * normal(2, 500) / measures.rms(normal(2, 500)), 0.2 * rounding * normal(3, 500)
    truth = 1.0 + 2e-6 * normal(1, 500) / float(normal(1, 500).std(correction=0))
    eager, got, far = (truth + 2e-6 * each for each in (error, error + more, 1.4 * error))
    assert compare([got], [eager], [truth], criteria).parts[0].scale == T_MIN
    assert compare([far], [eager], [truth], criteria).parts[0].scale is None
    assert compare([torch.full_like(truth, 1.0)], [eager], [truth], criteria).parts[0].scale is None or rounding > 0.9
    assert compare([torch.zeros_like(truth)], [eager], [truth], criteria).parts[0].scale is None


def test_one_wrong_element_among_many_is_seen() -> None:
    eager = normal(5, 100_000, dtype="float32")
    output = eager.clone()
    output[77_777] += 0.01
    assert at(level(output, eager, eager.double())) > STRICT_T


def test_a_constant_output_must_be_that_constant() -> None:
    eager = torch.full((8,), 1e-7)
    assert level(torch.zeros_like(eager), eager) is None
    assert level(eager * 1.5, eager) is None
    assert level(eager.clone(), eager) == T_MIN
    zeros = torch.zeros(8)
    assert level(zeros + 1e-12, zeros) is None
    assert level(zeros.clone(), zeros) == T_MIN


# --- what must pass ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("seed", range(5))
def test_nearer_to_the_truth_than_eager_is_right(dtype: str, seed: int) -> None:
    """Eager rounds after every op of a chain; a fused kernel that rounds once differs from it and is better."""
    kind = getattr(torch, dtype)
    x, y = normal(seed, 64, 64).to(kind), normal(seed + 100, 64, 64).to(kind)
    eager, truth = x, x.double()
    for _ in range(6):
        eager = torch.tanh(eager * y + x) * y
        truth = torch.tanh(truth * y.double() + x.double()) * y.double()
    fused = truth.to(kind)
    found = compare([fused], [eager], [truth], CRITERIA)
    assert not torch.equal(fused, eager)
    assert found.published_at is None or found.published_at > STRICT_T, "eager alone would call the better one wrong"
    assert found.strict
    assert found.fp64_ratio is not None
    assert found.fp64_ratio < 1.0


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_another_order_of_summation_is_right(dtype: str) -> None:
    kind = getattr(torch, dtype)
    x, w = normal(1, 32, 256).to(kind), normal(2, 256, 48).to(kind)
    eager, truth = x @ w, x.double() @ w.double()
    output = ((x[:, :128].float() @ w[:128].float()) + (x[:, 128:].float() @ w[128:].float())).to(kind)
    assert compare([output], [eager], [truth], CRITERIA).strict


def chains(dtype: str, seed: int, rows: int = 64) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Eager, another order of the same operators with as many roundings, and the truth."""
    kind = getattr(torch, dtype)
    x, y, z = (normal(seed + place, rows, 64).to(kind) for place in (0, 100, 200))
    eager, other, truth = x, x, x.double()
    for _ in range(4):
        eager = torch.tanh((eager * y) * z + x) + z
        other = torch.tanh((other * z) * y + x) + z
        truth = torch.tanh((truth * y.double()) * z.double() + x.double()) + z.double()
    return eager, other, truth


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rows", [64, 2048])
def test_as_near_to_the_truth_as_eager_is_right(dtype: str, seed: int, rows: int) -> None:
    eager, other, truth = chains(dtype, seed, rows)
    found = compare([other], [eager], [truth], CRITERIA)
    assert found.published_at is None or found.published_at > STRICT_T
    assert found.strict and found.correct_at == STRICT_T
    assert compare_farthest([other], [eager], [truth], CRITERIA).strict


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("rows", [64, 2048])
def test_farther_from_the_truth_than_eager_is_not(dtype: str, rows: int) -> None:
    eager, other, truth = chains(dtype, 3, rows)
    noisier = (truth + 2.0 * (other.double() - truth)).to(eager.dtype)
    assert not compare([noisier], [eager], [truth], CRITERIA).strict
    stale = other.clone()
    stale[5, 5] += 0.2 * float(truth.std())
    assert not compare([stale], [eager], [truth], CRITERIA).strict
    assert rows * 64 <= SAMPLE or not compare_farthest([stale], [eager], [truth], CRITERIA).strict


def calls(seed: int, number: int, noise: float = 1.0) -> list[Comparison]:
    """So many calls with 16 outputs, whose errors are as large as eager's, or `noise` times as large, and others."""
    found = []
    for call in range(number):
        truth, error, own = (normal(3 * (number * seed + call) + place, 16) for place in range(3))
        eager, output = truth + 1e-3 * error, truth + noise * 1e-3 * own
        found.append(compare([output.float()], [eager.float()], [truth], CRITERIA))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_chance_in_single_calls_makes_nothing_wrong(seed: int) -> None:
    found = calls(seed, 60)
    assert not all(row.strict for row in found), "alone some of these calls look wrong"
    assert worst(found).strict
    assert worst([worst(found[:20]), worst(found[20:])]).strict


@pytest.mark.parametrize("seed", range(4))
def test_what_is_farther_off_on_the_whole_is_wrong(seed: int) -> None:
    assert not worst(calls(seed, 60, noise=1.6)).strict
    assert not worst(calls(seed, 40) + calls(seed + 500, 20, noise=2.5)).strict


def test_the_calls_around_it_excuse_no_stale_element_and_no_other_output() -> None:
    eager, other, truth = chains("bfloat16", 3, rows=8)
    stale = other.clone()
    stale[2, 3] += 0.2 * float(truth.std())
    right = [compare([other, other], [eager, eager], [truth, truth], CRITERIA) for _ in range(100)]
    assert worst(right).strict
    for outputs in ([stale, other], [other, stale]):
        assert not worst([*right, compare(outputs, [eager, eager], [truth, truth], CRITERIA)]).strict
    noisy = (truth + 2.0 * (other.double() - truth)).to(eager.dtype)
    half = [compare([other, noisy], [eager, eager], [truth, truth], CRITERIA) for _ in range(100)]
    assert not worst(half).strict


def test_right_numbers_excuse_no_wrong_integers_beside_them() -> None:
    eager, other, truth = chains("bfloat16", 3)
    chosen = eager.argmax(-1)
    wrong = chosen.clone()
    wrong[3] += 1
    right = compare([other, chosen], [eager, chosen], [truth, chosen], CRITERIA)
    found = compare([other, wrong], [eager, chosen], [truth, chosen], CRITERIA)
    assert right.strict
    for comparison in (found, worst([found]), worst([worst([found])]), worst([right, found]), worst([found, right])):
        assert comparison.correct_at is None
    not_finite = other.clone()
    not_finite[1, 1] = math.nan
    assert worst([right, compare([not_finite], [eager], [truth], CRITERIA)]).correct_at is None


@given(_floats, _seeds, st.integers(1, 300), st.integers(1, 12), st.floats(0.0, 0.1), st.floats(0.76, 1e3))
@settings(max_examples=120, deadline=None)
def test_no_number_of_right_calls_excuses_one_far_element(
    dtype: str, seed: int, count: int, number: int, noise: float, far: float
) -> None:
    kind, rows = getattr(torch, dtype), []
    for call in range(number):
        truth = normal(seed + 3 * call, count)
        eager, output = ((truth + noise * normal(seed + 3 * call + place, count)).to(kind) for place in (1, 2))
        if call == number // 2:
            output[0] = truth[0] + far * (truth.std(correction=0) + truth[0].abs() + noise)
        rows.append(compare([output], [eager], [truth], CRITERIA))
    assert not worst(rows).strict


@pytest.mark.parametrize("dtype", FLOATS)
def test_one_stale_element_among_zeros_is_found_beside_any_number_of_right_calls(dtype: str) -> None:
    zeros = torch.zeros(2 * SAMPLE, dtype=getattr(torch, dtype))
    stale = zeros.clone()
    stale[9] = 0.5
    eager, other, truth = chains("bfloat16", 3)
    right = [compare([other], [eager], [truth], CRITERIA), compare([zeros], [zeros], [zeros.double()], CRITERIA)]
    found = compare_farthest([stale], [zeros], [zeros.double()], CRITERIA)
    for rows in ([found], [*right, found], [found, *right]):
        assert not worst(rows).strict


def test_calls_in_which_eager_is_poor_excuse_none_in_which_it_is_not() -> None:
    good_eager, good_other, good_truth = chains("bfloat16", 3)
    sloppy = (good_truth + 2.5 * (good_other.double() - good_truth)).to(good_eager.dtype)
    poor_eager = good_truth + 8.0 * (good_eager.double() - good_truth)
    poor_other = good_truth + 8.0 * (good_other.double() - good_truth)
    poor = compare([poor_other], [poor_eager], [good_truth], CRITERIA)
    rows = [compare([sloppy], [good_eager], [good_truth], CRITERIA), poor]
    assert rows[1].scaled_error > 3 * rows[0].scaled_error
    assert not worst(rows).strict


def test_calls_on_the_graphs_shapes_excuse_none_on_unseen_ones() -> None:
    job = cast(Job, SimpleNamespace(passes=None))
    trial = GraphTrial(job=job, seed=0, rng=Random(0), comparisons=calls(1, 100), elsewhere=calls(2, 4, noise=2.5))
    trial.unseen = Unseen(shapes=(), answer="wrong")
    assert worst([*trial.comparisons, *trial.elsewhere]).strict, "together they would be right"
    assert trial.judged(None).outcome is Outcome.ACCURACY
    assert trial.correct_at is not None and trial.correct_at > STRICT_T
    trial.elsewhere = calls(3, 40)
    assert trial.judged(None).outcome is Outcome.CORRECT


def test_nearer_calls_excuse_only_so_many_others() -> None:
    eager, other, truth = chains("bfloat16", 3)
    sloppy = (truth + 2.5 * (other.double() - truth)).to(eager.dtype)
    exact = compare([truth], [eager], [truth], CRITERIA)
    wrong = compare([sloppy], [eager], [truth], CRITERIA)
    assert not worst([exact, wrong]).strict


@pytest.mark.parametrize("rows", [64, 2048])
def test_of_values_far_beyond_the_spread_the_error_may_be_in_proportion(rows: int) -> None:
    """A product rounded before the sum, or after it: of the largest values eager misses a tenth of the spread."""
    x, y, z = (normal(seed, rows, 64).bfloat16() for seed in (1, 2, 3))
    x[5::61, 5::61] *= 512.0
    eager, truth = (x * y) * z + x, (x.double() * y.double()) * z.double() + x.double()
    other = (x * z) * y + x
    spread = float(truth.std())
    assert float((eager.double() - truth).abs().max()) > 0.1 * spread
    found = compare([other], [eager], [truth], CRITERIA)
    assert found.published_at is None or found.published_at > STRICT_T
    assert found.strict and compare_farthest([other], [eager], [truth], CRITERIA).strict
    small = (truth.abs() < 0.1 * spread).nonzero()[0].tolist()
    other[tuple(small)] += 0.15 * spread
    assert not compare([other], [eager], [truth], CRITERIA).strict
    assert rows * 64 <= SAMPLE or not compare_farthest([other], [eager], [truth], CRITERIA).strict


@pytest.mark.parametrize(("dtype", "largest"), [("float64", 1e300), ("float32", 3e38), ("float16", 6e4)])
def test_one_stale_element_beside_the_largest_that_there_are_is_found(dtype: str, largest: float) -> None:
    eager = normal(1, 300, 200).to(getattr(torch, dtype))
    eager[0] = largest
    stale = eager.clone()
    stale[7, 9] += 0.5
    assert compare_farthest([eager], [eager], None, CRITERIA).strict
    assert not compare_farthest([stale], [eager], None, CRITERIA).strict


@pytest.mark.parametrize(("dtype", "noise", "right"), [("float16", 0.06, False), ("bfloat16", 0.06, True),
                                                       ("bfloat16", 0.2, False)])  # fmt: skip
def test_as_far_as_an_eager_that_is_itself_far_is_wrong(dtype: str, noise: float, right: bool) -> None:
    """With three digits a chain of operators errs by several parts in a hundred, with four it should not."""
    truth = normal(1, 4096)
    eager, other = ((truth + noise * normal(seed, 4096)).to(getattr(torch, dtype)) for seed in (2, 3))
    assert compare([other], [eager], [truth], CRITERIA).strict == right
    farther = (truth + 1.4 * noise * normal(3, 4096)).to(eager.dtype)
    assert not compare([farther], [eager], [truth], CRITERIA).strict
    stale = other.clone()
    stale[:40] = other[40:80]
    assert not compare([stale], [eager], [truth], CRITERIA).strict


@pytest.mark.parametrize(("dtype", "masked"), [("float16", -65504.0), ("float16", -1e4), ("bfloat16", -1e4),
                                               ("float32", -1e4), ("float32", -3.4028234663852886e38)])  # fmt: skip
@pytest.mark.parametrize("rows", [40, 400])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_beside_a_finite_mask_the_other_elements_still_count(
    dtype: str, masked: float, rows: int, share: float
) -> None:
    kind = getattr(torch, dtype)
    scores, hidden = normal(1, rows, 128).to(kind), torch.rand(rows, 128) < share
    mask = torch.where(hidden, masked, 0.0).to(kind)
    eager, truth = scores + mask, scores.double() + mask.double()
    whole = rows * 128 > SAMPLE
    for output, right in ((eager.clone(), True), (truth.clamp(torch.finfo(kind).min).to(kind), True)):
        assert compare([output], [eager], [truth], CRITERIA).strict == right
        assert compare_farthest([output], [eager], [truth], CRITERIA).strict == right
    wrong = eager.clone()
    shown = (~hidden).nonzero()
    few = shown[:: max(1, len(shown) // 20)]
    wrong[few[:, 0], few[:, 1]] += 1.0
    wrong[hidden] = wrong[hidden] * (1 + 2 * torch.finfo(kind).eps)  # so that the farthest by their size are others
    assert not compare([wrong], [eager], [truth], CRITERIA).strict
    assert not whole or not compare_farthest([wrong], [eager], [truth], CRITERIA).strict


# --- special values ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("dtype", FLOATS)
def test_non_finite_where_eager_is_finite(dtype: str, bad: float) -> None:
    eager = normal(1, 20, dtype=dtype)
    output = eager.clone()
    output[3] = bad
    found = compare([output], [eager], None, CRITERIA)
    assert found.non_finite
    assert found.correct_at is None
    assert worst([compare([eager], [eager], None, CRITERIA), found]).non_finite


QUIRKS = (math.nan, math.inf, -math.inf)
_quirks = st.sampled_from(QUIRKS)
_anything = st.sampled_from([*QUIRKS, 0.0, -10.0, 7.5, 6e4, -6e4])


def with_value(value: float, dtype: str, count: int = 20) -> torch.Tensor:
    """Normal numbers with one value among them, at place 5."""
    tensor = normal(1, count).to(getattr(torch, dtype))
    tensor[5] = value
    return tensor


def equal(left: float, right: float) -> bool:
    return left == right or (math.isnan(left) and math.isnan(right))


@given(_floats, _quirks, _anything, st.sampled_from(["agrees", "none"]), st.sampled_from([20, SAMPLE + 1]))
@settings(max_examples=80, deadline=None)
def test_what_is_not_finite_is_due_where_eager_and_float64_agree_on_it(
    dtype: str, quirk: float, got: float, twin: str, count: int
) -> None:
    output, eager = with_value(got, dtype, count), with_value(quirk, dtype, count)
    truth = with_value(quirk, "float64", count) if twin == "agrees" else None
    right = equal(quirk, float(output[5]))
    for found in (
        compare([output], [eager], None if truth is None else [truth], CRITERIA),
        compare_farthest([output], [eager], None if truth is None else [truth], CRITERIA),
    ):
        if found.parts or count > SAMPLE:  # few elements are compared whole only
            assert found.correct_at == (T_MIN if right else None)
            assert found.published_at == (T_MIN if right else None)
            assert found.non_finite == (not right and not math.isfinite(got))


@given(_floats, _quirks, st.sampled_from([0.0, 3.0, -200.0]), _anything, st.sampled_from([20, SAMPLE + 1]))
@settings(max_examples=80, deadline=None)
def test_where_only_eager_is_not_finite_its_value_is_right_and_so_is_a_number_near_the_truth(
    dtype: str, quirk: float, true: float, got: float, count: int
) -> None:
    """Any number was right there: zeros wherever a square in half precision overflows on the way."""
    eager, truth = with_value(quirk, dtype, count), with_value(true, "float64", count)
    for value in (got, quirk, true, true + 50.0):
        right = value == true if math.isfinite(value) else equal(quirk, value) or math.isnan(quirk)
        output = with_value(value, dtype, count)
        for compared in (compare, compare_farthest) if count > SAMPLE else (compare,):
            assert compared([output], [eager], [truth], CRITERIA).correct_at == (T_MIN if right else None), value
    output = eager.clone()
    output[6] += 1.0
    assert at(compare([output], [eager], [truth], CRITERIA).correct_at) > STRICT_T, "the rest is still compared"


@given(_floats, st.sampled_from([math.inf, -math.inf, math.nan]), _anything)
@settings(max_examples=40, deadline=None)
def test_where_only_float64_is_not_finite_nothing_is_asked(dtype: str, true: float, got: float) -> None:
    eager, truth = with_value(1.0, dtype), with_value(true, "float64")
    assume(math.isfinite(got))
    assert compare([with_value(got, dtype)], [eager], [truth], CRITERIA).correct_at == T_MIN


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_where_the_truth_is_beyond_a_narrow_dtype_its_end_is_due(dtype: str, sign: float) -> None:
    largest = torch.finfo(getattr(torch, dtype)).max
    eager, small = with_value(sign * math.inf, dtype), with_value(sign * 0.1 * largest, dtype)
    for factor in (1.01, 2.0, 1e6, -2.0):
        truth = with_value(factor * sign * largest, "float64")
        assert level(eager.clone(), eager, truth) == T_MIN
        assert level(with_value(math.copysign(largest, factor * sign), dtype), eager, truth) == T_MIN
        assert level(small, eager, truth) is None
    saturated = with_value(sign * 0.99998 * largest, dtype)
    assert level(saturated, eager, with_value(1.2 * sign * largest, "float64")) == T_MIN, (
        "an exponential that saturates"
    )
    assert level(small, eager, with_value(sign * 0.1 * largest, "float64")) == T_MIN


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_near_the_end_of_the_range_eager_may_stay_finite_by_its_roundings(dtype: str, sign: float) -> None:
    """Seen in half precision: eager rounds squares before it adds them, and a kernel that does not is infinite."""
    largest = torch.finfo(getattr(torch, dtype)).max
    infinite = with_value(sign * math.inf, dtype)
    for factor, own, right in ((0.99, 0.97, True), (1.2, 1.0, True), (0.5, 0.49, False), (1.0, 1.0, False)):
        eager = with_value(own * sign * largest, dtype)
        truth = with_value(factor * sign * largest, "float64")
        assert (level(infinite, eager, truth) == T_MIN) == right, (factor, own)
        assert level(-infinite, eager, truth) is None
        assert level(with_value(math.nan, dtype), eager, truth) is None


@pytest.mark.parametrize("dtype", FLOATS)
def test_one_unmasked_place_among_many_is_found_wherever_it_is(dtype: str) -> None:
    """A pass that never reads its mask: an absolute error of infinity, which an infinite bound would allow."""
    scores = normal(1, 300, 200).to(getattr(torch, dtype))
    hidden = normal(2, 300, 200) > 1.0
    eager, truth = scores.masked_fill(hidden, -math.inf), scores.double().masked_fill(hidden, -math.inf)
    nearly = eager.clone()
    nearly[tuple(hidden.nonzero()[77].tolist())] = -1e4
    for wide in ([truth], None):
        for output in (scores, nearly):
            assert compare([output], [eager], wide, CRITERIA).correct_at is None
            assert compare_farthest([output], [eager], wide, CRITERIA).correct_at is None
        assert compare([eager.clone()], [eager], wide, CRITERIA).correct_at == T_MIN
        assert compare_farthest([eager.clone()], [eager], wide, CRITERIA).correct_at == T_MIN


def test_a_mask_and_nothing_else_is_compared_too() -> None:
    eager = torch.full((9,), -math.inf)
    found = compare([torch.full((9,), -1e30)], [eager], [eager.double()], CRITERIA)
    assert found.correct_at is None and not found.non_finite
    assert compare([eager.clone()], [eager], [eager.double()], CRITERIA).correct_at == T_MIN
    assert worst([found, compare([eager], [eager], None, CRITERIA)]).correct_at is None


def test_where_only_the_truth_is_not_finite_nothing_is_compared() -> None:
    eager, truth = normal(1, 4, dtype="float32"), normal(1, 4)
    truth[2] = math.inf
    output = eager.clone()
    output[2] = 99.0
    assert level(output, eager, truth) == T_MIN


def test_an_eighth_of_a_float_that_overflowed_is_equal_to_itself_alone() -> None:
    eager = torch.tensor([1.0, math.nan, 2.0]).to(torch.float8_e4m3fn)
    assert level(eager.clone(), eager) == T_MIN
    assert level(torch.tensor([1.0, 448.0, 2.0]).to(torch.float8_e4m3fn), eager) is None
    whole = torch.tensor([2**53 + 1])
    assert level(whole - 1, whole) is None


HARDER = Criteria(4.0, 0.1, hard=True)


@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
def test_only_bfloat16_has_room_for_ties_and_zeros_do_not_fit_in(dtype: str, coarse: bool) -> None:
    """The truth gives all to one of 64. Eager gives a part to another one, and the output more."""
    criteria = replace(HARDER, coarse=coarse)
    truth = torch.eye(64, dtype=torch.float64)
    eager, got = truth.clone(), truth.clone()
    eager[:48], got[:48] = 0.5 * (truth + truth.roll(1, 1))[:48], truth.roll(1, 1)[:48] * 0.65 + 0.35 * truth[:48]
    kind = getattr(torch, dtype)
    found = compare([got.to(kind)], [eager.to(kind)], [truth], criteria)
    assert (found.parts[0].scale is not None) == (coarse or dtype == "bfloat16")
    assert found.strict == (coarse or dtype == "bfloat16")
    nothing = compare([torch.zeros(64, 64, dtype=kind)], [eager.to(kind)], [truth], criteria)
    assert nothing.parts[0].scale is None


def test_where_a_mask_swallows_a_number_the_last_digit_of_an_error_decides_nothing() -> None:
    """Seen in float32: what is added to -1e10 is lost. Eager's RMS error was 159 spreads, a kernel's a hair more."""
    bias = normal(1, 400) + 300.0
    truth = bias - 1e10
    eager = truth.float()
    nearly = eager.clone()
    nearly[7] -= 1024.0
    spread = float(truth.std())
    assert (
        measures.scaled_error(nearly.double() - truth, spread)
        > measures.scaled_error(eager.double() - truth, spread)
        > 2
    )
    assert compare([nearly], [eager], [truth], CRITERIA).strict
    assert compare([eager.clone()], [eager], [truth], CRITERIA).strict
    assert not compare([0.99 * eager], [eager], [truth], CRITERIA).strict
    assert not compare([bias.float()], [eager], [truth], CRITERIA).strict


def test_a_truth_value_is_eagers_or_that_of_float64() -> None:
    """Seen in half precision: whether a sigmoid is below 0.5 is a matter of eager's roundings."""
    eager, true = torch.tensor([0, 1, 1, 0, 0]).bool(), torch.tensor([1, 1, 1, 0, 1]).bool()
    mixed, wrong = torch.tensor([1, 1, 1, 0, 0]).bool(), torch.tensor([1, 1, 0, 0, 0]).bool()
    assert compare([mixed], [eager], [true], CRITERIA).strict
    assert compare([mixed], [eager], [true], CRITERIA).published_at is None
    assert not compare([wrong], [eager], [true], CRITERIA).strict
    assert not compare([mixed], [eager], None, CRITERIA).strict
    assert not compare([mixed.long()], [eager.long()], [true.long()], CRITERIA).strict, "integers are eager's"


@pytest.mark.parametrize("count", [4, 1 << 15])
@pytest.mark.parametrize("byte", [2, 255])
def test_a_truth_value_is_a_byte_of_0_or_1_where_eagers_is(byte: int, count: int) -> None:
    eager = torch.tensor([0, 1]).bool().repeat(count)
    odd = (eager.byte() * byte).view(torch.bool)
    said = f"output 0 on usual draws: {count} truth values are bytes other than 0 and 1, one is {byte}"
    found = compare([odd], [eager], [eager], CRITERIA)
    assert found.correct_at is None and objection(found) == said
    large = compare_farthest([odd], [eager], [eager], CRITERIA)
    assert large.strict == (eager.numel() <= SAMPLE), "smaller ones are compared whole"
    assert compare([odd], [odd], None, CRITERIA).strict, "eager's own bytes are others"
    assert compare([eager], [odd], None, CRITERIA).strict


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_an_exponential_may_saturate_on_hard_draws_and_nothing_else_may(dtype: str) -> None:
    largest = torch.finfo(getattr(torch, dtype)).max
    eager, truth = with_value(math.inf, dtype), with_value(math.inf, "float64")
    for value, right in ((math.inf, True), (0.9 * largest, True), (-largest, False), (1e3, False), (math.nan, False)):
        output = with_value(value, dtype)
        assert (compare([output], [eager], [truth], HARDER).correct_at == T_MIN) == right
        assert (level(output, eager, truth) == T_MIN) == (value == math.inf)


@pytest.mark.parametrize("compared", [compare, compare_farthest])
@pytest.mark.parametrize("criteria", [CRITERIA, HARDER])
def test_where_eager_overflows_in_many_elements_a_few_more_are_chance(
    compared: Callable[..., Comparison], criteria: Criteria
) -> None:
    """Seen in float16: a norm over rows whose sums eager rounds to the largest number, and a kernel to infinity."""
    truth = normal(5, 2 * SAMPLE)
    eager = truth.half()
    eager[:SAMPLE] = math.nan
    output = eager.clone()
    output[SAMPLE : SAMPLE + SAMPLE // 200] = math.nan
    assert compared([output], [eager], [truth], criteria).strict
    assert not compared([output], [truth.half()], [truth], criteria).strict, "eager overflows nowhere"
    output[SAMPLE : SAMPLE + SAMPLE // 50] = math.nan
    assert not compared([output], [eager], [truth], criteria).strict, "these are not a few"
    output = eager.clone()
    output[SAMPLE + 7] = 100.0
    assert not compared([output], [eager], [truth], criteria).strict, "a wrong number is wrong"


def test_infinities_beside_complex_numbers_are_compared_by_both_parts() -> None:
    """Seen on a GPU: the sign of a complex number was asked for, and the graph had no verdict."""
    eager = torch.complex(normal(1, 2 * SAMPLE), normal(2, 2 * SAMPLE)).to(torch.complex64)
    eager[5] = complex(math.inf, 0.0)
    output = eager.clone()
    truth = eager.to(torch.complex128)
    assert compare_farthest([output], [eager], [truth], CRITERIA).strict
    output[7] = complex(0.0, math.inf)
    assert compare_farthest([output], [eager], [truth], CRITERIA).non_finite
    output[7] = eager[7] + 100j
    assert not compare_farthest([output], [eager], [truth], CRITERIA).strict


@given(_seeds, st.floats(1.0, 1e3), st.floats(0.0, 3.0))
@settings(max_examples=60, deadline=None)
def test_a_hard_draw_asks_for_what_holds_in_units_of_the_spread(seed: int, size: float, noise: float) -> None:
    """What is rounded as float32 rounds passes at every size; an error of a thousandth of the spread never does."""
    truth = normal(seed, 300) * size
    eager = truth.float()
    near = (truth + noise * 1e-7 * size * normal(seed + 1, 300)).float()
    far = (truth + 5e-3 * float(truth.std()) * normal(seed + 2, 300)).float()
    assert compare([near], [eager], [truth], HARDER).strict
    assert not compare([far], [eager], [truth], HARDER).strict


@pytest.mark.parametrize(
    "masks", [(-3.4028234663852886e38,), (-1e9,), (-10000.0, -20000.0), (-3.4028234663852886e38, -1e9)]
)
def test_a_mask_hides_nothing_beside_it_on_a_hard_draw(masks: tuple[float, ...]) -> None:
    """In units of a mask's size all else is nothing, so a result could be anything there."""
    truth = normal(5, 64, 64) * 30.0
    for number, mask in enumerate(masks):
        truth[:, number::8] = mask
    eager = truth.float()
    right = torch.where(eager.abs() > 5000.0, eager, eager * (1 + 1e-6 * normal(6, 64, 64).float()))
    wrong = torch.where(eager.abs() > 5000.0, eager, eager + 3.0 * normal(7, 64, 64).float())
    filled = torch.where(eager.abs() > 5000.0, eager * 0.5, eager)
    assert compare([right], [eager], [truth], HARDER).strict
    assert not compare([wrong], [eager], [truth], HARDER).strict
    assert not compare([filled], [eager], [truth], HARDER).strict


def test_probabilities_near_one_are_no_mask() -> None:
    logits = normal(5, 64, 64) * 300.0
    truth = logits.softmax(-1)
    groups = [group for group, _ in measures.groups(truth.abs(), hard=True)]
    assert groups == [measures.HARD_GROUP]


def test_calls_on_hard_draws_excuse_no_others() -> None:
    eager, other, truth = chains("bfloat16", 3)
    noisier = (truth + 2.0 * (other.double() - truth)).to(eager.dtype)
    wrong = compare([noisier], [eager], [truth], CRITERIA)
    right = [compare([eager.clone()], [eager], [truth], HARDER) for _ in range(50)]
    assert worst(right).strict
    assert not worst([*right, wrong]).strict


@pytest.mark.parametrize("dtype", COMPLEX)
def test_complex_outputs_are_judged_by_both_parts(dtype: str) -> None:
    kind = getattr(torch, dtype)
    eager = torch.complex(normal(1, 30), normal(2, 30)).to(kind)
    real_only = torch.complex(normal(1, 30), torch.zeros(30, dtype=torch.float64)).to(kind)
    assert level(eager.clone(), eager) == T_MIN
    assert level(real_only, eager) is None
    near = (eager.to(torch.complex128) + 1e-3j).to(kind)
    assert STRICT_T < at(level(near, eager)) < math.inf or dtype == "complex32"
    nan = eager.clone()
    nan[0] = complex(0.0, math.nan)
    assert compare([nan], [eager], None, CRITERIA).non_finite
    half = eager.clone()
    half[0] = complex(-math.inf, 1.0)
    assert level(half.clone(), half) == T_MIN
    assert level(eager.clone(), half) is None


@pytest.mark.parametrize("dtype", EXACT)
def test_exact_dtypes_are_equal_or_wrong(dtype: str) -> None:
    kind = getattr(torch, dtype)
    eager = torch.tensor([0, 1, 1, 0, 1]).to(kind)
    other = torch.tensor([0, 1, 0, 0, 1]).to(kind)
    assert level(eager.clone(), eager) == T_MIN
    found = compare([other], [eager], None, CRITERIA)
    assert found.correct_at is None
    assert found.max_abs == 1.0
    assert not found.non_finite


def test_several_outputs_are_as_good_as_the_worst() -> None:
    float_out, int_out = normal(1, 10, dtype="float32"), torch.arange(5)
    assert compare([float_out, int_out], [float_out, int_out], [float_out.double(), int_out], CRITERIA).strict
    wrong = compare([float_out, int_out + 1], [float_out, int_out], [float_out.double(), int_out], CRITERIA)
    assert wrong.correct_at is None
    with pytest.raises(ValueError, match="argument"):
        compare([float_out], [float_out, int_out], None, CRITERIA)


def test_the_last_level_is_reached() -> None:
    """Very large values, a relative error just inside the last published level but outside of the data's scale."""
    eager = torch.tensor([1.0, 2.0, 3.0, 4.0])
    found = compare([eager * 1.5], [eager], None, CRITERIA)
    assert found.published_at is not None
    assert found.published_at <= T_MAX
    assert found.correct_at is None


def test_an_infinity_is_right_where_float64_rounds_to_it_and_eager_came_out_below() -> None:
    eager, got = torch.full((8,), 65504.0).half(), torch.full((8,), torch.inf).half()
    near, below = (torch.full((8,), value, dtype=torch.float64) for value in (65529.0, 43000.0))
    assert not compare([got], [eager], [near], Criteria(4.0, 0.1)).non_finite
    assert compare([got], [eager], [below], Criteria(4.0, 0.1)).non_finite
    assert compare([-got], [eager], [near], Criteria(4.0, 0.1)).non_finite
    assert compare([got], [eager], None, Criteria(4.0, 0.1)).non_finite


@given(st.integers(1, 40_000), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_the_largest_are_those_of_a_whole_search(count: int, seed: int) -> None:
    values = torch.rand(count, generator=torch.Generator().manual_seed(seed))
    found = largest(values[None], 64)[0]
    assert torch.equal(values[found].sort().values, values.topk(min(64, count)).values.sort().values)
    assert found.unique().numel() == found.numel()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64])
@pytest.mark.parametrize("odd", [math.inf, -math.inf, math.nan])
def test_what_is_called_finite_is_finite(dtype: torch.dtype, odd: float) -> None:
    values = torch.full([1000], 60_000.0).to(dtype)
    assert finite(values), "a sum in half precision would overflow"
    values[7] = odd
    assert not finite(values)
    values[8] = -odd
    assert not finite(values)


@given(_seeds, st.floats(-8, 8), st.sampled_from([0.0, 1e-4, 0.05, 0.9, 1.0]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_look_at_some_elements_changes_no_group(seed: int, far: float, share: float, hard: bool) -> None:
    """The looked at ones may be large or small beside all others."""
    size = normal(seed, 1 << 16).abs()
    size[torch.rand(len(size), generator=torch.Generator().manual_seed(seed)) < share] *= 10.0**far
    size[: 1 << (seed % 17)] *= 10.0 ** (seed % 5 - 2)
    found = measures.groups(size, hard=hard)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measures, "_MANY", math.inf)
        whole = measures.groups(size, hard=hard)
    assert [name for name, _ in found] == [name for name, _ in whole]
    assert all(torch.equal(size[of], size[other]) for (_, of), (_, other) in zip(found, whole, strict=True))


def test_an_error_that_is_no_number_is_within_no_tolerance() -> None:
    error, size = torch.tensor([0.0, math.nan], dtype=torch.float64), torch.ones(2, dtype=torch.float64)
    assert measures.first_level(error, size, "float32") is None
    assert measures.first_level(torch.zeros(2, dtype=torch.float64), size, "float32") == T_MIN


def test_the_sample_of_a_large_output_is_looked_at_on_the_host() -> None:
    assert SAMPLE <= on_host.MOST


@pytest.mark.parametrize(
    ("dtype", "steps", "right"), [("float32", 2, True), ("float32", 16, False), ("bfloat16", 2, False)]
)
def test_a_few_steps_of_the_dtype_are_right_where_outputs_hardly_differ(dtype: str, steps: int, right: bool) -> None:
    """Sums with one far number in all of them. A narrow dtype is rounded to once, so there eager tells what is due."""
    kind = getattr(torch, dtype)
    size = 5.6e5
    truth = size + normal(1, 4096) * size * torch.finfo(kind).eps * 8
    eager = truth.to(kind)
    output = (truth + steps * size * torch.finfo(kind).eps * normal(2, 4096).sign()).to(kind)
    assert compare([output], [eager], [truth], HARDER).strict == right
    assert not compare([output], [eager], [truth], CRITERIA).strict
