"""Passes applied to a module: the same results, the model itself wherever the example does not speak for a call."""

from __future__ import annotations

import copy
import pickle
import shutil
import weakref

import pytest
import torch
from torch import nn
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx
from torch.overrides import TorchFunctionMode

import passnet
from passnet.errors import UsageError
from tests.use.use_models import PASSES, WIDTH, Broken, Plain, bloom_gelu, example, network


@pytest.fixture(scope="module")
def passes():
    return passnet.load_passes(PASSES)


@pytest.fixture
def applied(passes):
    model = network()
    with torch.no_grad():
        yield passes.apply(model, (example(),))


class Counted:
    """Counts calls of the model itself."""

    def __init__(self, model):
        self.calls = 0
        model.register_forward_pre_hook(self._count)

    def _count(self, *_):
        self.calls += 1


def close(found, expected):
    assert found.keys() == expected.keys()
    for name in expected:
        torch.testing.assert_close(found[name], expected[name], rtol=1e-5, atol=1e-5)


def test_both_blocks_are_replaced_and_results_stay(applied):
    assert applied.replaced == 2
    assert applied.replacements == {"bloom_gelu_cpp": 2}
    expected = applied.model(example())
    counted = Counted(applied.model)
    close(applied(example()), expected)
    assert counted.calls == 0


def test_parameters_are_shared(applied):
    before = applied(example())["logits"]
    applied.model.second.weight.mul_(2)
    after = applied(example())["logits"]
    assert not torch.allclose(before, after)
    close(applied(example()), applied.model(example()))


@pytest.mark.parametrize(
    "inputs",
    [
        lambda: ((example(5),), {}),
        lambda: ((example().double().float().t().contiguous().t(),), {}),
        lambda: ((example(), torch.ones(WIDTH)), {}),
        lambda: ((), {"x": example()}),
    ],
    ids=["another shape", "other strides", "another argument", "by keyword"],
)
def test_other_calls_run_the_model(applied, inputs):
    args, kwargs = inputs()
    counted = Counted(applied.model)
    close(applied(*args, **kwargs), applied.model(*args, **kwargs))
    assert counted.calls == 2


def test_an_example_by_keyword_serves_calls_by_keyword(passes):
    model = network()
    with torch.no_grad():
        made = passes.apply(model, (example(),), {"scale": torch.full((WIDTH,), 0.5)})
        counted = Counted(model)
        found = made(example(), scale=torch.full((WIDTH,), 2.0))
        assert counted.calls == 0
        close(found, model(example(), torch.full((WIDTH,), 2.0)))


def test_gradients_flow_through_the_model(applied):
    with torch.enable_grad():
        x = example().requires_grad_()
        applied(x)["logits"].sum().backward()
    assert x.grad is not None
    assert applied.model.first.weight.grad is not None


def test_autocast_and_training_run_the_model(applied):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        counted = Counted(applied.model)
        applied(example())
    applied.model.train()
    applied(example())
    assert counted.calls == 2


def test_the_model_is_left_as_it_was(passes):
    model = network().train()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    forward = weakref.ref(type(model).forward)
    with torch.no_grad():
        passes.apply(model, (example(),))
    assert model.training
    assert model.norm.training
    assert type(model).forward is forward()
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())


