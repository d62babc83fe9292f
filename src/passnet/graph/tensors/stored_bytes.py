"""Copies that keep every byte. Torch copies a truth value that is stored as another byte than 0 as 1."""

from __future__ import annotations

import torch


def as_stored(tensor: torch.Tensor) -> torch.Tensor:
    """Truth values as the bytes that they are stored as. Other tensors as they are."""
    return tensor.view(torch.uint8) if tensor.dtype is torch.bool else tensor


def copied(tensor: torch.Tensor) -> torch.Tensor:
    """A copy with the same bytes."""
    return as_stored(tensor).clone().view(tensor.dtype)
