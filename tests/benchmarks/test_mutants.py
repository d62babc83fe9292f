"""Mutants: one wrong statement, what it changes, and what is counted as missed."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import ModuleType

import pytest
import torch
from torch import fx
from torch.nn import functional

from tests.graph.graph_helpers import graph_of, spec

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def mutants(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import mutants

    return mutants


def traced(function) -> fx.GraphModule:
    return fx.symbolic_trace(function)


def clamped(x, mask):
    kept = torch.clamp(x, -1.0, 1.0)
    total = kept.sum(-1, keepdim=True)
    return (torch.where(mask, kept / total, 0.0),)


def test_each_statement_has_mutants_and_one_runs_at_a_time(mutants: ModuleType) -> None:
    module, inputs = traced(clamped), [torch.randn(4, 8) * 3, torch.rand(4, 8) < 0.5]
    found = mutants.Run(module).all_mutants(inputs)
    assert len(set(found)) == len(found)
    named = {(op, wrong) for _, op, wrong in found}
    assert {("clamp", "no upper end"), ("sum", "of the first half"), ("where", "always the first")} <= named
    (without_end,) = (each for each in found if each[1:] == ("clamp", "no upper end"))
    (outputs,) = mutants.Run(module, without_end)(inputs)
    kept = inputs[0].clamp(min=-1.0)
    torch.testing.assert_close(outputs, torch.where(inputs[1], kept / kept.sum(-1, keepdim=True), 0.0))


def test_inputs_stay_what_they_are(mutants: ModuleType) -> None:
    inputs = [torch.randn(4, 8), torch.rand(4, 8) < 0.5]
    before = [each.clone() for each in inputs]
    for mutant in (module := mutants.Run(traced(clamped))).all_mutants(inputs):
        mutants.made(mutants.Pair(module.module), inputs, mutant, module(inputs))
    assert all(map(torch.equal, inputs, before))


def test_statements_that_only_look_elsewhere_or_write_are_none(mutants: ModuleType) -> None:
    def function(x):
        return (x.view(-1)[1:].transpose(0, 0).relu_(),)

    assert mutants.Run(traced(function)).all_mutants([torch.randn(4, 2)]) == []


def test_where_the_cpu_refuses_inputs_the_device_is_not_asked(mutants: ModuleType) -> None:
    def function(table, index):
        return (functional.embedding(index, table),)

    def noted(table):
        seen.append(table)

    seen, graph = [], fx.Graph()
    table, _ = graph.placeholder("table"), graph.placeholder("index")
    graph.call_function(noted, (table,))
    graph.output((table,))
    pair = mutants.Pair(fx.GraphModule({}, graph), traced(function))
    assert pair.outputs([torch.randn(3, 2), torch.tensor([3])]) is None and not seen
    assert pair.outputs([torch.randn(3, 2), torch.tensor([2])]) is not None and len(seen) == 1


def test_a_mutant_of_another_form_is_no_program(mutants: ModuleType) -> None:
    def function(x):
        return (functional.pad(x, (1, 1), "constant", 2.0),)

    module, inputs = traced(function), [torch.randn(2, 3)]
    eager = mutants.Run(module)(inputs)
    (zeros,) = (each for each in mutants.Run(module).all_mutants(inputs) if each[2] == "with zeros")
    assert mutants.made(mutants.Pair(module), inputs, zeros, eager) is not None
    assert mutants.made(mutants.Pair(module), inputs, zeros, [eager[0][:, 1:]]) is None


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        (torch.tensor([3.0, 4.0]), torch.tensor([3.0, 4.0]), 0.0),
        (torch.tensor([3.0, 4.0]), torch.tensor([3.0, 9.0]), 1.0),
        (torch.tensor([3.0, torch.inf]), torch.tensor([3.0, 4.0]), 1.0),
        (torch.tensor([1, 2, 3, 4]), torch.tensor([1, 2, 3, 5]), 0.25),
        (torch.zeros(2), torch.zeros(2), 0.0),
        (torch.zeros(0), torch.zeros(0), 0.0),
    ],
)
def test_how_far_results_are_from_each_other(mutants: ModuleType, one, other, apart: float) -> None:
    assert mutants.far([one], [other]) == pytest.approx(apart)


def test_other_inputs_have_the_same_forms_and_weights_stay(mutants: ModuleType) -> None:
    specs = [
        spec("x", 4, 8, 16, dtype="float16"),
        spec("ids", 4, 8, dtype="int64", min_val=3, max_val=8),
        spec("w", 9, 16),
    ]
    graph = graph_of(specs, "e = torch.nn.functional.embedding(ids, w)", "y = e * x", "return (y,)")
    usual = graph.inputs(1)
    for seed in range(50):
        made = mutants.other_inputs(graph, usual, Random(seed))
        assert [(each.shape, each.dtype) for each in made] == [(each.shape, each.dtype) for each in usual]
        assert torch.equal(made[2], usual[2])


def test_what_is_refused_is_alike_or_missed_is_counted_apart(mutants: ModuleType) -> None:
    kept = [{"node": "a", "op": "add", "wrong": "w", "changed": 0, "differs": 0},
            {"node": "b", "op": "mul", "wrong": "w", "changed": 3, "differs": 5}]  # fmt: skip
    found = mutants.summary(
        [{"graph": "g", "mutants": 10, "calls": 7, "kept": kept}, {"graph": "h", "left_out": "large inputs"}]
    )
    assert (found["graphs"], found["mutants"], found["refused"], found["alike"]) == (1, 10, 8, 1)
    assert [each["op"] for each in found["missed"]] == ["mul"] and found["left_out"] == {"large inputs": 1}
