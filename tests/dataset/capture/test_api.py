"""`passnet.capture`: call, context manager and decorator; the user's model is left as it was."""

import subprocess
import sys

import pytest
import torch

import passnet
from passnet.errors import UsageError
from passnet.graph import Graph
from tests.dataset.dataset_toys import Breaks, Residual


def test_importing_passnet_imports_no_torch():
    code = "import sys, passnet; assert 'torch' not in sys.modules; assert not hasattr(passnet, 'nothing')"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_call_gives_graphs_that_compute_the_same():
    model, x = Residual().eval(), torch.randn(2, 4, 5, 5)
    (graph,) = passnet.capture(model, x)
    assert isinstance(graph, Graph)
    values = dict(model.state_dict())
    inputs = [x if spec.original_name == "L_x_" else values[_key(spec.original_name)] for spec in graph.specs]
    with torch.no_grad():
        assert torch.equal(graph.module()(*inputs)[0], model(x))


def _key(placeholder: str) -> str:
    """`conv.weight` for `L_self_modules_conv_parameters_weight_`."""
    parts = placeholder.removeprefix("L_self_").strip("_")
    for word in ("modules_", "parameters_", "buffers_"):
        parts = parts.replace(word, "")
    owner, _, name = parts.partition("_")
    return f"{owner}.{name}" if name else owner


def test_steps_of_optimisers_are_written_with_plain_functions():
    """Dynamo writes them with a fused multiply-add, which is no function of torch's."""

    def step(p, m, v, g, r):
        m.mul_(0.9).add_(g, alpha=0.1)
        v.mul_(0.99).addcmul_(g, g, value=0.01)
        p.addcdiv_(m, v.sqrt() + 1e-8, value=-1e-3)
        p.add_(m, alpha=r)
        return p + 1

    inputs = [*(torch.rand(4, 8) for _ in range(4)), torch.tensor(0.5)]
    (graph,) = passnet.capture(step, *(each.clone() for each in inputs))
    assert "prims" not in graph.source
    order = ["pmvgr".index(spec.original_name[2]) for spec in graph.specs if spec.original_name]
    expected = step(*(each.clone() for each in inputs))
    torch.testing.assert_close(graph.module()(*(inputs[place].clone() for place in order))[0], expected)


def test_statistics_are_those_of_the_tensors():
    model, x = torch.nn.Linear(32, 64), torch.randn(4, 32) * 5 + 3
    (graph,) = passnet.capture(model, x)
    spec = next(spec for spec in graph.specs if spec.shape == (4, 32))
    assert spec.mean == pytest.approx(float(x.mean()), abs=1e-4)
    assert spec.std == pytest.approx(float(x.std()), rel=1e-4)


@pytest.mark.parametrize("name", ["uint8", "int8", "int16", "uint16", "int64"])
def test_captured_integers_are_drawn_over_what_they_held(name):
    dtype = getattr(torch, name)
    ends = torch.iinfo(dtype)
    held = (max(ends.min, -300), min(ends.max, 300))
    x = torch.arange(held[0], held[1] + 1).to(dtype)
    (graph,) = passnet.capture(lambda x: (x.float() / 255.0 - 0.5) * 2.0, x)
    (spec,) = graph.specs
    assert (spec.min_val, spec.max_val) == held
    for distribution in ("normal", "small", "large", "sparse"):
        (made,) = graph.inputs(3, distribution=distribution)
        assert len(set(made.tolist())) > 64


def test_captured_complex_numbers_have_their_own_statistics():
    x = torch.complex(torch.randn(100) * 8, torch.randn(100) * 8)
    (graph,) = passnet.capture(lambda x: x * x, x)
    assert graph.specs[0].std == pytest.approx(float(torch.view_as_real(x).std()), rel=1e-4)


def test_the_model_is_left_as_it_was():
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4), torch.nn.Dropout(0.5))
    model[1].eval()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    (graph,) = passnet.capture(model, torch.randn(3, 4))
    assert [module.training for module in model] == [True, False, True]
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert "dropout(tmp_1, 0.5, False" in graph.source


class Counting(torch.nn.Module):
    """Writes to a buffer whenever it runs."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x):
        self.calls += 1
        return x + self.calls


def test_buffers_that_the_call_writes_are_put_back():
    model = Counting()
    passnet.capture(model, torch.ones(3))
    assert torch.equal(model.calls, torch.zeros(1))


def test_keywords_and_functions():
    (graph,) = passnet.capture(lambda x, scale: x * scale, torch.randn(3), scale=2)
    assert "in_0 * 2" in graph.source


def test_breaks_give_several_graphs():
    graphs = passnet.capture(Breaks(), torch.randn(7))
    assert [graph.name for graph in graphs] == ["Breaks_0", "Breaks_1"]
    assert [list(graph.sources) for graph in graphs] == [
        ["samples/user/Breaks/subgraph_0"],
        ["samples/user/Breaks/subgraph_1"],
    ]


def test_a_block_captures_its_model_and_changes_no_result():
    model, other, x = torch.nn.Linear(4, 4), torch.nn.Linear(4, 2), torch.randn(3, 4)
    with passnet.capture(model) as graphs:
        result = other(model(x))
    assert torch.equal(result, other(model(x)))
    assert result.requires_grad
    assert [graph.specs[0].shape for graph in graphs] == [(4, 4)]


def test_a_block_keeps_the_mode_of_the_model():
    model, x = torch.nn.Dropout(0.5), torch.randn(8)
    with passnet.capture(model) as graphs:
        model(x)
    assert "0.5, True" in graphs[0].source


def test_a_block_without_a_model_captures_every_outermost_call_in_order():
    first, second = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()), torch.nn.Linear(4, 2)
    with passnet.capture() as graphs:
        second(first(torch.randn(3, 4)))
    assert [graph.meta["op_names"] for graph in graphs] == [["linear", "relu"], ["linear"]]
    assert [graph.name for graph in graphs] == ["block_0", "block_1"]


def test_the_block_leaves_torch_as_it_was_even_after_an_error():
    original = torch.nn.Module.__call__
    layer = torch.nn.Linear(4, 4)
    with pytest.raises(RuntimeError), passnet.capture() as graphs:
        layer(layer(torch.randn(3, 4)).reshape(2, 6))
    assert torch.nn.Module.__call__ is original
    assert len(graphs) == 1


def test_a_recording_is_used_once():
    recording = passnet.capture()
    with recording:
        pass
    with pytest.raises(UsageError, match="used already"), recording:
        pass


def test_a_decorated_function_collects_graphs():
    @passnet.capture
    def scaled(x, factor):
        """Scale."""
        return torch.relu(x) * factor

    x = torch.randn(5)
    assert torch.equal(scaled(x, 3), torch.relu(x) * 3)
    scaled(x, 3)
    scaled(x, 4)
    assert scaled.__doc__ == "Scale."
    assert ["* 3" in graph.source for graph in scaled.graphs] == [True, False]


@pytest.mark.parametrize("wrong", [3, "timm", torch.nn.Linear])
def test_what_is_no_model_is_a_usage_error(wrong):
    with pytest.raises(UsageError):
        passnet.capture(wrong)


def test_the_models_own_error_is_raised():
    with pytest.raises(ValueError, match="mine"):
        passnet.capture(Raises(), torch.ones(1))


class Raises(torch.nn.Module):
    def forward(self, x):
        raise ValueError("mine")
