"""`torch.compile(backend="passnet")`: registered, right, and eager wherever it must not touch a graph."""

from __future__ import annotations

import pytest
import torch

import passnet
from passnet.errors import UsageError
from tests.use.use_models import PASSES, Broken, Plain, example, network


@pytest.fixture(autouse=True)
def forget():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def compiled(model, **options):
    decisions = []
    chosen = {"passes": PASSES, "report": decisions.append, **options}
    return torch.compile(model, backend="passnet", options=chosen), decisions


def test_the_backend_is_registered():
    assert "passnet" in torch._dynamo.list_backends()


@torch.no_grad()
def test_results_and_count():
    model = network()
    fast, decisions = compiled(model)
    found, expected = fast(example()), model(example())
    assert [decision.replaced for decision in decisions] == [2]
    for name in expected:
        torch.testing.assert_close(found[name], expected[name], rtol=1e-5, atol=1e-5)


@torch.no_grad()
def test_every_piece_of_a_broken_graph_is_rewritten():
    fast, decisions = compiled(Broken())
    torch.testing.assert_close(fast(example()), Broken()(example()), rtol=1e-5, atol=1e-5)
    assert [decision.replaced for decision in decisions] == [1, 1]


@torch.no_grad()
def test_loaded_passes_may_be_given():
    fast, decisions = compiled(network(), passes=passnet.load_passes(PASSES))
    fast(example())
    assert decisions[0].replaced == 2


@torch.no_grad()
def test_a_graph_without_a_match_runs_as_it_is():
    fast, decisions = compiled(Plain())
    assert torch.equal(fast(example()), Plain()(example()))
    assert decisions[0].reason == "no pass matches"


def test_training_runs_as_it_is():
    model = network()
    fast, decisions = compiled(model)
    fast(example())["logits"].sum().backward()
    assert model.first.weight.grad is not None
    assert "gradient" in decisions[0].reason


@torch.no_grad()
def test_autocast_runs_as_it_is():
    model = network()
    fast, decisions = compiled(model)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found, expected = fast(example()), model(example())
    assert torch.equal(found["logits"], expected["logits"])
    assert "autocast" in decisions[0].reason


@torch.no_grad()
def test_symbolic_sizes_are_refused_with_a_reason():
    decisions = []
    options = {"passes": PASSES, "report": decisions.append}
    fast = torch.compile(network(), backend="passnet", options=options, dynamic=True)
    fast(example())
    assert "dynamic=False" in decisions[0].reason


@torch.no_grad()
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "which passes"),
        ({"passes": None}, "what load_passes returned"),
        ({"passes": 3}, "found 3"),
        ({"passes": "nowhere"}, "no such directory of passes"),
        ({"passes": PASSES, "policy": "lax"}, "unknown policy level"),
        ({"passes": PASSES, "check": 1}, "expected True or False"),
        ({"passes": PASSES, "speed": 3}, "unknown option"),
        ({"passes": PASSES, "inductor": {"no_such_setting": 1}}, "no such setting of Inductor's"),
    ],
)
def test_wrong_options_are_told(options, words):
    with pytest.raises(Exception, match=words) as raised:
        torch.compile(network(), backend="passnet", options=options)(example())
    chain = [raised.value, raised.value.__cause__, getattr(raised.value, "inner_exception", None)]
    assert any(isinstance(error, UsageError) for error in chain)
