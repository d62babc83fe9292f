"""Integers of all sizes within what a dtype and bounds allow, in NumPy's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from passnet.graph.tensors.spec import TensorSpec


def wide(
    spec: TensorSpec, rng: np.random.Generator, shape: tuple[int, ...], bits: int, *, positive: bool
) -> NDArray[Any]:
    """Integers of all sizes up to so many bits, from zero or from the one bound that is known. Few are 0 or 1."""
    values = np.floor(np.exp2(rng.random(shape) * bits)).astype(np.int64)
    info = torch.iinfo(getattr(torch, spec.dtype))
    low = max(info.min, int(spec.min_val) if spec.min_val is not None else info.min, 1 if positive else info.min)
    high = min(info.max, 2**63 - 1, int(spec.max_val) if spec.max_val is not None else info.max)
    if spec.max_val is not None:
        values = high - (values - 1)
    elif low > info.min:
        values += low - 1
    else:
        values -= 1
        values *= np.where(rng.random(shape) < 0.5, -1, 1) if info.min < 0 else 1
    return np.asarray(np.clip(values, low, max(low, high)))
