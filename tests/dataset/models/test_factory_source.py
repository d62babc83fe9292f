"""Factories of the user's own: what they may return, and one clear line for what they may not."""

import textwrap

import pytest
import torch

from passnet.dataset.capture.model import capture_model
from passnet.dataset.models.factory_source import FactorySource
from passnet.errors import UsageError

MODULE = """
import torch

def bare():
    return NoInputs()

def with_inputs():
    return torch.nn.Linear(4, 2).train(), (torch.randn(3, 4),)

def with_tensor():
    return torch.nn.Linear(4, 2), torch.randn(3, 4)

def with_keywords():
    return torch.nn.Linear(4, 2), (), {"input": torch.randn(3, 4)}

def a_number():
    return 3

def four_things():
    return torch.nn.Linear(4, 2), (), {}, None

def args_that_are_none():
    return torch.nn.Linear(4, 2), None

def raises():
    raise ValueError("broken")

constant = 5

class NoInputs(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(5))

    def forward(self):
        return torch.relu(self.weight) * 2
"""


@pytest.fixture(autouse=True)
def _module(tmp_path, monkeypatch):
    (tmp_path / "own_models.py").write_text(textwrap.dedent(MODULE), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "own_models", raising=False)


@pytest.mark.parametrize("function", ["bare", "with_inputs", "with_tensor", "with_keywords"])
def test_the_forms_a_factory_may_return(function):
    source = FactorySource(f"own_models:{function}")
    (name,) = source.names()
    record, (graph,) = capture_model(source, name)
    assert name == f"own_models.{function}"
    assert record.complete
    assert graph.meta["source"] == "user"


def test_the_model_is_in_evaluation_mode_and_seeded():
    source = FactorySource("own_models:with_inputs")
    first, second = source.build("x", "real"), source.build("x", "real")
    assert not first.model.training
    assert torch.equal(first.args[0], second.args[0])
    assert torch.equal(first.model.weight, second.model.weight)


@pytest.mark.parametrize("method", ["fake", "meta"])
def test_it_can_be_built_without_values(method):
    source = FactorySource("own_models:with_inputs")
    record, (graph,) = capture_model(source, source.names()[0], methods=[method])
    assert record.complete
    assert graph.meta["capture_method"] == method


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("own_models", "not a factory.*module:function"),
        (":make", "not a factory"),
        ("own_models:", "not a factory"),
        ("no_such_module:make", "no module 'no_such_module'"),
        ("own_models:absent", "no such function.*absent"),
        ("own_models:constant", "not a function.*constant"),
    ],
)
def test_a_factory_that_is_not_there_is_a_usage_error(spec, words):
    with pytest.raises(UsageError, match=words):
        FactorySource(spec).load()


@pytest.mark.parametrize("function", ["a_number", "four_things", "args_that_are_none"])
def test_what_is_no_model_is_a_usage_error(function):
    with pytest.raises(UsageError, match="the factory returned no model"):
        FactorySource(f"own_models:{function}").build("x", "real")


def test_a_module_that_lacks_a_dependency_says_so_itself(tmp_path):
    (tmp_path / "needs_more.py").write_text("import a_dependency_that_is_missing\n", encoding="utf-8")
    with pytest.raises(ModuleNotFoundError, match="a_dependency_that_is_missing"):
        FactorySource("needs_more:make").load()


def test_what_the_factory_raises_is_a_record():
    record, _ = capture_model(FactorySource("own_models:raises"), "own_models.raises")
    assert (record.outcome, record.stage, record.reason) == ("failed", "build", "ValueError: broken")
