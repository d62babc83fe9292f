"""Equality element by element, as every comparison of this package means it."""

from __future__ import annotations

from collections.abc import Sequence

import torch


def same(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Where two tensors are equal, NaN equal to NaN. A mask of their shape, for every dtype."""
    left, right = _comparable(left), _comparable(right)
    return (left == right) | ((left != left) & (right != right))


def same_values(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Whether two tensors of one shape are equal in every element, NaN equal to NaN."""
    left, right = _comparable(left), _comparable(right)
    return torch.equal(left, right) or bool(same(left, right).all())


def first_other(left: Sequence[torch.Tensor], right: Sequence[torch.Tensor]) -> int | None:
    """The first place at which two rows of tensors are not equal, None where they are. Shapes are the same in both.

    A GPU is waited for once where all are equal without NaN.
    """
    pairs = list(zip(left, right, strict=True))
    if pairs and all(one.device.type != "cpu" for one, _ in pairs):
        alike = [(_comparable(one) == _comparable(other)).all() for one, other in pairs]
        if bool(torch.stack(alike).all()):
            return None
    return next((place for place, pair in enumerate(pairs) if not same_values(*pair)), None)


def _comparable(tensor: torch.Tensor) -> torch.Tensor:
    """Floats of one byte as wider ones, because torch compares no elements of them."""
    return tensor.float() if tensor.is_floating_point() and tensor.itemsize == 1 else tensor
