"""A model that changes after passes were applied to it: it runs itself, and the passes where it is as before."""

from __future__ import annotations

import collections
import functools

import pytest
import torch
from torch import nn

import passnet
from passnet.use.model.changes import ModelWatch
from tests.use.model.test_applied import Counted
from tests.use.use_models import PASSES, WIDTH, bloom_gelu, example


@pytest.fixture(scope="module")
def passes():
    return passnet.load_passes(PASSES)


class Scaled(nn.Module):
    """Its number is the class's until an instance has its own."""

    factor = 1.0

    def forward(self, x):
        return x * self.factor


class Model(nn.Module):
    """Reads what a module may hold besides parameters and buffers."""

    def __init__(self):
        super().__init__()
        self.scale, self.mode, self.shift = 1.0, "add", torch.ones(WIDTH)
        self.one, self.factors, self.parts = torch.tensor(2.0), [1.0, torch.tensor(1.0)], []
        self.config = {"factor": 1.0, "inner": {"factors": [1.0]}}
        self.drop, self.norm, self.scaled = nn.Dropout(0.5), nn.BatchNorm1d(WIDTH), Scaled()
        self.layers, self.more = nn.ModuleList([Scaled()]), nn.ModuleList()
        self.weight = nn.Parameter(torch.tensor(1.0))
        self.kept = None

    def forward(self, x):
        if self.kept is None:
            self.kept = torch.full((WIDTH,), 2.0)
        x = self.norm(self.scaled(self.drop(bloom_gelu(x) * self.scale * self.weight + self.shift)))
        x = x * self.factors[0] * self.factors[1] * self.config["factor"] * self.one * self.kept
        for factor in self.config["inner"].get("factors", ()):
            x = x * factor
        for layer in (*self.layers, *self.more, *self.parts):
            x = layer(x)
        return x + 1 if self.mode == "add" else x - 1


def scaled(factor=5.0):
    module = Scaled()
    module.factor = factor
    return module


