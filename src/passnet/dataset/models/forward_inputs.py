"""Makes the inputs of one call of a transformers model: a table from a parameter's name to the tensor it wants."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from passnet.dataset.models.transformers import media_inputs, text_inputs
from passnet.dataset.models.transformers.wanted import Recipe, Rule, Wanted

RULES: Mapping[str, Rule] = {**text_inputs.RULES, **media_inputs.RULES}
# Masks, and inputs of images and sound: a recipe may leave either out.
_MASKS = {
    "attention_mask", "decoder_attention_mask", "pixel_mask", "token_type_ids", "input_features_mask",
    "feature_attention_mask",
}  # fmt: skip
_MEDIA = {
    "pixel_values", "pixel_values_videos", "spatial_shapes", "target_sizes", "pixel_attention_mask",
    "image_merge_sizes", "high_res_pixel_values", "image_grid_thw", "image_sizes", "pixel_mask", "input_values",
    "input_features", "input_features_mask", "feature_attention_mask",
}  # fmt: skip
# Given only where a parameter has no default.
_ON_DEMAND = {"video_grid_thw", "inputs_embeds"}
# Given only beside other inputs, or instead of them.
_WHEN: Mapping[str, Callable[[Wanted], bool]] = {
    "attention_mask": lambda wanted: (
        wanted.asks("input_ids") or wanted.asks("states") or (wanted.sounds and not wanted.has("frequency_stride"))
    ),
    "decoder_attention_mask": lambda wanted: wanted.asks("decoder_input_ids"),
    "image_sizes": lambda wanted: wanted.recipe.sizes or wanted.tiled,
    "pixel_values_videos": lambda wanted: not wanted.asks("pixel_values"),
}


def make(wanted: Wanted, special: Mapping[str, Rule]) -> dict[str, Any]:
    """Arguments of one call by name: those of the recipe, all parameters without a default, and the special ones.

    `special` are rules of one architecture. Draws from the global generator. Errors: LookupError for a parameter
    without default and without rule.
    """
    rules = {**RULES, **special}
    made: dict[str, Any] = {}
    for name, parameter in wanted.parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is not parameter.empty and not _chosen(wanted, name, special):
            continue
        if name not in rules:
            raise LookupError(f"no rule for the parameter {name}")
        value = rules[name](wanted)
        if value is not None:
            made[name] = value
    # Keyword arguments that `forward` takes.
    return made | {name: rule(wanted) for name, rule in special.items() if name not in wanted.parameters}


def _chosen(wanted: Wanted, name: str, special: Mapping[str, Rule]) -> bool:
    """Whether a parameter that has a default is still given."""
    recipe = wanted.recipe
    if (name in _MEDIA and not recipe.media) or (name in _MASKS and not recipe.masks):
        return False
    if name in special:
        return True
    if name in _WHEN:
        return _WHEN[name](wanted)
    return name in RULES and name not in _ON_DEMAND and not _absent(wanted, name)


def _absent(wanted: Wanted, name: str) -> bool:
    """Whether the parameter is for a part that this configuration does not have."""
    part = "vision_config" if name.startswith(("pixel_", "image_")) else "audio_config"
    return name in _MEDIA and part in vars(wanted.config) and getattr(wanted.config, part) is None


def recipes(parameters: Mapping[str, inspect.Parameter]) -> list[Recipe]:
    """The ways of calling worth trying, the fullest first."""
    found = [Recipe(), Recipe(masks=False)]
    if "image_sizes" in parameters:
        found += [replace(recipe, sizes=True) for recipe in found]
    if "input_features" in parameters:
        found += [replace(recipe, time_first=True) for recipe in found]
    if "input_values" in parameters:
        found += [replace(recipe, mono=True) for recipe in found]
    if any(name.startswith("pixel_values") for name in parameters):
        found.append(Recipe(masks=False, pixels=224))
    return found


def text_recipes(parameters: Mapping[str, inspect.Parameter]) -> list[Recipe]:
    """Tokens alone, for models that also read images or sound."""
    if not ("input_ids" in parameters and _MEDIA & parameters.keys()):
        return []
    return [Recipe(media=False), Recipe(media=False, masks=False)]
