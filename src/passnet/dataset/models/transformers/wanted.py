"""The data for the rules of inputs: a configuration, its parts, the parameters of `forward`, and how to call it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from passnet.dataset.models.shrink import walk

# Rare numbers, so that a dimension of this size is the batch or the sequence and little else: no configuration has
# three heads or layers, and 17, 11 and 1009 are prime. Images come in twos, since three is their channels.
TEXT_BATCH, IMAGE_BATCH = 3, 2
LENGTH, DECODER_LENGTH = 17, 11
# Sizes for a configuration without them: pixels of a side, samples of a sound, frames of a spectrogram or video.
PIXELS, SAMPLES, FRAMES, VIDEO_FRAMES = 64, 7680, 104, 8


@dataclass(frozen=True)
class Recipe:
    """Which inputs to give and in which of the layouts that parameters of one name come in."""

    masks: bool = True
    media: bool = True
    time_first: bool = False
    mono: bool = False
    sizes: bool = False
    pixels: int | None = None
    length: int = LENGTH


class Wanted:
    """One call to make inputs for."""

    def __init__(self, config: Any, parameters: Mapping[str, inspect.Parameter], recipe: Recipe) -> None:
        self.config = config
        self.parameters = parameters
        self.recipe = recipe
        self.scopes = list(walk(config))
        pictures = any(name.startswith("pixel_values") for name in parameters) and recipe.media
        self.batch = IMAGE_BATCH if pictures else TEXT_BATCH
        positions = self.text_number("max_position_embeddings", default=recipe.length)
        self.length = min(recipe.length, positions) if positions > 0 else recipe.length

    def number(self, *names: str, default: int) -> int:
        """The first of these attributes that any part of the configuration has as a number, or its last entry."""
        for name in names:
            for scope in self.scopes:
                value = getattr(scope, name, None)
                value = value[-1] if isinstance(value, (list, tuple)) and value else value
                if type(value) is int:
                    return value
        return default

    def text_number(self, *names: str, default: int) -> int:
        """`number` of the configuration itself, else of its part for text, else of any part."""
        text = getattr(self.config, "text_config", None)
        found = (getattr(scope, name, None) for scope in (self.config, text) for name in names)
        return next((value for value in found if type(value) is int), self.number(*names, default=default))

    def has(self, name: str) -> bool:
        """Whether a part of the configuration gives this attribute a value."""
        return any(getattr(scope, name, None) is not None for scope in self.scopes)

    def asks(self, name: str) -> bool:
        """Whether `forward` has a parameter of this name."""
        return name in self.parameters

    @property
    def vision(self) -> Any:
        """The part that describes the vision model."""
        for name in ("vision_config", "backbone_config", "vision_tower_config", "image_encoder_config"):
            if getattr(self.config, name, None) is not None:
                return getattr(self.config, name)
        return self.config

    @property
    def pixels(self) -> tuple[int, int]:
        """Height and width of an image."""
        if self.recipe.pixels:
            return self.recipe.pixels, self.recipe.pixels
        for scope in [self.vision, *self.scopes]:
            for name in ("image_size", "img_size", "input_size", "max_img_size"):
                size = getattr(scope, name, None)
                if type(size) is int:
                    return size, size
                if isinstance(size, (list, tuple)) and len(size) == 2:
                    return size[0], size[1]
        return PIXELS, PIXELS

    @property
    def channels(self) -> int:
        """Colours of an image."""
        return self.number("num_channels", "in_channels", "in_chans", default=3)

    @property
    def tiled(self) -> bool:
        """Whether images come cut into tiles, with the whole image as a further one."""
        return bool(getattr(self.config, "image_grid_pinpoints", None))

    @property
    def sounds(self) -> bool:
        """Whether `forward` takes sound, as a spectrogram or as samples."""
        return self.asks("input_features") or self.asks("input_values")

    @property
    def spectrogram(self) -> tuple[int, int]:
        """Bins and frames: one window, or twice as many frames as there are positions, as Whisper's encoders insist."""
        bins = self.number(
            "num_mel_bins", "input_feat_size", "feature_projection_input_dim", "input_feat_per_channel", "mel_bins",
            "n_mels", "input_dim", "n_mel_channels", "feature_size", default=80,
        )  # fmt: skip
        window = self.number("n_window", default=0)
        frames = 2 * (window or self.number("max_source_positions", default=FRAMES // 2))
        return bins * self.number("num_stacked_frames", default=1), frames


Rule = Callable[[Wanted], Any]
