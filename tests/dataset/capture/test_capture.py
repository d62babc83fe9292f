"""Capture: the graph computes what the model computes, parameters are inputs, and breaks give several graphs."""

import torch

from passnet.dataset.capture.dynamo import capture_graphs
from tests.dataset.dataset_toys import Breaks, Residual


def test_the_captured_graph_equals_eager():
    model, x = Residual(), torch.randn(2, 4, 5, 5)
    expected = model.eval()(x)
    (captured,) = capture_graphs(model, {"x": x})
    assert torch.equal(captured.module(*captured.inputs)[0], expected)


def test_parameters_and_buffers_are_placeholders():
    (captured,) = capture_graphs(Residual(), {"x": torch.randn(1, 4, 5, 5)})
    kinds = {node.op for node in captured.module.graph.nodes}
    assert "get_attr" not in kinds
    assert "call_module" not in kinds
    names = [str(node.target) for node in captured.module.graph.nodes if node.op == "placeholder"]
    assert any("running_var" in name for name in names)
    assert len(names) == len(captured.inputs)


def test_inputs_are_a_snapshot_from_before_the_call():
    def forward(x):
        x.mul_(2)
        return x + 1

    class Mutating(torch.nn.Module):
        def forward(self, x):
            return forward(x)

    x = torch.ones(3)
    (captured,) = capture_graphs(Mutating(), {"x": x})
    assert torch.equal(x, torch.full((3,), 2.0))
    assert torch.equal(captured.inputs[0], torch.ones(3))


def test_a_graph_break_gives_two_graphs_in_order():
    x = torch.randn(7)
    first, second = capture_graphs(Breaks(), {"x": x})
    middle = first.module(*first.inputs)[0]
    assert torch.equal(middle, torch.relu(x) + 1)
    assert torch.equal(second.module(*second.inputs)[0], middle * middle.mean())


def test_half_precision_models_are_captured_in_half_precision():
    model, x = Residual().to(torch.bfloat16), torch.randn(1, 4, 5, 5).to(torch.bfloat16)
    (captured,) = capture_graphs(model, {"x": x})
    assert {value.dtype for value in captured.inputs if value.is_floating_point()} == {torch.bfloat16}
