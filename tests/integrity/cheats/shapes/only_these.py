"""Works for the shapes of the task and returns unwritten memory for any other.

Class: B22
Graph: scale_gelu
Variant: large_scale_gelu
Wins: accepted
Level: strict
Caught by: output truth
Ends as: nan_inf
"""

import torch
from base import pattern, replacement_args
from kernel import library

SIZES = {(64, 512): 32768, (256, 512): 131072}


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.scale_gelu(x, w, b, out, SIZES.get(tuple(x.shape), 0), 512)
    return out


def replacement_func():
    return wrapper
