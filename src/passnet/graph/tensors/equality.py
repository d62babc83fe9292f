"""Equality element by element, as every comparison of this package means it."""

from __future__ import annotations

import torch


def same(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Where two tensors are equal, NaN equal to NaN. A mask of their shape, for every dtype."""
    left, right = _comparable(left), _comparable(right)
    return (left == right) | ((left != left) & (right != right))


def same_values(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Whether two tensors of one shape are equal in every element, NaN equal to NaN."""
    left, right = _comparable(left), _comparable(right)
    return torch.equal(left, right) or bool(same(left, right).all())


def _comparable(tensor: torch.Tensor) -> torch.Tensor:
    """Floats of one byte as wider ones, because torch compares no elements of them."""
    return tensor.float() if tensor.is_floating_point() and tensor.itemsize == 1 else tensor
