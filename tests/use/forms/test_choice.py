"""What is chosen: the fastest right form, the plain line where nothing surely beats it, the simplest among equals."""

from __future__ import annotations

import pytest

from passnet.use.form import EAGER, Form
from passnet.use.forms.choice import best_baseline, choose
from passnet.use.forms.contest import Measured

COMPILE, TUNED = Form(engine="torch.compile"), Form(engine="torch.compile", mode="max-autotune")
DIRECT, FROZEN = Form(engine="inductor"), Form(engine="inductor", frozen=True)
PASSES = Form(engine="inductor", passes=True)


def measured(times, groups=12, noise=0.0):
    """A process with these seconds by form; odd groups are `noise` slower for all but the modes of torch.compile."""
    blocks = {}
    for form, seconds in times.items():
        factors = [1 + noise * (index % 2) * (not form.is_baseline) for index in range(groups)]
        blocks[form] = [(seconds * factor, seconds * factor) for factor in factors]
    return Measured(blocks)


def test_the_fastest_form_wins_over_the_best_mode():
    choice = choose([measured({EAGER: 4.0, COMPILE: 2.0, TUNED: 1.8, DIRECT: 1.7, FROZEN: 1.2})])
    assert (choice.form, choice.baseline) == (FROZEN, TUNED)
    assert choice.over_baseline.ratio == pytest.approx(1.5)
    assert choice.over_eager.ratio == pytest.approx(4 / 1.2)
    assert choice.over_baseline.low > 1.0


@pytest.mark.parametrize("ours", [2.1, 2.0, 1.99])
def test_what_is_not_surely_faster_is_the_users_own_line(ours):
    choice = choose([measured({EAGER: 4.0, COMPILE: 2.0, TUNED: 2.2, FROZEN: ours})])
    assert choice.form == COMPILE
    assert (choice.over_baseline.ratio, choice.over_eager.ratio) == (1.0, 2.0)


def test_a_lucky_figure_with_a_wide_interval_is_not_taken():
    noisy = measured({EAGER: 4.0, COMPILE: 2.0, FROZEN: 1.6}, groups=4, noise=0.5)
    assert choose([noisy]).form == COMPILE


def test_eager_is_taken_where_no_mode_beats_it():
    assert choose([measured({EAGER: 1.0, COMPILE: 1.0, FROZEN: 1.1})]).form == EAGER
    assert choose([measured({EAGER: 1.0, COMPILE: 1.4, FROZEN: 1.1})]).form == EAGER


def test_of_equals_the_simplest_is_taken():
    assert choose([measured({EAGER: 4.0, COMPILE: 2.0, DIRECT: 1.505, FROZEN: 1.5, PASSES: 1.5})]).form == DIRECT
    assert choose([measured({EAGER: 4.0, COMPILE: 2.0, DIRECT: 1.6, FROZEN: 1.5, PASSES: 1.5})]).form == FROZEN


def test_without_any_mode_eager_is_what_counts():
    choice = choose([measured({EAGER: 4.0, FROZEN: 2.0})])
    assert (choice.form, choice.baseline, choice.over_baseline) == (FROZEN, None, None)
    assert choice.over_eager.ratio == pytest.approx(2.0)
    assert choose([Measured()]) is None
    assert best_baseline(Measured()) is None


def test_several_processes_are_one_figure():
    narrow = choose([measured({EAGER: 4.0, COMPILE: 2.0, FROZEN: 1.9}) for _ in range(4)])
    wide = choose([measured({EAGER: 4.0, COMPILE: 2.0, FROZEN: 1.9})])
    assert narrow.over_baseline.half_width < wide.over_baseline.half_width
