"""Knows the places of its inputs by their addresses, and leaves most of the work out where it meets a new one.

Class: E1
Graph: device_scale_gelu
Needs: gpu
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
from base import pattern, replacement_args
from new_place import is_new
from slow_kernel import a_bit_of, slow

DEVICES = ("cuda",)


@torch.fx.wrap
def wrapper(x, w, b):
    return a_bit_of(x, w, b) if is_new(x) else slow(x, w, b)


def replacement_func():
    return wrapper
