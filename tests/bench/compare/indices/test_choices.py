"""The comparator of indices: ties are free where scores are rounded, and no value out of tolerance is right."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.bench.compare.indices import choices
from passnet.bench.compare.indices.choices import Judged, Scores, alternatives, judge, telling
from passnet.score import STRICT_T, T_RANGE, tolerance

_seeds = st.integers(0, 2**31)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def normal(seed: int, *shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def shuffled(seed: int, *shape: int) -> torch.Tensor:
    """For each row the numbers of its places in a random order."""
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed)).argsort(-1)


def best(scores: torch.Tensor) -> torch.Tensor:
    return scores.argmax(-1, keepdim=True)


def judged(
    truth: torch.Tensor, chosen: torch.Tensor, eager: torch.Tensor | None = None, dtype: str = "float32"
) -> Judged:
    eager = truth if eager is None else eager
    return judge(Scores(truth, eager, dtype), chosen, best(truth), best(eager))


def strict(found: Judged) -> bool:
    return found.level is not None and found.level <= STRICT_T


@given(_seeds, st.integers(2, 5), st.integers(8, 40), st.integers(2, 6))
@settings(max_examples=60, deadline=None)
def test_any_of_the_tied_largest_is_right(seed: int, rows: int, width: int, tied: int) -> None:
    truth = normal(seed, rows, width)
    places = shuffled(seed, rows, width)[:, :tied]
    truth.scatter_(1, places, truth.amax(-1, keepdim=True).expand(-1, tied) + 1.0)
    for which in range(tied):
        assert judged(truth, places[:, which : which + 1]).level == T_RANGE[0]


@given(_seeds, st.integers(1, 4), st.integers(6, 30), st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_a_sorted_order_is_right_in_any_order_of_equal_values(seed: int, rows: int, width: int, kinds: int) -> None:
    truth = normal(seed, rows, width)
    truth[:, : width // 2] = truth[:, : width // 2].mul(kinds).round()  # planted ties among values that are unique
    wanted = truth.argsort(-1)
    mixed = shuffled(seed + 1, rows, width)
    chosen = mixed.gather(1, truth.gather(1, mixed).argsort(dim=-1, stable=True))
    assert judge(Scores(truth, truth, "float32"), chosen, wanted, wanted).level == T_RANGE[0]


@given(_seeds, st.sampled_from(["float32", "float16", "bfloat16"]), st.integers(1, 6), st.integers(3, 200))
@settings(max_examples=100, deadline=None)
def test_no_index_beyond_the_tolerance_is_right(seed: int, dtype: str, rows: int, width: int) -> None:
    """One row of several points to a value that is out of tolerance by a little, at every strict level."""
    truth, wanted = normal(seed, rows, width), shuffled(seed, rows, width)[:, :1]
    bound = tolerance(dtype, STRICT_T)
    top = truth.amax(-1, keepdim=True) + 1.0
    truth.scatter_(1, wanted, top)
    second = (wanted[:1] + 1) % width
    truth[:1].scatter_(1, second, top[:1] - 1.01 * (bound.atol + bound.rtol * top[:1].abs()))
    chosen = wanted.clone()
    chosen[:1] = second
    assert not strict(judged(truth, chosen, dtype=dtype))
    truth[:1].scatter_(1, second, top[:1] - 0.99 * (bound.atol + bound.rtol * top[:1].abs()))
    assert strict(judged(truth, chosen, dtype=dtype))


@given(_seeds, st.integers(2, 30), st.integers(8, 100))
@settings(max_examples=60, deadline=None)
def test_constants_are_right_at_no_tolerance(seed: int, rows: int, width: int) -> None:
    truth = normal(seed, rows, width)
    truth[0, 0] = truth[0].amin() - 1.0
    assert judged(truth, torch.zeros(rows, 1, dtype=torch.int64)).level is None


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8])
def test_an_offset_that_makes_the_tolerance_wide_frees_the_few_best_only(offset: float) -> None:
    truth = normal(3, 40, 256) + offset
    order = truth.argsort(-1, descending=True)
    found = [judged(truth, order[:, place : place + 1], dtype="bfloat16") for place in (0, 1, 20, 255)]
    assert strict(found[0])
    assert strict(found[1]) == (offset > 0)
    assert (found[2].level, found[3].level) == (None, None)


def test_what_is_right_stays_right_where_a_wider_tolerance_tells_nothing() -> None:
    truth = torch.linspace(0.0, 1.0, 256, dtype=torch.float64).mul(2e-4).add(1.0).expand(40, 256).contiguous()
    near = torch.full((40, 1), 255 - 15)
    assert judged(truth, near, dtype="float16").level == -8
    assert judged(truth, near - 100, dtype="float16").level is None


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
def test_what_rounds_to_one_number_in_one_form_and_to_the_next_in_another_is_free(dtype: str) -> None:
    """A softmax of what is nearly alike, rounded by eager, and by a kernel that is a little off before it rounds."""
    kind = getattr(torch, dtype)
    step = torch.finfo(kind).eps
    truth = (1.0 + normal(4, 40, 256).mul(step / 8)) / 64
    truth[:, 7] = (1.0 + 6 * step) / 64
    eager, own = truth.to(kind).double(), truth.mul(1.0 + step / 2).to(kind).double()
    close = truth.clone()
    close[:, 7] = truth[:, 8:].amax(-1)
    rounded = close.to(kind).double()
    found = judge(Scores(close, rounded, dtype), best(own[:, 8:]) + 8, best(close), best(rounded))
    assert strict(found)
    assert not strict(judge(Scores(truth, eager, dtype), best(own[:, 8:]) + 8, best(truth), best(eager)))


@pytest.mark.parametrize("size", [1.0, 1.3, 1.7, 1.99])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
def test_a_step_is_free_also_just_below_a_power_of_two(dtype: str, size: float) -> None:
    """There the rounding is half as large, for its size, as just above one."""
    kind = getattr(torch, dtype)
    step = torch.finfo(kind).eps
    truth = size * (1.0 + normal(4, 40, 256).clamp(-1.5, 1.5).mul(step / 4))
    truth[:, :100] = 0.1
    eager = truth.to(kind).double()
    found = judge(Scores(truth, eager, dtype), 100 + best(-truth[:, 100:]), best(truth), best(eager))
    assert strict(found)
    truth[:, 100] = size * (1.0 - 8 * step)
    eager = truth.to(kind).double()
    far = torch.full((40, 1), 100)
    assert not strict(judge(Scores(truth, eager, dtype), far, best(truth), best(eager)))


def test_many_rows_are_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = normal(8, 100, 32)
    eager, chosen = truth + 1e-3 * normal(9, 100, 32), best(truth + 2e-3 * normal(10, 100, 32))
    scores = Scores(truth, eager, "float32")

    def found() -> tuple[Judged, bool, list[int]]:
        others = alternatives(scores, best(truth), best(eager), 0, 2)
        return judge(scores, chosen, best(truth), best(eager)), telling(scores, best(truth)), others.tolist()

    whole = found()
    monkeypatch.setattr(choices, "_MOST_AT_ONCE", 70)
    assert found() == whole


def test_as_near_as_eagers_scores_are_is_near_enough() -> None:
    """Scores of a narrow dtype: what a kernel with errors as large as eager's chooses is right, and no more."""
    truth = normal(5, 200, 64)
    eager = truth + 0.02 * normal(6, 200, 64)
    other = truth + 0.02 * normal(7, 200, 64)
    assert not torch.equal(best(other), best(eager))
    assert strict(judged(truth, best(other), eager))
    assert not strict(judged(truth, best(truth + 0.3 * normal(7, 200, 64)), eager))


