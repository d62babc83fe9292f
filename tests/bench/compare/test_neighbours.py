"""Eager may be lucky on a hard draw; its neighbours tell, and excuse no form that breaks."""

from __future__ import annotations

from random import Random

import pytest
import torch
from torch.nn import functional as F

from passnet.bench.compare.comparison import Criteria
from passnet.bench.compare.errors import compare
from passnet.bench.compare.farthest import compare_farthest
from passnet.bench.compare.neighbours import errors_near, without_luck
from passnet.graph.values.inputs import make_inputs
from tests.graph.graph_helpers import graph_of, spec

HARD, USUAL = Criteria(4.0, 0.1, hard=True), Criteria(4.0, 0.1)


def scaled_softmax(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return F.gelu(x * w + b).softmax(-1)


def in_another_form(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    v = torch.addcmul(b, x, w)
    return (0.5 * v * (1.0 + torch.erf(v * 0.70710678))).softmax(-1)


def softmax(x: torch.Tensor) -> torch.Tensor:
    return x.softmax(-1)


def softmax_without_maximum(x: torch.Tensor) -> torch.Tensor:
    powers = x.exp()
    return powers / powers.sum(-1, keepdim=True)


def softmax_a_little_off(x: torch.Tensor) -> torch.Tensor:
    return softmax(x) * 1.00001


def normalised(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return F.layer_norm(x, x.shape[-1:], w, b)


def by_squares(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    mean = x.mean(-1, keepdim=True)
    return (x - mean) * torch.rsqrt((x * x).mean(-1, keepdim=True) - mean * mean + 1e-5) * w + b


def drawn(seed: int, rows: int = 64) -> list[torch.Tensor]:
    """Values around 128 deviations, and weights."""
    rng = torch.Generator().manual_seed(seed)
    return [
        torch.randn(rows, 512, generator=rng) + 128.0,
        torch.randn(512, generator=rng),
        torch.randn(512, generator=rng),
    ]


def near(eager, inputs, seed=0):
    return errors_near(inputs, lambda moved: ([eager(*moved)], [eager(*(t.double() for t in moved))]), Random(seed))


def verdict(eager, form, inputs, *, neighbours: bool, criteria: Criteria = HARD) -> bool:
    given = [form(*inputs)], [eager(*inputs)], [eager(*(tensor.double() for tensor in inputs))], criteria
    known = near(eager, inputs) if neighbours else None
    return compare(*given, known).strict and compare_farthest(*given, known).strict


def test_an_honest_form_is_not_refused_because_eager_was_lucky() -> None:
    graph = graph_of([spec("x", 64, 512), spec("w", 512), spec("b", 512)], "a = x * w", "return (a,)")
    inputs = [make_inputs(graph, seed, distribution="negative") for seed in range(140)]
    refused = [given for given in inputs if not verdict(scaled_softmax, in_another_form, given, neighbours=False)]
    assert refused, "eager is never lucky: the test says nothing"
    assert all(verdict(scaled_softmax, in_another_form, given, neighbours=True) for given in refused)


def test_the_sums_of_a_few_rows_decide_where_outputs_hardly_vary() -> None:
    """On the draw eager is as near as its dtype allows, on the neighbours as it is. Kernels of some processors are."""

    def lucky(given: list[torch.Tensor]):
        return lambda x: softmax(x.double()).to(x.dtype) if x is given[0] else softmax(x)

    inputs = [[0.01 * torch.randn(1, 16384, generator=torch.Generator().manual_seed(seed))] for seed in range(100)]
    alone, near = (
        [verdict(lucky(each), softmax_without_maximum, each, neighbours=known, criteria=USUAL) for each in inputs]
        for known in (False, True)
    )
    assert not all(alone), "eager is never lucky: the test says nothing"
    assert all(near)
    wrong = [verdict(lucky(each), softmax_a_little_off, each, neighbours=True, criteria=USUAL) for each in inputs]
    assert not any(wrong)


@pytest.mark.parametrize("seed", range(20))
def test_a_form_that_breaks_stays_refused(seed: int) -> None:
    assert not verdict(normalised, by_squares, drawn(seed), neighbours=True)


def test_a_result_of_other_inputs_stays_refused() -> None:
    assert not verdict(scaled_softmax, lambda *_: scaled_softmax(*drawn(1)), drawn(0), neighbours=True)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("mask", ["zeros and ones", "the least number"])
def test_masks_do_not_make_neighbours_harder(mask: str, dtype: torch.dtype) -> None:
    """A mark of 0.99 would hide a place that 1 shows, and eager's rounding of what hides it is all that is left."""
    rng = torch.Generator().manual_seed(3)
    scores = (10.0 * torch.randn(32, 64, generator=rng)).to(dtype)
    shown = torch.rand(32, 64, generator=rng) < 0.3
    least = torch.finfo(dtype).min

    def attention(x: torch.Tensor, m: torch.Tensor) -> torch.Tensor:
        return (x + ((1.0 - m) * least if mask == "zeros and ones" else m)).softmax(-1)

    inputs = [scores, shown.to(dtype) if mask == "zeros and ones" else torch.where(shown, 0.0, least).to(dtype)]
    wide = attention(*(tensor.double() for tensor in inputs))
    draws = errors_near(inputs, lambda _: ([attention(*inputs)], [wide]), Random(0))[0]
    found = near(attention, inputs)[0]
    assert 0.0 < found.eagers < 4.0 * draws.eagers
    assert not compare([torch.zeros_like(wide).to(dtype)], [attention(*inputs)], [wide], HARD, [found]).strict


def test_luck_has_a_bound() -> None:
    """Where eager makes no error, no other form may make one, whatever eager does on inputs nearby."""
    assert without_luck(0.0, 0.5) == 0.0
    assert without_luck(0.1, 0.05) == 0.1
    assert without_luck(0.001, 0.004) == 0.004
    assert without_luck(0.001, 1.0) < 0.02


COARSE = Criteria(4.0, 0.1, hard=True, coarse=True)


def rms_normed(x: torch.Tensor) -> torch.Tensor:
    """Sums in bfloat16, then the norm of these, whose scale cancels; float32 from there on."""
    sums = x.sum(1)
    return (sums * torch.rsqrt(sums.pow(2).mean(-1, keepdim=True) + 1e-5)).float()


def rms_normed_by_kernels(x: torch.Tensor) -> torch.Tensor:
    """One kernel rounds the sums that it stores, the other makes the mean of those that it does not round."""
    sums = x.float().sum(1)
    return sums.to(x.dtype).float() * torch.rsqrt(sums.pow(2).mean(-1, keepdim=True) + 1e-5)


def test_equal_numbers_do_not_stay_equal_in_neighbours() -> None:
    def expected(moved):
        assert moved[0].unique().numel() > 1
        return moved, [moved[0].double()]

    for size in (1.1015625, 1.0078125, 0.3, 1.99):
        errors_near([torch.full((4, 64), size, dtype=torch.bfloat16)], expected, Random(0))


def test_a_step_of_bfloat16_on_the_way_is_luck_where_all_numbers_are_one() -> None:
    x = torch.full((8, 3, 256), 1.1015625, dtype=torch.bfloat16)
    wrong = [lambda x: rms_normed(x) * 1.02, lambda x: rms_normed(x)[:, :1].expand(-1, 256) * 0.98]
    assert verdict(rms_normed, rms_normed_by_kernels, [x], neighbours=True, criteria=COARSE)
    assert not verdict(rms_normed, rms_normed_by_kernels, [x], neighbours=True), "float32 has no such steps"
    assert not any(verdict(rms_normed, form, [x], neighbours=True, criteria=COARSE) for form in wrong)


def test_where_eager_knows_nothing_of_what_varies_a_step_of_bfloat16_is_right() -> None:
    """Shares of an eighth each, but for 1e-8: eager has one number, and so has a form that stores a sum."""
    x = (1e-8 * torch.randn(64, 8, generator=torch.Generator().manual_seed(0))).bfloat16()

    def shares(x: torch.Tensor) -> torch.Tensor:
        return 8 * (x - x.logsumexp(-1, keepdim=True)).exp()

    def beside(step: float) -> bool:
        return verdict(shares, lambda x: shares(x) + step if x.dtype == torch.bfloat16 else shares(x), [x],
                       neighbours=True, criteria=COARSE)  # fmt: skip

    assert [beside(step) for step in (0.0, -(2.0**-8), -(2.0**-6), 2.0**-5)] == [True, True, False, False]


def test_integers_and_masks_have_no_errors_and_inputs_are_left_alone() -> None:
    x = torch.tensor([[1.0, -torch.inf, 2.0], [0.0, 3.0, -4.0]])
    before = x.clone()

    def expected(moved):
        (values,) = moved
        assert torch.equal(values.isinf(), x.isinf()) and torch.equal(values == 0.0, x == 0.0)
        assert not torch.equal(values, x)
        return [values * 0.1, values > 0.0, values.argmax(-1)], [values.double() * 0.1, values > 0.0, values.argmax(-1)]

    floats, *others = errors_near([x], expected, Random(0))
    assert torch.equal(x, before)
    assert 0.0 < floats.eagers < 1e-6 and 0.0 < floats.eagers_farthest < 1e-6
    assert all(errors.eagers == errors.eagers_farthest == 0.0 for errors in others)
