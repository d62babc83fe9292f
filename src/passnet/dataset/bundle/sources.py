"""Builds small models of timm and transformers offline. Their weights are random, and none is constant."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import torch

from passnet.dataset.models import torchvision_shim
from passnet.dataset.models.building import season, seeded
from passnet.errors import MissingExtra

Library = Literal["timm", "transformers"]


@dataclass(frozen=True)
class BundleSource:
    """A model that can be built here: `model` is timm's name, or the stem of transformers' Config and Model classes."""

    library: Library
    model: str
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    model_class: str | None = None

    def build(self, dtype: torch.dtype, *, image: int) -> torch.nn.Module:
        """The model in evaluation mode with seeded random weights of `dtype`. Batch norms stay float32.

        `image` is the side of square input images in pixels (unused by text models). The caller's random state does not
        change. Raises UsageError when the library is not installed.
        """
        with seeded(self.model):
            model = self._timm(image) if self.library == "timm" else self._transformers()
            season(model)
        model = model.eval().to(dtype)
        for module in model.modules():
            if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
                module.float()
        return model

    def arguments(self, shape: tuple[int, int], dtype: torch.dtype) -> dict[str, torch.Tensor]:
        """Inputs of one call: images for (batch, pixels), token ids for (batch, sequence length)."""
        batch, size = shape
        generator = torch.Generator().manual_seed(zlib.crc32(f"{self.model} {shape}".encode()))
        if self.library == "timm":
            return {"x": torch.randn(batch, 3, size, size, generator=generator).to(dtype)}
        vocabulary = int(self.options["vocab_size"])
        return {"input_ids": torch.randint(3, vocabulary, (batch, size), generator=generator)}

    def _timm(self, image: int) -> torch.nn.Module:
        torchvision_shim.prepare()
        try:
            import timm
        except ImportError as error:
            raise MissingExtra("the task", "timm", reason=str(error)) from error
        size = {"img_size": image} if "img_size" in self.options else {}
        model: torch.nn.Module = timm.create_model(self.model, pretrained=False, **{**self.options, **size})
        return model

    def _transformers(self) -> torch.nn.Module:
        torchvision_shim.prepare()
        try:
            import transformers
        except ImportError as error:
            raise MissingExtra("the task", "transformers", reason=str(error)) from error
        config = getattr(transformers, f"{self.model}Config")(**self.options)
        model: torch.nn.Module = getattr(transformers, self.model_class or f"{self.model}Model")(config)
        return model
