"""Replays inputs exactly as the upstream benchmark does, including degenerate constants.

The rule is that of upstream's benchmark: one NumPy legacy stream (`RandomState`), seeded once.  The integers with a
range are drawn first, then everything else. Both follow the alphabetical order of the metadata classes' names, because
upstream reads the classes by reflection.  Bit equality with upstream's figures has not been tested. The law of each
tensor is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from passnet.graph.tensors.spec import CLASS_PREFIX, TensorSpec

_RANGED = frozenset({"int8", "int16", "int32", "int64"})
_SHRINK = 0.2
_CLAMP = 100.0
_REPLACEMENT_SCALE = 0.01


def replay(specs: Sequence[TensorSpec], seed: int) -> list[torch.Tensor]:
    """The inputs in the order of `specs`, on the CPU."""
    state = np.random.RandomState(seed % 2**32)
    order = sorted(range(len(specs)), key=lambda i: specs[i].class_name or CLASS_PREFIX + specs[i].name)
    ranged = {i: _integers(specs[i], state) for i in order if _is_ranged(specs[i])}
    made = {i: ranged[i] if i in ranged else _tensor(specs[i], state, seed) for i in order}
    return [made[i] for i in range(len(specs))]


def _is_ranged(spec: TensorSpec) -> bool:
    return spec.dtype in _RANGED and spec.min_val is not None and spec.max_val is not None


def _dtype(spec: TensorSpec) -> torch.dtype:
    found: torch.dtype = getattr(torch, spec.dtype)
    return found


def _integers(spec: TensorSpec, state: np.random.RandomState) -> torch.Tensor:
    low, high = int(spec.min_val or 0), int(spec.max_val or 0)
    # The upper bound of `randint` is exclusive, and the maximum of int64 has no successor.
    values = state.randint(low, min(high + 1, 2**63 - 1), size=spec.shape, dtype=np.int64)
    return torch.from_numpy(np.asarray(values)).to(_dtype(spec))


def _tensor(spec: TensorSpec, state: np.random.RandomState, seed: int) -> torch.Tensor:
    if spec.data is not None:
        return torch.tensor(spec.data, dtype=_dtype(spec)).reshape(spec.shape)
    if spec.dtype == "bool":
        return torch.from_numpy(np.asarray(state.random_sample(spec.shape) > 0.5))
    # A field that is absent has other defaults than a field that is stored as None.
    mean = 0.0 if spec.mean is None else spec.mean
    std = spec.std if spec.std is not None else (0.1 if spec.has("std") or not spec.fields else 1.0)
    if std == 0:
        values = np.full(spec.shape, mean)
    else:
        values = np.asarray(state.standard_normal(spec.shape) * std * _SHRINK + mean)
    return _stable(_clamped(_cast(values, spec), spec), seed)


def _cast(values: NDArray[Any], spec: TensorSpec) -> torch.Tensor:
    tensor = torch.from_numpy(values)
    if spec.is_integer and not np.isfinite(values).all():
        tensor = torch.nan_to_num(tensor)
    return tensor.to(_dtype(spec))


def _clamped(tensor: torch.Tensor, spec: TensorSpec) -> torch.Tensor:
    if spec.min_val is not None:
        tensor = torch.clamp(tensor, min=spec.min_val)
    if spec.max_val is not None:
        tensor = torch.clamp(tensor, max=spec.max_val)
    return tensor


def _stable(tensor: torch.Tensor, seed: int) -> torch.Tensor:
    """Non-finite values become small noise. All other values are clamped."""
    if not tensor.is_floating_point():
        return tensor
    wide = tensor.to(torch.float32) if tensor.element_size() < 2 else tensor
    finite = torch.isfinite(wide)
    if not finite.all():
        noise = torch.randn(wide.shape, generator=torch.Generator().manual_seed(seed % 2**63))
        wide = torch.where(finite, wide, (noise * _REPLACEMENT_SCALE).to(wide.dtype))
    return wide.clamp(-_CLAMP, _CLAMP).to(tensor.dtype)
