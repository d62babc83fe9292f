"""`passnet.optimize`: the chosen form in this process, for the examples; the model itself for the rest."""

from __future__ import annotations

import pytest
import torch
from torch import nn

import passnet
from passnet.errors import UsageError
from passnet.use.optimise.session import Optimization
from tests.use.scripted_stage import ScriptedStage

torch.set_num_threads(1)


class Doubling(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x, bias=None):
        y = torch.tanh(self.linear(x)) * 2
        return {"y": y if bias is None else y + bias}


@pytest.fixture
def raced(monkeypatch):
    """Times of the forms from a table, so that only the chosen form is made."""

    def use(**times):
        stage = ScriptedStage({"*": 1e-4} | times)
        monkeypatch.setattr(Optimization, "_opened", lambda self, model, passes: stage)
        return stage

    return use


def test_the_chosen_form_runs_the_examples_and_the_model_the_rest(raced):
    raced(**{"inductor": 5e-5})
    model = Doubling().eval()
    x, y, other = torch.randn(4, 8), torch.randn(2, 8), torch.randn(3, 8)
    steps = []
    fast = passnet.optimize(model, (x,), more=[(y,)], author=None, report=steps.append)
    assert fast.evidence.best.form == "inductor"
    assert next(step.row.form for step in steps) == "eager"
    calls = []
    model.register_forward_hook(lambda *given: calls.append(given))
    with torch.no_grad():
        expected = [model(value)["y"] for value in (x, y, other)]
        calls.clear()
        found = [fast(value)["y"] for value in (x, y)]
        assert calls == []
        found.append(fast(other)["y"])
        assert len(calls) == 1
    for ours, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_where_eager_is_best_the_model_itself_is_called(raced):
    raced(**{"eager": 1e-5})
    model, x = Doubling().eval(), torch.randn(4, 8)
    fast = passnet.optimize(model, x, {"bias": torch.randn(8)}, author=None)
    assert fast.evidence.bundle is None and fast.evidence.best.form == "eager"
    with torch.no_grad():
        assert torch.equal(fast(x)["y"], model(x)["y"])


def test_what_stays_can_be_loaded(raced, tmp_path):
    raced(**{"torch.compile": 5e-5})
    passnet.optimize(Doubling().eval(), torch.randn(4, 8), author=None, out=tmp_path / "fast")
    loaded = passnet.load_passes(tmp_path / "fast")
    assert loaded.form.name == "torch.compile"
    assert loaded.names == ()


@pytest.mark.parametrize(
    ("model", "args", "words"),
    [
        (Doubling(), torch.randn(4, 8), "in training mode.*model.eval"),
        (torch.tanh, torch.randn(4, 8), "not a model"),
        (Doubling().eval(), torch.randn(4, 3), "a call of the model fails"),
        (Doubling().eval(), 5, "wrong example inputs"),
    ],
)
def test_what_cannot_be_optimised_is_told(model, args, words):
    with pytest.raises(UsageError, match=words):
        passnet.optimize(model, args, author=None)


def test_unknown_authors_are_told_before_anything_is_measured(raced):
    stage = raced()
    with pytest.raises(UsageError, match="unknown author 'nobody'"):
        passnet.optimize(Doubling().eval(), torch.randn(4, 8), author="nobody")
    assert stage.built == []


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_for_real():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 64)).eval()
    x = torch.randn(16, 64)
    fast = passnet.optimize(model, x, author=None, minutes=2)
    with torch.no_grad():
        torch.testing.assert_close(fast(x), model(x))
    assert fast.evidence.best is not None
    assert {row.form for row in fast.evidence.rows} >= {"eager", "torch.compile", "torch.compile max-autotune"}
