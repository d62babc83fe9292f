"""Which results of eager lie in an order that an operator of the graph put them into.

A user who asks for an order, columns or channels last, needs it in his next step. So a result in another one is not
ready: who leaves the reordering out has left out a part of the work. Where an operator only keeps the order of what it
reads, and where a view alone turns a result, nobody did any work for the order, and any is as good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from passnet.bench.wire.places import lie_alike
from passnet.op_classes import word_set

# These give the same values. `contiguous`, `to` and `reshape` call them.
_COPIES = frozenset(f"aten.{name}" for name in word_set("clone _to_copy"))


class MemoryOrders:
    """Follows the operators of one call. It holds addresses of memory in a made order, and no tensors."""

    def __init__(self) -> None:
        self._made: set[int] = set()

    def saw(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
        """After each operator: `result` is what it gave."""
        given = _strided((args, kwargs))
        before = {_address(tensor) for tensor in given}
        for made in _strided(result):
            if self._is_put(func, given, made):
                self._made.add(_address(made))
            elif _address(made) not in before:  # memory that was free may have held another result
                self._made.discard(_address(made))

    def _is_put(self, func: Any, given: Sequence[torch.Tensor], result: torch.Tensor) -> bool:
        """Whether an operator put its result into another order, or kept one that was made."""
        copies = str(getattr(func, "overloadpacket", func)) in _COPIES
        if copies and not _lies_like(result, given[0]):
            return True
        if not copies and torch.Tag.pointwise not in func.tags:
            return False
        alike = (each for each in given if each.shape == result.shape and _address(each) in self._made)
        return any(_lies_like(result, each) for each in alike)

    def made(self, output: torch.Tensor) -> bool:
        """Whether an output lies without gaps in an order that an operator made."""
        return _address(output) in self._made and _lies_like(output, output)


def _lies_like(tensor: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether a tensor has no gaps, and its dimensions lie in the order of another one's of that shape."""
    return lie_alike(tensor.shape, tensor.stride(), torch.empty_like(other, device="meta").stride())


def _strided(values: Any) -> list[torch.Tensor]:
    leaves = (leaf for leaf in tree_leaves(values) if isinstance(leaf, torch.Tensor))
    return [leaf for leaf in leaves if leaf.layout is torch.strided]


def _address(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr()
