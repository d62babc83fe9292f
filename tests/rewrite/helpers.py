"""Shared by the tests of the room: capture graphs through Dynamo, make rules of plain functions."""

import inspect
from pathlib import Path

import torch

from passnet.rewrite.rules.arguments import trace_arguments
from passnet.rewrite.rules.rule import Rule, check_bindable
from passnet.rewrite.rules.trace import trace_pattern

HERE = Path(__file__)
torch.set_num_threads(1)


def capture(function, *inputs):
    """The torch-level graph of `function`, as models are captured."""
    captured = []

    def backend(gm, example_inputs):
        captured.append(gm)
        return gm

    torch._dynamo.reset()
    with torch.no_grad():
        torch.compile(function, backend=backend, dynamic=False, fullgraph=True)(*(value.clone() for value in inputs))
    assert len(captured) == 1
    return captured[0]


def order_of_inputs(function, gm):
    """Dynamo orders placeholders by first use: where each of them is among the function's parameters."""
    names = list(inspect.signature(function).parameters)
    placeholders = [node.target for node in gm.graph.nodes if node.op == "placeholder"]
    return [names.index(target.removeprefix("L_").removesuffix("_")) for target in placeholders]


def run(gm, function, inputs):
    """Run a captured graph on the function's inputs, each a fresh copy."""
    return gm(*(inputs[index].clone() for index in order_of_inputs(function, gm)))


def tensors(shapes, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return [torch.rand(shape, generator=generator) + 0.1 for shape in shapes]


def rule_of(pattern, wrapper=None, arguments=None, name="rule"):
    """A rule whose kernel is the pattern itself unless another wrapper is given."""
    traced = trace_pattern(pattern, HERE)
    count = len(traced.parameters)
    template = trace_arguments(arguments or (lambda *values: values), count, HERE)
    rule = Rule(name, traced, template, wrapper or pattern, source=pattern)
    check_bindable(rule, HERE)
    return rule
