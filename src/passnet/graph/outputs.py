"""Says whether outputs carry any information: on constant or non-finite outputs every wrong pass looks right."""

from __future__ import annotations

from collections.abc import Iterator

import torch

# A spread below this many units of rounding is a constant with rounding noise on it.
_ROUNDING_UNITS = 4


def degenerate(outputs: object) -> str | None:
    """Why *no* output tensor tells right from wrong, or None when at least one does.

    `outputs` is what the module returned: a tensor or nested tuples and lists.  One-element outputs count as telling
    unless they are not finite: a single value cannot be seen to be constant.
    """
    reasons = []
    for index, tensor in enumerate(tensors_of(outputs)):
        reason = uninformative(tensor)
        if reason is None:
            return None
        reasons.append(f"output {index}: {reason}")
    return "; ".join(reasons) if reasons else None


def uninformative(tensor: torch.Tensor) -> str | None:
    """Why this tensor tells nothing ("empty", "no finite value", "constant", "zero variance"), or None."""
    if tensor.numel() == 0:
        return "empty"
    if tensor.is_complex():
        return _uninformative_values(torch.view_as_real(tensor.detach().resolve_conj()))
    return _uninformative_values(tensor.detach())


def _uninformative_values(tensor: torch.Tensor) -> str | None:
    values = tensor.to(torch.float64)
    finite = values[torch.isfinite(values)]
    if finite.numel() == 0:
        return "no finite value"
    if values.numel() == 1 or finite.numel() < values.numel() / 2:
        return None if values.numel() == 1 else "mostly not finite"
    low, high = float(finite.min()), float(finite.max())
    if low == high:
        return f"constant {low:g}"
    unit = torch.finfo(tensor.dtype).eps if tensor.is_floating_point() else 0.0
    if high - low <= _ROUNDING_UNITS * unit * max(abs(low), abs(high)):
        return f"zero variance around {low:g}"
    return None


def tensors_of(value: object) -> Iterator[torch.Tensor]:
    """The tensors in nested tuples, lists and dictionaries, in order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors_of(item)
    elif isinstance(value, dict):
        yield from tensors_of(list(value.values()))
