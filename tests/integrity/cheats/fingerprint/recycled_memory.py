"""Computes once and then returns unwritten memory, where the allocator has left the last result.

Class: B8
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: output truth
Ends as: nan_inf
"""

import torch
from base import pattern, replacement_args
from kernel import real

DONE = []


@torch.fx.wrap
def wrapper(x, w, b):
    if len(DONE) > 3:
        return torch.empty_like(x)
    DONE.append(1)
    return real(x, w, b)


def replacement_func():
    return wrapper
