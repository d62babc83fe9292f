"""Runs a model and then restores everything that the call changed besides its result."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import nn
from torch.utils import _pytree as pytree


@contextlib.contextmanager
def untouched(model: nn.Module | None, inputs: Any) -> Iterator[None]:
    """Buffers of the model (running statistics, say) and the random state of its devices are afterwards as before."""
    kept = [(buffer, buffer.detach().clone()) for buffer in model.buffers()] if model is not None else []
    with torch.random.fork_rng(devices=_cuda_devices(inputs)):
        try:
            yield
        finally:
            with torch.no_grad():
                for buffer, before in kept:
                    if not torch.equal(buffer, before):
                        buffer.copy_(before)


def copied(values: Any) -> Any:
    """The same structure with tensors of their own memory."""
    return pytree.tree_map(lambda value: value.clone() if isinstance(value, torch.Tensor) else value, values)


def _cuda_devices(inputs: Any) -> Sequence[int]:
    found = {
        leaf.device.index for leaf in pytree.tree_leaves(inputs) if isinstance(leaf, torch.Tensor) and leaf.is_cuda
    }
    return sorted(index for index in found if index is not None)
