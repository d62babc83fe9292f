"""The level from which on an output is right over all its calls."""

from __future__ import annotations

import pytest

from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.levels import Part, level
from passnet.score import STRICT_T

# A softmax behind a product, in twelve calls on hard draws: errors that were measured, of an honest kernel and eager.
NEAR_A_TIE = Errors(6.5e-05, 9.8e-06, 1.04e-03, 2.7e-04)
QUIET = Errors(7.1e-05, 7.0e-05)


@pytest.mark.parametrize(("group", "expected"), [("hard", STRICT_T), ("", -4)])
def test_on_a_hard_draw_a_few_elements_near_a_tie_refuse_nothing(group: str, expected: int) -> None:
    calls = [Part(0, "float32", -10, -10, QUIET, group)] * 11 + [Part(0, "float32", -4, -5, NEAR_A_TIE, group)]
    assert level(calls) == expected


@pytest.mark.parametrize("factor", [10.0, 1000.0])
def test_on_a_hard_draw_a_form_that_breaks_is_refused(factor: float) -> None:
    broken = Errors(factor * 7e-05, 7e-05, factor * 1e-03, 1e-03)
    assert level([Part(0, "float32", -4, -5, broken, "hard")] * 12) == -4
