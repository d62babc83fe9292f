"""Copies that keep every byte. Torch copies a truth value that is stored as another byte than 0 as 1."""

from __future__ import annotations

import numpy as np
import torch


def as_stored(tensor: torch.Tensor) -> torch.Tensor:
    """Truth values as the bytes that they are stored as. Other tensors as they are."""
    return tensor.view(torch.uint8) if tensor.dtype is torch.bool else tensor


def copied(tensor: torch.Tensor) -> torch.Tensor:
    """A copy with the same bytes."""
    return as_stored(tensor).clone().view(tensor.dtype)


def copied_whole(tensor: torch.Tensor) -> torch.Tensor:
    """The same with all of the memory that the tensor lies in, gaps between its elements included."""
    whole = torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage()).clone().untyped_storage()
    return torch.empty(0, dtype=tensor.dtype).set_(whole, tensor.storage_offset(), tensor.shape, tensor.stride())


def bytes_of_storage(tensor: torch.Tensor) -> np.ndarray:
    """All bytes of the memory that a tensor lies in, as a view."""
    return torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage()).numpy()
