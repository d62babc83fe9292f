"""What single architectures of transformers need beside the general rules: options, settings, inputs of their own."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from passnet.dataset.models.shrink import VOCABULARY
from passnet.dataset.models.transformers_media_inputs import flat_patches, grid
from passnet.dataset.models.transformers_text_inputs import floats, mask, tokens
from passnet.dataset.models.transformers_wanted import DECODER_LENGTH, SAMPLES, Rule, Wanted


@dataclass(frozen=True)
class Override:
    """Deviations for one architecture.

    `options` go to the configuration's constructor; `before` and `after` are attributes (with dots) set before and
    after shrinking, a callable value being given the whole configuration; `model` names another class than the mapped
    one, made from the part `part` of the configuration; `inputs` are rules for parameters; `widths` False leaves the
    widths alone.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    model: str | None = None
    part: str | None = None
    inputs: Mapping[str, Rule] = field(default_factory=dict)
    widths: bool = True


_ROPE = {"rope_type": "default", "rope_theta": 10000.0}
_FOUR_AXES = {**_ROPE, "mrope_section": [16, 16, 16, 16]}
_SERIES = Override(options={"prediction_length": 8, "context_length": 12, "num_time_features": 2})
_PAIR: Mapping[str, Rule] = {"pixel_values": lambda wanted: torch.randn(wanted.batch, 2, 3, 64, 64)}
_MONO: Mapping[str, Rule] = {"input_values": lambda wanted: floats(wanted, 1, SAMPLES)}


_INDEXER = {
    "indexer_n_heads": 4,
    "indexer_kv_heads": 1,
    "indexer_head_dim": 64,
    "indexer_budget": 8,
    "indexer_compress_ratio": 4,
}
_EMU_CODES = 256
_QWEN_SMALL = {"hidden_size": 896, "num_attention_heads": 14, "num_key_value_heads": 2, "intermediate_size": 4864}
# A small network for images whose last features are 2 by 2 for images of 64 by 64.
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


def _positions(wanted: Wanted) -> torch.Tensor:
    """Columns and rows of six by six patches."""
    side = torch.arange(6)
    return torch.cartesian_prod(side, side).repeat(wanted.batch, 1, 1)


_FLAT: Mapping[str, Rule] = {
    "pixel_values": lambda wanted: torch.rand(wanted.batch, 36, 3 * wanted.vision.patch_size**2),
    "image_position_ids": _positions,
    "pixel_position_ids": _positions,
}
_EDGE = "repvit_m1"
# Several images in one sample.
_MANY: Mapping[str, Rule] = {"pixel_values": lambda wanted: floats(wanted, 1, wanted.channels, *wanted.pixels)}
_PLAIN_ROPE = Override(before={"rope_parameters": _ROPE})


def _squares(wanted: Wanted) -> torch.Tensor:
    """All patches of all images in one row, each patch a small image."""
    patch = wanted.number("patch_size", default=14)
    return flat_patches(wanted).reshape(-1, wanted.channels, patch, patch)


def _delayed_codes(wanted: Wanted) -> torch.Tensor:
    """One row of codes for every channel of the sound."""
    return tokens(wanted, DECODER_LENGTH, wanted.config.decoder_config.num_channels)


def _image_attention_mask(wanted: Wanted) -> torch.Tensor:
    """Every token may look at the one image."""
    return torch.ones(wanted.batch, wanted.length, 1, dtype=torch.int64)


def _blocks(wanted: Wanted) -> torch.Tensor:
    """All images in blocks of the patches that are merged, colours last."""
    side = wanted.vision.patch_size * wanted.vision.spatial_merge_size
    return torch.randn(wanted.batch * math.prod(grid(wanted)), side, side, wanted.channels)


def _one_sound(wanted: Wanted) -> torch.Tensor:
    """A token that the model itself replaces by all features of the sound."""
    text = tokens(wanted, wanted.length)
    if wanted.recipe.media:
        text[:, 4] = wanted.config.audio_token_index
    return text


