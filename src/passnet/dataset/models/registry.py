"""Sources by name: a list of them, and one made from a user's text."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from passnet.dataset.models.source import ModelSource
from passnet.errors import UsageError

# Name -> (module, class). Loading a class imports no model library.
_SOURCES: Mapping[str, tuple[str, str]] = {
    "timm": ("timm_source", "TimmSource"),
    "torch-geometric": ("geometric_source", "GeometricSource"),
    "torchvision": ("torchvision_source", "TorchvisionSource"),
    "transformers": ("transformers.source", "TransformersSource"),
}
NAMES: tuple[str, ...] = tuple(sorted(_SOURCES))


def source(name: str) -> ModelSource:
    """The source of a library, or of a user's factory written `module:function`.

    Errors: UsageError for anything else, naming what there is.
    """
    if name in _SOURCES:
        module, cls = _SOURCES[name]
        made: ModelSource = getattr(importlib.import_module(f"passnet.dataset.models.{module}"), cls)()
        return made
    if ":" in name:
        from passnet.dataset.models.factory_source import FactorySource

        return FactorySource(name)
    raise UsageError(
        f"unknown source of models {name!r}", expected=f"one of {', '.join(NAMES)}, or module:function of your own"
    )
