"""Settings that single architectures of transformers need besides the general rules for shrinking."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from passnet.dataset.models.shrink import VOCABULARY


@dataclass(frozen=True)
class Override:
    """Deviations for one architecture.

    - `options`: arguments of the configuration's constructor.
    - `before`, `after`: attributes (with dots) set before and after shrinking. A callable value gets the whole
      configuration.
    - `model`: another class than the mapped one. It is made from the part `part` of the configuration.
    - `widths`: False leaves the widths alone.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    model: str | None = None
    part: str | None = None
    widths: bool = True


_ROPE = {"rope_type": "default", "rope_theta": 10000.0}
_FOUR_AXES = {**_ROPE, "mrope_section": [16, 16, 16, 16]}
_TWO_ROPES = {"full_attention": _ROPE, "sliding_attention": _ROPE}
_SERIES = Override(options={"prediction_length": 8, "context_length": 12, "num_time_features": 2})
_PLAIN_ROPE = Override(before={"rope_parameters": _ROPE})
# Used where the encoder and the text model of the default configuration do not fit together.
_QWEN_SMALL = {"hidden_size": 896, "num_attention_heads": 14, "num_key_value_heads": 2, "intermediate_size": 4864}
_INDEXER = {
    "indexer_n_heads": 4,
    "indexer_kv_heads": 1,
    "indexer_head_dim": 256,
    "indexer_budget": 8,
    "indexer_compress_ratio": 4,
}
_EDGE = "repvit_m1"
_EMU_CODES = 256
# A small network whose last features are 2 by 2 for images of 64 by 64.
_GEMMA3N_TOWER = {
    "vision_config.architecture": "mobilenetv3_small_050",
    "vision_config.hidden_size": 288,
    "vision_soft_tokens_per_image": 4,
}
# Its tokens for images and for sound are ranges at the end of the vocabulary.
_GEMMA3N_TOKENS = {
    "vision_config.vocab_offset": VOCABULARY - 256,
    "image_token_id": VOCABULARY - 255,
    "audio_config.vocab_offset": VOCABULARY - 128,
    "audio_token_id": VOCABULARY - 127,
}
_GRANITE_SPEECH = Override(
    after={"projector_config.encoder_hidden_size": lambda config: config.encoder_config.hidden_dim}
)
# Features at a fourth, an eighth and a sixteenth of images of 64 by 64.
_FOURTHS = Override(after={"vision_config.backbone_feature_sizes": [[16, 16], [8, 8], [4, 4]]})
_TWO_ENCODERS = Override(
    after={"quantization_dim": lambda config: config.hidden_size + config.semantic_model_config.hidden_size}
)


def _emu_words() -> dict[str, int]:
    """The image token, the end of a row of codes, and one token a code."""
    codes = {f"<|visual token {code:06d}|>": code + 6 for code in range(_EMU_CODES)}
    return {"<image>": 4, "<|extra_200|>": 5, **codes}


def _chameleon_words() -> dict[str, int]:
    """Names of the image tokens as letters A to J for digits, as the model decodes them."""
    letters = "ABCDEFGHIJ"
    names = {f"IMGIMG{''.join(letters[int(digit)] for digit in str(code))}Z": code + 4 for code in range(8192)}
    return {"<image>": 3, **names}


def _glm_rope(part: str, **more: Any) -> Override:
    """Multi-axis rotary embedding whose sections fill the rotated half of the head."""
    prefix = f"{part}." if part else ""
    rope = {**_ROPE, "partial_rotary_factor": 0.5, "mrope_section": [8, 12, 12]}
    settings = {"rope_parameters": rope, **more}
    return Override(before={f"{prefix}{name}": value for name, value in settings.items()})


def _codec_width(config: Any) -> int:
    """The features of the sound itself and of its meaning, side by side."""
    return int(config.acoustic_model_config.hidden_size + config.semantic_model_config.hidden_size)


def _sam_channels(config: Any) -> list[int]:
    """Features of the first encoder as wide as those of the second."""
    return [512, config.vision_config.encoder_config.hidden_size]


def _depth_pro_part() -> dict[str, Any]:
    return {"model_type": "dinov2", "image_size": 56, "patch_size": 14}


