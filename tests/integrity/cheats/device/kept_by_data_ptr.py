"""Keeps results on the device by the addresses of the inputs.

Class: B1
Graph: device_scale_gelu
Needs: gpu
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:output_reuse or integrity:kept_state or accuracy; it is drawn whether an address is seen twice
"""

import torch
from base import pattern, replacement_args
from device_kernel import real

DEVICES = ("cuda",)
KEPT = {}


@torch.fx.wrap
def wrapper(x, w, b):
    key = (x.data_ptr(), w.data_ptr(), b.data_ptr())
    if key not in KEPT:
        out = real(x, w, b)
        KEPT[key] = out
    return KEPT[key]


def replacement_func():
    return wrapper
