"""Two elements that decide a row, or a whole tensor: who leaves elements out, leaves out one of these."""

from __future__ import annotations

import math

import torch

from passnet.graph.tensors.spec import TensorSpec

# How far the elements of a row are out, in standard deviations. They differ by more than an exponential of a narrow
# range can tell, so that both saturate where neither was the largest.
_IN_ROWS = (512.0, 1024.0)
# One element outweighs so many times the sum of all others together, in the tensor that it decides.
_OUTWEIGHS = 4.0
_MOST = 1e9  # whose fourth power is a number still
_ROOM = 8.0  # up to the end of the dtype's range


def far_in_rows(spec: TensorSpec, mean: float, std: float) -> tuple[float, float] | None:
    """Two values that each row holds beside ordinary ones; None where the bounds of an input leave no room."""
    low, high = _range(spec)
    return _different(*(min(high, max(low, mean + std * far)) for far in _IN_ROWS))


def far_in_whole(spec: TensorSpec, std: float) -> tuple[float, float] | None:
    """Two values that a whole tensor holds beside elements that are nearly `base`; None as above."""
    low, high = _range(spec)
    # A mean over all elements shows it beside a constant that the graph adds.
    size, origin = min(_MOST, std * max(_IN_ROWS[1], spec.numel)), base(spec)
    first = min(high, origin + size) if high > origin else max(low, origin - size)
    return _different(first, min(high, max(low, origin - (first - origin) / 2)))


def base(spec: TensorSpec) -> float:
    """Zero, or the bound that is nearest to it."""
    low, high = _range(spec)
    return min(high, max(low, 0.0))


def noise(spec: TensorSpec, std: float) -> float:
    """How far the others lie from `base`, about, and on which side; so near that all together weigh little."""
    far = far_in_whole(spec, std)
    return (far[0] - base(spec)) / (_OUTWEIGHS * max(1, spec.numel)) if far is not None else std


def _range(spec: TensorSpec) -> tuple[float, float]:
    most = float(torch.finfo(getattr(torch, spec.dtype)).max) / _ROOM
    low = spec.min_val if spec.min_val is not None and math.isfinite(spec.min_val) else -most
    high = spec.max_val if spec.max_val is not None and math.isfinite(spec.max_val) else most
    return float(low), float(high)


def _different(first: float, last: float) -> tuple[float, float] | None:
    return (first, last) if first != last else None
