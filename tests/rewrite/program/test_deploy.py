"""The deployed callable: fast for inputs like the examples, the original graph for all others."""

import pytest
import torch
import torch.nn.functional as F

from passnet.rewrite import deployed, rewrite
from tests.rewrite.helpers import capture, rule_of, tensors


def model(x, y):
    return F.gelu(x + y)


@pytest.fixture
def program():
    calls = []

    def kernel(x, y):
        calls.append(tuple(x.shape))
        return F.gelu(x + y)

    inputs = tensors(((4, 8), (4, 8)))
    gm = capture(model, *inputs)
    return deployed(rewrite(gm, [rule_of(model, kernel)]).gm, gm, inputs), calls, inputs


def test_alike_inputs_take_the_kernel(program):
    call, calls, inputs = program
    assert torch.equal(call(*inputs)[0], model(*inputs))
    with torch.inference_mode():
        call(*inputs)
    call(torch.nn.Parameter(inputs[0], requires_grad=False), inputs[1])
    assert calls == [(4, 8)] * 3


@pytest.mark.parametrize(
    "change",
    [
        lambda x, y: (x.double(), y.double()),
        lambda x, y: (x[:2], y[:2]),
        lambda x, y: (x.t().contiguous().t(), y),
        lambda x, y: (x.to("meta"), y.to("meta")),
        lambda x, y: (x.clone().requires_grad_(), y),
        lambda x, y: (x, 1.0),
        lambda x, y: (torch._neg_view(x), y),
        lambda x, y: (x, x),
    ],
    ids=["dtype", "shape", "stride", "device", "grad", "type", "negated", "twice"],
)
def test_other_inputs_take_the_original_graph(program, change):
    call, calls, inputs = program
    changed = change(*inputs)
    got, wanted = call(*changed)[0], model(*changed)
    assert calls == []
    assert got.shape == wanted.shape
    assert got.dtype == wanted.dtype
    assert got.requires_grad == wanted.requires_grad


def test_lazily_negated_and_doubled_inputs_are_like_examples_that_are_so():
    calls = []

    def kernel(x, y):
        calls.append((x.is_neg(), y.is_neg()))
        return F.gelu(x + y)

    inputs = tensors(((4, 8), (4, 8)))
    gm = capture(model, *inputs)
    program = rewrite(gm, [rule_of(model, kernel)]).gm
    negated = torch._neg_view(inputs[0])
    call = deployed(program, gm, (negated, negated))
    assert torch.equal(call(negated, negated)[0], model(negated, negated))
    other = torch._neg_view(inputs[1])
    call(other, other)
    assert len(calls) == 2
    for given in ((negated, other), (inputs[0], inputs[0]), (inputs[0], inputs[1])):
        assert torch.equal(call(*given)[0], model(*given))
    assert len(calls) == 2


def test_a_wrong_number_of_inputs_is_the_original_graphs_error(program):
    call, _, inputs = program
    with pytest.raises(TypeError):
        call(inputs[0])


def test_graphs_without_inputs_and_with_numbers():
    gm = torch.fx.symbolic_trace(lambda x, n: x * n)
    call = deployed(gm, gm, [torch.ones(2), 3])
    assert torch.equal(call(torch.ones(2), 3), torch.full((2,), 3.0))
    assert torch.equal(call(torch.ones(2), 4), torch.full((2,), 4.0))
