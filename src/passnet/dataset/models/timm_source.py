"""Every image model of timm's registry, with random weights: few layers, small images where the model allows them."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any
from unittest import mock

import torch

from passnet.dataset.models import families, torchvision_shim
from passnet.dataset.models.building import BATCH, Call, ModelRecipe, first_working
from passnet.dataset.models.source import Case, Config, Domain, Method, Options
from passnet.errors import MissingExtra
from passnet.op_classes import word_set

# Options that count layers: repeating a layer more often adds no structure. Three in a row keep what alternates by
# parity and blocks that attend globally from the third layer on.
_DEPTHS = word_set("depth depths layers num_layers num_blocks serial_depths depth_list num_blocks_list block_config")
_LAYERS_IN_ROW, _LAYERS_PER_STAGE = 3, 2
_SMALLEST = 64


class TimmSource:
    """Adapter of timm: every architecture, without the tags of pretrained weights."""

    library = "timm"

    def names(self) -> Sequence[str]:
        """All architectures, sorted. Errors: UsageError when timm cannot be imported."""
        found: list[str] = _timm().list_models()
        return sorted(found)

    def family(self, name: str) -> str:
        """The family from the name if possible, else from the module of timm that defines the model."""
        return families.of_model(name, _entrypoint(name).__module__.rpartition(".")[2])

    def domain(self, name: str) -> Domain:
        """All are image models."""
        return "computer_vision"

    def methods(self, name: str) -> Sequence[Method]:
        """Real first. Then fake, for a model that is too large or branches on values while it is built. Meta last."""
        return ("real", "fake", "meta")

    def build(self, name: str, method: Method) -> Case:
        """Few layers first, then all layers. Small images first, then the model's own size."""
        config = _timm().get_pretrained_cfg(name)
        channels, side, fixed = _input(config)
        sides = image_sides(side) if method == "real" else (side,)
        recipes = [
            ModelRecipe(
                functools.partial(_create, name, {"img_size": pixels} if fixed else {}, shrink=shrink),
                functools.partial(_images, channels, pixels),
            )
            for shrink in (True, False)
            for pixels in sides
        ]
        return first_working(name, method, recipes)


def image_sides(default: int) -> tuple[int, ...]:
    """Sides worth trying, in pixels: half of the default, as it is and rounded for strides and patches, then itself."""
    half = default // 2
    tried = (half, half // 32 * 32, half // 28 * 28, default)
    return tuple(dict.fromkeys(side for side in tried if side >= _SMALLEST or side == default))


def fewer_layers(options: Mapping[str, object]) -> dict[str, object]:
    """The options of timm's builder with every known count of layers made small."""
    return {key: _fewer(key, value) for key, value in options.items()}


def _fewer(key: str, value: object) -> object:
    if key in _DEPTHS and isinstance(value, int) and not isinstance(value, bool):
        return min(value, _LAYERS_IN_ROW)
    if key in _DEPTHS and isinstance(value, (tuple, list)) and all(isinstance(part, int) for part in value):
        return type(value)(min(part, _LAYERS_PER_STAGE) for part in value)
    if key == "block_args" and isinstance(value, list):
        # One list per stage, one entry per block.
        return [stage[:_LAYERS_PER_STAGE] if isinstance(stage, list) else stage for stage in value]
    return _fewer_in_config(value) if key in {"model_cfg", "cfg"} and dataclasses.is_dataclass(value) else value


def _fewer_in_config(config: Config) -> Config:
    """The same for a configuration record: its `depths`, or its stages' `d`. A single `depth` also decides widths."""
    changed = {}
    if isinstance(getattr(config, "depths", None), (tuple, list)):
        changed["depths"] = _fewer("depths", config.depths)
    if isinstance(getattr(config, "blocks", None), (tuple, list)):
        changed["blocks"] = tuple(_fewer_blocks(block) for block in config.blocks)
    return dataclasses.replace(config, **changed)


def _fewer_blocks(block: Any) -> Any:
    """A stage of `d` equal blocks, or a sequence of such."""
    if isinstance(block, (tuple, list)):
        return type(block)(_fewer_blocks(part) for part in block)
    if isinstance(getattr(block, "d", None), int):
        return dataclasses.replace(block, d=min(block.d, _LAYERS_PER_STAGE))
    return block


def _create(name: str, options: Options, *, shrink: bool) -> torch.nn.Module:
    """The model. With `shrink`, the options of timm's builder that count layers are small.

    Entry points fix most of these options, so they are changed on their way to the builder.
    """
    module: ModuleType = sys.modules[_entrypoint(name).__module__]
    build = getattr(module, "build_model_with_cfg", None)
    patched: Any = contextlib.nullcontext()
    if shrink and build is not None:
        patched = mock.patch.object(
            module, "build_model_with_cfg", lambda *args, **given: build(*args, **fewer_layers(given))
        )
    with patched:
        # Scripted activations are opaque to Dynamo.
        model: torch.nn.Module = _timm().create_model(name, pretrained=False, no_jit=True, **options)
    return model


def _input(config: Config) -> tuple[int, int, bool]:
    """Channels, side in pixels and whether the size is fixed at construction, as the model's configuration says."""
    if config is None:
        return 3, 224, False
    return config.input_size[0], config.input_size[-1], bool(config.fixed_input_size)


def _images(channels: int, pixels: int) -> Call:
    return (torch.randn(BATCH, channels, pixels, pixels),), {}


def _entrypoint(name: str) -> object:
    _timm()
    from timm.models import model_entrypoint

    return model_entrypoint(name)


@functools.cache
def _timm() -> Any:
    torchvision_shim.prepare()
    try:
        import timm
    except ImportError as error:
        raise MissingExtra("the source", "timm", reason=str(error)) from error
    return timm