def _latent_mask(wanted: Wanted) -> torch.Tensor:
    """Where the text leaves room for what the image is summed up to."""
    mask = torch.zeros(wanted.batch, _KOSMOS_LENGTH, dtype=torch.bool)
    mask[:, 2 : 2 + wanted.config.latent_query_num] = True
    return mask


# An image, and another one with its mask as an example of the task.
_PROMPTED: Mapping[str, Rule] = {
    name: lambda wanted: floats(wanted, 3, wanted.pixels[0] // 2, wanted.pixels[1])
    for name in ("pixel_values", "prompt_pixel_values", "prompt_masks")
}
# Two classes for every image, and a task in words.
_CLASSES: Mapping[str, Rule] = {
    "classes_input_ids": lambda wanted: tokens(wanted, 2 * 5).reshape(-1, 5),
    "classes_attention_mask": lambda wanted: torch.ones(2 * wanted.batch, 5, dtype=torch.int64),
    "tasks_input_ids": lambda wanted: tokens(wanted, 7),
    "tasks_attention_mask": lambda wanted: torch.ones(wanted.batch, 7, dtype=torch.int64),
    "classes_structure": lambda wanted: torch.full((wanted.batch,), 2),
}
_BLOCKS: Mapping[str, Rule] = {"pixel_values": _blocks}
_SQUARES: Mapping[str, Rule] = {"pixel_values": _squares}
_KOSMOS_LENGTH = 81
_KOSMOS = Override(
    inputs={
        "input_ids": lambda wanted: tokens(wanted, _KOSMOS_LENGTH),
        "attention_mask": lambda wanted: mask(wanted, _KOSMOS_LENGTH),
        "image_embeds_position_mask": _latent_mask,
    }
)


# Frames with their differences, stacked in pairs.
_GRANITE_FRAMES = Override(
    inputs={
        "input_features": lambda wanted: floats(wanted, 64, 4 * wanted.number("num_mel_bins", default=80)),
        "attention_mask": lambda wanted: torch.ones(wanted.batch, 64, dtype=torch.int64),
    }
)
_GRANITE_SPEECH = Override(
    after={"projector_config.encoder_hidden_size": lambda config: config.encoder_config.hidden_dim}
)


def _codec_width(config: Any) -> int:
    """The features of the sound itself and of its meaning, side by side."""
    return int(config.acoustic_model_config.hidden_size + config.semantic_model_config.hidden_size)


def _depth_pro_part() -> dict[str, Any]:
    return {"model_type": "dinov2", "image_size": 56, "patch_size": 14}


OVERRIDES: Mapping[str, Override] = {
    "aria": Override(after={"projector_patch_to_query_dict": {16: 4}, "max_value_projector_patch_to_query_dict": 4}),
    "autoformer": _SERIES,
    "informer": _SERIES,
    "time_series_transformer": _SERIES,
    "bark": Override(model="BarkSemanticModel", part="semantic_config"),
    "blip_2_qformer": Override(
        inputs={
            "encoder_hidden_states": lambda wanted: floats(wanted, 9, wanted.number("encoder_hidden_size", default=1))
        }
    ),
    "cvt": Override(options={"depth": [1, 2, 3]}),
    "blt": Override(
        widths=False, after={f"{part}_config.intermediate_size": 512 for part in ("encoder", "decoder", "global")}
    ),
    "chameleon": Override(options={"vocabulary_map": _chameleon_words()}),
    "dbrx": Override(before={"attn_config.rope_theta": 10000.0, "attn_config.clip_qkv": 8.0}),
    "dots1": Override(options={"n_shared_experts": 1}),
    "esm": Override(options={"pad_token_id": 1, "mask_token_id": 2}),
    "cohere_compass": Override(
        before={"text_config.rope_parameters": {"full_attention": _ROPE, "sliding_attention": _ROPE}}
    ),
    "cohere_compass_text": Override(before={"rope_parameters": {"full_attention": _ROPE, "sliding_attention": _ROPE}}),
    "dac": Override(inputs=_MONO),
    "dia": Override(inputs={"decoder_input_ids": _delayed_codes}),
    "clap": Override(inputs={"input_features": lambda wanted: floats(wanted, 1, 1001, 64)}),
    "efficientloftr": Override(inputs=_PAIR),
    "lightglue": Override(inputs=_PAIR),
    "depth_pro": Override(
        after={"intermediate_hook_ids": [1, 0]},
        options={"patch_size": 56, **{f"{part}_model_config": _depth_pro_part() for part in ("image", "patch", "fov")}},
        inputs={"pixel_values": lambda wanted: floats(wanted, 3, 224, 224)},
    ),
    "deepseek_ocr2": Override(
        before={f"vision_config.encoder_config.{name}": value for name, value in _QWEN_SMALL.items()},
        after={
            "vision_config.sam_config.downsample_channels": lambda config: [
                512,
                config.vision_config.encoder_config.hidden_size,
            ]
        },
    ),
    "emu3": Override(
        options={"vocabulary_map": _emu_words()},
        before={"vq_config.codebook_size": _EMU_CODES, "vq_config.base_channels": 32, "vq_config.hidden_size": 128},
    ),
    "clvp": Override(after={"speech_config.vocab_size": lambda config: config.decoder_config.vocab_size}),
    "gemma3n": Override(
        before=_GEMMA3N_TOWER,
        after={
            **_GEMMA3N_TOKENS,
            "text_config.intermediate_size": lambda config: [2048] * config.text_config.num_hidden_layers,
        },
    ),
    "gemma3n_text": Override(after={"intermediate_size": lambda config: [2048] * config.num_hidden_layers}),
    "inkling2": Override(inputs=_BLOCKS),
    "inkling2_vision": Override(inputs=_BLOCKS),
    "edgetam": Override(before={"vision_config.backbone_config.architecture": _EDGE}),
    "edgetam_vision_model": Override(before={"backbone_config.architecture": _EDGE}),
    "fuyu": Override(inputs={"pixel_values": lambda wanted: floats(wanted, 6, 3 * wanted.config.patch_size**2)}),
    "gemma3n_audio": Override(
        inputs={
            "audio_mel": lambda wanted: floats(wanted, 96, 128),
            "audio_mel_mask": lambda wanted: torch.zeros(wanted.batch, 96, dtype=torch.bool),
        }
    ),
    "gemma4": Override(options={"vision_config": {}}, inputs=_FLAT),
    "gemma4_audio": Override(
        inputs={
            "input_features": lambda wanted: floats(wanted, 96, 128),
            "attention_mask": lambda wanted: torch.ones(wanted.batch, 96, dtype=torch.bool),
        }
    ),
    "gemma4_vision": Override(inputs=_FLAT),
    "glm46v": _glm_rope("text_config"),
    "glm4v": _glm_rope("text_config"),
    "glm4v_moe": _glm_rope("text_config", head_dim=128),
    "glm4v_moe_text": _glm_rope("", head_dim=128),
    "glm4v_text": _glm_rope(""),
    "glm_image": _glm_rope("text_config"),
    "glm_image_text": _glm_rope(""),
    "glmga": _glm_rope("text_config"),
    "hunyuan_v1_dense": _PLAIN_ROPE,
    "hunyuan_v1_moe": _PLAIN_ROPE,
    "hunyuan_vl": Override(before={"text_config.rope_parameters": _FOUR_AXES}),
    "hunyuan_vl_text": Override(before={"rope_parameters": _FOUR_AXES}),
    "idefics": Override(inputs={**_MANY, "image_attention_mask": _image_attention_mask}),
    "idefics2": Override(inputs=_MANY),
    "idefics3": Override(inputs=_MANY),
    "smolvlm": Override(inputs=_MANY),
    "instructblipvideo": Override(inputs={"pixel_values": lambda wanted: floats(wanted, 4, 3, *wanted.pixels)}),
    "janus": Override(after={"vision_config.projection_dim": lambda config: config.text_config.hidden_size}),
    "kimi_k25": Override(inputs=_SQUARES),
    "kimi_k25_vision": Override(inputs=_SQUARES),
    "kosmos-2": _KOSMOS,
    "kyutai_speech_to_text": Override(
        inputs={"input_ids": lambda wanted: tokens(wanted, wanted.length, wanted.config.num_codebooks + 1) % 1000}
    ),
    "lfm2_moe": Override(options={"layer_types": ["conv", "full_attention"] * 16}),
    "granite4_vision": Override(
        options={"deepstack_layer_map": [[0, 0], [1, 1]], "downsample_rate": "1/2"},
        after={"spatial_target_layers": [0, 1, 0, 1]},
    ),
    "granite_speech": _GRANITE_SPEECH,
    "granite_speech5_ctc": _GRANITE_FRAMES,
    "granite_speech5_encoder": _GRANITE_FRAMES,
    "granite_speech_plus": _GRANITE_SPEECH,
    "pocket_tts_audio_tokenizer_decoder": Override(
        inputs={"latents": lambda wanted: floats(wanted, wanted.number("hidden_size", default=1), DECODER_LENGTH)}
    ),
    "qwen2_audio": Override(inputs={"input_ids": _one_sound}),
    "qwen4_exp": Override(before={f"text_config.{name}": value for name, value in _INDEXER.items()}),
    "qwen4_exp_text": Override(before=_INDEXER),
    "seggpt": Override(inputs=_PROMPTED),
    "speecht5": Override(
        inputs={
            "input_values": lambda wanted: floats(wanted, wanted.length, wanted.config.hidden_size),
            "attention_mask": lambda wanted: mask(wanted, wanted.length),
            "decoder_input_values": lambda wanted: floats(wanted, DECODER_LENGTH, wanted.config.hidden_size),
        }
    ),
    "omdet-turbo": Override(inputs=_CLASSES),
    "step3p7": Override(before={"text_config.sliding_window": 512}),
    "sam2_vision_model": Override(inputs={"pixel_values": lambda wanted: floats(wanted, 3, 256, 256)}),
    "t5gemma2_encoder": Override(before={"text_config.dropout_rate": 0.0}),
    "vibevoice_acoustic_tokenizer_decoder": Override(inputs={"hidden_states": lambda wanted: floats(wanted, 64, 11)}),
    "vibevoice_acoustic_tokenizer_encoder": Override(
        inputs={"hidden_states": lambda wanted: floats(wanted, 1, SAMPLES)}
    ),
    "voxtral_realtime_text": Override(
        inputs={"t_cond": lambda wanted: torch.randn(1, 1, wanted.number("hidden_size", default=1))}
    ),
    "voxtral_realtime": Override(
        inputs={"input_ids": lambda wanted: tokens(wanted, 13), "attention_mask": lambda wanted: mask(wanted, 13)}
    ),
    "xcodec": Override(after={"codebook_dim": _codec_width}),
    "timm_backbone": Override(options={"backbone": "resnet18", "out_indices": [1, 2, 3, 4]}),
    "xcodec2": Override(
        after={"quantization_dim": lambda config: config.hidden_size + config.semantic_model_config.hidden_size},
        inputs={
            **_MONO,
            "input_features": lambda wanted: floats(wanted, SAMPLES // 320, 160),
            "input_features_mask": lambda wanted: torch.ones(wanted.batch, SAMPLES // 320, dtype=torch.int64),
        },
    ),
    "xlstm": Override(before={"num_blocks": 2, "num_hidden_layers": 2}),
    "xmod": Override(options={"default_language": "en_XX"}),
    "zamba": Override(after={"num_hidden_layers": 4, "layers_block_type": ["mamba", "mamba", "hybrid", "hybrid"]}),
    "granite_docling": Override(
        inputs={
            "pixel_values": lambda wanted: floats(wanted, 2, 3, *wanted.pixels),
            "pixel_attention_mask": lambda wanted: torch.ones(wanted.batch, 2, dtype=torch.bool),
        }
    ),
}
_NONE = Override()


def override(name: str) -> Override:
    """The deviations of an architecture; none for most."""
    return OVERRIDES.get(name, _NONE)


def assign(config: Any, values: Mapping[str, Any]) -> None:
    """Set attributes of a configuration and of its parts, named with dots."""
    for path, value in values.items():
        *parts, name = path.split(".")
        setattr(functools.reduce(getattr, parts, config), name, value(config) if callable(value) else value)
