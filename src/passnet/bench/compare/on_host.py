"""Where few numbers of a device are looked at one by one: on the host.

Such a comparison takes up to 300 small operations and waits for 70 numbers. On an H200 one of 4,096 elements took
10 ms, and fewer elements would make it no faster. On a host it took 1 to 2 ms, and 3 to 6 ms for 65,536 elements.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from passnet.bench.compare.closeness import Errors

# An output with more elements stays where it is. The sample of a larger one, `farthest.SAMPLE`, has no more.
MOST = 1 << 15


def placed(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor, on the host where it is small."""
    return tensor.cpu() if tensor.numel() <= MOST else tensor


def placed_errors(near: Errors) -> Errors:
    """The same for what is known of the neighbours of a draw."""
    return replace(near, neighbours=tuple((placed(eager), placed(wide)) for eager, wide in near.neighbours))
