"""Forms made for real: in this process, in another one that may die or hang, and with passes in a sandbox."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path

import pytest
import torch
from torch import nn

from passnet.bench.isolation.sandbox import SandboxPlan
from passnet.errors import UsageError
from passnet.use.form import EAGER, Form
from passnet.use.forms import stage as stages
from passnet.use.forms.calls import ExampleCall
from passnet.use.forms.remote import RemoteStage
from passnet.use.forms.stage import FormFailed, OwnStage
from passnet.use.forms.worker import StagePlan
from passnet.use.passes import load_placed
from tests.use.library_runs import TASKS

PASSES, INSIDE = Form(engine="eager", passes=True), Form(engine="inductor", passes=True)
FROZEN = Form(engine="inductor", frozen=True)
torch.set_num_threads(1)


@pytest.fixture
def placed_passes(tmp_path):
    shutil.copytree(TASKS / "bloom_gelu" / "pass_dir", tmp_path / "placed" / "00-bloom")
    return tmp_path / "placed"


@pytest.fixture
def stage_of(tmp_path):
    opened = []

    def stage_of(name, **fields):
        known = {
            "spec": f"tests.use.optimize_models:{name}", "device": None, "examples": None, "threads": 1,
            "passes": None, "policy": "strict", "sandbox": None,
        }  # fmt: skip
        stage = RemoteStage(StagePlan(**(known | fields)), tmp_path / "home")
        opened.append(stage)
        stage.start()
        return stage

    yield stage_of
    for stage in opened:
        stage.close()


# --- in this process -----------------------------------------------------------------------------------------------


class Noisy(nn.Module):
    """Right in the form that tracing sees, wrong in the one that runs: what a miscompilation looks like."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        y = self.linear(x)
        return y + 1e-1 if torch.compiler.is_compiling() else y


@pytest.mark.parametrize("scale", [1.0, 5.0])
def test_a_wrong_program_is_a_row_with_what_was_expected(scale):
    """Its graph says what it does while it is traced. So that is no truth, however near the program is to it."""
    x, model = torch.randn(4, 8), Noisy().eval()
    with torch.no_grad():
        model.linear.weight *= scale
    stage = OwnStage(model, [ExampleCall((x,))], "cpu", None)
    found = stage.build(Form(engine="torch.compile"))
    assert (found.right, stage.build(EAGER).right) == (False, True)
    assert "result 0 of the model" in found.reason and "largest difference of 0.1" in found.reason


def test_what_cannot_be_made_is_a_row_with_its_reason():
    stage = OwnStage(nn.Tanh().eval(), [ExampleCall((torch.randn(3),))], "cpu", None)
    found = stage.build(Form(engine="eager", graph="copied"))
    assert found.right is None
    assert "needs a model on a GPU" in found.reason
    assert "there are no passes here" in stage.build(PASSES).reason


@pytest.mark.parametrize(("error", "raised"), [(TypeError("no"), True), (torch.OutOfMemoryError("full"), False)])
def test_an_error_of_the_form_itself_is_not_that_of_a_full_machine(monkeypatch, error, raised):
    def build_form(*given):
        raise RuntimeError("a compiler's own words") from error

    monkeypatch.setattr(stages, "build_form", build_form)
    stage = OwnStage(nn.Tanh().eval(), [ExampleCall((torch.randn(3),))], "cpu", None)
    found = stage.build(Form(engine="torch.compile"))
    assert (found.right, found.raised, found.reason) == (None, raised, "RuntimeError: a compiler's own words")


def test_passes_of_a_model_are_made_and_called(placed_passes):
    from tests.use import optimize_models

    model, args, kwargs = optimize_models.mixed()
    loaded = load_placed(placed_passes, "strict")
    stage = OwnStage(model.eval(), [ExampleCall(args, kwargs)], "cpu", loaded)
    assert stage.build(PASSES).right is True
    assert stage.seconds(PASSES, 2) > 0
    nothing = OwnStage(nn.Tanh().eval(), [ExampleCall((torch.randn(3),))], "cpu", loaded)
    assert "no pass matches" in nothing.build(PASSES).reason


def test_weights_that_are_constants_are_given_up_when_they_change():
    model = nn.Sequential(nn.Linear(8, 8), nn.Tanh()).eval()
    first, second, other = torch.randn(4, 8), torch.randn(2, 8), torch.randn(3, 8)
    stage = OwnStage(model, [ExampleCall((first,)), ExampleCall((second,))], "cpu", None)
    assert stage.build(FROZEN).right is True
    program = stage._programs[FROZEN]
    with torch.no_grad():
        for x in (first, second, other):
            torch.testing.assert_close(program(x), model(x))
        calls = []
        model.register_forward_hook(lambda *given: calls.append(given))
        program(first), program(second)
        assert calls == [], "both shapes have a program of their own"
        program(other)
        assert len(calls) == 1, "a third one is the model's own"
        before = copy.deepcopy(program(first))
        model[0].weight.mul_(2.0)
        assert not torch.allclose(program(first), before)
        torch.testing.assert_close(program(first), model(first))


