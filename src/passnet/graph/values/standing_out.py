"""Two elements that decide a row or a whole tensor. A kernel that skips elements also skips one of these two."""

from __future__ import annotations

import math

import torch

from passnet.graph.tensors.spec import TensorSpec

# Distance of the two elements of a row from its mean, in standard deviations. An exponential in a narrow range cannot
# tell them apart: both saturate if the largest was not subtracted.
_IN_ROWS = (512.0, 1024.0)
# In a whole tensor, one element is this many times larger than the sum of all others.
_OUTWEIGHS = 4.0
_MOST = 1e9  # The fourth power of this is still finite.
_ROOM = 8.0  # Distance to the end of the dtype's range, as a factor.


def far_in_rows(spec: TensorSpec, mean: float, std: float) -> tuple[float, float] | None:
    """Two values that each row holds beside ordinary ones. None where the bounds of an input leave no room."""
    low, high = _range(spec)
    return _different(*(min(high, max(low, mean + std * far)) for far in _IN_ROWS))


def far_in_whole(spec: TensorSpec, std: float) -> tuple[float, float] | None:
    """Two values that a whole tensor holds beside elements that are nearly `base`. None where the bounds
    leave no room.
    """
    low, high = _range(spec)
    # A mean over all elements then shows it even beside a constant that the graph adds.
    size, origin = min(_MOST, std * max(_IN_ROWS[1], spec.numel)), base(spec)
    first = min(high, origin + size) if high > origin else max(low, origin - size)
    return _different(first, min(high, max(low, origin - (first - origin) / 2)))


def base(spec: TensorSpec) -> float:
    """Zero, or the bound that is nearest to it."""
    low, high = _range(spec)
    return min(high, max(low, 0.0))


def noise(spec: TensorSpec, std: float) -> float:
    """About how far the other elements lie from `base`, and on which side. All of them together weigh little."""
    far = far_in_whole(spec, std)
    return (far[0] - base(spec)) / (_OUTWEIGHS * max(1, spec.numel)) if far is not None else std


def _range(spec: TensorSpec) -> tuple[float, float]:
    most = float(torch.finfo(getattr(torch, spec.dtype)).max) / _ROOM
    low = spec.min_val if spec.min_val is not None and math.isfinite(spec.min_val) else -most
    high = spec.max_val if spec.max_val is not None and math.isfinite(spec.max_val) else most
    return float(low), float(high)


def _different(first: float, last: float) -> tuple[float, float] | None:
    return (first, last) if first != last else None
