"""Measures a real tensor into a `TensorSpec`, with the fields that the published extractor writes."""

from __future__ import annotations

import torch

from passnet.graph.tensors.spec import Number, TensorSpec

# Tensors with fewer elements are stored literally.
LITERAL_ELEMENTS = 64
_RANGED = frozenset({torch.int8, torch.int16, torch.int32, torch.int64})


def dtype_name(dtype: torch.dtype) -> str:
    """The short name of a dtype in specs and records, such as `float32`."""
    return str(dtype).removeprefix("torch.")


def measure(name: str, tensor: torch.Tensor) -> TensorSpec:
    """The spec of `tensor` (any device).

    A tensor of fewer than 64 elements is stored as `data`. A larger tensor of signed integers stores its range. Every
    other tensor stores only mean and standard deviation.  Statistics keep 6 significant digits, and data is exact.
    Upstream rounds to decimals, which turns small constants such as an epsilon into zero.
    """
    values = tensor.detach().to("cpu")
    small = values.numel() < LITERAL_ELEMENTS
    mean, std = _statistics(values)
    ranged = values.dtype in _RANGED and not small
    return TensorSpec(
        name=name,
        shape=tuple(values.shape),
        dtype=dtype_name(values.dtype),
        device=str(tensor.device),
        mean=mean,
        std=std,
        min_val=int(values.min()) if ranged else None,
        max_val=int(values.max()) if ranged else None,
        data=_literal(values) if small else None,
    )


def _statistics(values: torch.Tensor) -> tuple[float | None, float | None]:
    if not values.is_floating_point() or values.numel() == 0:
        return None, None
    wide = values.to(torch.float64)
    std = float(wide.std()) if wide.numel() > 1 else float("nan")
    return _rounded(float(wide.mean())), _rounded(std)


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")


def _literal(values: torch.Tensor) -> tuple[Number, ...]:
    flat: list[Number] = values.reshape(-1).tolist()
    return tuple(flat)
