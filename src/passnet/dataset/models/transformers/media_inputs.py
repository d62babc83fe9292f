"""Inputs of models that see or hear: images, patches, videos, spectrograms, samples, and their sizes."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch

from passnet.dataset.models.transformers.wanted import SAMPLES, VIDEO_FRAMES, Rule, Wanted

# Rows and columns of patches where every image has its own number.
_SHAPE = (4, 8)


def _pixel_values(wanted: Wanted) -> torch.Tensor:
    if wanted.asks("image_grid_thw") or wanted.asks("grid_thw"):
        return flat_patches(wanted)
    if wanted.asks("target_sizes"):
        side = wanted.number("patch_size", default=14)
        return torch.randn(1, wanted.channels, side, side * wanted.batch * math.prod(_SHAPE))
    if wanted.asks("spatial_shapes"):
        return flat_patches(wanted).reshape(wanted.batch, math.prod(_SHAPE), -1)
    if wanted.has("num_frames") and not wanted.asks("pixel_values_videos"):
        return _pixel_values_videos(wanted)
    tiles = [3] if wanted.tiled else []
    return torch.randn(wanted.batch, *tiles, wanted.channels, *wanted.pixels)


def _pixel_values_videos(wanted: Wanted) -> torch.Tensor:
    if wanted.asks("video_grid_thw"):
        return flat_patches(wanted)
    frames = wanted.number("num_frames", "frames_per_clip", default=VIDEO_FRAMES)
    return torch.randn(wanted.batch, frames, wanted.channels, *wanted.pixels)


def _spatial_shapes(wanted: Wanted) -> torch.Tensor:
    return torch.tensor([_SHAPE] * wanted.batch)


def _pixel_attention_mask(wanted: Wanted) -> torch.Tensor | None:
    """One entry a patch. None for a model whose mask has one entry a pixel and is optional."""
    if not wanted.asks("spatial_shapes"):
        return None
    return torch.ones(wanted.batch, math.prod(_SHAPE), dtype=torch.int64)


def grid(wanted: Wanted) -> tuple[int, int, int]:
    """Frames, rows and columns of the patches of one image: a few after neighbours are merged."""
    if wanted.asks("spatial_shapes"):
        return 1, *_SHAPE
    return 1, 2 * _merged(wanted), 4 * _merged(wanted)


def _merged(wanted: Wanted) -> int:
    """Neighbours along a side that become one patch. 2 where every image may have its own number."""
    own = 2 if wanted.asks("merge_sizes") or wanted.asks("image_merge_sizes") else 1
    return wanted.number("spatial_merge_size", "merge_kernel_size", "merge_size", default=own)


def flat_patches(wanted: Wanted) -> torch.Tensor:
    """All patches of all images in one row, each patch flattened."""
    frames, rows, columns = grid(wanted)
    pixels = wanted.number("patch_size", default=14) ** 2 * wanted.number(
        "temporal_patch_size", "patch_temporal", default=1
    )
    channels = wanted.number("in_channels", "num_channels", "in_chans", default=3)
    return torch.randn(wanted.batch * frames * rows * columns, channels * pixels)


def _grid_thw(wanted: Wanted) -> torch.Tensor:
    return torch.tensor([grid(wanted)] * wanted.batch)


def _merge_sizes(wanted: Wanted) -> torch.Tensor:
    return torch.tensor([_merged(wanted)] * wanted.batch)


def _image_sizes(wanted: Wanted) -> torch.Tensor:
    height, width = wanted.pixels
    return torch.tensor([[height, 2 * width if wanted.tiled else width]] * wanted.batch)


def _pixel_mask(wanted: Wanted) -> torch.Tensor:
    """Ones, and zeros for padding at the right of the first image."""
    mask = torch.ones(wanted.batch, *wanted.pixels, dtype=torch.int64)
    mask[0, :, -wanted.pixels[1] // 4 :] = 0
    return mask


def _input_values(wanted: Wanted) -> torch.Tensor:
    if wanted.has("frequency_stride"):
        return torch.randn(wanted.batch, wanted.number("max_length", default=1), wanted.spectrogram[0])
    channels = 1 if wanted.recipe.mono else wanted.number("audio_channels", "channels", default=0)
    return torch.randn(wanted.batch, *([channels] if channels else []), SAMPLES)


def _input_features(wanted: Wanted) -> torch.Tensor:
    bins, frames = wanted.spectrogram
    return torch.randn(wanted.batch, *((frames, bins) if wanted.recipe.time_first else (bins, frames)))


def _frames_mask(wanted: Wanted) -> torch.Tensor:
    return torch.ones(wanted.batch, wanted.spectrogram[1], dtype=torch.int64)


def _high_resolution(wanted: Wanted) -> torch.Tensor:
    side = wanted.config.high_res_vision_config.image_size
    return torch.randn(wanted.batch, wanted.channels, side, side)


RULES: Mapping[str, Rule] = {
    "pixel_values": _pixel_values,
    "high_res_pixel_values": _high_resolution,
    "pixel_values_videos": _pixel_values_videos,
    "image_grid_thw": _grid_thw,
    "video_grid_thw": _grid_thw,
    "grid_thw": _grid_thw,
    "merge_sizes": _merge_sizes,
    "image_merge_sizes": _merge_sizes,
    "spatial_shapes": _spatial_shapes,
    "target_sizes": _spatial_shapes,
    "pixel_attention_mask": _pixel_attention_mask,
    "hidden_states": flat_patches,
    "image_sizes": _image_sizes,
    "pixel_mask": _pixel_mask,
    "input_values": _input_values,
    "input_features": _input_features,
    "input_features_mask": lambda wanted: _frames_mask(wanted).bool(),
    "feature_attention_mask": _frames_mask,
}