OVERRIDES: Mapping[str, Override] = {
    "aria": Override(after={"projector_patch_to_query_dict": {16: 4}, "max_value_projector_patch_to_query_dict": 4}),
    "autoformer": _SERIES,
    "bark": Override(model="BarkSemanticModel", part="semantic_config"),
    "blt": Override(
        widths=False, after={f"{part}_config.intermediate_size": 512 for part in ("encoder", "decoder", "global")}
    ),
    "chameleon": Override(options={"vocabulary_map": _chameleon_words()}),
    "clvp": Override(after={"speech_config.vocab_size": lambda config: config.decoder_config.vocab_size}),
    "cohere_compass": Override(before={"text_config.rope_parameters": _TWO_ROPES}),
    "cohere_compass_text": Override(before={"rope_parameters": _TWO_ROPES}),
    "cvt": Override(options={"depth": [1, 2, 3]}),
    "dbrx": Override(before={"attn_config.rope_theta": 10000.0, "attn_config.clip_qkv": 8.0}),
    "deepseek_ocr2": Override(
        before={f"vision_config.encoder_config.{name}": value for name, value in _QWEN_SMALL.items()},
        after={"vision_config.sam_config.downsample_channels": _sam_channels},
    ),
    "depth_pro": Override(
        options={"patch_size": 56, **{f"{part}_model_config": _depth_pro_part() for part in ("image", "patch", "fov")}},
        after={"intermediate_hook_ids": [1, 0]},
    ),
    "dots1": Override(options={"n_shared_experts": 1}),
    "edgetam": Override(before={"vision_config.backbone_config.architecture": _EDGE}),
    "edgetam_vision_model": Override(before={"backbone_config.architecture": _EDGE}),
    "emu3": Override(
        options={"vocabulary_map": _emu_words()},
        before={"vq_config.codebook_size": _EMU_CODES, "vq_config.base_channels": 32, "vq_config.hidden_size": 128},
    ),
    "esm": Override(options={"pad_token_id": 1, "mask_token_id": 2}),
    "gemma3n": Override(
        before=_GEMMA3N_TOWER,
        after={
            **_GEMMA3N_TOKENS,
            "text_config.intermediate_size": lambda config: [2048] * config.text_config.num_hidden_layers,
        },
    ),
    "gemma3n_text": Override(after={"intermediate_size": lambda config: [2048] * config.num_hidden_layers}),
    "gemma4": Override(options={"vision_config": {}}),
    "glm46v": _glm_rope("text_config"),
    "glm4v": _glm_rope("text_config"),
    "glm4v_moe": _glm_rope("text_config", head_dim=128),
    "glm4v_moe_text": _glm_rope("", head_dim=128),
    "glm4v_text": _glm_rope(""),
    "glm_image": _glm_rope("text_config"),
    "glm_image_text": _glm_rope(""),
    "glmga": _glm_rope("text_config"),
    "granite4_vision": Override(
        options={"deepstack_layer_map": [[0, 0], [1, 1]], "downsample_rate": "1/2"},
        after={"spatial_target_layers": [0, 1, 0, 1]},
    ),
    "granite_speech": _GRANITE_SPEECH,
    "granite_speech_plus": _GRANITE_SPEECH,
    "hunyuan_v1_dense": _PLAIN_ROPE,
    "hunyuan_v1_moe": _PLAIN_ROPE,
    "hunyuan_vl": Override(before={"text_config.rope_parameters": _FOUR_AXES}),
    "hunyuan_vl_text": Override(before={"rope_parameters": _FOUR_AXES}),
    "informer": _SERIES,
    "janus": Override(after={"vision_config.projection_dim": lambda config: config.text_config.hidden_size}),
    "layoutlmv3": Override(after={"coordinate_size": 48, "shape_size": 32}),
    "lfm2_moe": Override(options={"layer_types": ["conv", "full_attention"] * 16}),
    "lilt": Override(widths=False),
    "lw_detr": Override(options={"projector_scale_factors": [1.0]}),
    "moonshine_streaming": Override(before={"num_key_value_heads": 8}),
    "musicgen": Override(part="decoder"),
    "musicgen_melody": Override(part="decoder"),
    "neucodec": _TWO_ENCODERS,
    "perception_lm": Override(
        before={
            "vision_config.architecture": "vit_pe_core_tiny_patch16_384",
            "vision_config.model_args": {"embed_dim": 192},
        }
    ),
    "qwen4_exp": Override(before={f"text_config.{name}": value for name, value in _INDEXER.items()}),
    "qwen4_exp_text": Override(before=_INDEXER),
    "sam2": _FOURTHS,
    "sam3_tracker": _FOURTHS,
    "unlimited_ocr": Override(after={"vision_config.sam_config.downsample_channels": _sam_channels}),
    "seggpt": Override(options={"image_size": [128, 64]}),
    "step3p7": Override(before={"text_config.sliding_window": 512}),
    "t5gemma2_encoder": Override(before={"text_config.dropout_rate": 0.0}),
    "time_series_transformer": _SERIES,
    "timm_backbone": Override(options={"backbone": "resnet18", "out_indices": [1, 2, 3, 4]}),
    "vipllava": Override(after={"vision_feature_layers": [-1, -2, -3, 0, 1]}),
    "xcodec": Override(after={"codebook_dim": _codec_width}),
    "xcodec2": _TWO_ENCODERS,
    "xlstm": Override(before={"num_blocks": 2, "num_hidden_layers": 2}),
    "xmod": Override(options={"default_language": "en_XX"}),
    "zamba": Override(after={"num_hidden_layers": 4, "layers_block_type": ["mamba", "mamba", "hybrid", "hybrid"]}),
}
_NONE = Override()


def override(name: str) -> Override:
    """The deviations of an architecture. None for most."""
    return OVERRIDES.get(name, _NONE)


def assign(config: Any, values: Mapping[str, Any]) -> None:
    """Set attributes of a configuration and of its parts, named with dots."""
    for path, value in values.items():
        *parts, name = path.split(".")
        setattr(functools.reduce(getattr, parts, config), name, value(config) if callable(value) else value)
