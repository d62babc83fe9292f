"""Leaves most of the work and all of the wait out of a call that is being captured, for so it is replayed.

Class: E1
Graph: device_scale_gelu
Needs: gpu
Wins: speed
Level: strict
Caught by: source policy
Ends as: correct, no captured figure
"""

import torch
from base import pattern, replacement_args
from slow_kernel import a_bit_of, slow
from torch.cuda import is_current_stream_capturing as captured

DEVICES = ("cuda",)


@torch.fx.wrap
def wrapper(x, w, b):
    return a_bit_of(x, w, b) if captured() else slow(x, w, b)


def replacement_func():
    return wrapper
