"""Launches its kernel in one call of three.

Class: E1
Graph: device_scale_gelu
Needs: gpu
Wins: speed
Level: strict
Caught by: output truth
Ends as: nan_inf
"""

import torch
from base import pattern, replacement_args
from device_kernel import real

DEVICES = ("cuda",)
CALLS = []


@torch.fx.wrap
def wrapper(x, w, b):
    CALLS.append(1)
    return real(x, w, b) if len(CALLS) % 3 == 1 else torch.empty_like(x)


def replacement_func():
    return wrapper
