"""Rules for the inputs of single architectures of transformers, where the general ones do not fit."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch

from passnet.dataset.models.transformers.media_inputs import flat_patches, grid
from passnet.dataset.models.transformers.text_inputs import floats, mask, tokens
from passnet.dataset.models.transformers.wanted import DECODER_LENGTH, SAMPLES, Rule, Wanted

Rules = Mapping[str, Rule]

# Lengths that follow from others: of a text with room for the features of an image, of one as long as a sound.
_KOSMOS_LENGTH, _VOXTRAL_LENGTH = 81, 13


def _zeros(wanted: Wanted, *shape: int) -> torch.Tensor:
    """A mask that hides nothing, where true means hidden."""
    return torch.zeros(wanted.batch, *shape, dtype=torch.bool)


def _trues(wanted: Wanted, *shape: int) -> torch.Tensor:
    return torch.ones(wanted.batch, *shape, dtype=torch.bool)


def _ones(wanted: Wanted, *shape: int) -> torch.Tensor:
    return torch.ones(wanted.batch, *shape, dtype=torch.int64)


def _hidden(wanted: Wanted) -> int:
    return wanted.number("hidden_size", default=1)


def _positions(wanted: Wanted) -> torch.Tensor:
    """Columns and rows of six by six patches."""
    side = torch.arange(6)
    return torch.cartesian_prod(side, side).repeat(wanted.batch, 1, 1)


def _squares(wanted: Wanted) -> torch.Tensor:
    """All patches of all images in one row, each patch a small image."""
    patch = wanted.number("patch_size", default=14)
    return flat_patches(wanted).reshape(-1, wanted.channels, patch, patch)


def _blocks(wanted: Wanted) -> torch.Tensor:
    """All images in blocks of the patches that are merged, colours last."""
    side = wanted.vision.patch_size * wanted.vision.spatial_merge_size
    return torch.randn(wanted.batch * math.prod(grid(wanted)), side, side, wanted.channels)


def _codes(wanted: Wanted) -> torch.Tensor:
    """One token of the text and one of every code book. The numbers are small enough for all of them."""
    return tokens(wanted, wanted.length, wanted.config.num_codebooks + 1) % 1000


def _books(wanted: Wanted) -> torch.Tensor:
    """One row for every code book of every sound."""
    return tokens(wanted, wanted.config.num_codebooks, wanted.length).flatten(0, 1)


def _one_sound(wanted: Wanted) -> torch.Tensor:
    """A token that the model itself replaces by all features of the sound."""
    text = tokens(wanted, wanted.length)
    if wanted.recipe.media:
        text[:, 4] = wanted.config.audio_token_index
    return text


def _latent_mask(wanted: Wanted) -> torch.Tensor:
    """The place in the text for the summary of the image."""
    room = _zeros(wanted, _KOSMOS_LENGTH)
    room[:, 2 : 2 + wanted.config.latent_query_num] = True
    return room


def _half_images(wanted: Wanted) -> torch.Tensor:
    """The model puts two of them on top of each other."""
    return floats(wanted, 3, wanted.pixels[0] // 2, wanted.pixels[1])


_PAIR: Rules = {"pixel_values": lambda wanted: floats(wanted, 2, 3, 64, 64)}
_MONO: Rules = {"input_values": lambda wanted: floats(wanted, 1, SAMPLES)}
_BLOCKS: Rules = {"pixel_values": _blocks}
_SQUARES: Rules = {"pixel_values": _squares}
# Several images in one sample.
_MANY: Rules = {"pixel_values": lambda wanted: floats(wanted, 1, wanted.channels, *wanted.pixels)}
_FLAT: Rules = {
    "pixel_values": lambda wanted: torch.rand(wanted.batch, 36, 3 * wanted.vision.patch_size**2),
    "image_position_ids": _positions,
    "pixel_position_ids": _positions,
}
# Frames with their differences, stacked in pairs.
_STACKED: Rules = {
    "input_features": lambda wanted: floats(wanted, 64, 4 * wanted.number("num_mel_bins", default=80)),
    "attention_mask": lambda wanted: _ones(wanted, 64),
}

# Samples, and features at the rate that the other encoder makes of them.
_BOTH: Rules = {
    **_MONO,
    "input_features": lambda wanted: floats(wanted, SAMPLES // 320, 160),
    "input_features_mask": lambda wanted: _ones(wanted, SAMPLES // 320),
}

SPECIAL_INPUTS: Mapping[str, Rules] = {
    "blip_2_qformer": {
        "encoder_hidden_states": lambda wanted: floats(wanted, 9, wanted.number("encoder_hidden_size", default=1))
    },
    "clap": {"input_features": lambda wanted: floats(wanted, 1, 1001, 64)},
    "dac": _MONO,
    "depth_pro": {"pixel_values": lambda wanted: floats(wanted, 3, 224, 224)},
    "dia": {
        "decoder_input_ids": lambda wanted: tokens(wanted, DECODER_LENGTH, wanted.config.decoder_config.num_channels)
    },
    "efficientloftr": _PAIR,
    "fuyu": {"pixel_values": lambda wanted: floats(wanted, 6, 3 * wanted.config.patch_size**2)},
    "gemma3n_audio": {
        "audio_mel": lambda wanted: floats(wanted, 96, 128),
        "audio_mel_mask": lambda wanted: _zeros(wanted, 96),
    },
    "gemma4": _FLAT,
    "gemma4_audio": {
        "input_features": lambda wanted: floats(wanted, 96, 128),
        "attention_mask": lambda wanted: _trues(wanted, 96),
    },
    "gemma4_vision": _FLAT,
    "granite_docling": {
        "pixel_values": lambda wanted: floats(wanted, 2, 3, *wanted.pixels),
        "pixel_attention_mask": lambda wanted: _trues(wanted, 2),
    },
    "granite_speech5_ctc": _STACKED,
    "granite_speech5_encoder": _STACKED,
    "idefics": {**_MANY, "image_attention_mask": lambda wanted: _ones(wanted, wanted.length, 1)},
    "idefics2": _MANY,
    "idefics3": _MANY,
    "inkling2": _BLOCKS,
    "inkling2_vision": _BLOCKS,
    "instructblipvideo": {"pixel_values": lambda wanted: floats(wanted, 4, 3, *wanted.pixels)},
    "kimi_k25": _SQUARES,
    "kimi_k25_vision": _SQUARES,
    "kosmos-2": {
        "input_ids": lambda wanted: tokens(wanted, _KOSMOS_LENGTH),
        "attention_mask": lambda wanted: mask(wanted, _KOSMOS_LENGTH),
        "image_embeds_position_mask": _latent_mask,
    },
    "kyutai_speech_to_text": {"input_ids": _codes},
    "lightglue": _PAIR,
    "lxmert": {
        "visual_feats": lambda wanted: floats(wanted, 36, wanted.config.visual_feat_dim),
        "visual_pos": lambda wanted: torch.rand(wanted.batch, 36, wanted.config.visual_pos_dim),
    },
    "mllama": {
        "pixel_values": lambda wanted: floats(wanted, 1, 4, wanted.channels, *wanted.pixels),
        "aspect_ratio_ids": lambda wanted: _ones(wanted, 1),
        "aspect_ratio_mask": lambda wanted: _ones(wanted, 1, 4),
        "cross_attention_mask": lambda wanted: _ones(wanted, wanted.length, 1, 4),
    },
    "modernvbert": _MANY,
    "musicgen": {"input_ids": _books},
    "musicgen_melody": {"input_ids": _books},
    "neucodec": _BOTH,
    # Two classes for every image, and a task in words.
    "omdet-turbo": {
        "classes_input_ids": lambda wanted: tokens(wanted, 2 * 5).reshape(-1, 5),
        "classes_attention_mask": lambda wanted: _ones(wanted, 2 * 5).reshape(-1, 5),
        "tasks_input_ids": lambda wanted: tokens(wanted, 7),
        "tasks_attention_mask": lambda wanted: _ones(wanted, 7),
        "classes_structure": lambda wanted: torch.full((wanted.batch,), 2),
    },
    "oneformer": {"task_inputs": lambda wanted: tokens(wanted, wanted.number("task_seq_len", default=77))},
    "paddleocr_vl": {"pixel_values": _squares},
    "perception_lm": _MANY,
    "perceiver": {"inputs": lambda wanted: floats(wanted, 50, wanted.config.d_model)},
    "pocket_tts_audio_tokenizer_decoder": {"latents": lambda wanted: floats(wanted, _hidden(wanted), DECODER_LENGTH)},
    "qwen2_audio": {"input_ids": _one_sound},
    "sam2_hiera_det_model": {"pixel_values": lambda wanted: floats(wanted, 3, 256, 256)},
    "sam2_vision_model": {"pixel_values": lambda wanted: floats(wanted, 3, 256, 256)},
    # An image, and another one with its mask as an example of the task.
    "seggpt": dict.fromkeys(("pixel_values", "prompt_pixel_values", "prompt_masks"), _half_images),
    "smolvlm": _MANY,
    "speecht5": {
        "input_values": lambda wanted: floats(wanted, wanted.length, _hidden(wanted)),
        "attention_mask": lambda wanted: mask(wanted, wanted.length),
        "decoder_input_values": lambda wanted: floats(wanted, DECODER_LENGTH, _hidden(wanted)),
    },
    "ultravbert": _MANY,
    "vibevoice_acoustic_tokenizer_decoder": {"hidden_states": lambda wanted: floats(wanted, 64, 11)},
    "vibevoice_acoustic_tokenizer_encoder": {"hidden_states": lambda wanted: floats(wanted, 1, SAMPLES)},
    "voxtral_realtime": {
        "input_ids": lambda wanted: tokens(wanted, _VOXTRAL_LENGTH),
        "attention_mask": lambda wanted: mask(wanted, _VOXTRAL_LENGTH),
    },
    "voxtral_realtime_text": {"t_cond": lambda wanted: torch.randn(1, 1, _hidden(wanted))},
    "xcodec2": _BOTH,
}


def special_inputs(name: str) -> Rules:
    """The rules of one architecture. None for most."""
    return SPECIAL_INPUTS.get(name, {})
