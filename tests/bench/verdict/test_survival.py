"""Which outputs of a careful draw are compared."""

from __future__ import annotations

import torch

from passnet.bench.compare.comparison import Comparison, hopeless
from passnet.bench.compare.neighbours import nudged, survived
from passnet.bench.verdict.survival import only_judged, renumbered, well_computed

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


def test_of_nan_nothing_is_compared_and_beside_it_no_infinity() -> None:
    eager = torch.tensor([torch.nan, torch.inf, 2.0])
    got = torch.tensor([1.0, torch.nan, 3.0])
    (outputs, base, wide), places = only_judged(([got, got], [eager, eager], None), frozenset({1}), 0)
    assert places == [1] and wide is None and torch.equal(base[0], eager) is False
    assert torch.isnan(outputs[0][0]) and outputs[0][1:].tolist() == [torch.inf, 3.0]
    filled = torch.tensor([torch.inf, 2.0])
    (outputs, _, _), _ = only_judged(([got[:2]], [filled], [filled.double()]), frozenset({0}), 0)
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
