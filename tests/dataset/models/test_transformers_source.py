"""The adapter of transformers: names, what is known of them, models that run, and failures that say why."""

from __future__ import annotations

import resource

import pytest
import torch

pytest.importorskip("transformers", reason="transformers is not installed")

from passnet.dataset.capture.dynamo import trace
from passnet.dataset.models.building import NoInputs
from passnet.dataset.models.registry import source
from passnet.dataset.models.source import Case
from passnet.dataset.models.transformers import models
from passnet.dataset.models.transformers.overrides import OVERRIDES
from passnet.dataset.models.transformers.source import TransformersSource
from passnet.dataset.models.transformers.special_inputs import SPECIAL_INPUTS
from passnet.errors import UsageError

SOURCE = TransformersSource()
KNOWN = ("bert", "llama", "clip", "whisper", "mixtral", "t5", "vit", "mamba")


def operations(case: Case) -> list[str]:
    """The targets of the calls of a case that is captured in one piece."""
    traced = trace(case.model, case.args, case.kwargs, fake_mode=case.fake_mode)
    (piece,) = traced.graphs
    calls = [node for node in piece.module.graph.nodes if node.op in ("call_function", "call_method")]
    return [str(getattr(node.target, "__name__", node.target)) for node in calls]


def parameters(case: Case) -> int:
    return sum(parameter.numel() for parameter in case.model.parameters())


def test_names_are_sorted_and_many() -> None:
    names = SOURCE.names()
    assert list(names) == sorted(set(names))
    assert len(names) > 300
    assert set(KNOWN) <= set(names)


def test_the_registry_gives_this_source() -> None:
    assert source("transformers").library == SOURCE.library == "transformers"


def test_what_is_special_is_about_models_that_exist() -> None:
    assert set(OVERRIDES) | set(SPECIAL_INPUTS) <= set(SOURCE.names())


@pytest.mark.parametrize(
    ("name", "domain"),
    [
        ("bert", "nlp"),
        ("vit", "computer_vision"),
        ("clip", "multimodal"),
        ("wav2vec2", "audio"),
        ("patchtst", "other"),
    ],
)
def test_a_domain_follows_from_what_a_model_takes(name: str, domain: str) -> None:
    assert SOURCE.domain(name) == domain


def test_parts_of_a_model_are_of_its_family() -> None:
    assert SOURCE.family("clip_vision_model") == SOURCE.family("clip_text_model") == SOURCE.family("clip")
    assert SOURCE.family("bert") != SOURCE.family("llama")


def test_real_comes_first_and_the_whole_default_configuration_last() -> None:
    assert SOURCE.methods("llama") == ("real", "meta", "fake")


def test_an_unknown_architecture_is_the_users_mistake() -> None:
    with pytest.raises(UsageError, match="no model type 'no-such-model'"):
        SOURCE.build("no-such-model", "real")
    with pytest.raises(UsageError, match="no model type"):
        SOURCE.domain("no-such-model")


def test_a_model_that_cannot_be_built_says_what_the_library_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> torch.nn.Module:
        raise ImportError("needs a part that is missing")

    monkeypatch.setattr(models, "create", refuse)
    with pytest.raises(ImportError, match="a part that is missing"):
        SOURCE.build("bert", "real")


def test_a_model_that_never_runs_says_so_for_every_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing(torch.nn.Module):
        def forward(self, **_: object) -> None:
            raise RuntimeError("not with these inputs")

    def make(_: object, config: object) -> torch.nn.Module:
        model = Refusing()
        model.config = config  # type: ignore[assignment]
        return model

    monkeypatch.setattr(models, "create", make)
    with pytest.raises(NoInputs, match="calling \\(small\\): RuntimeError: not with these inputs"):
        SOURCE.build("bert", "real")


def test_a_small_encoder_runs_and_is_captured_whole() -> None:
    case = SOURCE.build("bert", "real")
    assert case.method == "real"
    assert parameters(case) < 5_000_000
    assert case.kwargs["input_ids"].shape == (3, 17)
    found = operations(case)
    assert {"linear", "softmax", "layer_norm", "gelu"} <= set(found)
    assert "scaled_dot_product_attention" not in found


def test_building_is_the_same_every_time_and_leaves_the_random_state() -> None:
    state = torch.random.get_rng_state()
    first, second = SOURCE.build("bert", "real"), SOURCE.build("bert", "real")
    assert torch.equal(state, torch.random.get_rng_state())
    for left, right in zip(first.model.state_dict().values(), second.model.state_dict().values(), strict=True):
        assert torch.equal(left, right)
    assert torch.equal(first.kwargs["input_ids"], second.kwargs["input_ids"])


def test_experts_are_written_with_functions_of_torch_alone() -> None:
    found = operations(SOURCE.build("mixtral", "real"))
    assert "bmm" in found
    assert not [name for name in found if "grouped_mm" in name]


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_known_architectures_run_small_and_are_captured_whole(name: str) -> None:
    case = SOURCE.build(name, "real")
    assert parameters(case) < 30_000_000
    assert len(operations(case)) > 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("qwen2_vl", {"input_ids", "pixel_values", "image_grid_thw"}),
        ("llava", {"input_ids", "pixel_values"}),
        ("siglip2", {"pixel_values", "spatial_shapes", "pixel_attention_mask"}),
        ("timesformer", {"pixel_values"}),
        ("layoutlmv3", {"input_ids", "bbox", "pixel_values"}),
        ("wav2vec2-bert", {"input_features"}),
        ("xcodec", {"input_values"}),
        ("vjepa2", {"pixel_values_videos"}),
    ],
)
def test_media_are_given_where_a_model_takes_them(name: str, given: set[str]) -> None:
    assert given <= set(SOURCE.build(name, "real").kwargs)


@pytest.mark.slow
def test_tensors_without_data_give_the_same_operations_as_real_ones() -> None:
    real = set(operations(SOURCE.build("bert", "real")))
    assert set(operations(SOURCE.build("bert", "fake"))) == real


@pytest.mark.slow
def test_on_the_meta_device_layers_are_few_and_widths_as_they_were() -> None:
    config = SOURCE.build("vit", "meta").model.config
    assert (config.num_hidden_layers, config.hidden_size) == (2, 768)


@pytest.mark.slow
def test_a_default_configuration_is_captured_without_its_weights_in_memory() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    case = SOURCE.build("llama", "fake")
    assert parameters(case) > 6e9
    assert case.model.config.num_hidden_layers == 32
    assert len(operations(case)) > 1000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_000_000  # KiB; the weights are 26 GB