# --- in another process --------------------------------------------------------------------------------------------


def test_a_process_that_dies_costs_its_form_and_is_started_again(stage_of):
    stage = stage_of("dying")
    assert stage.device == "cpu"
    assert stage.build(EAGER).right is True
    with pytest.raises(FormFailed, match="status 7"):
        stage.seconds(EAGER, 100)
    assert stage.build(EAGER).right is True
    assert stage.seconds(EAGER, 1) > 0


@pytest.mark.slow
def test_a_form_that_takes_too_long_is_ended(stage_of):
    stage = stage_of("hanging")
    found = stage.build(EAGER, 5.0)
    assert (found.right, found.reason) == (None, "it took longer than 5 s")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("raises", "ValueError: no weights here"),
        ("no_model", "returned no model"),
        ("wrong_arguments", "a call of the"),
    ],
)
def test_a_model_that_is_none_is_told(stage_of, name, words):
    with pytest.raises(UsageError, match=words):
        stage_of(name)


def test_passes_run_in_a_sandbox(stage_of, placed_passes, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("dear")
    box = SandboxPlan("", "", "", (str(placed_passes),), False)
    stage = stage_of("mixed", passes=str(placed_passes), sandbox=box, examples=None)
    found = stage.build(PASSES)
    assert (found.right, found.reason) == (True, None)
    assert stage.seconds(PASSES, 3) > 0
    maps = Path(f"/proc/{stage._process.pid}/status").read_text()
    assert "Seccomp:\t2" in maps or "namespaces" in maps or "NoNewPrivs:\t1" in maps


PLANT = """
import subprocess

_PLANT = '''cd "$TORCHINDUCTOR_CACHE_DIR" && for f in $(find . -type f); do rm -f "$f"; ln -s {victim} "$f"; done
ln -s {elsewhere} new; true'''
subprocess.run(["/bin/sh", "-c", _PLANT])
"""


def test_links_that_a_pass_leaves_among_the_caches_lead_nobody_out(stage_of, placed_passes, tmp_path):
    victim, elsewhere, kept = tmp_path / "letter", tmp_path / "elsewhere", tmp_path / "home" / "inductor" / "ab"
    victim.write_text("dear")
    elsewhere.mkdir()
    (elsewhere / "letter").write_text("dear")
    kept.mkdir(parents=True)
    (kept / "cabx.py").write_text("# compiled without passes")
    file = placed_passes / "00-bloom" / "bloom_gelu_cpp.py"
    file.write_text(file.read_text().replace("import torch\n", "import torch\n" + PLANT.format_map(locals()), 1))
    box = SandboxPlan("", "", "", (str(placed_passes),), False)
    for _ in range(2):
        stage = stage_of("mixed", passes=str(placed_passes), sandbox=box, policy="native")
        assert stage.build(PASSES).reason is None
        planted = stage._rooms[-1]
        assert (planted / "inductor" / "ab" / "cabx.py").is_symlink()  # the pass ran, and had its way in there
        stage.close()
        assert not planted.exists()
        assert victim.read_text() == "dear"
        assert [each.name for each in elsewhere.iterdir()] == ["letter"]
        assert (kept / "cabx.py").read_text() == "# compiled without passes"
    assert sorted(each.name for each in (tmp_path / "home").iterdir()) == ["forms.log", "inductor"]


@pytest.mark.slow
def test_every_form_of_a_model_with_several_shapes(stage_of):
    stage = stage_of("plain", examples="tests.use.optimize_models:other_shapes")
    for form in (EAGER, Form(engine="torch.compile"), Form(engine="inductor"), FROZEN):
        found = stage.build(form, 120.0)
        assert (found.right, found.reason) == (True, None), form.name
        assert stage.seconds(form, 3) > 0


@pytest.mark.slow
def test_passes_inside_inductor_are_made_in_a_sandbox(stage_of, placed_passes):
    box = SandboxPlan("", "", "", (str(placed_passes),), False)
    stage = stage_of("mixed", passes=str(placed_passes), sandbox=box)
    found = stage.build(INSIDE, 200.0)
    assert (found.right, found.reason) == (True, None)
