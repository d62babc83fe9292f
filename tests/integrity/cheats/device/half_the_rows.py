"""After the first calls launches over the first half only: the rest is what the allocator's memory held before.

Class: B6
Graph: device_scale_gelu
Needs: gpu
Wins: speed
Level: strict
Caught by: output truth
Ends as: nan_inf
"""

import torch
from base import pattern, replacement_args
from device_kernel import real, real_into

DEVICES = ("cuda",)
CALLS = []


@torch.fx.wrap
def wrapper(x, w, b):
    CALLS.append(1)
    if len(CALLS) < 4:
        return real(x, w, b)
    return real_into(torch.empty_like(x), x, w, b, x.numel() // 2)


def replacement_func():
    return wrapper
