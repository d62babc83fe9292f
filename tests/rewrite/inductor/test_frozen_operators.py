"""Operators with frozen launches: the wrapper's very bits, its own call for anything else, and a reason where not."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from passnet.graph import Task
from passnet.rewrite import as_operators, freeze_operators, load_rules, read_pass_set, rewrite
from tests.rewrite.helpers import capture, rule_of, tensors

TASKS = Path(__file__).parents[3] / "data" / "tasks"


def bundled(task, index=0, device="cpu"):
    """The rewritten graph of a bundled task with operators in place, and its inputs."""
    found = Task.read(TASKS / task)
    rules = load_rules(read_pass_set(found.pass_dir), device).rules
    graph = found.refs[index].load()
    return as_operators(rewrite(graph.module(device), rules), rules), graph.inputs(3, device)


def same_bits(left, right):
    return all(torch.equal(a.view(torch.uint8), b.view(torch.uint8)) for a, b in zip(left, right, strict=True))


TASK_NAMES = sorted(path.name for path in TASKS.iterdir())


@torch.no_grad()
@pytest.mark.parametrize("task", TASK_NAMES)
def test_bundled_passes_are_replayed_with_the_same_bits(task):
    made, inputs = bundled(task)
    before = made.module(*inputs)
    reports = freeze_operators(made.operators, lambda: made.module(*inputs))
    assert all(report.frozen and report.kernels for report in reports), reports
    assert [report.call for report in reports] == [operator.name for operator in made.operators]
    assert same_bits(before, made.module(*inputs))
    fresh = [value + value if value.is_floating_point() else value for value in inputs]
    again, _ = bundled(task)
    assert again.operators[0].replay is made.operators[0].replay  # known to the process by what it does
    assert same_bits(made.module(*fresh), again.module(*fresh))


def counted(model, pattern, kernel, shapes=((4, 8),)):
    """A converted model whose wrapper notes its calls."""
    calls = []

    def wrapper(*values):
        calls.append(len(values))
        return kernel(*values)

    inputs = tensors(shapes)
    rule = rule_of(pattern, wrapper)
    return as_operators(rewrite(capture(model, *inputs), [rule]), [rule]), inputs, calls


def exp_relu(x):
    return torch.relu(x.exp())


@torch.no_grad()
def test_what_cannot_be_replayed_is_called_as_it_is_and_said_so():
    made, inputs, calls = counted(exp_relu, exp_relu, exp_relu)
    (report,) = freeze_operators(made.operators, lambda: made.module(*inputs))
    assert not report.frozen
    assert report.reason
    before = len(calls)
    assert torch.equal(made.module(*inputs)[0], exp_relu(*inputs))
    assert len(calls) == before + 1


@torch.no_grad()
def test_what_is_never_called_is_said_so():
    made, _, _ = counted(exp_relu, exp_relu, exp_relu)
    (report,) = freeze_operators(made.operators, lambda: None)
    assert (report.frozen, report.reason) == (False, "not reached")


@torch.no_grad()
def test_a_guard_watches_the_replay_not_the_wrapper():
    made, inputs = bundled("bloom_gelu")
    (operator,) = made.operators
    freeze_operators(made.operators, lambda: made.module(*inputs))
    seen = []

    def around(function):
        def watched(*values):
            seen.append(function)
            return function(*values)

        return watched

    assert same_bits([operator.watched(around)(*inputs)], [operator.run(*inputs)])
    assert seen == [operator.replay.call]


@torch.no_grad()
def test_calls_of_another_signature_are_the_wrappers():
    made, inputs = bundled("phi3_swiglu")
    (operator,) = made.operators
    wrapper = operator.call.target
    freeze_operators(made.operators, lambda: made.module(*inputs))
    assert operator.call.target is operator.replay.call
    (x,) = inputs
    longer = torch.cat([x, x], dim=0)
    assert same_bits([operator.run(longer)], [wrapper(longer)])
    assert same_bits([operator.run(x)], [wrapper(x)])


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@torch.no_grad()
@pytest.mark.parametrize("task", TASK_NAMES)
def test_triton_operators_are_replayed_with_the_same_bits(task):
    made, inputs = bundled(task, device="cuda")
    before = made.module(*inputs)
    reports = freeze_operators(made.operators, lambda: made.module(*inputs))
    assert all(report.frozen for report in reports), reports
    assert same_bits(before, made.module(*inputs))
