"""Notices that a model is another one than the one that was traced: other parts, parts of another dtype, new values."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter, getitem, is_not
from typing import Any

import torch
from torch import nn

from passnet.logs import logger

log = logger(__name__)
_dtype, _version = attrgetter("dtype"), attrgetter("_version")


class ModelWatch:
    """Checks in every call whether each module still has the same parameters, buffers and submodules.

    This takes some forty nanoseconds for each of them. Torch has hooks that report changes, but Dynamo sees them: other
    compiled models would then depend on the watched modules.
    """

    def __init__(self, model: nn.Module, *, every: bool, values: bool = False) -> None:
        """Dtypes are compared of all parameters and buffers, or else of two, which `model.to(dtype)` changes too.

        `values`: notice too that a parameter or buffer was written in place, by torch's own counter of its versions.
        """
        parts = list(_parts(model))
        self._homes = [home for home, _, _ in parts]
        self._names = [name for _, name, _ in parts]
        self._parts = [part for _, _, part in parts]
        tensors = [part for part in self._parts if isinstance(part, torch.Tensor) and part.is_floating_point()]
        self._tensors = tensors if every else [*tensors[:1], *tensors[1:][-1:]]
        self._dtypes = list(map(_dtype, self._tensors))
        written = [part for part in self._parts if isinstance(part, torch.Tensor) and not part.is_inference()]
        self._written = written if values else []
        self._versions = list(map(_version, self._written))
        self._told = False

    def changed(self) -> bool:
        """Whether the model is another one now. The first time it is, that is logged."""
        try:
            other = any(map(is_not, map(getitem, self._homes, self._names), self._parts))
        except KeyError:  # a part is gone
            other = True
        if other or list(map(_dtype, self._tensors)) != self._dtypes or self._values_changed():
            self._tell()
            return True
        return False

    def _values_changed(self) -> bool:
        return bool(self._written) and list(map(_version, self._written)) != self._versions

    def _tell(self) -> None:
        if not self._told:
            log.warning("the model's parts changed after passes were applied to it, so it runs without them")
        self._told = True


def _parts(model: nn.Module) -> Iterator[tuple[dict[str, Any], str, Any]]:
    """Every parameter, buffer and submodule, and each empty place for one (`bias=None`), with its dictionary."""
    for module in model.modules():
        for home in (module._parameters, module._buffers, module._modules):
            for name, part in home.items():
                yield home, name, part
