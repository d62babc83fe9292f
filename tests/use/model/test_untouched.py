"""A model is exactly as it was after a call that changes it in any way, also after an error."""

from __future__ import annotations

from collections import OrderedDict, deque

import pytest
import torch
from torch import nn

from passnet.errors import UsageError
from passnet.use.model.untouched import Kept, untouched


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))
        self.seen = None


class Changing(nn.Module):
    """Holds something of every kind."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(()))
        self.weight = nn.Parameter(torch.ones(3))
        self.inner = Inner()
        self.table = torch.arange(3.0)
        self.calls = 0
        self.list, self.queue, self.names = [torch.ones(2)], deque([1]), {1, 2}
        self.nested = OrderedDict(a=[1], b={"c": torch.zeros(2)})


CHANGES = {
    "buffer count": lambda m: setattr(m, "count", m.count + 1),
    "buffer inner.mean": lambda m: setattr(m.inner, "mean", torch.ones(3)),
    "inner.seen": lambda m: setattr(m.inner, "seen", torch.ones(3)),
    "calls": lambda m: setattr(m, "calls", 1),
    "last": lambda m: setattr(m, "last", torch.ones(3)),
    "table": lambda m: setattr(m, "table", m.table * 2),
    "parameter weight": lambda m: setattr(m, "weight", nn.Parameter(torch.zeros(3))),
    "module inner": lambda m: setattr(m, "inner", nn.Identity()),
    "list": lambda m: m.list.append(torch.ones(2)),
    "queue": lambda m: m.queue.append(2),
    "names": lambda m: m.names.add(3),
    "nested.a": lambda m: m.nested["a"].append(2),
    "nested.b.d": lambda m: m.nested["b"].update(d=torch.ones(1)),
}


def state(model):
    """The identities of all that a model holds."""
    inner = vars(model.inner)
    held = [vars(model), inner, *(home[name] for home in (vars(model), inner) for name in ("_buffers", "_parameters"))]
    each = [[(name, id(value)) for name, value in home.items()] for home in held]
    return each, list(model.list), list(model.queue), set(model.names), list(model.nested["a"]), dict(model.nested["b"])


@pytest.mark.parametrize("error", [None, ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("name", CHANGES)
def test_names_stand_for_what_they_stood_for(name, error):
    model = Changing()
    before = state(model)
    kept = Kept(model)
    try:
        with untouched(model, ()):
            CHANGES[name](model)
            assert kept.rebound() == [name]
            if error is not None:
                raise error
    except (ValueError, KeyboardInterrupt):
        pass
    assert state(model) == before
    assert kept.rebound() == []


def test_contents_are_as_before():
    model = Changing()
    with untouched(model, ()), torch.no_grad():
        for tensor in (model.count, model.inner.mean, model.table, model.list[0], model.nested["b"]["c"]):
            tensor.add_(5)
    assert model.count == 0
    assert torch.equal(model.inner.mean, torch.zeros(3))
    assert torch.equal(model.table, torch.arange(3.0))
    assert torch.equal(model.list[0], torch.ones(2))
    assert torch.equal(model.nested["b"]["c"], torch.zeros(2))


def test_equal_values_are_no_change():
    model = Changing()
    kept = Kept(model)
    model.count, model.list, model.calls = model.count.clone(), [torch.ones(2)], 0
    assert kept.rebound() == []


def test_an_expanded_buffer_of_no_numbers_is_left_alone():
    model = nn.Module()
    model.register_buffer("mask", torch.full((1,), float("nan")).expand(4))
    with untouched(model, ()):
        pass
    assert model.mask.stride() == (0,)


def test_a_model_without_shapes_is_refused():
    with pytest.raises(UsageError, match="parameters without shapes"):
        Kept(nn.Sequential(nn.LazyLinear(3)))
