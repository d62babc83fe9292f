"""Says whether outputs carry any information. With constant or non-finite outputs every wrong pass looks right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch

# A spread below this many units of rounding is a constant with rounding noise on it.
_ROUNDING_UNITS = 4


def degenerate(outputs: object, truths: Sequence[torch.Tensor] | None = None) -> str | None:
    """Why *no* output tensor tells right from wrong, or None when at least one does.

    `outputs` is the result of the module: a tensor or nested tuples and lists. `truths` are the same tensors in
    float64, where they are known.  An output of one element counts as telling unless it is not finite: a single value
    cannot be seen to be constant.
    """
    reasons = []
    for index, tensor in enumerate(tensors_of(outputs)):
        reason = uninformative(tensor, None if truths is None else truths[index])
        if reason is None:
            return None
        reasons.append(f"output {index}: {reason}")
    return "; ".join(reasons) if reasons else None


def uninformative(tensor: torch.Tensor, truth: torch.Tensor | None = None) -> str | None:
    """Why this tensor tells nothing ("empty", "no finite value", "constant", "zero variance"), or None.

    Infinities beside finite values tell enough by their places, as in a mask of -inf.  An infinity that `truth` does
    not have is an overflow of the computation, and tells nothing.
    """
    if tensor.numel() == 0:
        return "empty"
    values = _reals(tensor)
    infinite = torch.isinf(values)
    if truth is not None and bool(infinite.any()):
        infinite &= _reals(truth).abs() > torch.finfo(tensor.dtype).max
    return _uninformative_values(values, infinite, tensor.dtype)


def constant(outputs: Sequence[torch.Tensor], truths: Sequence[torch.Tensor] | None = None) -> bool:
    """Whether some output of several elements is the same finite number in all of them, but for rounding."""
    pairs = zip(outputs, truths if truths is not None else outputs, strict=True)
    return any(
        tensor.numel() > 1
        and bool(torch.isfinite(_reals(tensor)).all() and torch.isfinite(_reals(truth)).all())
        and _constant(_reals(tensor).reshape(-1), tensor.dtype) is not None
        for tensor, truth in pairs
    )


def _reals(tensor: torch.Tensor) -> torch.Tensor:
    plain = tensor.detach()
    return (torch.view_as_real(plain.resolve_conj()) if plain.is_complex() else plain).to(torch.float64)


def _uninformative_values(values: torch.Tensor, infinite: torch.Tensor, dtype: torch.dtype) -> str | None:
    finite = values[torch.isfinite(values)]
    known = finite.numel() + int(infinite.sum())
    if finite.numel() == 0:
        return "no finite value"
    if values.numel() > 1 and known < values.numel() / 2:
        return "mostly not finite"
    return None if values.numel() == 1 or known > finite.numel() else _constant(finite, dtype)


def _constant(finite: torch.Tensor, dtype: torch.dtype) -> str | None:
    low, high = float(finite.min()), float(finite.max())
    if low == high:
        return f"constant {low:g}"
    unit = torch.finfo(dtype).eps if dtype.is_floating_point or dtype.is_complex else 0.0
    noise = high - low <= _ROUNDING_UNITS * unit * max(abs(low), abs(high))
    return f"zero variance around {low:g}" if noise else None


def tensors_of(value: object) -> Iterator[torch.Tensor]:
    """The tensors in nested tuples, lists and dictionaries, in order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors_of(item)
    elif isinstance(value, dict):
        yield from tensors_of(list(value.values()))
