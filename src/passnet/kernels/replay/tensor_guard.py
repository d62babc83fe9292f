"""Checks that tensors are like those of an earlier call, with torch's own check. A tensor may be given twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

Check = Callable[..., bool]


def tensor_guard(tensors: Sequence[torch.Tensor]) -> Check:
    """A check of this many tensors: same type, dispatch keys, dtype, device, shape, stride and requires_grad.

    It is one C++ call. Torch's check refuses a tensor that is given in two places, so such a place is compared by
    identity. One tensor must be one tensor again, and two tensors must be two again.
    """
    first = [next(place for place, other in enumerate(tensors) if other is tensor) for tensor in tensors]
    own = [place for place in range(len(tensors)) if first[place] == place]
    guards: Any = torch._C._dynamo.guards
    check: Check = guards.TensorGuards(
        *(tensors[place] for place in own), dynamic_dims_sizes=None, dynamic_dims_strides=None
    ).check
    if len(own) == len(tensors):
        return check
    same = " and ".join(f"t{place} is t{other}" for place, other in enumerate(first) if place != other)
    given, asked = (", ".join(f"t{place}" for place in places) for places in (range(len(tensors)), own))
    made: Check = eval(f"lambda {given}: {same} and check({asked})", {"check": check})
    return made
