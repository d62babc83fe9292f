"""Puts the tokens that stand for images, videos and sounds into a text, as many as the model makes features of them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch

from passnet.dataset.models.forward_inputs import make
from passnet.dataset.models.transformers.wanted import Rule, Wanted

# The first place of the placeholders in every row.
_FIRST = 4
# Modality -> the number that `mm_token_type_ids` has for it.
MODALITIES: Mapping[str, int] = {"image": 1, "video": 2, "audio": 3}
_MEDIA: Mapping[str, tuple[str, ...]] = {
    "image": ("pixel_values",),
    "video": ("pixel_values_videos",),
    "audio": ("input_features", "input_values"),
}


def fill(model: torch.nn.Module, wanted: Wanted, special: Mapping[str, Rule]) -> dict[str, Any]:
    """The arguments of one call, with placeholders where the model wants them.

    Runs the model's own feature extractors to count. Raises any error of these.
    """
    made = make(wanted, special)
    if "input_ids" not in made:
        return made
    counts = {modality: count for modality in MODALITIES if (count := _count(model, wanted, made, modality))}
    if not counts:
        return made
    return _with_placeholders(made, wanted, counts, special)


def token(wanted: Wanted, modality: str) -> int | None:
    """The token that stands for a modality."""
    for name in (f"{modality}_token_id", f"{modality}_token_index", f"{modality}_patch_id", f"{modality}_pad_token_id"):
        value = getattr(wanted.config, name, None)
        if type(value) is int:
            return value
    return None


def _count(model: torch.nn.Module, wanted: Wanted, made: Mapping[str, Any], modality: str) -> int:
    """How many placeholders a row needs."""
    fixed = getattr(wanted.config, f"{modality}_soft_tokens_per_image", None)
    extract = getattr(model, f"get_{modality}_features", None)
    if extract is None or token(wanted, modality) is None or not any(name in made for name in _MEDIA[modality]):
        return 0
    if fixed:
        return int(fixed)
    accepted = inspect.signature(extract).parameters
    with torch.no_grad():
        features = extract(**{name: value for name, value in made.items() if name in accepted and name != "input_ids"})
    pooled = getattr(features, "pooler_output", features)
    return _rows(features.last_hidden_state if pooled is None else pooled) // wanted.batch


def _rows(features: Any) -> int:
    """Feature vectors in a tensor of any rank, or in a nest of such tensors."""
    if isinstance(features, torch.Tensor):
        return features.numel() // features.shape[-1]
    return sum(_rows(part) for part in features) if isinstance(features, (list, tuple)) else 0


def _with_placeholders(
    made: Mapping[str, Any], wanted: Wanted, counts: Mapping[str, int], special: Mapping[str, Rule]
) -> dict[str, Any]:
    length = wanted.recipe.length + sum(counts.values()) + 2 * len(counts)
    longer = Wanted(wanted.config, wanted.parameters, replace(wanted.recipe, length=length))
    text = {**make(longer, special), **{name: value for name, value in made.items() if name in _kept()}}
    kinds = torch.zeros_like(text["input_ids"])
    first = _FIRST
    for modality, count in counts.items():
        for bound, at in (("start", first), ("end", first + count + 1)):
            mark = _bound(wanted, modality, bound)
            if mark is not None:
                text["input_ids"][:, at] = mark
        text["input_ids"][:, first + 1 : first + 1 + count] = token(wanted, modality)
        kinds[:, first + 1 : first + 1 + count] = MODALITIES[modality]
        first += count + 2
    if wanted.asks("mm_token_type_ids"):
        text["mm_token_type_ids"] = kinds
    return text


def _kept() -> set[str]:
    return {name for names in _MEDIA.values() for name in names}


def _bound(wanted: Wanted, modality: str, bound: str) -> int | None:
    """The token before or after a run of placeholders."""
    for name in (f"{modality}_{bound}_token_id", f"vision_{bound}_token_id" if modality != "audio" else ""):
        value = getattr(wanted.config, name, None) if name else None
        if type(value) is int:
            return value
    return None
