"""The race on a clock of the tests: what is tried in what order, what a limit of time leaves, and what is resumed."""

from __future__ import annotations

import pytest

from passnet.use.form import baselines
from passnet.use.forms.choice import choose
from passnet.use.optimise.allowance import Allowance
from passnet.use.optimise.journal import FormJournal
from passnet.use.optimise.race import Race, not_compared, rows_in_order
from tests.use.scripted_stage import ScriptedClock, ScriptedStage

FAST = {
    "eager": 0.04, "torch.compile": 0.02, "torch.compile max-autotune": 0.019, "torch.compile lite": 0.03,
    "inductor": 0.018, "inductor, frozen weights": 0.012,
}  # fmt: skip


@pytest.fixture
def race_of(tmp_path):
    def race_of(minutes=0.0, clock=None, **fields):
        allowance = Allowance(minutes, clock or ScriptedClock())
        steps = []
        race = Race("cpu", 1, allowance, FormJournal.open(tmp_path / "work"), steps.append, **fields)
        return race, steps

    return race_of


def test_the_default_mode_comes_first_then_what_is_most_promising_and_every_mode_is_tried(race_of):
    race, steps = race_of()
    stage = ScriptedStage({**FAST, "*": 0.02})
    measured = race.plain(stage)
    assert stage.built[:3] == ["eager", "torch.compile", "inductor, frozen weights"]
    assert stage.built[-1] == "inductor"
    assert set(stage.built) >= {form.name for form in baselines("cpu")}
    assert measured.fastest(measured.groups).name == "inductor, frozen weights"
    last = steps[-1]
    assert (last.best, round(last.over, 2)) == ("inductor, frozen weights", 1.58)
    assert next(row.form for row in rows_in_order(race.rows)) == "inductor, frozen weights"


@pytest.mark.parametrize(("call_s", "groups"), [(0.02, 8), (0.5, 3)])
def test_where_a_call_takes_long_fewer_groups_are_enough(race_of, call_s, groups):
    race, _ = race_of()
    measured = race.plain(ScriptedStage({"eager": 2 * call_s, "*": call_s, "inductor, frozen weights": 0.9 * call_s}))
    assert {len(each) for form, each in measured.groups.items() if not form.is_eager} == {groups}


def test_a_form_is_not_begun_that_could_not_be_made_in_time(race_of):
    """To end it would end the process that holds the others, and they would have to be made again."""
    clock = ScriptedClock()
    race, _ = race_of(minutes=5.0, clock=clock)
    stage = ScriptedStage({"eager": 0.6, "*": 0.5}, clock=clock, build_s=60.0, ends=True)
    measured = race.plain(stage)
    rows = {row.form: row for row in race.rows.values()}
    assert rows["torch.compile lite"].reason == "the time was over"
    assert "torch.compile lite" not in stage.built
    assert all(len(groups) >= 2 for groups in measured.groups.values())
    assert choose([measured]).over_eager is not None


def test_a_form_that_cannot_be_made_or_is_wrong_is_a_row(race_of):
    race, _ = race_of()
    stage = ScriptedStage(
        {**FAST, "*": 0.02},
        broken={"torch.compile max-autotune": "LoweringException: no"},
        wrong={"inductor": "the passes change result 0"},
        dying={"inductor, frozen weights": "its process ended with status -11"},
    )
    measured = race.plain(stage)
    rows = {row.form: row for row in race.rows.values()}
    assert (rows["torch.compile max-autotune"].us, rows["torch.compile max-autotune"].right) == (None, None)
    assert rows["inductor"].right is False and "result 0" in rows["inductor"].reason
    assert "status -11" in rows["inductor, frozen weights"].reason
    assert "torch.compile" in [form.name for form in measured.groups]


def test_modes_without_a_figure_are_known_but_for_those_that_are_wrong_or_raise(race_of):
    race, _ = race_of()
    slow = {"torch.compile max-autotune": "it took longer than 45 s", "inductor": "it took longer than 45 s"}
    wrong, raising = {"torch.compile reduce-overhead": "result 0 differs"}, {"torch.compile lite": "TypeError: no"}
    race.plain(ScriptedStage({**FAST, "*": 0.02}, broken=slow, wrong=wrong, raising=raising))
    assert not_compared(race.rows) == ("torch.compile max-autotune",)
    (lite,) = [row for row in race.rows.values() if row.form == "torch.compile lite"]
    assert lite.raised and lite.reason == "TypeError: no"


def test_a_row_says_where_its_seconds_went(race_of):
    clock = ScriptedClock()
    race, _ = race_of(minutes=1.0, clock=clock)
    race.plain(ScriptedStage({**FAST, "*": 0.02}, clock=clock, build_s=12.0))
    rows = {row.form: row.seconds for row in race.rows.values()}
    assert (rows["eager"].make_s, rows["eager"].verify_s, rows["eager"].start_s) == (12.0, 0.0, 0.0)
    assert rows["eager"].look_s > 0 and rows["eager"].ended_s == pytest.approx(12.0 + rows["eager"].look_s)
    assert rows["torch.compile"].ended_s > rows["eager"].ended_s
    assert rows["torch.compile lite"] is None, "it was not begun"
    phases = race.allowance.phases
    assert set(phases) == {"forms", "comparison"}
    assert sum(phases.values()) == pytest.approx(clock.now)


