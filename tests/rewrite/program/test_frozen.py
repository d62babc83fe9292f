"""Frozen programs on real graphs: the bits of the ordinary program, and a reason for every wrapper called as it is."""

import functools
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from passnet.graph.graph import Graph
from passnet.kernels import cpp
from passnet.rewrite import freeze_program, load_rules, read_pass_set, rewrite, straight_line
from tests.rewrite.helpers import capture, rule_of, tensors

TASKS = Path(__file__).parents[3] / "data" / "tasks"
PATHS = sorted(path.parent for path in TASKS.rglob("model.py"))


def names(path):
    return str(path.relative_to(TASKS))


@functools.cache
def rules(task):
    loaded = load_rules(read_pass_set(TASKS / task / "pass_dir"), "cpu")
    assert not loaded.failed
    return loaded.rules


def outcome(program, inputs):
    """Results, and the inputs as the call left them."""
    own = [value.clone() for value in inputs]
    with torch.no_grad():
        return [*program(*own), *own]


def same(left, right):
    return all(
        torch.equal(a.nan_to_num(), b.nan_to_num()) and a.stride() == b.stride()
        for a, b in zip(left, right, strict=True)
    )


@pytest.mark.parametrize("path", PATHS, ids=names)
def test_a_frozen_program_gives_the_ordinary_ones_bits(path):
    graph = Graph.read(path)
    result = rewrite(graph.module(), rules(path.relative_to(TASKS).parts[0]), explain=False)
    assert result.total
    program = freeze_program(result, graph.inputs(0))
    assert [call.reason for call in program.calls] == [None] * result.total
    assert program.frozen == result.total
    for seed in (1, 2):
        inputs = graph.inputs(seed)
        assert same(outcome(program.forward, inputs), outcome(result.gm.forward, inputs))
        assert same(outcome(program.module.forward, inputs), outcome(result.gm.forward, inputs))


@pytest.mark.parametrize("path", PATHS[::7], ids=names)
def test_straight_line_code_gives_the_modules_bits(path):
    graph = Graph.read(path)
    module, inputs = graph.module(), graph.inputs(3)
    assert same(outcome(straight_line(module), inputs), outcome(module.forward, inputs))


# --- programs with more than kernels in them -----------------------------------------------------------------

LIBRARY = """
#include <cmath>
#include <cstdint>
extern "C" void gelu(const float* x, float* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = 0.5f * x[i] * (1.0f + std::erf(x[i] * 0.70710678f));
}
"""


@functools.cache
def library():
    return cpp(LIBRARY)


def kernel(x):
    out = torch.empty_like(x)
    library().gelu(x, out, x.numel())
    return out


def reads(x):
    return kernel(x if x[0, 0].item() < 1e9 else x.neg())


def pattern(x):
    return F.gelu(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        return F.gelu(self.second(F.gelu(self.first(x)))).sum(-1)


@pytest.fixture
def net():
    torch.manual_seed(0)
    model = Net().eval()
    (x,) = tensors(((4, 8),))
    with torch.no_grad():
        yield model, torch.fx.symbolic_trace(model), x


def rewritten(gm, wrapper):
    return rewrite(gm, [rule_of(pattern, wrapper)])


def test_what_stands_between_kernels_runs_as_ever(net):
    model, gm, x = net
    result = rewritten(gm, kernel)
    program = freeze_program(result, [x])
    assert program.frozen == 2
    assert [call.kernels for call in program.calls] == [("gelu",)] * 2
    assert torch.equal(program.forward(x), result.gm(x))
    torch.testing.assert_close(program.forward(x), model(x))
    other = torch.randn(7, 8)  # of another shape: every wrapper is called as it is
    assert torch.equal(program.forward(other), result.gm(other))


def test_parameters_changed_in_place_are_seen_and_those_of_another_dtype_too(net):
    model, gm, x = net
    program = freeze_program(rewritten(gm, kernel), [x])
    model.first.weight.mul_(2)
    torch.testing.assert_close(program.forward(x), model(x))
    model.double()
    with pytest.raises(TypeError, match=r"expected a tensor of torch\.float32"):  # by the wrapper, not by a crash
        program.forward(x.double())


def test_a_wrapper_that_reads_values_is_called_as_it_is(net):
    _, gm, x = net
    result = rewritten(gm, reads)
    program = freeze_program(result, [x])
    assert program.frozen == 0
    assert all("reads a value" in call.reason for call in program.calls)
    assert torch.equal(program.forward(x), result.gm(x))


def test_a_program_that_raises_does_so_when_it_is_called(net):
    _, gm, x = net
    calls = []

    def once(x):
        calls.append(1)
        raise ValueError("not today")

    program = freeze_program(rewritten(gm, once), [x])
    assert [call.frozen for call in program.calls] == [False, False]
    assert program.calls[0].reason == "the program raises ValueError: not today"
    with pytest.raises(ValueError, match="not today"):
        program.forward(x)


def test_equal_calls_share_a_recording(net):
    _, gm, x = net
    made = []

    def counted(x):
        made.append(1)
        return kernel(x)

    program = freeze_program(rewritten(gm, counted), [x])
    assert all("changes made" in call.reason for call in program.calls)
    assert len(made) == 4  # two calls, and two recordings for both together


def test_examples_are_not_touched():
    def in_place(x, y):
        x += y
        return x * 3.0

    inputs = tensors(((4, 4), (4, 4)))
    before = [value.clone() for value in inputs]
    gm = capture(in_place, *inputs)
    freeze_program(rewrite(gm, [rule_of(lambda x, y: x * y, lambda x, y: x * y)]), inputs)
    assert all(torch.equal(a, b) for a, b in zip(inputs, before, strict=True))


def test_straight_line_code_has_no_module_in_it(net):
    model, gm, x = net
    seen = []
    gm.first.register_forward_pre_hook(lambda *_: seen.append(1))
    assert torch.equal(straight_line(gm)(x), model(x))
    assert seen == [1, 1]  # of a module with hooks the hooks are kept: once in each call
    gm.first._forward_pre_hooks.clear()
    run = straight_line(gm)
    gm.first.forward = None  # it is not asked again
    assert torch.equal(run(x), F.gelu(model.second(F.gelu(F.linear(x, model.first.weight, model.first.bias)))).sum(-1))
