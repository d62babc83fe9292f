"""Forms in processes of their own: what is made at a time, what never ends, and who is timed where."""

from __future__ import annotations

import os

import pytest

from passnet.errors import UsageError
from passnet.use.form import EAGER, Form
from passnet.use.forms.pool import FormPool, fits, jobs_of
from passnet.use.forms.remote import RemoteStage
from passnet.use.forms.stage import FormFailed
from passnet.use.forms.wire import FormBuilt
from passnet.use.forms.worker import StagePlan

FORMS = [EAGER, *(Form(engine="torch.compile", mode=mode) for mode in ("default", "max-autotune", "lite"))]


class PlantedProcess:
    """A process that answers when a test lets it, or never. `log`: what happened, of all of them."""

    def __init__(self, log, ready):
        self.log, self.ready = log, ready
        self.reader, self.writer = os.pipe()
        self.form = None

    def launch(self):
        self.log.append("launch")

    def begin(self, form):
        self.form = form
        self.log.append(f"begin {form.name}")
        if form.name in self.ready:
            os.write(self.writer, b"m")

    def answers(self):
        return self.form.name in self.ready and self.form is not None

    def fileno(self):
        return self.reader

    def answered(self, form):
        return FormBuilt(seconds=1.0, right=True, reason=self.ready[form.name])

    def seconds(self, form, rounds, limit_s=None):
        return 0.5 * rounds

    def close(self):
        self.log.append("close" if self.form is None else f"close {self.form.name}")


@pytest.fixture
def pool_of():
    def pool_of(jobs, **ready):
        log = []
        names = {name.replace("_", " "): reason for name, reason in ready.items()}
        return FormPool(lambda: PlantedProcess(log, names), jobs), log

    return pool_of


ALL = {"eager": None, "torch.compile": None, "torch.compile max-autotune": None, "torch.compile lite": None}


def test_as_many_at_a_time_as_there_are_jobs_and_eager_takes_no_place(pool_of):
    pool, log = pool_of(1, **ALL)
    made = pool.made(FORMS, lambda form: None)
    assert next(made)[0] == EAGER
    assert log == ["begin eager", "begin torch.compile", "launch"], "a process for the next form starts with its model"
    assert [form for form, _ in made] == FORMS[1:]
    assert log.count("launch") == 2, "none is started for a form that is none"
    assert pool.seconds(EAGER, 4) == 2.0
    pool.close()
    assert sorted(log[-4:]) == [f"close {form.name}" for form in sorted(FORMS, key=lambda form: form.name)]


def test_the_first_form_that_tunes_does_so_alone(pool_of):
    """What else tunes finds in the caches what was tuned. Two at a time would tune the same kernels twice."""
    tuned, other = FORMS[2], Form(engine="torch.compile", mode="max-autotune-no-cudagraphs")
    forms = [tuned, other, FORMS[3], FORMS[2].model_copy(update={"engine": "inductor"})]
    pool, log = pool_of(4, **ALL, **{other.name: None, "inductor max-autotune": None})
    pool.prepare(forms)
    assert log == ["begin torch.compile max-autotune", "begin torch.compile lite", "launch"]
    assert {form for form, _ in pool.made(forms, lambda form: None)} == set(forms)
    begun = [line for line in log if line.startswith("begin")]
    assert begun[2:] == ["begin torch.compile max-autotune-no-cudagraphs", "begin inductor max-autotune"]


def test_modes_of_torch_compile_tune_before_ours(pool_of):
    tuned, other = FORMS[2], Form(engine="torch.compile", mode="max-autotune-no-cudagraphs")
    ours = [Form(engine="inductor", mode="max-autotune", frozen=frozen) for frozen in (False, True)]
    pool, log = pool_of(4, **{form.name: None for form in (tuned, other, *ours)})
    made = pool.made([tuned, other, *ours], lambda form: None)
    assert next(made)[0] == tuned
    assert next(made)[0] == other
    assert [line for line in log if line.startswith("begin")] == [f"begin {form.name}" for form in (tuned, other)]
    assert {next(made)[0], next(made)[0]} == set(ours)


def test_a_process_that_was_started_for_nothing_is_ended(pool_of):
    pool, log = pool_of(1, **ALL)
    pool.prepare(FORMS)
    assert log[-1] == "launch"
    found = dict(pool.made(FORMS, lambda form: None if form in FORMS[:2] else 0.0))
    assert [found[form].reason for form in FORMS[2:]] == ["the time was over"] * 2
    assert log.count("close") == 1
    pool.prepare(FORMS)
    pool.close()
    assert log.count("close") == 2


def test_who_never_answers_is_ended_and_the_others_are_there(pool_of):
    pool, log = pool_of(4, **{name: None for name in ALL if name != "torch.compile max-autotune"})
    found = dict(pool.made(FORMS, lambda form: 0.05))
    assert [form.name for form, built in found.items() if built.reason is None] == [
        "eager", "torch.compile", "torch.compile lite",
    ]  # fmt: skip
    assert "it took longer than" in found[FORMS[2]].reason
    assert "close torch.compile max-autotune" in log
    with pytest.raises(FormFailed, match="was not made"):
        pool.seconds(FORMS[2], 1)


def test_what_was_prepared_is_not_begun_again_and_what_is_not_wanted_ends(pool_of):
    pool, log = pool_of(1, **ALL)
    pool.prepare(FORMS)
    assert log == ["begin eager", "begin torch.compile", "launch"]
    assert [form for form, _ in pool.made([EAGER, FORMS[3]], lambda form: None)] == [EAGER, FORMS[3]]
    assert log[3:] == ["close torch.compile", "begin torch.compile lite"]


def test_what_fails_and_what_has_no_time_are_rows(pool_of):
    pool, _ = pool_of(2, **ALL | {"torch.compile": "LoweringException: no"})
    found = dict(pool.made(FORMS, lambda form: 0.0 if form.mode == "lite" else None))
    assert found[FORMS[1]].reason == "LoweringException: no"
    assert found[FORMS[3]].reason == "the time was over"
    with pytest.raises(FormFailed):
        pool.seconds(FORMS[1], 1)


def test_room_and_jobs():
    assert fits(14, 1 << 30, 139 << 30) and not fits(14, 1 << 30, 24 << 30)
    assert [jobs_of(cores) for cores in (1, 2, 16, 128)] == [1, 1, 4, 8]


@pytest.fixture
def real_pool(tmp_path):
    pools = []

    def real_pool(name):
        spec = f"tests.use.optimize_models:{name}"
        plan = StagePlan(
            spec=spec, device="cpu", examples=None, threads=1, passes=None, policy="strict", sandbox=None
        )  # fmt: skip
        pools.append(FormPool(lambda: RemoteStage(plan, tmp_path / "home"), 2))
        return pools[-1]

    yield real_pool
    for pool in pools:
        pool.close()


def test_real_processes(real_pool):
    pool = real_pool("plain")
    in_graph = Form(engine="eager", graph="copied")
    found = dict(pool.made([EAGER, in_graph], lambda form: 120.0))
    assert found[EAGER].right is True
    assert "needs a model on a GPU" in found[in_graph].reason
    assert pool.seconds(EAGER, 3) > 0


def test_a_model_that_is_none_is_told_to_its_user(real_pool):
    with pytest.raises(UsageError, match="ValueError: no weights here"):
        real_pool("raises").build(EAGER, 120.0)


def test_a_process_that_dies_costs_its_form(real_pool):
    pool = real_pool("dying")
    assert pool.build(EAGER, 120.0).right is True
    with pytest.raises(FormFailed, match="status 7"):
        pool.seconds(EAGER, 100)
