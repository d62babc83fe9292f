"""What a record says of wrong outputs: the output, the draws, the condition, and eager's own error beside it."""

from __future__ import annotations

import math
import re

import pytest
import torch

from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.comparison import Comparison, Criteria, worst, wrong_indices
from passnet.bench.compare.errors import compare
from passnet.bench.compare.levels import Part
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
    found = re.fullmatch(
        r"output 1: an element is 0\.0504 of its size off, (\S+) times the (\S+) that is allowed; eager's farthest is "
        r"(\S+)",
        line,
    )
    assert found is not None, line
    times, limit, room = map(float, found.groups())
    assert limit == pytest.approx(3.0 * room, rel=0.01) and times == pytest.approx(0.0504 / limit, rel=0.01)


def test_where_eager_is_too_far_off_to_excuse_an_element_it_says_so() -> None:
    """The element is nearer to the truth than eager's. So beside eager alone the verdict could not be understood."""
    parts = [
        Part(0, "float16", -1, -10, Errors(0.01, 0.2, 0.849, 3.614), group="hard"),
        Part(0, "float16", -5, -10, Errors(0.01, 0.01), group="hard"),
    ]
    assert objection(Comparison(tuple(parts), published_at=None)) == (
        "output 0 on hard draws: an element is 0.849 of its size off, 8.49 times the 0.1 that is allowed; "
        "eager's farthest is 3.61; where eager is more than 0.1 off, it is no measure"
    )


def test_the_element_that_broke_the_limit_is_told_and_not_the_one_farthest_from_eagers() -> None:
    parts = [
        Part(0, "float16", -3, -10, Errors(0.01, 0.01, 0.0876, 0.0875)),
        Part(0, "float16", -3, -10, Errors(0.01, 0.01, 0.52, 0.55)),
    ]
    assert "an element is 0.52 of its size off, 5.2 times the 0.1 that is allowed" in objection(
        Comparison(tuple(parts))
    )


def test_rms_errors_beyond_their_factor_are_told_with_it() -> None:
    part = Part(0, "float32", -4, -10, Errors(0.002, 0.001, 0.01, 0.01))
    assert objection(Comparison((part,), published_at=None)) == (
        "output 0: elements are beyond the tolerance, and RMS errors 2 times eager's; 1.25 is allowed"
    )


def test_a_scale_that_is_broken_is_told_beside_eager_and_the_tolerance() -> None:
    part = Part(0, "float16", -2, -2, Errors(0.03159, 0.0001228), group="hard")
    assert objection(Comparison((part,), published_at=None)) == (
        "output 0 on hard draws: an RMS error of 0.03159 of the outputs' spread, 257 times eager's 0.0001228, "
        "and 31.6 times the tolerance of 0.001"
    )


def test_an_error_above_the_spread_is_told_in_spreads_and_that_eager_alone_would_not_object() -> None:
    truth = 1e-7 * normal(1, 4096) / float(normal(1, 4096).std())
    line = said(torch.zeros(4096), truth.float(), truth)
    assert line.startswith("output 1: an RMS error of 1 of the outputs' spread, ")
    assert line.endswith("; close to eager's all the same")


def test_nan_and_infinities_are_counted() -> None:
    truth = normal(1, 100)
    got = truth.float()
    got[:3], got[5] = math.nan, math.inf
    assert said(got, truth.float(), truth) == (
        "output 1 on usual draws: 3 NaN and 1 infinities among 100 elements that eager has as numbers"
    )
    assert said(got, truth.float(), truth, hard=True) == (
        "output 1 on hard draws: 3 NaN and 1 infinities among 100 elements that eager has as numbers"
    )


def test_what_is_due_and_missing_is_told() -> None:
    truth = normal(1, 100)
    truth[3] = math.inf
    got = truth.float()
    got[3] = 2.0
    for draws, hard in (("usual", False), ("hard", True)):
        assert said(got, truth.float(), truth, hard=hard).startswith(
            f"output 1 on {draws} draws: 1 elements are neither eager's infinities and NaN nor right"
        )


def test_integers_and_indices_are_told() -> None:
    numbers = torch.arange(10)
    assert objection(compare([torch.where(numbers == 5, numbers, numbers + 2)], [numbers], None, CRITERIA)) == (
        "output 0 on usual draws: 9 of 10 int64 values are not eager's, one is 2 off"
    )
    assert objection(wrong_indices(2, None, "3 of 4 indices are wrong")) == "output 2: 3 of 4 indices are wrong"
    assert objection(Comparison()) == "nothing was compared"
