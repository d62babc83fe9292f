"""Measures a real tensor into a `TensorSpec`, with the fields that the published extractor writes."""

from __future__ import annotations

import torch

from passnet.graph.tensors.spec import Number, TensorSpec

# Tensors with fewer elements are stored literally.
LITERAL_ELEMENTS = 64


def dtype_name(dtype: torch.dtype) -> str:
    """The short name of a dtype in specs and records, such as `float32`."""
    return str(dtype).removeprefix("torch.")


def measure(name: str, tensor: torch.Tensor) -> TensorSpec:
    """The spec of `tensor` (any device).

    A tensor of fewer than 64 elements is stored as `data`. A larger tensor of integers stores its range, and one of
    floats mean and standard deviation. Those of complex numbers are of their parts. A larger tensor of booleans stores
    nothing. Statistics keep 6 significant digits, and data and ranges are exact.

    Upstream ranges signed integers only, and measures no complex numbers. Bytes without a range would be drawn as 0
    and 1. Upstream rounds to decimals, which turns small constants such as an epsilon into zero.
    """
    values = tensor.detach().to("cpu")
    small = values.numel() < LITERAL_ELEMENTS
    mean, std = _statistics(values)
    low, high = (None, None) if small else _range(values)
    return TensorSpec(
        name=name,
        shape=tuple(values.shape),
        dtype=dtype_name(values.dtype),
        device=str(tensor.device),
        mean=mean,
        std=std,
        min_val=low,
        max_val=high,
        data=_literal(values) if small else None,
    )


def _statistics(values: torch.Tensor) -> tuple[float | None, float | None]:
    parts = torch.view_as_real(values.resolve_conj()) if values.is_complex() else values
    if not parts.is_floating_point() or parts.numel() == 0:
        return None, None
    wide = parts.to(torch.float64)
    std = float(wide.std()) if wide.numel() > 1 else float("nan")
    return _rounded(float(wide.mean())), _rounded(std)


def _range(values: torch.Tensor) -> tuple[int, int] | tuple[None, None]:
    """The least and the largest of some integers. None for other numbers."""
    if values.is_floating_point() or values.is_complex() or values.dtype == torch.bool:
        return None, None
    numbers = values.numpy()  # torch compares no unsigned integers of more than one byte
    return int(numbers.min()), int(numbers.max())


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")


def _literal(values: torch.Tensor) -> tuple[Number, ...]:
    flat: list[Number] = values.reshape(-1).tolist()
    return tuple(flat)