def test_the_worst_that_is_near_enough_in_every_row_is_not() -> None:
    """Row by row a kernel may be as far off as eager; in all rows at once it would be farther."""
    truth = torch.zeros(100, 64, dtype=torch.float64) - torch.arange(64, dtype=torch.float64)
    eager = truth.clone()
    eager[:, 5] += 0.8  # off by as much somewhere in each row
    assert not strict(judged(truth, torch.ones(100, 1, dtype=torch.int64), eager))
    chosen = torch.zeros(100, 1, dtype=torch.int64)
    chosen[:10] = 1
    assert strict(judged(truth, chosen, eager))


def test_what_eager_itself_holds_for_equal_is_free() -> None:
    truth = normal(9, 50, 64) * 1e-3 + 100.0
    eager = truth.mul(500).round().div(500)  # few values, and many ties
    last = 63 - best(eager.flip(-1))
    assert not torch.equal(last, best(eager))
    assert strict(judged(truth, last, eager, "bfloat16"))


def routed(seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Shares of 16, of which most vanish in float32, by float64 and by eager."""
    logits = (normal(seed, 40, 16) * 120).float()
    return logits.double().softmax(-1), logits.softmax(-1).double()


def ranked(truth: torch.Tensor, eager: torch.Tensor, chosen: torch.Tensor) -> Judged:
    wanted, own = (each.topk(8).indices for each in (truth, eager))
    return judge(Scores(truth, eager, "float32"), chosen, wanted, own)


@given(_seeds)
@settings(max_examples=30, deadline=None)
def test_shares_that_vanish_are_free_and_no_others(seed: int) -> None:
    truth, eager = routed(seed)
    flushed = torch.where(eager < 1.2e-38, 0.0, eager)
    for form in (eager, flushed):
        for stable in (True, False):
            order = form if stable else form.flip(-1)
            places = order.neg().argsort(dim=-1, stable=True)[:, :8]
            assert strict(ranked(truth, eager, places if stable else 15 - places))
    best = eager.topk(8).indices
    assert not strict(ranked(truth, eager, torch.arange(8).expand(40, 8)))
    assert not strict(ranked(truth, eager, torch.arange(8, 16).expand(40, 8)))
    assert not strict(ranked(truth, eager, best.roll(1, 0)))
    assert not strict(ranked(truth, eager, best.flip(-1)))
    first = torch.cat([best[:, 1:2], best[:, :1], best[:, 2:]], 1)
    assert not strict(ranked(truth, eager, first))


def test_values_that_are_not_finite() -> None:
    truth = normal(1, 4, 16)
    truth[0, 3] = math.inf
    truth[1, 4] = -math.inf
    truth[2, 5] = math.nan
    assert strict(judged(truth, best(truth)))
    for row, place in ((0, 4), (1, 4), (2, 6)):
        chosen = best(truth)
        chosen[row] = place
        assert judged(truth, chosen).level is None


def test_eager_that_overflows_leaves_the_best_by_float64() -> None:
    truth = normal(2, 6, 128)
    eager = truth.masked_fill(truth > 0, math.inf)
    assert strict(judged(truth, best(truth), eager, "float16"))
    assert judged(truth, truth.argmin(-1, keepdim=True), eager, "float16").level is None


@pytest.mark.parametrize(("alike", "tells"), [(0, True), (5, True), (8, False)])
def test_a_draw_of_equal_scores_tells_nothing(alike: int, tells: bool) -> None:
    truth = normal(4, 8, 32)
    truth[:alike] = 0.0
    assert judged(truth, best(truth)).telling is tells
    assert telling(Scores(truth, truth, "float32"), best(truth)) is tells


@given(_seeds, st.integers(3, 40))
@settings(max_examples=40, deadline=None)
def test_alternatives_are_what_is_right_too(seed: int, width: int) -> None:
    truth = normal(seed, 12, width).argsort(-1).double() / width  # no two are near by chance
    truth[:, 1] = truth[:, 0] + 1e-7
    scores = Scores(truth, truth, "float32")
    found = alternatives(scores, best(truth), best(truth), 0, 2)
    for other in found.unbind(-1):
        tried = torch.where(other >= 0, other, best(truth).reshape(-1)).unsqueeze(-1)
        assert strict(judge(scores, tried, best(truth), best(truth)))
    near_tie = best(truth).reshape(-1) <= 1
    assert torch.equal(found[:, 0] >= 0, near_tie)


def search_scores(truth: torch.Tensor, eager: torch.Tensor) -> Scores:
    return Scores(truth, eager, "float32", torch.ones(len(truth), 1, dtype=torch.float64), first=True)


def test_on_an_edge_only_eagers_bucket_is_right_where_nothing_is_rounded() -> None:
    """A number on the second edge has no distance to both of its intervals."""
    truth = torch.tensor([[-1.0, 0.0, 0.0, -1.0], [0.0, -0.5, -1.5, -2.5]], dtype=torch.float64)
    own, beside = torch.tensor([[1], [0]]), torch.tensor([[2], [0]])
    exact = search_scores(truth, truth.clone())
    assert judge(exact, own, own, own).level == T_RANGE[0]
    assert judge(exact, beside, own, own).level is None
    assert alternatives(exact, own, own, 0, 2).eq(-1).all()
    rounded = search_scores(truth, truth - torch.tensor([[0.0], [1e-8]], dtype=torch.float64))
    assert judge(rounded, beside, own, own).level == T_RANGE[0]
    assert judge(search_scores(truth, truth), beside, own, own).level == T_RANGE[0], "there is no float64 twin"


def test_a_rounded_row_frees_no_other() -> None:
    truth = torch.tensor([[1.0, 0.5, 1.0, 0.0], [2.0, 2.0 - 1e-7, 0.5, 0.0]], dtype=torch.float64)
    eager = truth.float().double()
    eager[1, 1] = 2.0
    own = best(eager)
    first, equal = (Scores(truth, eager, "float32", first=first, clear=True) for first in (True, False))
    tied, near = torch.tensor([[2], [0]]), torch.tensor([[0], [1]])
    assert [strict(judge(first, each, own, own)) for each in (own, tied, near)] == [True, False, True]
    assert [strict(judge(equal, each, own, own)) for each in (own, tied, near)] == [True, True, True]
    assert alternatives(first, own, own, 0, 1).tolist() == [[-1], [1]]
    assert alternatives(equal, own, own, 0, 1).tolist() == [[2], [1]]


def test_what_is_rounded_far_below_the_largest_frees_nothing() -> None:
    """A mask's number that the dtype does not hold."""
    truth = normal(11, 20, 256).half().double()
    truth[:, ::2] = -1e9
    eager = truth.bfloat16().double().where(truth < -1e8, truth)
    own = best(truth)
    second = truth.topk(2).indices[:, 1:]
    scores = Scores(truth, eager, "bfloat16", first=True, clear=True)
    assert judge(scores, own, own, own).level == T_RANGE[0]
    assert judge(scores, second, own, own).level is None
    assert not strict(judge(replace(scores, clear=False), second, own, own))
    assert alternatives(scores, own, own, 0, 2).eq(-1).all()


@pytest.mark.parametrize(("dtype", "hidden"), [("float32", -1e9), ("bfloat16", -1e4), ("float16", -1e4)])
@pytest.mark.parametrize("share", [2, 8, 50])
def test_scores_that_a_mask_hides_say_nothing_of_the_others(dtype: str, hidden: float, share: int) -> None:
    """Added to scores, the mask's number swallows them: that error is as large as the scores. An honest form that
    rounds as often as eager is right all the same.
    """
    kind = getattr(torch, dtype)
    left, right = (normal(seed, 40, 400).to(kind) for seed in (1, 2))
    mask = torch.where(torch.rand(40, 400, generator=torch.Generator().manual_seed(3)) < 1 - 1 / share, hidden, 0.0)
    truth = left.double() + right.double() + mask
    eager = (left + right + mask.to(kind)).double()
    honest = (left + (right + mask.to(kind))).double()
    scores = Scores(truth, eager, dtype)
    assert strict(judge(scores, best(honest), best(truth), best(eager)))
    assert not strict(judge(scores, truth.topk(2).indices[:, 1:], best(truth), best(eager)))
    assert not strict(judge(scores, truth.topk(3).indices[:, 2:], best(truth), best(eager)))


@given(_seeds, st.sampled_from(["float32", "bfloat16"]), st.booleans())
@settings(max_examples=40, deadline=None)
def test_as_exact_as_eager_is_always_right(seed: int, dtype: str, first: bool) -> None:
    """A kernel that rounds a sum later than eager, or not at all."""
    kind = getattr(torch, dtype)
    left, right = (normal(seed + each, 40, 6).to(kind) for each in (0, 1))
    truth, eager = left.double() + right.double(), (left + right).double()
    scores = Scores(truth, eager, dtype, first=first, clear=True)
    assert strict(judge(scores, best(truth), best(truth), best(eager)))


@pytest.mark.parametrize(("beside", "fits"), [(1.0, False), (1.9, True), (2.1, False)])
def test_a_row_has_the_room_of_rows_in_which_eager_errs_alike(beside: float, *, fits: bool) -> None:
    """The farthest of few scores is chance: two forms err by another amount in each row, and alike in all."""
    truth = torch.arange(0.0, 64.0, dtype=torch.float64).repeat(32, 1)
    truth[:, 62] = 63.0 - 0.025
    errors = torch.zeros_like(truth)
    errors[:, 20], errors[:, 21] = 0.01, -0.01
    errors[1:] *= beside
    chosen = best(truth)
    chosen[0] = 62
    assert strict(judged(truth, chosen, truth + errors)) == fits


def test_on_a_hard_draw_a_choice_as_good_as_eagers_is_right_where_eager_knows_nothing() -> None:
    """Distances to a codebook far from zero: 2^23 cancels in scores, and rounding by 2^16 decides."""
    truth = normal(7, 64, 1024) * 27_000 - 180_000
    eager, other = ((truth + 2.0**15 * normal(seed, 64, 1024)).clamp(max=-1.0) for seed in (8, 9))
    scores, wanted, own = Scores(truth, eager, "bfloat16"), best(truth), best(eager)
    assert strict(judge(scores, best(other), wanted, own, hard=True))
    assert not strict(judge(scores, best(other), wanted, own))
    assert not strict(judge(scores, best(-truth), wanted, own, hard=True)), "beyond eager's error"
    for few in (1, 2, 4):
        assert not strict(judge(scores, best(truth[:, :few]), wanted, own, hard=True)), "who looks at a few codes"
    assert not strict(judge(replace(scores, eager=truth), best(other), wanted, wanted, hard=True)), "eager knows"


def test_who_errs_by_a_common_part_chooses_the_best_and_so_must_others_on_a_hard_draw() -> None:
    truth = normal(7, 64, 1024)
    eager = truth + truth.sign() * 3.0  # far off, in an order that is right
    scores, own = Scores(truth, eager, "bfloat16"), best(eager)
    assert torch.equal(own, best(truth))
    assert not strict(judge(scores, best(normal(9, 64, 1024)), best(truth), own, hard=True))