class Training(nn.Module):
    """Dropout and running statistics beside the pattern."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(WIDTH)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return bloom_gelu(self.drop(self.norm(x)))


@pytest.mark.parametrize("freeze", [True, False])
def test_a_model_in_training_mode_is_left_as_it_was_and_compared_fairly(passes, freeze):
    model = Training().train()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    torch.manual_seed(3)
    state = torch.random.get_rng_state()
    with torch.no_grad():
        made = passes.apply(model, (example(),), freeze=freeze)
        assert made.replaced == 1
        assert torch.equal(torch.random.get_rng_state(), state)
        assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
        found = made(example())
        assert model.norm.num_batches_tracked == 1
        torch.random.set_rng_state(state)
        torch.testing.assert_close(found, model(example()), rtol=1e-5, atol=1e-5)


def test_many_models_of_one_class(passes):
    for _ in range(12):
        assert passes.apply(nn.Sequential(nn.Linear(WIDTH, WIDTH), Plain()), (example(),)).replaced == 0
        assert passes.apply(network(), (example(),)).replaced == 2


def test_parts_given_anew_are_noticed(passes, caplog):
    for change in (
        lambda model: setattr(model.first, "weight", nn.Parameter(torch.randn(WIDTH, WIDTH))),
        lambda model: setattr(model, "second", nn.Linear(WIDTH, WIDTH)),
        lambda model: model.load_state_dict({k: v + 1 for k, v in model.state_dict().items()}, assign=True),
    ):
        caplog.clear()
        model = network()
        with torch.no_grad():
            made, other = passes.apply(model, (example(),)), passes.apply(network(), (example(),))
            change(model)
            counted = Counted(model)
            close(made(example()), model(example()))
            assert counted.calls == 2
            assert "changed after passes were applied" in caplog.text
            counted = Counted(other.model)
            other(example())
            assert counted.calls == 0


def test_a_bias_given_later_is_noticed(passes):
    model = network()
    model.second.bias = None
    with torch.no_grad():
        made = passes.apply(model, (example(),))
        model.second.bias = nn.Parameter(torch.ones(WIDTH))
        close(made(example()), model(example()))


class Words(nn.Module):
    """Its only input has no floating-point dtype."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, WIDTH)
        self.last = nn.Linear(WIDTH, WIDTH)

    def forward(self, words):
        return self.last(bloom_gelu(self.table(words)))


def test_parameters_of_another_dtype_are_noticed(passes):
    model, words = Words(), torch.arange(10)
    with torch.no_grad():
        made = passes.apply(model, (words,))
        assert made.replaced == 1
        model.bfloat16()
        counted = Counted(model)
        assert made(words).dtype == torch.bfloat16
        assert counted.calls == 1
        model.float()
        made(words)
        assert counted.calls == 1


def test_vmap_and_subclasses_run_the_model(applied):
    def logits(x):
        return applied(x)["logits"]

    several = torch.stack([example(), example() * 2])
    counted = Counted(applied.model)
    torch.testing.assert_close(torch.func.vmap(logits)(several)[1], logits(several[1]), rtol=1e-5, atol=1e-5)
    assert counted.calls == 1
    applied(example().as_subclass(type("Mine", (torch.Tensor,), {})))
    assert counted.calls == 2
    applied(example())
    assert counted.calls == 2


