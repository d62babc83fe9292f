"""Measures a real tensor into a `TensorSpec`, field for field as the published extractor does."""

from __future__ import annotations

import torch

from passnet.graph.spec import Number, TensorSpec

# Tensors with fewer elements are stored literally.
LITERAL_ELEMENTS = 64
_RANGED = frozenset({torch.int8, torch.int16, torch.int32, torch.int64})


def measure(name: str, tensor: torch.Tensor, *, published: bool = False) -> TensorSpec:
    """The spec of `tensor` (any device).

    Fewer than 64 elements are stored as `data`; larger signed integers store their range; everything else stores
    mean and standard deviation only.  `published` rounds as upstream does (statistics to 3 decimals, data to 6),
    which turns small constants such as an epsilon into zero; otherwise statistics keep 6 significant digits and
    data is exact.
    """
    values = tensor.detach().to("cpu")
    small = values.numel() < LITERAL_ELEMENTS
    mean, std = _statistics(values, published)
    ranged = values.dtype in _RANGED and not small
    return TensorSpec(
        name=name,
        shape=tuple(values.shape),
        dtype=str(values.dtype).removeprefix("torch."),
        device=str(tensor.device),
        mean=mean,
        std=std,
        min_val=int(values.min()) if ranged else None,
        max_val=int(values.max()) if ranged else None,
        data=_literal(values, published) if small else None,
    )


def _statistics(values: torch.Tensor, published: bool) -> tuple[float | None, float | None]:
    if not values.is_floating_point() or values.numel() == 0:
        return None, None
    wide = values.to(torch.float64)
    std = float(wide.std()) if wide.numel() > 1 else float("nan")
    return _rounded(float(wide.mean()), published), _rounded(std, published)


def _rounded(value: float, published: bool) -> float:
    return round(value, 3) if published else float(f"{value:.6g}")


def _literal(values: torch.Tensor, published: bool) -> tuple[Number, ...]:
    flat: list[Number] = values.reshape(-1).tolist()
    if published and values.is_floating_point():
        return tuple(round(value, 6) if isinstance(value, float) else value for value in flat)
    return tuple(flat)
