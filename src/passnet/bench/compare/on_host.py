"""Where few numbers of a device are looked at: on the host.

A comparison takes up to 300 small operations and waits for 70 numbers. On a device each of these costs 10 to 50
microseconds, however few elements there are. On the host it costs less, until there are some ten thousand elements.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from passnet.bench.compare.closeness import Errors

# An output with more elements stays where it is. A sample of a larger one has as many at most.
MOST = 1 << 15


def placed(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor, on the host where it is small."""
    return tensor.cpu() if tensor.numel() <= MOST else tensor


def placed_errors(near: Errors) -> Errors:
    """The same for what is known of the neighbours of a draw."""
    return replace(near, neighbours=tuple((placed(eager), placed(wide)) for eager, wide in near.neighbours))