class Doubled(TorchFunctionMode):
    """Every `tanh` gives twice as much."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {})) * (2 if func is torch.tanh else 1)


def test_forward_derivatives_and_modes_run_the_model(applied):
    model = applied.model
    with forward_ad.dual_level():
        given = forward_ad.make_dual(example(), torch.ones(4, WIDTH))
        found, expected = (forward_ad.unpack_dual(each(given)["logits"]).tangent for each in (applied, model))
        torch.testing.assert_close(found, expected)
    other = 2 * example()
    recorded = make_fx(applied)(example())
    torch.testing.assert_close(recorded(other), model(other))
    with Doubled():
        found, expected = (each(example())["logits"] for each in (applied, model))
    assert torch.equal(found, expected)


def test_a_default_device_changes_nothing(applied):
    counted = Counted(applied.model)
    with torch.device("cpu"):
        applied(example())
    assert counted.calls == 0


def test_an_applied_model_may_be_called_by_what_is_compiled(applied):
    compiled = torch.compile(lambda x: applied(x)["logits"] + 1, backend="eager")
    torch.testing.assert_close(compiled(2 * example()), applied.model(2 * example())["logits"] + 1)


def test_copies_are_refused(applied):
    for make in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(UsageError, match="cannot be copied"):
            make(applied)


@pytest.mark.parametrize(
    ("model", "inputs", "words"),
    [
        (bloom_gelu, (example(),), "expected a torch.nn.Module, found function"),
        ("resnet18", (example(),), "expected a torch.nn.Module, found str"),
        (network(), 3, "wrong example inputs"),
        (network(), (), "a call of the model fails: TypeError"),
        (network(), (torch.randn(3, 3),), "a call of the model fails: RuntimeError"),
        (network(), (example(), example(), example()), "a call of the model fails: TypeError"),
    ],
)
def test_wrong_arguments_are_told(passes, model, inputs, words):
    with pytest.raises(UsageError, match=words):
        passes.apply(model, inputs)


def test_a_single_tensor_is_the_only_argument(passes):
    assert passes.apply(network(), example()).replaced == 2


def test_without_a_match_calls_are_the_models_own(passes):
    model = Plain()
    made = passes.apply(model, (example(),))
    assert made.replaced == 0
    assert made.near_misses[0].rule == "bloom_gelu_cpp"
    assert torch.equal(made(example()), model(example()))


def test_a_graph_break_is_told_with_the_way_out(passes):
    with pytest.raises(UsageError, match="one graph") as raised:
        passes.apply(Broken(), (example(),))
    assert 'backend="passnet"' in str(raised.value)


def test_hooks_of_the_outermost_module_are_told_with_the_way_out(passes):
    model = network()
    model.register_forward_hook(lambda module, args, out: {**out, "logits": out["logits"] * 2})
    with torch.no_grad():
        with pytest.raises(UsageError, match=r"put it into nn\.Sequential"):
            passes.apply(model, (example(),))
        within = nn.Sequential(model)
        torch.testing.assert_close(passes.apply(within, (example(),))(example()), model(example()))


def test_a_scripted_model_is_told_with_the_way_out(passes):
    with pytest.raises(UsageError, match=r"no Python to trace.*before torch\.jit\.script"):
        passes.apply(torch.jit.trace(Plain(), example()), (example(),))


def test_a_pass_that_changes_results_is_refused(tmp_path):
    wrong = tmp_path / "passes"
    shutil.copytree(PASSES, wrong)
    file = wrong / "bloom_gelu_cpp.py"
    text = file.read_text()
    assert "0.044715f" in text
    file.write_text(text.replace("0.044715f", "0.14f"))
    with pytest.raises(UsageError, match="change result 0"):
        passnet.load_passes(wrong).apply(network(), (example(),))


def test_a_pass_that_writes_into_an_argument_is_refused(tmp_path):
    """Its result is right, and the caller's tensor is another one afterwards."""
    shutil.copytree(PASSES, tmp_path / "passes")
    file = tmp_path / "passes" / "bloom_gelu_cpp.py"
    text = file.read_text()
    assert "out = torch.empty_like(x)" in text
    file.write_text(text.replace("out = torch.empty_like(x)", "out = x"))

    class Gelu(nn.Module):
        def forward(self, x):
            return bloom_gelu(x)

    x = torch.randn(4, WIDTH)
    with torch.no_grad(), pytest.raises(UsageError, match="write into argument 0, and the model does not"):
        passnet.load_passes(tmp_path / "passes").apply(Gelu(), (x,))


def test_a_pass_that_returns_nothing_is_told(tmp_path):
    shutil.copytree(PASSES, tmp_path / "passes")
    file = tmp_path / "passes" / "bloom_gelu_cpp.py"
    text = file.read_text()
    assert "    return out\n" in text
    file.write_text(text.replace("    return out\n", "    return None\n"))
    with pytest.raises(UsageError, match="bloom_gelu_triton: with the passes a call of the model fails"):
        passnet.load_passes(tmp_path / "passes").apply(network(), (example(),))


def test_the_policy_is_checked_before_anything_runs(tmp_path):
    shutil.copytree(PASSES, tmp_path / "passes")
    file = tmp_path / "passes" / "bloom_gelu_cpp.py"
    file.write_text("import os\nos.environ['PASSNET_WAS_HERE'] = '1'\n" + file.read_text())
    with pytest.raises(UsageError, match=r"bloom_gelu_cpp\.py"):
        passnet.load_passes(tmp_path / "passes")


def test_a_directory_that_holds_no_passes_is_told(tmp_path):
    with pytest.raises(UsageError):
        passnet.load_passes(tmp_path)
    with pytest.raises(UsageError, match="no such directory"):
        passnet.load_passes(tmp_path / "nowhere")