CHANGES = {
    "scale": lambda model: setattr(model, "scale", 3.0),
    "text": lambda model: setattr(model, "mode", "subtract"),
    "tensor": lambda model: setattr(model, "shift", torch.zeros(WIDTH)),
    "equal tensor": lambda model: setattr(model, "shift", torch.ones(WIDTH)),
    "tensor of one element": lambda model: setattr(model, "one", torch.tensor(2.0)),
    "parameter of one element": lambda model: setattr(model, "weight", nn.Parameter(torch.tensor(1.0))),
    "buffer of one element": lambda model: setattr(model.norm, "num_batches_tracked", torch.tensor(0)),
    "part trains": lambda model: model.drop.train(),
    "norm trains": lambda model: model.norm.train(),
    "eps": lambda model: setattr(model.norm, "eps", 1.0),
    "number of a class": lambda model: setattr(model.scaled, "factor", 4.0),
    "another type": lambda model: setattr(model, "scale", 1),
    "forward": lambda model: setattr(model.scaled, "forward", lambda x: x * 7),
    "item": lambda model: model.factors.__setitem__(0, 3.0),
    "tensor in a list": lambda model: model.factors.__setitem__(1, torch.tensor(1.0)),
    "list": lambda model: setattr(model, "factors", [1.0, model.factors[1]]),
    "key": lambda model: model.config.update(factor=3.0),
    "inner key": lambda model: model.config["inner"].clear(),
    "inner dictionary": lambda model: model.config.update(inner={"factors": model.config["inner"]["factors"]}),
    "append": lambda model: model.layers.append(scaled()),
    "append to none": lambda model: model.more.append(scaled()),
    "append to an empty list": lambda model: model.parts.append(scaled()),
    "insert": lambda model: model.layers.insert(0, scaled()),
    "delete": lambda model: model.layers.__delitem__(0),
    "another part": lambda model: model.layers.__setitem__(0, scaled()),
    "hook of a part": lambda model: model.scaled.register_forward_hook(lambda module, args, result: result * 2),
    "hook before a part": lambda model: model.scaled.register_forward_pre_hook(lambda module, args: (args[0] * 2,)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_of_the_model_is_noticed(change, caplog):
    model = Model().eval()
    watch = ModelWatch(model, every=False)
    assert not watch.changed()
    assert not caplog.text
    change(model)
    assert watch.changed()
    assert watch.changed()
    assert caplog.text.count("changed after passes were applied") == 1


@pytest.mark.parametrize("name", ["scale", "part trains", "eps", "item", "append", "forward", "hook of a part"])
def test_a_changed_model_runs_itself(passes, name, caplog):
    model = Model().eval()
    with torch.no_grad():
        made = passes.apply(model, (example(),))
        before = made(example())
        CHANGES[name](model)
        counted = Counted(model)
        torch.manual_seed(0)
        found = made(example())
        assert counted.calls == 1
        torch.manual_seed(0)
        assert torch.equal(found, model(example()))
    assert not torch.allclose(before, found)
    assert "changed after passes were applied" in caplog.text


def test_the_log_names_what_changed(caplog):
    model = nn.Sequential(Model()).eval()
    watch = ModelWatch(model, every=False)
    model[0].norm.eps = 1.0
    assert watch.changed()
    assert "'0.norm.eps'" in caplog.text


def test_passes_run_again_when_the_model_is_as_before(passes):
    model = Model().eval()
    with torch.no_grad():
        made = passes.apply(model, (example(),))
        counted = Counted(model)
        for there, back in (
            (functools.partial(model.drop.train), functools.partial(model.drop.eval)),
            (functools.partial(setattr, model, "scale", 3.0), functools.partial(setattr, model, "scale", 1.0)),
            (functools.partial(model.factors.append, 1), functools.partial(model.factors.pop)),
        ):
            calls = counted.calls
            there()
            made(example())
            assert counted.calls == calls + 1
            back()
            made(example())
            assert counted.calls == calls + 1


def test_what_is_set_to_what_it_was_is_no_change(passes):
    model = Model().eval()
    with torch.no_grad():
        made = passes.apply(model, (example(),))
        model.eval()
        model.scale, model.mode = float("1.0"), "".join(["a", "dd"])
        model.norm.eps = model.norm.eps
        model.shift.mul_(2)
        model.requires_grad_(False)
        model.to("cpu")
        expected = model(example())  # binds what only a first call binds
        assert model.kept is not None
        counted = Counted(model)
        torch.testing.assert_close(made(example()), expected, rtol=1e-5, atol=1e-5)
        assert counted.calls == 0


class Cached(nn.Module):
    """Its first call makes a name, a list's items and a dictionary's."""

    def __init__(self):
        super().__init__()
        self.seen, self.tables, self.last = [], {}, nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        if not self.seen:
            self.seen.append(len(x))
            self.tables[len(x)] = torch.ones(WIDTH)
            self.size = len(x)
        return self.last(bloom_gelu(x) * self.tables[self.seen[0]])


def test_what_the_first_call_makes_is_no_change(passes):
    model = nn.Sequential(Cached()).eval()
    with torch.no_grad():
        made = passes.apply(model, (example(),))
        model(example())
        assert model[0].seen
        counted = Counted(model)
        made(example())
        assert counted.calls == 0


def test_large_collections_and_those_of_classes_are_not_looked_into():
    model = Model()
    model.many, model.named = list(range(65)), collections.UserDict(a=1)
    watch = ModelWatch(model, every=False)
    model.many[0], model.named["a"] = 5, 5
    assert not watch.changed()
    model.many = [5, *range(1, 65)]
    assert watch.changed()


def test_a_scripted_part_that_is_not_called_does_no_harm():
    model = nn.Sequential(nn.Linear(2, 2), torch.jit.script(nn.Linear(2, 2)))
    watch = ModelWatch(model, every=True)
    assert not watch.changed()
    model[0].bias = None
    assert watch.changed()