def test_a_time_limit_ends_with_the_best_so_far(race_of):
    clock = ScriptedClock()
    race, steps = race_of(minutes=1.0, clock=clock)
    stage = ScriptedStage({**FAST, "inductor, frozen weights": 0.03, "*": 0.02}, clock=clock, build_s=12.0)
    measured = race.plain(stage)
    assert [name for name in stage.built if name.startswith("inductor")] == ["inductor, frozen weights"]
    left = {row.reason for row in race.rows.values() if row.form.startswith("inductor") and row.us is None}
    assert left == {"the time was over"}
    assert all(len(groups) >= 2 for groups in measured.groups.values())
    choice, _, again = race.last(lambda form: pytest.fail("nothing of ours was measured"), [measured])
    assert (choice.form.name, again) == ("torch.compile", False)
    assert clock.now < 72
    assert all(limit is not None and 0 < limit <= 66 for limit in stage.limits)
    assert steps[0].left_s < 60


@pytest.mark.parametrize(("call_s", "build_s"), [(4.0, 1.0), (0.02, 40.0), (9.0, 0.1)])
def test_slow_calls_and_slow_compilers_end_within_the_time(race_of, call_s, build_s):
    clock = ScriptedClock()
    race, _ = race_of(minutes=1.0, clock=clock)

    def stage(form=None):
        return ScriptedStage({"*": call_s, "inductor": 0.9 * call_s}, clock=clock, build_s=build_s, ends=True)

    measured = race.plain(stage())
    if choose([measured]) is not None:
        race.last(stage, [measured])
    assert clock.now <= 1.2 * 60


def test_the_answer_is_measured_in_processes_that_chose_nothing(race_of):
    race, _ = race_of()
    measured = race.plain(ScriptedStage({**FAST, "*": 0.02}))
    fresh = []

    def process(form):
        fresh.append(ScriptedStage({**FAST, "*": 0.02, "inductor, frozen weights": 0.016}))
        return fresh[-1]

    choice, processes, again = race.last(process, [measured])
    assert (choice.form.name, processes, again) == ("inductor, frozen weights", 1, True)
    assert fresh[0].built == ["eager", "torch.compile max-autotune", "inductor, frozen weights"]
    assert choice.over_baseline.ratio == pytest.approx(19 / 16, rel=0.001), "not the figure by which it was found"
    assert fresh[0].closed


def test_who_won_by_chance_is_not_the_answer(race_of):
    race, _ = race_of()
    measured = race.plain(ScriptedStage({**FAST, "*": 0.02}))
    lucky = {**FAST, "*": 0.02, "inductor, frozen weights": 0.0205}
    choice, _, again = race.last(lambda form: ScriptedStage(lucky), [measured])
    assert (choice.form.name, again) == ("torch.compile max-autotune", True)


def test_a_fresh_process_that_fails_leaves_the_first_answer(race_of):
    race, _ = race_of()
    measured = race.plain(ScriptedStage({**FAST, "*": 0.02}))
    broken = ScriptedStage(FAST, broken={"inductor, frozen weights": "no"})
    choice, processes, again = race.last(lambda form: broken, [measured])
    assert (choice.form.name, processes, again) == ("inductor, frozen weights", 1, False)


def test_an_open_answer_gets_more_processes(race_of):
    race, _ = race_of()
    close = {**FAST, "*": 0.02, "inductor": 0.0189, "inductor, frozen weights": 0.0189}
    measured = race.plain(ScriptedStage(close))
    _, processes, _ = race.last(lambda form: ScriptedStage(close), [measured])
    assert processes > 1


def test_passes_race_beside_the_best_of_the_others(race_of):
    race, _ = race_of()
    before = race.plain(ScriptedStage({**FAST, "*": 0.02}))
    stage = ScriptedStage({**FAST, "*": 0.02, "passes+inductor, frozen weights": 0.010})
    measured = race.passes(stage, before)
    assert stage.built[:4] == ["eager", "torch.compile max-autotune", "inductor, frozen weights", "passes+inductor"]
    assert measured.fastest(measured.groups).name == "passes+inductor, frozen weights"


def test_what_is_hopeless_or_wrong_is_not_built_again(race_of):
    race, _ = race_of()
    wrong = {"inductor": "the passes change result 0"}
    race.plain(ScriptedStage({**FAST, "*": 0.02}, wrong=wrong))
    again, steps = race_of()
    stage = ScriptedStage({**FAST, "*": 0.02}, wrong=wrong)
    measured = again.plain(stage)
    assert stage.built[:2] == ["eager", "torch.compile"], "within a quarter of the best mode, and eager always"
    assert "inductor" not in stage.built and "torch.compile lite" not in stage.built
    assert "inductor, frozen weights" in stage.built
    assert {step.row.form for step in steps if step.known} >= {"inductor", "torch.compile lite"}
    assert measured.fastest(measured.groups).name == "inductor, frozen weights"


def test_a_broken_line_of_the_journal_is_no_obstacle(race_of, tmp_path):
    race, _ = race_of()
    race.plain(ScriptedStage({**FAST, "*": 0.02}))
    file = tmp_path / "work" / "forms.jsonl"
    file.write_text('{"form": 3}\n<b>\n' + file.read_text() + '{"form": {"engine"')
    assert FormJournal.open(tmp_path / "work").rows == race.journal.rows


def test_waiting_for_the_device_is_not_time_used(monkeypatch):
    import contextlib

    from passnet.use.optimise import allowance as module

    clock = ScriptedClock()

    @contextlib.contextmanager
    def held_by_another(device):
        clock.now += 100.0
        yield

    monkeypatch.setattr(module, "device_lock", held_by_another)
    allowance = Allowance(1.0, clock)
    clock.now += 6.0
    with allowance.device("cpu"):
        clock.now += 6.0
    assert (allowance.spent_s, allowance.left_s) == (12.0, 48.0)
    assert allowance.before(0.21) and not allowance.before(0.2)
    assert Allowance(0.0, clock).left_s is None
