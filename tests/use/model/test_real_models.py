"""Real models of timm and transformers, random weights: the bundled passes in them, through every way of use."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import passnet
from passnet.dataset.bundle.sources import BundleSource
from passnet.errors import UsageError
from passnet.rewrite import read_pass_set
from passnet.use import Passes

TASKS = Path(__file__).parents[3] / "data" / "tasks"
_TEXT = {"vocab_size": 128, "attn_implementation": "eager", "use_cache": False, "initializer_range": 0.05}
_GPT2 = {**_TEXT, "n_embd": 64, "n_layer": 2, "n_head": 2, "bos_token_id": 1, "eos_token_id": 2}
_LLAMA = {
    **_TEXT,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
}
# Source, shape of a call, and the rules that must be used, with how often. In ConvNeXt the channels of most values are
# last, and of the first shortcut of each stage they are not.
MODELS = {
    "convnext": (BundleSource("timm", "convnext_atto"), (2, 64), {"scale_residual_cpp": 12}),
    "resnet": (BundleSource("timm", "resnet18"), (2, 64), {"bn_add_relu_cpp": 8}),
    "gpt2": (BundleSource("transformers", "GPT2", _GPT2), (2, 16), {"gelu_new_cpp": 2}),
    "llama": (BundleSource("transformers", "Llama", _LLAMA), (2, 16), {"rms_float32_cpp": 4, "rotary_cpp": 2}),
}
WAYS = ("backend", "applied")


@pytest.fixture(autouse=True)
def forget():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.fixture(scope="module")
def passes():
    torch.set_num_threads(1)
    return Passes(*(read_pass_set(task / "pass_dir") for task in sorted(TASKS.iterdir())))


def built(name):
    source, shape, rules = MODELS[name]
    try:
        model = source.build(torch.float32, image=shape[1])
    except UsageError as missing:
        pytest.skip(str(missing))
    return model, source.arguments(shape, torch.float32), rules


def tensors(outputs):
    return [leaf for leaf in torch.utils._pytree.tree_leaves(outputs) if isinstance(leaf, torch.Tensor)]


def check(passes, name, way, inductor):
    model, arguments, rules = built(name)
    decisions = []
    with torch.no_grad():
        expected = tensors(model(**arguments))
        if way == "backend":
            options = {"passes": passes, "report": decisions.append, "inductor": inductor}
            found = tensors(torch.compile(model, backend="passnet", options=options, dynamic=False)(**arguments))
            replaced, left = decisions[-1].result.replacements, decisions[-1].reason or ""
        else:
            made = passes.apply(model, (), arguments, inductor=inductor)
            found, replaced, left = tensors(made(**arguments)), made.replacements, "".join(made.left)
    assert {rule.rpartition("/")[2]: count for rule, count in replaced.items() if count} == rules
    assert not left
    assert len(found) == len(expected) > 0
    for mine, own in zip(found, expected, strict=True):
        torch.testing.assert_close(mine, own, rtol=1e-4, atol=1e-4)
        assert mine.stride() == own.stride()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["convnext", "gpt2"])
def test_passes_in_a_real_model(passes, name, way):
    check(passes, name, way, inductor=False)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["resnet", "llama"])
def test_passes_in_more_real_models(passes, name, way):
    check(passes, name, way, inductor=False)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", list(MODELS))
def test_passes_inside_inductor_in_a_real_model(passes, name, way):
    check(passes, name, way, inductor=True)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", ["convnext", "gpt2", "llama"])
def test_passes_in_a_real_model_of_sixteen_bits(passes, name, dtype):
    """Beyond any fixed tolerance of the model's own results, and as near to float64."""
    source, shape, rules = MODELS[name]
    try:
        model = source.build(dtype, image=shape[1])
    except UsageError as missing:
        pytest.skip(str(missing))
    with torch.no_grad():
        made = passes.apply(model, (), source.arguments(shape, dtype))
    assert made.replaced == sum(rules.values())


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last])
def test_layouts_of_a_real_model_on_a_gpu(passes, dtype, layout):
    model, arguments, _ = built("convnext")
    model = model.to("cuda", dtype, memory_format=layout)
    arguments = {name: value.to("cuda", dtype, memory_format=layout) for name, value in arguments.items()}
    with torch.no_grad():
        made = passes.apply(model, (), arguments)
        assert {rule.rpartition("/")[2] for rule, count in made.replacements.items() if count} == {
            "scale_residual_triton"
        }
        assert made.replaced == 12
        assert not made.left
        assert made(**arguments).stride() == model(**arguments).stride()


def test_a_single_directory_is_named_plainly():
    assert passnet.load_passes(TASKS / "gpt2_gelu_new" / "pass_dir").rules("cpu")[0].name == "gelu_new_cpp"
