"""What a record says of wrong outputs: the output, the draws, the condition, and eager's own error beside it."""

from __future__ import annotations

import math

import torch

from passnet.bench.compare.comparison import Comparison, Criteria, worst, wrong_indices
from passnet.bench.compare.errors import compare
from passnet.bench.compare.objections import objection
from tests.bench.compare.test_errors import normal

CRITERIA = Criteria(fp64_factor=4.0, scale_cap=0.1)


def said(got: torch.Tensor, eager: torch.Tensor, truth: torch.Tensor, *, hard: bool = False) -> str:
    right = compare([eager], [eager], [truth], CRITERIA)
    wrong = compare([got], [eager], [truth], Criteria(4.0, 0.1, hard=hard), first=1)
    return objection(worst([right, wrong, right]))


def test_a_far_element_is_told_with_eagers_farthest() -> None:
    truth = normal(1, 4096)
    eager = (truth * (1.0 + 1e-3 * normal(2, 4096))).to(torch.float32)
    got = eager.clone()
    got[7] = truth[7] + 0.05 * (1.0 + float(truth[7].abs()))
    line = said(got, eager, truth)
    assert line.startswith("output 1: an element is 0.0504 of its size off, eager's 0.00")
    assert "; RMS errors up to 1." in line
    assert line.endswith("times eager's")


def test_an_error_above_the_spread_is_told_in_spreads_and_that_eager_alone_would_not_object() -> None:
    truth = 1e-7 * normal(1, 4096) / float(normal(1, 4096).std())
    line = said(torch.zeros(4096), truth.float(), truth)
    assert line.startswith("output 1: an RMS error of 1 spreads, eager's ")
    assert line.endswith("; close to eager's all the same")


def test_nan_and_infinities_are_counted() -> None:
    truth = normal(1, 100)
    got = truth.float()
    got[:3], got[5] = math.nan, math.inf
    assert said(got, truth.float(), truth) == (
        "output 1: 3 NaN and 1 infinities among 100 elements that eager has as numbers"
    )


def test_what_is_due_and_missing_is_told() -> None:
    truth = normal(1, 100)
    truth[3] = math.inf
    got = truth.float()
    got[3] = 2.0
    assert said(got, truth.float(), truth).startswith(
        "output 1: 1 elements are not the infinities and NaN that are due"
    )


def test_integers_and_indices_are_told() -> None:
    numbers = torch.arange(10)
    assert objection(compare([numbers + 2], [numbers], None, CRITERIA)) == (
        "output 0: int64 values are not eager's, one is 2 off"
    )
    assert objection(wrong_indices(2, None)) == "output 2: indices point to other values"
    assert objection(Comparison()) == "nothing was compared"
