"""Times in turn, on a clock of the tests: drift cancels, failures are rows, and what is far behind is left out."""

from __future__ import annotations

import pytest

from passnet.use.form import EAGER, Form
from passnet.use.forms.contest import Contest, Measured, speedup
from tests.use.scripted_stage import ScriptedClock, ScriptedStage

COMPILE, DIRECT = Form(engine="torch.compile"), Form(engine="inductor")
FORMS = [EAGER, COMPILE, DIRECT]


def test_ratios_are_right_under_drift():
    stage = ScriptedStage({"eager": 0.02, "torch.compile": 0.02, "inductor": 0.019}, drift=0.5)
    found = Contest(stage, 1).run(FORMS, groups=12)
    assert speedup([found], DIRECT, COMPILE).ratio == pytest.approx(20 / 19, rel=0.01)
    assert speedup([found], COMPILE, EAGER).ratio == pytest.approx(1.0, rel=0.01)
    one_after_the_other = found.groups[COMPILE][-1][1] / found.groups[COMPILE][0][0]
    assert one_after_the_other > 1.5, "the drift is large enough to matter"


def test_blocks_hold_more_rounds_of_shorter_calls():
    stage = ScriptedStage({"eager": 0.5, "*": 0.001})
    contest = Contest(stage, 1)
    contest.run(FORMS, groups=2)
    assert (contest.rounds[EAGER], contest.rounds[COMPILE]) == (1, 20)


def test_a_call_shorter_than_the_clocks_noise_gets_no_endless_block():
    class Coarse(ScriptedStage):
        def seconds(self, form, rounds, limit_s=None):
            return max(1e-9, super().seconds(form, rounds) - 3e-4)

    stage = Coarse({"*": 6e-5})
    contest = Contest(stage, 1)
    contest.run([EAGER], groups=2)
    assert 200 < contest.rounds[EAGER] < 500
    assert stage.clock.now < 1


def test_what_is_far_behind_is_left_out_unless_needed():
    times = {"eager": 0.1, "torch.compile": 0.01, "inductor": 0.01}
    found = Contest(ScriptedStage(times), 1).run(FORMS, groups=10)
    assert (len(found.groups[EAGER]), len(found.groups[DIRECT])) == (3, 10)
    found = Contest(ScriptedStage(times), 1).run(FORMS, groups=10, needed=[EAGER])
    assert len(found.groups[EAGER]) == 10


def test_a_form_that_fails_while_it_is_timed_is_left_out_with_its_reason():
    stage = ScriptedStage({"*": 0.01}, dying={"inductor": "it raised"})
    found = Contest(stage, 1).run(FORMS, groups=4)
    assert found.failed == {DIRECT: "it raised"}
    assert set(found.groups) == {EAGER, COMPILE}
    assert len(found.groups[EAGER]) == 4


def test_two_groups_are_measured_whatever_the_time():
    found = Contest(ScriptedStage({"*": 0.01}), 1).run(FORMS, groups=10, goes_on=lambda: False)
    assert {len(groups) for groups in found.groups.values()} == {2}
    assert speedup([found], DIRECT, COMPILE) is not None


def test_a_look_begins_anew_for_the_forms_that_it_is_about():
    contest = Contest(ScriptedStage({"*": 0.01}), 1)
    contest.run([EAGER, COMPILE], groups=3)
    contest.run([COMPILE, DIRECT], groups=2)
    assert [len(contest.measured.groups[form]) for form in FORMS] == [3, 2, 2]


def test_without_two_groups_there_is_no_speedup():
    assert speedup([Measured({EAGER: [(1.0, 1.0)], DIRECT: [(1.0, 1.0)]})], DIRECT, EAGER) is None
    assert speedup([Measured()], DIRECT, EAGER) is None
    assert Measured().fastest([EAGER]) is None


def test_a_comparison_that_the_time_ends_keeps_what_was_known():
    clock = ScriptedClock()
    stage = ScriptedStage({"*": 1.0}, clock=clock)
    contest = Contest(stage, 1, left_s=lambda: max(0.0, 100.0 - clock.now))
    forms = [EAGER, Form(engine="inductor")]
    contest.run(forms, groups=3)
    known = {form: list(groups) for form, groups in contest.measured.groups.items()}
    clock.now = 98.5
    contest.run(forms, groups=8)
    assert contest.measured.groups == known
    assert contest.measured.failed == {}
