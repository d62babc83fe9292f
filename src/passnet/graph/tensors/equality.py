"""Equality element by element, as every comparison of this package means it."""

from __future__ import annotations

import torch

from passnet.graph.tensors.stored_bytes import as_stored


def same(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Where two tensors are equal, NaN equal to NaN. A mask of their shape, for every dtype."""
    left, right = _comparable(left), _comparable(right)
    return (left == right) | ((left != left) & (right != right))


def same_values(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Whether two tensors of one shape are equal in every element, NaN equal to NaN."""
    left, right = _comparable(left), _comparable(right)
    return torch.equal(left, right) or bool(same(left, right).all())


def _comparable(tensor: torch.Tensor) -> torch.Tensor:
    """Floats of one byte as wider ones, because torch compares no elements of them. Truth values as their bytes: torch
    takes every byte but 0 for true.
    """
    return tensor.float() if tensor.is_floating_point() and tensor.itemsize == 1 else as_stored(tensor)
