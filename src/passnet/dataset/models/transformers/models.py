"""Looks up architectures in transformers: configuration, model class, parameters of `forward`, and purpose."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Mapping
from typing import Any

import torch

from passnet.dataset.models import torchvision_shim
from passnet.dataset.models.source import Config, Domain
from passnet.dataset.models.transformers.overrides import assign, override
from passnet.errors import MissingExtra, UsageError

Parameters = Mapping[str, inspect.Parameter]


@functools.cache
def library() -> Any:
    """The package. Errors: UsageError when it cannot be imported."""
    torchvision_shim.prepare()
    try:
        import transformers
    except ImportError as error:
        raise MissingExtra("the source", "transformers", reason=str(error)) from error
    return transformers


def names() -> list[str]:
    """Every model type that has a base model, sorted. Nothing of the models is imported."""
    library()
    from transformers.models.auto import modeling_auto

    return sorted(modeling_auto.MODEL_MAPPING_NAMES)


def configuration(name: str) -> Config:
    """A fresh default configuration, with the values that the architecture needs besides the defaults. Errors:
    UsageError.
    """
    deviation = override(name)
    config = _configuration_class(name)(**deviation.options)
    assign(config, deviation.before)
    return config


def model_class(name: str) -> Any:
    """The class of the base model. Errors: UsageError for a model type that the library does not have."""
    config_class = _configuration_class(name)
    if own := override(name).model:
        return _modelled(config_class, own)
    try:
        found = library().MODEL_MAPPING[config_class]
    except ValueError:
        # The mapping names a class that its module does not export.
        return _modelled(config_class, library().models.auto.modeling_auto.MODEL_MAPPING_NAMES[name])
    return found[0] if isinstance(found, tuple) else found


def _configuration_class(name: str) -> Any:
    if name not in names():
        raise UsageError(
            f"transformers has no model type {name!r}", hint="passnet capture transformers --list names them all"
        )
    return library().CONFIG_MAPPING[name]


def _modelled(config_class: Config, name: str) -> Any:
    """A class of the module that belongs to a configuration."""
    return getattr(importlib.import_module(config_class.__module__.replace("configuration", "modeling")), name)


def parameters(cls: Any) -> Parameters:
    """The parameters of `forward`, without `self`."""
    return {name: value for name, value in inspect.signature(cls.forward).parameters.items() if name != "self"}


def create(cls: Any, config: Config) -> torch.nn.Module:
    """A model with fresh weights in float32, with plain attention and experts where the architecture allows it.

    Plain attention leaves matrix products, masks and softmax in the graph instead of one fused operation. Experts by
    batched products use functions of torch alone, and shapes that do not depend on the routing.
    """
    if not hasattr(cls, "_from_config"):
        plain: torch.nn.Module = cls(config)
        return plain
    make = functools.partial(cls._from_config, config, experts_implementation="batched_mm", dtype=torch.float32)
    try:
        model: torch.nn.Module = make(attn_implementation="eager")
    except ValueError as error:
        if "attn_implementation" not in str(error) and "attention implementation" not in str(error):
            raise
        model = make()
    return model


def domain(given: Parameters) -> Domain:
    """The purpose of a model, from its inputs: images, sound, text, or several of these."""
    pictures = any(name.startswith(("pixel_values", "flattened_patches")) for name in given) or "grid_thw" in given
    sound = bool({"input_features", "input_values", "audio_mel", "audio_codes"} & given.keys())
    words = "input_ids" in given or "qformer_input_ids" in given
    if pictures + sound + words > 1:
        return "multimodal"
    if pictures:
        return "computer_vision"
    if sound:
        return "audio"
    return "nlp" if words else "other"
