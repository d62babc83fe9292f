"""Real models of timm and transformers, random weights: the bundled passes in them, through every way of use."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import passnet
from passnet.dataset.bundle.sources import Source
from passnet.errors import UsageError
from passnet.rewrite import read_pass_set
from passnet.use import Passes

TASKS = Path(__file__).parents[2] / "data" / "tasks"
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
# Source, shape of a call, and the rules that must be used, with how often. Some residuals of ConvNeXt are not
# contiguous, and the bundled kernel refuses them: those places are left.
MODELS = {
    "convnext": (Source("timm", "convnext_atto"), (2, 64), {}),
    "resnet": (Source("timm", "resnet18"), (2, 64), {"bn_add_relu_cpp": 8}),
    "gpt2": (Source("transformers", "GPT2", _GPT2), (2, 16), {"gelu_new_cpp": 2}),
    "llama": (Source("transformers", "Llama", _LLAMA), (2, 16), {"rms_float32_cpp": 4, "rotary_cpp": 2}),
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
    assert ("must be contiguous" in left) == (not rules)
    assert len(found) == len(expected) > 0
    for left, right in zip(found, expected, strict=True):
        torch.testing.assert_close(left, right, rtol=1e-4, atol=1e-4)


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


def test_a_single_directory_is_named_plainly():
    assert passnet.load_passes(TASKS / "gpt2_gelu_new" / "pass_dir").rules("cpu")[0].name == "gelu_new_cpp"
