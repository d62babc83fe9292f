"""Which outputs of a careful draw are compared."""

from __future__ import annotations

import torch

from passnet.bench.compare.comparison import Comparison, hopeless
from passnet.bench.compare.neighbours import nudged, survived
from passnet.bench.compare.well_slices import WellSlices
from passnet.bench.verdict.survival import in_both, only_judged, renumbered, well_computed, well_parts

TRUTH = torch.linspace(-1, 1, 99, dtype=torch.float64)
POOR = TRUTH.float() + 1e-3


def test_a_poor_output_takes_no_other_with_it() -> None:
    marks = TRUTH > 0
    well = well_computed([TRUTH.float(), POOR, marks, ~marks], [TRUTH, TRUTH, marks, marks], lambda: [0.0] * 4)
    assert well == {0, 2}, "of integers only those that are float64's, where others are poor"
    assert well_computed([TRUTH.float(), ~marks], [TRUTH, marks], lambda: [0.0] * 2) == {0, 1}


def test_eager_may_err_as_on_usual_draws() -> None:
    assert not survived(POOR, TRUTH) and survived(POOR, TRUTH, usual=1e-3)
    assert well_computed([POOR], [TRUTH], lambda: [1e-3]) == {0}
    assert not survived(TRUTH.float() + 0.5, TRUTH, usual=10.0), "who errs by half knows nothing"


def test_usual_errors_are_asked_for_where_one_is_too_large() -> None:
    def asked() -> list[float]:
        raise AssertionError

    assert well_computed([TRUTH.float()], [TRUTH], asked) == {0}


def poor_columns(*columns: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Eager's output and float64's, of 40 rows and 8 columns."""
    truth = torch.randn(40, 8, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    eager = truth.float()
    for column in columns:
        eager[::7, column] += 0.1
    return eager, truth


def test_the_slices_that_eager_computes_well_are_compared() -> None:
    eager, truth = poor_columns(1, 4)
    judged = well_parts([eager, truth.float()], [truth, truth], frozenset({1}))
    slices = judged[0]
    assert slices is not None and judged[1] is None
    got = eager.clone()
    got[:, 4] = 7.0
    (outputs, base, wide), places = only_judged(([got, got], [eager, eager], [truth, truth]), {0: slices}, 0)
    left = [0, 2, 3, 5, 6, 7]
    assert places == [0] and wide is not None
    assert torch.equal(outputs[0], eager[:, left].reshape(-1)) and torch.equal(base[0], outputs[0])
    assert torch.equal(wide[0], truth[:, left].reshape(-1))


def test_slices_are_judged_that_are_well_in_both_looks() -> None:
    one, other = (well_parts([eager], [truth], frozenset()) for eager, truth in (poor_columns(1), poor_columns(1)))
    (slices,) = in_both(one, other).values()
    assert slices is not None and slices.kept.tolist() == [column != 1 for column in range(8)]
    chance = well_parts(*([each] for each in poor_columns(5)), frozenset())
    assert in_both(one, chance) == {}, "who is poor now here, now there is well by chance"
    assert in_both({0: None}, one) == one and in_both({}, one) == {} and in_both({0: None}, {0: None}) == {0: None}


def test_nothing_is_left_where_eager_is_poor_or_overflows_anywhere() -> None:
    eager, truth = poor_columns()
    assert WellSlices.of(eager + 0.1, truth) is None
    eager, truth = poor_columns(1)
    eager[3, 3] = torch.inf
    assert WellSlices.of(eager, truth) is None
    assert WellSlices.of(torch.ones(40, 8, dtype=torch.int64), torch.ones(40, 8, dtype=torch.int64)) is None


def test_of_nan_nothing_is_compared_and_beside_it_no_infinity() -> None:
    eager = torch.tensor([torch.nan, torch.inf, 2.0])
    got = torch.tensor([1.0, torch.nan, 3.0])
    (outputs, base, wide), places = only_judged(([got, got], [eager, eager], None), {1: None}, 0)
    assert places == [1] and wide is None and torch.equal(base[0], eager) is False
    assert torch.isnan(outputs[0][0]) and outputs[0][1:].tolist() == [torch.inf, 3.0]
    filled = torch.tensor([torch.inf, 2.0])
    (outputs, _, _), _ = only_judged(([got[:2]], [filled], [filled.double()]), {0: None}, 0)
    assert torch.equal(outputs[0], got[:2]) or bool(torch.isnan(outputs[0][1])), "without NaN infinities are due"


def test_findings_name_the_outputs_by_their_own_numbers() -> None:
    found = renumbered(hopeless(2, "float32", "wrong"), [1, 4], 1)
    assert [part.output for part in found.parts] == [5]
    assert renumbered(Comparison(), [], 0).parts == ()


def test_inputs_are_moved_by_a_step() -> None:
    from random import Random

    for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.float64):
        value = torch.tensor([0.0, 1.0, -3.7, 1024.5], dtype=dtype)
        (moved,) = nudged([value], Random(1))
        steps = ((moved - value).double() / value.double()).nan_to_num().abs()
        assert moved[0] == 0 and bool((steps[1:] > 0).all())
        assert float(steps.max()) <= 2 * torch.finfo(dtype).eps
