"""The command for a model on a GPU, with a planted device: which processes there are, and what they are given."""

from __future__ import annotations

import contextlib

import pytest
import torch

from passnet.errors import InfrastructureError
from passnet.use.form import Form
from passnet.use.forms.pool import FormPool
from passnet.use.forms.stage import one_by_one
from passnet.use.optimise import session
from passnet.use.optimise.allowance import Allowance
from passnet.use.optimise.journal import FormJournal
from passnet.use.optimise.race import Race, plain_order
from passnet.use.optimise.session import Optimization
from tests.use.scripted_stage import ScriptedClock, ScriptedStage

TIMES = {
    "eager": 0.04, "torch.compile": 0.02, "torch.compile reduce-overhead": 0.012, "torch.compile max-autotune": 0.01,
    "inductor, frozen weights, cuda graph": 0.008, "*": 0.03,
}  # fmt: skip


class PlantedPool(ScriptedStage):
    """Times of a table instead of processes."""

    apart = True

    def prepare(self, forms):
        self.prepared = [form.name for form in forms]


@pytest.fixture
def on_gpu(monkeypatch):
    """A model that says that it is on a GPU. The pool and the fresh stages that the command opens."""
    opened = []

    def pool(self, model):
        opened.append(PlantedPool(TIMES))
        return opened[-1]

    def fresh(self, model, passes):
        opened.append(ScriptedStage(TIMES))
        return opened[-1]

    monkeypatch.setattr(session.UserModel, "device", property(lambda self: "cuda"))
    monkeypatch.setattr(Allowance, "device", lambda self, device: contextlib.nullcontext())
    monkeypatch.setattr(session.environment, "snapshot", lambda device: {"gpu": "planted"})
    monkeypatch.setattr(Optimization, "_pool", pool)
    monkeypatch.setattr(Optimization, "_fresh", fresh)
    return opened


@pytest.mark.slow
def test_every_mode_of_torch_compile_and_our_forms_meet(request_for, on_gpu):
    found = Optimization(request_for(passes=None), lambda step: None, None).run()
    pool, *fresh = on_gpu
    assert found.best.form == "inductor, frozen weights, cuda graph"
    assert found.best.best_torch_compile == "torch.compile max-autotune"
    assert found.best.again and fresh[0].built == [
        "eager", "torch.compile max-autotune", "inductor, frozen weights, cuda graph",
    ]  # fmt: skip
    assert pool.prepared[:3] == ["eager", "torch.compile reduce-overhead", "torch.compile"]
    assert pool.closed and all(stage.closed for stage in fresh)
    names = {row.form for row in found.rows}
    assert names >= {"torch.compile max-autotune-no-cudagraphs", "torch.compile reduce-overhead", "eager, cuda graph"}


def test_the_order_on_a_gpu_begins_with_the_mode_to_beat():
    order = plain_order("cuda", True, False, True)
    names = [form.name for form in order]
    assert len(names) == len(set(names))
    assert names[:5] == [
        "eager", "torch.compile reduce-overhead", "torch.compile", "inductor, frozen weights, cuda graph",
        "torch.compile max-autotune",
    ]  # fmt: skip
    assert names.index("inductor max-autotune, frozen weights, cuda graph") > 5, "it finds what the mode has tuned"
    assert {form for form in order if form.is_baseline} <= set(order[:7]), "without all modes no answer is one"
    assert not any("tuned convolutions" in name for name in (f.name for f in plain_order("cuda", True, False, False)))


def test_processes_share_the_caches_and_the_cores(request_for, monkeypatch):
    monkeypatch.setattr(session.UserModel, "device", property(lambda self: "cuda"))
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (139 << 30, 140 << 30))
    monkeypatch.setattr(session.os, "sched_getaffinity", lambda pid: set(range(16)))
    request = request_for(passes=None)
    command = Optimization(request, lambda step: None, None)
    model = command._model()
    pool = command._pool(model)
    assert isinstance(pool, FormPool) and pool.jobs == 4
    first, second = pool.opened(), pool.opened()
    assert first.home == second.home == request.work
    assert (first.plan.device, first.plan.sandbox) == ("cuda", None)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (4 << 30, 140 << 30))
    assert command._pool(model) is None, "without room for all, forms are made one after the other in one process"
    assert Optimization(request, lambda step: None, None, own=model)._pool(model) is None


def test_a_slow_first_process_leaves_the_answer_of_the_race(request_for, on_gpu, monkeypatch):
    def refused(self, model, passes):
        raise InfrastructureError("the process of the forms did not start: it took longer than 5 s")

    monkeypatch.setattr(Optimization, "_fresh", refused)
    found = Optimization(request_for(passes=None), lambda step: None, None).run()
    assert found.best.form == "inductor, frozen weights, cuda graph" and not found.best.again
    assert any("no time to measure the answer once more" in note for note in found.notes)


def race_on_gpu(tmp_path, clock):
    allowance = Allowance(3.0, clock)
    return Race("cuda", 1, allowance, FormJournal.open(tmp_path / "work"), lambda step: None)


def test_modes_of_torch_compile_are_begun_late_where_ending_one_ends_no_other(tmp_path):
    """Without all modes the answer is not against the best one. Our own forms are begun until 0.6 of the time."""
    clock = ScriptedClock()
    race = race_on_gpu(tmp_path, clock)
    asked = {}

    class Late(PlantedPool):
        def made(self, forms, limit):
            for clock.now in (100.0, 120.0, 143.0, 145.0):
                asked[clock.now] = (limit(Form(engine="torch.compile")), limit(Form(engine="inductor")))
            return one_by_one(self, forms[:1], limit)

    race.plain(Late(TIMES, clock=clock))
    assert asked == {100.0: (44.0, 35.0), 120.0: (24.0, 0.0), 143.0: (1.0, 0.0), 145.0: (0.0, 0.0)}


def test_the_fresh_forms_are_made_at_the_same_time(tmp_path):
    race = race_on_gpu(tmp_path, ScriptedClock())
    measured = race.plain(PlantedPool(TIMES))
    asked = []

    class Fresh(PlantedPool):
        def made(self, forms, limit):
            asked.append([form.name for form in forms])
            return one_by_one(self, forms, limit)

    choice, processes, again = race.last(lambda form: Fresh(TIMES), [measured])
    assert asked == [["eager", "torch.compile max-autotune", "inductor, frozen weights, cuda graph"]]
    assert (choice.form.name, processes, again) == ("inductor, frozen weights, cuda graph", 1, True)


def test_a_fresh_process_that_is_lost_leaves_the_answer_of_the_race(tmp_path):
    race = race_on_gpu(tmp_path, ScriptedClock())
    measured = race.plain(PlantedPool(TIMES))

    class Lost(PlantedPool):
        def made(self, forms, limit):
            raise InfrastructureError("the process of the forms did not start")

    lost = Lost(TIMES)
    choice, _, again = race.last(lambda form: lost, [measured])
    assert (choice.form.name, again, lost.closed) == ("inductor, frozen weights, cuda graph", False, True)


def test_time_that_waits_for_the_device_is_given_again(monkeypatch):
    from passnet.use.optimise import allowance as module

    clock = ScriptedClock()
    seen = []

    @contextlib.contextmanager
    def held(device):
        clock.now += 50.0
        seen.append(allowance.left_s)
        yield

    monkeypatch.setattr(module, "device_lock", held)
    allowance = Allowance(1.0, clock)
    with allowance.device("cuda"):
        pass
    assert seen == [60.0], "while it waits, no time is used"
