"""The rules that shrink a transformers configuration, on the library's own default configurations."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("transformers", reason="transformers is not installed")

from passnet.dataset.models.shrink import (
    LADDER,
    LAYERS,
    VOCABULARY,
    Strength,
    cut,
    prepare,
    shrink,
    spread_weights,
    walk,
)
from passnet.dataset.models.shrink_widths import EXPERT_WIDTH, EXPERTS, HEADS, KEY_VALUE_HEADS
from passnet.dataset.models.transformers import models
from passnet.dataset.models.transformers.layers import LayerCut, cut_layers, spread

SMALL = LADDER[0]


def shrunk(name: str, strength: Strength = SMALL) -> Any:
    return shrink(models.configuration(name), strength)


def test_an_encoder_keeps_its_head_size_and_the_ratios_of_its_widths() -> None:
    config = shrunk("bert")
    assert (config.num_hidden_layers, config.num_attention_heads, config.vocab_size) == (LAYERS, HEADS, VOCABULARY)
    assert config.hidden_size == HEADS * 64
    assert config.intermediate_size == 4 * config.hidden_size
    assert config.use_cache is False


def test_a_decoder_keeps_the_size_of_its_heads_and_its_rotary_settings() -> None:
    before, after = models.configuration("llama"), shrunk("llama")
    assert after.head_dim == before.hidden_size // before.num_attention_heads
    assert after.hidden_size == after.num_attention_heads * after.head_dim
    assert after.rope_parameters == before.rope_parameters
    assert after.intermediate_size * before.hidden_size == before.intermediate_size * after.hidden_size


def test_grouped_heads_stay_grouped() -> None:
    config = shrunk("mixtral")
    assert (config.num_attention_heads, config.num_key_value_heads) == (HEADS, KEY_VALUE_HEADS)


def test_experts_become_narrow_but_not_fewer_than_are_chosen() -> None:
    before, config = models.configuration("mixtral"), shrunk("mixtral")
    assert config.num_experts_per_tok == before.num_experts_per_tok
    assert config.num_local_experts == EXPERTS
    assert config.intermediate_size == EXPERT_WIDTH
    deep = shrunk("deepseek_v3")
    assert deep.n_routed_experts % deep.n_group == 0
    assert deep.n_routed_experts // deep.n_group * deep.topk_group >= deep.num_experts_per_tok
    assert deep.moe_intermediate_size <= EXPERT_WIDTH < deep.intermediate_size


def test_the_parts_of_a_multimodal_model_still_fit() -> None:
    config = shrunk("clip")
    text, vision = config.text_config, config.vision_config
    assert text.num_hidden_layers == vision.num_hidden_layers == LAYERS
    assert vision.image_size == 4 * vision.patch_size
    assert text.vocab_size == VOCABULARY > text.eos_token_id > text.bos_token_id


def test_an_encoder_and_its_decoder_shrink_alike() -> None:
    config = shrunk("t5")
    assert (config.num_layers, config.num_decoder_layers) == (LAYERS, LAYERS)
    assert config.d_model // config.num_heads == 64
    assert config.d_kv == 64
    speech = shrunk("whisper")
    assert (speech.encoder_layers, speech.decoder_layers) == (LAYERS, LAYERS)
    assert speech.encoder_attention_heads == speech.decoder_attention_heads == HEADS
    assert speech.max_source_positions == 64


def test_an_image_model_has_few_patches_unless_told_otherwise() -> None:
    assert shrunk("vit").image_size == 64
    assert shrunk("vit", LADDER[1]).image_size == models.configuration("vit").image_size == 224


def test_a_model_without_heads_keeps_the_factor_between_its_widths() -> None:
    config = shrunk("mamba")
    assert config.num_hidden_layers == LAYERS
    assert config.intermediate_size == config.expand * config.hidden_size
    assert config.state_size == models.configuration("mamba").state_size


def test_every_kind_of_layer_stays() -> None:
    before, after = models.configuration("gemma3_text"), shrunk("gemma3_text")
    assert set(after.layer_types) == set(before.layer_types)
    assert len(after.layer_types) == after.num_hidden_layers < before.num_hidden_layers


def test_a_hierarchical_model_keeps_the_last_block_of_every_stage() -> None:
    class Staged:
        blocks_per_stage = None

    scope = Staged()
    scope.blocks_per_stage = [1, 2, 7, 2]  # type: ignore[assignment]
    scope.global_attention_blocks = [5, 7, 9]  # type: ignore[attr-defined]
    (made,) = cut_layers(scope, LAYERS)
    assert made == LayerCut(12, (0, 1, 2, 3, 9, 10, 11), staged=True)
    assert scope.blocks_per_stage == [1, 2, 2, 2]
    assert scope.global_attention_blocks == [4]  # type: ignore[attr-defined]


def test_named_layers_are_renumbered() -> None:
    assert spread([3, 7, 11], LayerCut(12, (0, 1, 2, 3))) == [1, 2, 3]
    assert spread([-1], LayerCut(12, (0, 1))) == [-1]
    assert spread([1, 2, 3, 4, 5, 6, 7], LayerCut(8, (0, 1))) == [1]


def test_special_tokens_stay_different_and_inside_the_vocabulary() -> None:
    config = shrunk("qwen2_vl")
    tokens = [config.image_token_id, config.video_token_id, config.vision_start_token_id, config.vision_end_token_id]
    assert len(set(tokens)) == len(tokens)
    assert max(tokens) < config.text_config.vocab_size == VOCABULARY


def test_cutting_layers_leaves_the_widths_and_preparing_leaves_everything() -> None:
    before = models.configuration("llama")
    layers = cut(models.configuration("llama"))
    assert (layers.num_hidden_layers, layers.hidden_size) == (LAYERS, before.hidden_size)
    whole = prepare(models.configuration("llama"))
    assert (whole.num_hidden_layers, whole.vocab_size, whole.use_cache) == (32, before.vocab_size, False)


def test_numbers_are_given_where_a_default_configuration_has_none() -> None:
    assert models.configuration("hunyuan_v1_dense").head_dim is None
    assert shrunk("hunyuan_v1_dense").head_dim == 128


def test_initial_weights_spread_at_least_as_far_as_before() -> None:
    config = shrunk("bert")
    spread_weights(config)
    assert config.initializer_range == pytest.approx(0.1)


@pytest.mark.parametrize("name", ["bert", "clip", "deepseek_v3", "gemma3", "sam2", "whisper"])
def test_shrinking_is_deterministic_and_only_ever_makes_smaller(name: str) -> None:
    first, second = shrunk(name), shrunk(name)
    assert first.to_dict() == second.to_dict()
    pairs = zip(walk(models.configuration(name)), walk(first), strict=True)
    for before, after in pairs:
        for key in ("hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size"):
            if isinstance(getattr(before, key, None), int):
                assert getattr(after, key) <= getattr(before, key), (before.model_type, key)
