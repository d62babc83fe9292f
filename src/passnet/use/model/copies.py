"""Copies of the arguments of a call, in memory of their own and otherwise as they were.

A guard admits calls with the strides of the example, so what is tried must have them too: gaps, overlaps, and values
that torch negates or conjugates lazily. One tensor that is given in two places is one tensor in the copies too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

_PLAIN = (torch.Tensor, torch.nn.Parameter)
Change = Callable[[torch.Tensor], torch.Tensor]


def copied(values: Any) -> Any:
    """The same structure with tensors of their own memory."""
    return mapped(values, copy_of)


def aliased(values: Any) -> Any:
    """The same structure with other tensor objects on the same memory, so that none is an object of a model."""
    return mapped(values, lambda tensor: tensor.detach() if type(tensor) in _PLAIN else tensor)


def in_other_order(values: Any, generator: torch.Generator) -> Any:
    """The same structure with the values of each float tensor in another order. Other values are not copied."""

    def other(tensor: torch.Tensor) -> torch.Tensor:
        if not has_strides(tensor) or not tensor.is_floating_point() or tensor.is_meta or tensor.numel() < 2:
            return tensor
        made = copy_of(tensor)
        once = written_once(made)
        order = torch.randperm(once.numel(), generator=generator).to(once.device)
        once.copy_(once.reshape(-1)[order].reshape(once.shape))
        return made

    return mapped(values, other)


def has_strides(tensor: torch.Tensor) -> bool:
    """Whether a tensor is an ordinary one: numbers in memory, at a stride for each dimension."""
    strided = tensor.layout is torch.strided and not tensor.is_nested and not tensor.is_quantized
    return type(tensor) in _PLAIN and strided


def copy_of(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor in new memory, with its strides, without its history. Other kinds of tensors are cloned."""
    if not has_strides(tensor):
        return tensor.detach().clone()
    tensor = tensor.detach()
    if tensor.is_conj():
        return copy_of(tensor.conj()).conj()
    if tensor.is_neg():
        return negated(copy_of(negated(tensor)))
    size, stride = tuple(tensor.shape), tensor.stride()
    if not tensor.numel():
        return torch.empty_strided(size, stride, dtype=tensor.dtype, device=tensor.device)
    extent = 1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True))
    return tensor.as_strided((extent,), (1,)).clone().as_strided(size, stride, 0)


def negated(tensor: torch.Tensor) -> torch.Tensor:
    """The same bytes, read with the other sign."""
    return torch._neg_view(tensor)


def written_once(tensor: torch.Tensor) -> torch.Tensor:
    """A view of an expanded tensor in which each number stands once: only that may be written."""
    for dim, (length, step) in enumerate(zip(tensor.shape, tensor.stride(), strict=True)):
        if length > 1 and step == 0:
            tensor = tensor.narrow(dim, 0, 1)
    return tensor


def same_bytes(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors of one form hold the same bytes. Those that have no plain bytes are taken to."""
    lazy = (one.is_conj(), one.is_neg())
    if not has_strides(one) or not has_strides(other) or one.is_meta or lazy != (other.is_conj(), other.is_neg()):
        return True
    return torch.equal(*(_bytes(tensor.detach()) for tensor in (one, other)))


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    plain = tensor.conj() if tensor.is_conj() else tensor
    plain = negated(plain) if plain.is_neg() else plain
    row = plain.reshape(-1)
    # One number is contiguous whatever its stride, and is no row of bytes then.
    row = row if row.stride() == (1,) else row.clone(memory_format=torch.contiguous_format)
    return row.view(torch.uint8)


def mapped(values: Any, change: Change) -> Any:
    """The same structure with each tensor changed, and one tensor that is given twice changed once."""
    made: dict[int, torch.Tensor] = {}

    def once(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        if id(value) not in made:
            made[id(value)] = change(value)
        return made[id(value)]

    return pytree.tree_map(once, values)
