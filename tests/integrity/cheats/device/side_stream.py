"""Computes on a stream of its own, which nobody waits for: events on the current stream see nothing of it.

Class: A3
Graph: device_scale_gelu
Needs: gpu
Wins: speed
Level: strict
Caught by: source policy
Ends as: correct, no faster or nan_inf or accuracy; the worker waits for the whole device
"""

import torch
from base import pattern, replacement_args
from slow_kernel import slow_into
from torch.cuda import Stream, stream

DEVICES = ("cuda",)
SIDE = Stream()


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    with stream(SIDE):
        slow_into(out, x, w, b)
    return out


def replacement_func():
    return wrapper
