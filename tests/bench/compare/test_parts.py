"""Small parts of an output: wrong ones are seen beside large parts, and honest rounding is accepted in all of them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
import torch
from torch.nn import functional as F

from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.comparison import Comparison, Criteria
from passnet.bench.compare.errors import compare
from passnet.bench.compare.neighbours import errors_near
from passnet.bench.compare.objections import objection
from passnet.bench.compare.parts import compare_parts, slices_of

USUAL, HARD = Criteria(4.0, 0.1), Criteria(4.0, 0.1, hard=True)
NARROW = (torch.float16, torch.bfloat16)
FLOATS = (torch.float32, *NARROW)
Place = Callable[[torch.Tensor], torch.Tensor]
# Where the small part of an output of 96 rows and 64 columns is, as a view.
PLACES: dict[str, Place] = {
    "columns": lambda out: out[:, 20:],
    "one column": lambda out: out[:, 7:8],
    "even columns": lambda out: out[:, ::2],
    "every third column": lambda out: out[:, 1::3],
    "rows": lambda out: out[:50],
    "odd rows": lambda out: out[1::2],
    "channels": lambda out: out.view(4, 8, 3, 64)[:, ::2],
    "short rows": lambda out: out.view(2048, 3)[:, 2],
    "pairs": lambda out: out.view(2, 1536, 2)[1],
    "flat halves": lambda out: out.view(-1)[3072:],
    "flat, every second": lambda out: out.view(-1)[::2],
    "flat, every third": lambda out: out.view(-1)[::3],
}
SHAPES = {
    "channels": (4, 8, 3, 64),
    "short rows": (2048, 3),
    "pairs": (2, 1536, 2),
    "flat halves": (6144,),
    "flat, every second": (6144,),
    "flat, every third": (6144,),
}


def outputs(place: str, ratio: float, seed: int, form: Place = torch.tanh) -> torch.Tensor:
    """A truth of large numbers with a part that is a function of normal ones."""
    generator = torch.Generator().manual_seed(seed)
    truth = ratio * torch.randn(96, 64, generator=generator, dtype=torch.float64)
    part = PLACES[place](truth)
    part.copy_(form(torch.randn(part.shape, generator=generator, dtype=torch.float64)))
    return truth.reshape(SHAPES.get(place, (96, 64)))


@pytest.mark.parametrize("criteria", [USUAL, HARD], ids=["usual", "hard"])
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("place", PLACES)
def test_a_wrong_small_part_is_seen_beside_a_large_part(place: str, dtype: torch.dtype, criteria: Criteria) -> None:
    for seed in range(3):
        truth, wrong = (outputs(place, 1e3, seed, form) for form in (torch.tanh, lambda x: x.clamp(-1, 1)))
        eager = truth.to(dtype)
        assert compare([eager], [eager], [truth], criteria).strict
        found = compare([wrong.to(dtype)], [eager], [truth], criteria)
        assert not found.strict
        assert "small part" in objection(found) or dtype is torch.float32


def test_what_is_next_to_nothing_on_a_hard_draw_says_nothing() -> None:
    truth = torch.rand(64, 64, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    for size, right in ((1e-35, True), (1e-60, True), (1e-9, False)):
        truth[:, 7] = size * (1 + torch.arange(64) / 64)
        got = truth.float()
        got[:, 7] *= 1.05
        assert compare([got], [truth.float()], [truth], HARD).strict is right


@pytest.mark.parametrize("dtype", NARROW, ids=str)
def test_the_whole_alone_does_not_tell(dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passnet.bench.compare.errors.compare_parts", lambda *_: Comparison())
    truth, wrong = (outputs("columns", 1e3, 0, form) for form in (torch.tanh, lambda x: x.clamp(-1, 1)))
    large = truth.to(dtype)
    wrong[:, :20] = large[:, :20].double()
    assert compare([wrong.to(dtype)], [large], [truth], USUAL).strict


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_a_part_that_is_wrong_in_few_elements_is_seen(dtype: torch.dtype) -> None:
    truth = outputs("columns", 1e3, 0)
    output = truth.to(dtype)
    output[:4, 30] += 0.5
    assert not compare([output], [truth.to(dtype)], [truth], USUAL).strict


@pytest.mark.parametrize("criteria", [USUAL, HARD], ids=["usual", "hard"])
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("place", PLACES)
def test_honest_rounding_is_accepted_with_a_margin(place: str, dtype: torch.dtype, criteria: Criteria) -> None:
    """Eager rounds at every step, and the other form only at its end, or each at its own steps."""
    for seed in range(12):
        generator = torch.Generator().manual_seed(seed)
        x, y = (outputs(place, ratio, seed + 100).to(dtype) for ratio in (1e2, 3e2))
        b = torch.randn(x.shape, generator=generator).to(dtype)

        def form(x: torch.Tensor, y: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.gelu(x * 0.7 + y * b) * 1.3 - x

        def other(x: torch.Tensor, y: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
            s = torch.addcmul(x * 0.7, y, b)
            return 1.3 * (0.5 * s * (1.0 + torch.erf(s * 0.70710678))) - x

        eager, truth = form(x, y, b), form(x.double(), y.double(), b.double())
        for output in (other(x.float(), y.float(), b.float()).to(dtype), other(x, y, b)):
            found = compare_parts(0, output, eager, truth, None, criteria)
            assert not found.parts, objection(found)
            twice = truth + 2.0 * (output.double() - truth)
            assert not compare_parts(0, twice, eager, truth, None, criteria).parts


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("dim", [0, 1])
def test_parts_of_several_scales_are_judged_each(dtype: torch.dtype, dim: int) -> None:
    scales = (1e4, 3e2, 1e1, 1e-1)
    for seed in range(20):
        generator = torch.Generator().manual_seed(seed)
        each = [scale * torch.randn(64, 64, generator=generator, dtype=torch.float64) for scale in scales]
        truth = torch.cat(each, dim)
        other = truth * (1.0 + 0.1 * torch.finfo(dtype).eps * torch.randn(truth.shape, generator=generator))
        assert compare([other.to(dtype)], [truth.to(dtype)], [truth], USUAL).strict
        for wrong in range(1, 4):
            parts = [part * 1.2 if place == wrong else part for place, part in enumerate(each)]
            assert not compare([torch.cat(parts, dim).to(dtype)], [truth.to(dtype)], [truth], USUAL).strict


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_what_a_sum_almost_cancels_says_nothing(dtype: torch.dtype) -> None:
    """Eager is far off in such columns for their size."""
    for seed in range(20):
        generator = torch.Generator().manual_seed(seed)
        x, y = (100 * torch.randn(128, 64, generator=generator, dtype=torch.float64) for _ in range(2))
        y[:, :20] = -x[:, :20] + 1e-3 * torch.randn(128, 20, generator=generator)
        eager = x.to(dtype) * 0.3 + y.to(dtype) * 0.3
        truth = x.to(dtype).double() * 0.3 + y.to(dtype).double() * 0.3
        output = ((x.to(dtype).float() + y.to(dtype).float()) * 0.3).to(dtype)
        assert not compare_parts(0, output, eager, truth, None, USUAL).parts


def test_zeros_may_hold_what_a_cancelled_sum_leaves_and_no_more() -> None:
    truth = torch.randn(64, 64, generator=torch.Generator().manual_seed(0), dtype=torch.float64) * 100
    truth[:, :20] = 0.0
    eager = truth.float()
    left, wrong = eager.clone(), eager.clone()
    left[:, :20] = 1e-4
    wrong[:, :20] = 0.1
    assert not compare_parts(0, left, eager, truth, None, USUAL).parts
    assert compare_parts(0, wrong, eager, truth, None, USUAL).parts


@pytest.mark.parametrize("shape", [(), (1,), (40,), (3, 5), (2, 0, 3), (64, 64), (7, 4096), (31, 2, 2), (100, 3)])
def test_a_slice_has_elements_enough_and_outputs_of_one_size_have_no_parts(shape: tuple[int, ...]) -> None:
    truth = torch.randn(shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    if truth.numel():
        assert all(each.outer * each.inner >= 16 for each in slices_of(shape) if each.count > 1)
    assert not compare_parts(0, truth.float() * 2, truth.float(), truth, None, USUAL).parts


def test_without_float64_nobody_knows_what_eager_rounds_in_a_part() -> None:
    truth, wrong = (outputs("columns", 1e3, 0, form) for form in (torch.tanh, lambda x: x.clamp(-1, 1)))
    assert not compare_parts(0, wrong.half(), truth.half(), None, None, USUAL).parts


def test_a_part_whose_size_is_that_of_few_elements_says_nothing() -> None:
    """By chance eager rounds these well."""
    truth = torch.randn(512, 64, generator=torch.Generator().manual_seed(2), dtype=torch.float64) * 1e3
    truth[:, :8] *= 1e-9
    truth[5, 3] = 1.0
    output = truth.clone()
    output[5, 3] = 1.002
    assert not compare_parts(0, output.half(), truth.half(), truth, None, HARD).parts


@pytest.mark.parametrize("seed", range(3))
def test_tails_of_numbers_that_cancel_are_no_parts(seed: int) -> None:
    """Of a `gelu` far below zero eager leaves a rounding of larger numbers. Others know its `erf` to six digits."""
    x = torch.randn(64, 256, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) / 8
    x[::2] -= 4.5
    truth, eager = F.gelu(x), F.gelu(x.float())
    digits = (torch.erf(x.float() * 0.70710678) * 1e6).round() / 1e6
    output = 0.5 * x.float() * (1.0 + digits)
    for criteria in (USUAL, HARD):
        assert not compare_parts(0, output, eager, truth, None, criteria).parts


def test_eager_may_be_lucky_in_a_part() -> None:
    truth = outputs("columns", 1e3, 3)
    eager, output, others = (truth.clone() for _ in range(3))
    for values, off in ((eager, 3e-6), (output, 1e-4), (others, 1e-4)):
        values[:, 20:] += off
    eager, output, others = (values.float() for values in (eager, output, others))
    near = Errors(neighbours=((others, truth),))
    assert compare_parts(0, output, eager, truth, None, USUAL).parts
    assert not compare_parts(0, output, eager, truth, None, USUAL, near).parts
    found = errors_near([eager], lambda _: ([others], [truth]), Random(0))
    assert len(found[0].neighbours) == 4


@pytest.mark.parametrize(
    ("exact", "off", "right"), [(False, 1.1e-4, True), (False, 1e-3, False), (True, 1.1e-4, False)]
)
def test_luck_on_one_number_has_no_bound(exact: bool, off: float, right: bool) -> None:
    """A column of one number has one rounding. What errs as eager does beside it is right, unless eager is exact."""
    truth = outputs("columns", 1e3, 3)
    truth = truth.float().double() if exact else truth
    output, others = (truth.clone() for _ in range(2))
    for values, error in ((output, off), (others, 1.2e-4)):
        values[:, 20:] += error
    eager, output, others = (values.float() for values in (truth, output, others))
    near = Errors(neighbours=((others, truth),))
    assert compare_parts(0, output, eager, truth, None, USUAL).parts
    assert bool(compare_parts(0, output, eager, truth, None, USUAL, near).parts) != right


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_infinities_beside_a_part_do_not_hide_it(dtype: torch.dtype) -> None:
    truth, wrong = (outputs("columns", 1e3, 0, form) for form in (torch.tanh, lambda x: x.clamp(-1, 1)))
    for each in (truth, wrong):
        each[3, :10] = -torch.inf
    assert not compare([wrong.to(dtype)], [truth.to(dtype)], [truth], USUAL).strict
    assert compare([truth.to(dtype)], [truth.to(dtype)], [truth], USUAL).strict
