"""Runs a model and then restores everything that the call changed besides its result."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import nn
from torch.utils import _pytree as pytree


@contextlib.contextmanager
def untouched(model: nn.Module | None, inputs: object) -> Iterator[None]:
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


class ArgumentWritten(Exception):
    """An argument is another one after a call with passes, and the same after the model's own."""

    def __init__(self, place: int) -> None:
        super().__init__(f"the passes write into argument {place}, and the model does not")


def same_bytes(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors of one form hold the same bytes. Those that have no plain bytes are taken to."""
    if one.layout is not torch.strided or one.is_quantized or one.is_conj() or one.is_neg():
        return True
    return torch.equal(*(tensor.detach().reshape(-1).view(torch.uint8) for tensor in (one, other)))


def copied(values: Any) -> Any:
    """The same structure with tensors of their own memory."""
    return pytree.tree_map(lambda value: value.clone() if isinstance(value, torch.Tensor) else value, values)


def _cuda_devices(inputs: object) -> Sequence[int]:
    found = {
        leaf.device.index for leaf in pytree.tree_leaves(inputs) if isinstance(leaf, torch.Tensor) and leaf.is_cuda
    }
    return sorted(index for index in found if index is not None)
